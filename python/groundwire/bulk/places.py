"""Paths and URLs: the filesystem behind each, what may be shown of it, and why it failed, in words."""

import os
import re
from pathlib import Path
from typing import Any

from groundwire.errors import BulkError

__all__ = ["beneath", "is_here", "outer_reason", "place_of", "reason_of", "shown"]

_AWS_CODE = re.compile(r"AWS Error ([A-Z_]+)(?: \(HTTP status (\d+)\))?")


def shown(path: str | os.PathLike[str]) -> str:
    """
    Return *path* as messages and manifests show it: of a URL neither what is before its host nor its options.

    Keys and passwords stand there.
    """
    name = os.fspath(path)
    scheme, mark, rest = name.partition("://")
    if not mark:
        return name
    rest = rest.partition("?")[0]
    host = rest.partition("/")[0]
    # A key may hold a slash that should have been written otherwise: then the host seems to end inside it.
    if "@" in host or (":" in host and "@" in rest):
        rest = rest.rpartition("@")[2]
    return f"{scheme}://{rest}"


def place_of(path: str | os.PathLike[str]) -> tuple[Any, str]:
    """
    Return the filesystem of *path*, a path or a URL, and the path in it.

    Raises:
        BulkError: There is no filesystem for such a URL, or it is broken.
    """
    import pyarrow as pa
    import pyarrow.fs as pafs

    name = os.fspath(path)
    if "://" not in name:
        return pafs.LocalFileSystem(), str(Path(name).absolute())
    scheme = name.partition(":")[0]
    try:
        filesystem, inside = pafs.FileSystem.from_uri(name)
    # Arrow's own words repeat the URL with all that it holds.
    except OSError as error:
        raise BulkError(f"cannot reach `{shown(name)}`: {reason_of(error)}") from None
    except (ImportError, NotImplementedError, ValueError) as error:
        if isinstance(error, pa.ArrowInvalid) and "Unrecognized filesystem" not in str(error):
            hint = "in a key, `/`, `+` and `@` are written `%2F`, `%2B` and `%40`; or keys come from the environment"
            raise BulkError(f"`{shown(name)}` is no URL of a place, or has options that are unknown", hint) from None
        raise BulkError(f"no files can be read at a URL that begins with `{scheme}:`") from None
    return filesystem, inside


def beneath(folder: str, name: str) -> str:
    """Return the path or URL of *name* in *folder*, with the options that the URL has."""
    if "://" not in folder:
        return str(Path(folder) / name)
    place, mark, options = folder.partition("?")
    return f"{place.rstrip('/')}/{name}{mark}{options}"


def is_here(filesystem: Any) -> bool:
    """Tell whether files of *filesystem* are on this machine."""
    return bool(filesystem.type_name == "local")


def reason_of(error: OSError) -> str:
    """Return why something could not be read or written, in few words and without a path."""
    return outer_reason(error) or type(error).__name__.lower()


def outer_reason(error: BaseException) -> str | None:
    """Return the same where disk or server says why; None where it is the content that could not be read."""
    if found := _AWS_CODE.search(str(error)):
        code, status = found.groups()
        return code.lower().replace("_", " ") + (f" (HTTP status {status})" if status else "")
    if isinstance(error, OSError) and error.errno is not None:
        return os.strerror(error.errno).lower()
    return None
