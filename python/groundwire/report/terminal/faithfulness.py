"""The report on personas on a terminal: a table for each persona, with colour, signs and words."""

from collections.abc import Iterator

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from groundwire.report.faithfulness import ClaimEntry, EvidenceEntry, FaithfulnessReport, PersonaReport, Verdict
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
    review_text,
    reviews_text,
    score_text,
    sources_text,
)
from groundwire.sanitize import one_line

__all__ = ["print_report"]

_STYLES: dict[Verdict, str] = {
    "contradicted": "bold magenta",
    "unsupported": "bold red",
    "weak": "yellow",
    "supported": "green",
}
_TEXT_LIMIT = 400
_NAME_LIMIT = 60


def print_report(report: FaithfulnessReport, console: Console, *, verbose: bool = False) -> None:
    """Print *report*: of each persona the claims that are not supported, all of them if *verbose*; then the figures."""
    for persona in report.personas:
        console.print()
        if len(report.personas) > 1:
            console.print(Text(one_line(persona.name, limit=_NAME_LIMIT), "bold"))
        shown = [claim for claim in persona.claim_details if verbose or claim.verdict != "supported"]
        if shown:
            console.print(_table(shown, persona, verbose))
            console.print()
        for line in _verdict(persona, verbose):
            console.print(line)
    if len(report.personas) != 1:
        console.print()
        console.print(Text(faithfulness_headline_text(report), "bold"))
    console.print(Text(faithfulness_settings_text(report), "dim"))


def _table(claims: list[ClaimEntry], persona: PersonaReport, verbose: bool) -> Table:
    table = Table(
        Column("#", justify="right", style="dim"),
        Column("verdict", no_wrap=True),
        Column("score", width=5),
        Column("claim", overflow="fold", ratio=1),
        box=None,
        expand=True,
        padding=(0, 2, 0, 0),
        header_style="dim",
    )
    for claim in claims:
        verdict = Text(f"{VERDICT_SIGNS[claim.verdict]} {claim.verdict}", _STYLES[claim.verdict])
        table.add_row(str(claim.number), verdict, score_text(claim.confidence), _text(claim, persona, verbose))
    return table


def _text(claim: ClaimEntry, persona: PersonaReport, verbose: bool) -> Text:
    """Return the claim, and below it what was found of it."""
    text = Text(one_line(claim.claim, limit=_TEXT_LIMIT))
    text.append(f"  {one_line(claim.path, limit=_NAME_LIMIT)}", "dim")
    if said := sources_text(claim, len(persona.sources)):
        text.append(f"\n{said}", "dim")
    if review := review_text(claim):
        text.append(f"\n{review}", "bold")
    groups = groups_of(claim)
    if not groups:
        text.append(f"\n{claim_reason_text(claim)}", "italic")
    for group in groups if verbose else groups[:1]:
        for entry in group.entries if verbose else group.entries[:1]:
            text.append("\n")
            text.append_text(_evidence(group, entry))
    return text


def _evidence(group: Group, entry: EvidenceEntry) -> Text:
    """Return one piece of evidence, the words that count in the colour of what they do."""
    text = Text(f"{group.words}: {evidence_text(entry)}, {place_text(entry)}", "italic")
    text.append("\n  … " if entry.text_start else "\n  ", "not italic")
    text.append(one_line(entry.text[: entry.start]), "not italic")
    text.append(one_line(entry.text[entry.start : entry.end]), f"not italic underline {_STYLES[group.style]}")
    text.append(one_line(entry.text[entry.end :]), "not italic")
    text.append(" …" if entry.text_end < entry.unit_chars else "", "not italic")
    for line in difference_lines(entry):
        text.append(f"\n  {line}", "not italic")
    return text


def _verdict(persona: PersonaReport, verbose: bool) -> Iterator[Text]:
    style: Verdict = "supported" if persona.passed else "unsupported"
    yield Text(persona_text(persona), f"bold {_STYLES[style]}" if persona.total_claims else "bold cyan")
    yield Text(persona_counts_text(persona), "dim")
    if persona.reviews is not None:
        yield Text(reviews_text(persona.reviews))
    if verbose:
        for each in persona.synthetic:
            yield Text(f"made up: {one_line(each.claim, limit=_TEXT_LIMIT)}", "dim")
    for warning in persona.warnings:
        yield Text(f"warning: {one_line(warning)}", "yellow")
