"""
Defines models that read a passage together with a claim, and calls them.

`FaithfulnessValidator`, `assess_citations` and `assess_quotes` take the same object as `reader`.
"""

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple, Protocol

from groundwire.errors import ModelError

if TYPE_CHECKING:
    from groundwire.language import SupportRow

__all__ = [
    "MAX_PASSAGES",
    "PAIR_THRESHOLD",
    "PairScorer",
    "ReaderScore",
    "consistencies_of",
    "is_vetoed",
    "read_best",
    "threshold_of",
]

MAX_PASSAGES = 4
"""Maximum number of passages, best first, that a model scores for one claim. Each takes one run of the model."""

PAIR_THRESHOLD = 0.5
"""The minimum score, 0.0 to 1.0, of a claim that follows, for a model without a `threshold` of its own: even odds."""


class PairScorer(Protocol):
    """
    A model that reads a passage and a claim, and scores how well the claim follows from the passage.

    It may have a `threshold`, the minimum score of a claim that follows; the default is 0.5.
    """

    @property
    def name(self) -> str:
        """Return name and version of the model: `NAME@HASH` for a model in a folder."""

    def consistencies(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        """Return a score from 0.0 to 1.0 for each (context, claim), in order."""


class ReaderScore(NamedTuple):
    """
    Holds a reader's score of one claim or quote.

    Attributes:
        model: Name and version of the model.
        threshold: Minimum score of a claim that follows.
        score: Best score of the passages that the model read, 0.0 to 1.0.
    """

    model: str
    threshold: float
    score: float


def threshold_of(scorer: PairScorer) -> float:
    """
    Return the minimum score of a claim that follows according to this model.

    Raises:
        ModelError: The threshold is not a number from 0 to 1.
    """
    threshold = getattr(scorer, "threshold", PAIR_THRESHOLD)
    if not isinstance(threshold, int | float) or not 0.0 <= threshold <= 1.0:
        raise ModelError("reader", "its threshold is not a number from 0 to 1")
    return float(threshold)


def consistencies_of(scorer: PairScorer, pairs: Sequence[tuple[str, str]], *, role: str) -> list[float]:
    """
    Return the scores of *pairs*; *role* names the model in errors.

    Raises:
        ModelError: The model raises, or returns anything but a number from 0 to 1 for each pair.
    """
    try:
        scores = [float(score) for score in scorer.consistencies(pairs)]
    except ModelError:
        raise
    except Exception as error:
        # The model's message may contain the texts.
        raise ModelError(role, f"it raised {type(error).__name__}") from None
    if len(scores) != len(pairs):
        raise ModelError(role, f"it returned {len(scores)} scores for {len(pairs)} pairs")
    if not all(isfinite(score) and 0.0 <= score <= 1.0 for score in scores):
        raise ModelError(role, "it returned a score that is not from 0 to 1")
    return scores


def read_best(scorer: PairScorer, asked: Sequence[tuple[str, Sequence[str]]]) -> list[ReaderScore | None]:
    """
    Return the best score of each claim over its passages; None for a claim without passages.

    All pairs are scored in one call, equal ones once.

    Args:
        scorer: The model.
        asked: Claims, each with the passages to read.

    Raises:
        ModelError: As `threshold_of` and `consistencies_of`.
    """
    threshold = threshold_of(scorer)
    pairs = list(dict.fromkeys((passage, claim) for claim, passages in asked for passage in passages))
    scores = dict(zip(pairs, consistencies_of(scorer, pairs, role="reader") if pairs else (), strict=True))
    return [
        ReaderScore(scorer.name, threshold, max(scores[passage, claim] for passage in passages)) if passages else None
        for claim, passages in asked
    ]


def is_vetoed(row: "SupportRow") -> bool:
    """
    Tell whether no model may find support for a claim in a passage, from the result of `ReadPassages.support`.

    This is the case if the passage contradicts the claim, lacks one of its names, numbers, dates or times, or has all
    of its words, but in other roles or negated.
    """
    (words, _, _, names_missing, numbers_missing, _), assessment = row
    if names_missing or numbers_missing:
        return True
    if assessment is None:
        return False
    status, _, contradiction = assessment[:3]
    return status == "contradicted" or contradiction is not None or (words >= 1.0 and status != "supported")
