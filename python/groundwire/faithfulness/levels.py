"""
From the confidence in each claim to levels, statuses and rates.

Pure functions. Scores are compared as they are, so a score that was computed has to
be rounded by who computed it. Source: faithfulness, "Claim Verification Levels" and
"Faithfulness Formula", with rulings D1 to D4 and D9.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from numbers import Real

__all__ = [
    "DEFAULT_THRESHOLD",
    "HALLUCINATED_BELOW",
    "NO_CLAIMS",
    "ClaimStatus",
    "Rates",
    "SupportLevel",
    "rates_of",
    "status_of",
]

DEFAULT_THRESHOLD = 0.6
"""From which confidence on a claim is supported where no threshold is given: that of MODERATE (ruling D2)."""

HALLUCINATED_BELOW = 0.4
"""A claim with less confidence has no evidence at all, unless the threshold is lower still (ruling D3)."""

NO_CLAIMS = "the persona claims nothing that can be checked"
"""The note of a result without a score (ruling D4)."""


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
        if confidence > 0.8:
            return cls.STRONG
        if confidence >= 0.6:
            return cls.MODERATE
        return cls.WEAK if confidence >= 0.4 else cls.UNSUPPORTED


class ClaimStatus(StrEnum):
    """What a claim counts as in the score."""

    SUPPORTED = "SUPPORTED"
    UNSUPPORTED = "UNSUPPORTED"


def status_of(confidence: float, *, threshold: float = DEFAULT_THRESHOLD, contradicted: bool = False) -> ClaimStatus:
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


def rates_of(claims: Iterable[tuple[float, bool]], *, threshold: float = DEFAULT_THRESHOLD) -> Rates:
    """
    Count *claims*, each its confidence and whether it is contradicted.

    Raises:
        TypeError: A score is no number.
        ValueError: One is not from 0 to 1, or NaN.
    """
    hallucinated_below = min(HALLUCINATED_BELOW, checked_share("threshold", threshold))
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
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, got {type(value).__name__}")
    share = float(value)
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"{name} must be from 0 to 1, got {share}")
    return share
