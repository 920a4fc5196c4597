"""Whether an output would lie over what is read, or in its way the next time."""

import os
from collections.abc import Iterable, Sequence
from typing import Any

from groundwire.bulk.inputs import InputFile, is_among
from groundwire.bulk.places import is_here, place_of, shown
from groundwire.errors import BulkError

__all__ = ["check_apart"]


def check_apart(
    output: str | os.PathLike[str],
    suffix: str,
    *,
    in_path: str | os.PathLike[str],
    inputs: Sequence[InputFile],
    sources: Any,
) -> None:
    """
    Check that an output takes nothing away that is read, and that another run would not read it.

    Args:
        output: The path or URL of the file, or of the folder of parts.
        suffix: The end of a part's name.
        in_path: What *inputs* were found by.
        inputs: The files that are read.
        sources: The table of sources, as `ground_file` takes it.

    Raises:
        BulkError: It is one of these files by whatever name, holds one, or lies in a folder that is read.
    """
    name = shown(output)
    filesystem, inside = place_of(output)
    real = os.path.realpath(inside) if is_here(filesystem) else inside.rstrip("/")
    same = [file.path for file in inputs if file.filesystem.type_name == filesystem.type_name]
    if _covers(filesystem, real, same):
        raise BulkError(f"cannot write `{name}`: it is, or holds, one of the inputs")
    if isinstance(sources, str | os.PathLike):
        its, place = place_of(sources)
        if its.type_name == filesystem.type_name and _covers(filesystem, real, [place]):
            raise BulkError(f"cannot write `{name}`: it is, or holds, the table of sources")
    # What is written there, and beside it.
    written = ("", ".errors.jsonl", f"/part-000000{suffix}", f".groundwire/part-000000{suffix}")
    if any(is_among(filesystem, f"{real}{end}", in_path) for end in written):
        raise BulkError(
            f"cannot write `{name}`: it lies in the input, and another run would read it as rows",
            "write it elsewhere, or to a name that begins with `_`",
        )


def _covers(filesystem: Any, output: str, paths: Iterable[str]) -> bool:
    """Tell whether *output* is one of *paths*, or a folder that one is in."""
    places = map(os.path.realpath, paths) if is_here(filesystem) else paths
    return any(f"{place}/".startswith(f"{output.rstrip('/')}/") for place in places)
