"""
The logistic model of support, fitted on labelled claims.

In each set supported and other claims weigh the same, so that a score is the probability where as many claims are
supported as not. A coefficient whose sign is the opposite of what its feature means is 0.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from groundwire.calibration.measures import Bools, Floats, even_weights
from groundwire.support_score import FEATURES, SupportScore

__all__ = ["Model", "Sample", "fit", "fit_near"]

PENALTY = 0.3
"""Of the squares of the coefficients of standardised features, in cases of a set of 1,000 that weigh 1,000 together."""

SET_WEIGHT = 1_000.0
"""What the cases of each of several sets weigh together, however many there are."""

DEVIATION = 0.5
"""
How far the coefficients of a task are expected from the shipped ones: the standard deviation of a normal prior.

It is about as far as the coefficients move when one of the public sets is left out (docs/figures/quality.md).
"""

_STEPS = 100
_FREE = 1e-6
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


def fit(samples: Mapping[str, Sample]) -> Model:
    """
    Return one model of several sets, with an intercept for each and coefficients that all share.

    Sets differ in how many claims are supported, how long they are and how strictly people judged. Without
    intercepts of their own such differences between sets would be learnt as if they told support from its lack.
    The same samples give the same model.
    """
    sets = list(samples.values())
    within = np.concatenate([each.features - each.features.mean(axis=0) for each in sets])
    penalties = np.full(len(FEATURES), PENALTY * SET_WEIGHT)
    return _fitted(sets, [SET_WEIGHT] * len(sets), within.std(axis=0) + 1e-9, penalties, np.zeros(len(FEATURES)))


def fit_near(sample: Sample, prior: SupportScore) -> Model:
    """
    Return the model of one set, drawn towards the coefficients of *prior*: the fewer claims, the nearer.

    The intercept is free. The same sample gives the same model.
    """
    penalties = np.full(len(FEATURES), DEVIATION**-2)
    scale = np.ones(len(FEATURES))
    return _fitted([sample], [float(len(sample.features))], scale, penalties, np.asarray(prior.coefficients))


def _fitted(
    sets: Sequence[Sample], weights: Sequence[float], scale: Floats, penalties: Floats, centre: Floats
) -> Model:
    """The model whose features, each divided by its *scale*, have coefficients near *centre*."""
    features = np.concatenate([each.features for each in sets])
    number = np.concatenate([np.full(len(each.features), place) for place, each in enumerate(sets)])
    targets = np.concatenate([each.is_supported for each in sets]).astype(np.float64)
    weighed = np.concatenate(
        [weight * even_weights(each.is_supported) for weight, each in zip(weights, sets, strict=True)]
    )
    mean = features.mean(axis=0)
    problem = _Problem(
        np.hstack([np.eye(len(sets))[number], (features - mean) / scale]),
        targets,
        weighed,
        np.concatenate([np.full(len(sets), _FREE), penalties]),
        np.concatenate([np.zeros(len(sets)), centre]),
    )
    solution = _signed(problem, np.concatenate([np.zeros(len(sets)), [_SIGNS[name] for name in FEATURES]]))
    coefficients = solution[len(sets) :] / scale
    intercept = float(solution[: len(sets)].mean() - coefficients @ mean)
    return Model(intercept, dict(zip(FEATURES, coefficients.tolist(), strict=True)))


class _Problem(NamedTuple):
    columns: Floats
    targets: Floats
    weights: Floats
    penalties: Floats
    centre: Floats

    def of(self, kept: NDArray[np.int64]) -> "_Problem":
        """The problem of some of the columns."""
        return self._replace(columns=self.columns[:, kept], penalties=self.penalties[kept], centre=self.centre[kept])

    def solution(self) -> Floats:
        """Newton's method."""
        found = self.centre.copy()
        for _ in range(_STEPS):
            predicted = 1.0 / (1.0 + np.exp(-self.columns @ found))
            gradient = self.columns.T @ (self.weights * (predicted - self.targets))
            gradient += self.penalties * (found - self.centre)
            curved = self.columns * (self.weights * predicted * (1.0 - predicted))[:, None]
            step = np.clip(np.linalg.solve(curved.T @ self.columns + np.diag(self.penalties), gradient), -2.0, 2.0)
            found -= step
            if np.abs(step).max() < 1e-9:
                break
        return found


def _signed(problem: _Problem, signs: Floats) -> Floats:
    """The solution without the columns that get a wrong sign, the worst left out first."""
    kept = np.arange(problem.columns.shape[1])
    while True:
        found = problem.of(kept).solution()
        wrong = np.where(signs[kept] * found < 0.0, np.abs(found), 0.0)
        if not wrong.any():
            break
        kept = np.delete(kept, int(np.argmax(wrong)))
    solution = np.zeros(problem.columns.shape[1])
    solution[kept] = found
    return solution
