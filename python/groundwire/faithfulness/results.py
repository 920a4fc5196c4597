"""What becomes of a persona: every claim with its evidence, and the rates of all of them."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from groundwire.faithfulness.claims import Claim
from groundwire.faithfulness.levels import ClaimStatus, Rates, SupportLevel
from groundwire.faithfulness.support.evidence import Evidence, Layer

__all__ = ["ClaimResult", "ClaimReview", "FaithfulnessResult", "ReviewStatus"]


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
    evidence: tuple[Evidence, ...] = field(repr=False)
    near_misses: tuple[Evidence, ...] = field(repr=False)
    contradictions: tuple[Evidence, ...] = field(repr=False)
    layer: Layer | None
    sources: tuple[str, ...]
    contradicting_sources: tuple[str, ...]
    details: Claim

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
    """

    rates: Rates
    claim_details: tuple[ClaimResult, ...]
    synthetic: tuple[Claim, ...]
    threshold: float
    backend: str
    sources: tuple[str, ...]
    warnings: tuple[str, ...] = ()

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
