"""Where the rows with their results go: a file or a folder, local or behind a URL."""

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.fs as pafs

from groundwire.bulk.checkpoint import Checkpoint, parse_manifest
from groundwire.bulk.formats import Form, form_of
from groundwire.bulk.places import is_here, place_of, reason_of, shown
from groundwire.bulk.records import Manifest
from groundwire.errors import BulkError
from groundwire.private_files import open_private

__all__ = ["Output", "RemoteOutput", "find_output", "upload_text"]

_LOCAL = pafs.LocalFileSystem()


class Output(NamedTuple):
    """An output: where it is made on local disk, its encoding if it is one file, and the place to upload it to."""

    checkpoint: Checkpoint
    form: Form | None
    remote: "RemoteOutput | None"

    def exists(self) -> bool:
        """Tell whether there is an output already."""
        return self.checkpoint.output_exists() if self.remote is None else self.remote.exists()


class RemoteOutput:
    """
    The place of an output in an object store, where an object appears only when it is complete.

    Args:
        filesystem, path: The place.
        name: The place as messages show it.
        is_folder: Whether it is a folder of parts.
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

    def finished(self) -> Manifest | None:
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
            # Without a manifest nobody takes a mixture of old and new parts for a complete folder.
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

    def _size_bytes(self, manifest: Manifest) -> int:
        if not self._is_folder:
            size: int = self._filesystem.get_file_info(self._path).size or 0
            return size
        found = self._sizes()
        return sum(found.get(part.name, 0) for part in manifest.parts)

    def _sizes(self) -> dict[str, int]:
        """Return the sizes of the files in the folder by name."""
        found = self._filesystem.get_file_info(pafs.FileSelector(self._path, allow_not_found=True))
        return {info.base_name: info.size for info in found if info.type == pafs.FileType.File}

    def _delete(self, path: str) -> None:
        with suppress(FileNotFoundError):
            self._filesystem.delete_file(path)

    def _cannot_write(self, error: OSError, kept: str = "") -> BulkError:
        hint = "the same call uploads it" if kept else None
        return BulkError(f"cannot write `{self.name}`: {reason_of(error)}{kept}", hint)


def _check_size(path: Path, size_bytes: int | None) -> None:
    if size_bytes != path.stat().st_size:
        raise OSError(f"{size_bytes} of {path.stat().st_size} bytes have arrived")


def find_output(path: str | os.PathLike[str], work_dir: str | os.PathLike[str] | None = None) -> Output:
    """
    Return where the output goes.

    Args:
        path: A file, or a folder of parts; a path or a URL.
        work_dir: The folder where an output for a URL is made; None for the current one.

    Raises:
        BulkError: Nothing can be written there.
        ValueError: There is a *work_dir* for an output that is local.
    """
    filesystem, inside = place_of(path)
    name, is_local = shown(path), is_here(filesystem)
    if is_local and work_dir is not None:
        raise ValueError("work_dir is for an output behind a URL; a local output is made beside its place")
    if is_local:
        inside = _local_path(inside, name)
    else:
        inside = inside.rstrip("/")
        _check_store(filesystem, inside, name)
    kind = _kind(filesystem, inside, name)
    is_folder = name.endswith(("/", os.sep)) or kind == pafs.FileType.Directory
    form = None if is_folder else form_of(inside)
    if form is None and not is_folder and Path(inside).suffix:
        raise BulkError(
            f"the format of `{name}` is unknown",
            "a file's name ends in .parquet, .arrow, .jsonl or .csv (these two also with .gz or .zst); a folder's in /",
        )
    if form is None and kind in (pafs.FileType.File, pafs.FileType.Unknown):
        raise BulkError(f"cannot write `{name}`: it exists already, and is no folder")
    if is_local:
        return Output(Checkpoint(Path(inside), inside, is_folder=form is None), form, None)
    name = name.rstrip("/")
    remote = RemoteOutput(_bounded(filesystem), inside, name, is_folder=form is None)
    return Output(Checkpoint(_staging_path(name, work_dir), name, is_folder=form is None), form, remote)


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
    filesystem, inside = place_of(url)
    try:
        with open_private(inside, "wb") if is_here(filesystem) else filesystem.open_output_stream(inside) as opened:
            opened.write(content.encode())
    except OSError as error:
        raise BulkError(f"cannot write `{shown(url)}`: {reason_of(error)}") from error


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
        raise BulkError(f"cannot write `{name}`: {reason_of(error)}") from error
    raise BulkError(f"cannot write `{name}`: there is no folder `{path.parent}`")


def _kind(filesystem: Any, inside: str, name: str) -> Any:
    try:
        return filesystem.get_file_info(inside).type
    except OSError as error:
        raise BulkError(f"cannot write `{name}`: {reason_of(error)}") from error


def _bounded(filesystem: Any) -> Any:
    """Return the same filesystem with writes in the foreground; background writes keep a whole file in memory."""
    rebuild, (options,) = filesystem.__reduce__()
    return rebuild({**options, "background_writes": False})
