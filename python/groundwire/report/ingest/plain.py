"""The report on claims as plain text: one line a claim, for pipes, files and narrow terminals."""

from groundwire.report.columns import aligned
from groundwire.report.ingest.model import ClaimReport, IngestReport
from groundwire.report.ingest.words import (
    SIGNS,
    counts_text,
    headline_text,
    label_text,
    outcome_text,
    settings_text,
    tier_text,
    told_checks,
)
from groundwire.report.printable import one_line

__all__ = ["render_plain"]


def render_plain(report: IngestReport) -> str:
    """
    Return *report* as lines without colour.

    Columns: claim, tier, id or place, what was done, text, and behind it reason and failed
    checks; aligned, the last one never cut or wrapped. Counts and settings follow.
    """
    lines = aligned([_row(claim) for claim in report.claims])
    counts = ["", headline_text(report), counts_text(report)] if report.claims else [headline_text(report)]
    return "\n".join([*lines, *counts, settings_text(report)]) + "\n"


def _row(claim: ClaimReport) -> tuple[str, ...]:
    why = "; ".join([claim.reason, *told_checks(claim)])
    return (
        f"#{claim.number}",
        f"{SIGNS[claim.tier]} {tier_text(claim.tier)}",
        one_line(label_text(claim)),
        outcome_text(claim),
        f"{one_line(claim.content)}  ({why})",
    )
