"""Numbers in order, mostly added at the end."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator

__all__ = ["Places"]

# Below that a list is not worth being made anew.
_LEAST_GONE = 64


class Places:
    """
    A sorted set of numbers.

    Removing one only notes it; the list is made anew when half of it is gone, so that a
    hundred thousand numbers can be removed from the front one by one.
    """

    __slots__ = ("_gone", "_numbers")

    def __init__(self) -> None:
        self._numbers: list[int] = []
        self._gone: set[int] = set()

    def __len__(self) -> int:
        return len(self._numbers) - len(self._gone)

    def add(self, number: int) -> None:
        """Add a number that is not there."""
        if number in self._gone:
            # It was, and only its removal was noted.
            self._gone.remove(number)
        elif not self._numbers or number > self._numbers[-1]:
            self._numbers.append(number)
        else:
            insort(self._numbers, number)

    def remove(self, number: int) -> None:
        """Remove a number that is there."""
        self._gone.add(number)
        if len(self._gone) >= _LEAST_GONE and 2 * len(self._gone) >= len(self._numbers):
            self._numbers = [kept for kept in self._numbers if kept not in self._gone]
            self._gone = set()

    def after(self, number: int) -> Iterator[int]:
        """Yield the numbers above *number*, upwards."""
        numbers = (self._numbers[at] for at in range(bisect_right(self._numbers, number), len(self._numbers)))
        return (kept for kept in numbers if kept not in self._gone)

    def before(self, number: int | None) -> Iterator[int]:
        """Yield the numbers below *number*, or all if that is None, downwards."""
        end = len(self._numbers) if number is None else bisect_left(self._numbers, number)
        numbers = (self._numbers[at] for at in range(end - 1, -1, -1))
        return (kept for kept in numbers if kept not in self._gone)
