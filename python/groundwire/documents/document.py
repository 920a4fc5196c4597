"""Holds a document: one text, its pages and parts, and the location of each passage."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, TypeVar
from urllib.parse import quote

from groundwire._engine import Source

if TYPE_CHECKING:
    from array import array

__all__ = ["Box", "CharacterRuns", "Document", "DocumentFormat", "Location", "Page", "Part", "PartKind"]

DocumentFormat: TypeAlias = Literal["pdf", "docx", "html", "markdown", "epub", "xlsx", "csv", "text"]

_start = attrgetter("start")
_end = attrgetter("end")


class PartKind(StrEnum):
    """Names the kind of a part of a document."""

    TEXT = "text"
    HEADING = "heading"
    TABLE = "table"
    FOOTNOTE = "footnote"
    RUNNING = "running"
    """A running head or foot of a page, such as a page number."""


class Box(NamedTuple):
    """
    Holds a rectangle on a page, in points of 1/72 inch.

    The origin is that of the page's own coordinates in the PDF: at the bottom left unless the file
    says otherwise, y growing upwards, before the page is rotated for display.
    """

    page: int
    left: float
    bottom: float
    right: float
    top: float


@dataclass(frozen=True, slots=True)
class Page:
    """
    Holds a page.

    Attributes:
        number: Number of the page, from 1.
        start: Offset of its first character in the document's text, in code points.
        end: Offset after its last character.
        width, height: Size in points, as displayed.
        is_readable: False for a page that shows something but has no text, such as a scan.
    """

    number: int
    start: int
    end: int
    width: float
    height: float
    is_readable: bool = True


@dataclass(frozen=True, slots=True)
class Part:
    """
    Holds a paragraph, a table cell, a heading or another part of a document.

    Attributes:
        start: Offset of its first character in the document's text, in code points.
        end: Offset after its last character.
        kind: Kind of the part.
        path: Location in the document's structure, such as `paragraph 12` or `Sheet1!B3`.
    """

    start: int
    end: int
    kind: PartKind
    path: str


_Span = TypeVar("_Span", Page, Part)


@dataclass(frozen=True, slots=True)
class CharacterRuns:
    """
    Maps a text to the characters of pages: each run has characters that follow each other on a page.

    Attributes:
        starts: Offset of each run in the text, ascending.
        pages: Index of its page.
        chars: Index of its first character on the page.
        lengths: Number of its characters.
        joins: 1 if it continues the line of the run before it, else 0.
    """

    starts: "array[int]"
    pages: "array[int]"
    chars: "array[int]"
    lengths: "array[int]"
    joins: bytes

    def within(self, start: int, end: int) -> list[tuple[int, int, int]]:
        """
        Return the lines in a span of the text: page index, first character on the page, number of characters.

        Between the first and the last character of a line there may be spaces that the text does not have.
        """
        found: list[tuple[int, int, int]] = []
        for number in range(max(0, bisect_right(self.starts, start) - 1), bisect_left(self.starts, end)):
            first = self.starts[number]
            low, high = max(start, first), min(end, first + self.lengths[number])
            if low >= high:
                continue
            char = self.chars[number] + low - first
            if found and self.joins[number] and char >= found[-1][1]:
                page, begin, _ = found.pop()
                found.append((page, begin, char + high - low - begin))
            else:
                found.append((self.pages[number], char, high - low))
        return found


@dataclass(frozen=True)
class Location:
    """
    Holds the location of a span of a document.

    Attributes:
        page: The number of the page on which the span begins, from 1; None in a format without pages.
        pages: The numbers of all pages that have characters of it.
        path: The path of the part in which it begins; None outside of all parts.
        heading: The text of the heading above it; None if there is none.
        kinds: The kinds of the parts that it has characters of, in order, each once.
        fragment: For a web page, the end of a link to the passage (`#:~:text=`); None for other formats.
    """

    page: int | None
    pages: tuple[int, ...]
    path: str | None
    heading: str | None
    kinds: tuple[PartKind, ...]
    fragment: str | None
    _find_boxes: Callable[[], tuple[Box, ...]] = field(repr=False, compare=False)

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """
        Return one rectangle for each line of the span; none for a document other than a PDF.

        The first use computes them and reads the file again.

        Raises:
            DocumentError: The file changed since the document was read.
            OSError: The file cannot be read.
        """
        return self._find_boxes()


@dataclass(frozen=True, slots=True)
class Document:
    """
    Holds one text with its pages and parts.

    Attributes:
        text: The whole text, in reading order. A word that a hyphen divides at the end of a line is joined.
        name: Name of the document.
        format: Format in which it was read.
        sha256: SHA-256 of the file's bytes, in hexadecimal.
        pages: In order; empty for a format without pages.
        parts: In order; their spans do not overlap.
        warnings: Anomalies, described without any words of the text.
    """

    text: str
    name: str | None
    format: DocumentFormat
    sha256: str
    pages: tuple[Page, ...]
    parts: tuple[Part, ...]
    warnings: tuple[str, ...] = ()
    _runs: CharacterRuns | None = field(default=None, repr=False, compare=False)
    _read_boxes: Callable[[list[tuple[int, int, int]]], tuple[Box, ...]] | None = field(
        default=None, repr=False, compare=False
    )
    _reopen: Callable[[], bytes] | None = field(default=None, repr=False, compare=False)
    _sources: dict[tuple[str, bool], Source] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __repr__(self) -> str:
        return (
            f"Document(name={self.name!r}, format={self.format!r}, chars={len(self.text)}, "
            f"pages={len(self.pages)}, parts={len(self.parts)})"
        )

    @property
    def unreadable_pages(self) -> tuple[int, ...]:
        """Return the numbers of the pages that show something but have no text."""
        return tuple(page.number for page in self.pages if not page.is_readable)

    def content(self) -> bytes:
        """
        Return the bytes of the PDF, read from the file again.

        Raises:
            ValueError: The document is not a PDF.
            DocumentError: The file changed since the document was read.
            OSError: The file cannot be read.
        """
        if self._reopen is None:
            raise ValueError(f"only a PDF keeps its content, not a document of the format {self.format}")
        return self._reopen()

    def runs(self, start: int, end: int) -> list[tuple[int, int, int]]:
        """
        Return the characters of ``text[start:end]`` in a PDF; none for another document.

        Returns:
            Page index, index of the first character on the page, and number of characters, for each run of characters
            that follow each other on a page.
        """
        return self._runs_of(start, end, list(_within(self.parts, start, end)))

    def source(self, profile: Literal["spec", "typographic"] = "typographic", *, running_heads: bool = False) -> Source:
        """
        Return the text as a Source, prepared once for each combination of arguments.

        Offsets of its matches are offsets of `text`.

        Args:
            profile: The normalisation.
            running_heads: Whether running heads and feet can be quoted. If not, spaces replace them, so that a
                quote that continues on the next page is found.

        Raises:
            ValueError: The profile does not exist.
        """
        source = self._sources.get((profile, running_heads))
        if source is None:
            text = self.text if running_heads else self.without_running_heads()
            prepared = Source(text, name=self.name, profile=profile)
            # If two threads get here at once, setdefault gives both the same source.
            source = self._sources.setdefault((profile, running_heads), prepared)
        return source

    def prepared_sources(self) -> list[Source]:
        """Return the sources that `source` has prepared so far."""
        return list(self._sources.values())

    def without_running_heads(self) -> str:
        """Return the text with spaces in place of running heads and feet; all offsets stay."""
        pieces, done = [], 0
        for part in self.parts:
            if part.kind is PartKind.RUNNING:
                pieces += [self.text[done : part.start], " " * (part.end - part.start)]
                done = part.end
        return "".join([*pieces, self.text[done:]])

    def locate(self, start: int, end: int) -> Location:
        """
        Return the location of ``text[start:end]``.

        Raises:
            ValueError: The span is empty, or not in the text.
        """
        if not 0 <= start < end <= len(self.text):
            raise ValueError(f"start and end must be a span within {len(self.text)} characters, got {start} and {end}")
        parts = list(_within(self.parts, start, end))
        runs = self._runs_of(start, end, parts)
        read = self._read_boxes
        pages = tuple(dict.fromkeys(run[0] + 1 for run in runs)) or self._pages_of(start, end)
        return Location(
            page=pages[0] if pages else None,
            pages=pages,
            path=parts[0].path if parts else None,
            heading=self._heading(start),
            kinds=tuple(dict.fromkeys(part.kind for part in parts if part.kind is not PartKind.RUNNING)),
            fragment=self._fragment(start, end),
            _find_boxes=tuple if read is None else lambda: read(runs),
        )

    def _fragment(self, start: int, end: int) -> str | None:
        if self.format != "html":
            return None
        return _text_fragment(self.text[start:end])

    def _runs_of(self, start: int, end: int, parts: list[Part]) -> list[tuple[int, int, int]]:
        """Return the runs of a span, without running heads inside it."""
        if self._runs is None:
            return []
        heads = [part for part in parts if part.kind is PartKind.RUNNING and len(parts) > 1]
        edges = [start, *(edge for part in heads for edge in (part.start, part.end)), end]
        spans = zip(edges[::2], edges[1::2], strict=True)
        return [run for low, high in spans for run in self._runs.within(max(low, start), min(high, end))]

    def _pages_of(self, start: int, end: int) -> tuple[int, ...]:
        return tuple(page.number for page in _within(self.pages, start, end))

    def _heading(self, offset: int) -> str | None:
        place = bisect_right(self.parts, offset, key=_start)
        for part in reversed(self.parts[:place]):
            if part.kind is PartKind.HEADING:
                return " ".join(self.text[part.start : part.end].split())
        return None


def _within(spans: tuple[_Span, ...], start: int, end: int) -> Iterator[_Span]:
    """Yield the pages or parts that have characters between *start* and *end*."""
    first = bisect_right(spans, start, key=_end)
    behind = bisect_left(spans, end, key=_start)
    return (each for each in spans[first:behind] if max(start, each.start) < min(end, each.end))


def _text_fragment(passage: str) -> str:
    """Return the end of a link that scrolls to *passage*: `#:~:text=` with its first and last four words."""
    words = passage.split()
    first, last = words[:4], words[4:][-4:]
    # Commas and dashes separate the parts of such a link.
    ends = [quote(" ".join(each), safe="").replace("-", "%2D") for each in (first, last) if each]
    return f"#:~:text={','.join(ends)}"
