"""From a model's output to evidence that stands in the transcript."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from groundwire._engine import Source, normalize
from groundwire.errors import EvidenceGroundingError
from groundwire.evidence.failures import FailureCategory, FailureEvent, FailureRecorder, FailureSeverity
from groundwire.evidence.grounding import Grounded, as_source, ground
from groundwire.evidence.rejections import log_rejected
from groundwire.evidence.schema import validate_evidence_schema
from groundwire.evidence.stats import EvidenceGroundingStats
from groundwire.model_output import extract_json_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.settings import EvidenceSettings

__all__ = ["ALL_REJECTED", "ExtractionResult", "ground_extraction"]

ALL_REJECTED = "LLM returned evidence quotes but none could be grounded in the transcript."


@dataclass(frozen=True, slots=True)
class ExtractionResult:
    """
    The evidence of one model output.

    Attributes:
        evidence: Domain to quotes, only grounded ones unless grounding is switched
            off. Not shown in the repr: it is text.
        stats: The counts of the grounding; None if grounding is switched off.
        failure: Set if quotes were extracted and none is grounded; None if all of them are
            blank, for a blank quote claims nothing (ruling A22).
        run_counts: `llm_evidence_extracted_count` and `llm_evidence_rejected_count`,
            for the records of a run.
        repaired: Whether the model's text had to be mended before it was JSON: prose, a
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
    Read a model's evidence, check its form, and keep what stands in the transcript.

    Args:
        llm_output: The model's text, which `groundwire.model_output` reads; or the
            object, parsed.
        transcript_text: The transcript, or a Source made of it.
        settings: Whether and how to check, what to log, when to fail.
        participant_id: Goes into the failure event as it is.
        run_mode: Goes into the failure event; of an enum, its value.
        failures: Keeps the failure event, if there is one, before anything is raised.

    Raises:
        ModelOutputError: The text holds no JSON object, a broken one, or several. Nothing
            is completed: an object that is cut off is an error.
        EvidenceSchemaError: The object does not map domains to lists of str.
        EvidenceGroundingError: Quotes were extracted, none is grounded, at least one is
            not blank, and the settings say to fail then. Under other settings the
            result has its `failure` set (rulings A14, A22).
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
        from groundwire.evidence.unsafe_debug import write_rejected

        write_rejected(settings.evidence_quote_unsafe_debug_path, grounded.rejected, participant_id=participant_id)
    if failure is not None and settings.evidence_quote_fail_on_all_rejected:
        raise EvidenceGroundingError(ALL_REJECTED)
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
        message=ALL_REJECTED,
        participant_id=participant_id,
        stage="evidence_extraction",
        mode=str(run_mode.value) if isinstance(run_mode, Enum) else run_mode,
        extracted_count=stats.extracted_count,
        validation_mode=settings.evidence_quote_validation_mode,
    )


def _is_blank(quote: str, source: Source) -> bool:
    """Tell whether nothing is left of *quote* once it is normalised as *source* is (ruling A6)."""
    return not normalize(quote, profile=source.profile, marks=source.marks)
