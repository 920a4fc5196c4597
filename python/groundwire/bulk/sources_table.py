"""The table of sources: a file, a table, or texts by their ids."""

import hashlib
import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.types as types

from groundwire.bulk.inputs import Fingerprint, InputFile, find_inputs, fingerprint
from groundwire.bulk.options import Rule, is_integer, is_text
from groundwire.bulk.places import reason_of, shown
from groundwire.bulk.reading import open_reader, read_chunks
from groundwire.errors import BulkError
from groundwire.labels import closest, show

__all__ = ["Sources", "find_sources", "fitted", "fixed"]

_CHUNK_BYTES = 64 << 20


class Sources(NamedTuple):
    """
    A table of sources.

    Attributes:
        print: What tells whether they are still the same.
        table: Reads them, and returns their columns `id` and `text`. Raises BulkError where they
            cannot be read, have no such columns, an id is missing or there twice.
    """

    print: Fingerprint
    table: Callable[[], pa.Table]


def find_sources(given: Any) -> Sources:
    """
    Return the sources that are meant; what is in a file is read later.

    Args:
        given: The path or URL of a file, texts by their ids, or whatever has Arrow's
            interface and these columns; or sources that were found before.

    Raises:
        BulkError: There is no such file, or what is given cannot be sources.
        TypeError: It is none of these.
    """
    if isinstance(given, Sources):
        return given
    if isinstance(given, str | os.PathLike):
        return _of_file(given)
    if isinstance(given, Mapping):
        return fixed(_of_mapping(given))
    if hasattr(given, "__arrow_c_stream__") or hasattr(given, "__arrow_c_array__"):
        return fixed(pa.table(given))
    raise TypeError(f"sources must be a path, a mapping of id to text or a table, got {type(given).__name__}")


def fixed(table: pa.Table) -> Sources:
    """Return the sources of a table."""
    checked = _checked(table, "sources")
    return Sources(_fingerprint(table), lambda: checked)


def _of_mapping(given: Mapping[Any, str]) -> pa.Table:
    try:
        return pa.table({"id": list(given), "text": pa.array(given.values(), pa.large_string())})
    except (pa.ArrowException, TypeError, OverflowError):
        raise BulkError("sources: ids must be all numbers or all text, and their texts str") from None


def _of_file(path: str | os.PathLike[str]) -> Sources:
    where = f"`{shown(path)}`"
    files = find_inputs(path)
    if len(files) != 1:
        raise BulkError(f"{where} has {len(files)} files, the table of sources is one")
    try:
        print_ = fingerprint(files[0])
    except OSError as error:
        raise BulkError(f"cannot read {where}: {reason_of(error)}") from error
    # Whoever has these sources already need not open the file: that alone reads texts, to learn how long they are.
    return Sources(print_, partial(_read, files[0], where))


def _read(file: InputFile, where: str) -> pa.Table:
    rule = Rule(quote="text", source="id")
    reader = open_reader(file, rule, keeps_lines=False, rows=_CHUNK_BYTES, size_bytes=_CHUNK_BYTES)
    batches = []
    for chunk in read_chunks(reader, file, 0):
        if chunk.problems:
            first = chunk.problems[0]
            raise BulkError(f"{where}, line {first.line}: {first.error}")
        batches.append(chunk.rows)
    return _checked(pa.Table.from_batches(batches, reader.schema), where)


def _fingerprint(table: pa.Table) -> Fingerprint:
    """Return the same for what is no file."""
    digest = hashlib.sha256()
    for name in table.column_names:
        digest.update(f"{name}\0{table.schema.field(name).type}\0".encode())
        for chunk in table.column(name).chunks:
            for buffer in pa.concat_arrays([chunk]).buffers():
                digest.update(b"" if buffer is None else buffer)
    return Fingerprint("", table.nbytes, 0, digest.hexdigest())


def _checked(table: pa.Table, where: str) -> pa.Table:
    """Return the columns of *table* that are needed."""
    for name in ("id", "text"):
        if name not in table.column_names:
            guess = closest(name, table.column_names)
            hint = f"did you mean {show(guess)}? It has to be called {show(name)}" if guess else None
            raise BulkError(f"{where} has no column {show(name)}; sources have an id and a text", hint)
    known, texts = table.schema.field("id").type, table.schema.field("text").type
    if not (is_text(known) or is_integer(known)):
        raise BulkError(f'{where}: column "id" must have strings or integers, has {known}')
    if not is_text(texts):
        raise BulkError(f'{where}: column "text" must have strings, has {texts}')
    ids = table.column("id")
    if ids.null_count:
        raise BulkError(f"{where}: {ids.null_count} sources have no id")
    if (repeated := len(ids) - len(ids.unique())) > 0:
        raise BulkError(f"{where}: {repeated} sources have the id of another one")
    return table.select(["id", "text"])


def fitted(sources: pa.Table, ids: pa.DataType) -> pa.Table:
    """Return *sources* with ids of the type that the rows ask with; CSV has numbers as text."""
    asked = ids.value_type if types.is_dictionary(ids) else ids
    known = sources.schema.field("id").type
    known = known.value_type if types.is_dictionary(known) else known
    if types.is_integer(asked) == types.is_integer(known):
        return sources
    try:
        column = sources.column("id").cast(pa.int64() if types.is_integer(asked) else pa.string())
    except pa.ArrowInvalid:
        raise BulkError("the rows ask for sources by number, and the table has ids that are no numbers") from None
    return sources.set_column(sources.schema.get_field_index("id"), "id", column)
