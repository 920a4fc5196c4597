"""
Is there such a decision record, and does it still hold?

Source: ruling C11. Numbers are compared as integers: `ADR-3` is `ADR-003-storage.md` and
`0003-storage.md`. Only regular files that lie in a configured folder count; a symbolic link
that leads out of it does not.
"""

import re
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from groundwire.files import FolderFile, list_folder
from groundwire.ingestion.provenance import Citation
from groundwire.ingestion.verify.adr_status import is_in_force
from groundwire.ingestion.verify.results import VerificationReason, VerificationResult, result
from groundwire.ingestion.verify.threads import Deadline, run_in_thread

__all__ = ["DecisionRecords"]

_FILE_NAME = re.compile(
    r"(?:adr[-_ ]?)?(?![0-9]{4}-[0-9]{2}-[0-9]{2})([0-9]{1,9})(?:[-_. ].*)?\.(?:md|markdown|rst|adoc|txt)",
    re.IGNORECASE | re.DOTALL,
)
_ID = re.compile(r"[0-9]{1,9}")
# Where a record says that it is superseded: at its head.
_READ_BYTES = 64 * 1024
# More files than any one number has.
_MAX_FILES = 16
# More entries than any folder of records has; what is not read may hold the record.
_MAX_ENTRIES = 100_000


class DecisionRecords:
    """
    Looks decision records up in folders; folders in them are not searched.

    Reads the first 64 KiB of at most 16 files for each number, in time linear in that. A number with more files is
    unreadable. A time-out or a cancelled task also ends the reading, between two files or inside one.

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
        return await run_in_thread(partial(self.look_up, [citation.value for citation in citations]))

    async def read(self, citation: Citation) -> str | None:
        """Return the beginning of the record; None if it cannot be read."""
        return await run_in_thread(partial(self._read, citation.value))

    def _read(self, each: str, deadline: Deadline | None = None) -> str | None:
        deadline = deadline or Deadline()
        if not _ID.fullmatch(each):
            return None
        index, _ = _index(self._folders, deadline)
        heads = [_head_of(file) for file in deadline.each(index.get(int(each), []))]
        # Of several files with one number nobody knows which one is meant.
        return heads[0] if len(heads) == 1 else None

    def look_up(self, ids: Sequence[str], deadline: Deadline | None = None) -> list[VerificationResult]:
        """
        Return what is said of each number, in their order; of several files with one number, all have to hold.

        Raises:
            DeadlineExpiredError: *deadline* expired before all were read.
        """
        deadline = deadline or Deadline()
        index, is_whole = _index(self._folders, deadline)
        codes: dict[str, VerificationReason] = {}
        for each in deadline.each({*ids}):
            if not _ID.fullmatch(each):
                codes[each] = VerificationReason.NOT_AN_ID
            elif files := index.get(int(each)):
                codes[each] = _of_all(files, deadline)
            else:
                missing = VerificationReason.ADR_NOT_FOUND if is_whole else VerificationReason.ADR_UNREADABLE
                codes[each] = missing
        return [result(codes[each]) for each in ids]


def _index(folders: Iterable[Path], deadline: Deadline) -> tuple[dict[int, list[FolderFile | None]], bool]:
    """
    Return the files of each number, and whether all folders could be read.

    None stands for what has the name of a record and is not read: a link out of the folder, a pipe.
    """
    index: dict[int, list[FolderFile | None]] = {}
    is_whole = True
    for folder in deadline.each(folders):
        try:
            listing = list_folder(folder, recursive=False, most=_MAX_ENTRIES)
        except (OSError, RuntimeError, ValueError):
            is_whole = False
            continue
        found: list[tuple[str, FolderFile | None]] = [(file.name, file) for file in listing.files]
        for name, file in deadline.each(found + [(name, None) for name, _ in listing.skipped]):
            if match := _FILE_NAME.fullmatch(name):
                index.setdefault(int(match[1]), []).append(file)
        is_whole = is_whole and all(name != "." for name, _ in listing.skipped)
    return index, is_whole


def _read(file: FolderFile | None, deadline: Deadline) -> VerificationReason:
    """Return what one file says: it is there, it no longer holds, or it cannot be read."""
    head = _head_of(file)
    if head is None:
        return VerificationReason.ADR_UNREADABLE
    return VerificationReason.ADR_FOUND if is_in_force(head, deadline) else VerificationReason.ADR_NOT_IN_FORCE


def _head_of(file: FolderFile | None) -> str | None:
    """Return the beginning of *file*; None if there is none that can be read."""
    try:
        return None if file is None else _head(file)
    except OSError:
        return None


def _head(file: FolderFile) -> str:
    """Return the beginning of a file."""
    with file.open() as opened:
        return opened.read(_READ_BYTES).decode("utf-8-sig", errors="replace")


def _of_all(files: Sequence[FolderFile | None], deadline: Deadline) -> VerificationReason:
    """Return `adr_found` if all of *files* hold, else what one of them says. Too many are not read."""
    if len(files) > _MAX_FILES:
        return VerificationReason.ADR_UNREADABLE
    codes = (_read(file, deadline) for file in deadline.each(files))
    return next((code for code in codes if code is not VerificationReason.ADR_FOUND), VerificationReason.ADR_FOUND)
