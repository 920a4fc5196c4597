"""Input files: local paths and URLs, folders and patterns, formats by suffix, and fingerprints."""

import fnmatch
import hashlib
import os
import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.fs as pafs

from groundwire.errors import BulkError
from groundwire.files import FolderListing, Skipped, list_folder
from groundwire.labels import closest

__all__ = [
    "FileEncoding",
    "FileFormat",
    "InputFile",
    "InputFingerprint",
    "file_encoding",
    "file_format",
    "filesystem_of",
    "find_inputs",
    "fingerprint",
    "is_in_input_set",
    "is_local",
    "join_path",
    "os_error_reason",
    "redact_url",
    "root_cause",
    "skipped_inputs",
]

_AWS_CODE = re.compile(r"AWS Error ([A-Z_]+)(?: \(HTTP status (\d+)\))?")
# Number of pieces of a file that the fingerprint hashes, spread from its beginning to its end.
_PIECES = 16
_PIECE_BYTES = 1 << 16
# The read-ahead of a file behind a URL.
_BUFFER_BYTES = 1 << 20
_WILDCARDS = frozenset("*?[")


class FileFormat(StrEnum):
    """A format of files of rows."""

    PARQUET = "parquet"
    ARROW = "arrow"
    JSONL = "jsonl"
    CSV = "csv"


class FileEncoding(NamedTuple):
    """A format and the compression of the whole file: "gzip", "zstd" or None. Parquet and Arrow compress inside."""

    format: FileFormat
    compression: str | None = None

    @property
    def suffix(self) -> str:
        """The suffix of the names of such files."""
        return f".{self.format}{_ENDS.get(self.compression or '', '')}"


_FORMATS = {
    **dict.fromkeys((".parquet", ".pq"), FileFormat.PARQUET),
    **dict.fromkeys((".arrow", ".arrows", ".ipc", ".feather"), FileFormat.ARROW),
    **dict.fromkeys((".jsonl", ".ndjson"), FileFormat.JSONL),
    ".csv": FileFormat.CSV,
}
_COMPRESSIONS = {".gz": "gzip", ".zst": "zstd", ".zstd": "zstd"}
_ENDS = {"gzip": ".gz", "zstd": ".zst"}


def file_encoding(name: str) -> FileEncoding | None:
    """Return the encoding that the suffix of *name* stands for, or None."""
    stem, dot, end = name.lower().rpartition(".")
    compression = _COMPRESSIONS.get(f"{dot}{end}")
    if compression is not None:
        _, dot, end = stem.rpartition(".")
    found = _FORMATS.get(f"{dot}{end}")
    if found is None or (compression is not None and found in (FileFormat.PARQUET, FileFormat.ARROW)):
        return None
    return FileEncoding(found, compression)


def file_format(name: str) -> FileFormat:
    """
    Return the format called *name*.

    Raises:
        BulkError: There is no such format.
    """
    if name not in list(FileFormat):
        guess = closest(name, FileFormat)
        allowed = ", ".join(FileFormat)
        raise BulkError(
            f"there is no format `{name}`; formats: {allowed}", f"did you mean `{guess}`?" if guess else None
        )
    return FileFormat(name)


def redact_url(path: str | os.PathLike[str]) -> str:
    """
    Return *path* as messages and manifests show it: a URL without its user and its options.

    These may contain keys and passwords.
    """
    name = os.fspath(path)
    scheme, mark, rest = name.partition("://")
    if not mark:
        return name
    rest = rest.partition("?")[0]
    host = rest.partition("/")[0]
    # A key may contain a slash that is not percent-encoded; then the host seems to end inside the key.
    if "@" in host or (":" in host and "@" in rest):
        rest = rest.rpartition("@")[2]
    return f"{scheme}://{rest}"


def filesystem_of(path: str | os.PathLike[str]) -> tuple[Any, str]:
    """
    Return the filesystem of *path*, a path or a URL, and the path in it.

    Raises:
        BulkError: There is no filesystem for such a URL, or it is broken.
    """
    name = os.fspath(path)
    if "://" not in name:
        return pafs.LocalFileSystem(), str(Path(name).absolute())
    scheme = name.partition(":")[0]
    try:
        filesystem, inside = pafs.FileSystem.from_uri(name)
    # Arrow's own message repeats the whole URL.
    except OSError as error:
        raise BulkError(f"cannot reach `{redact_url(name)}`: {os_error_reason(error)}") from None
    except (ImportError, NotImplementedError, ValueError) as error:
        if isinstance(error, pa.ArrowInvalid) and "Unrecognized filesystem" not in str(error):
            hint = "in a key, `/`, `+` and `@` are written `%2F`, `%2B` and `%40`; or keys come from the environment"
            raise BulkError(f"`{redact_url(name)}` is not a valid URL, or has unknown options", hint) from None
        raise BulkError(f"URLs that begin with `{scheme}:` are not supported") from None
    return filesystem, inside


def join_path(folder: str, name: str) -> str:
    """Return the path or URL of *name* in *folder*, with the options that the URL has."""
    if "://" not in folder:
        return str(Path(folder) / name)
    base, mark, options = folder.partition("?")
    return f"{base.rstrip('/')}/{name}{mark}{options}"


def is_local(filesystem: Any) -> bool:
    """Tell whether *filesystem* is local."""
    return bool(filesystem.type_name == "local")


def os_error_reason(error: OSError) -> str:
    """Return the reason of an error in a few words, without a path."""
    return root_cause(error) or type(error).__name__.lower()


def root_cause(error: BaseException) -> str | None:
    """Return the reason that the disk or the server gives; None if the content is at fault."""
    if found := _AWS_CODE.search(str(error)):
        code, status = found.groups()
        return code.lower().replace("_", " ") + (f" (HTTP status {status})" if status else "")
    if isinstance(error, OSError) and error.errno is not None:
        return os.strerror(error.errno).lower()
    return None


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file of rows: its filesystem and path, its encoding, its size and its time of change."""

    filesystem: Any
    path: str
    encoding: FileEncoding
    size_bytes: int
    modified_ns: int

    @property
    def name(self) -> str:
        """The file's path as messages show it."""
        return self.path

    def open(self) -> pa.NativeFile:
        """Open the file for random access."""
        return self.filesystem.open_input_file(self.path)

    def decompress(self, opened: pa.NativeFile) -> pa.NativeFile:
        """Return the decompressed content of *opened*, which is this file; its position shows the progress."""
        if self.encoding.compression is None:
            return opened
        # The decompressor reads little at a time, and a server would get a request each time.
        ahead = opened if is_local(self.filesystem) else pa.BufferedInputStream(opened, _BUFFER_BYTES)
        return pa.CompressedInputStream(ahead, self.encoding.compression)

    def stream(self) -> pa.NativeFile:
        """Open the decompressed file for reading from its beginning to its end."""
        return self.filesystem.open_input_stream(self.path, compression=self.encoding.compression)


class InputFingerprint(msgspec.Struct, frozen=True):
    """Shows whether a file has changed: path, size, time of change, and a hash of pieces spread over the file."""

    path: str
    size_bytes: int
    modified_ns: int
    pieces_sha256: str


def find_inputs(path: str | os.PathLike[str], read_as: FileFormat | None = None) -> list[InputFile]:
    """
    Return the files that *path* names, in the order of their names.

    A folder stands for the files with a known suffix in it and in its subfolders; names that begin with `.` or
    `_` are skipped, as in other programs. In a local folder, inputs are regular files, and links to
    regular files in the same folder.

    Args:
        path: A file, a folder, a pattern with `*`, `?` or `[`; or a URL of one.
        read_as: The format of the files, whatever their names say.

    Raises:
        BulkError: There is no such file, no file in the folder, or a file of unknown format.
    """
    filesystem, inside = filesystem_of(path)
    try:
        return _found(filesystem, inside, redact_url(path), read_as)
    except UnicodeError as error:
        raise BulkError(f"cannot read `{redact_url(path)}`: a name there is not UTF-8", "rename it") from error
    except OSError as error:
        raise BulkError(f"cannot read `{redact_url(path)}`: {os_error_reason(error)}") from error


def _found(filesystem: Any, inside: str, name: str, read_as: FileFormat | None) -> list[InputFile]:
    info = filesystem.get_file_info(inside)
    if info.type == pafs.FileType.File:
        encoding = _encoding(inside, read_as)
        if encoding is None:
            raise BulkError(
                f"the format of `{name}` is unknown", "use --input-format, or a name that ends in .parquet, ..."
            )
        return [_input(filesystem, info, encoding)]
    if info.type == pafs.FileType.Directory:
        files = _list_files(filesystem, inside, lambda _: True)
    elif _WILDCARDS & set(inside):
        files = _list_files(filesystem, _fixed_prefix(inside), lambda path: _matches(path, inside))
    elif info.type == pafs.FileType.Unknown:
        raise BulkError(f"`{name}` is neither a file nor a folder")
    else:
        raise BulkError(f"no file `{name}`", _suggestion(filesystem, inside))
    found = [(file, _encoding(file.path, read_as)) for file in files]
    inputs = [_input(filesystem, file, encoding) for file, encoding in found if encoding is not None]
    if not inputs:
        raise BulkError(
            f"no files of rows in `{name}`",
            "names end in .parquet, .arrow, .jsonl or .csv, or --input-format says what they are",
        )
    # Many programs leave empty text files, which have not even columns.
    filled = [
        file for file in inputs if file.size_bytes or file.encoding.format not in (FileFormat.JSONL, FileFormat.CSV)
    ]
    return filled or inputs[:1]


def _input(filesystem: Any, info: Any, encoding: FileEncoding) -> InputFile:
    return InputFile(filesystem, info.path, encoding, info.size or 0, info.mtime_ns or 0)


def _encoding(path: str, read_as: FileFormat | None) -> FileEncoding | None:
    """Return the encoding by the name, or the format *read_as* with the compression by the name."""
    named = file_encoding(path)
    if read_as is None or (named is not None and named.format is read_as):
        return named
    if read_as in (FileFormat.PARQUET, FileFormat.ARROW):
        return FileEncoding(read_as)
    end = PurePosixPath(path).suffix.lower()
    return FileEncoding(read_as, {".gz": "gzip", ".zst": "zstd", ".zstd": "zstd"}.get(end))


def _list_files(filesystem: Any, folder: str, is_wanted: Any) -> list[Any]:
    """Return the files below *folder* by name; a file that several links point to is there once."""
    if is_local(filesystem):
        found = filesystem.get_file_info([f"{folder.rstrip('/')}/{file.name}" for file in _listing(folder).files])
    else:
        found = filesystem.get_file_info(pafs.FileSelector(folder, recursive=True, allow_not_found=True))
    files = [info for info in found if info.type == pafs.FileType.File and is_wanted(info.path)]
    files = [info for info in files if not _is_hidden(info.path, folder)]
    if is_local(filesystem):
        # The shortest name counts: a link to a folder that contains it would give each file dozens of names.
        files.sort(key=lambda info: (info.path.count("/"), info.path), reverse=True)
        files = [*{os.path.realpath(info.path): info for info in files}.values()]
    return sorted(files, key=lambda info: info.path)


def _listing(folder: str) -> FolderListing:
    try:
        return list_folder(folder or "/")
    except FileNotFoundError:
        return FolderListing([], [])


def skipped_inputs(path: str | os.PathLike[str]) -> list[Skipped]:
    """
    Return the entries of a local folder, or of the folder of a pattern, that cannot be inputs.

    These are links out of the folder or to other folders, pipes, sockets, devices, and folders that cannot
    be listed. A single file or a URL has none.

    Raises:
        BulkError: There is no such filesystem, or the folder cannot be listed.
    """
    filesystem, inside = filesystem_of(path)
    if not is_local(filesystem):
        return []
    try:
        is_folder = filesystem.get_file_info(inside).type == pafs.FileType.Directory
        folder = inside if is_folder else _fixed_prefix(inside) if _WILDCARDS & set(inside) else None
        found = [] if folder is None else _listing(folder).skipped
    except OSError as error:
        raise BulkError(f"cannot read `{redact_url(path)}`: {os_error_reason(error)}") from error
    return [each for each in found if not _is_hidden(f"/{each.name}", "")]


def _is_hidden(path: str, folder: str) -> bool:
    return any(part[0] in "._" for part in path[len(folder) :].split("/") if part)


def _matches(path: str, pattern: str) -> bool:
    """Match each name on its own, so that `*` stops at a slash, as in a shell; `**` matches any folders."""
    if "**" in pattern:
        return fnmatch.fnmatchcase(path, pattern.replace("**/", "*"))
    parts, wanted = path.split("/"), pattern.split("/")
    return len(parts) == len(wanted) and all(map(fnmatch.fnmatchcase, parts, wanted))


def _fixed_prefix(pattern: str) -> str:
    parts = pattern.split("/")
    first_wild = next(index for index, part in enumerate(parts) if _WILDCARDS & set(part))
    return "/".join(parts[:first_wild])


def _suggestion(filesystem: Any, inside: str) -> str | None:
    folder, _, name = inside.rpartition("/")
    bucket = inside.partition("/")[0]
    if bucket and filesystem.get_file_info(bucket).type == pafs.FileType.NotFound:
        return f"there is no bucket `{bucket}` either"
    beside = filesystem.get_file_info(pafs.FileSelector(folder or "/", allow_not_found=True))
    guess = closest(name, [info.base_name for info in beside])
    return f"did you mean `{guess}`?" if guess else None


def fingerprint(file: InputFile) -> InputFingerprint:
    """
    Return the fingerprint of *file*.

    Raises:
        BulkError: It cannot be read.
    """
    digest = hashlib.sha256()
    try:
        # It may have grown since it was found.
        now = _input(file.filesystem, file.filesystem.get_file_info(file.path), file.encoding)
        step = max(1, (now.size_bytes - _PIECE_BYTES) // (_PIECES - 1))
        last = max(0, now.size_bytes - _PIECE_BYTES)
        with file.open() as opened:
            for start in sorted({min(piece * step, last) for piece in range(_PIECES)} | {last}):
                opened.seek(start)
                digest.update(opened.read(_PIECE_BYTES))
    except OSError as error:
        raise BulkError(f"cannot read `{file.name}`: {os_error_reason(error)}") from error
    return InputFingerprint(now.path, now.size_bytes, now.modified_ns, digest.hexdigest())


def is_in_input_set(filesystem: Any, file: str, path: str | os.PathLike[str]) -> bool:
    """Tell whether *file* of *filesystem* would be an input of *path*, a folder or a pattern."""
    its, inside = filesystem_of(path)
    if its.type_name != filesystem.type_name:
        return False
    kind = its.get_file_info(inside).type
    is_pattern = bool(_WILDCARDS & set(inside)) and kind == pafs.FileType.NotFound
    if not (is_pattern or kind == pafs.FileType.Directory):
        return False
    folder = _fixed_prefix(inside) if is_pattern else inside.rstrip("/")
    real = os.path.realpath(folder) if is_local(its) else folder
    if not file.startswith(f"{real}/") or _is_hidden(file, real):
        return False
    return not is_pattern or _matches(f"{folder}{file[len(real) :]}", inside)
