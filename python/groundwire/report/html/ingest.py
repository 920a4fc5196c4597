"""
The report on claims as one HTML page: each claim, its hedges and citations marked, beside what is said of it.

Everything can be read and filtered without the script, which adds keys.
"""

from collections.abc import Iterator

from groundwire.ingestion import HedgeAction
from groundwire.report.highlights import claim_pieces
from groundwire.report.html.page import badge, filters, page, style
from groundwire.report.ingest import CitedThing, ClaimReport, Cue, IngestReport
from groundwire.report.labels import (
    CITED_SIGNS,
    cue_text,
    ingest_counts_text,
    ingest_headline_text,
    ingest_settings_text,
    other_text,
    outcome_text,
    passage_text,
    plural,
    tier_counts,
    tier_sign,
    tier_text,
    told_checks,
)
from groundwire.report.markup import attribute, markup

__all__ = ["render_html"]

_SHEETS = ("page.css", "rows.css", "ingest.css")
# A claim may be a megabyte, and cite a thousand things; nobody reads that on a page.
_SHOWN_CHARS = 20_000
_MOST_FACTS = 20
# The class of a hedge, by what it leads to.
_HEDGES = {HedgeAction.REVIEW: "doubt", HedgeAction.BLOCK: "speculation"}


def render_html(report: IngestReport) -> str:
    """Return *report* as an HTML page."""
    title = f"Ingestion check: {ingest_headline_text(report)}"
    return page(title, _body(report), sheet=style(*_SHEETS), skip=("claims", "Skip to the claims"))


def _body(report: IngestReport) -> Iterator[str]:
    """Yield what is seen, from top to bottom."""
    yield f'<header>\n<h1>Ingestion check</h1>\n<p class="answer">{ingest_headline_text(report)}</p>\n'
    if report.claims:
        yield f'<p class="note">{ingest_counts_text(report)}</p>\n'
    yield from filters(
        report.summary.claims,
        [(tier.value, tier_sign(tier), f"{count:,} to {tier_text(tier)}") for tier, count in tier_counts(report)],
    )
    yield '</header>\n<main class="answers" id="claims" tabindex="-1" data-keys>\n'
    yield '<p class="note keys" hidden>Keys here: j next claim, k the one before, Enter to the claim it is like.</p>\n'
    for claim in report.claims:
        yield from _claim(claim)
    yield f"</main>\n<footer>groundwire {markup(report.tool.version)}, {ingest_settings_text(report)}</footer>\n"


def _claim(claim: ClaimReport) -> Iterator[str]:
    word = tier_text(claim.tier)
    yield f'<div class="row claim {claim.tier.value}" id="c{claim.number}" tabindex="-1" data-item '
    yield f'role="group" aria-label="claim {claim.number}, to {word}">\n<div class="said" dir="auto">'
    yield from _text(claim)
    kind = f"{markup(claim.memory_type)}, from {markup(claim.source)}, of user {markup(claim.user_id)}"
    yield f'\n<p class="about">{kind}</p></div>\n<div class="evidence">\n<p class="head">'
    yield f'<span class="number">{claim.number}</span> {badge(claim.tier.value, tier_sign(claim.tier), word)}'
    if claim.id is not None:
        yield f' <span class="domain">{markup(claim.id)}</span>'
    yield f' <span class="id">{markup(claim.name)}</span></p>\n<p class="why">{markup(claim.reason)}</p>\n'
    yield from _facts(claim)
    yield from _passages(claim)
    yield from _other(claim)
    if done := outcome_text(claim):
        yield f'<p class="place">{markup(done)}</p>\n'
    yield "</div>\n</div>\n"


def _text(claim: ClaimReport) -> Iterator[str]:
    """Yield the claim with its hedges and citations marked; of a very long one the beginning as it is."""
    more = len(claim.content) - _SHOWN_CHARS
    if more > 0:
        yield f"{markup(claim.content[:_SHOWN_CHARS])} …\n<i>and {plural(more, 'more character')}</i>"
        return
    for piece in claim_pieces(claim):
        if piece.cue is not None:
            yield _mark(piece.text, _HEDGES[piece.cue.action], cue_text(piece.cue))
        elif piece.cited is not None:
            yield _mark(piece.text, piece.cited.status, f"{piece.cited.status.value}: {piece.cited.words}")
        else:
            yield markup(piece.text)


def _mark(text: str, style: str, title: str) -> str:
    return f'<mark class="{style}" title="{attribute(title)}">{markup(text)}</mark>'


def _facts(claim: ClaimReport) -> Iterator[str]:
    """Yield the hedges and citations by name, then the failed checks."""
    facts = [*map(_hedge, claim.cues), *map(_cited, claim.citations)]
    if facts:
        yield f'<ul class="facts">{"".join(f"<li>{each}</li>" for each in facts[:_MOST_FACTS])}</ul>\n'
    if len(facts) > _MOST_FACTS:
        yield f'<p class="note">and {len(facts) - _MOST_FACTS:,} more</p>\n'
    checks = "; ".join(told_checks(claim))
    if checks:
        yield f'<p class="about">failed: {markup(checks)}</p>\n'


def _hedge(cue: Cue) -> str:
    return f'<q class="{_HEDGES[cue.action]}">{markup(cue.text)}</q> <span class="score">{cue_text(cue)}</span>'


def _cited(cited: CitedThing) -> str:
    state = badge(cited.status, CITED_SIGNS[cited.status], cited.status.value)
    return f'{state} {markup(cited.name)} <span class="score">{markup(cited.words)}</span>'


def _passages(claim: ClaimReport) -> Iterator[str]:
    """Yield what the citations say of the claim, each with its passage."""
    for passage in claim.passages[:_MOST_FACTS]:
        yield f'<p class="place">{markup(passage_text(passage))}</p>\n'
        if passage.text is not None:
            yield f'<blockquote class="passage" dir="auto">{markup(passage.text)}</blockquote>\n'


def _other(claim: ClaimReport) -> Iterator[str]:
    """Yield the memory that the claim repeats or contradicts; one of this input is a link."""
    other = claim.other
    if other is None:
        return
    words = markup(other_text(claim) or "")
    linked = words if other.number is None else f'<a href="#c{other.number}">{words}</a>'
    yield f'<p class="place">{linked}</p>\n'
    if other.text is not None:
        yield f'<blockquote class="passage" dir="auto">{markup(other.text[:_SHOWN_CHARS])}</blockquote>\n'
