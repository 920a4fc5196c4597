"""Which texts of a batch are nearly the same."""

from typing import Any, Literal

from groundwire._engine import Deduplicator, JaccardIndex
from groundwire.bulk.batches import like

__all__ = ["dedup_batch"]


def dedup_batch(
    batch: Any,
    *,
    text: str = "text",
    threshold: float = 0.92,
    tokens: Literal["unicode", "spec"] = "unicode",
    index: JaccardIndex | None = None,
    workers: int = 1,
) -> Any:
    """
    Say of each text of a batch, table or stream which earlier one it nearly repeats.

    Texts are compared as sets of words, exactly, by Jaccard similarity: all with all, or with an index.

    Args:
        batch: Whatever has Arrow's interface for Python.
        text: Name of the column with the texts.
        threshold: The least similarity of duplicates, above 0 and up to 1; compared as the decimal number that it
            is written as.
        tokens: What words are, as for `JaccardIndex`.
        index: What the texts are compared with instead of each other; it stays as it is. Its own tokens count.
        workers: Threads to use at most, with an index. Without one, each text waits for those before it.

    Returns:
        What *batch* is of pyarrow's classes, or else an object with Arrow's interface. The columns of *batch*, and
        after them:

        - is_duplicate (bool), null where there is an error: such a row is neither new nor a copy
        - duplicate_of (int64), the most similar one, of equals the first: the row, counted from 0 through all batches
          of a table or stream, or its number in *index*
        - similarity (float64), 0 to 1
        - error (string): the text is null or not valid UTF-8

    Raises:
        TypeError: *batch* has no such interface, or the column is of another type.
        ValueError: There is no such column, or one with the name of a result; or *threshold* is out of its range.
    """
    marker = Deduplicator(text=text, threshold=threshold, tokens=tokens, index=index, workers=workers)
    return like(batch, marker.mark(batch))
