"""Two claims side by side, word by word."""

from typing import Literal, NamedTuple

from groundwire._engine import Source
from groundwire.memory.textless import textless

__all__ = ["Conflict", "Part", "word_difference"]


class Part(NamedTuple):
    """
    A stretch of two texts.

    Attributes:
        kind: In both texts, in the earlier one alone, or in the later one alone.
        words: What stands there.
    """

    kind: Literal["same", "removed", "added"]
    words: str

    def __repr__(self) -> str:
        return textless(self, self._asdict())


class Conflict(NamedTuple):
    """
    What a claim contradicts or repeats.

    Attributes:
        memory_id: The memory, or the claim that waits as well.
        content: What it says.
        parts: What would change if the claim took its place.
    """

    memory_id: str
    content: str
    parts: tuple[Part, ...]

    def __repr__(self) -> str:
        return textless(self, self._asdict())


def word_difference(earlier: str, later: str) -> tuple[Part, ...]:
    """
    Return what leads from *earlier* to *later*, in their order.

    The parts that are not removed make up *later*, character by character. A hundred
    thousand characters take about a second.
    """
    parts, end = [], 0
    for start, stop, gone, gone_to in Source(earlier).align(later, 0, len(earlier)).edits:
        parts += [
            Part("same", later[end:start]),
            Part("removed", earlier[gone:gone_to]),
            Part("added", later[start:stop]),
        ]
        end = stop
    parts.append(Part("same", later[end:]))
    return tuple(part for part in parts if part.words)
