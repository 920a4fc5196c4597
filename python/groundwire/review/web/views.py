"""What the page shows of a claim, worked out before a template sees it."""

import hashlib
import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

from groundwire.ingestion.checks import CHECKS, check_name
from groundwire.ingestion.hedges import HedgeCue
from groundwire.memory.textless import textless
from groundwire.review.details import REVIEW_CHECKS, Part, word_difference
from groundwire.review.items import EXCERPT_CHARS
from groundwire.review.records import ClaimExcerpt, PendingCitation, PendingMemory, QueueState

__all__ = [
    "DIFF_MAX_CHARS",
    "STATES",
    "CheckRow",
    "Stretch",
    "check_rows",
    "content_mark",
    "edits_of",
    "excerpt_stretches",
    "metadata_text",
    "moment",
    "stretches",
]

Mark = TypeVar("Mark", HedgeCue, PendingCitation)

DIFF_MAX_CHARS = 10_000
"""Texts that are longer together are not compared word by word: it would hold up everybody else."""

STATES: Mapping[QueueState, tuple[str, str]] = {
    QueueState.PENDING: ("○", "waiting"),
    QueueState.PROCESSING: ("◐", "being decided"),
    QueueState.STORED: ("✓", "approved"),
    QueueState.REJECTED: ("✗", "rejected"),
    QueueState.EXPIRED: ("–", "expired"),
}
"""Each state's sign and word: colour alone tells nothing."""

_MEANINGS = {**{check.name: check.meaning for check in CHECKS}, **REVIEW_CHECKS}
_PASSES = {check.name: check.passes for check in CHECKS}


class Stretch(NamedTuple):
    """
    A stretch of a claim.

    Attributes:
        text: What stands there.
        hedge: Which kind of hedge it is a part of; None for none.
        citation: The status of the citation that it is a part of; None for none.
        note: The same in words.
    """

    text: str
    hedge: str | None = None
    citation: str | None = None
    note: str = ""

    def __repr__(self) -> str:
        return textless(self, self._asdict())


class CheckRow(NamedTuple):
    """A check: its name, what it means, and what it is about in this claim."""

    name: str
    meaning: str
    detail: str

    def __repr__(self) -> str:
        return textless(self, self._asdict())


def stretches(claim: PendingMemory) -> list[Stretch]:
    """Return the claim as it was submitted, cut where a hedge or a citation begins or ends."""
    if claim.original_content is None:
        return _cut(claim.content, claim.hedges, claim.citations)
    # Citations are those of the text as it was edited, which is shown as a difference.
    return _cut(claim.original_content, claim.hedges, ())


def excerpt_stretches(claim: ClaimExcerpt, most_chars: int = EXCERPT_CHARS) -> list[Stretch]:
    """Return the beginning of a claim in the same way; an ellipsis stands for the rest."""
    text = claim.excerpt[:most_chars]
    found = _cut(text, claim.hedges, claim.citations)
    return found if len(text) == claim.content_chars else [*found, Stretch("…")]


def _cut(text: str, hedges: Sequence[HedgeCue], citations: Sequence[PendingCitation]) -> list[Stretch]:
    if not hedges and not citations:
        return [Stretch(text)]
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
    """The one of *marks*, in the order of their *starts*, that a stretch is a part of; of several the last one."""
    at = bisect_right(starts, start) - 1
    return marks[at] if at >= 0 and marks[at].end >= stop else None


def _stretch(text: str, hedge: HedgeCue | None, cited: PendingCitation | None) -> Stretch:
    notes = []
    if hedge is not None:
        notes.append(f"hedge: {hedge.category.replace('_', ' ')}")
    if cited is not None:
        notes.append(f"citation {cited.name}: {cited.status}")
    return Stretch(
        text,
        hedge=None if hedge is None else str(hedge.category),
        citation=None if cited is None else cited.status,
        note="; ".join(notes),
    )


def check_rows(entries: tuple[str, ...]) -> Iterator[CheckRow]:
    """Yield each check of *entries*, as a validator lists them, with what its name means."""
    for entry in entries:
        name = check_name(entry)
        yield CheckRow(name, _MEANINGS.get(name, ""), entry[len(name) + 2 :])


def known_checks() -> list[str]:
    """Return the names of the checks that a claim can fail."""
    return [*(name for name, passes in _PASSES.items() if not passes), *REVIEW_CHECKS]


def edits_of(earlier: str, later: str) -> tuple[Part, ...] | None:
    """Return the word diff of two texts; None if they are too long for one."""
    return word_difference(earlier, later) if len(earlier) + len(later) <= DIFF_MAX_CHARS else None


def content_mark(content: str) -> str:
    """Return what tells a text from others: a decision is about the text that somebody has seen."""
    return hashlib.sha256(content.encode()).hexdigest()[:32]


def metadata_text(metadata: Mapping[str, Any]) -> str:
    """Return metadata as people read it."""
    return json.dumps(metadata, ensure_ascii=False, indent=2) if metadata else ""


def moment(time: datetime) -> str:
    """Return a time as the page shows it."""
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
