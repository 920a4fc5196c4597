"""The report on claims on a terminal: a table with colour, signs and words."""

from collections.abc import Iterator

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from groundwire.ingestion import HedgeAction, Tier, VerificationStatus
from groundwire.ingestion.records import PassageVerdict
from groundwire.report.highlights import ClaimPiece, claim_pieces
from groundwire.report.ingest import ClaimReport, IngestReport
from groundwire.report.labels import (
    cited_text,
    ingest_counts_text,
    ingest_headline_text,
    ingest_settings_text,
    label_text,
    other_text,
    outcome_text,
    passage_text,
    tier_sign,
    tier_text,
    told_checks,
)
from groundwire.sanitize import one_line

__all__ = ["print_report"]

_TIERS: dict[Tier, str] = {
    Tier.AUTO_APPROVE: "bold green",
    Tier.FLAG_REVIEW: "bold yellow",
    Tier.BLOCK: "bold red",
}
_CITED: dict[VerificationStatus, str] = {
    VerificationStatus.VERIFIED: "green",
    VerificationStatus.UNKNOWN: "cyan",
    VerificationStatus.REFUTED: "red",
}
_HEDGES: dict[HedgeAction, str] = {HedgeAction.REVIEW: "bold yellow", HedgeAction.BLOCK: "bold red"}
_TEXT_LIMIT = 400
_LABEL_LIMIT = 24


def print_report(report: IngestReport, console: Console) -> None:
    """Print *report*: a table of the claims, then counts and settings."""
    console.print()
    if report.claims:
        console.print(_table(report))
        console.print()
    console.print(Text(ingest_headline_text(report), "bold"))
    if report.claims:
        console.print(Text(ingest_counts_text(report)))
    console.print(Text(ingest_settings_text(report), "dim"))


def _table(report: IngestReport) -> Table:
    table = Table(
        Column("#", justify="right", style="dim"),
        Column("tier", no_wrap=True),
        Column("where", overflow="fold", max_width=_LABEL_LIMIT),
        Column("claim", overflow="fold", ratio=1),
        box=None,
        expand=True,
        padding=(0, 2, 0, 0),
        header_style="dim",
    )
    for claim in report.claims:
        tier = Text(f"{tier_sign(claim.tier)} {tier_text(claim.tier)}", _TIERS[claim.tier])
        table.add_row(str(claim.number), tier, Text(one_line(label_text(claim), limit=_TEXT_LIMIT)), _text(claim))
    return table


def _text(claim: ClaimReport) -> Text:
    """Return the claim with its hedges and citations marked, and below it what is said of it."""
    text = _marked(claim)
    for line in _told(claim):
        text.append("\n")
        text.append_text(line)
    return text


def _marked(claim: ClaimReport) -> Text:
    """Return the text of *claim* on one line; one that is cut off has no marks."""
    if len(claim.content) > _TEXT_LIMIT:
        return Text(one_line(claim.content, limit=_TEXT_LIMIT))
    text = Text()
    for piece in claim_pieces(claim):
        text.append(one_line(piece.text), _style(piece))
    return text


def _told(claim: ClaimReport) -> Iterator[Text]:
    """Yield reason and failed checks, which tell of all citations but the verified ones, and what was done."""
    yield Text(one_line(claim.reason), "italic")
    if checks := "; ".join(told_checks(claim)):
        yield Text(f"  failed: {one_line(checks, limit=_TEXT_LIMIT)}", "dim")
    for cited in claim.citations:
        if cited.status is VerificationStatus.VERIFIED:
            yield Text(f"  {one_line(cited_text(cited), limit=_TEXT_LIMIT)}", _CITED[cited.status])
    for passage in claim.passages:
        said = "" if passage.text is None else f": {one_line(passage.text, limit=_TEXT_LIMIT)}"
        yield Text(f"  {passage_text(passage)}{said}", "" if passage.verdict is PassageVerdict.SUPPORTS else "yellow")
    if claim.other is not None and claim.other.text is not None:
        yield Text(f"  {other_text(claim)}: {one_line(claim.other.text, limit=_TEXT_LIMIT)}")
    if done := outcome_text(claim):
        yield Text(f"  {one_line(done)}", "dim")


def _style(piece: ClaimPiece) -> str:
    if piece.cue is not None:
        return f"underline {_HEDGES[piece.cue.action]}"
    return "" if piece.cited is None else f"underline {_CITED[piece.cited.status]}"
