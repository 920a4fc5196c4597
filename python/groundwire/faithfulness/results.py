"""The results of a validation: claims with their evidence, levels, statuses and rates."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from numbers import Real

from groundwire.faithfulness.claims import PersonaClaim
from groundwire.faithfulness.support.evidence import Layer, SupportEvidence
from groundwire.support_score import SUPPORTED_FROM, WEAK_FROM

__all__ = [
    "NO_CLAIMS",
    "STRONG_ABOVE",
    "ClaimResult",
    "ClaimReview",
    "ClaimStatus",
    "FaithfulnessResult",
    "Rates",
    "ReviewStatus",
    "SupportLevel",
    "rates_of",
    "status_of",
]

NO_CLAIMS = "the persona has no claim that can be checked"
"""The note of a result without a score (ruling D4)."""


STRONG_ABOVE = 0.8
"""The confidence, 0.0 to 1.0, above which the support of a claim is strong (ruling D1)."""


class SupportLevel(StrEnum):
    """The support of a claim, by its confidence alone (ruling D1)."""

    STRONG = "STRONG"
    MODERATE = "MODERATE"
    WEAK = "WEAK"
    UNSUPPORTED = "UNSUPPORTED"

    @classmethod
    def of(cls, score: float) -> "SupportLevel":
        """
        Return the level of *score*: unsupported [0, .4), weak [.4, .6), moderate [.6, .8], strong (.8, 1].

        Raises:
            TypeError: *score* is not a number.
            ValueError: *score* is outside 0 to 1, or NaN.
        """
        confidence = checked_share("score", score)
        if confidence > STRONG_ABOVE:
            return cls.STRONG
        if confidence >= SUPPORTED_FROM:
            return cls.MODERATE
        return cls.WEAK if confidence >= WEAK_FROM else cls.UNSUPPORTED


class ClaimStatus(StrEnum):
    """Whether a claim counts as supported in the score."""

    SUPPORTED = "SUPPORTED"
    UNSUPPORTED = "UNSUPPORTED"


def status_of(confidence: float, *, threshold: float = SUPPORTED_FROM, contradicted: bool = False) -> ClaimStatus:
    """
    Return SUPPORTED for a confidence of at least *threshold*, unless the claim is contradicted (rulings D2, D9).

    Raises:
        TypeError: An argument is not a number.
        ValueError: An argument is outside 0 to 1, or NaN.
    """
    is_enough = checked_share("confidence", confidence) >= checked_share("threshold", threshold)
    return ClaimStatus.SUPPORTED if is_enough and not contradicted else ClaimStatus.UNSUPPORTED


@dataclass(frozen=True, slots=True)
class Rates:
    """
    The number of claims by outcome, and their shares (rulings D2 and D3).

    Attributes:
        total_claims: All claims: the sum of supported, weak and hallucinated ones.
        supported_claims: Claims with a confidence of at least the threshold.
        weak_claims: Claims below the threshold that are not hallucinated.
        hallucinated_claims: Claims that are contradicted or without evidence.
        faithfulness_score: The share of supported claims, 0.0 to 1.0; None without claims.
        weak_rate, hallucination_rate: The shares of weak and of hallucinated claims, likewise.
        note: The reason why there is no score, else None.
    """

    total_claims: int
    supported_claims: int
    weak_claims: int
    hallucinated_claims: int

    @property
    def unsupported_claims(self) -> int:
        """The number of weak and hallucinated claims."""
        return self.total_claims - self.supported_claims

    @property
    def faithfulness_score(self) -> float | None:
        return self._share(self.supported_claims)

    @property
    def weak_rate(self) -> float | None:
        return self._share(self.weak_claims)

    @property
    def hallucination_rate(self) -> float | None:
        return self._share(self.hallucinated_claims)

    @property
    def note(self) -> str | None:
        return None if self.total_claims else NO_CLAIMS

    def _share(self, part: int) -> float | None:
        # Rounded like all reported shares (ruling B4).
        return round(part / self.total_claims, 12) if self.total_claims else None


def rates_of(claims: Iterable[tuple[float, bool]], *, threshold: float = SUPPORTED_FROM) -> Rates:
    """
    Count *claims*, given as pairs of confidence and whether the claim is contradicted.

    Raises:
        TypeError: A confidence or the threshold is not a number.
        ValueError: A confidence or the threshold is outside 0 to 1, or NaN.
    """
    hallucinated_below = min(WEAK_FROM, checked_share("threshold", threshold))
    total = supported = hallucinated = 0
    for confidence, is_contradicted in claims:
        total += 1
        if status_of(confidence, threshold=threshold, contradicted=is_contradicted) is ClaimStatus.SUPPORTED:
            supported += 1
        elif is_contradicted or confidence < hallucinated_below:
            hallucinated += 1
    return Rates(total, supported, total - supported - hallucinated, hallucinated)


def checked_share(name: str, value: object) -> float:
    """
    Return *value* as a float from 0 to 1. Messages refer to it as *name*.

    Raises:
        TypeError: *value* is not a number.
        ValueError: *value* is outside 0 to 1, or NaN.
    """
    if type(value) is float and 0.0 <= value <= 1.0:
        return value
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, got {type(value).__name__}")
    share = float(value)
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"{name} must be between 0 and 1, got {share}")
    return share


class ReviewStatus(StrEnum):
    """The status of a claim in the review queue."""

    WAITING = "waiting"
    APPROVED = "approved"
    REJECTED = "rejected"
    EXPIRED = "expired"
    QUEUE_FULL = "queue_full"


@dataclass(frozen=True, slots=True)
class ClaimReview:
    """
    The decision of a reviewer about a claim (ruling D14). It does not change the score.

    Attributes:
        status: The status in the queue; QUEUE_FULL if there was no room for the claim.
        queue_id: The id of the claim in the queue; None if there was no room.
        reviewer: The reviewer; None before a decision.
        decided_at: The time of the decision.
        reason: The reviewer's reason for a rejection.
        is_edited: Whether the reviewer changed the words of the claim.
    """

    status: ReviewStatus
    queue_id: str | None = None
    reviewer: str | None = None
    decided_at: datetime | None = None
    reason: str | None = field(default=None, repr=False)
    is_edited: bool = False


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """
    One claim with its evidence in the sources.

    Attributes:
        claim: The claim as a sentence.
        status: SUPPORTED for a confidence of at least the threshold, unless the claim is contradicted.
        confidence: The highest score of the supporting evidence; 0.0 if the claim is contradicted (ruling D9).
        level: The level of the confidence (ruling D1).
        evidence: Evidence with a score of at least the threshold, best first.
        near_misses: Evidence with a lower score (lexical evidence from 0.2), or outweighed by a contradiction.
        contradictions: Evidence against the claim.
        layer: The layer that decided; None without evidence.
        sources: The names of the supporting sources, in the order of the sources.
        contradicting_sources: The names of the contradicting sources, likewise.
        details: The claim with its path, value and kind.
    """

    claim: str = field(repr=False)
    status: ClaimStatus
    confidence: float
    level: SupportLevel
    evidence: tuple[SupportEvidence, ...] = field(repr=False)
    near_misses: tuple[SupportEvidence, ...] = field(repr=False)
    contradictions: tuple[SupportEvidence, ...] = field(repr=False)
    layer: Layer | None
    sources: tuple[str, ...]
    contradicting_sources: tuple[str, ...]
    details: PersonaClaim

    @property
    def contradicted(self) -> bool:
        """Whether a source contradicts the claim."""
        return bool(self.contradictions)


@dataclass(frozen=True, slots=True)
class FaithfulnessResult:
    """
    The result of validating one persona.

    Attributes:
        rates: The counts and shares, which are also attributes of the result.
        claim_details: The claims that count: contradicted ones first, then by ascending confidence, then in the order
            of the persona.
        synthetic: Claims in fields that are known to be made up; they do not count.
        threshold: The minimum confidence for a claim to count as supported.
        backend: The models that ran beside the rules; "lexical" for the rules alone (rulings D6, D8).
        sources: The names of all sources.
        warnings: Models that were requested and did not run, and sources without text.
        support_score: The name and hash of the score of support; None for the shipped one.
    """

    rates: Rates
    claim_details: tuple[ClaimResult, ...]
    synthetic: tuple[PersonaClaim, ...]
    threshold: float
    backend: str
    sources: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    support_score: str | None = None

    @property
    def faithfulness_score(self) -> float | None:
        """The share of supported claims; None without claims (ruling D4)."""
        return self.rates.faithfulness_score

    @property
    def total_claims(self) -> int:
        return self.rates.total_claims

    @property
    def supported_claims(self) -> int:
        return self.rates.supported_claims

    @property
    def unsupported_claims(self) -> int:
        return self.rates.unsupported_claims

    @property
    def hallucination_rate(self) -> float | None:
        return self.rates.hallucination_rate

    @property
    def weak_rate(self) -> float | None:
        return self.rates.weak_rate

    @property
    def note(self) -> str | None:
        """The reason why there is no score, else None."""
        return self.rates.note
