"""Reads a model's output as evidence, and keeps the quotes that the transcript contains."""

import json
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from enum import Enum, StrEnum
from pathlib import Path

from groundwire import telemetry
from groundwire._engine import Source, normalize
from groundwire.errors import EvidenceGroundingError
from groundwire.evidence.grounding import Grounded, as_source, ground, log_rejected
from groundwire.evidence.schema import EvidenceGroundingStats, validate_evidence_schema
from groundwire.model_output import extract_json_object
from groundwire.private_files import open_narrowed, open_private

TYPE_CHECKING = False

if TYPE_CHECKING:
    from groundwire.settings import EvidenceSettings

__all__ = [
    "ExtractionResult",
    "FailureCategory",
    "FailureEvent",
    "FailureRecorder",
    "FailureSeverity",
    "ground_extraction",
]


class FailureCategory(StrEnum):
    """Names the cause of a failure."""

    EVIDENCE_HALLUCINATION = "evidence_hallucination"


class FailureSeverity(StrEnum):
    """Names the severity of a failure."""

    ERROR = "error"


@dataclass(frozen=True, slots=True)
class FailureEvent:
    """
    Records one failure in the run of one participant.

    Attributes:
        category: The cause.
        severity: The severity.
        message: A fixed sentence for each category.
        participant_id: Id from the caller; None if not given.
        stage: Step of the run, "evidence_extraction".
        mode: Mode of the run from the caller; None if not given.
        extracted_count: Number of quotes in the model's output.
        validation_mode: Mode of the search: "substring" or "fuzzy".
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
    Keeps failure events, and optionally appends each to a JSON Lines file.

    A line has `recorded_at`, the time in ISO 8601, followed by the fields of the
    event, in ASCII. It is handed to the operating system before `record` returns.
    Any number of threads may record.

    Args:
        sink: The file to append to, created on the first event; None for no file.
        clock: Returns the time of an event.
    """

    def __init__(self, sink: str | os.PathLike[str] | None = None, *, clock: Callable[[], datetime] = _utc_now) -> None:
        self._sink = None if sink is None else Path(sink)
        self._clock = clock
        self._lock = threading.Lock()
        self._events: list[FailureEvent] = []

    @property
    def events(self) -> tuple[FailureEvent, ...]:
        """Return the events so far, in the order of recording."""
        with self._lock:
            return tuple(self._events)

    def record(self, event: FailureEvent) -> None:
        """
        Keep *event*, then append it to the sink.

        Raises:
            OSError: The sink cannot be written. The event is still kept.
        """
        with self._lock:
            self._events.append(event)
            if self._sink is not None:
                line = json.dumps({"recorded_at": self._clock().isoformat(), **asdict(event)})
                # Opened for each event: events are rare, and the file may be moved between two of them.
                with open_private(self._sink, "ab") as file:
                    file.write(f"{line}\n".encode("ascii"))


_ALL_REJECTED = "LLM returned evidence quotes but none could be grounded in the transcript."


@dataclass(frozen=True, slots=True)
class ExtractionResult:
    """
    Holds the evidence of one model output.

    Attributes:
        evidence: Quotes by domain; only grounded ones, unless grounding is switched
            off. Not in the repr, because it is text.
        stats: Counts of the grounding; None if grounding is switched off.
        failure: Set if quotes were extracted and none is grounded. None if all quotes
            are blank, because a blank quote claims nothing (ruling A22).
        run_counts: `llm_evidence_extracted_count` and `llm_evidence_rejected_count`,
            for the records of a run.
        repaired: Whether the model's text had to be repaired to be JSON: prose, a
            fence or thoughts around the object, commas or quotation marks (ruling A23).
    """

    evidence: dict[str, list[str]] = field(repr=False)
    stats: EvidenceGroundingStats | None
    failure: FailureEvent | None
    run_counts: dict[str, int]
    repaired: bool = False


def ground_extraction(
    llm_output: str | Mapping[str, object],
    transcript_text: str | Source,
    *,
    settings: "EvidenceSettings",
    participant_id: int | str | None = None,
    run_mode: str | Enum | None = None,
    failures: FailureRecorder | None = None,
) -> ExtractionResult:
    """
    Read a model's evidence, check its schema, and keep the quotes that the transcript contains.

    Args:
        llm_output: The model's text, which `groundwire.model_output` reads, or the
            parsed object.
        transcript_text: The transcript, or a Source of it.
        settings: Settings of the check, the log, and the failure.
        participant_id: Passed on to the failure event.
        run_mode: Passed on to the failure event; of an enum, its value.
        failures: Keeps a failure event before an error is raised.

    Raises:
        ModelOutputError: The text has no JSON object, a broken one, or several. A
            truncated object is never completed.
        EvidenceSchemaError: The object does not map domains to lists of str.
        EvidenceGroundingError: Quotes were extracted, none is grounded, at least one
            is not blank, and the settings require an error. With other settings, the
            result has a `failure` (rulings A14, A22).
    """
    source = as_source(transcript_text)
    output: object = llm_output
    is_repaired = False
    if isinstance(llm_output, str):
        read = extract_json_object(llm_output)
        output, is_repaired = read.members, read.repaired
    evidence = validate_evidence_schema(output)
    if not settings.evidence_quote_validation_enabled:
        extracted_count = sum(map(len, evidence.values()))
        return ExtractionResult(evidence, None, None, _run_counts(extracted_count, 0), is_repaired)
    grounded = ground(
        evidence,
        source,
        mode=settings.evidence_quote_validation_mode,
        fuzzy_threshold=settings.evidence_quote_fuzzy_threshold,
        guard=settings.evidence_quote_guard,
    )
    _log(grounded, source, settings)
    failure = _failure(grounded, source, settings, participant_id, run_mode)
    if failure is not None and failures is not None:
        failures.record(failure)
    if settings.evidence_quote_unsafe_debug_path is not None:
        _write_rejected(settings.evidence_quote_unsafe_debug_path, grounded.rejected, participant_id=participant_id)
    if failure is not None and settings.evidence_quote_fail_on_all_rejected:
        raise EvidenceGroundingError(_ALL_REJECTED)
    counts = _run_counts(grounded.stats.extracted_count, grounded.stats.rejected_count)
    return ExtractionResult(grounded.validated, grounded.stats, failure, counts, is_repaired)


def _run_counts(extracted_count: int, rejected_count: int) -> dict[str, int]:
    return {"llm_evidence_extracted_count": extracted_count, "llm_evidence_rejected_count": rejected_count}


def _log(grounded: Grounded, source: Source, settings: "EvidenceSettings") -> None:
    if not settings.evidence_quote_log_rejections:
        return
    key = settings.evidence_quote_hash_key
    log_rejected(
        grounded.rejected,
        grounded.stats,
        source.text,
        mode=settings.evidence_quote_validation_mode,
        hash_key=None if key is None else key.get_secret_value().encode("utf-8", "surrogateescape"),
    )


def _failure(
    grounded: Grounded,
    source: Source,
    settings: "EvidenceSettings",
    participant_id: int | str | None,
    run_mode: str | Enum | None,
) -> FailureEvent | None:
    stats = grounded.stats
    if stats.validated_count > 0 or all(_is_blank(quote, source) for _, quote in grounded.rejected):
        return None
    return FailureEvent(
        category=FailureCategory.EVIDENCE_HALLUCINATION,
        severity=FailureSeverity.ERROR,
        message=_ALL_REJECTED,
        participant_id=participant_id,
        stage="evidence_extraction",
        mode=str(run_mode.value) if isinstance(run_mode, Enum) else run_mode,
        extracted_count=stats.extracted_count,
        validation_mode=settings.evidence_quote_validation_mode,
    )


def _is_blank(quote: str, source: Source) -> bool:
    """Tell whether normalisation with the profile of *source* leaves nothing of *quote* (ruling A6)."""
    return not normalize(quote, profile=source.profile, marks=source.marks)


def _write_rejected(path: Path, rejected: Sequence[tuple[str, str]], *, participant_id: int | str | None) -> None:
    """
    Append the text of *rejected*, one JSON object per line, and warn.

    A line has participant_id, domain and quote, in ASCII. The file is created with
    mode 0600; an existing file of the same user is restricted to that mode first.

    Raises:
        PermissionError: The file belongs to another user, or is a link or not a regular file.
        OSError: The file cannot be written.
    """
    if not rejected:
        return
    lines = "".join(
        json.dumps({"participant_id": participant_id, "domain": domain, "quote": quote}) + "\n"
        for domain, quote in rejected
    )
    # A single write to a file opened for appending, so that lines of two threads do not mix.
    with open_narrowed(path, "the unsafe debug file") as file:
        file.write(lines.encode("ascii"))
    telemetry.unsafe_debug_written(quote_count=len(rejected))
