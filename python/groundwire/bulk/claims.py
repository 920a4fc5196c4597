"""Hedges and citations of a batch of claims. Needs pyarrow."""

from collections.abc import Callable, Iterator
from typing import Any

import pyarrow

from groundwire._engine import read_claims
from groundwire.bulk.columns import LABELS, TEXT, append
from groundwire.ingestion import CitationDetector, HedgeDetector

__all__ = ["claims_batch"]

_CITATION = pyarrow.struct(
    [("type", TEXT), ("value", TEXT), ("start", pyarrow.int64()), ("end", pyarrow.int64())],
)
_FIELDS = (
    ("is_speculative", pyarrow.bool_()),
    ("action", TEXT),
    ("hedge_words", LABELS),
    ("citations", pyarrow.list_(_CITATION)),
    ("error", TEXT),
)


def claims_batch(
    batch: Any,
    *,
    claim: str = "claim",
    hedges: HedgeDetector | None = None,
    citations: CitationDetector | None = None,
    workers: int = 1,
) -> Any:
    """
    Say of each claim of a batch, table or stream how it hedges and what it cites.

    Args:
        batch: Whatever has Arrow's interface for Python.
        claim: Name of the column with the claims.
        hedges, citations: What finds them; None for the default ones.
        workers: Threads to use at most for what the engine reads: phrases that may be hedges, and the citations of
            the policy "guarded". What stands beside a phrase is looked at in Python, row by row.

    Returns:
        The columns of *batch*, in pyarrow's form, and after them is_speculative (bool), action (string) and hedge_words
        (list of strings) as `HedgeResult` has them, citations (list of type, value, start and end) as `Citation`, and
        error (string): the text is null or not valid UTF-8. The others are null then.

    Raises:
        TypeError: *batch* has no such interface, or the column is of another type.
        ValueError: There is no such column, or one with the name of a result.
    """
    hedges = HedgeDetector() if hedges is None else hedges
    citations = CitationDetector() if citations is None else citations
    # Whoever inherits from a detector may have rules that the engine does not know.
    patterns = hedges.patterns if type(hedges) is HedgeDetector else None
    is_known = type(citations) is CitationDetector and citations.policy == "guarded"
    judge, find = _hedges_of(hedges), None if is_known else _citations_of(citations)

    def read(batch: Any) -> list[Any]:
        made = read_claims(batch, judge, claim=claim, patterns=patterns, citations=find, workers=workers)
        columns: list[Any] = pyarrow.record_batch(made).columns
        return columns

    return append(batch, _FIELDS, read)


def _hedges_of(
    detector: HedgeDetector,
) -> Callable[[str, list[tuple[int, int, int]] | None], tuple[bool, str, list[str]]]:
    """Return what says of a claim whether it is speculative, what follows, and by which words."""

    def judge(text: str, found: list[tuple[int, int, int]] | None) -> tuple[bool, str, list[str]]:
        if found is None:
            hedged = detector.analyze(text)
            return hedged.is_speculative, hedged.action.value, hedged.hedge_words
        action, words = detector.analyze_plain(text, found)
        return bool(words), action.value, words

    return judge


def _citations_of(detector: CitationDetector) -> Callable[[str], Iterator[tuple[str, str, int, int]]]:
    """Return what finds the citations of a claim."""
    return lambda text: ((str(one.type), one.value, one.start, one.end) for one in detector.detect(text))
