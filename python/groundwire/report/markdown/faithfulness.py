"""The report on personas as Markdown, for issues, pull requests and notebooks."""

from collections.abc import Iterator

from groundwire.report.faithfulness import ClaimEntry, EvidenceEntry, FaithfulnessReport, PersonaReport
from groundwire.report.labels import (
    VERDICT_SIGNS,
    VERDICTS,
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
from groundwire.report.markdown.check import code_span, count_table, prose
from groundwire.report.text.faithfulness import highlighted

__all__ = ["render_markdown"]

# A report is read by people; the JSON has all of it.
_MOST_PIECES = 3


def render_markdown(report: FaithfulnessReport) -> str:
    """Return *report* as GitHub-flavoured Markdown: summary, then the personas, contradicted claims first."""
    return "\n".join([*_summary(report), *(line for persona in report.personas for line in _persona(persona))])


def _summary(report: FaithfulnessReport) -> Iterator[str]:
    yield from ("# Faithfulness check", "", f"**{faithfulness_headline_text(report)}**", "")
    yield from count_table(
        [(f"{VERDICT_SIGNS[verdict]} {verdict}", count) for verdict, count in verdict_counts(report)]
    )
    yield f"- {faithfulness_settings_text(report, code_span)}; groundwire {report.tool.version}"
    yield ""


def _persona(persona: PersonaReport) -> Iterator[str]:
    """Yield the figures of one persona, its claims by verdict, what is made up, and its sources."""
    yield from (f"## {code_span(persona.name)}: {persona_text(persona)}", "", f"- {persona_counts_text(persona)}")
    if persona.reviews is not None:
        yield f"- {reviews_text(persona.reviews)}"
    for warning in persona.warnings:
        yield f"- warning: {prose(warning)}"
    if len(persona.sources) > 1:
        for source in persona.sources:
            against = f", contradicts {source.contradicts:,}" if source.contradicts else ""
            yield f"- source {code_span(source.name)}: supports {plural(source.supports, 'claim')}{against}"
    yield ""
    for verdict in VERDICTS:
        claims = [claim for claim in persona.claim_details if claim.verdict == verdict]
        if claims:
            yield from (f"### {VERDICT_SIGNS[verdict]} {verdict.capitalize()} ({len(claims):,})", "")
            yield from (line for claim in claims for line in _claim(claim, persona))
            yield ""
    if persona.synthetic:
        yield from (f"### Made up, not counted ({len(persona.synthetic):,})", "")
        yield from (f"- {code_span(each.claim)}, {code_span(each.path)}" for each in persona.synthetic)
        yield ""


def _claim(claim: ClaimEntry, persona: PersonaReport) -> Iterator[str]:
    parts = [
        f"**#{claim.number}** {code_span(claim.claim)}",
        code_span(claim.path),
        f"{score_text(claim.confidence)} {claim.level}",
        sources_text(claim, len(persona.sources)),
    ]
    yield f"- {' · '.join(filter(None, parts))}"
    if review := review_text(claim, code_span):
        yield f"  - {review}"
    groups = groups_of(claim)
    if not groups:
        yield f"  - {claim_reason_text(claim)}"
    for group in groups:
        for entry in group.entries[:_MOST_PIECES]:
            yield _evidence(group, entry)
            yield from (f"    - {line}" for line in difference_lines(entry, code_span))
        if (more := len(group.entries) - _MOST_PIECES) > 0:
            yield f"  - {group.words}: {plural(more, 'more place')}"


def _evidence(group: Group, entry: EvidenceEntry) -> str:
    return f"  - {group.words}: {evidence_text(entry)}, {place_text(entry, code_span)}: {code_span(highlighted(entry))}"
