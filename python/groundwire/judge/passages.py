"""
What of the search results a judge gets to see.

The id, the parent's id, the title and the passage; no other field of a result
leaves the program.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Passage", "read_passages"]

# The first of these that is there is the passage; a list of str is written line by line.
_TEXT_FIELDS = ("content", "text", "passage", "snippet", "matches")
# Python refuses to write out an int of more than 4,300 digits.
_LONGEST_ID_BITS = 64


@dataclass(frozen=True, slots=True)
class Passage:
    """A result as a judge sees it; None or empty where it has no such field."""

    id: str | None
    parent_id: str | None
    title: str
    text: str

    def fields(self) -> dict[str, str]:
        """Return what there is, by name."""
        named = {"id": self.id, "parent_id": self.parent_id, "title": self.title, "text": self.text}
        return {name: value for name, value in named.items() if value}


def read_passages(results: Sequence[Mapping[str, object]]) -> list[Passage]:
    """
    Read the results of a search, in their order.

    A field of another type counts as missing; an id that is an int of at most 64 bits is its
    decimal digits.

    Raises:
        TypeError: *results* is no sequence of mappings.
    """
    if isinstance(results, str | bytes | Mapping) or not isinstance(results, Sequence):
        raise TypeError(f"results must be a sequence of mappings, got {type(results).__name__}")
    for place, result in enumerate(results):
        if not isinstance(result, Mapping):
            raise TypeError(f"results[{place}] must be a mapping, got {type(result).__name__}")
    return [
        Passage(_id(result.get("id")), _id(result.get("parent_id")), _string(result.get("title")), _text(result))
        for result in results
    ]


def _id(value: object) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() <= _LONGEST_ID_BITS:
        return str(value)
    return value.strip() or None if isinstance(value, str) else None


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""


def _text(result: Mapping[str, object]) -> str:
    value = next((result[name] for name in _TEXT_FIELDS if result.get(name) is not None), "")
    if isinstance(value, list | tuple) and all(isinstance(part, str) for part in value):
        return "\n".join(value)
    return _string(value)
