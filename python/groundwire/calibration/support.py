"""
Fits a score of support to labelled claims or quotes, and measures whether it improves on its baseline.

The baseline of claims is the shipped score; the baseline of quotes is the verdict, accepted or not. Measures of the
fitted score are cross-validated: documents are split into five folds, and each fold is scored by a model of the other
four. The saved score is fitted on all claims or quotes.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from groundwire._engine import Source
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
from groundwire.evidence import assess_quotes
from groundwire.evidence.verdicts import quote_features
from groundwire.language import read_passages
from groundwire.support_score import (
    FEATURES_OF,
    MAX_COEFFICIENT,
    QUOTE_FEATURES,
    ScoreSubject,
    SupportScore,
    features_of,
)
from groundwire.thresholds import FUZZY_THRESHOLD

__all__ = [
    "BALANCED_AT",
    "FOLDS",
    "LEAST_CLAIMS",
    "MEASURES",
    "FitError",
    "Gain",
    "Measures",
    "SubjectWords",
    "SupportFit",
    "fit_support",
    "subject_words",
]

LEAST_CLAIMS = 50
"""The minimum number of claims or quotes of each label."""

FOLDS = 5
"""The parts of a cross-validation, and the minimum number of documents with claims of each label."""

BALANCED_AT = 0.5
"""The threshold of the balanced accuracy: scores are probabilities where both labels are equally frequent."""

MEASURES = ("AUROC", "calibration error", f"balanced accuracy at {BALANCED_AT:g}")
"""The names of `Measures` in reports."""

_RESAMPLES = 1_000
_SEED = 2026
_DIGITS = 4


class SubjectWords(NamedTuple):
    """
    The words for a subject in results and reports.

    Attributes:
        noun: One of them.
        labels: The two labels, the positive first.
        baseline: What the fitted score is compared with.
        key: The baseline as a JSON key.
    """

    noun: str
    labels: tuple[str, str]
    baseline: str
    key: str


_WORDS: dict[ScoreSubject, SubjectWords] = {
    "claims": SubjectWords("claim", ("supported", "unsupported"), "shipped score", "shipped"),
    "quotes": SubjectWords("quote", ("true", "false"), "verdict", "verdict"),
}
_PRIORS: dict[ScoreSubject, SupportScore] = {
    "claims": SupportScore.shipped(),
    "quotes": SupportScore("prior", 0.0, (0.0,) * len(QUOTE_FEATURES), subject="quotes"),
}


def subject_words(subject: ScoreSubject) -> SubjectWords:
    """Return the words for *subject*."""
    return _WORDS[subject]


class FitError(GroundwireError, ValueError):
    """The labelled claims or quotes are too few, or in too few documents, to fit a score on."""


class Measures(NamedTuple):
    """
    How good a score is.

    Attributes:
        auroc: The probability that a supported claim scores above an unsupported one.
        calibration_error: The mean difference between the score and the share of supported claims, over ten bins.
        balanced_accuracy: The mean of the shares of supported and of unsupported claims on their side of `BALANCED_AT`.
    """

    auroc: float
    calibration_error: float
    balanced_accuracy: float


class Gain(NamedTuple):
    """The improvement of the fitted score on its baseline, with its 95 % interval over documents."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:+.3f} ({self.low:+.3f} to {self.high:+.3f})"


class SupportFit(NamedTuple):
    """
    A fitted score and its measures.

    Attributes:
        score: The score, fitted on all claims or quotes.
        supported, unsupported, documents: Their numbers; of quotes, the true and the false ones.
        baseline, fitted: The measures of the baseline, and the cross-validated measures of the fitted score.
        gains: The gain in each measure, in their order; a lower calibration error is a gain.
        auroc_from: The lower end of the 95 % interval of the fitted score's AUROC.
        errors: The errors of the baseline and of the fitted score at each threshold.
    """

    score: SupportScore
    supported: int
    unsupported: int
    documents: int
    baseline: Measures
    fitted: Measures
    gains: tuple[Gain, Gain, Gain]
    auroc_from: float
    errors: tuple[Calibration, Calibration]

    @property
    def is_better(self) -> bool:
        """
        Whether the score ranks better than chance, with a significant gain and no significant loss.

        That is, the interval of at least one gain is above 0, and that of no gain is below. Ranking counts because a
        score of 0.5 for everything has a small calibration error and no use.
        """
        return _is_better(self.gains, self.auroc_from)


def fit_support(
    claims: Sequence[LabelledClaim],
    *,
    name: str,
    subject: ScoreSubject = "claims",
    max_false_accept: float = 0.05,
    on_progress: Callable[[int], None] = lambda _: None,
) -> SupportFit:
    """
    Fit a score to *claims*. The same claims give the same score, in any order.

    Args:
        claims: Labelled claims or quotes, as `read_claims` returns them.
        name: The name of the score in reports.
        subject: Whether they are claims or quotes. Quotes are assessed by the default `QuotePolicy`.
        max_false_accept: The share of unsupported claims that the recommended threshold may accept.
        on_progress: Called with the number of claims just read.

    Raises:
        FitError: There are too few claims of a label, or too few documents with them.
        ValueError: *max_false_accept* is outside 0 to 1.
    """
    words = _WORDS[subject]
    kinds = [sum(each.is_supported is kind for each in claims) for kind in (True, False)]
    if min(kinds) < LEAST_CLAIMS:
        least = " and ".join(f"{LEAST_CLAIMS} {label}" for label in words.labels)
        raise FitError(f"needs {least} {subject} or more, got {kinds[0]} and {kinds[1]}")
    # Sums of floats depend on their order.
    ordered = sorted(claims, key=_digest)
    documents = sorted({each.document for each in ordered}, key=lambda name: sha256(name.encode()).digest())
    places = {name: place for place, name in enumerate(documents)}
    read = _Read.of(ordered, [places[each.document] for each in ordered], on_progress, subject)
    columns = [read.baseline(), _cross_validated(read)]
    gains, auroc_from = _gains(read, columns)
    digest = sha256(b"".join(map(_digest, ordered))).hexdigest()
    data: dict[str, int | float | str | bool] = {
        **dict(zip(words.labels, kinds, strict=True)),
        "documents": len(documents),
        "sha256": digest,
        f"better than {words.key}": _is_better(gains, auroc_from),
    }
    if subject == "quotes":
        data["threshold"] = FUZZY_THRESHOLD
    data.update((f"gain, {called}", str(gain)) for called, gain in zip(MEASURES, gains, strict=True))
    score = replace(
        _score(fit_near(read.sample(), read.prior), name, subject),
        made_by="groundwire calibrate --fit",
        data=tuple(data.items()),
    )
    curves = [
        calibrate(
            column.tolist(),
            read.is_supported.tolist(),
            policy=called,
            max_false_accept=max_false_accept,
            what=words.noun,
            thresholds=COSINES,
        )
        for called, column in zip((words.baseline, "fitted score, cross-validated"), columns, strict=True)
    ]
    baseline, fitted = (_measures(column, read.is_supported) for column in columns)
    return SupportFit(
        score, kinds[0], kinds[1], len(documents), baseline, fitted, gains, auroc_from, (curves[0], curves[1])
    )


def _digest(claim: LabelledClaim) -> bytes:
    plain = [claim.claim, claim.is_supported, claim.passages, claim.document]
    return sha256(json.dumps(plain).encode()).digest()


class _Read(NamedTuple):
    """
    Claims or quotes with their features.

    Attributes:
        subject: Which of the two.
        features: The features of each passage of each claim.
        claim: The claim of each row of features.
        is_supported: The label of each claim.
        document: The document of each claim.
        is_accepted: Whether the verdict accepts each quote; all false for claims.
    """

    subject: ScoreSubject
    features: Floats
    claim: NDArray[np.int64]
    is_supported: Bools
    document: NDArray[np.int64]
    is_accepted: Bools

    @classmethod
    def of(
        cls,
        claims: Sequence[LabelledClaim],
        documents: Sequence[int],
        on_progress: Callable[[int], None],
        subject: ScoreSubject = "claims",
    ) -> "_Read":
        """Compare *claims* with their passages, each of which is read once."""
        members: dict[tuple[str, ...], list[int]] = {}
        for place, each in enumerate(claims):
            members.setdefault(each.passages, []).append(place)
        found: list[list[tuple[float, ...]]] = [[]] * len(claims)
        is_accepted = np.zeros(len(claims), dtype=np.bool_)
        for passages, own in members.items():
            texts = [claims[place].claim for place in own]
            if subject == "claims":
                rows = _claim_rows(texts, passages)
            else:
                rows, is_accepted[own] = _quote_rows(texts, passages)
            for place, row in zip(own, rows, strict=True):
                # Without a comparison, no feature speaks for support.
                found[place] = row or [(0.0,) * len(FEATURES_OF[subject])]
            on_progress(len(own))
        return cls(
            subject,
            np.asarray([row for rows in found for row in rows]),
            np.asarray([place for place, rows in enumerate(found) for _ in rows]),
            np.asarray([each.is_supported for each in claims], dtype=np.bool_),
            np.asarray(documents),
            is_accepted,
        )

    @property
    def prior(self) -> SupportScore:
        """The score whose coefficients the fit starts from."""
        return _PRIORS[self.subject]

    def baseline(self) -> Floats:
        """Return the scores of the baseline: the shipped score of claims, 1.0 or 0.0 for the verdict on a quote."""
        return self.probabilities(self.prior) if self.subject == "claims" else self.is_accepted.astype(np.float64)

    def probabilities(self, score: SupportScore) -> Floats:
        """Return the probability of the best passage of each claim."""
        odds = self.features @ np.asarray(score.coefficients) + score.intercept
        best = np.full(len(self.is_supported), -np.inf)
        np.maximum.at(best, self.claim, odds)
        return np.asarray(1.0 / (1.0 + np.exp(-best)))

    def sample(self, kept: Bools | None = None) -> Sample:
        """Return the passage with the most of each claim, of the claims that are *kept*."""
        order = np.lexsort((*self.features.T[::-1], self.claim))
        last = np.append(self.claim[order][1:] != self.claim[order][:-1], True)
        features = self.features[order[last]]
        chosen = np.ones(len(features), np.bool_) if kept is None else kept
        return Sample(features[chosen], self.is_supported[chosen])


def _claim_rows(claims: Sequence[str], passages: Sequence[str]) -> list[list[tuple[float, ...]]]:
    """Return the features of each passage for each claim."""
    rows = read_passages(list(passages)).support([bare_claim_words(claim) for claim in claims])
    return [[features_of(each) for each in row if each is not None] for row in rows]


def _quote_rows(quotes: Sequence[str], sources: Sequence[str]) -> tuple[list[list[tuple[float, ...]]], list[bool]]:
    """Return the features of the verdict on each quote of the one source, and whether it accepts the quote."""
    verdicts = assess_quotes(quotes, Source(sources[0], profile="typographic"))
    rows = [[] if (features := quote_features(verdict)) is None else [features] for verdict in verdicts]
    return rows, [verdict.accepted for verdict in verdicts]


def _cross_validated(read: _Read) -> Floats:
    """
    Return the score of each claim by a model that was fitted on the documents of the other folds.

    Raises:
        FitError: The claims of one label are in too few documents.
    """
    for kind, label in zip((True, False), _WORDS[read.subject].labels, strict=True):
        count = len(np.unique(read.document[read.is_supported == kind]))
        if count < FOLDS:
            raise FitError(f"needs {label} {read.subject} of {FOLDS} documents or more, got {count}")
    fold = _folds(read)[read.document]
    said = np.zeros(len(fold))
    for number in range(FOLDS):
        score = _score(fit_near(read.sample(fold != number), read.prior), "fold", read.subject)
        said[fold == number] = read.probabilities(score)[fold == number]
    return said


def _folds(read: _Read) -> NDArray[np.int64]:
    """Return the fold of each document: largest first, each into the fold with the fewest claims of its labels."""
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


def _score(model: Model, name: str, subject: ScoreSubject) -> SupportScore:
    numbers = [model.intercept, *model.coefficients.values()]
    intercept, *coefficients = (round(min(max(each, -MAX_COEFFICIENT), MAX_COEFFICIENT), _DIGITS) for each in numbers)
    return SupportScore(name, intercept, tuple(coefficients), subject=subject)


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
    Return the gains of the second column over the first, and the lower end of its AUROC's interval.

    The intervals are bootstrapped over documents.
    """
    order = np.argsort(read.document, kind="stable")
    members = np.split(order, np.flatnonzero(np.diff(read.document[order])) + 1)

    def values(claims: NDArray[np.int64]) -> tuple[float, float, float, float]:
        baseline, fitted = (_measures(column[claims], read.is_supported[claims]) for column in columns)
        return (
            fitted.auroc - baseline.auroc,
            baseline.calibration_error - fitted.calibration_error,
            fitted.balanced_accuracy - baseline.balanced_accuracy,
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
    """Yield the name of each measure, its values for the baseline and for the fitted score, and the gain."""
    yield from zip(MEASURES, fit.baseline, fit.fitted, fit.gains, strict=True)
