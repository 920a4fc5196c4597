"""
Files with private text: a new one is its owner's alone.

Everything that writes texts of users goes through here: reports, rows with their results, exports, caches.
"""

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

__all__ = ["open_private", "take_place_of"]

_OWNER_ONLY = 0o600


def open_private(path: "str | Path", mode: str) -> "BinaryIO":
    """
    Open *path* for writing bytes; a new file has mode 0600, and one that exists keeps its own.

    Args:
        path: The file.
        mode: "wb", "xb" or "ab", perhaps with "+". With "xb" a link counts as a file that exists.

    Raises:
        OSError: It cannot be opened.
    """
    return open(path, mode, opener=lambda name, flags: os.open(name, flags, _OWNER_ONLY))  # type: ignore[return-value]


def take_place_of(target: "Path", written: "Path") -> None:
    """
    Rename *written* to *target*, atomically: a reader sees the old file or the new one.

    An existing *target* passes its mode on, so that who could read the old file can read the new one.

    Raises:
        OSError: It cannot be renamed.
    """
    if target.exists():
        written.chmod(stat.S_IMODE(target.stat().st_mode))
    written.replace(target)
