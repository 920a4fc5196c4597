"""
The limits of the risk rules, and shares that are compared with them exactly.

`1 - 0.7 > 0.3` is true in floats (ruling B4), so a share is two integers here, and a
limit is the decimal number that was written.
"""

from dataclasses import dataclass, fields
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from groundwire.settings import RiskSettings

    QuestionType: TypeAlias = Literal["factual", "open"]
    SourceQuality: TypeAlias = Literal["poor", "ordinary", "good"]

__all__ = ["FORCED_ACCEPT_WITHIN_PRINTED", "SCALE", "RiskThresholds", "Share"]

SCALE = 10**12
"""Limits, and the scores of judges, have this many parts: 12 digits, as reported floats have (ruling B4)."""

FORCED_ACCEPT_WITHIN_PRINTED = 3
"""`iteration >= max_iterations - 3`, "接近迭代限制時" (ruling B13)."""

_QUESTION_TYPES = ("factual", "open")
_SOURCE_QUALITIES = ("poor", "ordinary", "good")


class Share(NamedTuple):
    """*part* of *whole*, exactly; *whole* is positive."""

    part: int
    whole: int

    @classmethod
    def of(cls, value: float) -> "Share":
        """Return a float from 0 to 1 as the decimal number of 12 digits that it stands for."""
        return cls(round(value * SCALE), SCALE)

    def is_above(self, limit: float) -> bool:
        """Tell whether it is more than *limit*."""
        return self.part * SCALE > round(limit * SCALE) * self.whole

    def is_below(self, limit: float) -> bool:
        """Tell whether it is less than *limit*."""
        return self.part * SCALE < round(limit * SCALE) * self.whole

    def rounded(self) -> float:
        """Return it as a float of 12 digits (ruling B4)."""
        return round(self.part / self.whole, 12)


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskThresholds:
    """
    Where the bands of risk begin. The defaults are the printed ones.

    Attributes:
        moderate_above: A score above it is a moderate risk, 0.0 to 1.0; also the judge's.
        high_above: A score above it is a high one.
        high_uncited: So many long claims without a citation are a high risk; fewer, and
            at least one, a moderate one.
        high_share_below: A share of citations below it is a high risk, 0.0 to 1.0,
        high_share_claims: if there are at least so many claims.
        low_share_from: The least share of citations of a low risk, 0.0 to 1.0.
        confidence_from: The least confidence of a judge whose low risk is believed, 0.0
            to 1.0 (ruling B11).
        weak_from: The least support of a claim that its source supports in part, 0.0 to 1.0:
            99 of 100 passages on other matters have less of a claim.
        forced_accept_within: With so many iterations left, or fewer, an answer is accepted
            whatever its risk; 0 is the last iteration alone (ruling B13). The policy
            "spec" takes 3, as printed.

    Raises:
        ValueError: A number is out of its range, or the bands are not in order.
        TypeError: A value is no number.
    """

    moderate_above: float = 0.3
    high_above: float = 0.6
    high_uncited: int = 3
    high_share_below: float = 0.3
    high_share_claims: int = 3
    low_share_from: float = 0.7
    confidence_from: float = 0.5
    weak_from: float = 0.15
    forced_accept_within: int = 0

    @classmethod
    def of(
        cls,
        settings: "RiskSettings | None",
        *,
        question_type: "QuestionType" = "factual",
        source_quality: "SourceQuality" = "ordinary",
    ) -> "RiskThresholds":
        """
        Return what *settings* say for a type of question and a quality of sources; None says what is printed.

        The shift for the quality moves both bands, and neither below 0 or above 1.

        Raises:
            ValueError: There is no such type or quality.
        """
        _known("question_type", question_type, _QUESTION_TYPES)
        _known("source_quality", source_quality, _SOURCE_QUALITIES)
        if settings is None:
            return cls()
        bands = {
            "factual": (settings.citation_risk_factual_moderate_above, settings.citation_risk_factual_high_above),
            "open": (settings.citation_risk_open_moderate_above, settings.citation_risk_open_high_above),
        }
        shifts = {
            "poor": settings.citation_risk_poor_sources_shift,
            "ordinary": 0.0,
            "good": settings.citation_risk_good_sources_shift,
        }
        shift = shifts[source_quality]
        # Rounded, so that 0.3 - 0.1 is 0.2 (ruling B4).
        moderate, high = (round(min(max(band + shift, 0.0), 1.0), 12) for band in bands[question_type])
        return cls(
            moderate_above=moderate,
            high_above=high,
            confidence_from=settings.citation_risk_confidence_from,
            forced_accept_within=settings.citation_risk_forced_accept_within,
        )

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.type is int:
                _check_count(field.name, value, least=0 if field.name == "forced_accept_within" else 1)
            else:
                _check_share(field.name, value)
        if self.moderate_above > self.high_above:
            got = f"{self.moderate_above} and {self.high_above}"
            raise ValueError(f"moderate_above must be at most high_above, got {got}")


def _known(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}")


def _check_count(name: str, value: object, *, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} must be an int, got {type(value).__name__}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}, got {value}")


def _check_share(name: str, value: object) -> None:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError(f"{name} must be a number, got {type(value).__name__}")
    if not 0.0 <= value <= 1.0:
        raise ValueError(f"{name} must be from 0 to 1, got {value}")
