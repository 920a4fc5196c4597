"""Which texts of a batch are nearly the same. Needs pyarrow."""

from collections.abc import Iterator
from typing import Any, Literal

import pyarrow

from groundwire._engine import JaccardIndex
from groundwire.bulk.columns import TEXT, Row, append, texts

__all__ = ["dedup_batch"]

_FIELDS = (
    ("is_duplicate", pyarrow.bool_()),
    ("duplicate_of", pyarrow.int64()),
    ("similarity", pyarrow.float64()),
    ("error", TEXT),
)


def dedup_batch(
    batch: Any,
    *,
    text: str = "text",
    threshold: float = 0.92,
    tokens: Literal["unicode", "spec"] = "unicode",
    index: JaccardIndex | None = None,
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

    Returns:
        The columns of *batch*, in pyarrow's form, and after them:

        - is_duplicate (bool), null where there is an error: such a row is neither new nor a copy
        - duplicate_of (int64), the most similar one, of equals the first: the row, counted from 0 through all batches
          of a table or stream, or its number in *index*
        - similarity (float64), 0 to 1
        - error (string): the text is null or not valid UTF-8

    Raises:
        TypeError: *batch* has no such interface, or the column is of another type.
        ValueError: There is no such column, or one with the name of a result; or *threshold* is out of its range.
    """
    known = JaccardIndex(floor=threshold, tokens=tokens) if index is None else index
    # The row of each text in the index: rows with errors are not in it.
    rows: list[int] = []
    first = 0

    def compare(batch: Any) -> Iterator[Row]:
        nonlocal first
        for row, (each, error) in enumerate(texts(batch, text), start=first):
            if error is not None:
                yield {"error": error}
                continue
            found = known.query(each, threshold, limit=1)
            if index is None:
                known.insert(each)
                rows.append(row)
            place, similarity = found[0] if found else (None, None)
            number = place if place is None or index is not None else rows[place]
            yield {"is_duplicate": bool(found), "duplicate_of": number, "similarity": similarity}
        first += batch.num_rows

    return append(batch, _FIELDS, compare)
