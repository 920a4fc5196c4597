"""
The rows of a Spark DataFrame: the same results, on as many machines as there are.

Each Python worker of an executor keeps its prepared sources from one batch to the next, and
from one task to the next where Spark keeps its workers, which it does by default. Rows that
need one source are best in one partition: each worker prepares what its rows ask for.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import pyarrow as pa

from groundwire.bulk.inputs import find_inputs
from groundwire.bulk.judging import Judges
from groundwire.bulk.options import Policy, Rule
from groundwire.bulk.places import beneath, is_here, place_of, shown
from groundwire.bulk.sources_table import Sources, find_sources, fixed
from groundwire.errors import BulkError
from groundwire.labels import show

if TYPE_CHECKING:
    from groundwire.bulk.summary import BulkSummary

__all__ = ["ground", "ground_files"]

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
    threshold: float = 0.85,
    policy: Policy = "literal",
    memory_bytes: int = _MEMORY_BYTES,
) -> Any:
    """
    Return a DataFrame with the rows of *df* and what is said of them, as `ground_file` writes it.

    Nothing is computed before Spark is asked for it; tasks that fail are Spark's to do again.

    Args:
        df: A DataFrame of classic Spark or of Spark Connect.
        quote: The column with the quotes: strings, or arrays of strings.
        source: The column with the sources: their texts, or ids of *sources*.
        sources: The sources by id: a DataFrame with the columns `id` and `text`, or what
            `ground_file` takes, which is read here.
        joined: How sources get to the rows. False: all of them are sent to every executor once, for
            up to some gigabytes. True: Spark joins rows and sources, so that rows of one source
            come together; *sources* must be a DataFrame then.
        mode, threshold, policy: As for `ground_file`.
        memory_bytes: What prepared sources may take in each Python worker.

    Raises:
        BulkError: A column is missing, of another type, or called like a result.
        TypeError, ValueError: An option is of another type, or out of its range.
    """
    rule = Rule(quote=quote, source=source, mode=mode, threshold=threshold, policy=policy)
    _check(df, rule, has_ids=sources is not None)
    schema = _schema(df, rule)
    if sources is None:
        return df.mapInArrow(_Grounding(rule, None, memory_bytes), schema)
    if joined:
        return _joined(df, sources, rule, memory_bytes, schema)
    found = fixed(sources.select("id", "text").toArrow()) if _is_frame(sources) else find_sources(sources)
    return df.mapInArrow(_Grounding(rule, _sent(found, df.sparkSession), memory_bytes), schema)


def ground_files(
    session: Any, in_path: str | os.PathLike[str], out_path: str | os.PathLike[str], **options: Any
) -> "list[BulkSummary]":
    """
    Ground files by `ground_file`, each by a task of Spark's, and return what was found, file by file.

    No row passes through Java. A Python worker keeps the sources of its last file, prepared, for the next one, also of
    a later call. A task that is done again goes on where the first one ended, and so does the same call.

    Args:
        session: A session of classic Spark.
        in_path: A folder, or the URL of one. Its files are found here, and read by the executors.
        out_path: A folder on a disk that all executors see at this place, or one behind a URL; each file gets one of
            the same name.
        options: Those of `ground_file`, but functions; *workers* is 1 if nothing is said: a task has one core.
            A file of *sources* is read by the executors, a table or a mapping is sent to each of them once.

    Raises:
        BulkError: There are no files.
    """
    source, target = _anywhere(in_path), _anywhere(out_path)
    folder = PurePosixPath(place_of(source)[1])
    files = [PurePosixPath(file.path) for file in find_inputs(source)]
    if any(folder not in file.parents for file in files):
        raise BulkError(f"`{shown(source)}` must be a folder: each of its files has a task")
    names = [str(file.relative_to(folder)) for file in files]
    options = {"workers": 1, **options}
    if not isinstance(options.get("sources"), str | os.PathLike | None):
        options["sources"] = _sent(find_sources(options["sources"]), session)

    tasks = session.sparkContext.parallelize(names, len(names))
    found: list[BulkSummary] = tasks.map(_FileGrounding(source, target, options)).collect()
    return found


def _anywhere(path: str | os.PathLike[str]) -> str:
    """Return what means the same on every machine that has this disk."""
    name = os.fspath(path)
    return name if "://" in name else str(Path(name).absolute())


def _is_frame(given: Any) -> bool:
    return hasattr(given, "mapInArrow")


def _check(df: Any, rule: Rule, *, has_ids: bool) -> None:
    """Check the columns by what Arrow would call them."""
    from pyspark.sql import types

    from groundwire.bulk.options import check_columns

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
    check_columns(pa.schema(fields), rule, where="the DataFrame", has_ids=has_ids)


def _schema(df: Any, rule: Rule) -> Any:
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
    are_lists = isinstance(df.schema[rule.quote].dataType, types.ArrayType)
    added = [
        types.StructField(name, types.ArrayType(kinds[name]) if are_lists else kinds[name]) for name in rule.results
    ]
    return types.StructType([*df.schema.fields, *added])


def _joined(df: Any, sources: Any, rule: Rule, memory_bytes: int, schema: Any) -> Any:
    """Ground after a join; what no source has the id of is told as it is elsewhere."""
    from pyspark.sql import functions

    if not _is_frame(sources):
        raise TypeError(f"sources must be a DataFrame to be joined, got {type(sources).__name__}")
    for name in (_TEXT, _KNOWN):
        if name in df.columns:
            raise BulkError(f"the DataFrame has a column {show(name)}, whose name is needed")
    texts = sources.select(
        sources["id"].alias(f"{_KNOWN}_id"), sources["text"].alias(_TEXT), functions.lit(True).alias(_KNOWN)
    )
    rows = df.join(texts, df[rule.source] == texts[f"{_KNOWN}_id"], "left").drop(f"{_KNOWN}_id")
    return rows.mapInArrow(_Grounding(rule, None, memory_bytes, is_joined=True), schema)


@dataclass(frozen=True, slots=True)
class _Sent:
    """A table on its way to executors: its bytes, or Spark's hold on them."""

    packed: Any

    def __call__(self) -> pa.Table:
        """Return the table; in a Python worker this is where its bytes come over."""
        packed = self.packed if isinstance(self.packed, bytes) else self.packed.value
        with pa.ipc.open_stream(packed) as reader:
            table: pa.Table = reader.read_all()
        return table


def _sent(sources: Sources, session: Any) -> Sources:
    """
    Hand *sources* to Spark, which sends them to each executor once.

    Spark Connect has no such way: there the bytes go with every task.
    """
    table = sources.table()
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    packed = sink.getvalue().to_pybytes()
    return Sources(sources.print, _Sent(packed if _is_connect(session) else session.sparkContext.broadcast(packed)))


def _is_connect(session: Any) -> bool:
    return ".connect." in type(session).__module__


_judges = Judges()
"""What judges rows, in a Python worker: kept for its next task."""


class _FileGrounding(NamedTuple):
    """What a task does with its file."""

    source: str
    target: str
    options: dict[str, Any]

    def __call__(self, name: str) -> "BulkSummary":
        from groundwire.bulk.files import ground_file

        target = beneath(self.target, name)
        filesystem, inside = place_of(target)
        if is_here(filesystem):
            Path(inside).parent.mkdir(parents=True, exist_ok=True)
        return ground_file(beneath(self.source, name), target, _judges=_judges, **self.options)


class _Grounding:
    """What a task does with its batches."""

    def __init__(self, rule: Rule, sources: Sources | None, memory_bytes: int, *, is_joined: bool = False) -> None:
        self._rule = rule
        self._sources = sources
        self._memory_bytes = memory_bytes
        self._is_joined = is_joined

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield self._ground(batch)

    def _ground(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        ids = batch.schema.field(self._rule.source).type
        judge = _judges.judge(self._rule, self._sources, ids, workers=1, memory_bytes=self._memory_bytes)
        if not self._is_joined:
            return _with(batch, judge(batch))
        given = batch.select([name for name in batch.schema.names if name not in (_TEXT, _KNOWN)])
        asked = given.set_column(
            given.schema.get_field_index(self._rule.source), self._rule.source, batch.column(_TEXT)
        )
        results = judge(asked)
        return _with(given, self._unknown(given, batch.column(_KNOWN), results))

    def _unknown(self, given: pa.RecordBatch, known: pa.Array, results: pa.RecordBatch) -> pa.RecordBatch:
        """Return *results* that tell a source that is null from an id that no source has."""
        import pyarrow.compute as pc

        is_unknown = pc.and_(pc.is_null(known), pc.is_valid(given.column(self._rule.source)))
        errors = results.column("error")
        if not pc.any(is_unknown).as_py():
            return results
        if pa.types.is_list(errors.type):
            told = [
                [UNKNOWN_SOURCE if error == "the source is null" else error for error in row] if unknown else row
                for row, unknown in zip(errors.to_pylist(), is_unknown.to_pylist(), strict=True)
            ]
            renamed = pa.array(told, errors.type)
        else:
            is_told = pc.and_(is_unknown, pc.equal(errors, "the source is null"))
            renamed = pc.if_else(is_told, UNKNOWN_SOURCE, errors)
        return results.set_column(results.schema.get_field_index("error"), "error", renamed)


def _with(batch: pa.RecordBatch, results: pa.RecordBatch) -> pa.RecordBatch:
    names = [*batch.schema.names, *results.schema.names]
    return pa.RecordBatch.from_arrays([*batch.columns, *results.columns], names=names)
