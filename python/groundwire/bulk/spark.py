"""
The rows of a Spark DataFrame: the same results, on as many machines as there are.

Each Python worker of an executor keeps its prepared sources from one batch to the next, and
from one task to the next where Spark keeps its workers, which it does by default. Rows that
need one source are best in one partition: each worker prepares what its rows ask for.
"""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import pyarrow as pa

from groundwire.bulk.inputs import find_inputs
from groundwire.bulk.judging import Judge, judge_of
from groundwire.bulk.options import Policy, Rule
from groundwire.bulk.places import place_of
from groundwire.bulk.sources_table import fitted, read_sources
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
    table = sources.select("id", "text").toArrow() if _is_frame(sources) else read_sources(sources)[0]
    return df.mapInArrow(_Grounding(rule, _sent(table, df.sparkSession), memory_bytes), schema)


def ground_files(
    session: Any, in_path: str | os.PathLike[str], out_path: str | os.PathLike[str], **options: Any
) -> "list[BulkSummary]":
    """
    Ground files by `ground_file`, each by a task of Spark's, and return what was found, file by file.

    No row passes through Java; what is added is that each file prepares its sources anew. A task that is done again
    goes on where the first one ended, and so does the same call.

    Args:
        session: A session of classic Spark.
        in_path: A folder. Its files are found here, and read by the executors.
        out_path: A folder on a disk that all executors see at this place; each file gets one of the same name.
        options: Those of `ground_file`, but functions; *workers* is 1 if nothing is said: a task has one core.

    Raises:
        BulkError: There are no files.
    """
    target = Path(out_path).absolute()
    source = os.fspath(in_path) if "://" in os.fspath(in_path) else str(Path(in_path).absolute())
    folder = PurePosixPath(place_of(source)[1])
    files = [PurePosixPath(file.path) for file in find_inputs(source)]
    if any(folder not in file.parents for file in files):
        raise BulkError(f"`{source}` must be a folder: each of its files has a task")
    names = [str(file.relative_to(folder)) for file in files]
    options = {"workers": 1, **options}

    def ground_one(name: str) -> "BulkSummary":
        from groundwire.bulk.files import ground_file

        (target / name).parent.mkdir(parents=True, exist_ok=True)
        return ground_file(f"{source}/{name}", target / name, **options)

    found: list[BulkSummary] = session.sparkContext.parallelize(names, len(names)).map(ground_one).collect()
    return found


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


class _Sources(NamedTuple):
    """A table of sources on its way to executors: what tells it from others, and its bytes or Spark's hold on them."""

    sha256: str
    packed: Any

    def table(self) -> pa.Table:
        """Return the table; in a Python worker this is where its bytes come over."""
        packed = self.packed if isinstance(self.packed, bytes) else self.packed.value
        with pa.ipc.open_stream(packed) as reader:
            table: pa.Table = reader.read_all()
        return table


def _sent(table: pa.Table, session: Any) -> _Sources:
    """
    Hand *table* to Spark, which sends it to each executor once.

    Spark Connect has no such way: there the bytes go with every task.
    """
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    packed = sink.getvalue().to_pybytes()
    digest = hashlib.sha256(packed).hexdigest()
    if _is_connect(session):
        return _Sources(digest, packed)
    return _Sources(digest, session.sparkContext.broadcast(packed))


def _is_connect(session: Any) -> bool:
    return ".connect." in type(session).__module__


_judges: dict[object, Judge] = {}
"""What judges rows, in a Python worker: kept for its next task."""


class _Grounding:
    """What a task does with its batches."""

    def __init__(self, rule: Rule, sources: _Sources | None, memory_bytes: int, *, is_joined: bool = False) -> None:
        self._rule = rule
        self._sources = sources
        self._memory_bytes = memory_bytes
        self._is_joined = is_joined

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield self._ground(batch)

    def _ground(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        judge = self._judge(batch.schema)
        if not self._is_joined:
            return _with(batch, judge(batch))
        given = batch.select([name for name in batch.schema.names if name not in (_TEXT, _KNOWN)])
        asked = given.set_column(
            given.schema.get_field_index(self._rule.source), self._rule.source, batch.column(_TEXT)
        )
        results = judge(asked)
        return _with(given, self._unknown(given, batch.column(_KNOWN), results))

    def _judge(self, schema: pa.Schema) -> Judge:
        ids = schema.field(self._rule.source).type
        key = (self._rule, None if self._sources is None else self._sources.sha256, ids, self._memory_bytes)
        if key not in _judges:
            # One at a time: what the last job asked for is not asked for again.
            _judges.clear()
            table = None if self._sources is None else fitted(self._sources.table(), ids)
            _judges[key] = judge_of(self._rule, table, workers=1, memory_bytes=self._memory_bytes)
        return _judges[key]

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
