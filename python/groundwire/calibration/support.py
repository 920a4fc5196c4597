"""
A score of support for one's own task: fitted on labelled claims, and compared with the shipped one.

What is said of the fitted score is said of claims that it was not fitted on: the documents are parted into five folds,
and the claims of each fold are scored by a model of the others. What is saved is fitted on all claims.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from groundwire.calibration.claims import LabelledClaim
from groundwire.calibration.curve import COSINES, Calibration, calibrate
from groundwire.calibration.logistic import Model, Sample, fit_near
from groundwire.calibration.measures import (
    Bools,
    Floats,
    area_under_curve,
    balanced_accuracy_at,
    bins,
    calibration_error,
    even_weights,
)
from groundwire.citations.parser import bare_claim_words
from groundwire.errors import GroundwireError
from groundwire.language import read_passages
from groundwire.support_score import FEATURES, MAX_COEFFICIENT, SupportScore, features_of

__all__ = [
    "BALANCED_AT",
    "FOLDS",
    "LEAST_CLAIMS",
    "MEASURES",
    "FitError",
    "Gain",
    "Measures",
    "SupportFit",
    "fit_support",
]

LEAST_CLAIMS = 50
"""With fewer supported claims, or fewer others, nothing is fitted."""

FOLDS = 5
"""Parts of a cross-validation; there must be as many documents with claims of either kind."""

BALANCED_AT = 0.5
"""Balanced accuracy is that of this threshold: scores are probabilities where as many claims are supported as not."""

MEASURES = ("AUROC", "calibration error", f"balanced accuracy at {BALANCED_AT:g}")
"""What people call `Measures`."""

_RESAMPLES = 1_000
_SEED = 2026
_DIGITS = 4


class FitError(GroundwireError, ValueError):
    """The labelled claims are too few, or in too few documents, to fit a score on."""


class Measures(NamedTuple):
    """
    How good a score is.

    Attributes:
        auroc: The probability that a supported claim scores above another one.
        calibration_error: How far score and share of supported claims are apart on average, over ten bins.
        balanced_accuracy: The mean of the shares of supported and of other claims that `BALANCED_AT` tells right.
    """

    auroc: float
    calibration_error: float
    balanced_accuracy: float


class Gain(NamedTuple):
    """By how much the fitted score is better than the shipped one, with its 95 % interval over documents."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:+.3f} ({self.low:+.3f} to {self.high:+.3f})"


class SupportFit(NamedTuple):
    """
    A fitted score, and what it is worth.

    Attributes:
        score: It, fitted on all claims.
        supported, unsupported, documents: How many there were.
        shipped, fitted: How good either is; the fitted one on claims that it was not fitted on.
        gains: The gain in each of the measures, in their order; of the calibration error it is by how much that fell.
        auroc_from: Where the 95 % interval of the fitted score's AUROC begins.
        errors: The errors of the shipped and of the fitted score over the threshold.
    """

    score: SupportScore
    supported: int
    unsupported: int
    documents: int
    shipped: Measures
    fitted: Measures
    gains: tuple[Gain, Gain, Gain]
    auroc_from: float
    errors: tuple[Calibration, Calibration]

    @property
    def is_better(self) -> bool:
        """
        Whether it ranks claims better than chance, and a gain is shown and no loss.

        That is: some gain's whole interval is above 0, and no other's below.

        A score that says 0.5 of everything is off by little, and worth nothing.
        """
        return _is_better(self.gains, self.auroc_from)


def fit_support(
    claims: Sequence[LabelledClaim],
    *,
    name: str,
    max_false_accept: float = 0.05,
    on_progress: Callable[[int], None] = lambda _: None,
) -> SupportFit:
    """
    Fit a score on *claims*. The same claims give the same score, in any order.

    Args:
        claims: They, as `read_claims` returns them.
        name: What reports call the score.
        max_false_accept: The share of the unsupported claims that the recommended threshold may accept.
        on_progress: Called with the number of claims just read.

    Raises:
        FitError: There are too few claims of a kind, or too few documents with them.
        ValueError: *max_false_accept* is outside 0 to 1.
    """
    kinds = [sum(each.is_supported is kind for each in claims) for kind in (True, False)]
    if min(kinds) < LEAST_CLAIMS:
        least = f"needs {LEAST_CLAIMS} supported and {LEAST_CLAIMS} unsupported claims or more"
        raise FitError(f"{least}, got {kinds[0]} and {kinds[1]}")
    # Sums of floats depend on their order.
    ordered = sorted(claims, key=_digest)
    documents = sorted({each.document for each in ordered}, key=lambda name: sha256(name.encode()).digest())
    places = {name: place for place, name in enumerate(documents)}
    read = _Read.of(ordered, [places[each.document] for each in ordered], on_progress)
    columns = [read.probabilities(SupportScore.shipped()), _cross_validated(read)]
    gains, auroc_from = _gains(read, columns)
    score = _score(fit_near(read.sample(), SupportScore.shipped()), name)
    digest = sha256(b"".join(map(_digest, ordered))).hexdigest()
    data: dict[str, int | float | str | bool] = {
        "supported": kinds[0],
        "unsupported": kinds[1],
        "documents": len(documents),
        "sha256": digest,
        "better than shipped": _is_better(gains, auroc_from),
    }
    data.update((f"gain, {called}", str(gain)) for called, gain in zip(MEASURES, gains, strict=True))
    score = SupportScore(
        score.name, score.intercept, score.coefficients, "groundwire calibrate --fit", tuple(data.items())
    )
    curves = [
        calibrate(
            column.tolist(),
            read.is_supported.tolist(),
            policy=called,
            max_false_accept=max_false_accept,
            what="claim",
            thresholds=COSINES,
        )
        for called, column in zip(("shipped score", "fitted score, cross-validated"), columns, strict=True)
    ]
    shipped, fitted = (_measures(column, read.is_supported) for column in columns)
    return SupportFit(
        score, kinds[0], kinds[1], len(documents), shipped, fitted, gains, auroc_from, (curves[0], curves[1])
    )


def _digest(claim: LabelledClaim) -> bytes:
    plain = [claim.claim, claim.is_supported, claim.passages, claim.document]
    return sha256(json.dumps(plain).encode()).digest()


class _Read(NamedTuple):
    """
    Claims, read.

    Attributes:
        features: Of each passage of each claim.
        claim: The claim of each of these rows.
        document: The document of each claim.
    """

    features: Floats
    claim: NDArray[np.int64]
    is_supported: Bools
    document: NDArray[np.int64]

    @classmethod
    def of(
        cls, claims: Sequence[LabelledClaim], documents: Sequence[int], on_progress: Callable[[int], None]
    ) -> "_Read":
        """Compare *claims* with their passages, each of which is read once."""
        members: dict[tuple[str, ...], list[int]] = {}
        for place, each in enumerate(claims):
            members.setdefault(each.passages, []).append(place)
        found: list[list[tuple[float, ...]]] = [[]] * len(claims)
        for passages, own in members.items():
            rows = read_passages(list(passages)).support([bare_claim_words(claims[place].claim) for place in own])
            for place, row in zip(own, rows, strict=True):
                # Where there is nothing to compare, nothing speaks for support.
                found[place] = [features_of(each) for each in row if each is not None] or [(0.0,) * len(FEATURES)]
            on_progress(len(own))
        return cls(
            np.asarray([row for rows in found for row in rows]),
            np.asarray([place for place, rows in enumerate(found) for _ in rows]),
            np.asarray([each.is_supported for each in claims], dtype=np.bool_),
            np.asarray(documents),
        )

    def probabilities(self, score: SupportScore) -> Floats:
        """What *score* says of each claim: the probability of its best passage."""
        odds = self.features @ np.asarray(score.coefficients) + score.intercept
        best = np.full(len(self.is_supported), -np.inf)
        np.maximum.at(best, self.claim, odds)
        return np.asarray(1.0 / (1.0 + np.exp(-best)))

    def sample(self, kept: Bools | None = None) -> Sample:
        """The passage that has most of each claim, of those that are *kept*."""
        order = np.lexsort((*self.features.T[::-1], self.claim))
        last = np.append(self.claim[order][1:] != self.claim[order][:-1], True)
        features = self.features[order[last]]
        chosen = np.ones(len(features), np.bool_) if kept is None else kept
        return Sample(features[chosen], self.is_supported[chosen])


def _cross_validated(read: _Read) -> Floats:
    """
    What a score says of each claim that was fitted on the documents of the other folds.

    Raises:
        FitError: The claims of one kind are in too few documents.
    """
    for kind, words in ((True, "supported"), (False, "unsupported")):
        count = len(np.unique(read.document[read.is_supported == kind]))
        if count < FOLDS:
            raise FitError(f"needs {words} claims of {FOLDS} documents or more, got {count}")
    fold = _folds(read)[read.document]
    said = np.zeros(len(fold))
    for number in range(FOLDS):
        score = _score(fit_near(read.sample(fold != number), SupportScore.shipped()), "fold")
        said[fold == number] = read.probabilities(score)[fold == number]
    return said


def _folds(read: _Read) -> NDArray[np.int64]:
    """The fold of each document: the largest first, each where fewest claims of the kinds that it has are."""
    sizes = [
        np.bincount(read.document[read.is_supported == kind], minlength=int(read.document.max()) + 1)
        for kind in (True, False)
    ]
    counts = np.stack(sizes, axis=1)
    shares = counts / counts.sum(axis=0)
    load = np.zeros((FOLDS, 2))
    folds = np.zeros(len(counts), dtype=np.int64)
    for place in np.argsort(-shares.sum(axis=1), kind="stable"):
        folds[place] = np.argmin(load @ shares[place] + load.sum(axis=1) * 1e-6)
        load[folds[place]] += shares[place]
    return folds


def _score(model: Model, name: str) -> SupportScore:
    numbers = [model.intercept, *(model.coefficients[name] for name in FEATURES)]
    intercept, *coefficients = (round(min(max(each, -MAX_COEFFICIENT), MAX_COEFFICIENT), _DIGITS) for each in numbers)
    return SupportScore(name, intercept, tuple(coefficients))


def _measures(scores: Floats, is_supported: Bools) -> Measures:
    if is_supported.all() or not is_supported.any():
        return Measures(*[float("nan")] * 3)
    return Measures(
        area_under_curve(scores, is_supported),
        calibration_error(bins(scores, is_supported, even_weights(is_supported))),
        balanced_accuracy_at(BALANCED_AT, scores, is_supported),
    )


def _gains(read: _Read, columns: Sequence[Floats]) -> tuple[tuple[Gain, Gain, Gain], float]:
    """
    How much better the second column is, and from where on its AUROC may be.

    For the intervals documents are drawn with replacement.
    """
    order = np.argsort(read.document, kind="stable")
    members = np.split(order, np.flatnonzero(np.diff(read.document[order])) + 1)

    def values(claims: NDArray[np.int64]) -> tuple[float, float, float, float]:
        shipped, fitted = (_measures(column[claims], read.is_supported[claims]) for column in columns)
        return (
            fitted.auroc - shipped.auroc,
            shipped.calibration_error - fitted.calibration_error,
            fitted.balanced_accuracy - shipped.balanced_accuracy,
            fitted.auroc,
        )

    random = np.random.default_rng(_SEED)
    drawn = [
        values(np.concatenate([members[place] for place in random.integers(len(members), size=len(members))]))
        for _ in range(_RESAMPLES)
    ]
    low, high = np.nanpercentile(np.asarray(drawn), [2.5, 97.5], axis=0).tolist()
    one, two, three, _ = (Gain(*each) for each in zip(values(order), low, high, strict=True))
    return (one, two, three), low[3]


def _is_better(gains: Sequence[Gain], auroc_from: float) -> bool:
    return auroc_from > 0.5 and any(gain.low > 0.0 for gain in gains) and all(gain.high >= 0.0 for gain in gains)


def rows_of(fit: SupportFit) -> Iterator[tuple[str, float, float, Gain]]:
    """Yield for each measure what it is called, what it is of the shipped and of the fitted score, and the gain."""
    yield from zip(MEASURES, fit.shipped, fit.fitted, fit.gains, strict=True)
