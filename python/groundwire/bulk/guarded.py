"""
Batches by the guarded policy: the verdicts of `assess_quotes`, as columns.

Verdicts read words, numbers and names in Python, so a row takes some hundred times as
long as one of the literal policy. Here too rows are put together by source, and sources are
prepared once and kept, those used last, in bounded memory.
"""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from sys import getsizeof
from typing import Any

import pyarrow

from groundwire._engine import Grounder, Source, SourceTable
from groundwire.evidence import QuotePolicy, QuoteVerdict, assess_quotes

__all__ = ["GuardedGrounder", "policy_of"]

_Row = QuoteVerdict | str
"""What is said of a quote, or why nothing can be."""


_NAMES = ("grounded", "kind", "score", "start", "end", "error", "status", "reasons")


class GuardedGrounder:
    """
    Says of each row of a batch whether a policy accepts its quote, and why. Needs pyarrow; each thread takes its own.

    Args:
        policy: What is accepted; None for the default.
        quote, source, sources, workers: As for `Grounder`.
        memory_bytes: Prepared sources that are kept take so many bytes at most.

    Raises:
        TypeError: An argument is of another type.
        ValueError: The policy names speakers, whom a column does not have, or a number is out of its range.
    """

    def __init__(
        self,
        *,
        policy: QuotePolicy | None = None,
        quote: str = "quote",
        source: str = "source",
        sources: SourceTable | None = None,
        workers: int = 1,
        memory_bytes: int = 384 << 20,
    ) -> None:
        # Refuses now what no batch could make good.
        assess_quotes([], "", policy=policy, workers=workers)
        self._columns = Grounder(quote=quote, source=source, sources=sources, memory_bytes=memory_bytes)
        self._policy, self._workers, self._max_bytes = policy, workers, memory_bytes
        self._kept: OrderedDict[str, tuple[Source, int]] = OrderedDict()
        self._bytes = 0

    def ground(self, batch: Any) -> Any:
        """
        Return the columns of *batch* and its verdicts: a batch of pyarrow, or a reader for a table or stream.

        The columns are those of `Grounder.ground`, but `grounded` says whether the quote is accepted, and
        `kind`, `score`, `start` and `end` are those of the passage, accepted or not. After them come

        - status (string), a `QuoteStatus`, and
        - reasons (list of strings), `Reason` codes, those that decided first;

        both null where there is an error.

        Raises:
            TypeError, ValueError: As `Grounder.ground`.
        """
        if hasattr(batch, "__arrow_c_array__"):
            return self._ground(pyarrow.record_batch(batch))
        reader = pyarrow.RecordBatchReader.from_stream(batch)
        schema = self._schema(pyarrow.RecordBatch.from_pylist([], schema=reader.schema))
        return pyarrow.RecordBatchReader.from_batches(schema, map(self._ground, reader))

    def _schema(self, batch: Any) -> Any:
        """Return what comes out for batches like this one; raise what is wrong with its columns."""
        schema = pyarrow.record_batch(self._columns.ground(batch.slice(0, 0))).schema
        text = schema.field("kind").type
        wrap = _list_of(text)
        reasons = pyarrow.list_(pyarrow.string())
        for name, of_type in (("status", text), ("reasons", reasons if wrap is None else wrap(reasons))):
            if name in schema.names:
                raise ValueError(f"there is a column called '{name}' already")
            schema = schema.append(pyarrow.field(name, of_type))
        return schema

    def _ground(self, batch: Any) -> Any:
        schema = self._schema(batch)
        quotes, numbers, errors, texts, lengths = self._columns._rows(batch)
        rows: list[_Row] = [error or "" for error in errors]
        for number, places in _by_source(numbers, errors).items():
            verdicts = self._assess(texts[number], [quotes[place] for place in places])
            for place, verdict in zip(places, verdicts, strict=True):
                rows[place] = verdict
        results = [_values(row) for row in rows]
        columns = list(batch.columns)
        for field, name in zip(list(schema)[batch.num_columns :], _NAMES, strict=True):
            values: Iterator[Any] = (row[name] for row in results)
            columns.append(pyarrow.array(values if lengths is None else _parted(list(values), lengths), field.type))
        return pyarrow.record_batch(columns, schema=schema)

    def _assess(self, text: str, quotes: list[str]) -> list[QuoteVerdict]:
        """Return the verdicts on quotes of one source, which is kept for the next batch."""
        source, known_bytes = self._kept.pop(text, (None, 0))
        if source is None:
            source = Source(text, profile="typographic")
        verdicts = assess_quotes(quotes, source, policy=self._policy, workers=self._workers)
        # Its index may have grown.
        its_bytes = getsizeof(source) + getsizeof(text)
        self._kept[text] = source, its_bytes
        self._bytes += its_bytes - known_bytes
        while self._bytes > self._max_bytes:
            self._bytes -= self._kept.popitem(last=False)[1][1]
        return verdicts


def policy_of(policy: str | QuotePolicy, threshold: float) -> QuotePolicy:
    """Return the rules of *policy*: "guarded" stands for the default ones with this *threshold*."""
    if isinstance(policy, QuotePolicy):
        return policy
    if policy != "guarded":
        raise ValueError("policy must be 'literal', 'guarded' or a QuotePolicy")
    return QuotePolicy(threshold=threshold)


def _values(row: _Row) -> dict[str, Any]:
    """Return the results of a quote by the names of their columns."""
    if isinstance(row, str):
        return {**dict.fromkeys(_NAMES), "grounded": False, "error": row}
    passage = {
        name: None if row.match is None else getattr(row.match, name) for name in ("kind", "score", "start", "end")
    }
    return {
        "grounded": row.accepted,
        **passage,
        "error": None,
        "status": row.status.value,
        "reasons": [reason.value for reason in row.reasons],
    }


def _by_source(numbers: Sequence[int], errors: Sequence[str | None]) -> dict[int, list[int]]:
    """Return the places of the quotes of each source, without those that nothing can be said of."""
    places: dict[int, list[int]] = {}
    for place, (number, error) in enumerate(zip(numbers, errors, strict=True)):
        if error is None:
            places.setdefault(number, []).append(place)
    return places


def _parted(values: list[Any], lengths: Sequence[int]) -> Iterator[list[Any]]:
    """Yield *values* in lists of these lengths."""
    for start, end in pairwise(accumulate(lengths, initial=0)):
        yield values[start:end]


def _list_of(of_type: Any) -> Any:
    """Return what makes lists like this one, or None for a type that is no list."""
    if pyarrow.types.is_large_list(of_type):
        return pyarrow.large_list
    return pyarrow.list_ if pyarrow.types.is_list(of_type) else None
