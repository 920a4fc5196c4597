"""The lists of the queue in memory: the places of what is alike, so that a page takes as long as it has claims."""

from collections import defaultdict
from collections.abc import Sequence

from groundwire.review.places import Places
from groundwire.review.storage import Filters

__all__ = ["Kind", "KindList"]

Kind = tuple[str, str, str]
"""Type, source and failed check; the empty check is that of all."""


class KindList:
    """
    The items of one state, of one user or of all: the places of each kind.

    An item is of as many kinds as it failed checks, and of one more; of those with one and
    the same check it is of one.
    """

    __slots__ = ("kinds", "length")

    def __init__(self) -> None:
        self.length = 0
        self.kinds: defaultdict[Kind, Places] = defaultdict(Places)

    def add(self, place: int, kinds: Sequence[Kind]) -> None:
        """Add an item of those kinds."""
        self.length += 1
        for kind in kinds:
            self.kinds[kind].add(place)

    def remove(self, place: int, kinds: Sequence[Kind]) -> None:
        """Remove an item that is there."""
        self.length -= 1
        for kind in kinds:
            self.kinds[kind].remove(place)

    def wanted(self, filters: Filters) -> list[Places]:
        """Return the kinds of *filters*; no item is in two of them."""
        return [
            places
            for (memory_type, source, check), places in self.kinds.items()
            if check == (filters.failed_check or "")
            and filters.memory_type in (None, memory_type)
            and filters.source in (None, source)
        ]
