"""
Opens files with private text, which only their owner may read when they are new; and replaces files atomically.

Everything that writes texts of users uses this module: reports, rows with their results, exports, caches.
"""

import os
import stat
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import BinaryIO

__all__ = ["open_narrowed", "open_private", "replace_file", "take_place_of"]

_OWNER_ONLY = 0o600
# With four bytes for each character, this and a suffix fit the longest name of a file.
_TEMPORARY_NAME_CHARS = 50
# A link could redirect the text to a file that others can read. Windows has no such flag.
_NO_LINKS: int = getattr(os, "O_NOFOLLOW", 0)


def open_private(path: "str | Path", mode: str) -> "BinaryIO":
    """
    Open *path* for writing bytes; a new file has mode 0600, and an existing one keeps its mode.

    Args:
        path: The file.
        mode: "wb", "xb" or "ab", optionally with "+". For "xb", a link counts as an existing file.

    Raises:
        OSError: It cannot be opened.
    """
    return open(path, mode, opener=lambda name, flags: os.open(name, flags, _OWNER_ONLY))  # type: ignore[return-value] # every mode is binary


def open_narrowed(path: "Path", what: str) -> "BinaryIO":
    """
    Open *path* for appending bytes, and give it mode 0600, even if it exists.

    Args:
        path: The file.
        what: Name of the file in errors.

    Raises:
        PermissionError: The file belongs to another user, or is a link or not a regular file.
        OSError: It cannot be opened.
    """
    if path.is_symlink():
        raise PermissionError(f"{what} {path} is a link; name the file itself")
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | _NO_LINKS, _OWNER_ONLY)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise PermissionError(f"{what} {path} is not a regular file")
        if sys.platform != "win32":
            if status.st_uid != os.geteuid():
                raise PermissionError(f"{what} {path} belongs to another user")
            if stat.S_IMODE(status.st_mode) != _OWNER_ONLY:
                os.fchmod(descriptor, _OWNER_ONLY)
        return os.fdopen(descriptor, "ab")
    except BaseException:
        os.close(descriptor)
        raise


def take_place_of(target: "Path", written: "Path") -> None:
    """
    Rename *written* to *target*, atomically: a reader sees the old file or the new one.

    The new file takes the mode of an existing *target*, so that the same people can read it.

    Raises:
        OSError: It cannot be renamed.
    """
    if target.exists():
        written.chmod(stat.S_IMODE(target.stat().st_mode))
    written.replace(target)


def replace_file(path: "str | os.PathLike[str]", pieces: "Iterable[bytes]", *, is_private: bool = True) -> None:
    """
    Write *pieces* to *path*, atomically: a reader sees the old file or the new one, and an error leaves the old one.

    The target of a symbolic link is replaced, not the link. Devices and pipes are written to directly.

    Args:
        path: The file; an existing one keeps its mode.
        pieces: The content, in order.
        is_private: Whether a new file has mode 0600; otherwise the umask decides.

    Raises:
        OSError: It cannot be written.
    """
    from pathlib import Path

    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with target.open("wb") as file:
            file.writelines(pieces)
        return
    # Not the number of the process: a run that was killed leaves the file, and the next run in a container has the
    # same number.
    written = target.with_name(f".{target.name[:_TEMPORARY_NAME_CHARS]}.{os.urandom(4).hex()}.tmp")
    try:
        with open_private(written, "xb") if is_private else written.open("xb") as file:
            file.writelines(pieces)
        take_place_of(target, written)
    except BaseException:
        written.unlink(missing_ok=True)
        raise
