"""Hedges and citations of a batch of claims. Needs pyarrow."""

from collections.abc import Iterator
from typing import Any

import pyarrow

from groundwire.bulk.columns import LABELS, TEXT, Row, append, of_rows, texts
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
) -> Any:
    """
    Say of each claim of a batch, table or stream how it hedges and what it cites.

    Args:
        batch: Whatever has Arrow's interface for Python.
        claim: Name of the column with the claims.
        hedges, citations: What finds them; None for the default ones.

    Returns:
        The columns of *batch*, in pyarrow's form, and after them is_speculative (bool), action (string) and hedge_words
        (list of strings) as `HedgeResult` has them, citations (list of type, value, start and end) as `Citation`, and
        error (string): the text is null or not valid UTF-8. The others are null then.

    Raises:
        TypeError: *batch* has no such interface, or the column is of another type.
        ValueError: There is no such column, or one with the name of a result.
    """
    find_hedges = (HedgeDetector() if hedges is None else hedges).analyze
    find_citations = (CitationDetector() if citations is None else citations).detect

    def read(batch: Any) -> Iterator[Row]:
        for text, error in texts(batch, claim):
            if error is not None:
                yield {"error": error}
                continue
            hedged = find_hedges(text)
            yield {
                "is_speculative": hedged.is_speculative,
                "action": hedged.action.value,
                "hedge_words": hedged.hedge_words,
                "citations": [
                    {"type": str(cited.type), "value": cited.value, "start": cited.start, "end": cited.end}
                    for cited in find_citations(text)
                ],
            }

    return append(batch, _FIELDS, lambda batch: of_rows(_FIELDS, read(batch)))
