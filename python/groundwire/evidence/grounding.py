"""
Applies the literal rule of the specification to quotes and their transcript.

A quote is grounded if its normalised text is a substring of the normalised
transcript or, in fuzzy mode, if its partial_ratio / 100 reaches the threshold.
One call of the engine checks all quotes of all domains.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from groundwire import telemetry
from groundwire._engine import Source, normalize
from groundwire.evidence.schema import EvidenceGroundingStats, check_guard, check_mode, check_threshold, first_fault
from groundwire.thresholds import FUZZY_THRESHOLD

TYPE_CHECKING = False

if TYPE_CHECKING:
    from groundwire.evidence.schema import EvidenceGuard
    from groundwire.telemetry import ValidationMode

__all__ = [
    "Grounded",
    "as_source",
    "ground",
    "log_rejected",
    "normalize_for_quote_match",
    "validate_evidence_grounding",
]


def log_rejected(
    rejected: Sequence[tuple[str, str]],
    stats: EvidenceGroundingStats,
    transcript_text: str,
    *,
    mode: "ValidationMode",
    hash_key: bytes | None = None,
) -> None:
    """
    Emit one event for each (domain, quote) of *rejected*, followed by one with the counts.

    Emits nothing without rejected quotes, and computes no hash if the logger is
    off. The transcript is hashed only once.
    """
    if not rejected or not telemetry.wants(telemetry.WARNING):
        return
    hash_text = telemetry.text_hasher(hash_key)
    transcript_hash = hash_text(transcript_text)
    labels = {domain: telemetry.as_label(domain, hash_text) for domain in stats.rejected_by_domain}
    for domain, quote in rejected:
        telemetry.quote_rejected(
            domain=labels[domain],
            quote_hash=hash_text(quote),
            quote_len=len(quote),
            transcript_hash=transcript_hash,
            transcript_len=len(transcript_text),
            mode=mode,
        )
    if telemetry.wants(telemetry.INFO):
        telemetry.grounding_complete(
            extracted_count=stats.extracted_count,
            validated_count=stats.validated_count,
            rejected_count=stats.rejected_count,
            rejected_by_domain={labels[domain]: count for domain, count in stats.rejected_by_domain.items()},
            transcript_hash=transcript_hash,
        )


@dataclass(frozen=True, slots=True)
class Grounded:
    """
    Holds the result of a grounding.

    Attributes:
        validated: The grounded quotes of each domain, as written, in the original order.
        rejected: The other quotes as (domain, quote), in the original order.
        stats: The counts.
    """

    validated: dict[str, list[str]]
    rejected: list[tuple[str, str]]
    stats: EvidenceGroundingStats


def normalize_for_quote_match(text: str) -> str:
    """
    Normalise *text* for the comparison of quotes and transcripts, with the profile "spec".

    The steps, in this order (ruling A4): NFKC; four curly quotation marks and the
    no-break space become plain; four zero-width characters are dropped; tags become
    a space; white space is collapsed and stripped; lower case.
    """
    return normalize(text, profile="spec")


def validate_evidence_grounding(
    evidence: Mapping[str, Sequence[str]],
    transcript_text: str | Source,
    *,
    mode: str = "substring",
    fuzzy_threshold: float = FUZZY_THRESHOLD,
    log_rejections: bool = True,
    guard: str | None = None,
) -> tuple[dict[str, list[str]], EvidenceGroundingStats]:
    """
    Keep the quotes that the transcript contains.

    Blank quotes, of which normalisation leaves nothing, are never grounded and
    count as extracted and rejected (ruling A6).

    Args:
        evidence: A list (or tuple) of quotes for each domain.
        transcript_text: The transcript, or a Source of it, which is not prepared
            again and keeps its own normalisation profile.
        mode: "substring", or "fuzzy" to accept similar wording as well.
        fuzzy_threshold: Minimum score of a grounded quote in fuzzy mode, 0.0 to 1.0.
        log_rejections: Whether to emit the log events `evidence_quote_rejected`, one
            for each rejected quote, and `evidence_grounding_complete`. Hashes are
            plain SHA-256; `ground_extraction` uses a key if the settings have one.
        guard: "meaning" also requires that `assess_quotes` accepts the quote with
            this threshold: no difference from the passage changes the meaning, the
            quote matches whole words, and it is no longer than the transcript
            (rulings A8, A9, A10). None applies the literal rule alone.

    Returns:
        The grounded quotes of every domain, in the order and spelling of
        *evidence*, and the counts.

    Raises:
        TypeError: An argument has the wrong type. The message names the argument
            and the type, never text.
        ValueError: *mode* (ruling A7) or *guard* is unknown, or *fuzzy_threshold*
            is outside 0 to 1.
    """
    known_guard = check_guard(guard)
    known_mode = check_mode(mode)
    threshold = check_threshold(fuzzy_threshold)
    source = as_source(transcript_text)
    grounded = ground(evidence, source, mode=known_mode, fuzzy_threshold=threshold, guard=known_guard)
    if log_rejections:
        log_rejected(grounded.rejected, grounded.stats, source.text, mode=known_mode)
    return grounded.validated, grounded.stats


def as_source(transcript_text: str | Source) -> Source:
    """Return *transcript_text* as a Source; a Source is returned unchanged."""
    if isinstance(transcript_text, Source):
        return transcript_text
    if isinstance(transcript_text, str):
        return Source(transcript_text)
    raise TypeError(f"transcript_text must be a str or a groundwire.Source, got {type(transcript_text).__name__}")


def ground(
    evidence: Mapping[str, Sequence[str]],
    source: Source,
    *,
    mode: "ValidationMode",
    fuzzy_threshold: float,
    guard: "EvidenceGuard | None" = None,
) -> Grounded:
    """
    Separate the quotes of *evidence* into grounded and rejected ones, without logging.

    Raises:
        TypeError: *evidence* does not map domains to lists of str.
    """
    fault = first_fault(evidence, sequences=(list, tuple))
    if fault is not None:
        raise TypeError(fault)
    extracted = [(domain, quote) for domain, quotes in evidence.items() for quote in quotes]
    matches = source.ground([quote for _, quote in extracted], mode=mode, threshold=fuzzy_threshold)
    is_kept = [match is not None for match in matches]
    if guard is not None:
        _withdraw([quote for _, quote in extracted], is_kept, source, fuzzy_threshold)
    validated: dict[str, list[str]] = {domain: [] for domain in evidence}
    rejected: list[tuple[str, str]] = []
    for (domain, quote), is_grounded in zip(extracted, is_kept, strict=True):
        if is_grounded:
            validated[domain].append(quote)
        else:
            rejected.append((domain, quote))
    return Grounded(validated, rejected, _count(evidence, rejected, len(extracted)))


def _withdraw(quotes: list[str], is_kept: list[bool], source: Source, threshold: float) -> None:
    """Remove the quotes that the guarded verdict does not accept; it never adds one."""
    from groundwire.evidence.assessment import assess_quotes
    from groundwire.evidence.verdicts import QuotePolicy

    kept = [place for place, is_grounded in enumerate(is_kept) if is_grounded]
    verdicts = assess_quotes([quotes[place] for place in kept], source, policy=QuotePolicy(threshold=threshold))
    for place, verdict in zip(kept, verdicts, strict=True):
        is_kept[place] = verdict.accepted


def _count(
    evidence: Mapping[str, Sequence[str]], rejected: list[tuple[str, str]], extracted_count: int
) -> EvidenceGroundingStats:
    rejected_by_domain = dict.fromkeys(evidence, 0)
    for domain, _ in rejected:
        rejected_by_domain[domain] += 1
    return EvidenceGroundingStats(
        extracted_count=extracted_count,
        validated_count=extracted_count - len(rejected),
        rejected_count=len(rejected),
        rejected_by_domain=rejected_by_domain,
    )
