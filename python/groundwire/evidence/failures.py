"""
Failure events: what a run must answer for afterwards, in counts and labels.

An event says that a model gave evidence and none of it could be grounded
(ruling A14). It holds no text of the transcript and no hash of it.
"""

import json
import os
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from groundwire.private_files import open_private

__all__ = ["FailureCategory", "FailureEvent", "FailureRecorder", "FailureSeverity"]


class FailureCategory(StrEnum):
    """What went wrong."""

    EVIDENCE_HALLUCINATION = "evidence_hallucination"


class FailureSeverity(StrEnum):
    """How much it matters."""

    ERROR = "error"


@dataclass(frozen=True, slots=True)
class FailureEvent:
    """
    One failure of one participant's run.

    Attributes:
        category: What went wrong.
        severity: How much it matters.
        message: The same sentence for every event of the category.
        participant_id: As the caller gave it; None if it gave none.
        stage: The step of the run, "evidence_extraction".
        mode: The mode of the run, as the caller named it; None if it named none.
        extracted_count: How many quotes the model gave.
        validation_mode: How they were looked for: "substring" or "fuzzy".
    """

    category: FailureCategory
    severity: FailureSeverity
    message: str
    participant_id: int | str | None
    stage: str
    mode: str | None
    extracted_count: int
    validation_mode: str


def _utc_now() -> datetime:
    return datetime.now(UTC)


class FailureRecorder:
    """
    Keeps failure events, and appends each to a JSON Lines file if there is one.

    A line has `recorded_at`, the clock's time in ISO 8601, then the fields of the
    event, in ASCII; it is on its way to the disk when `record` returns. Any number
    of threads may record.

    Args:
        sink: The file to append to; made on the first event. None: none.
        clock: Says the time of an event.
    """

    def __init__(self, sink: str | os.PathLike[str] | None = None, *, clock: Callable[[], datetime] = _utc_now) -> None:
        self._sink = None if sink is None else Path(sink)
        self._clock = clock
        self._lock = threading.Lock()
        self._events: list[FailureEvent] = []

    @property
    def events(self) -> tuple[FailureEvent, ...]:
        """The events so far, in the order of recording."""
        with self._lock:
            return tuple(self._events)

    def record(self, event: FailureEvent) -> None:
        """
        Keep *event*, then append it to the sink.

        Raises:
            OSError: The sink cannot be written; the event is kept all the same.
        """
        with self._lock:
            self._events.append(event)
            if self._sink is not None:
                line = json.dumps({"recorded_at": self._clock().isoformat(), **asdict(event)})
                # Opened for each event: events are rare, and the file may be moved away between two.
                with open_private(self._sink, "ab") as file:
                    file.write(f"{line}\n".encode("ascii"))
