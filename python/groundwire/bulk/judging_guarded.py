"""
The guarded policy over rows.

The verdicts are those of `groundwire.evidence.assess_quotes`. The rows of a batch are put
together by source; a source is prepared once and kept for later batches, those used last,
within a bound of memory.
"""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence
from enum import StrEnum
from itertools import accumulate
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.types as types

from groundwire import Source
from groundwire.bulk.options import Rule, quotes_are_lists
from groundwire.evidence import QuotePolicy, QuoteVerdict, assess_quotes

__all__ = ["GuardedJudge"]

# What a prepared source takes for each character of its text: the text twice, where its characters come from, indexes.
_BYTES_PER_CHARACTER = 24


class Problem(StrEnum):
    """Why nothing can be said of a row, in the engine's words; it counts as not grounded."""

    NULL_QUOTE = "the quote is null"
    NULL_SOURCE = "the source is null"
    UNKNOWN_SOURCE = "no source has this id"
    QUOTE_NOT_UTF8 = "the quote is not valid UTF-8"
    SOURCE_NOT_UTF8 = "the source is not valid UTF-8"


_Text = str | Problem
_TYPES = (
    pa.bool_(),
    pa.string(),
    pa.float64(),
    pa.int64(),
    pa.int64(),
    pa.string(),
    pa.string(),
    pa.list_(pa.string()),
)
_Said = tuple[bool, str | None, float | None, int | None, int | None, str | None, str | None, list[str] | None]


class _Quote(NamedTuple):
    """A quote: of which row, and the text; None for null, bytes that are no UTF-8 as they are."""

    row: int
    text: str | bytes | None


class GuardedJudge:
    """Says of the rows of batches what the guarded policy says. Safe to share between threads."""

    def __init__(self, rule: Rule, sources: pa.Table | None, *, memory_bytes: int) -> None:
        self._rule = rule
        self._policy = QuotePolicy(threshold=rule.threshold)
        self._texts = None if sources is None else _by_id(sources)
        self._kept = _Kept(memory_bytes)

    def __call__(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        """Return the results of each row; lists of them for lists of quotes."""
        column = rows.column(self._rule.quote)
        are_lists = quotes_are_lists(column.type)
        quotes, lengths = _quotes(column, are_lists)
        said = self._judge(quotes, rows.column(self._rule.source))
        arrays = [pa.array(values, kind) for values, kind in zip(_columns(said), _TYPES, strict=True)]
        if are_lists:
            offsets = pa.array([0, *accumulate(lengths)], pa.int32())
            arrays = [pa.ListArray.from_arrays(offsets, array) for array in arrays]
        return pa.record_batch(arrays, names=list(self._rule.results))

    def _judge(self, quotes: Sequence[_Quote], column: pa.Array) -> list[_Said]:
        """Return what is said of each quote, those of one source together."""
        places, texts = self._sources(column)
        said = [_error(Problem.NULL_QUOTE if quote.text is None else Problem.QUOTE_NOT_UTF8) for quote in quotes]
        by_source: dict[int | None, list[int]] = {}
        for number, quote in enumerate(quotes):
            if isinstance(quote.text, str):
                by_source.setdefault(places[quote.row], []).append(number)
        for place, numbers in by_source.items():
            text: _Text = Problem.NULL_SOURCE if place is None else texts[place]
            for number, outcome in zip(
                numbers, self._outcomes(text, [quotes[each].text for each in numbers]), strict=True
            ):
                said[number] = outcome
        return said

    def _outcomes(self, text: _Text, quotes: Sequence[Any]) -> list[_Said]:
        if isinstance(text, Problem):
            return [_error(text)] * len(quotes)
        return [_said(verdict) for verdict in assess_quotes(quotes, self._kept.source(text), policy=self._policy)]

    def _sources(self, column: pa.Array) -> tuple[list[int | None], Sequence[_Text]]:
        """Return the place of each row's text among the texts, None for null, and the texts."""
        if not types.is_dictionary(column.type):
            column = column.dictionary_encode()
        values = _values(column.dictionary)
        if self._texts is None:
            return column.indices.to_pylist(), [_text(value) for value in values]
        return column.indices.to_pylist(), [
            Problem.NULL_SOURCE if value is None else self._texts.get(value, Problem.UNKNOWN_SOURCE) for value in values
        ]


class _Kept:
    """Prepared sources, those used last."""

    def __init__(self, memory_bytes: int) -> None:
        self._room = memory_bytes
        self._sources: OrderedDict[bytes, Source] = OrderedDict()
        self._lock = threading.Lock()

    def source(self, text: str) -> Source:
        """Return *text* prepared."""
        key = hashlib.sha256(text.encode()).digest()
        with self._lock:
            known = self._sources.get(key)
            if known is not None:
                self._sources.move_to_end(key)
                return known
        # Two threads may prepare the same one; both are right.
        prepared = Source(text, profile="typographic")
        with self._lock:
            if self._sources.setdefault(key, prepared) is prepared:
                self._room -= len(text) * _BYTES_PER_CHARACTER
            while self._room < 0 and len(self._sources) > 1:
                _, dropped = self._sources.popitem(last=False)
                self._room += len(dropped) * _BYTES_PER_CHARACTER
        return prepared


def _by_id(sources: pa.Table) -> dict[Any, _Text]:
    texts = map(_text, _values(sources.column("text").combine_chunks()))
    return dict(zip(_values(sources.column("id").combine_chunks()), texts, strict=True))


def _text(value: Any) -> _Text:
    if value is None:
        return Problem.NULL_SOURCE
    return Problem.SOURCE_NOT_UTF8 if isinstance(value, bytes) else value


def _values(column: pa.Array) -> list[Any]:
    """Return the values; strings that are no UTF-8 as bytes."""
    try:
        return column.to_pylist()
    except UnicodeDecodeError:
        return [_decoded(value) for value in column.cast(pa.large_binary()).to_pylist()]


def _decoded(value: bytes | None) -> str | bytes | None:
    try:
        return None if value is None else value.decode()
    except UnicodeDecodeError:
        return value


def _quotes(column: pa.Array, are_lists: bool) -> tuple[list[_Quote], list[int]]:
    """Return the quotes one after the other, and how many each row has; a list that is null is one null quote."""
    if not are_lists:
        return [_Quote(row, value) for row, value in enumerate(_values(column))], [1] * len(column)
    lengths = column.value_lengths().to_pylist()
    values = iter(_values(column.flatten()))
    lists = [[None] if length is None else [next(values) for _ in range(length)] for length in lengths]
    return [_Quote(row, quote) for row, each in enumerate(lists) for quote in each], [len(each) for each in lists]


def _columns(said: Sequence[_Said]) -> list[Sequence[Any]]:
    return [list(column) for column in zip(*said, strict=True)] if said else [[]] * len(_TYPES)


def _error(words: str) -> _Said:
    return False, None, None, None, None, words, None, None


def _said(verdict: QuoteVerdict) -> _Said:
    """Return what the columns say of a verdict; where a passage is only like the quote, they say where it is."""
    match, reasons = verdict.match, [reason.value for reason in verdict.reasons]
    if match is None:
        return verdict.accepted, None, None, None, None, None, verdict.status.value, reasons
    return verdict.accepted, match.kind, match.score, match.start, match.end, None, verdict.status.value, reasons
