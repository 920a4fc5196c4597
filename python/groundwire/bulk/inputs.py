"""Which files are read: one, those of a folder, those that match a pattern; here or behind a URL."""

import fnmatch
import hashlib
import os
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.fs as pafs

from groundwire.bulk.formats import Form, Format, form_of
from groundwire.bulk.places import is_here, place_of, reason_of, shown
from groundwire.errors import BulkError
from groundwire.files import FolderListing, Skipped, list_folder
from groundwire.labels import closest

__all__ = ["Fingerprint", "InputFile", "find_inputs", "fingerprint", "is_among", "skipped_inputs"]

# Of a file so many pieces are hashed, from its beginning to its end.
_PIECES = 16
_PIECE_BYTES = 1 << 16
# What is read ahead of a file behind a URL.
_BUFFER_BYTES = 1 << 20
_WILD = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file of rows: where it is, what it is, and how long."""

    filesystem: Any
    path: str
    form: Form
    size_bytes: int
    modified_ns: int

    @property
    def name(self) -> str:
        """The file's path as messages show it."""
        return self.path

    def open(self) -> pa.NativeFile:
        """Return the file for reading at any place."""
        return self.filesystem.open_input_file(self.path)

    def unpacked(self, packed: pa.NativeFile) -> pa.NativeFile:
        """Return what *packed*, this file, is when it is unpacked; *packed* tells how far it is read."""
        if self.form.compression is None:
            return packed
        # What unpacks asks for little at a time; of a server each time would be a request.
        ahead = packed if is_here(self.filesystem) else pa.BufferedInputStream(packed, _BUFFER_BYTES)
        return pa.CompressedInputStream(ahead, self.form.compression)

    def stream(self) -> pa.NativeFile:
        """Return what the file is when it is unpacked, for reading from its beginning to its end."""
        return self.filesystem.open_input_stream(self.path, compression=self.form.compression)


class Fingerprint(msgspec.Struct, frozen=True):
    """What tells whether a file is still the same: size, time of change, and a hash of pieces all over it."""

    path: str
    size_bytes: int
    modified_ns: int
    pieces_sha256: str


def find_inputs(path: str | os.PathLike[str], read_as: Format | None = None) -> list[InputFile]:
    """
    Return the files that *path* names, in the order of their names.

    Of folders those whose names tell their format, also in folders inside; what begins
    with `.` or `_` is passed over, as other programs do. In a folder of this machine only
    regular files are inputs, and links to such files in the same folder.

    Args:
        path: A file, a folder, a pattern with `*`, `?` or `[`; or a URL of one.
        read_as: Read them as this, whatever their names tell.

    Raises:
        BulkError: There is no such file, nothing in the folder, or a file whose format nothing tells.
    """
    filesystem, inside = place_of(path)
    try:
        return _found(filesystem, inside, shown(path), read_as)
    except UnicodeError as error:
        raise BulkError(f"cannot read `{shown(path)}`: a name there is not UTF-8", "rename it") from error
    except OSError as error:
        raise BulkError(f"cannot read `{shown(path)}`: {reason_of(error)}") from error


def _found(filesystem: Any, inside: str, name: str, read_as: Format | None) -> list[InputFile]:
    info = filesystem.get_file_info(inside)
    if info.type == pafs.FileType.File:
        form = _form(inside, read_as)
        if form is None:
            raise BulkError(f"nothing tells the format of `{name}`", "--format, or a name that ends in .parquet, ...")
        return [_input(filesystem, info, form)]
    if info.type == pafs.FileType.Directory:
        files = _listed(filesystem, inside, lambda _: True)
    elif _WILD & set(inside):
        files = _listed(filesystem, _fixed_part(inside), lambda path: _matches(path, inside))
    elif info.type == pafs.FileType.Unknown:
        raise BulkError(f"`{name}` is neither a file nor a folder")
    else:
        raise BulkError(f"no file `{name}`", _suggestion(filesystem, inside))
    inputs = [_input(filesystem, file, form) for file in files if (form := _form(file.path, read_as)) is not None]
    if not inputs:
        raise BulkError(
            f"no files of rows in `{name}`", "names end in .parquet, .arrow, .jsonl or .csv, or --format tells"
        )
    # Text without a line says nothing, not even of its columns: many programs leave such files.
    filled = [file for file in inputs if file.size_bytes or file.form.format not in (Format.JSONL, Format.CSV)]
    return filled or inputs[:1]


def _input(filesystem: Any, info: Any, form: Form) -> InputFile:
    return InputFile(filesystem, info.path, form, info.size or 0, info.mtime_ns or 0)


def _form(path: str, read_as: Format | None) -> Form | None:
    """Return the form that the name tells, or *read_as*; what it is packed with is told by the name."""
    told = form_of(path)
    if read_as is None:
        return told
    if told is not None and told.format is read_as:
        return told
    if read_as in (Format.PARQUET, Format.ARROW):
        return Form(read_as)
    end = PurePosixPath(path).suffix.lower()
    return Form(read_as, {".gz": "gzip", ".zst": "zstd", ".zstd": "zstd"}.get(end))


def _listed(filesystem: Any, folder: str, is_wanted: Any) -> list[Any]:
    """Return the files below *folder*, by name. One that links lead to several times is there once."""
    if is_here(filesystem):
        found = filesystem.get_file_info([f"{folder.rstrip('/')}/{file.name}" for file in _listing(folder).files])
    else:
        found = filesystem.get_file_info(pafs.FileSelector(folder, recursive=True, allow_not_found=True))
    files = [info for info in found if info.type == pafs.FileType.File and is_wanted(info.path)]
    files = [info for info in files if not _is_hidden(info.path, folder)]
    if is_here(filesystem):
        # Of several names the shortest: a link to a folder that it stands in would give each file dozens.
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
    Return what is in a folder of this machine, or below the fixed part of a pattern, and cannot be an input.

    These are links that lead out of the folder or to other folders, pipes, sockets, devices, and folders that cannot
    be listed. For a single file or a URL there are none.

    Raises:
        BulkError: There is no such filesystem, or the folder cannot be listed.
    """
    filesystem, inside = place_of(path)
    if not is_here(filesystem):
        return []
    try:
        is_folder = filesystem.get_file_info(inside).type == pafs.FileType.Directory
        folder = inside if is_folder else _fixed_part(inside) if _WILD & set(inside) else None
        found = [] if folder is None else _listing(folder).skipped
    except OSError as error:
        raise BulkError(f"cannot read `{shown(path)}`: {reason_of(error)}") from error
    return [each for each in found if not _is_hidden(f"/{each.name}", "")]


def _is_hidden(path: str, folder: str) -> bool:
    return any(part[0] in "._" for part in path[len(folder) :].split("/") if part)


def _matches(path: str, pattern: str) -> bool:
    """Compare part by part, so that `*` stops at a slash, as in a shell; `**` stands for any folders."""
    if "**" in pattern:
        return fnmatch.fnmatchcase(path, pattern.replace("**/", "*"))
    parts, wanted = path.split("/"), pattern.split("/")
    return len(parts) == len(wanted) and all(map(fnmatch.fnmatchcase, parts, wanted))


def _fixed_part(pattern: str) -> str:
    parts = pattern.split("/")
    first_wild = next(place for place, part in enumerate(parts) if _WILD & set(part))
    return "/".join(parts[:first_wild])


def _suggestion(filesystem: Any, inside: str) -> str | None:
    folder, _, name = inside.rpartition("/")
    bucket = inside.partition("/")[0]
    if bucket and filesystem.get_file_info(bucket).type == pafs.FileType.NotFound:
        return f"there is no bucket `{bucket}` either"
    beside = filesystem.get_file_info(pafs.FileSelector(folder or "/", allow_not_found=True))
    guess = closest(name, [info.base_name for info in beside])
    return f"did you mean `{guess}`?" if guess else None


def fingerprint(file: InputFile) -> Fingerprint:
    """
    Return what tells whether *file* is still the same.

    Raises:
        BulkError: It cannot be read.
    """
    digest = hashlib.sha256()
    try:
        # It may have grown since it was found.
        now = _input(file.filesystem, file.filesystem.get_file_info(file.path), file.form)
        step = max(1, (now.size_bytes - _PIECE_BYTES) // (_PIECES - 1))
        last = max(0, now.size_bytes - _PIECE_BYTES)
        with file.open() as opened:
            for start in sorted({min(piece * step, last) for piece in range(_PIECES)} | {last}):
                opened.seek(start)
                digest.update(opened.read(_PIECE_BYTES))
    except OSError as error:
        raise BulkError(f"cannot read `{file.name}`: {reason_of(error)}") from error
    return Fingerprint(now.path, now.size_bytes, now.modified_ns, digest.hexdigest())


def is_among(filesystem: Any, place: str, path: str | os.PathLike[str]) -> bool:
    """Tell whether a file at *place* of *filesystem* would be among those of *path*, a folder or a pattern."""
    its, inside = place_of(path)
    if its.type_name != filesystem.type_name:
        return False
    kind = its.get_file_info(inside).type
    is_pattern = bool(_WILD & set(inside)) and kind == pafs.FileType.NotFound
    if not (is_pattern or kind == pafs.FileType.Directory):
        return False
    folder = _fixed_part(inside) if is_pattern else inside.rstrip("/")
    real = os.path.realpath(folder) if is_here(its) else folder
    if not place.startswith(f"{real}/") or _is_hidden(place, real):
        return False
    return not is_pattern or _matches(f"{folder}{place[len(real) :]}", inside)
