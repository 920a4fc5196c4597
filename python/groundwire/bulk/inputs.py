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
from groundwire.labels import closest

__all__ = ["Fingerprint", "InputFile", "find_inputs", "fingerprint"]

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
    with `.` or `_` is passed over, as other programs do.

    Args:
        path: A file, a folder, a pattern with `*`, `?` or `[`; or a URL of one.
        read_as: Read them as this, whatever their names tell.

    Raises:
        BulkError: There is no such file, nothing in the folder, or a file whose format nothing tells.
    """
    filesystem, inside = place_of(path)
    try:
        return _found(filesystem, inside, shown(path), read_as)
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
    else:
        raise BulkError(f"no file `{name}`", _suggestion(filesystem, inside))
    inputs = [_input(filesystem, file, form) for file in files if (form := _form(file.path, read_as)) is not None]
    if not inputs:
        raise BulkError(
            f"no files of rows in `{name}`", "names end in .parquet, .arrow, .jsonl or .csv, or --format tells"
        )
    return inputs


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
    """Return the files below *folder*, by name."""
    found = filesystem.get_file_info(pafs.FileSelector(folder, recursive=True, allow_not_found=True))
    files = (info for info in found if info.type == pafs.FileType.File and is_wanted(info.path))
    return sorted((info for info in files if not _is_hidden(info.path, folder)), key=lambda info: info.path)


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
    step = max(1, (file.size_bytes - _PIECE_BYTES) // (_PIECES - 1))
    last = max(0, file.size_bytes - _PIECE_BYTES)
    try:
        with file.open() as opened:
            for start in sorted({min(piece * step, last) for piece in range(_PIECES)} | {last}):
                opened.seek(start)
                digest.update(opened.read(_PIECE_BYTES))
    except OSError as error:
        raise BulkError(f"cannot read `{file.name}`: {reason_of(error)}") from error
    return Fingerprint(file.path, file.size_bytes, file.modified_ns, digest.hexdigest())
