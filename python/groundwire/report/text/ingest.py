"""The report on claims as plain text: one line a claim, for pipes, files and narrow terminals."""

from collections.abc import Iterator

from groundwire.report.ingest import ClaimReport, IngestReport
from groundwire.report.labels import (
    ingest_counts_text,
    ingest_headline_text,
    ingest_settings_text,
    label_text,
    outcome_text,
    passage_text,
    tier_sign,
    tier_text,
    told_checks,
)
from groundwire.report.text import aligned
from groundwire.sanitize import one_line

__all__ = ["render_plain"]

_PASSAGE_CHARS = 300


def render_plain(report: IngestReport) -> str:
    """
    Return *report* as lines without colour.

    Columns: claim, tier, id or place, what was done, text, and behind it reason and failed
    checks; aligned, the last one never cut or wrapped. Below a claim that is not approved stand
    the passages of what it cites. Counts and settings follow.
    """
    rows = aligned([_row(claim) for claim in report.claims])
    lines = [line for row, claim in zip(rows, report.claims, strict=True) for line in (row, *_passages(claim))]
    counts = (
        ["", ingest_headline_text(report), ingest_counts_text(report)]
        if report.claims
        else [ingest_headline_text(report)]
    )
    return "\n".join([*lines, *counts, ingest_settings_text(report)]) + "\n"


def _passages(claim: ClaimReport) -> Iterator[str]:
    """Yield what the citations say of a claim that is not approved, below its line."""
    for passage in claim.passages if not claim.approved else ():
        said = "" if passage.text is None else f": {one_line(passage.text, limit=_PASSAGE_CHARS)}"
        yield f"    {passage_text(passage)}{said}"


def _row(claim: ClaimReport) -> tuple[str, ...]:
    why = "; ".join([claim.reason, *told_checks(claim)])
    return (
        f"#{claim.number}",
        f"{tier_sign(claim.tier)} {tier_text(claim.tier)}",
        one_line(label_text(claim)),
        outcome_text(claim),
        f"{one_line(claim.content)}  ({why})",
    )
