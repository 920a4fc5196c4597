"""
The report on personas as one HTML page: each claim beside what the sources have of it.

Everything can be read and filtered without the script, which adds keys.
"""

from collections.abc import Iterator

from groundwire.report.faithfulness import ClaimEntry, EvidenceEntry, FaithfulnessReport, PersonaReport
from groundwire.report.html.page import badge, filters, page, style
from groundwire.report.labels import (
    VERDICT_SIGNS,
    Group,
    claim_reason_text,
    difference_lines,
    evidence_text,
    faithfulness_headline_text,
    faithfulness_settings_text,
    groups_of,
    persona_counts_text,
    persona_text,
    place_text,
    plural,
    review_text,
    reviews_text,
    score_text,
    sources_text,
    verdict_counts,
)
from groundwire.report.markup import markup

__all__ = ["render_html"]

_SHEETS = ("page.css", "rows.css", "cite.css", "faithfulness.css")
# So many pieces of evidence are seen at once; the others are behind a click.
_SEEN = 2
_SEVERAL = {"near miss": "near misses", "outweighed": "outweighed"}
# A claim may be a megabyte, and nobody reads that on a page.
_SHOWN_CHARS = 20_000


def render_html(report: FaithfulnessReport) -> str:
    """Return *report* as an HTML page."""
    title = markup(f"Faithfulness check: {faithfulness_headline_text(report)}")
    return page(title, _body(report), sheet=style(*_SHEETS), skip=("claims", "Skip to the claims"))


def _body(report: FaithfulnessReport) -> Iterator[str]:
    """Yield what is seen, from top to bottom."""
    yield f'<header>\n<h1>Faithfulness check</h1>\n<p class="answer">{markup(faithfulness_headline_text(report))}</p>\n'
    yield from filters(
        report.summary.claims,
        [(verdict, VERDICT_SIGNS[verdict], f"{count:,} {verdict}") for verdict, count in verdict_counts(report)],
    )
    if len(report.personas) > 1:
        yield from _overview(report)
    yield '</header>\n<main class="answers" id="claims" tabindex="-1" data-keys>\n'
    yield '<p class="note keys" hidden>Keys here: j next claim, k the one before.</p>\n'
    for persona in report.personas:
        yield from _persona(persona, many=len(report.personas) > 1)
    settings = faithfulness_settings_text(report, markup)
    yield f"</main>\n<footer>groundwire {markup(report.tool.version)}, {settings}</footer>\n"


def _overview(report: FaithfulnessReport) -> Iterator[str]:
    """Yield a row for each of many personas, which leads to it."""
    yield '<div class="overview">\n<table>\n<tr><th scope="col">Persona</th><th scope="col">Score</th>'
    yield '<th scope="col">Supported</th><th scope="col">Contradicted</th><th scope="col">Claims</th></tr>\n'
    for each in report.personas:
        sign = f' <span class="score">{VERDICT_SIGNS["unsupported"]} below</span>' if each.passed is False else ""
        yield f'<tr><th scope="row"><a href="#p{each.number}">{markup(each.name)}</a></th>'
        yield f"<td>{score_text(each.faithfulness_score)}{sign}</td><td>{each.supported_claims:,}</td>"
        yield f"<td>{each.contradicted_claims:,}</td><td>{each.total_claims:,}</td></tr>\n"
    yield "</table>\n</div>\n"


def _persona(persona: PersonaReport, *, many: bool) -> Iterator[str]:
    """Yield one persona: its figures, its claims, what is made up, its sources."""
    number = persona.number
    yield f'<section class="case" id="p{number}" tabindex="-1" aria-labelledby="p{number}-name">\n'
    yield f'<h2 id="p{number}-name">{markup(persona.name)}</h2>\n'
    style = "blank" if persona.passed is None else "supported" if persona.passed else "unsupported"
    yield f'<div class="verdict {style}">\n'
    if many:
        yield f'<p class="level">{markup(persona_text(persona))}</p>\n'
    yield f'<p class="note">{markup(persona_counts_text(persona))}</p>\n'
    if persona.reviews is not None:
        yield f'<p class="note review">{markup(reviews_text(persona.reviews))}</p>\n'
    for warning in persona.warnings:
        yield f'<p class="warning"><span aria-hidden="true">!</span> warning: {markup(warning)}</p>\n'
    yield "</div>\n"
    for claim in persona.claim_details:
        yield from _claim(claim, persona)
    yield from _synthetic(persona)
    yield from _sources(persona)
    yield "</section>\n"


def _claim(claim: ClaimEntry, persona: PersonaReport) -> Iterator[str]:
    """Yield a claim, and beside it its verdict and what was found of it."""
    yield f'<div class="row claim {claim.verdict}" id="p{persona.number}-c{claim.number}" tabindex="-1" data-item '
    yield f'role="group" aria-label="claim {claim.number}, {claim.verdict}">\n<div class="said" dir="auto">'
    yield _shown(claim.claim)
    yield f'<p class="about"><code>{markup(claim.path)}</code>, {claim.kind}</p></div>\n<div class="evidence">\n'
    yield f'<p class="head"><span class="number">{claim.number}</span> '
    yield badge(claim.verdict, VERDICT_SIGNS[claim.verdict], claim.verdict)
    yield f' <span class="score">{score_text(claim.confidence)} {claim.level}</span>'
    if said := sources_text(claim, len(persona.sources)):
        yield f' <span class="score">{said}</span>'
    yield "</p>\n"
    if review := review_text(claim, markup):
        yield f'<p class="note review">{review}</p>\n'
    groups = groups_of(claim)
    if not groups:
        yield f'<p class="note">{claim_reason_text(claim)}</p>\n'
    for group in groups:
        yield from _group(group)
    yield "</div>\n</div>\n"


def _shown(text: str) -> str:
    more = len(text) - _SHOWN_CHARS
    return f"{markup(text[:_SHOWN_CHARS])} …\n<i>and {plural(more, 'more character')}</i>" if more > 0 else markup(text)


def _group(group: Group) -> Iterator[str]:
    """Yield what says otherwise, what supports the claim or what comes near it; of much the most behind a click."""
    is_near = group.style == "weak" and not any(entry.reasons for entry in group.entries)
    seen, rest = ((), group.entries) if is_near else (group.entries[:_SEEN], group.entries[_SEEN:])
    yield f'<div class="{group.style}">\n'
    for entry in seen:
        yield from _evidence(group, entry)
    if rest:
        more = f"more: {group.words}" if seen else group.words if len(rest) == 1 else _SEVERAL[group.words]
        words = f"{len(rest):,} {more}"
        yield f"<details>\n<summary>{words}</summary>\n"
        for entry in rest:
            yield from _evidence(group, entry)
        yield "</details>\n"
    yield "</div>\n"


def _evidence(group: Group, entry: EvidenceEntry) -> Iterator[str]:
    yield f'<p class="place">{group.words}: {place_text(entry, markup)}</p>\n'
    before, said, behind = entry.text[: entry.start], entry.text[entry.start : entry.end], entry.text[entry.end :]
    yield f'<blockquote class="passage" dir="auto">{"… " if entry.text_start else ""}{markup(before)}'
    if said:
        yield f'<mark class="{group.style}">{markup(said)}</mark>'
    yield f"{markup(behind)}{' …' if entry.text_end < entry.unit_chars else ''}</blockquote>\n"
    yield f'<p class="note">{evidence_text(entry)}: {markup(entry.words)}</p>\n'
    for line in difference_lines(entry, _said):
        yield f'<p class="note">{line}</p>\n'


def _said(text: str) -> str:
    return f"<q>{markup(text.strip())}</q>"


def _synthetic(persona: PersonaReport) -> Iterator[str]:
    """Yield the claims that are known to be made up."""
    if not persona.synthetic:
        return
    count = plural(len(persona.synthetic), "claim")
    yield f'<details class="sources">\n<summary>{count} made up, not counted</summary>\n<ul class="reasons">'
    for each in persona.synthetic:
        yield f'<li>{markup(each.claim)} <span class="score">{markup(each.path)}</span></li>'
    yield "</ul>\n</details>\n"


def _sources(persona: PersonaReport) -> Iterator[str]:
    """Yield how many claims each source supports and contradicts."""
    yield f'<details class="sources"{" open" if len(persona.sources) > 1 else ""}>\n'
    yield f'<summary>{plural(len(persona.sources), "source")}</summary>\n<div class="overview">\n<table>\n'
    yield '<tr><th scope="col">Source</th><th scope="col">Supports</th><th scope="col">Contradicts</th></tr>\n'
    for source in persona.sources:
        yield f'<tr><th scope="row">{markup(source.name)}</th><td>{source.supports:,}</td>'
        yield f"<td>{source.contradicts:,}</td></tr>\n"
    yield "</table>\n</div>\n</details>\n"
