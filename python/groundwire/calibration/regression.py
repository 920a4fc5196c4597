"""
Fits a logistic regression on the features of `groundwire.support_score`.

Supported and unsupported claims of a set get the same total weight, so that a score is a probability where half of the
claims are supported. A coefficient whose sign contradicts the meaning of its feature is set to 0.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from groundwire.calibration.measures import Bools, Floats, even_weights
from groundwire.support_score import FEATURES, FEATURES_OF, QUOTE_FEATURES, SupportScore

__all__ = ["Model", "Sample", "fit", "fit_near"]

PENALTY = 0.3
"""The L2 penalty on coefficients of standardised features, for sets that have a total weight of 1,000 each."""

SET_WEIGHT = 1_000.0
"""The total weight of each set in `fit`, whatever its size."""

DEVIATION = 0.5
"""
The standard deviation of the normal prior around the shipped coefficients.

Coefficients move about as far when one of the public sets is left out (docs/figures/quality.md).
"""

QUOTE_DEVIATION = 2.5
"""The same for quotes, around 0: wide, because no shipped score tells where to start."""

_NEWTON_STEPS = 100
_INTERCEPT_PENALTY = 1e-6
_SIGNS = (
    dict.fromkeys((*FEATURES, *QUOTE_FEATURES), 1.0)
    | dict.fromkeys(("names", "numbers", "details", "contradicted", "changes", "flags"), -1.0)
    # An altered quote may be more or less likely right than one without a passage.
    | {"altered": 0.0}
)


class Sample(NamedTuple):
    """A set of claims: a row of features for each, and whether it is supported."""

    features: Floats
    is_supported: Bools


class Model(NamedTuple):
    """A fitted model: the mean intercept of its sets, and a coefficient for each feature."""

    intercept: float
    coefficients: dict[str, float]

    def log_odds(self, features: Floats) -> Floats:
        """Return the log odds of each row of *features*."""
        return np.asarray(features @ np.asarray([*self.coefficients.values()]) + self.intercept)


def fit(samples: Mapping[str, Sample]) -> Model:
    """
    Fit one model to several sets: an intercept for each set, and coefficients that all sets share.

    Sets differ in the share of supported claims, in length, and in how strictly people judged. Without intercepts of
    their own, the model would learn these differences as signs of support. The result is deterministic.
    """
    sets = list(samples.values())
    within = np.concatenate([each.features - each.features.mean(axis=0) for each in sets])
    penalties, centre = np.full(len(FEATURES), PENALTY * SET_WEIGHT), np.zeros(len(FEATURES))
    return _fit_sets(FEATURES, sets, [SET_WEIGHT] * len(sets), within.std(axis=0) + 1e-9, penalties, centre)


def fit_near(sample: Sample, prior: SupportScore) -> Model:
    """
    Fit a model to one set, with a normal prior around the coefficients of *prior*.

    The fewer claims there are, the nearer the coefficients stay. The intercept is free. The result is deterministic.
    """
    names = FEATURES_OF[prior.subject]
    penalties = np.full(len(names), (DEVIATION if prior.subject == "claims" else QUOTE_DEVIATION) ** -2)
    scale, centre = np.ones(len(names)), np.asarray(prior.coefficients)
    return _fit_sets(names, [sample], [float(len(sample.features))], scale, penalties, centre)


def _fit_sets(
    names: Sequence[str],
    sets: Sequence[Sample],
    weights: Sequence[float],
    scale: Floats,
    penalties: Floats,
    centre: Floats,
) -> Model:
    """Fit a model whose coefficients, for features divided by *scale*, are drawn to *centre* by *penalties*."""
    features = np.concatenate([each.features for each in sets])
    set_index = np.repeat(np.arange(len(sets)), [len(each.features) for each in sets])
    mean = features.mean(axis=0)
    regression = _Regression(
        np.hstack([np.eye(len(sets))[set_index], (features - mean) / scale]),
        np.concatenate([each.is_supported for each in sets]).astype(np.float64),
        np.concatenate([weight * even_weights(each.is_supported) for weight, each in zip(weights, sets, strict=True)]),
        np.concatenate([np.full(len(sets), _INTERCEPT_PENALTY), penalties]),
        np.concatenate([np.zeros(len(sets)), centre]),
    )
    solution = regression.solve_signed(np.concatenate([np.zeros(len(sets)), [_SIGNS[name] for name in names]]))
    coefficients = solution[len(sets) :] / scale
    intercept = float(solution[: len(sets)].mean() - coefficients @ mean)
    return Model(intercept, dict(zip(names, coefficients.tolist(), strict=True)))


class _Regression(NamedTuple):
    """A weighted logistic regression with a penalty on the distance of each coefficient from its centre."""

    columns: Floats
    targets: Floats
    weights: Floats
    penalties: Floats
    centre: Floats

    def solve_signed(self, signs: Floats) -> Floats:
        """Return the solution without the columns whose coefficients have a wrong sign, dropping the worst first."""
        kept = np.arange(self.columns.shape[1])
        while True:
            found = self._replace(
                columns=self.columns[:, kept], penalties=self.penalties[kept], centre=self.centre[kept]
            ).solve()
            wrong = np.where(signs[kept] * found < 0.0, np.abs(found), 0.0)
            if not wrong.any():
                break
            kept = np.delete(kept, int(np.argmax(wrong)))
        solution = np.zeros(self.columns.shape[1])
        solution[kept] = found
        return solution

    def solve(self) -> Floats:
        """Return the coefficients, by Newton's method."""
        found = self.centre.copy()
        for _ in range(_NEWTON_STEPS):
            predicted = 1.0 / (1.0 + np.exp(-self.columns @ found))
            gradient = self.columns.T @ (self.weights * (predicted - self.targets))
            gradient += self.penalties * (found - self.centre)
            curved = self.columns * (self.weights * predicted * (1.0 - predicted))[:, None]
            step = np.clip(np.linalg.solve(curved.T @ self.columns + np.diag(self.penalties), gradient), -2.0, 2.0)
            found -= step
            if np.abs(step).max() < 1e-9:
                break
        return found
