"""
Searches several sources for quotes.

Each source is prepared once, on first use, and kept. One pass over a source searches for many quotes.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeGuard, get_args

from groundwire._engine import Match, Patterns, Source, normalize
from groundwire.labels import check_choice, show
from groundwire.thresholds import FUZZY_THRESHOLD
from groundwire.transcripts.transcript import Transcript

if TYPE_CHECKING:
    from groundwire.documents.document import Document

__all__ = ["Holder", "Sources", "document_of", "transcript_of"]

_Mode: TypeAlias = Literal["substring", "fuzzy"]
_Profile: TypeAlias = Literal["spec", "typographic"]
_Text: TypeAlias = "str | Source | Transcript | Document"

# Length of a probe: characters from the middle of a quote for which all sources are searched first. Shorter probes
# occur in too many sources; shorter quotes are searched for directly.
_PROBE_CHARS = 24
# Searching for probes reads each source, 40 us for 100,000 characters. Searching for a single quote takes about 1 us in
# a source that has been searched before; otherwise it reads the source as well.
_PROBED_FROM_QUOTES = 16


@dataclass(frozen=True, slots=True)
class Holder:
    """Holds a source that contains a quote: its index among the sources, its name, and the match."""

    index: int
    name: str
    match: Match


class Sources:
    """
    Holds several sources with unique names.

    Results from several sources begin with the cited one, if there is one; the others
    follow in the given order, whatever their scores.

    Args:
        sources: A mapping of name to source, or a list of sources. A source is a text, a
            `Source`, a `Transcript` or a `Document`; in a list also a pair ``(name, text)``. A
            source of a list without a name is called `source N`, with its position from 1.
        profile: Normalisation of texts, transcripts and documents. A `Source` keeps its own.

    Raises:
        TypeError: *sources* is a single text, or a source has another type.
        ValueError: Two sources have the same name, or the profile is unknown.
    """

    __slots__ = ("_given", "_places", "_prepared", "_profile", "_transcripts", "names")

    names: tuple[str, ...]
    """Return the names in the order of the sources."""

    def __init__(
        self,
        sources: "Mapping[str, _Text] | Iterable[_Text | tuple[str, _Text]]",
        *,
        profile: _Profile = "typographic",
    ) -> None:
        normalize("", profile=profile)  # refuses an unknown profile
        self._profile: _Profile = profile
        self._given: list[_Text] = []
        self._places: dict[str, int] = {}
        for place, each in enumerate(_items(sources)):
            name, given = _named(each, place)
            first = self._places.setdefault(name, place)
            if first != place:
                raise ValueError(f"sources {first + 1} and {place + 1} have the same name, {show(name)}")
            self._given.append(given)
        self.names = tuple(self._places)
        self._transcripts: dict[int, Transcript | None] = {}
        self._prepared: list[Source | None] = [None] * len(self._given)

    def __len__(self) -> int:
        return len(self._given)

    def __repr__(self) -> str:
        return f"Sources({len(self)} sources, profile={self._profile!r})"

    def __getitem__(self, which: int | str) -> Source:
        """
        Return a source by its index or name, prepared on first use.

        Raises:
            IndexError: The index is out of range.
            KeyError: No source has this name.
        """
        place = self.place(which)
        source = self._prepared[place]
        if source is None:
            # Concurrent threads may prepare it twice, with the same result.
            source = self._prepared[place] = self._prepare(place)
        return source

    def transcript(self, which: int | str) -> Transcript | None:
        """
        Return the turns of a source: a transcript, or a document with speakers; None for others.

        Raises the errors of indexing.
        """
        place = self.place(which)
        if place not in self._transcripts:
            self._transcripts[place] = transcript_of(self._given[place])
        return self._transcripts[place]

    def document(self, which: int | str) -> "Document | None":
        """Return the document of a source, None if it was given as something else. Raises the errors of indexing."""
        return document_of(self._given[self.place(which)])

    def find(
        self,
        quote: str,
        *,
        cited: int | str | None = None,
        mode: _Mode = "substring",
        threshold: float = FUZZY_THRESHOLD,
    ) -> Holder | None:
        """Return the first source that contains *quote*, without preparing those after it."""
        return next(self._holders(quote, cited, mode, threshold), None)

    def holders(
        self,
        quote: str,
        *,
        cited: int | str | None = None,
        mode: _Mode = "substring",
        threshold: float = FUZZY_THRESHOLD,
    ) -> list[Holder]:
        """Return all sources that contain *quote*; none for a blank quote."""
        return list(self._holders(quote, cited, mode, threshold))

    def ground(
        self,
        quotes: Sequence[str],
        *,
        cited: int | str | None = None,
        mode: _Mode = "substring",
        threshold: float = FUZZY_THRESHOLD,
        workers: int = 1,
    ) -> list[list[Holder]]:
        """
        Return for each of *quotes* all sources that contain it, like `holders`, with one pass over each source.

        Args:
            quotes: The quotes; repeated ones are searched for again.
            cited: Index or name of the source that comes first.
            mode: "substring", or "fuzzy" to accept similar wording as well.
            threshold: Minimum score in fuzzy mode, 0.0 to 1.0.
            workers: Maximum number of threads for the quotes of one source.

        Raises:
            TypeError, ValueError: See `Source.ground`; for *cited*, the errors of indexing.
        """
        quotes = _checked(quotes)
        check_choice("mode", mode, get_args(_Mode))
        found: list[list[Holder]] = [[] for _ in quotes]
        is_probed = mode == "substring" and len(quotes) >= _PROBED_FROM_QUOTES
        probes = _Probes(quotes if is_probed else ())
        for place in self._order(cited):
            source = self[place]
            candidates = probes.candidates(source) if is_probed else range(len(quotes))
            chosen = [quotes[each] for each in candidates]
            matches = source.ground(chosen, mode=mode, threshold=threshold, workers=workers)
            for each, match in zip(candidates, matches, strict=True):
                if match is not None:
                    found[each].append(Holder(place, self.names[place], match))
        return found

    def _holders(self, quote: str, cited: int | str | None, mode: _Mode, threshold: float) -> Iterator[Holder]:
        # The engine checks this too, but not without sources.
        check_choice("mode", mode, get_args(_Mode))
        for place in self._order(cited):
            match = self[place].find(quote, mode=mode, threshold=threshold)
            if match is not None:
                yield Holder(place, self.names[place], match)

    def _prepare(self, place: int) -> Source:
        given = self._given[place]
        if isinstance(given, Source):
            return given
        if isinstance(given, str):
            return Source(given, name=self.names[place], profile=self._profile)
        return given.source(self._profile)

    def place(self, which: int | str) -> int:
        """Return the index of a source by its name or index. Raises the errors of indexing."""
        if isinstance(which, str):
            place = self._places.get(which)
            if place is None:
                raise KeyError(f"no source is called {show(which)}")
            return place
        if not 0 <= which < len(self._given):
            raise IndexError(f"there are {len(self._given)} sources, so the index {which} is out of range")
        return which

    def _order(self, cited: int | str | None) -> Iterator[int]:
        first = None if cited is None else self.place(cited)
        if first is not None:
            yield first
        yield from (place for place in range(len(self._given)) if place != first)


def _is_document(given: object) -> "TypeGuard[Document]":
    """Whether *given* is a `Document`; who has one has loaded its module."""
    module = sys.modules.get("groundwire.documents.document")
    return module is not None and isinstance(given, module.Document)


def _is_text(given: object) -> "TypeGuard[_Text]":
    return isinstance(given, str | Source | Transcript) or _is_document(given)


def document_of(given: object) -> "Document | None":
    """Return *given* if it is a document."""
    return given if _is_document(given) else None


def transcript_of(given: object) -> Transcript | None:
    """Return the turns of a transcript, or of a document whose text names speakers; offsets are those of its text."""
    if isinstance(given, Transcript):
        return given
    if not _is_document(given):
        return None
    from groundwire.transcripts.reader import read_transcript

    reading = read_transcript(given.without_running_heads(), format="text", name=given.name)
    return reading if reading.turns else None


class _Probes:
    """
    Finds candidates among many quotes: all quotes that a source contains, and few others.

    All probes have the same length, so at most one of them occurs at any offset of a
    text.
    """

    def __init__(self, quotes: Sequence[str]) -> None:
        self._quotes = quotes
        self._by_profile: dict[str, tuple[Patterns, list[list[int]], list[int]]] = {}

    def candidates(self, source: Source) -> list[int]:
        """Return indexes of quotes in ascending order."""
        filed = self._by_profile.get(source.profile)
        if filed is None:
            filed = self._by_profile[source.profile] = self._file(source.profile)
        patterns, quotes_of, always = filed
        seen = {found[0] for found in patterns.find_all(source.normalized)}
        return sorted([*always, *(quote for probe in seen for quote in quotes_of[probe])])

    def _file(self, profile: _Profile) -> tuple[Patterns, list[list[int]], list[int]]:
        """Return the probes, the quotes of each probe, and the quotes that are too short for a probe."""
        probes: dict[str, list[int]] = {}
        always = []
        for place, quote in enumerate(self._quotes):
            normalized = normalize(quote, profile=profile)
            middle = (len(normalized) - _PROBE_CHARS) // 2
            if middle < 0:
                always.append(place)
            else:
                probes.setdefault(normalized[middle : middle + _PROBE_CHARS], []).append(place)
        return Patterns(list(probes)), list(probes.values()), always


def _checked(quotes: Sequence[str]) -> list[str]:
    if isinstance(quotes, str):
        raise TypeError("quotes must be a sequence of str, got str")
    given = list(quotes)
    for place, quote in enumerate(given):
        if not isinstance(quote, str):
            raise TypeError(f"quotes[{place}] must be a str, got {type(quote).__name__}")
    return given


def _items(sources: object) -> Iterable[object]:
    """Yield the sources, with names if they come from a mapping."""
    if isinstance(sources, Mapping):
        for name, given in sources.items():
            if not isinstance(name, str) or not _is_text(given):
                raise TypeError(
                    "a mapping of sources must have str as names and str, Source, Transcript or Document as values, "
                    f"got {type(name).__name__} and {type(given).__name__}"
                )
        return sources.items()
    if _is_text(sources) or isinstance(sources, bytes) or not isinstance(sources, Iterable):
        got = type(sources).__name__
        raise TypeError(f"sources must be a mapping of name to text or a list of sources, got {got}; put it in a list")
    return sources


def _named(each: object, place: int) -> tuple[str, _Text]:
    """Return the name of a source, and the source."""
    if isinstance(each, Source | Transcript) or _is_document(each):
        return each.name or f"source {place + 1}", each
    if isinstance(each, str):
        return f"source {place + 1}", each
    if isinstance(each, tuple) and len(each) == 2 and isinstance(each[0], str) and _is_text(each[1]):
        return each
    got = type(each).__name__
    raise TypeError(
        f"sources[{place}] must be a str, a Source, a Transcript, a Document or a tuple of name and text, got {got}"
    )
