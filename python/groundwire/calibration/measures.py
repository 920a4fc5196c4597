"""How well a probability ranks what people labelled, and how far it is off."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BINS",
    "Bin",
    "Bools",
    "Floats",
    "area_under_curve",
    "balanced_accuracy_at",
    "bins",
    "calibration_error",
    "even_weights",
]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

BINS = 10


def area_under_curve(scores: Floats, is_good: Bools) -> float:
    """The probability that a good case scores above another one; a tie counts half; NaN with cases of one kind."""
    good, bad = scores[is_good], np.sort(scores[~is_good])
    if not len(good) or not len(bad):
        return float("nan")
    below = np.searchsorted(bad, good, "left") + np.searchsorted(bad, good, "right")
    return float(below.sum() / 2 / len(good) / len(bad))


def balanced_accuracy_at(threshold: float, scores: Floats, is_good: Bools) -> float:
    """The mean of the shares of good and of other cases on their side of *threshold*; NaN with cases of one kind."""
    if is_good.all() or not is_good.any():
        return float("nan")
    said = scores >= threshold
    return float((said[is_good].mean() + (~said[~is_good]).mean()) / 2)


def even_weights(is_good: Bools) -> Floats:
    """Weights that add up to 1, half of them for good cases. There must be cases of both kinds."""
    good = is_good.sum()
    return np.asarray(np.where(is_good, 0.5 / good, 0.5 / (len(is_good) - good)))


class Bin(NamedTuple):
    """Cases with a similar probability: its mean, the share that is good, and what they weigh."""

    probability: float
    share: float
    weight: float


def bins(probabilities: Floats, is_good: Bools, weights: Floats) -> list[Bin]:
    """Return ten bins of equal width, without the empty ones."""
    place = np.minimum((probabilities * BINS).astype(int), BINS - 1)
    found = []
    for number in range(BINS):
        inside = place == number
        weight = float(weights[inside].sum())
        if weight:
            mean, share = (float((weights * column)[inside].sum() / weight) for column in (probabilities, is_good))
            found.append(Bin(mean, share, weight))
    return found


def calibration_error(found: Sequence[Bin]) -> float:
    """How far probability and share are apart on average."""
    return sum(each.weight * abs(each.probability - each.share) for each in found) / sum(each.weight for each in found)
