"""Where rows with their results go: a file or a folder, here or behind a URL."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow.fs as pafs

from groundwire.bulk.formats import Form, form_of
from groundwire.bulk.inputs import InputFile
from groundwire.bulk.places import is_here, place_of, reason_of, shown
from groundwire.bulk.workspace import Workspace
from groundwire.errors import BulkError

__all__ = ["find_output", "put_file"]


def find_output(path: str | os.PathLike[str], inputs: Sequence[InputFile]) -> tuple[Workspace, Form | None]:
    """
    Return the place of the output, and what is written there if that is one file.

    Raises:
        BulkError: Nothing can be written there, or it would be written over what is read.
    """
    filesystem, inside = place_of(path)
    name, is_local = shown(path), is_here(filesystem)
    inside = str(Path(inside)) if is_local else inside.rstrip("/")
    if is_local and not Path(inside).parent.is_dir():
        raise BulkError(f"cannot write `{name}`: there is no directory `{Path(inside).parent}`")
    if not is_local:
        _check_store(filesystem, inside, name)
    for file in inputs:
        if file.filesystem.type_name == filesystem.type_name and f"{file.path}/".startswith(f"{inside}/"):
            raise BulkError(f"cannot write `{name}`: it is, or holds, one of the inputs")
    is_folder = name.endswith(("/", os.sep)) or _is_folder(filesystem, inside, name)
    form = None if is_folder else form_of(inside)
    if form is None and not is_folder and Path(inside).suffix:
        raise BulkError(
            f"nothing tells the format of `{name}`",
            "a file's name ends in .parquet, .arrow, .jsonl or .csv (these two also with .gz or .zst); a folder's in /",
        )
    return _workspace(filesystem, inside, name.rstrip("/"), is_folder=form is None), form


def put_file(url: str, content: str) -> None:
    """
    Write a text behind a URL.

    Raises:
        BulkError: It cannot be written.
    """
    filesystem, inside = place_of(url)
    try:
        with filesystem.open_output_stream(inside) as opened:
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


def _is_folder(filesystem: Any, inside: str, name: str) -> bool:
    try:
        return bool(filesystem.get_file_info(inside).type == pafs.FileType.Directory)
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
