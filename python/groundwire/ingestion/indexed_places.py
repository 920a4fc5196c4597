"""Where the text of each memory is: numbers in arrays, for objects would take ten times as much memory."""

from array import array
from bisect import bisect_left

__all__ = ["Places"]

# The owner of a memory that is no longer there.
_GONE = 0


class Places:
    """
    Owner and text number of each memory, by the memory's own number; 12 bytes each.

    Memories come by rising numbers, as long as 32 bits hold them: PostgreSQL's end there
    too. Owners are numbers from 1 on.
    """

    __slots__ = ("_gone", "_numbers", "_owners", "_texts")

    def __init__(self) -> None:
        self._numbers = array("I")
        self._owners = array("I")
        self._texts = array("I")
        self._gone = 0

    def __len__(self) -> int:
        return len(self._numbers) - self._gone

    def __sizeof__(self) -> int:
        arrays = (self._numbers, self._owners, self._texts)
        return object.__sizeof__(self) + sum(each.__sizeof__() for each in arrays)

    def __contains__(self, number: int) -> bool:
        return self._find(number) is not None

    def append(self, number: int, owner: int, text: int) -> None:
        """Add a memory; `ValueError` unless its number is above all that were added before."""
        if self._numbers and number <= self._numbers[-1]:
            raise ValueError(f"numbers must rise; got {number} after {self._numbers[-1]}")
        self._numbers.append(number)
        self._owners.append(owner)
        self._texts.append(text)

    def remove(self, number: int) -> tuple[int, int] | None:
        """Remove a memory; return its owner and text number, None if it is not there."""
        place = self._find(number)
        if place is None:
            return None
        found = self._owners[place], self._texts[place]
        self._owners[place] = _GONE
        self._gone += 1
        # The last number stays: it tells that what comes next is above it.
        if 2 * self._gone > len(self._numbers) + 64:
            self._compact()
        return found

    def _find(self, number: int) -> int | None:
        """The place of *number* in the arrays."""
        place = bisect_left(self._numbers, number)
        is_there = place < len(self._numbers) and self._numbers[place] == number and self._owners[place] != _GONE
        return place if is_there else None

    def _compact(self) -> None:
        """Leave out what is gone."""
        last = len(self._numbers) - 1
        kept = [place for place, owner in enumerate(self._owners) if owner != _GONE or place == last]
        self._numbers = array("I", (self._numbers[place] for place in kept))
        self._texts = array("I", (self._texts[place] for place in kept))
        self._owners = array("I", (self._owners[place] for place in kept))
        self._gone = sum(owner == _GONE for owner in self._owners)
