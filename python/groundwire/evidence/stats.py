"""The counts of one grounding."""

from dataclasses import dataclass

__all__ = ["EvidenceGroundingStats"]


@dataclass(frozen=True, slots=True)
class EvidenceGroundingStats:
    """
    How many quotes were extracted, grounded and rejected.

    Attributes:
        extracted_count: All quotes, blank ones included (ruling A6).
        validated_count: Those found in the transcript.
        rejected_count: The others; the two add up to `extracted_count`.
        rejected_by_domain: Rejected quotes of each domain, 0 included.
    """

    extracted_count: int
    validated_count: int
    rejected_count: int
    rejected_by_domain: dict[str, int]
