"""
Writes partitions, assembles them into one output, and uploads an output that goes to a URL.

Partitions of one Parquet file are kept as Arrow, and each becomes one row group at the end. Parquet partitions would
have to be decoded and encoded again, which costs a fifth of a run; compressing Arrow costs a seventh.
"""

import base64
import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
import pyarrow.fs as pafs
import pyarrow.parquet as pq
import pyarrow.types as types

from groundwire.bulk.checkpoint import Checkpoint, parse_manifest
from groundwire.bulk.inputs import (
    FileEncoding,
    FileFormat,
    file_encoding,
    filesystem_of,
    is_local,
    os_error_reason,
    redact_url,
)
from groundwire.bulk.manifest import JobManifest
from groundwire.bulk.readers.delimited import LINE
from groundwire.delimited import FORMULA, FORMULA_STARTS, PLAIN_NUMBER, inert_cell
from groundwire.errors import BulkError
from groundwire.labels import show
from groundwire.private_files import open_private

__all__ = [
    "Output",
    "ParquetOptions",
    "RemoteOutput",
    "assemble_output",
    "check_parquet_schema",
    "find_output",
    "partition_encoding",
    "upload_text",
    "write_partition",
]

_LOCAL = pafs.LocalFileSystem()
_COPY_BYTES = 1 << 20
# Number of rows that are converted to text at once.
_STEP = 1 << 14
# Maximum rows of a row group. A partition has fewer, so it is one row group with one dictionary per column.
_GROUP_ROWS = 1 << 26
# A dictionary may have any size: otherwise 600 transcripts would be written out for each row.
_DICTIONARY_BYTES = (1 << 31) - 1
# Every value differs, so dictionaries cost time and save nothing.
_PLAIN = ("start", "end")
_FORMULA_STARTS = pa.array(sorted(FORMULA_STARTS))
# Texts with more bytes on average rarely repeat.
_LONG_BYTES = 32


class ParquetOptions(NamedTuple):
    """The properties of a Parquet output: the schema of the input for readers to see, and the compression."""

    schema: pa.Schema
    codec: str


def check_parquet_schema(schema: pa.Schema, where: str) -> None:
    """
    Check that Parquet can store these columns, because partitions of one Parquet file are kept as Arrow.

    Raises:
        BulkError: It cannot store a column, which the message names.
    """
    for field in schema:
        try:
            pq.write_table(pa.schema([field]).empty_table(), pa.BufferOutputStream())
        except pa.ArrowException:
            raise BulkError(
                f"{where}: column {show(field.name)} has a type that Parquet cannot store: {field.type}",
                "write to a name that ends in .arrow",
            ) from None


def partition_encoding(encoding: FileEncoding, *, is_folder: bool) -> FileEncoding:
    """Return the encoding of partitions for an output with this one."""
    return FileEncoding(FileFormat.ARROW) if encoding.format is FileFormat.PARQUET and not is_folder else encoding


def write_partition(
    path: Path, table: pa.Table, encoding: FileEncoding, options: ParquetOptions, *, has_header: bool
) -> None:
    """
    Write rows to a new file with mode 0600, durably.

    Args:
        path: The file.
        table: The rows with their results.
        encoding: The encoding.
        options: The properties of Parquet.
        has_header: Whether CSV begins with the names of the columns.

    Raises:
        OSError: It cannot be written, for example because the disk is full.
        BulkError: The format cannot store a value.
    """
    with _storable(encoding), open_private(path, "wb") as file:
        if encoding.format is FileFormat.PARQUET:
            _write_parquet([table.unify_dictionaries()], file, options)
        elif encoding.format is FileFormat.ARROW:
            _write_arrow(table, file)
        else:
            with pa.output_stream(file, compression=encoding.compression) as compressed:
                if encoding.format is FileFormat.CSV:
                    _write_csv(compressed, table, has_header=has_header)
                else:
                    _write_json_lines(compressed, table)
    _sync(path)


def assemble_output(partitions: Iterable[Path], target: Path, encoding: FileEncoding, options: ParquetOptions) -> None:
    """
    Write one file with the rows of all *partitions*, in their order.

    Raises:
        OSError: It cannot be written.
        BulkError: The format cannot store a value.
    """
    with _storable(encoding), open_private(target, "wb") as file:
        if encoding.format is FileFormat.PARQUET:
            _write_parquet(map(_read_arrow, partitions), file, options)
        elif encoding.format is FileFormat.ARROW:
            _write_arrow(pa.concat_tables(map(_read_arrow, partitions)), file)
        else:
            # Concatenated lines are a file again, and so are concatenated gzip or zstd files.
            for partition in partitions:
                with partition.open("rb") as opened:
                    shutil.copyfileobj(opened, file, _COPY_BYTES)
    _sync(target)


@contextmanager
def _storable(encoding: FileEncoding) -> Iterator[None]:
    """Report a value that a format cannot store, without the value: bytes as CSV, or the year 30000."""
    try:
        yield
    except (pa.ArrowException, LookupError, OverflowError, TypeError, ValueError) as error:
        raise BulkError(
            f"the rows have a value that {encoding.format} cannot store ({type(error).__name__})",
            "write to a name that ends in .arrow",
        ) from error


def _sync(path: Path) -> None:
    """Make the content of *path* durable."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _write_arrow(table: pa.Table, file: BinaryIO) -> None:
    # A file in Arrow's format has one dictionary for each column.
    whole = table.unify_dictionaries()
    with pa.ipc.new_file(file, whole.schema) as writer:
        writer.write_table(whole)


def _read_arrow(path: Path) -> pa.Table:
    """Return the rows of a partition; the file is mapped, so they are not read into memory."""
    return pa.ipc.open_file(pa.memory_map(str(path))).read_all()


def _write_parquet(tables: Iterable[pa.Table], file: BinaryIO, options: ParquetOptions) -> None:
    """Write each table as one row group; readers see text in columns that are dictionaries here."""
    writer: pq.ParquetWriter | None = None
    try:
        for table in tables:
            writer = writer or _open_parquet(file, table, options)
            writer.write_table(_fit(table, writer.schema), row_group_size=_GROUP_ROWS)
    finally:
        if writer is not None:
            writer.close()


def _open_parquet(file: BinaryIO, first: pa.Table, options: ParquetOptions) -> pq.ParquetWriter:
    schema, names = first.schema, first.schema.names
    fields = [options.schema.field(name) if name in options.schema.names else schema.field(name) for name in names]
    seen = pa.schema(fields, metadata=schema.metadata)
    writer = pq.ParquetWriter(
        file,
        schema,
        compression=options.codec,
        use_dictionary=[name for name in names if name not in _PLAIN and not _is_long(first, name)],
        # Minima and maxima of long texts are of no use, and finding them takes longer than everything else.
        write_statistics=[name for name in names if not types.is_dictionary(schema.field(name).type)],
        dictionary_pagesize_limit=_DICTIONARY_BYTES,
        # The description of the columns that Arrow's readers find is set below.
        store_schema=False,
    )
    writer.add_key_value_metadata({"ARROW:schema": base64.b64encode(seen.serialize().to_pybytes())})
    return writer


def _fit(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return *table* with the types of *schema*: a column may be a dictionary in one input file and text in another."""
    for index, field in enumerate(schema):
        column = table.column(index)
        if column.type == field.type:
            continue
        if types.is_dictionary(field.type):
            column = column.dictionary_encode().unify_dictionaries()
        table = table.set_column(index, field, column.cast(field.type))
    return table


def _is_long(table: pa.Table, name: str) -> bool:
    """Tell whether a column has texts that are in no dictionary: quotes, which rarely repeat."""
    kind = table.schema.field(name).type
    is_text = types.is_string(kind) or types.is_large_string(kind)
    return bool(is_text and table.column(name).nbytes > _LONG_BYTES * max(len(table), 1))


def _write_json_lines(file: Any, table: pa.Table) -> None:
    """Write a JSON object for each row; lines that were read stay as they are, with the results at their end."""
    for start in range(0, len(table), _STEP):
        for line in _json_lines(table.slice(start, _STEP)).to_pylist():
            file.write(line)


def _json_lines(rows: pa.Table) -> pa.Array:
    """Return the lines with their line ends."""
    pieces: list[Any] = []
    names = list(rows.schema.names)
    if LINE in names:
        pieces.append(_open_objects(rows.column(LINE)))
        names = names[names.index(LINE) + 1 :]
    else:
        pieces.append(b"{")
    for index, name in enumerate(names):
        comma = b"," if index else b""
        pieces += [comma + msgspec.json.encode(name) + b":", _to_json(rows.column(name))]
    pieces.append(b"}\n")
    scalars = [pa.scalar(piece, pa.large_binary()) if isinstance(piece, bytes) else piece for piece in pieces]
    joined = pc.binary_join_element_wise(*scalars, pa.scalar(b"", pa.large_binary()))
    return joined.combine_chunks() if isinstance(joined, pa.ChunkedArray) else joined


def _open_objects(lines: pa.ChunkedArray) -> pa.Array:
    """Return objects without their closing brace, ready for another field."""
    bodies = [line[:-1].rstrip() for line in lines.to_pylist()]
    return pa.array([body if body == b"{" else body + b"," for body in bodies], pa.large_binary())


def _to_json(column: pa.ChunkedArray) -> pa.Array:
    """Return each value as JSON in UTF-8."""
    array = column.combine_chunks()
    kind = array.type
    if types.is_boolean(kind) or types.is_integer(kind):
        encoded = array.cast(pa.string())
    elif types.is_dictionary(kind):
        encoded = _encode(array.dictionary).take(array.indices)
    else:
        encoded = _encode(array)
    return encoded.cast(pa.large_binary()).fill_null(b"null")


def _encode(array: pa.Array) -> pa.Array:
    values = _without_nanoseconds(array).to_pylist()
    return pa.array([None if value is None else msgspec.json.encode(value) for value in values], pa.large_binary())


def _without_nanoseconds(array: pa.Array) -> pa.Array:
    """
    Return *array* with times in microseconds, because Python's own types have no nanoseconds.

    If that would lose some, points in time become text, and durations integers.
    """
    kind = _in_microseconds(array.type)
    if kind == array.type:
        return array
    try:
        return array.cast(kind)
    except pa.ArrowInvalid:
        return array.cast(_in_microseconds(array.type, is_exact=False))


def _in_microseconds(kind: pa.DataType, *, is_exact: bool = True) -> pa.DataType:
    """Return *kind*, nested types included, without nanoseconds."""
    if types.is_struct(kind):
        fields = [kind.field(index) for index in range(kind.num_fields)]
        return pa.struct([field.with_type(_in_microseconds(field.type, is_exact=is_exact)) for field in fields])
    if types.is_map(kind):
        return pa.map_(*(_in_microseconds(each, is_exact=is_exact) for each in (kind.key_type, kind.item_type)))
    if types.is_list(kind) or types.is_large_list(kind):
        make = pa.large_list if types.is_large_list(kind) else pa.list_
        return make(_in_microseconds(kind.value_type, is_exact=is_exact))
    if not types.is_temporal(kind) or getattr(kind, "unit", None) != "ns":
        return kind
    if types.is_duration(kind):
        return pa.duration("us") if is_exact else pa.int64()
    if not is_exact:
        return pa.string()
    return pa.timestamp("us", kind.tz) if types.is_timestamp(kind) else pa.time64("us")


def _write_csv(file: Any, table: pa.Table, *, has_header: bool) -> None:
    """Write rows as CSV, in which no cell is a formula, see `inert_cell`; lists and structures become JSON."""
    if has_header:
        header = pa.table({inert_cell(name): pa.array([], pa.string()) for name in table.schema.names})
        pacsv.write_csv(header, file)
    for start in range(0, len(table), _STEP):
        rows = table.slice(start, _STEP)
        plain = pa.table({name: _to_csv(rows.column(name)) for name in rows.schema.names})
        pacsv.write_csv(plain, file, pacsv.WriteOptions(include_header=False))


def _to_csv(column: pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    if types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if types.is_string_view(column.type):
        column = column.cast(pa.string())
    if types.is_nested(column.type):
        return _to_json(column).cast(pa.large_string())
    if not (types.is_string(column.type) or types.is_large_string(column.type)):
        return column
    # Looking at first characters takes a quarter of the time of an expression.
    if not pc.any(pc.is_in(pc.utf8_slice_codeunits(column, 0, 1), value_set=_FORMULA_STARTS)).as_py():
        return column
    is_number = pc.match_substring_regex(column, f"^(?:{PLAIN_NUMBER})$")
    is_formula = pc.and_not(pc.match_substring_regex(column, f"^(?:{FORMULA})"), is_number)
    empty, mark = (pa.scalar(text, column.type) for text in ("", "'"))
    return pc.if_else(is_formula, pc.binary_join_element_wise(mark, column, empty), column)


class Output(NamedTuple):
    """An output: its checkpoint on local disk, its encoding if it is one file, and its location in an object store."""

    checkpoint: Checkpoint
    encoding: FileEncoding | None
    remote: "RemoteOutput | None"

    def exists(self) -> bool:
        """Tell whether there is an output already."""
        return self.checkpoint.output_exists() if self.remote is None else self.remote.exists()


class RemoteOutput:
    """
    An output in an object store, where an object appears only when it is complete.

    Args:
        filesystem, path: The location.
        name: The location as messages show it.
        is_folder: Whether it is a folder of partitions.
    """

    def __init__(self, filesystem: Any, path: str, name: str, *, is_folder: bool) -> None:
        self._filesystem, self._path, self.name, self._is_folder = filesystem, path, name, is_folder
        self._manifest, self._errors = f"{path}.manifest.json", f"{path}.errors.jsonl"

    def check_writable(self) -> None:
        """
        Write and delete an object beside the output.

        Raises:
            BulkError: The store does not allow it.
        """
        probe = f"{self._path}.groundwire-probe"
        try:
            with self._filesystem.open_output_stream(probe, compression=None) as opened:
                opened.write(b"groundwire")
            self._delete(probe)
        except OSError as error:
            raise self._cannot_write(error) from error

    def exists(self) -> bool:
        """
        Tell whether there is an output: an object, or something in the folder.

        Raises:
            BulkError: The store cannot be read.
        """
        try:
            if self._is_folder:
                return bool(self._sizes())
            return bool(self._filesystem.get_file_info(self._path).type == pafs.FileType.File)
        except OSError as error:
            raise self._cannot_write(error) from error

    def finished(self) -> JobManifest | None:
        """
        Return the manifest of a complete output, or None.

        Raises:
            BulkError: The store cannot be read.
        """
        try:
            with self._filesystem.open_input_stream(self._manifest, compression=None) as opened:
                manifest = parse_manifest(opened.read())
            is_whole = manifest is not None and self._size_bytes(manifest) == manifest.size_bytes
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._cannot_write(error) from error
        return manifest if is_whole else None

    def upload(self, made: Checkpoint) -> None:
        """
        Upload a finished output, its manifest last, and delete it from local disk.

        Raises:
            BulkError: It cannot be uploaded; it stays on local disk.
        """
        try:
            # Without a manifest nobody takes a mixture of old and new partitions for a complete folder.
            self._delete(self._manifest)
            if self._is_folder:
                self._upload_folder(made.output)
            else:
                self._upload_file(made.output, self._path)
            if made.errors.exists():
                self._upload_file(made.errors, self._errors)
            else:
                self._delete(self._errors)
            self._upload_file(made.manifest, self._manifest)
        except OSError as error:
            raise self._cannot_write(error, f"; the finished output is kept: `{made.output}`") from error
        made.remove_output()

    def _upload_folder(self, folder: Path) -> None:
        for name in self._sizes():
            if name.startswith("part-"):
                self._delete(f"{self._path}/{name}")
        pafs.copy_files(str(folder), self._path, source_filesystem=_LOCAL, destination_filesystem=self._filesystem)
        found = self._sizes()
        for path in folder.iterdir():
            _check_size(path, found.get(path.name))

    def _upload_file(self, path: Path, target: str) -> None:
        # In one call: a stream that an exception closes would leave the beginning as if it were the whole.
        pafs.copy_files(str(path), target, source_filesystem=_LOCAL, destination_filesystem=self._filesystem)
        _check_size(path, self._filesystem.get_file_info(target).size)

    def _size_bytes(self, manifest: JobManifest) -> int:
        if not self._is_folder:
            size: int = self._filesystem.get_file_info(self._path).size or 0
            return size
        found = self._sizes()
        return sum(found.get(record.name, 0) for record in manifest.partitions)

    def _sizes(self) -> dict[str, int]:
        """Return the sizes of the files in the folder by name."""
        found = self._filesystem.get_file_info(pafs.FileSelector(self._path, allow_not_found=True))
        return {info.base_name: info.size for info in found if info.type == pafs.FileType.File}

    def _delete(self, path: str) -> None:
        with suppress(FileNotFoundError):
            self._filesystem.delete_file(path)

    def _cannot_write(self, error: OSError, kept: str = "") -> BulkError:
        hint = "the same call uploads it" if kept else None
        reason = str(error) if isinstance(error, _IncompleteError) else os_error_reason(error)
        return BulkError(f"cannot write `{self.name}`: {reason}{kept}", hint)


class _IncompleteError(OSError):
    """Not all bytes have arrived. Its text contains no path."""


def _check_size(path: Path, size_bytes: int | None) -> None:
    if size_bytes != path.stat().st_size:
        raise _IncompleteError(f"{size_bytes or 0:,} of {path.stat().st_size:,} bytes have arrived")


def find_output(path: str | os.PathLike[str], work_dir: str | os.PathLike[str] | None = None) -> Output:
    """
    Return where the output goes.

    Args:
        path: A file, or a folder of partitions; a path or a URL.
        work_dir: The folder where an output for a URL is made; None for the current one.

    Raises:
        BulkError: Nothing can be written there.
        ValueError: There is a *work_dir* for an output that is local.
    """
    filesystem, inside = filesystem_of(path)
    name, is_remote = redact_url(path), not is_local(filesystem)
    if not is_remote and work_dir is not None:
        raise ValueError("work_dir is for an output behind a URL; a local output is made beside its place")
    if is_remote:
        inside = inside.rstrip("/")
        _check_store(filesystem, inside, name)
    else:
        inside = _local_path(inside, name)
    kind = _kind(filesystem, inside, name)
    is_folder = name.endswith(("/", os.sep)) or kind == pafs.FileType.Directory
    encoding = None if is_folder else file_encoding(inside)
    if encoding is None and not is_folder and Path(inside).suffix:
        raise BulkError(
            f"the format of `{name}` is unknown",
            "a file's name ends in .parquet, .arrow, .jsonl or .csv (these two also with .gz or .zst); a folder's in /",
        )
    if encoding is None and kind in (pafs.FileType.File, pafs.FileType.Unknown):
        raise BulkError(f"cannot write `{name}`: it exists already, and is no folder")
    if not is_remote:
        return Output(Checkpoint(Path(inside), inside, is_folder=encoding is None), encoding, None)
    name = name.rstrip("/")
    remote = RemoteOutput(_bounded(filesystem), inside, name, is_folder=encoding is None)
    return Output(Checkpoint(_staging_path(name, work_dir), name, is_folder=encoding is None), encoding, remote)


def _staging_path(name: str, work_dir: str | os.PathLike[str] | None) -> Path:
    """Return where the output of that name is made before it is uploaded; no input begins with `_`."""
    folder = Path.cwd() if work_dir is None else Path(work_dir).absolute()
    if not folder.is_dir():
        raise BulkError(f"cannot write `{name}`: there is no folder `{folder}` to make it in")
    digest = hashlib.sha256(name.encode()).hexdigest()[:8]
    return folder / f"_{name.rpartition('/')[2]}-{digest}"


def upload_text(url: str, content: str) -> None:
    """
    Write a text behind a URL.

    Raises:
        BulkError: It cannot be written.
    """
    filesystem, inside = filesystem_of(url)
    try:
        with open_private(inside, "wb") if is_local(filesystem) else filesystem.open_output_stream(inside) as opened:
            opened.write(content.encode())
    except OSError as error:
        raise BulkError(f"cannot write `{redact_url(url)}`: {os_error_reason(error)}") from error


def _check_store(filesystem: Any, inside: str, name: str) -> None:
    if filesystem.type_name != "s3":
        # Other stores were not tested for objects that appear only when they are complete.
        raise BulkError(
            f"cannot write `{name}`: outputs are local files or go to s3://", "write a local file and copy it"
        )
    if "/" not in inside:
        raise BulkError(f"cannot write `{name}`: it is a whole bucket", "name a folder or a file in it")


def _local_path(inside: str, name: str) -> str:
    """Return the path of a local output, whose folder must exist."""
    try:
        name.encode()
        path = Path(inside)
        # The manifest is named after the output, and `..` is no name.
        path = path.resolve() if path.name == ".." else path
        if path.parent.is_dir():
            return str(path)
    except UnicodeError as error:
        raise BulkError(f"cannot write `{name}`: the name is not UTF-8") from error
    except OSError as error:
        raise BulkError(f"cannot write `{name}`: {os_error_reason(error)}") from error
    raise BulkError(f"cannot write `{name}`: there is no folder `{path.parent}`")


def _kind(filesystem: Any, inside: str, name: str) -> Any:
    try:
        return filesystem.get_file_info(inside).type
    except OSError as error:
        raise BulkError(f"cannot write `{name}`: {os_error_reason(error)}") from error


def _bounded(filesystem: Any) -> Any:
    """Return the same filesystem with writes in the foreground; background writes keep a whole file in memory."""
    rebuild, (options,) = filesystem.__reduce__()
    return rebuild({**options, "background_writes": False})
