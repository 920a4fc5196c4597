"""
Which rows take longest.

The engine works on all rows of a source together, so that no row has a time of its own
while a part is grounded. Of a part that took longer for each row than all before it, a few rows
are therefore grounded once more, each by itself: those where there is most to compare, by
the length of the quote times that of its source, and first those whose quote does not stand
there to the letter. All of them together may take a second of the processor.
"""

import threading
import time
from collections.abc import Callable, Sequence

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.types as types

from groundwire.bulk.judging import Judge
from groundwire.bulk.options import Rule, quotes_are_lists
from groundwire.bulk.records import SlowRow

__all__ = ["SlowRows"]

_TRIED_ROWS = 16
_KEPT_ROWS = 10
_TOTAL_SECONDS = 1.0
# What stands there to the letter is found a thousand times sooner, roughly.
_LITERAL_GAIN_BITS = 10


class SlowRows:
    """
    Finds them, part by part. May be asked by several threads at once.

    Args:
        rule, judge: What decides on rows.
        sources: The columns `id` and `text`, where the sources are given by id.
        clock: Seconds that the calling thread was at work.
    """

    def __init__(
        self, rule: Rule, judge: Judge, sources: pa.Table | None, *, clock: Callable[[], float] = time.thread_time
    ) -> None:
        self._rule, self._judge, self._sources, self._clock = rule, judge, sources, clock
        self._lock = threading.Lock()
        self._slowest = 0.0
        self._left = _TOTAL_SECONDS

    def of(self, batches: Sequence[pa.RecordBatch], seconds: float) -> list[SlowRow]:
        """
        Return rows of a part with their times, the slowest first; none if another one was slower, or the time is up.

        Args:
            batches: The rows of the part, with what was found.
            seconds: How long grounding them took.
        """
        rows = sum(batch.num_rows for batch in batches)
        if not rows or not self._is_slow(seconds / rows):
            return []
        found: list[SlowRow] = []
        first = 0
        for batch in batches:
            for place, quote_bytes, source_bytes in self._heaviest(batch):
                taken = self._time(batch, place)
                if taken is not None:
                    found.append(SlowRow(first + place, taken, quote_bytes, source_bytes))
            first += batch.num_rows
        return sorted(found, key=lambda row: -row.seconds)[:_KEPT_ROWS]

    def _is_slow(self, row_seconds: float) -> bool:
        with self._lock:
            if self._left <= 0 or row_seconds <= self._slowest:
                return False
            self._slowest = row_seconds
            return True

    def _heaviest(self, batch: pa.RecordBatch) -> list[tuple[int, int, int]]:
        """Return rows where there is most to compare: their places, and the bytes of quote and source."""
        quotes = _bytes(batch.column(self._rule.quote))
        sources = self._source_bytes(batch.column(self._rule.source))
        work = pc.multiply(quotes, sources)
        scores = batch.column("score")
        if not types.is_nested(scores.type):
            is_literal = pc.equal(scores, 1.0).fill_null(False)
            work = pc.if_else(is_literal, pc.shift_right(work, _LITERAL_GAIN_BITS), work)
        places = pc.select_k_unstable(work, _TRIED_ROWS, [("", "descending")])
        return list(
            zip(places.to_pylist(), quotes.take(places).to_pylist(), sources.take(places).to_pylist(), strict=True)
        )

    def _source_bytes(self, column: pa.Array) -> pa.Array:
        if self._sources is None:
            return _bytes(column)
        known = _whole(self._sources.column("id"))
        places = pc.index_in(_plain(column).cast(known.type, safe=False), value_set=known)
        return _bytes(_whole(self._sources.column("text"))).take(places).fill_null(0)

    def _time(self, batch: pa.RecordBatch, place: int) -> float | None:
        """Return how long one row takes by itself; None if there is no more time."""
        with self._lock:
            if self._left <= 0:
                return None
        names = [self._rule.quote, self._rule.source]
        # A dictionary would come with all its texts.
        row = pa.record_batch({name: _plain(batch.column(name).slice(place, 1)) for name in names})
        started = self._clock()
        self._judge(row)
        taken = self._clock() - started
        with self._lock:
            self._left -= taken
        return taken


def _bytes(column: pa.Array) -> pa.Array:
    """Return how long each text is; of a list of quotes, how many there are."""
    if quotes_are_lists(column.type):
        lengths = pc.list_value_length(column)
    elif types.is_dictionary(column.type):
        lengths = _bytes(column.dictionary).take(column.indices)
    else:
        lengths = pc.binary_length(column.cast(pa.large_string()) if types.is_string_view(column.type) else column)
    return lengths.cast(pa.int64()).fill_null(0)


def _plain(column: pa.Array) -> pa.Array:
    return column.dictionary_decode() if types.is_dictionary(column.type) else column


def _whole(column: pa.ChunkedArray) -> pa.Array:
    whole = column.combine_chunks()
    return _plain(whole if isinstance(whole, pa.Array) else whole.chunk(0))
