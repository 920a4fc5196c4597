"""Graders: the policy of a run, applied to batches of rows."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from sys import getsizeof
from typing import Any, Literal

import pyarrow as pa

from groundwire._engine import Grounder, Source, SourceTable
from groundwire.bulk.policies import RowPolicy, check_score, guarded_columns
from groundwire.bulk.source_table import SourceLookup
from groundwire.documents.document import Document
from groundwire.documents.folder import DocumentFolder
from groundwire.errors import DocumentError
from groundwire.evidence import QuotePolicy, QuoteVerdict, assess_quotes
from groundwire.evidence.verdicts import quote_probability
from groundwire.support_score import SupportScore

__all__ = ["DocumentBatchGrader", "GuardedBatchGrader", "RowGrader", "RowGraders", "build_policy", "with_results"]


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
        self._ground: Callable[[pa.RecordBatch], Any]
        if policy.documents is not None:
            self._ground = DocumentBatchGrader(policy, workers=workers, memory_bytes=memory_bytes).ground
        elif policy.policy == "guarded":
            self._ground = _guarded(policy, options)
        else:
            self._ground = Grounder(mode=policy.mode, threshold=policy.threshold, **options).ground

    def __call__(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        # The other columns would be passed there and back.
        needed = rows.select([self._policy.quote, self._policy.source])
        return pa.record_batch(self._ground(needed)).select(list(self._policy.results))


def _guarded(policy: RowPolicy, options: dict[str, Any]) -> Callable[[pa.RecordBatch], Any]:
    """Return a function that assesses one batch at a time, because Python does the work."""
    grader = GuardedBatchGrader(policy=QuotePolicy(threshold=policy.threshold), score=policy.score, **options)
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
        self, policy: RowPolicy, sources: SourceLookup | None, ids: pa.DataType, *, workers: int, memory_bytes: int
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


_PASSAGE = ("kind", "score", "start", "end")
_Row = QuoteVerdict | str
"""The verdict on a quote, or the error."""


class GuardedBatchGrader:
    """
    Assesses the quote of each row of a batch. Needs pyarrow; each thread needs its own grader.

    Verdicts take some hundred times as long as the literal policy. Rows are grouped by source, and the sources used
    last stay prepared for the next batch, in bounded memory.

    Args:
        policy: The policy; None for the default.
        score: A score fitted on quotes; None for no probabilities.
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
        score: SupportScore | None = None,
        quote: str = "quote",
        source: str = "source",
        sources: SourceTable | None = None,
        workers: int = 1,
        memory_bytes: int = 384 << 20,
    ) -> None:
        # Reject a policy that no batch could satisfy.
        assess_quotes([], "", policy=policy, workers=workers)
        self._columns = Grounder(quote=quote, source=source, sources=sources, memory_bytes=memory_bytes)
        if score is not None:
            check_score(score)
        self._policy, self._score, self._workers, self._max_bytes = policy, score, workers, memory_bytes
        self._kept: OrderedDict[str, tuple[Source, int]] = OrderedDict()
        self._bytes = 0

    def ground(self, batch: Any) -> Any:
        """
        Return the columns of *batch* and its verdicts: a batch of pyarrow, or a reader for a table or stream.

        The columns are those of `Grounder.ground`, but `grounded` means that the quote is accepted, and
        `kind`, `score`, `start` and `end` are those of the passage, accepted or not. After them come

        - status (string), a `QuoteStatus`, and
        - reasons (list of strings), `QuoteReason` codes, the decisive ones first;

        both are null if there is an error. With a score, `probability` (float64) is that of `quote_probability`.

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
        added = [("status", text), ("reasons", reasons if wrap is None else wrap(reasons))]
        if self._score is not None:
            added.append(("probability", schema.field("score").type))
        for name, of_type in added:
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
        results = [_values(row, self._score) for row in rows]
        columns = list(batch.columns)
        for field, name in zip(list(schema)[batch.num_columns :], guarded_columns(self._score), strict=True):
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


class DocumentBatchGrader:
    """
    Checks the quotes of a batch in documents, whose paths its rows have. Several threads may call it at once.

    A document that cannot be read is the error of its rows.

    Args:
        policy: The columns and the rule, with the folder of documents.
        workers: The maximum number of threads for the quotes of one document.
        memory_bytes: The memory for documents that are kept.

    Raises:
        OSError: There is no such folder.
    """

    def __init__(self, policy: RowPolicy, *, workers: int, memory_bytes: int) -> None:
        self._policy, self._workers = policy, workers
        self._rules = QuotePolicy(threshold=policy.threshold)
        self._columns = Grounder(quote=policy.quote, source=policy.source, memory_bytes=memory_bytes)
        self._folder = DocumentFolder(policy.documents or ".", memory_bytes=memory_bytes)

    def ground(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """
        Return the results of *batch*, the columns `RowPolicy.results`.

        `page` (int64) is the page on which the passage begins, null in a format without pages, and `document_sha256`
        (string) the hash of the file in which it was looked for.

        Raises:
            TypeError, ValueError: As `Grounder.ground`.
        """
        quotes, numbers, errors, paths, lengths = self._columns._rows(batch)
        rows: list[dict[str, Any]] = [self._failed(error) for error in errors]
        for number, indices in _by_source(numbers, errors).items():
            found = self._results(paths[number], [quotes[index] for index in indices])
            for index, row in zip(indices, found, strict=True):
                rows[index] = row
        columns = []
        for field in self._schema(batch):
            values = [row[field.name] for row in rows]
            columns.append(pa.array(values if lengths is None else _nest(values, lengths), field.type))
        return pa.RecordBatch.from_arrays(columns, names=list(self._policy.results))

    def _schema(self, batch: pa.RecordBatch) -> pa.Schema:
        """Return the columns of the results; a column with lists of quotes has lists of results."""
        known = pa.record_batch(self._columns.ground(batch.slice(0, 0))).schema
        text, number = known.field("kind").type, known.field("start").type
        wrap = _list_of(text)
        reasons = pa.list_(pa.string())
        others = {
            "status": text,
            "reasons": reasons if wrap is None else wrap(reasons),
            "probability": known.field("score").type,
            "page": number,
            "document_sha256": text,
        }
        return pa.schema(
            [(name, others[name] if name in others else known.field(name).type) for name in self._policy.results]
        )

    def _failed(self, error: str | None) -> dict[str, Any]:
        return {**dict.fromkeys(self._policy.results), "grounded": False, "error": error}

    def _results(self, path: str, quotes: list[str]) -> list[dict[str, Any]]:
        profile: Literal["spec", "typographic"] = "spec" if self._policy.policy == "literal" else "typographic"
        try:
            document = self._folder.document(path, profile)
        except DocumentError as error:
            return [self._failed(f"the document is {error.reason}")] * len(quotes)
        return [
            row | {"page": self._page(document, row), "document_sha256": document.sha256}
            for row in self._decided(document, quotes)
        ]

    def _decided(self, document: Document, quotes: list[str]) -> Iterator[dict[str, Any]]:
        policy = self._policy
        if policy.policy == "guarded":
            verdicts = assess_quotes(quotes, document, policy=self._rules, workers=self._workers)
            yield from (_values(verdict, policy.score) for verdict in verdicts)
            return
        options: dict[str, Any] = {"mode": policy.mode, "threshold": policy.threshold, "workers": self._workers}
        for match in document.source("spec").ground(quotes, **options):
            passage = {name: None if match is None else getattr(match, name) for name in _PASSAGE}
            yield {"grounded": match is not None, **passage, "error": None}

    def _page(self, document: Document, row: dict[str, Any]) -> int | None:
        start, end = row["start"], row["end"]
        return document.locate(start, end).page if start is not None and start < end else None


def build_policy(policy: str | QuotePolicy, threshold: float) -> QuotePolicy:
    """Return *policy* as a `QuotePolicy`; "guarded" is the default one with this *threshold*."""
    if isinstance(policy, QuotePolicy):
        return policy
    if policy != "guarded":
        raise ValueError("policy must be 'literal', 'guarded' or a QuotePolicy")
    return QuotePolicy(threshold=threshold)


def _values(row: _Row, score: SupportScore | None) -> dict[str, Any]:
    """Return the results of a quote by column."""
    if isinstance(row, str):
        return {**dict.fromkeys(guarded_columns(score)), "grounded": False, "error": row}
    passage = {name: None if row.match is None else getattr(row.match, name) for name in _PASSAGE}
    return {
        "grounded": row.accepted,
        **passage,
        "error": None,
        "status": row.status.value,
        "reasons": [reason.value for reason in row.reasons],
        "probability": None if score is None else quote_probability(row, score),
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
