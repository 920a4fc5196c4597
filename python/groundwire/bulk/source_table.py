"""The table of sources: a file, a table, or texts by id."""

import hashlib
import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.types as types

from groundwire.bulk.inputs import (
    InputFile,
    InputFingerprint,
    find_inputs,
    fingerprint,
    redact_url,
)
from groundwire.bulk.policies import RowPolicy, is_integer, is_text
from groundwire.bulk.readers import open_reader, read_chunks
from groundwire.errors import BulkError
from groundwire.labels import closest, plural, show

__all__ = ["SourceLookup", "find_sources"]

_CHUNK_BYTES = 64 << 20


class SourceLookup(NamedTuple):
    """
    A table of sources.

    Attributes:
        fingerprint: Shows whether the sources have changed.
        table: Reads the sources, and returns the columns `id` and `text`. Raises BulkError if they
            cannot be read, lack these columns, or if an id is null or repeated.
    """

    fingerprint: InputFingerprint
    table: Callable[[], pa.Table]

    @classmethod
    def from_table(cls, table: pa.Table) -> "SourceLookup":
        """
        Return the sources of a table.

        Raises:
            BulkError: It has no such columns, or an id is null or repeated.
        """
        checked = _check_table(table, "sources")
        return cls(_fingerprint_table(table), lambda: checked)

    def read(self, ids: pa.DataType) -> pa.Table:
        """
        Return the sources with ids of the type *ids*, as the rows have them; CSV has numbers as text.

        Raises:
            BulkError: The sources cannot be read, or have ids of another type.
        """
        sources = self.table()
        asked = ids.value_type if types.is_dictionary(ids) else ids
        known = sources.schema.field("id").type
        known = known.value_type if types.is_dictionary(known) else known
        if types.is_integer(asked) == types.is_integer(known):
            return sources
        try:
            column = sources.column("id").cast(pa.int64() if types.is_integer(asked) else pa.string())
        except pa.ArrowInvalid:
            raise BulkError(
                "the rows have numbers as ids, and the ids in the table of sources are not numbers"
            ) from None
        return sources.set_column(sources.schema.get_field_index("id"), "id", column)


def find_sources(given: Any) -> SourceLookup:
    """
    Return the sources; a file is read later.

    Args:
        given: The path or URL of a file, a mapping of ids to texts, an object with Arrow's
            interface and these columns, or a `SourceLookup`.

    Raises:
        BulkError: There is no such file, or *given* cannot be sources.
        TypeError: *given* has another type.
    """
    if isinstance(given, SourceLookup):
        return given
    if isinstance(given, str | os.PathLike):
        return _from_file(given)
    if isinstance(given, Mapping):
        return SourceLookup.from_table(_mapping_to_table(given))
    if hasattr(given, "__arrow_c_stream__") or hasattr(given, "__arrow_c_array__"):
        return SourceLookup.from_table(pa.table(given))
    raise TypeError(f"sources must be a path, a mapping of id to text or a table, got {type(given).__name__}")


def _mapping_to_table(given: Mapping[Any, str]) -> pa.Table:
    try:
        return pa.table({"id": list(given), "text": pa.array(given.values(), pa.large_string())})
    except (pa.ArrowException, TypeError, OverflowError):
        raise BulkError("sources: ids must be all numbers or all text, and their texts str") from None


def _from_file(path: str | os.PathLike[str]) -> SourceLookup:
    where = f"`{redact_url(path)}`"
    files = find_inputs(path)
    if len(files) != 1:
        raise BulkError(f"{where} has {len(files)} files, but the table of sources must be one")
    # A job that has these sources prepared need not even open the file.
    return SourceLookup(fingerprint(files[0]), partial(_read_file, files[0], where))


def _read_file(file: InputFile, where: str) -> pa.Table:
    policy = RowPolicy(quote="text", source="id")
    reader = open_reader(file, policy, keeps_lines=False, rows=_CHUNK_BYTES, size_bytes=_CHUNK_BYTES)
    batches = []
    for chunk in read_chunks(reader, file, 0):
        if chunk.malformed:
            first = chunk.malformed[0]
            raise BulkError(f"{where}, line {first.number}: {first.error}")
        batches.append(chunk.rows)
    return _check_table(pa.Table.from_batches(batches, reader.schema), where)


def _fingerprint_table(table: pa.Table) -> InputFingerprint:
    digest = hashlib.sha256()
    for name in table.column_names:
        digest.update(f"{name}\0{table.schema.field(name).type}\0".encode())
        for chunk in table.column(name).chunks:
            for buffer in pa.concat_arrays([chunk]).buffers():
                digest.update(b"" if buffer is None else buffer)
    return InputFingerprint("", table.nbytes, 0, digest.hexdigest())


def _check_table(table: pa.Table, where: str) -> pa.Table:
    """Return the columns `id` and `text` of *table*."""
    for name in ("id", "text"):
        if name not in table.column_names:
            guess = closest(name, table.column_names)
            hint = f"did you mean {show(guess)}? It must be called {show(name)}" if guess else None
            raise BulkError(f"{where} has no column {show(name)}; sources have an id and a text", hint)
    known, texts = table.schema.field("id").type, table.schema.field("text").type
    if not (is_text(known) or is_integer(known)):
        raise BulkError(f'{where}: column "id" must have strings or integers, has {known}')
    if not is_text(texts):
        raise BulkError(f'{where}: column "text" must have strings, has {texts}')
    ids = table.column("id")
    if ids.null_count:
        raise BulkError(f"{where}: {plural(ids.null_count, 'source has', 'sources have')} no id")
    if (repeated := len(ids) - len(ids.unique())) > 0:
        raise BulkError(f"{where}: {plural(repeated, 'source has', 'sources have')} the id of another one")
    return table.select(["id", "text"])
