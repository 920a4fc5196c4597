"""What becomes of a persona: every claim with its evidence, and the rates of all of them."""

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

NO_CLAIMS = "the persona claims nothing that can be checked"
"""The note of a result without a score (ruling D4)."""


STRONG_ABOVE = 0.8
"""The confidence, 0.0 to 1.0, above which the support of a claim is strong (ruling D1)."""


class SupportLevel(StrEnum):
    """How well a claim is supported, by its confidence alone (ruling D1)."""

    STRONG = "STRONG"
    MODERATE = "MODERATE"
    WEAK = "WEAK"
    UNSUPPORTED = "UNSUPPORTED"

    @classmethod
    def of(cls, score: float) -> "SupportLevel":
        """
        Return the level of *score*: unsupported [0, .4), weak [.4, .6), moderate [.6, .8], strong (.8, 1].

        Raises:
            TypeError: *score* is no number.
            ValueError: It is not from 0 to 1, or NaN.
        """
        confidence = checked_share("score", score)
        if confidence > STRONG_ABOVE:
            return cls.STRONG
        if confidence >= SUPPORTED_FROM:
            return cls.MODERATE
        return cls.WEAK if confidence >= WEAK_FROM else cls.UNSUPPORTED


class ClaimStatus(StrEnum):
    """What a claim counts as in the score."""

    SUPPORTED = "SUPPORTED"
    UNSUPPORTED = "UNSUPPORTED"


def status_of(confidence: float, *, threshold: float = SUPPORTED_FROM, contradicted: bool = False) -> ClaimStatus:
    """
    Return whether a claim is supported: from *threshold* on, and never if it is contradicted (rulings D2, D9).

    Raises:
        TypeError: A score is no number.
        ValueError: One is not from 0 to 1, or NaN.
    """
    is_enough = checked_share("confidence", confidence) >= checked_share("threshold", threshold)
    return ClaimStatus.SUPPORTED if is_enough and not contradicted else ClaimStatus.UNSUPPORTED


@dataclass(frozen=True, slots=True)
class Rates:
    """
    How many claims are what (rulings D2 and D3).

    Attributes:
        total_claims: All of them; supported, weak and hallucinated ones add up to it.
        supported_claims: Those from the threshold on.
        weak_claims: Those below it that are not hallucinated.
        hallucinated_claims: Those that are contradicted, or have no evidence.
        faithfulness_score: The share of the supported, 0.0 to 1.0; None without claims.
        weak_rate, hallucination_rate: The shares of the others, likewise.
        note: Why there is no score, else None.
    """

    total_claims: int
    supported_claims: int
    weak_claims: int
    hallucinated_claims: int

    @property
    def unsupported_claims(self) -> int:
        """All that are not supported: weak and hallucinated ones."""
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
        # Rounded as all reported shares are (ruling B4).
        return round(part / self.total_claims, 12) if self.total_claims else None


def rates_of(claims: Iterable[tuple[float, bool]], *, threshold: float = SUPPORTED_FROM) -> Rates:
    """
    Count *claims*, each its confidence and whether it is contradicted.

    Raises:
        TypeError: A score is no number.
        ValueError: One is not from 0 to 1, or NaN.
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
    Return *value* as a float from 0 to 1; *name* is what messages call it.

    Raises:
        TypeError: It is no number.
        ValueError: It is out of that range, or NaN.
    """
    if type(value) is float and 0.0 <= value <= 1.0:
        return value
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, got {type(value).__name__}")
    share = float(value)
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"{name} must be from 0 to 1, got {share}")
    return share


class ReviewStatus(StrEnum):
    """What the review queue says of a claim."""

    WAITING = "waiting"
    APPROVED = "approved"
    REJECTED = "rejected"
    EXPIRED = "expired"
    QUEUE_FULL = "queue_full"


@dataclass(frozen=True, slots=True)
class ClaimReview:
    """
    What people decided about a claim (ruling D14). It changes no score.

    Attributes:
        status: What the queue says; QUEUE_FULL if there was no room, so that nobody was asked.
        queue_id: The claim's id in the queue; None if there was no room.
        reviewer: Who decided; None as long as nobody has.
        decided_at: When.
        reason: Why it was rejected, in the reviewer's words.
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
    One claim, and what the sources have of it.

    Attributes:
        claim: It as a sentence.
        status: SUPPORTED from the threshold on, and never if it is contradicted.
        confidence: The highest score of what supports it; 0.0 if it is contradicted (ruling D9).
        level: The level of that confidence (ruling D1).
        evidence: What supports it: from the threshold on, the best first.
        near_misses: What was found with a lower score, by words from 0.2 on, or is outweighed by a contradiction.
        contradictions: What says otherwise.
        layer: The layer that decided; None where nothing was found.
        sources: The names of the sources that support it, in their order.
        contradicting_sources: The names of those that say otherwise, likewise.
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
        """Whether a source says otherwise."""
        return bool(self.contradictions)


@dataclass(frozen=True, slots=True)
class FaithfulnessResult:
    """
    One persona against its sources.

    Attributes:
        rates: How many claims are what; its figures are here, too.
        claim_details: The claims that count: the contradicted first, then by confidence from
            the lowest on, of equals in the order of the persona.
        synthetic: Claims that are known to be made up, and do not count.
        threshold: From which confidence on a claim is supported.
        backend: Which layers decided beside the rules: "lexical" is none (rulings D6, D8).
        sources: The names of all sources.
        warnings: What was asked for and did not run; sources in which there is nothing.
        support_score: The name and hash of the score of support; None of the shipped one.
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
        """Why there is no score, else None."""
        return self.rates.note
