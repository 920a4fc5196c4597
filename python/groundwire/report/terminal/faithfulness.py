"""Prints the report on personas: a line per claim with its evidence below, followed by the figures."""

from collections.abc import Iterator

from groundwire.report.faithfulness import EvidenceEntry, FaithfulnessReport, PersonaClaimEntry, PersonaReport, Verdict
from groundwire.report.highlights import evidence_pieces
from groundwire.report.labels import score_text
from groundwire.report.labels.faithfulness import (
    VERDICT_SIGNS,
    Group,
    claim_reason_text,
    difference_lines,
    evidence_text,
    groups_of,
    headline_text,
    persona_counts_text,
    persona_text,
    place_text,
    review_text,
    reviews_text,
    settings_text,
    sources_text,
)
from groundwire.report.terminal import Block, Line, Row, StyledText, Table, line

__all__ = ["layout"]

_STYLES: dict[Verdict, str] = {
    "contradicted": "bold magenta",
    "unsupported": "bold red",
    "weak": "yellow",
    "supported": "green",
}


def layout(report: FaithfulnessReport, *, verbose: bool = False) -> Iterator[Block]:
    """
    Yield the unsupported claims of each persona, or all claims if *verbose*, followed by the figures.

    Columns: number, verdict, confidence, number of sources, the claim and its path. Below each claim, *verbose* shows
    all evidence, with the relevant words between `[[` and `]]`; otherwise the reason and the first evidence follow.
    """
    is_batch = len(report.personas) != 1
    for persona in report.personas:
        if is_batch:
            yield line(persona.name, "bold")
        shown = [claim for claim in persona.claim_details if verbose or claim.verdict != "supported"]
        if shown:
            yield Table([_row(claim, persona, verbose) for claim in shown])
            yield line()
        if verbose:
            yield from (line(f"synthetic: {each.claim}  ({each.path})", "dim") for each in persona.synthetic)
        yield from _figures(persona)
        if is_batch:
            yield line()
    if is_batch:
        yield line(headline_text(report), "bold")
    yield line(settings_text(report), "dim")


def _row(claim: PersonaClaimEntry, persona: PersonaReport, verbose: bool) -> Row:
    cells = (
        line(f"#{claim.number}", "dim"),
        line(f"{VERDICT_SIGNS[claim.verdict]} {claim.verdict}", _STYLES[claim.verdict]),
        line(score_text(claim.confidence)),
        line(sources_text(claim, len(persona.sources)), "dim"),
        (StyledText(claim.claim), StyledText(f"  ({claim.path})", "dim")),
    )
    return Row(cells, tuple(_below(claim, verbose)))


def _below(claim: PersonaClaimEntry, verbose: bool) -> Iterator[Line]:
    """Yield the review, and the evidence or the reason for its absence."""
    if review := review_text(claim):
        yield line(review, "bold")
    groups = groups_of(claim)
    if not groups:
        yield line(claim_reason_text(claim), "italic")
    for group in groups if verbose else groups[:1]:
        for entry in group.entries if verbose else group.entries[:1]:
            yield _evidence(group, entry)
            yield from (line(f"  {each}") for each in difference_lines(entry))


def _evidence(group: Group, entry: EvidenceEntry) -> Line:
    """Return one line of evidence, with the relevant words marked in the colour of their effect."""
    start = StyledText(f"{group.words}: {evidence_text(entry)}, {place_text(entry)}: ", "italic")
    before, said, behind = evidence_pieces(entry)
    if not said:
        return (start, StyledText(before))
    return (
        start,
        StyledText(f"{before}[["),
        StyledText(said, f"underline {_STYLES[group.style]}"),
        StyledText(f"]]{behind}"),
    )


def _figures(persona: PersonaReport) -> Iterator[Line]:
    """Yield the result, the counts, the reviews and the warnings of *persona*."""
    style: Verdict = "supported" if persona.passed else "unsupported"
    yield line(persona_text(persona), f"bold {_STYLES[style]}" if persona.total_claims else "bold cyan")
    yield line(persona_counts_text(persona), "dim")
    if persona.reviews is not None:
        yield line(reviews_text(persona.reviews))
    yield from (line(f"warning: {warning}", "yellow") for warning in persona.warnings)
