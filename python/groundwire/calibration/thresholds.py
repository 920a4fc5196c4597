"""Counts the errors of a policy at each threshold and recommends a threshold."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import ceil, sqrt
from typing import Literal

from groundwire._engine import Source
from groundwire.calibration.labels import LabelledQuote
from groundwire.evidence import QuotePolicy, QuoteStatus, QuoteVerdict, assess_quotes

__all__ = [
    "POLICIES",
    "THRESHOLDS",
    "Calibration",
    "CalibrationStatus",
    "Point",
    "Rate",
    "calibrate",
    "score_quotes",
]

THRESHOLDS: Mapping[str, Sequence[float]] = {
    "quote": tuple(hundredths / 100 for hundredths in range(50, 101)),
    "claim": tuple(hundredths / 100 for hundredths in range(100)),
}
"""
Thresholds by kind of label, in ascending order.

For quotes from 0.50, the lowest that settings take (ruling A11), to 1.00. For claims from 0.00 to 0.99: at 1.00 only
identical texts would be left.
"""

_LOWEST = THRESHOLDS["quote"][0]

# 95 % of the standard normal distribution lies within this distance of 0.
_Z = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Rate:
    """
    A share of a sample.

    Attributes:
        count: The cases that were counted, 0 to *total*.
        total: The size of the sample; may be 0.
    """

    count: int
    total: int

    @property
    def share(self) -> float | None:
        """`count / total`; None if *total* is 0."""
        return self.count / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float]:
        """
        The 95 % interval of the true share, within 0.0 to 1.0; (0.0, 1.0) if *total* is 0.

        Source: Wilson 1927, "Probable inference, the law of succession, and statistical inference". Unlike the
        textbook interval, it is useful at 0 of 20 as well.
        """
        if self.total == 0:
            return 0.0, 1.0
        share = self.count / self.total
        shrink = 1 + _Z * _Z / self.total
        middle = (share + _Z * _Z / (2 * self.total)) / shrink
        half = _Z * sqrt(share * (1 - share) / self.total + _Z * _Z / (4 * self.total * self.total)) / shrink
        low = 0.0 if self.count == 0 else max(0.0, middle - half)
        high = 1.0 if self.count == self.total else min(1.0, middle + half)
        return low, high

    def __str__(self) -> str:
        if self.share is None:
            return "–"
        low, high = self.interval
        return f"{100 * self.share:.1f} % ({100 * low:.1f}–{100 * high:.1f}; {self.count}/{self.total})"


class CalibrationStatus(StrEnum):
    """The outcome of a calibration."""

    REACHED = "reached"
    """A threshold accepts few enough of the cases labelled false."""
    NOT_REACHED = "not_reached"
    """Even the highest threshold accepts too many."""
    NO_FALSE_QUOTES = "no_false_quotes"
    """No case is labelled false, so no threshold can be recommended."""


@dataclass(frozen=True, slots=True)
class Point:
    """
    The errors at one threshold.

    Attributes:
        threshold: The lowest score that is accepted.
        false_accepts: Accepted cases among those labelled false.
        false_rejects: Rejected cases among those labelled true.
    """

    threshold: float
    false_accepts: Rate
    false_rejects: Rate


@dataclass(frozen=True, slots=True)
class Calibration:
    """
    The errors of a policy at all thresholds.

    Attributes:
        policy: The name of the policy.
        max_false_accept: The allowed share of false accepts, 0.0 to 1.0.
        points: One for each threshold, in ascending order.
        outcome: Whether there is a recommendation.
        recommended: The lowest threshold whose false accepts are within the allowed share; None unless the outcome
            is "reached".
        kind: The kind of the labels: "quote" or "claim".
    """

    policy: str
    max_false_accept: float
    points: tuple[Point, ...]
    outcome: CalibrationStatus
    recommended: Point | None
    kind: Literal["quote", "claim"] = "quote"

    @property
    def is_shown(self) -> bool:
        """Whether the whole interval of the recommendation's false accepts is within the allowed share."""
        return self.recommended is not None and self.recommended.false_accepts.interval[1] <= self.max_false_accept

    @property
    def false_labels_needed(self) -> int | None:
        """
        The smallest sample of false labels, none of them accepted, whose 95 % interval is within the allowed share.

        None if the allowed share is 0, which no sample can show.
        """
        if self.max_false_accept == 0:
            return None
        return ceil(_Z * _Z * (1 - self.max_false_accept) / self.max_false_accept)


def calibrate(
    scores: Sequence[float],
    labels: Sequence[bool],
    *,
    policy: str,
    max_false_accept: float = 0.01,
    kind: Literal["quote", "claim"] = "quote",
) -> Calibration:
    """
    Count the errors at each threshold and recommend the lowest threshold that accepts few enough false cases.

    Args:
        scores: The highest threshold that accepts each case.
        labels: Whether each case is true.
        policy: The name of the policy that gave the scores.
        max_false_accept: The allowed share of false accepts, 0.0 to 1.0.
        kind: What is labelled; it selects the thresholds (`THRESHOLDS`).

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
        for threshold in THRESHOLDS[kind]
    )
    shares = ((point, point.false_accepts.share) for point in points)
    recommended = next((point for point, share in shares if share is not None and share <= max_false_accept), None)
    outcome = CalibrationStatus.REACHED if recommended else CalibrationStatus.NOT_REACHED
    if not false:
        outcome = CalibrationStatus.NO_FALSE_QUOTES
    return Calibration(policy, max_false_accept, points, outcome, recommended, kind)


def score_quotes(
    labelled: Sequence[LabelledQuote],
    policy: str,
    *,
    workers: int = 1,
    on_progress: Callable[[int], None] = lambda _: None,
) -> list[float]:
    """
    Return the highest threshold at which *policy* accepts each quote; 0.0 if it accepts the quote at none from 0.5.

    With policy "fuzzy" this is the score of the literal rule's fuzzy mode.

    Args:
        labelled: The quotes. Each different source is prepared once.
        policy: One of `POLICIES`.
        workers: The number of engine threads.
        on_progress: Called with the number of quotes just scored.

    Raises:
        ValueError: *policy* is unknown.
    """
    if policy not in _SCORERS:
        raise ValueError(f"policy must be one of {', '.join(POLICIES)}")
    by_source: dict[str, list[int]] = {}
    for index, each in enumerate(labelled):
        by_source.setdefault(each.source, []).append(index)
    scores = [0.0] * len(labelled)
    for source, members in by_source.items():
        found = _SCORERS[policy]([labelled[index].quote for index in members], source, workers)
        for index, score in zip(members, found, strict=True):
            scores[index] = score
        on_progress(len(members))
    return scores


def _fuzzy(quotes: Sequence[str], text: str, workers: int) -> list[float]:
    matches = Source(text).ground(quotes, mode="fuzzy", threshold=_LOWEST, workers=workers)
    return [0.0 if match is None else match.score for match in matches]


def _guarded(quotes: Sequence[str], text: str, _workers: int) -> list[float]:
    source = Source(text, profile="typographic")
    lowest, highest = (assess_quotes(quotes, source, policy=QuotePolicy(threshold=value)) for value in (_LOWEST, 1.0))
    return [1.0 if top.accepted else _highest_accepting(low) for low, top in zip(lowest, highest, strict=True)]


def _highest_accepting(verdict: QuoteVerdict) -> float:
    """Return the score of a verdict that depends on the threshold, 1.0 for other accepted ones, else 0.0."""
    if not verdict.accepted:
        return 0.0
    return verdict.match.score if verdict.match and verdict.status is QuoteStatus.NEAR else 1.0


_SCORERS: Mapping[str, Callable[[Sequence[str], str, int], list[float]]] = {"fuzzy": _fuzzy, "guarded": _guarded}

POLICIES = tuple(_SCORERS)
"""The names of the policies that can be calibrated."""
