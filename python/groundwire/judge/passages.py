"""
What of the search results a judge gets to see.

The id, the parent's id, the title and the passage; no other field of a result
leaves the program.
"""

from dataclasses import dataclass

from groundwire.judgement import SearchResults
from groundwire.search_results import read_results

__all__ = ["Passage", "read_passages"]


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


def read_passages(results: SearchResults) -> list[Passage]:
    """
    Read the results of a search, in their order.

    Raises:
        TypeError: *results* is not a sequence of mappings and document objects.
    """
    read = read_results(results)
    rows = zip(read.ids, read.parent_ids, read.titles, read.passages, strict=True)
    return [Passage(id_, parent_id, title, text or "") for id_, parent_id, title, text in rows]
