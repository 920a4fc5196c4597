"""What the page shows of a claim, worked out before a template sees it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from groundwire.ingestion.checks import CHECKS, name_of
from groundwire.review.difference import Part, word_difference
from groundwire.review.records import PendingMemory, QueueState

__all__ = [
    "DIFF_MAX_CHARS",
    "STATES",
    "CheckRow",
    "Stretch",
    "check_rows",
    "edits_of",
    "metadata_text",
    "moment",
    "stretches",
]

DIFF_MAX_CHARS = 20_000
"""Texts that are longer together are not compared word by word: it would hold up everybody else."""

STATES: Mapping[QueueState, tuple[str, str]] = {
    QueueState.PENDING: ("○", "waiting"),
    QueueState.PROCESSING: ("◐", "being decided"),
    QueueState.STORED: ("✓", "approved"),
    QueueState.REJECTED: ("✗", "rejected"),
    QueueState.EXPIRED: ("–", "expired"),
}
"""Each state's sign and word: colour alone tells nothing."""

_MEANINGS = {check.name: check.meaning for check in CHECKS}
_PASSES = {check.name: check.passes for check in CHECKS}


@dataclass(frozen=True, slots=True)
class Stretch:
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


@dataclass(frozen=True, slots=True)
class CheckRow:
    """A check: its name, what it means, and what it is about in this claim."""

    name: str
    meaning: str
    detail: str


def stretches(claim: PendingMemory) -> list[Stretch]:
    """Return the claim as it was submitted, cut where a hedge or a citation begins or ends."""
    text = claim.content if claim.original_content is None else claim.original_content
    marks = [(cue.start, cue.end) for cue in claim.hedges] + [(cited.start, cited.end) for cited in claim.citations]
    cuts = sorted({0, len(text), *(min(max(place, 0), len(text)) for mark in marks for place in mark)})
    return [_stretch(claim, text, start, end) for start, end in pairwise(cuts)]


def _stretch(claim: PendingMemory, text: str, start: int, end: int) -> Stretch:
    hedge = next((cue for cue in claim.hedges if cue.start <= start and end <= cue.end), None)
    cited = next((one for one in claim.citations if one.start <= start and end <= one.end), None)
    notes = []
    if hedge is not None:
        notes.append(f"hedge: {hedge.category.replace('_', ' ')}")
    if cited is not None:
        notes.append(f"citation {cited.name}: {cited.status}")
    return Stretch(
        text[start:end],
        hedge=None if hedge is None else str(hedge.category),
        citation=None if cited is None else cited.status,
        note="; ".join(notes),
    )


def check_rows(entries: tuple[str, ...]) -> Iterator[CheckRow]:
    """Yield each check of *entries*, as a validator lists them, with what its name means."""
    for entry in entries:
        name = name_of(entry)
        yield CheckRow(name, _MEANINGS.get(name, ""), entry[len(name) + 2 :])


def known_checks() -> list[str]:
    """Return the names of the checks that a claim can fail."""
    return [name for name, passes in _PASSES.items() if not passes]


def edits_of(earlier: str, later: str) -> tuple[Part, ...] | None:
    """Return the word diff of two texts; None if they are too long for one."""
    return word_difference(earlier, later) if len(earlier) + len(later) <= DIFF_MAX_CHARS else None


def metadata_text(metadata: Mapping[str, Any]) -> str:
    """Return metadata as people read it."""
    return json.dumps(metadata, ensure_ascii=False, indent=2) if metadata else ""


def moment(time: datetime) -> str:
    """Return a time as the page shows it."""
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
