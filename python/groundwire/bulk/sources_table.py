"""The table of sources: a file, a table, or texts by their ids."""

import hashlib
import os
from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.types as types

from groundwire.bulk.inputs import Fingerprint, find_inputs, fingerprint
from groundwire.bulk.options import Rule, is_integer, is_text
from groundwire.bulk.places import shown
from groundwire.bulk.reading import open_reader, read_chunks
from groundwire.errors import BulkError
from groundwire.labels import closest, show

__all__ = ["fitted", "read_sources"]

_CHUNK_BYTES = 64 << 20


def read_sources(given: Any) -> tuple[pa.Table, Fingerprint]:
    """
    Return the columns `id` and `text` of sources, and what tells whether they are still the same.

    Args:
        given: The path or URL of a file, texts by their ids, or whatever has Arrow's
            interface and these columns.

    Raises:
        BulkError: It cannot be read, has no such columns, an id is missing or there twice.
        TypeError: It is none of these.
    """
    if isinstance(given, str | os.PathLike):
        where, (table, print_) = f"`{shown(given)}`", _of_file(given)
    elif isinstance(given, Mapping):
        where, table = "sources", _of_mapping(given)
        print_ = _fingerprint(table)
    elif hasattr(given, "__arrow_c_stream__") or hasattr(given, "__arrow_c_array__"):
        where, table = "sources", pa.table(given)
        print_ = _fingerprint(table)
    else:
        raise TypeError(f"sources must be a path, a mapping of id to text or a table, got {type(given).__name__}")
    _check(table, where)
    return table.select(["id", "text"]), print_


def _of_mapping(given: Mapping[Any, str]) -> pa.Table:
    try:
        return pa.table({"id": list(given), "text": pa.array(given.values(), pa.large_string())})
    except (pa.ArrowException, TypeError, OverflowError):
        raise BulkError("sources: ids must be all numbers or all text, and their texts str") from None


def _of_file(path: str | os.PathLike[str]) -> tuple[pa.Table, Fingerprint]:
    files = find_inputs(path)
    if len(files) != 1:
        raise BulkError(f"`{shown(path)}` has {len(files)} files, the table of sources is one")
    rule = Rule(quote="text", source="id")
    reader = open_reader(files[0], rule, keeps_lines=False, rows=_CHUNK_BYTES, size_bytes=_CHUNK_BYTES)
    batches = []
    for chunk in read_chunks(reader, files[0], 0):
        if chunk.problems:
            first = chunk.problems[0]
            raise BulkError(f"`{files[0].name}`, line {first.line}: {first.error}")
        batches.append(chunk.rows)
    return pa.Table.from_batches(batches, reader.schema), fingerprint(files[0])


def _fingerprint(table: pa.Table) -> Fingerprint:
    """Return the same for what is no file."""
    digest = hashlib.sha256()
    for name in table.column_names:
        digest.update(f"{name}\0{table.schema.field(name).type}\0".encode())
        for chunk in table.column(name).chunks:
            for buffer in pa.concat_arrays([chunk]).buffers():
                digest.update(b"" if buffer is None else buffer)
    return Fingerprint("", table.nbytes, 0, digest.hexdigest())


def _check(table: pa.Table, where: str) -> None:
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
