"""Prepares the values of a claim for the templates."""

import hashlib
import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

from groundwire.ingestion.checks import CHECKS, check_name
from groundwire.ingestion.hedges import HedgeCue
from groundwire.memory.records import MemoryStatus, textless
from groundwire.review.details import REVIEW_CHECKS, DiffPart, word_diff
from groundwire.review.items import EXCERPT_CHARS
from groundwire.review.records import ClaimExcerpt, PendingCitation, PendingMemory, QueueState

__all__ = [
    "DIFF_MAX_CHARS",
    "MEMORY_STATUSES",
    "STATES",
    "CheckView",
    "HighlightedText",
    "check_rows",
    "content_mark",
    "diff_or_none",
    "highlighted_excerpt",
    "highlighted_spans",
    "metadata_text",
]

Mark = TypeVar("Mark", HedgeCue, PendingCitation)

DIFF_MAX_CHARS = 10_000
"""The maximum length of two texts together for a diff; longer ones would delay other requests."""

STATES: Mapping[QueueState, tuple[str, str]] = {
    QueueState.PENDING: ("○", "waiting"),
    QueueState.PROCESSING: ("◐", "in progress"),
    QueueState.STORED: ("✓", "approved"),
    QueueState.REJECTED: ("✗", "rejected"),
    QueueState.EXPIRED: ("–", "expired"),
}
"""The sign and the word of each state, so that colour is never the only carrier."""

MEMORY_STATUSES: Mapping[MemoryStatus, tuple[str, str]] = {
    MemoryStatus.ACTIVE: ("✓", "active"),
    MemoryStatus.REVIEW: ("○", "in review"),
}
"""The sign and the word of each status of a memory."""

_MEANINGS = {**{check.name: check.meaning for check in CHECKS}, **REVIEW_CHECKS}
_PASSES = {check.name: check.passes for check in CHECKS}


class HighlightedText(NamedTuple):
    """
    A part of a claim's text.

    Attributes:
        text: Its text.
        hedge: The category of the hedge that contains it, or None.
        citation: The status of the citation that contains it, or None.
        note: Both of them in words.
    """

    text: str
    hedge: str | None = None
    citation: str | None = None
    note: str = ""

    def __repr__(self) -> str:
        return textless(self, self._asdict())


class CheckView(NamedTuple):
    """A check: its name, its meaning, and its detail in this claim."""

    name: str
    meaning: str
    detail: str

    def __repr__(self) -> str:
        return textless(self, self._asdict())


def highlighted_spans(claim: PendingMemory) -> list[HighlightedText]:
    """Return the submitted text, split where a hedge or a citation begins or ends."""
    if claim.original_content is None:
        return _cut(claim.content, claim.hedges, claim.citations)
    # Citations belong to the edited text, which is shown as a diff.
    return _cut(claim.original_content, claim.hedges, ())


def highlighted_excerpt(claim: ClaimExcerpt, most_chars: int = EXCERPT_CHARS) -> list[HighlightedText]:
    """Return the beginning of a claim, split in the same way, with an ellipsis for the rest."""
    text = claim.excerpt[:most_chars]
    found = _cut(text, claim.hedges, claim.citations)
    return found if len(text) == claim.content_chars else [*found, HighlightedText("…")]


def _cut(text: str, hedges: Sequence[HedgeCue], citations: Sequence[PendingCitation]) -> list[HighlightedText]:
    if not hedges and not citations:
        return [HighlightedText(text)]
    hedges = sorted(hedges, key=lambda cue: cue.start)
    citations = sorted(citations, key=lambda one: one.start)
    ends = [*((cue.start, cue.end) for cue in hedges), *((one.start, one.end) for one in citations)]
    cuts = sorted({0, len(text), *(min(max(at, 0), len(text)) for both in ends for at in both)})
    hedge_starts, citation_starts = [cue.start for cue in hedges], [one.start for one in citations]
    return [
        _stretch(
            text[start:stop],
            _around(hedges, hedge_starts, start, stop),
            _around(citations, citation_starts, start, stop),
        )
        for start, stop in pairwise(cuts)
    ]


def _around(marks: Sequence[Mark], starts: Sequence[int], start: int, stop: int) -> Mark | None:
    """Return the last mark that contains a part, or None; *marks* are in the order of *starts*."""
    at = bisect_right(starts, start) - 1
    return marks[at] if at >= 0 and marks[at].end >= stop else None


def _stretch(text: str, hedge: HedgeCue | None, cited: PendingCitation | None) -> HighlightedText:
    notes = []
    if hedge is not None:
        notes.append(f"hedge: {hedge.category.replace('_', ' ')}")
    if cited is not None:
        notes.append(f"citation {cited.name}: {cited.status}")
    return HighlightedText(
        text,
        hedge=None if hedge is None else str(hedge.category),
        citation=None if cited is None else cited.status,
        note="; ".join(notes),
    )


def check_rows(entries: tuple[str, ...]) -> Iterator[CheckView]:
    """Yield each check in *entries* of a validator, with the meaning of its name."""
    for entry in entries:
        name = check_name(entry)
        yield CheckView(name, _MEANINGS.get(name, ""), entry[len(name) + 2 :])


def check_labels() -> list[str]:
    """Return the names of the checks that a claim can fail."""
    return [*(name for name, passes in _PASSES.items() if not passes), *REVIEW_CHECKS]


def diff_or_none(earlier: str, later: str) -> tuple[DiffPart, ...] | None:
    """Return the word diff of two texts; None if they are too long."""
    return word_diff(earlier, later) if len(earlier) + len(later) <= DIFF_MAX_CHARS else None


def content_mark(content: str) -> str:
    """Return a hash that identifies a text, so that a decision applies to the text the person has seen."""
    return hashlib.sha256(content.encode()).hexdigest()[:32]


def metadata_text(metadata: Mapping[str, Any]) -> str:
    """Return metadata as text for people."""
    return json.dumps(metadata, ensure_ascii=False, indent=2) if metadata else ""
