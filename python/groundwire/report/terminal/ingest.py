"""Prints the ingestion report: one line per claim, followed by counts and settings."""

from collections.abc import Iterator

from groundwire.ingestion import HedgeAction, Tier, VerificationStatus
from groundwire.ingestion.records import PassageVerdict
from groundwire.report.highlights import ClaimPiece, claim_pieces
from groundwire.report.ingest import ClaimReport, IngestReport
from groundwire.report.labels.ingest import (
    counts_text,
    failed_checks,
    headline_text,
    label_text,
    outcome_text,
    passage_text,
    settings_text,
    tier_sign,
    tier_text,
)
from groundwire.report.terminal import Block, Line, Row, StyledText, Table, line
from groundwire.sanitize import one_line

__all__ = ["layout"]

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
_PASSAGE_LIMIT = 300


def layout(report: IngestReport) -> Iterator[Block]:
    """
    Yield the claims of *report* as a table, followed by counts and settings.

    Columns: number, tier, id or location, outcome, text with reason and failed checks. The cited passages follow below
    a claim that is not approved.
    """
    if report.claims:
        yield Table([_row(claim) for claim in report.claims])
        yield line()
    yield line(headline_text(report), "bold")
    if report.claims:
        yield line(counts_text(report))
    yield line(settings_text(report), "dim")


def _row(claim: ClaimReport) -> Row:
    why = "; ".join([claim.reason, *failed_checks(claim)])
    cells = (
        line(f"#{claim.number}", "dim"),
        line(f"{tier_sign(claim.tier)} {tier_text(claim.tier)}", _TIERS[claim.tier]),
        line(label_text(claim)),
        line(outcome_text(claim), "dim"),
        (*(StyledText(piece.text, _style(piece)) for piece in claim_pieces(claim)), StyledText(f"  ({why})", "italic")),
    )
    return Row(cells, () if claim.approved else tuple(_passages(claim)))


def _passages(claim: ClaimReport) -> Iterator[Line]:
    """Yield the passages of the citations of *claim*."""
    for passage in claim.passages:
        said = "" if passage.text is None else f": {one_line(passage.text, limit=_PASSAGE_LIMIT)}"
        yield line(f"{passage_text(passage)}{said}", "" if passage.verdict is PassageVerdict.SUPPORTS else "yellow")


def _style(piece: ClaimPiece) -> str:
    """Return the style of a hedge or a citation: underlined, in the colour of its effect."""
    if piece.cue is not None:
        return f"underline {_HEDGES[piece.cue.action]}"
    return "" if piece.cited is None else f"underline {_CITED[piece.cited.status]}"
