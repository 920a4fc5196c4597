"""Provide rows of quotes and sources, and their right results: `Source.find`, one row at a time."""

from typing import Any

import pyarrow as pa
from hypothesis import strategies as st

from groundwire import Source

RESULTS = ("grounded", "kind", "score", "start", "end", "error")

NOTHING = {"grounded": False, "kind": None, "score": None, "start": None, "end": None}

# Characters of one to four bytes, folded quotation marks and spaces, tags, final sigma.
WORDS = ["I", "can't", "can’t", "sleep", "Straße", "naïve", "漢字", "😀", "<laughs>", " ", "  ", "ＡＢＣ", "ΑΣ", "İ"]

prose = st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join)
quotes = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)


def expected(quote: str | None, source: str | None, **options: Any) -> dict[str, Any]:
    """Return the results of one row by the engine's interface for one quote."""
    if source is None:
        return {**NOTHING, "error": "the source is null"}
    if quote is None:
        return {**NOTHING, "error": "the quote is null"}
    match = Source(source).find(quote, **options)
    if match is None:
        return {**NOTHING, "error": None}
    return {
        "grounded": True,
        "kind": match.kind,
        "score": match.score,
        "start": match.start,
        "end": match.end,
        "error": None,
    }


def results(batch: pa.RecordBatch | pa.Table) -> list[dict[str, Any]]:
    """The columns of results, row by row."""
    return batch.select(RESULTS).to_pylist()
