"""How well a score ranks what people judged: areas, intervals, and the best cut of one half tried on the other."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from groundwire.calibration.measures import Bools, Floats, area_under_curve

__all__ = ["Area", "Ranking", "areas", "balanced_accuracy", "gain"]

RESAMPLES = 2_000
SEED = 2026


@dataclass(frozen=True, slots=True)
class Area:
    """An area under a curve, or a difference of two, with its 95 % interval; NaN where there is nothing to rank."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.low:.3f}–{self.high:.3f})"


@dataclass(frozen=True, slots=True)
class Ranking:
    """
    Cases that a score ranks.

    Attributes:
        is_good: What people said of each.
        groups: Which cases belong together, such as the answers to one question: they are
            drawn together, for they are not independent.
    """

    is_good: Bools
    groups: NDArray[np.int64]

    @classmethod
    def of(cls, is_good: Sequence[bool], groups: Sequence[int]) -> "Ranking":
        """Make one of plain lists."""
        return cls(np.asarray(is_good, dtype=np.bool_), np.asarray(groups, dtype=np.int64))

    def half(self, parity: int) -> Bools:
        """Which cases have a group with an even number (0), or an odd one (1)."""
        return np.asarray(self.groups % 2 == parity)


def areas(ranking: Ranking, scores: Sequence[float], keep: Bools | None = None) -> Area:
    """Return the area under the curve of *scores*, of the cases in *keep*."""
    return _resampled(ranking, [np.asarray(scores, dtype=np.float64)], [1.0], keep)


def gain(ranking: Ranking, scores: Sequence[float], others: Sequence[float], keep: Bools | None = None) -> Area:
    """Return by how much the area of *scores* is above that of *others*, drawn in pairs."""
    columns = [np.asarray(scores, dtype=np.float64), np.asarray(others, dtype=np.float64)]
    return _resampled(ranking, columns, [1.0, -1.0], keep)


def _resampled(ranking: Ranking, columns: list[Floats], signs: list[float], keep: Bools | None) -> Area:
    chosen = np.flatnonzero(np.ones(len(ranking.is_good), np.bool_) if keep is None else keep)
    members = [chosen[ranking.groups[chosen] == group] for group in np.unique(ranking.groups[chosen])]

    def value(cases: NDArray[np.int64]) -> float:
        good = ranking.is_good[cases]
        return sum(sign * area_under_curve(column[cases], good) for sign, column in zip(signs, columns, strict=True))

    random = np.random.default_rng(SEED)
    drawn = [
        value(np.concatenate([members[index] for index in random.integers(len(members), size=len(members))]))
        for _ in range(RESAMPLES)
    ]
    low, high = np.nanpercentile(drawn, [2.5, 97.5])
    return Area(value(chosen), float(low), float(high))


def balanced_accuracy(ranking: Ranking, scores: Sequence[float], keep: Bools | None = None) -> float:
    """
    Return the mean of the shares of good and of other cases in *keep* that a cut tells right.

    The cut is chosen on one half and tried on the other, both ways round.
    """
    column = np.asarray(scores, dtype=np.float64)
    kept = np.ones(len(column), np.bool_) if keep is None else keep
    tried = []
    for parity in (0, 1):
        chosen, rest = ranking.half(parity) & kept, ranking.half(1 - parity) & kept
        cuts = np.unique(column[chosen])
        best = max(cuts, key=lambda cut: _balance(column[chosen] >= cut, ranking.is_good[chosen]))
        tried.append(_balance(column[rest] >= best, ranking.is_good[rest]))
    return float(np.mean(tried))


def _balance(said: Bools, is_good: Bools) -> float:
    return float((said[is_good].mean() + (~said[~is_good]).mean()) / 2)
