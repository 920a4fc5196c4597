"""Whether an output would lie over what is read, or in its way the next time."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from groundwire.bulk.inputs import InputFile, is_among
from groundwire.errors import BulkError

__all__ = ["check_apart"]


def check_apart(
    output: Path, suffix: str, *, in_path: str | os.PathLike[str], inputs: Sequence[InputFile], sources: Any
) -> None:
    """
    Check that an output takes nothing away that is read, and that another run would not read it.

    Args:
        output: The file, or the folder of parts.
        suffix: The end of a part's name.
        in_path: What *inputs* were found by.
        inputs: The files that are read.
        sources: The table of sources, as `ground_file` takes it.

    Raises:
        BulkError: It is one of these files by whatever name, holds one, or lies in a folder that is read.
    """
    real = Path(os.path.realpath(output))
    if _covers(real, (file.path for file in inputs if file.is_here)):
        raise BulkError(f"cannot write `{output}`: it is, or holds, one of the inputs")
    if isinstance(sources, str | os.PathLike) and _covers(real, [sources]):
        raise BulkError(f"cannot write `{output}`: it is, or holds, the table of sources")
    # What is written there, and beside it.
    written = ("", ".errors.jsonl", f"/part-000000{suffix}", f".groundwire/part-000000{suffix}")
    if any(is_among(f"{real}{end}", in_path) for end in written):
        raise BulkError(
            f"cannot write `{output}`: it lies in the input, and another run would read it as rows",
            "write it elsewhere, or to a name that begins with `_`",
        )


def _covers(output: Path, paths: Iterable[str | os.PathLike[str]]) -> bool:
    """Tell whether *output* is one of *paths*, or a folder that one is in."""
    places = (Path(os.path.realpath(path)) for path in paths)
    return any(place == output or output in place.parents for place in places)
