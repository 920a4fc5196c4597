"""
Measures the quality of scores: AUROC, calibration error, balanced accuracy, and their gains over a baseline.

The 95 % interval of a gain comes from a bootstrap over documents, with a fixed seed.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BALANCED_AT",
    "BINS",
    "MEASURES",
    "Bin",
    "Bools",
    "Floats",
    "Gain",
    "Measures",
    "area_under_curve",
    "balanced_accuracy_at",
    "bins",
    "calibration_error",
    "even_weights",
    "gains_over_baseline",
    "has_gain",
    "measure",
]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_RESAMPLES = 1_000
_SEED = 2026

BALANCED_AT = 0.5
"""The threshold of balanced accuracy, a probability."""

BINS = 10
"""The number of bins, of equal width, of a calibration error."""

MEASURES = ("AUROC", "calibration error", f"balanced accuracy at {BALANCED_AT:g}")
"""The names of `Measures` in reports."""


def area_under_curve(scores: Floats, is_good: Bools) -> float:
    """Return the AUROC: the probability that a good case scores above another; NaN if all cases are of one kind."""
    good, bad = scores[is_good], np.sort(scores[~is_good])
    if not len(good) or not len(bad):
        return float("nan")
    below = np.searchsorted(bad, good, "left") + np.searchsorted(bad, good, "right")
    return float(below.sum() / 2 / len(good) / len(bad))


def balanced_accuracy_at(threshold: float, scores: Floats, is_good: Bools) -> float:
    """Return the mean of sensitivity and specificity at *threshold*; NaN if all cases are of one kind."""
    if is_good.all() or not is_good.any():
        return float("nan")
    predicted = scores >= threshold
    return float((predicted[is_good].mean() + (~predicted[~is_good]).mean()) / 2)


def even_weights(is_good: Bools) -> Floats:
    """Return weights with sum 1, half of it on good cases. Both kinds must be present."""
    good = is_good.sum()
    return np.asarray(np.where(is_good, 0.5 / good, 0.5 / (len(is_good) - good)))


class Bin(NamedTuple):
    """Cases with similar probabilities: their mean probability, the share of good cases, and their weight."""

    probability: float
    share: float
    weight: float


def bins(probabilities: Floats, is_good: Bools, weights: Floats) -> list[Bin]:
    """Return the bins that are not empty, by ascending probability."""
    index = np.minimum((probabilities * BINS).astype(int), BINS - 1)
    found = []
    for number in range(BINS):
        inside = index == number
        weight = float(weights[inside].sum())
        if weight:
            mean, share = (float((weights * column)[inside].sum() / weight) for column in (probabilities, is_good))
            found.append(Bin(mean, share, weight))
    return found


def calibration_error(found: Sequence[Bin]) -> float:
    """Return the mean distance between probability and share of good cases, weighted by bin."""
    return sum(each.weight * abs(each.probability - each.share) for each in found) / sum(each.weight for each in found)


class Measures(NamedTuple):
    """
    The quality of a score.

    Attributes:
        auroc: The probability that a supported claim scores above an unsupported one.
        calibration_error: The mean distance between score and share of supported claims, over `BINS` bins.
        balanced_accuracy: The mean of sensitivity and specificity at `BALANCED_AT`.
    """

    auroc: float
    calibration_error: float
    balanced_accuracy: float


class Gain(NamedTuple):
    """The improvement of the fitted score over its baseline, with its 95 % interval over documents."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:+.3f} ({self.low:+.3f} to {self.high:+.3f})"


def measure(scores: Floats, is_supported: Bools) -> Measures:
    """Return the measures of *scores*; NaN if all cases are of one kind."""
    if is_supported.all() or not is_supported.any():
        return Measures(*[float("nan")] * 3)
    return Measures(
        area_under_curve(scores, is_supported),
        calibration_error(bins(scores, is_supported, even_weights(is_supported))),
        balanced_accuracy_at(BALANCED_AT, scores, is_supported),
    )


def gains_over_baseline(
    baseline: Floats, fitted: Floats, is_supported: Bools, document: NDArray[np.int64]
) -> tuple[tuple[Gain, Gain, Gain], float]:
    """
    Return the gains of *fitted* over *baseline*, and the lower end of its AUROC.

    Args:
        baseline: The baseline's score of each claim.
        fitted: The fitted score of each claim.
        is_supported: Whether each claim is supported.
        document: The index of the document of each claim. The bootstrap draws documents.
    """
    order = np.argsort(document, kind="stable")
    members = np.split(order, np.flatnonzero(np.diff(document[order])) + 1)

    def values(claims: NDArray[np.int64]) -> tuple[float, float, float, float]:
        before, after = (measure(scores[claims], is_supported[claims]) for scores in (baseline, fitted))
        return (
            after.auroc - before.auroc,
            before.calibration_error - after.calibration_error,
            after.balanced_accuracy - before.balanced_accuracy,
            after.auroc,
        )

    random = np.random.default_rng(_SEED)
    drawn = [
        values(np.concatenate([members[at] for at in random.integers(len(members), size=len(members))]))
        for _ in range(_RESAMPLES)
    ]
    low, high = np.nanpercentile(np.asarray(drawn), [2.5, 97.5], axis=0).tolist()
    one, two, three, _ = (Gain(*each) for each in zip(values(order), low, high, strict=True))
    return (one, two, three), low[3]


def has_gain(gains: Sequence[Gain], auroc_from: float) -> bool:
    """Return whether a score ranks better than chance, with a gain in some measure and a loss in none."""
    return auroc_from > 0.5 and any(gain.low > 0.0 for gain in gains) and all(gain.high >= 0.0 for gain in gains)
