"""Why a database cannot do what it is asked, as both databases say it."""

from collections.abc import Iterable
from enum import StrEnum

from groundwire.errors import MemoryStoreError

__all__ = ["StoreFailure", "check_increasing", "store_error"]


class StoreFailure(StrEnum):
    """Stable codes of `MemoryStoreError.failure`."""

    LOCKED = "locked"
    CORRUPT = "corrupt"
    READ_ONLY = "read_only"
    FULL = "full"
    NEWER_SCHEMA = "newer_schema"
    FOREIGN = "foreign"
    UNAVAILABLE = "unavailable"
    BROKEN = "broken"


_WORDS = {
    StoreFailure.LOCKED: "{place} is in use by another process for longer than the time-out",
    StoreFailure.CORRUPT: "{place} is damaged, or no database",
    StoreFailure.READ_ONLY: "{place} may be read, and not written to",
    StoreFailure.FULL: "{place} is full: no room on the disk, or its limit is reached",
    StoreFailure.NEWER_SCHEMA: "{place} was written by a newer groundwire",
    StoreFailure.FOREIGN: "{place} belongs to another program",
    StoreFailure.UNAVAILABLE: "{place} cannot be opened, or the connection to it was lost",
    StoreFailure.BROKEN: "{place} refused a statement",
}


def check_increasing(numbers: Iterable[object], after: int, place: str) -> None:
    """
    Check that numbers of rows come after *after* and grow: a page that does not would be read again for ever.

    Raises:
        MemoryStoreError: They do not, as in a damaged file.
    """
    for number in numbers:
        if type(number) is not int or number <= after:
            raise store_error(StoreFailure.CORRUPT, place, "rows are out of order")
        after = number


def store_error(failure: StoreFailure, place: str, detail: str = "") -> MemoryStoreError:
    """
    Return the exception that says it.

    Args:
        failure: What happened.
        place: Which database, without a password.
        detail: The database's own code for it; never its message, which can hold values.
    """
    words = _WORDS[failure].format(place=place)
    return MemoryStoreError(failure, f"{words} ({detail})" if detail else words)
