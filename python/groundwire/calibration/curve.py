"""Error rates against the threshold, and the threshold to take."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import ceil

from groundwire.calibration.rates import Rate, Z

__all__ = ["COSINES", "THRESHOLDS", "Calibration", "CalibrationStatus", "Point", "calibrate", "false_quotes_needed"]

THRESHOLDS = tuple(hundredths / 100 for hundredths in range(50, 101))
"""From 0.50 to 1.00 by a hundredth."""

COSINES = tuple(hundredths / 100 for hundredths in range(100))
"""From 0.00 to 0.99: at 1 only what is the same to the letter would be left."""


class CalibrationStatus(StrEnum):
    """What came out of a calibration."""

    REACHED = "reached"
    """A threshold accepts no more of the false quotes than is allowed."""
    NOT_REACHED = "not_reached"
    """Even the highest accepts more."""
    NO_FALSE_QUOTES = "no_false_quotes"
    """Nothing is labelled false, so nothing can be said."""


@dataclass(frozen=True, slots=True)
class Point:
    """
    The errors at a threshold.

    Attributes:
        threshold: Quotes that score as much or more are accepted.
        false_accepts: Accepted ones of those labelled false.
        false_rejects: Rejected ones of those labelled true.
    """

    threshold: float
    false_accepts: Rate
    false_rejects: Rate


@dataclass(frozen=True, slots=True)
class Calibration:
    """
    A policy's errors at all thresholds.

    Attributes:
        policy: Its name.
        what: What was labelled: "quote", or "claim".
        max_false_accept: The share of the false quotes that may be accepted, 0.0 to 1.0.
        points: One for each threshold.
        outcome: Whether there is a recommendation.
        recommended: The lowest threshold that accepts no more than is allowed of the false quotes
            here; None unless the outcome is "reached".
    """

    policy: str
    max_false_accept: float
    points: tuple[Point, ...]
    outcome: CalibrationStatus
    recommended: Point | None
    what: str = "quote"

    @property
    def is_shown(self) -> bool:
        """Whether the interval of the recommendation's false accepts lies within what is allowed, all of it."""
        return self.recommended is not None and self.recommended.false_accepts.interval[1] <= self.max_false_accept


def calibrate(
    scores: Sequence[float],
    labels: Sequence[bool],
    *,
    policy: str,
    max_false_accept: float = 0.01,
    what: str = "quote",
    thresholds: Sequence[float] = THRESHOLDS,
) -> Calibration:
    """
    Return the errors of accepting what scores at least a threshold, for all thresholds.

    Args:
        scores: For each quote the highest threshold that accepts it.
        labels: For each quote whether it is in its source.
        policy: The name of what gave the scores.
        max_false_accept: The share of the false quotes that may be accepted.
        what: What is labelled: "quote", or "claim".
        thresholds: In rising order.

    Raises:
        ValueError: *scores* and *labels* differ in length, or *max_false_accept* is outside 0 to 1.
    """
    if not 0.0 <= max_false_accept <= 1.0:
        raise ValueError(f"max_false_accept must be between 0 and 1, got {max_false_accept:g}")
    false = [score for score, label in zip(scores, labels, strict=True) if not label]
    true = [score for score, label in zip(scores, labels, strict=True) if label]
    points = tuple(
        Point(
            threshold,
            Rate(sum(score >= threshold for score in false), len(false)),
            Rate(sum(score < threshold for score in true), len(true)),
        )
        for threshold in thresholds
    )
    allowed = (point for point in points if point.false_accepts.count <= max_false_accept * len(false))
    recommended = next(allowed, None) if false else None
    outcome = (
        CalibrationStatus.REACHED
        if recommended
        else CalibrationStatus.NOT_REACHED
        if false
        else CalibrationStatus.NO_FALSE_QUOTES
    )
    return Calibration(policy, max_false_accept, points, outcome, recommended, what)


def false_quotes_needed(max_false_accept: float) -> int | None:
    """
    Return how many false quotes, none of them accepted, show a rate of at most *max_false_accept*.

    That is: with which the 95 % interval ends there. None for 0, which no sample shows.
    """
    if max_false_accept == 0:
        return None
    return ceil(Z * Z * (1 - max_false_accept) / max_false_accept)
