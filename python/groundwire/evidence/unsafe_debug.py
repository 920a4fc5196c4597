"""
The file of rejected quotes, for debugging: the one place that writes their text.

Off unless the settings name a file (ruling A16). The file is for its owner
alone, and each time that text goes into it a log event says so.
"""

import json
import os
import stat
import sys
from collections.abc import Sequence
from pathlib import Path

from groundwire import telemetry

__all__ = ["write_rejected"]

_OWNER_ONLY = 0o600
# A link could lead the text into a file that others read. Windows has no such flag.
_NO_LINKS: int = getattr(os, "O_NOFOLLOW", 0)


def write_rejected(path: Path, rejected: Sequence[tuple[str, str]], *, participant_id: int | str | None) -> None:
    """
    Append the text of *rejected*, one JSON object a line, and warn.

    A line has participant_id, domain and quote, in ASCII. The file is made with
    mode 0600; a file of its own user with a wider mode is narrowed to that first.

    Raises:
        PermissionError: The file is another user's, a link, or no regular file.
        OSError: The file cannot be written.
    """
    if not rejected:
        return
    lines = "".join(
        json.dumps({"participant_id": participant_id, "domain": domain, "quote": quote}) + "\n"
        for domain, quote in rejected
    )
    # One write to a file opened for appending: lines of two threads do not mix.
    with open(_open_private(path), "ab") as file:
        file.write(lines.encode("ascii"))
    telemetry.unsafe_debug_written(quote_count=len(rejected))


def _open_private(path: Path) -> int:
    if path.is_symlink():
        raise PermissionError(f"the unsafe debug file {path} is a link; name the file itself")
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | _NO_LINKS, _OWNER_ONLY)
    try:
        _make_private(descriptor, path)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _make_private(descriptor: int, path: Path) -> None:
    """Narrow the open file's mode to 0600; refuse a file that stays in other hands."""
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        raise PermissionError(f"the unsafe debug file {path} is no regular file")
    if sys.platform != "win32":
        if status.st_uid != os.geteuid():
            raise PermissionError(f"the unsafe debug file {path} belongs to another user")
        if stat.S_IMODE(status.st_mode) != _OWNER_ONLY:
            os.fchmod(descriptor, _OWNER_ONLY)
