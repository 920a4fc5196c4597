"""
Is there such a decision record, and does it still hold?

Source: ruling C11. Numbers are compared as integers: `ADR-3` is `ADR-003-storage.md` and
`0003-storage.md`. Only files that lie in a configured folder count; a symbolic link
that leads out of it does not.
"""

import os
import re
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path

from groundwire.ingestion.provenance import Citation
from groundwire.ingestion.verify.adr_status import is_in_force
from groundwire.ingestion.verify.results import VerificationReason, VerificationResult, result

__all__ = ["DecisionRecords"]

_FILE_NAME = re.compile(
    r"(?:adr[-_ ]?)?(?![0-9]{4}-[0-9]{2}-[0-9]{2})([0-9]{1,9})(?:[-_. ].*)?\.(?:md|markdown|rst|adoc|txt)",
    re.IGNORECASE | re.DOTALL,
)
_ID = re.compile(r"[0-9]{1,9}")
# Where a record says that it is superseded: at its head.
_READ_BYTES = 64 * 1024
# More entries than any folder of records has; what is not read may hold the record.
_MAX_ENTRIES = 100_000


class DecisionRecords:
    """
    Looks decision records up in folders; folders in them are not searched.

    Args:
        folders: Where the records lie.
    """

    def __init__(self, folders: Iterable[str | Path]) -> None:
        self._folders = tuple(Path(folder) for folder in folders)

    async def verify(self, citation: Citation) -> VerificationResult:
        """Verify one record."""
        return (await self.verify_many([citation]))[0]

    async def verify_many(self, citations: Sequence[Citation]) -> list[VerificationResult]:
        """Verify records with one look at the folders, beside the event loop."""
        from asyncio import to_thread

        return await to_thread(self.look_up, [citation.value for citation in citations])

    async def read(self, citation: Citation) -> str | None:
        """Return the beginning of the record; None if it cannot be read."""
        from asyncio import to_thread

        return await to_thread(self._read, citation.value)

    def _read(self, each: str) -> str | None:
        if not _ID.fullmatch(each):
            return None
        index, _ = _index(self._folders)
        heads = [_head_of(file) for file in index.get(int(each), [])]
        # Of several files with one number nobody knows which one is meant.
        return heads[0] if len(heads) == 1 else None

    def look_up(self, ids: Sequence[str]) -> list[VerificationResult]:
        """Return what is said of each number, in their order; of several files with one number, all have to hold."""
        index, is_whole = _index(self._folders)
        codes: dict[str, VerificationReason] = {}
        for each in {*ids}:
            if not _ID.fullmatch(each):
                codes[each] = VerificationReason.NOT_AN_ID
            elif files := index.get(int(each)):
                codes[each] = _worst(_read(file) for file in files)
            else:
                missing = VerificationReason.ADR_NOT_FOUND if is_whole else VerificationReason.ADR_UNREADABLE
                codes[each] = missing
        return [result(codes[each]) for each in ids]


def _index(folders: Iterable[Path]) -> tuple[dict[int, list[Path | None]], bool]:
    """
    Return the files of each number, and whether all folders could be read.

    A file is None if it leads out of its folder.
    """
    index: dict[int, list[Path | None]] = {}
    is_whole = True
    for folder in folders:
        try:
            root = folder.resolve(strict=True)
            with os.scandir(root) as entries:
                for count, entry in enumerate(entries):
                    if match := _FILE_NAME.fullmatch(entry.name):
                        index.setdefault(int(match[1]), []).append(_inside(root, entry))
                    if count >= _MAX_ENTRIES:
                        is_whole = False
                        break
        except (OSError, RuntimeError):
            is_whole = False
    return index, is_whole


def _inside(root: Path, entry: "os.DirEntry[str]") -> Path | None:
    """Return the file that *entry* is or leads to, None if it is not in *root*."""
    path = Path(entry.path)
    if not entry.is_symlink():
        return path
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):
        return None
    return target if target.is_relative_to(root) else None


def _read(file: Path | None) -> VerificationReason:
    """Return what one file says: it is there, it no longer holds, or it cannot be read."""
    head = _head_of(file)
    if head is None:
        return VerificationReason.ADR_UNREADABLE
    return VerificationReason.ADR_FOUND if is_in_force(head) else VerificationReason.ADR_NOT_IN_FORCE


def _head_of(file: Path | None) -> str | None:
    """Return the beginning of *file*; None if there is none that can be read."""
    try:
        return None if file is None else _head(file)
    except OSError:
        return None


def _head(file: Path) -> str | None:
    """Return the beginning of a regular file; None for pipes, devices and folders."""
    # Without O_NONBLOCK opening a pipe waits for a writer; O_NOFOLLOW, as the links have been followed.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(file, flags)
    with os.fdopen(descriptor, "rb") as opened:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        return opened.read(_READ_BYTES).decode("utf-8-sig", errors="replace")


def _worst(codes: Iterable[VerificationReason]) -> VerificationReason:
    """Return the first code that is not `adr_found`, else `adr_found`."""
    return next((code for code in codes if code is not VerificationReason.ADR_FOUND), VerificationReason.ADR_FOUND)
