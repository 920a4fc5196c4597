"""
The words, signs and figures of reports: one catalogue for every format, a module for each kind of report.

`check` has those of quotes, `cite` those of answers, `ingest` those of memories and `faithfulness` those of personas.
What they share is here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.labels import plural
from groundwire.sanitize import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.report.model import ReadScore

__all__ = ["anchor", "missing_text", "plural", "quoted", "rate_text", "read_text", "score_text"]

_MOST_WORDS = 8


def anchor(subject: str, status: str) -> str:
    """Return the anchor of *status* in docs/reference/verdicts.md; *subject* is "quote", "claim" or the like."""
    name = status.removeprefix(f"{subject}_")
    return f"{subject}-{name}".replace("_", "-").replace(" ", "-")


def score_text(score: float | None) -> str:
    """
    Return *score* with three digits, or a dash for none.

    Digits are cut off, not rounded, so that only a full match reads 1.000.
    """
    return "–" if score is None else f"{int(score * 1000) / 1000:.3f}"


def rate_text(rate: float | None) -> str:
    """Return *rate* in per cent with one digit, not rounded up, or a dash for none."""
    return "–" if rate is None else f"{int(rate * 1000) / 10:.1f} %"


def quoted(text: str) -> str:
    """Return *text* on one line in quotation marks."""
    return f"“{one_line(text.strip())}”"


def missing_text(words: Sequence[str]) -> str:
    """Return the words of a claim without a counterpart as a sentence; at most the first eight."""
    more = f" and {len(words) - _MOST_WORDS:,} more" if len(words) > _MOST_WORDS else ""
    return f"No counterpart for {', '.join(map(quoted, words[:_MOST_WORDS]))}{more}."


def read_text(read: ReadScore) -> str:
    """Return the score of a model that read claim and passage."""
    return f"Read by {read.model}: score {score_text(read.score)}, threshold {read.threshold:g}."
