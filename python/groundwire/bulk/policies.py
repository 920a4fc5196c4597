"""The literal and the guarded policy, and the graders that apply them to batches of rows."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate, pairwise
from sys import getsizeof
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import pyarrow as pa
import pyarrow.types as types

from groundwire._engine import Grounder, Source, SourceTable
from groundwire.errors import BulkError
from groundwire.evidence import QuotePolicy, QuoteVerdict, assess_quotes
from groundwire.evidence.schema import check_mode, check_threshold
from groundwire.labels import closest, show

if TYPE_CHECKING:
    from groundwire.bulk.source_table import SourceLookup
    from groundwire.telemetry import ValidationMode

__all__ = [
    "MODES",
    "POLICIES",
    "GuardedBatchGrader",
    "Policy",
    "RowGrader",
    "RowGraders",
    "RowPolicy",
    "build_policy",
    "check_columns",
    "is_integer",
    "is_text",
    "is_text_list",
    "with_results",
]

Policy: TypeAlias = Literal["literal", "guarded"]
POLICIES: tuple[Policy, ...] = ("literal", "guarded")
MODES: tuple[Literal["substring", "fuzzy"], ...] = ("substring", "fuzzy")

_RESULTS = ("grounded", "kind", "score", "start", "end", "error")
_VERDICTS = ("status", "reasons")
_COLUMNS = _RESULTS + _VERDICTS


@dataclass(frozen=True, slots=True, kw_only=True)
class RowPolicy:
    """
    The columns of the rows, and the rule that decides on them.

    Attributes:
        quote: The column with the quotes: strings, or lists of strings.
        source: The column with the sources: texts, or ids of a table of sources.
        mode: The comparison of the literal policy: "substring" or "fuzzy".
        threshold: The minimum score of a similar passage, 0.0 to 1.0.
        policy: "literal" compares strings; "guarded" is `groundwire.evidence.assess_quotes`.

    Raises:
        TypeError: A value has the wrong type.
        ValueError: A value is unknown, out of range, or belongs to the other policy.
    """

    quote: str = "quote"
    source: str = "source"
    mode: "ValidationMode" = "substring"
    threshold: float = 0.85
    policy: Policy = "literal"

    def __post_init__(self) -> None:
        for name in ("quote", "source", "policy"):
            if not isinstance(getattr(self, name), str):
                raise TypeError(f"{name} must be a str, got {type(getattr(self, name)).__name__}")
        if self.policy not in POLICIES:
            raise ValueError(f'policy must be "literal" or "guarded", got {show(self.policy)}')
        if self.quote == self.source:
            raise ValueError(f"quote and source must be two columns, got {show(self.quote)} for both")
        check_mode(self.mode)
        object.__setattr__(self, "threshold", check_threshold(self.threshold, name="threshold"))
        if self.policy == "guarded" and self.mode != "substring":
            raise ValueError('mode is an option of the literal policy; policy="guarded" has no modes')

    @property
    def results(self) -> tuple[str, ...]:
        """The columns of the results."""
        return _RESULTS if self.policy == "literal" else _RESULTS + _VERDICTS

    def as_json(self) -> dict[str, str | float]:
        """Return the policy as plain data."""
        return asdict(self)


def check_columns(schema: pa.Schema, policy: RowPolicy, *, where: str, has_ids: bool) -> None:
    """
    Check that rows with this schema can be grounded.

    Args:
        schema: The columns.
        policy: The policy, which names the columns with quotes and sources.
        where: The file or frame, for messages.
        has_ids: Whether the sources are given by id.

    Raises:
        BulkError: A column is missing, has the wrong type, or the name of a result. Names columns, and no values.
    """
    for name in (policy.quote, policy.source):
        _check_exists(name, schema.names, where)
    taken = [name for name in policy.results if name in schema.names]
    if taken:
        raise BulkError(f"{where} has a column {show(taken[0])} already, which is the name of a result")
    quotes, sources = schema.field(policy.quote).type, schema.field(policy.source).type
    if not (is_text(quotes) or is_text_list(quotes)):
        raise BulkError(f"{where}: column {show(policy.quote)} must have strings, or lists of strings, has {quotes}")
    if has_ids:
        if not (is_text(sources) or is_integer(sources)):
            raise BulkError(f"{where}: column {show(policy.source)} must have ids, strings or integers, has {sources}")
    elif not is_text(sources):
        hint = "sources given by id need the table of sources too" if is_integer(sources) else None
        raise BulkError(f"{where}: column {show(policy.source)} must have texts, has {sources}", hint)


def _check_exists(name: str, names: list[str], where: str) -> None:
    if names.count(name) > 1:
        raise BulkError(f"{where} has more than one column {show(name)}")
    if name not in names:
        guess = closest(name, names)
        listed = ", ".join(map(show, names[:20])) + (", ..." if len(names) > 20 else "")
        hint = f"did you mean {show(guess)}?" if guess else f"its columns: {listed or 'none'}"
        raise BulkError(f"{where} has no column {show(name)}", hint)


def is_text_list(kind: pa.DataType) -> bool:
    """Tell whether a column of this type has lists of strings."""
    return (types.is_list(kind) or types.is_large_list(kind)) and is_text(kind.value_type)


def is_text(kind: pa.DataType) -> bool:
    """Tell whether a column of this type has strings, in a dictionary or not."""
    if types.is_dictionary(kind):
        kind = kind.value_type
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def is_integer(kind: pa.DataType) -> bool:
    """Tell whether a column of this type has integers, in a dictionary or not."""
    return bool(types.is_integer(kind.value_type if types.is_dictionary(kind) else kind))


def with_results(batch: pa.RecordBatch, results: pa.RecordBatch) -> pa.RecordBatch:
    """Return rows followed by the columns of their results."""
    names = [*batch.schema.names, *results.schema.names]
    return pa.RecordBatch.from_arrays([*batch.columns, *results.columns], names=names)


class RowGrader:
    """Returns the results of rows, the columns `RowPolicy.results`. Several threads may call it at once."""

    __slots__ = ("_ground", "_policy")

    def __init__(self, policy: RowPolicy, sources: pa.Table | None, *, workers: int, memory_bytes: int) -> None:
        self._policy = policy
        options: dict[str, Any] = {
            "quote": policy.quote,
            "source": policy.source,
            "sources": None if sources is None else SourceTable(sources),
            "workers": workers,
            "memory_bytes": memory_bytes,
        }
        if policy.policy == "guarded":
            self._ground = _guarded(policy, options)
        else:
            self._ground = Grounder(mode=policy.mode, threshold=policy.threshold, **options).ground

    def __call__(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        # The other columns would be passed there and back.
        needed = rows.select([self._policy.quote, self._policy.source])
        return pa.record_batch(self._ground(needed)).select(list(self._policy.results))


def _guarded(policy: RowPolicy, options: dict[str, Any]) -> Callable[[pa.RecordBatch], Any]:
    """Return a function that assesses one batch at a time, because Python does the work."""
    grader = GuardedBatchGrader(policy=QuotePolicy(threshold=policy.threshold), **options)
    turn = threading.Lock()

    def ground(rows: pa.RecordBatch) -> Any:
        with turn:
            return grader.ground(rows)

    return ground


class RowGraders:
    """Keeps the grader of the last job, so that the next job with the same sources need not prepare them again."""

    def __init__(self) -> None:
        self._key: object = None
        self._grader: RowGrader | None = None

    def grader(
        self, policy: RowPolicy, sources: "SourceLookup | None", ids: pa.DataType, *, workers: int, memory_bytes: int
    ) -> RowGrader:
        """
        Return the grader of a job.

        Args:
            policy: The policy.
            sources: The table of sources, if sources are given by id.
            ids: The type of the rows' column of sources.
            workers: The number of threads for one batch.
            memory_bytes: The memory for prepared sources.

        Raises:
            BulkError: The sources cannot be read, or have ids of another type.
        """
        key = (policy, None if sources is None else sources.fingerprint, ids, workers, memory_bytes)
        if self._grader is None or self._key != key:
            # Release the old ones first: the sources of two jobs are never in memory together.
            self._key = self._grader = None
            table = None if sources is None else sources.read(ids)
            self._grader = RowGrader(policy, table, workers=workers, memory_bytes=memory_bytes)
            self._key = key
        return self._grader


_Row = QuoteVerdict | str
"""The verdict on a quote, or the error."""


class GuardedBatchGrader:
    """
    Assesses the quote of each row of a batch. Needs pyarrow; each thread needs its own grader.

    Verdicts take some hundred times as long as the literal policy. Rows are grouped by source, and the sources used
    last stay prepared for the next batch, in bounded memory.

    Args:
        policy: The policy; None for the default.
        quote, source, sources, workers: As for `Grounder`.
        memory_bytes: The maximum memory of prepared sources that are kept.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: The policy names speakers, which a column does not have, or a number is out of range.
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
        # Reject a policy that no batch could satisfy.
        assess_quotes([], "", policy=policy, workers=workers)
        self._columns = Grounder(quote=quote, source=source, sources=sources, memory_bytes=memory_bytes)
        self._policy, self._workers, self._max_bytes = policy, workers, memory_bytes
        self._kept: OrderedDict[str, tuple[Source, int]] = OrderedDict()
        self._bytes = 0

    def ground(self, batch: Any) -> Any:
        """
        Return the columns of *batch* and its verdicts: a batch of pyarrow, or a reader for a table or stream.

        The columns are those of `Grounder.ground`, but `grounded` means that the quote is accepted, and
        `kind`, `score`, `start` and `end` are those of the passage, accepted or not. After them come

        - status (string), a `QuoteStatus`, and
        - reasons (list of strings), `Reason` codes, the decisive ones first;

        both are null if there is an error.

        Raises:
            TypeError, ValueError: As `Grounder.ground`.
        """
        if hasattr(batch, "__arrow_c_array__"):
            return self._ground(pa.record_batch(batch))
        reader = pa.RecordBatchReader.from_stream(batch)
        schema = self._schema(pa.RecordBatch.from_pylist([], schema=reader.schema))
        return pa.RecordBatchReader.from_batches(schema, map(self._ground, reader))

    def _schema(self, batch: Any) -> Any:
        """Return the schema of the result, or raise an error about the columns of *batch*."""
        schema = pa.record_batch(self._columns.ground(batch.slice(0, 0))).schema
        text = schema.field("kind").type
        wrap = _list_of(text)
        reasons = pa.list_(pa.string())
        for name, of_type in (("status", text), ("reasons", reasons if wrap is None else wrap(reasons))):
            if name in schema.names:
                raise ValueError(f"there is a column called '{name}' already")
            schema = schema.append(pa.field(name, of_type))
        return schema

    def _ground(self, batch: Any) -> Any:
        schema = self._schema(batch)
        quotes, numbers, errors, texts, lengths = self._columns._rows(batch)
        rows: list[_Row] = [error or "" for error in errors]
        for number, indices in _by_source(numbers, errors).items():
            verdicts = self._assess(texts[number], [quotes[index] for index in indices])
            for index, verdict in zip(indices, verdicts, strict=True):
                rows[index] = verdict
        results = [_values(row) for row in rows]
        columns = list(batch.columns)
        for field, name in zip(list(schema)[batch.num_columns :], _COLUMNS, strict=True):
            values: Iterator[Any] = (row[name] for row in results)
            columns.append(pa.array(values if lengths is None else _nest(list(values), lengths), field.type))
        return pa.record_batch(columns, schema=schema)

    def _assess(self, text: str, quotes: list[str]) -> list[QuoteVerdict]:
        """Return the verdicts on quotes of one source, and keep the source for the next batch."""
        source, known_bytes = self._kept.pop(text, (None, 0))
        if source is None:
            source = Source(text, profile="typographic")
        verdicts = assess_quotes(quotes, source, policy=self._policy, workers=self._workers)
        # Its index may have grown.
        size_bytes = getsizeof(source) + getsizeof(text)
        self._kept[text] = source, size_bytes
        self._bytes += size_bytes - known_bytes
        while self._bytes > self._max_bytes:
            self._bytes -= self._kept.popitem(last=False)[1][1]
        return verdicts


def build_policy(policy: str | QuotePolicy, threshold: float) -> QuotePolicy:
    """Return *policy* as a `QuotePolicy`; "guarded" is the default one with this *threshold*."""
    if isinstance(policy, QuotePolicy):
        return policy
    if policy != "guarded":
        raise ValueError("policy must be 'literal', 'guarded' or a QuotePolicy")
    return QuotePolicy(threshold=threshold)


def _values(row: _Row) -> dict[str, Any]:
    """Return the results of a quote by column."""
    if isinstance(row, str):
        return {**dict.fromkeys(_COLUMNS), "grounded": False, "error": row}
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
    """Return the indices of the quotes of each source, without rows that have an error."""
    indices: dict[int, list[int]] = {}
    for index, (number, error) in enumerate(zip(numbers, errors, strict=True)):
        if error is None:
            indices.setdefault(number, []).append(index)
    return indices


def _nest(values: list[Any], lengths: Sequence[int]) -> Iterator[list[Any]]:
    """Yield *values* in lists of these lengths."""
    for start, end in pairwise(accumulate(lengths, initial=0)):
        yield values[start:end]


def _list_of(of_type: Any) -> Any:
    """Return the constructor of this list type, or None for a type that is no list."""
    if pa.types.is_large_list(of_type):
        return pa.large_list
    return pa.list_ if pa.types.is_list(of_type) else None
