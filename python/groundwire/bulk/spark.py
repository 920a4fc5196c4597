"""
Grounds the rows of a Spark DataFrame, or files, on many machines.

Each Python worker of an executor keeps its prepared sources from one batch to the next, and
from one task to the next if Spark keeps its workers, which is its default. Put the rows of one source into
one partition: each worker prepares the sources of its own rows.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import pyarrow as pa

from groundwire.bulk.graders import RowGraders, with_results
from groundwire.bulk.inputs import filesystem_of, find_inputs, is_local, join_path, redact_url
from groundwire.bulk.policies import Policy, RowPolicy, check_columns
from groundwire.bulk.source_table import SourceLookup, find_sources
from groundwire.errors import BulkError
from groundwire.labels import show
from groundwire.thresholds import FUZZY_THRESHOLD

if TYPE_CHECKING:
    from groundwire.bulk.manifest import BulkSummary

__all__ = ["FileTask", "ground", "ground_files"]

_MEMORY_BYTES = 1 << 28
_TEXT, _KNOWN = "groundwire_text", "groundwire_known"
UNKNOWN_SOURCE = "no source has this id"


def ground(
    df: Any,
    *,
    quote: str = "quote",
    source: str = "source",
    sources: Any = None,
    joined: bool = False,
    mode: Literal["substring", "fuzzy"] = "substring",
    threshold: float = FUZZY_THRESHOLD,
    policy: Policy = "literal",
    memory_bytes: int = _MEMORY_BYTES,
) -> Any:
    """
    Return a DataFrame with the rows of *df* and their results, as `ground_file` writes them.

    Spark computes it when it needs the rows, and repeats tasks that fail.

    Args:
        df: A DataFrame of classic Spark or of Spark Connect.
        quote: The column with the quotes: strings, or arrays of strings.
        source: The column with the sources: their texts, or ids of *sources*.
        sources: The sources by id: a DataFrame with the columns `id` and `text`, or an argument of
            `ground_file`, which the driver reads.
        joined: False sends all sources to every executor once, for up to some gigabytes. True lets Spark join
            rows and sources, which groups the rows of a source; *sources* must be a DataFrame then.
        mode, threshold, policy: As for `ground_file`.
        memory_bytes: The memory for prepared sources in each Python worker.

    Raises:
        BulkError: A column is missing, has another type, or the name of a result.
        TypeError, ValueError: An option has another type, or is out of range.
    """
    row_policy = RowPolicy(quote=quote, source=source, mode=mode, threshold=threshold, policy=policy)
    _check(df, row_policy, has_ids=sources is not None)
    schema = _schema(df, row_policy)
    if sources is None:
        return df.mapInArrow(_Grounding(row_policy, None, memory_bytes), schema)
    if joined:
        return _joined(df, sources, row_policy, memory_bytes, schema)
    is_frame = _is_frame(sources)
    found = find_sources(sources.select("id", "text").toArrow() if is_frame else sources)
    return df.mapInArrow(_Grounding(row_policy, _sent(found, df.sparkSession), memory_bytes), schema)


def ground_files(
    session: Any, in_path: str | os.PathLike[str], out_path: str | os.PathLike[str], **options: Any
) -> "list[BulkSummary]":
    """
    Ground each file of a folder by `ground_file` in a task of Spark, and return the summaries in order.

    No row passes through Java. A Python worker keeps the prepared sources of its last file for the next one, even for
    one of a later call. A task that is repeated resumes the first one, and so does the same call.

    Args:
        session: A session of classic Spark.
        in_path: A folder, or the URL of one. The driver lists its files, and the executors read them.
        out_path: A folder on a disk that all executors see under this path, or a URL; each output has the
            name of its input.
        options: The options of `ground_file` except for functions; *workers* is 1 by default, because a task has
            one core. The executors read a file of *sources*; a table or a mapping is sent to each of them once.

    Raises:
        BulkError: There are no files.
    """
    source, target = _absolute(in_path), _absolute(out_path)
    folder = PurePosixPath(filesystem_of(source)[1])
    files = [PurePosixPath(file.path) for file in find_inputs(source)]
    if any(folder not in file.parents for file in files):
        raise BulkError(f"`{redact_url(source)}` must be a folder: each of its files has a task")
    names = [str(file.relative_to(folder)) for file in files]
    options = {"workers": 1, **options}
    if not isinstance(options.get("sources"), str | os.PathLike | None):
        options["sources"] = _sent(find_sources(options["sources"]), session)

    tasks = session.sparkContext.parallelize(names, len(names))
    found: list[BulkSummary] = tasks.map(FileTask(source, target, options)).collect()
    return found


def _absolute(path: str | os.PathLike[str]) -> str:
    """Return an absolute path, or the URL."""
    name = os.fspath(path)
    return name if "://" in name else str(Path(name).absolute())


def _is_frame(given: Any) -> bool:
    return hasattr(given, "mapInArrow")


def _check(df: Any, policy: RowPolicy, *, has_ids: bool) -> None:
    """Check the columns by their types in Arrow."""
    from pyspark.sql import types

    known: dict[type, pa.DataType] = {
        types.StringType: pa.string(),
        types.ByteType: pa.int8(),
        types.ShortType: pa.int16(),
        types.IntegerType: pa.int32(),
        types.LongType: pa.int64(),
    }

    def arrow(kind: Any) -> pa.DataType:
        if isinstance(kind, types.ArrayType):
            return pa.list_(arrow(kind.elementType))
        return known.get(type(kind), pa.null())

    fields = [(field.name, arrow(field.dataType)) for field in df.schema.fields]
    check_columns(pa.schema(fields), policy, where="the DataFrame", has_ids=has_ids)


def _schema(df: Any, policy: RowPolicy) -> Any:
    """Return the columns of *df* and those of the results, in Spark's types."""
    from pyspark.sql import types

    kinds = {
        "grounded": types.BooleanType(),
        "kind": types.StringType(),
        "score": types.DoubleType(),
        "start": types.LongType(),
        "end": types.LongType(),
        "error": types.StringType(),
        "status": types.StringType(),
        "reasons": types.ArrayType(types.StringType()),
    }
    are_lists = isinstance(df.schema[policy.quote].dataType, types.ArrayType)
    added = [
        types.StructField(name, types.ArrayType(kinds[name]) if are_lists else kinds[name]) for name in policy.results
    ]
    return types.StructType([*df.schema.fields, *added])


def _joined(df: Any, sources: Any, policy: RowPolicy, memory_bytes: int, schema: Any) -> Any:
    """Ground after a join; an id that no source has is the same error as without a join."""
    from pyspark.sql import functions

    if not _is_frame(sources):
        raise TypeError(f"sources must be a DataFrame to be joined, got {type(sources).__name__}")
    for name in (_TEXT, _KNOWN):
        if name in df.columns:
            raise BulkError(f"the DataFrame has a column {show(name)}, and this name is reserved")
    texts = sources.select(
        sources["id"].alias(f"{_KNOWN}_id"), sources["text"].alias(_TEXT), functions.lit(True).alias(_KNOWN)
    )
    rows = df.join(texts, df[policy.source] == texts[f"{_KNOWN}_id"], "left").drop(f"{_KNOWN}_id")
    return rows.mapInArrow(_Grounding(policy, None, memory_bytes, is_joined=True), schema)


@dataclass(frozen=True, slots=True)
class _Sent:
    """A table that is sent to executors: its bytes, or a broadcast of them."""

    packed: Any

    def __call__(self) -> pa.Table:
        """Return the table; a Python worker receives its bytes here."""
        packed = self.packed if isinstance(self.packed, bytes) else self.packed.value
        with pa.ipc.open_stream(packed) as reader:
            table: pa.Table = reader.read_all()
        return table


def _sent(sources: SourceLookup, session: Any) -> SourceLookup:
    """
    Broadcast *sources*, so that each executor gets them once.

    Spark Connect has no broadcasts, and sends the bytes with every task.
    """
    table = sources.table()
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    packed = sink.getvalue().to_pybytes()
    return SourceLookup(
        sources.fingerprint, _Sent(packed if _is_connect(session) else session.sparkContext.broadcast(packed))
    )


def _is_connect(session: Any) -> bool:
    return ".connect." in type(session).__module__


_graders = RowGraders()
"""The grader of a Python worker, which keeps its sources for the next task."""


class FileTask(NamedTuple):
    """Grounds the file of a task."""

    source: str
    target: str
    options: dict[str, Any]

    def __call__(self, name: str) -> "BulkSummary":
        from groundwire.bulk.job import ground_file

        target = join_path(self.target, name)
        filesystem, inside = filesystem_of(target)
        if is_local(filesystem):
            Path(inside).parent.mkdir(parents=True, exist_ok=True)
        return ground_file(join_path(self.source, name), target, _graders=_graders, **self.options)


class _Grounding:
    """Grounds the batches of a task."""

    def __init__(
        self, policy: RowPolicy, sources: SourceLookup | None, memory_bytes: int, *, is_joined: bool = False
    ) -> None:
        self._policy = policy
        self._sources = sources
        self._memory_bytes = memory_bytes
        self._is_joined = is_joined

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield self._ground(batch)

    def _ground(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        ids = batch.schema.field(self._policy.source).type
        grade = _graders.grader(self._policy, self._sources, ids, workers=1, memory_bytes=self._memory_bytes)
        if not self._is_joined:
            return with_results(batch, grade(batch))
        given = batch.select([name for name in batch.schema.names if name not in (_TEXT, _KNOWN)])
        asked = given.set_column(
            given.schema.get_field_index(self._policy.source), self._policy.source, batch.column(_TEXT)
        )
        results = grade(asked)
        return with_results(given, self._unknown(given, batch.column(_KNOWN), results))

    def _unknown(self, given: pa.RecordBatch, known: pa.Array, results: pa.RecordBatch) -> pa.RecordBatch:
        """Return *results* with different errors for a null source and for an id that no source has."""
        import pyarrow.compute as pc

        is_unknown = pc.and_(pc.is_null(known), pc.is_valid(given.column(self._policy.source)))
        errors = results.column("error")
        if not pc.any(is_unknown).as_py():
            return results
        if pa.types.is_list(errors.type):
            named = [
                [UNKNOWN_SOURCE if error == "the source is null" else error for error in row] if unknown else row
                for row, unknown in zip(errors.to_pylist(), is_unknown.to_pylist(), strict=True)
            ]
            renamed = pa.array(named, errors.type)
        else:
            is_null_source = pc.and_(is_unknown, pc.equal(errors, "the source is null"))
            renamed = pc.if_else(is_null_source, UNKNOWN_SOURCE, errors)
        return results.set_column(results.schema.get_field_index("error"), "error", renamed)
