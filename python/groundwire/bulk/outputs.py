"""Where rows with their results go: a file or a folder, here or behind a URL."""

import os
from pathlib import Path
from typing import Any

import pyarrow.fs as pafs

from groundwire.bulk.formats import Form, form_of
from groundwire.bulk.places import is_here, place_of, reason_of, shown
from groundwire.bulk.workspace import Workspace
from groundwire.errors import BulkError
from groundwire.private_files import open_private

__all__ = ["find_output", "put_file"]


def find_output(path: str | os.PathLike[str]) -> tuple[Workspace, Form | None]:
    """
    Return the place of the output, and what is written there if that is one file.

    Raises:
        BulkError: Nothing can be written there.
    """
    filesystem, inside = place_of(path)
    name, is_local = shown(path), is_here(filesystem)
    if is_local:
        inside = _place_here(inside, name)
    else:
        inside = inside.rstrip("/")
        _check_store(filesystem, inside, name)
    kind = _kind(filesystem, inside, name)
    is_folder = name.endswith(("/", os.sep)) or kind == pafs.FileType.Directory
    form = None if is_folder else form_of(inside)
    if form is None and not is_folder and Path(inside).suffix:
        raise BulkError(
            f"nothing tells the format of `{name}`",
            "a file's name ends in .parquet, .arrow, .jsonl or .csv (these two also with .gz or .zst); a folder's in /",
        )
    if form is None and kind in (pafs.FileType.File, pafs.FileType.Unknown):
        raise BulkError(f"cannot write `{name}`: it is there already, and is no folder")
    return _workspace(filesystem, inside, name.rstrip("/"), is_folder=form is None), form


def put_file(url: str, content: str) -> None:
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
        # That an object is there as a whole or not at all is what the other ones were not tried for.
        raise BulkError(
            f"cannot write `{name}`: rows are written here, or to s3://", "write it here, then copy it there"
        )
    if "/" not in inside:
        raise BulkError(f"cannot write `{name}`: it is a whole bucket", "name a folder or a file in it")


def _place_here(inside: str, name: str) -> str:
    """Return the path of an output on this machine, for which there has to be a directory."""
    try:
        name.encode()
        place = Path(inside)
        # `..` is no name that others can be made of.
        place = place.resolve() if place.name == ".." else place
        if place.parent.is_dir():
            return str(place)
    except UnicodeError as error:
        raise BulkError(f"cannot write `{name}`: the name is not UTF-8") from error
    except OSError as error:
        raise BulkError(f"cannot write `{name}`: {reason_of(error)}") from error
    raise BulkError(f"cannot write `{name}`: there is no directory `{place.parent}`")


def _kind(filesystem: Any, inside: str, name: str) -> Any:
    try:
        return filesystem.get_file_info(inside).type
    except OSError as error:
        raise BulkError(f"cannot write `{name}`: {reason_of(error)}") from error


def _workspace(filesystem: Any, inside: str, name: str, *, is_folder: bool) -> Workspace:
    if is_here(filesystem):
        from groundwire.bulk.workspace_local import LocalWorkspace

        return LocalWorkspace(Path(inside), is_folder=is_folder)
    from groundwire.bulk.workspace_remote import RemoteWorkspace

    return RemoteWorkspace(_unhurried(filesystem), inside, name, is_folder=is_folder)


def _unhurried(filesystem: Any) -> Any:
    """Return the same filesystem, but with writes that wait: else all of a file would be in memory on its way."""
    rebuild, (options,) = filesystem.__reduce__()
    return rebuild({**options, "background_writes": False})
