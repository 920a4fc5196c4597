"""
Fits a score of support on labelled claims or quotes and compares it with its baseline.

The baseline of claims is the shipped score; the baseline of quotes is the verdict, accepted or not. The fitted score is
measured by cross-validation over documents; the score that is returned is fitted on all claims.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Literal, NamedTuple

try:
    import numpy as np
    from numpy.typing import NDArray
except ImportError as error:
    raise ImportError("a score is fitted with numpy: pip install 'groundwire[numpy]'", name="numpy") from error

from groundwire._engine import Source
from groundwire.calibration.labels import LabelledClaim
from groundwire.calibration.measures import (
    MEASURES,
    Bools,
    Floats,
    Gain,
    Measures,
    gains_over_baseline,
    has_gain,
    measure,
)
from groundwire.calibration.regression import Model, Sample, fit_near
from groundwire.calibration.thresholds import Calibration, calibrate
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
    "FOLDS",
    "MIN_CLAIMS",
    "FitError",
    "SubjectWords",
    "SupportFit",
    "assign_folds",
    "fit_support",
    "subject_words",
]

MIN_CLAIMS = 50
"""The number of supported claims, and of unsupported claims, that a fit needs."""

FOLDS = 5
"""The number of folds of a cross-validation. Claims of each kind must come from as many documents."""

_DIGITS = 4


class SubjectWords(NamedTuple):
    """
    The words for a subject in results and reports.

    Attributes:
        noun: One of them.
        labels: The two labels, the positive first.
        baseline: The name of the baseline.
        key: The baseline as a JSON key.
        advice: The recommendation if the fitted score is no better.
    """

    noun: Literal["quote", "claim"]
    labels: tuple[str, str]
    baseline: str
    key: str
    advice: str


_WORDS: dict[ScoreSubject, SubjectWords] = {
    "claims": SubjectWords("claim", ("supported", "unsupported"), "shipped score", "shipped", "keep the shipped score"),
    "quotes": SubjectWords("quote", ("true", "false"), "verdict", "verdict", "rely on the verdicts alone"),
}
_PRIORS: dict[ScoreSubject, SupportScore] = {
    "claims": SupportScore.shipped(),
    "quotes": SupportScore("prior", 0.0, (0.0,) * len(QUOTE_FEATURES), subject="quotes"),
}


def subject_words(subject: ScoreSubject) -> SubjectWords:
    """Return the words for *subject*."""
    return _WORDS[subject]


class FitError(GroundwireError, ValueError):
    """There are too few labelled claims, or too few documents, to fit a score."""


class SupportFit(NamedTuple):
    """
    A fitted score and its comparison with its baseline.

    Attributes:
        score: The score, fitted on all claims.
        supported, unsupported, documents: The size of the labelled data; of quotes, the true and the false ones.
        baseline, fitted: The measures of both scores; those of the fitted one are cross-validated.
        gains: The gain in each measure, in the order of `Measures`; positive is better, also for the calibration error.
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
        Whether the score ranks claims better than chance, and the data shows a gain and no loss.

        A gain is shown if its whole interval is above 0, a loss if the whole interval is below. Without the condition
        on the ranking, a constant score of 0.5 could pass by its small calibration error.
        """
        return has_gain(self.gains, self.auroc_from)


def fit_support(
    claims: Sequence[LabelledClaim],
    *,
    name: str,
    subject: ScoreSubject = "claims",
    max_false_accept: float = 0.05,
    on_progress: Callable[[int], None] = lambda _: None,
) -> SupportFit:
    """
    Fit a score on *claims*. The same claims give the same score, in any order.

    Args:
        claims: Labelled claims or quotes, as `read_claims` returns them.
        name: The name of the score in reports.
        subject: Whether they are claims or quotes. Quotes are assessed by the default `QuotePolicy`.
        max_false_accept: The share of unsupported claims that the recommended threshold may accept, 0.0 to 1.0.
        on_progress: Called with the number of claims just read.

    Raises:
        FitError: There are too few claims of a kind, or too few documents with such claims.
        ValueError: *max_false_accept* is outside 0 to 1.
    """
    words = _WORDS[subject]
    supported, unsupported = (sum(each.is_supported is kind for each in claims) for kind in (True, False))
    if min(supported, unsupported) < MIN_CLAIMS:
        needed = " and ".join(f"{MIN_CLAIMS} {label}" for label in words.labels)
        raise FitError(f"needs at least {needed} {subject}, got {supported} and {unsupported}")
    # Sums of floats depend on their order.
    ordered = sorted(claims, key=_digest)
    rows = _Rows.read(ordered, on_progress, subject)
    baseline, fitted = columns = [rows.baseline(), _cross_validate(rows)]
    gains, auroc_from = gains_over_baseline(baseline, fitted, rows.is_supported, rows.document)
    data: dict[str, int | float | str | bool] = {
        **dict(zip(words.labels, (supported, unsupported), strict=True)),
        "documents": int(rows.document.max()) + 1,
        "sha256": sha256(b"".join(map(_digest, ordered))).hexdigest(),
        f"better than {words.key}": has_gain(gains, auroc_from),
    }
    if subject == "quotes":
        data["threshold"] = FUZZY_THRESHOLD
    data.update((f"gain, {measure}", str(gain)) for measure, gain in zip(MEASURES, gains, strict=True))
    measures = [measure(column, rows.is_supported) for column in columns]
    labels = rows.is_supported.tolist()
    errors = [
        calibrate(column.tolist(), labels, policy=policy, max_false_accept=max_false_accept, kind=words.noun)
        for policy, column in zip((words.baseline, "fitted score, cross-validated"), columns, strict=True)
    ]
    return SupportFit(
        replace(
            _to_score(fit_near(rows.sample(), rows.prior), name, subject),
            made_by="groundwire calibrate --fit",
            data=tuple(data.items()),
        ),
        supported,
        unsupported,
        int(rows.document.max()) + 1,
        measures[0],
        measures[1],
        gains,
        auroc_from,
        (errors[0], errors[1]),
    )


def _digest(claim: LabelledClaim) -> bytes:
    plain = [claim.claim, claim.is_supported, claim.passages, claim.document]
    return sha256(json.dumps(plain).encode()).digest()


class _Rows(NamedTuple):
    """
    The features of labelled claims or quotes.

    Attributes:
        subject: Which of the two.
        features: A row for each passage of each claim.
        claim: The index of the claim of each row.
        document: The index of the document of each claim.
        is_accepted: Whether the verdict accepts each quote; all false for claims.
    """

    subject: ScoreSubject
    features: Floats
    claim: NDArray[np.int64]
    is_supported: Bools
    document: NDArray[np.int64]
    is_accepted: Bools

    @classmethod
    def read(
        cls, claims: Sequence[LabelledClaim], on_progress: Callable[[int], None], subject: ScoreSubject = "claims"
    ) -> "_Rows":
        """Compare each claim with its passages. Each tuple of passages is read once."""
        documents = sorted({each.document for each in claims}, key=lambda name: sha256(name.encode()).digest())
        index_of = {name: index for index, name in enumerate(documents)}
        members: dict[tuple[str, ...], list[int]] = {}
        for index, each in enumerate(claims):
            members.setdefault(each.passages, []).append(index)
        found: list[list[tuple[float, ...]]] = [[]] * len(claims)
        is_accepted = np.zeros(len(claims), dtype=np.bool_)
        for passages, indexes in members.items():
            texts = [claims[at].claim for at in indexes]
            if subject == "claims":
                support = _claim_rows(texts, passages)
            else:
                support, is_accepted[indexes] = _quote_rows(texts, passages[0])
            for index, row in zip(indexes, support, strict=True):
                # Without anything to compare, no feature speaks for support.
                found[index] = row or [(0.0,) * len(FEATURES_OF[subject])]
            on_progress(len(indexes))
        return cls(
            subject,
            np.asarray([row for rows in found for row in rows]),
            np.repeat(np.arange(len(claims)), [len(rows) for rows in found]),
            np.asarray([each.is_supported for each in claims], dtype=np.bool_),
            np.asarray([index_of[each.document] for each in claims]),
            is_accepted,
        )

    @property
    def prior(self) -> SupportScore:
        """The score whose coefficients the fit starts from."""
        return _PRIORS[self.subject]

    def baseline(self) -> Floats:
        """Return the baseline: the shipped score of claims, 1.0 or 0.0 for the verdict on a quote."""
        return self.probabilities(self.prior) if self.subject == "claims" else self.is_accepted.astype(np.float64)

    def probabilities(self, score: SupportScore) -> Floats:
        """Return the probability of each claim: that of its best passage."""
        odds = self.features @ np.asarray(score.coefficients) + score.intercept
        best = np.full(len(self.is_supported), -np.inf)
        np.maximum.at(best, self.claim, odds)
        return np.asarray(1.0 / (1.0 + np.exp(-best)))

    def sample(self, kept: Bools | None = None) -> Sample:
        """Return the *kept* claims, each with its greatest row: the one that covers most of the claim's words."""
        order = np.lexsort((*self.features.T[::-1], self.claim))
        is_last = np.append(self.claim[order][1:] != self.claim[order][:-1], True)
        features = self.features[order[is_last]]
        chosen = np.ones(len(features), np.bool_) if kept is None else kept
        return Sample(features[chosen], self.is_supported[chosen])


def _claim_rows(claims: Sequence[str], passages: Sequence[str]) -> list[list[tuple[float, ...]]]:
    """Return the features of each passage for each claim."""
    support = read_passages(list(passages)).support([bare_claim_words(claim) for claim in claims])
    return [[features_of(each) for each in row if each is not None] for row in support]


def _quote_rows(quotes: Sequence[str], source: str) -> tuple[list[list[tuple[float, ...]]], list[bool]]:
    """Return the features of the verdict on each quote, and whether it accepts the quote."""
    verdicts = assess_quotes(quotes, Source(source, profile="typographic"))
    rows = [[] if (features := quote_features(verdict)) is None else [features] for verdict in verdicts]
    return rows, [verdict.accepted for verdict in verdicts]


def _cross_validate(rows: _Rows) -> Floats:
    """
    Return the probability of each claim by a score that was fitted on the documents of the other folds.

    Raises:
        FitError: The claims of one kind are in too few documents.
    """
    for kind, label in zip((True, False), _WORDS[rows.subject].labels, strict=True):
        count = len(np.unique(rows.document[rows.is_supported == kind]))
        if count < FOLDS:
            raise FitError(f"needs {label} {rows.subject} from at least {FOLDS} documents, got {count}")
    fold = assign_folds(rows.document, rows.is_supported)[rows.document]
    probabilities = np.zeros(len(fold))
    for number in range(FOLDS):
        score = _to_score(fit_near(rows.sample(fold != number), rows.prior), "fold", rows.subject)
        probabilities[fold == number] = rows.probabilities(score)[fold == number]
    return probabilities


def assign_folds(document: NDArray[np.int64], is_supported: Bools) -> NDArray[np.int64]:
    """
    Return the fold of each document, 0 to `FOLDS` - 1.

    The largest document is placed first; each goes to the fold with the fewest claims of the kinds that it has.

    Args:
        document: The index of the document of each claim.
        is_supported: Whether each claim is supported.
    """
    sizes = [np.bincount(document[is_supported == kind], minlength=int(document.max()) + 1) for kind in (True, False)]
    counts = np.stack(sizes, axis=1)
    shares = counts / counts.sum(axis=0)
    load = np.zeros((FOLDS, 2))
    folds = np.zeros(len(counts), dtype=np.int64)
    for index in np.argsort(-shares.sum(axis=1), kind="stable"):
        folds[index] = np.argmin(load @ shares[index] + load.sum(axis=1) * 1e-6)
        load[folds[index]] += shares[index]
    return folds


def _to_score(model: Model, name: str, subject: ScoreSubject) -> SupportScore:
    numbers = [model.intercept, *model.coefficients.values()]
    intercept, *coefficients = (round(min(max(each, -MAX_COEFFICIENT), MAX_COEFFICIENT), _DIGITS) for each in numbers)
    return SupportScore(name, intercept, tuple(coefficients), subject=subject)
