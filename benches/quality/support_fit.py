"""
A logistic model of support with an intercept for each set, and coefficients that all sets share.

Sets differ in how many claims are supported, how long they are and how strictly people judged. Without intercepts of
their own such differences between sets would be learnt as if they told support from its lack. In each set supported
and other claims weigh the same. A coefficient whose sign is the opposite of what its feature means is 0.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from ranking import Bools, Floats

from groundwire.citations.support import FEATURES

__all__ = ["Model", "Sample", "even_weights", "fit"]

PENALTY = 0.3
"""Of the squares of the coefficients of standardised features, in cases of a set of 1,000 that weigh 1,000 together."""
SET_WEIGHT = 1_000.0
_STEPS = 100
_SIGNS = dict.fromkeys(FEATURES, 1.0) | dict.fromkeys(("names", "numbers", "details", "contradicted"), -1.0)


class Sample(NamedTuple):
    """Claims of one set: a row of features each, and whether it is supported."""

    features: Floats
    is_supported: Bools


class Model(NamedTuple):
    """What is weighed, and the mean intercept of the sets."""

    intercept: float
    coefficients: dict[str, float]

    def log_odds(self, features: Floats) -> Floats:
        """The logarithm of the odds of each row of *features*."""
        weights = np.asarray([self.coefficients[name] for name in FEATURES])
        return np.asarray(features @ weights + self.intercept)


def even_weights(is_supported: Bools) -> Floats:
    """Weights that add up to 1, half of them for supported cases."""
    supported = is_supported.sum()
    return np.where(is_supported, 0.5 / supported, 0.5 / (len(is_supported) - supported))


def fit(samples: Mapping[str, Sample]) -> Model:
    """Return the model of *samples*, one for each set. The same samples give the same model."""
    sets = list(samples.values())
    features = np.concatenate([each.features for each in sets])
    number = np.concatenate([np.full(len(each.features), place) for place, each in enumerate(sets)])
    targets = np.concatenate([each.is_supported for each in sets]).astype(np.float64)
    weights = SET_WEIGHT * np.concatenate([even_weights(each.is_supported) for each in sets])
    within = np.concatenate([each.features - each.features.mean(axis=0) for each in sets])
    scale, mean = within.std(axis=0) + 1e-9, features.mean(axis=0)
    columns = np.hstack([np.eye(len(sets))[number], (features - mean) / scale])
    penalties = np.concatenate([np.full(len(sets), 1e-6), np.full(len(FEATURES), PENALTY * SET_WEIGHT)])
    signs = np.concatenate([np.zeros(len(sets)), [_SIGNS[name] for name in FEATURES]])
    solution = _signed(columns, targets, weights, penalties, signs)
    coefficients = solution[len(sets) :] / scale
    intercept = float(solution[: len(sets)].mean() - coefficients @ mean)
    return Model(intercept, dict(zip(FEATURES, coefficients.tolist(), strict=True)))


def _signed(columns: Floats, targets: Floats, weights: Floats, penalties: Floats, signs: Floats) -> Floats:
    """The solution without the columns that get a wrong sign, the worst left out first."""
    kept = np.arange(columns.shape[1])
    while True:
        found = _solution(columns[:, kept], targets, weights, penalties[kept])
        wrong: Sequence[float] = np.where(signs[kept] * found < 0.0, np.abs(found), 0.0).tolist()
        if not any(wrong):
            break
        kept = np.delete(kept, int(np.argmax(wrong)))
    solution = np.zeros(columns.shape[1])
    solution[kept] = found
    return solution


def _solution(columns: Floats, targets: Floats, weights: Floats, penalties: Floats) -> Floats:
    """Newton's method."""
    found = np.zeros(columns.shape[1])
    for _ in range(_STEPS):
        predicted = 1.0 / (1.0 + np.exp(-columns @ found))
        gradient = columns.T @ (weights * (predicted - targets)) + penalties * found
        curvature = (columns * (weights * predicted * (1.0 - predicted))[:, None]).T @ columns + np.diag(penalties)
        step = np.clip(np.linalg.solve(curvature, gradient), -2.0, 2.0)
        found -= step
        if np.abs(step).max() < 1e-9:
            break
    return found
