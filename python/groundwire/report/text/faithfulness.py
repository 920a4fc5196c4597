"""The report on personas as plain text: a line for each claim, for pipes, files and narrow terminals."""

from collections.abc import Iterator

from groundwire.report.faithfulness import ClaimEntry, EvidenceEntry, FaithfulnessReport, PersonaReport
from groundwire.report.labels import (
    VERDICT_SIGNS,
    claim_reason_text,
    difference_lines,
    evidence_text,
    faithfulness_headline_text,
    faithfulness_settings_text,
    groups_of,
    persona_counts_text,
    persona_text,
    place_text,
    review_text,
    reviews_text,
    score_text,
    sources_text,
)
from groundwire.report.text import aligned
from groundwire.sanitize import one_line

__all__ = ["highlighted", "render_plain"]


def render_plain(report: FaithfulnessReport, *, verbose: bool = False) -> str:
    """
    Return *report* as lines without colour.

    A line for each claim that is not supported, for every claim if *verbose*: number,
    verdict, confidence, how many sources, the claim and where the persona says it. Below it, if
    *verbose*, all its evidence with the words that count between `[[` and `]]`; else why it is
    not supported, and the first such piece. The last column is never cut or wrapped.
    """
    lines = [line for persona in report.personas for line in _persona(persona, report, verbose)]
    if len(report.personas) != 1:
        lines += [faithfulness_headline_text(report)]
    return "\n".join([*lines, faithfulness_settings_text(report)]) + "\n"


def highlighted(entry: EvidenceEntry) -> str:
    """Return the text of *entry* on one line, the evidence between `[[` and `]]`."""
    before, said, behind = entry.text[: entry.start], entry.text[entry.start : entry.end], entry.text[entry.end :]
    marked = f"{one_line(before)}[[{one_line(said)}]]{one_line(behind)}" if said else one_line(entry.text)
    start = "… " if entry.text_start else ""
    return f"{start}{marked}{' …' if entry.text_end < entry.unit_chars else ''}"


def _persona(persona: PersonaReport, report: FaithfulnessReport, verbose: bool) -> Iterator[str]:
    if len(report.personas) > 1:
        yield one_line(persona.name)
    shown = [claim for claim in persona.claim_details if verbose or claim.verdict != "supported"]
    for line, claim in zip(aligned([_row(claim, persona) for claim in shown]), shown, strict=True):
        yield line
        yield from _below(claim, verbose)
    if shown:
        yield ""
    if verbose:
        yield from (f"made up: {one_line(each.claim)}  ({one_line(each.path)})" for each in persona.synthetic)
    yield persona_text(persona)
    yield persona_counts_text(persona)
    if persona.reviews is not None:
        yield reviews_text(persona.reviews)
    yield from (f"warning: {one_line(warning)}" for warning in persona.warnings)
    if len(report.personas) > 1:
        yield ""


def _row(claim: ClaimEntry, persona: PersonaReport) -> tuple[str, ...]:
    return (
        f"#{claim.number}",
        f"{VERDICT_SIGNS[claim.verdict]} {claim.verdict}",
        score_text(claim.confidence),
        sources_text(claim, len(persona.sources)),
        f"{one_line(claim.claim)}  ({one_line(claim.path)})",
    )


def _below(claim: ClaimEntry, verbose: bool) -> Iterator[str]:
    if review := review_text(claim):
        yield f"    {review}"
    groups = groups_of(claim)
    if not groups:
        yield f"    {claim_reason_text(claim)}"
    for group in groups if verbose else groups[:1]:
        for entry in group.entries if verbose else group.entries[:1]:
            yield f"    {group.words}: {evidence_text(entry)}, {place_text(entry)}: {highlighted(entry)}"
            yield from (f"      {line}" for line in difference_lines(entry))
