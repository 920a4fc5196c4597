"""
Several sources: which of them hold a quote?

Each is prepared once, when it is first needed, and kept. Many quotes are looked
for in one pass over each source.
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

# Of each quote this many characters from its middle are looked for in all sources first. Fewer stand in too many of
# them, and shorter quotes are looked for as they are.
_PROBE_CHARS = 24
# Looking for probes reads each source, 40 us for 100,000 characters; a quote that is looked for alone in a source that
# has been searched before takes about 1 us, and in one that has not, reads it as well.
_PROBED_FROM_QUOTES = 16


@dataclass(frozen=True, slots=True)
class Holder:
    """A source that holds a quote: its place among the sources, from 0, its name, and the match in it."""

    index: int
    name: str
    match: Match


class Sources:
    """
    Several sources, each with a name of its own.

    Where something comes back of several sources, the cited one comes first if
    there is one, and the others follow in the order in which they were given;
    scores do not change that.

    Args:
        sources: A mapping of name to source, or a list of sources. A source is a text, a
            `Source`, a `Transcript` or a `Document`; in a list also one with its name, as ``(name, text)``.
            A source of a list that has no name is called `source N`, N its place from 1.
        profile: The normalisation of texts and transcripts. A `Source` keeps its own.

    Raises:
        TypeError: *sources* is a single text, or one of them is none of these.
        ValueError: Two have one name, or there is no such profile.
    """

    __slots__ = ("_given", "_places", "_prepared", "_profile", "_transcripts", "names")

    names: tuple[str, ...]
    """The names, in the order of the sources."""

    def __init__(
        self,
        sources: "Mapping[str, _Text] | Iterable[_Text | tuple[str, _Text]]",
        *,
        profile: _Profile = "typographic",
    ) -> None:
        normalize("", profile=profile)  # refuses a profile that is none
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
        Return a source by its place, from 0, or its name; prepare it if that has not been done.

        Raises:
            IndexError: There are not that many.
            KeyError: None has this name.
        """
        place = self.place(which)
        source = self._prepared[place]
        if source is None:
            # Threads that get here at once may prepare it twice; both are right.
            source = self._prepared[place] = self._prepare(place)
        return source

    def transcript(self, which: int | str) -> Transcript | None:
        """Return the turns of a source: a transcript, or a document in which people speak. Raises as indexing does."""
        place = self.place(which)
        if place not in self._transcripts:
            self._transcripts[place] = transcript_of(self._given[place])
        return self._transcripts[place]

    def document(self, which: int | str) -> "Document | None":
        """Return the document that a source was given as, None if as something else. Raises as indexing does."""
        return document_of(self._given[self.place(which)])

    def find(
        self,
        quote: str,
        *,
        cited: int | str | None = None,
        mode: _Mode = "substring",
        threshold: float = FUZZY_THRESHOLD,
    ) -> Holder | None:
        """Return the first source that holds *quote*. The others are not looked at, nor prepared."""
        return next(self._holders(quote, cited, mode, threshold), None)

    def holders(
        self,
        quote: str,
        *,
        cited: int | str | None = None,
        mode: _Mode = "substring",
        threshold: float = FUZZY_THRESHOLD,
    ) -> list[Holder]:
        """Return all sources that hold *quote*. A blank quote is held by none."""
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
        Return for each of *quotes* all sources that hold it, as `holders` does: one pass over each source.

        Args:
            quotes: What to look for; repeated ones are looked for once more.
            cited: The place, from 0, or the name of the source that comes first.
            mode: "substring", or "fuzzy" to accept close wording as well.
            threshold: The least score in fuzzy mode, 0.0 to 1.0.
            workers: Threads for the quotes of one source, at most.

        Raises:
            TypeError, ValueError: As `Source.ground`; and as indexing for *cited*.
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
        # The engine checks it too, but not where there are no sources.
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
        """Return the place of a source, from 0, by its name or place. Raises as indexing does."""
        if isinstance(which, str):
            place = self._places.get(which)
            if place is None:
                raise KeyError(f"no source is called {show(which)}")
            return place
        if not 0 <= which < len(self._given):
            raise IndexError(f"there are {len(self._given)} sources, and none at {which}")
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
    Which of many quotes a source may hold: all that it holds, and few more.

    All probes have one length, so that at one place of a text at most one of them
    stands, whatever the quotes are.
    """

    def __init__(self, quotes: Sequence[str]) -> None:
        self._quotes = quotes
        self._by_profile: dict[str, tuple[Patterns, list[list[int]], list[int]]] = {}

    def candidates(self, source: Source) -> list[int]:
        """Return places of quotes, ascending."""
        filed = self._by_profile.get(source.profile)
        if filed is None:
            filed = self._by_profile[source.profile] = self._file(source.profile)
        patterns, quotes_of, always = filed
        seen = {found[0] for found in patterns.find_all(source.normalized)}
        return sorted([*always, *(quote for probe in seen for quote in quotes_of[probe])])

    def _file(self, profile: _Profile) -> tuple[Patterns, list[list[int]], list[int]]:
        """File the quotes under their probes; return the probes, the quotes of each, and those that are too short."""
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
    for place, quote in enumerate(quotes):
        if not isinstance(quote, str):
            raise TypeError(f"quotes[{place}] must be a str, got {type(quote).__name__}")
    return list(quotes)


def _items(sources: object) -> Iterable[object]:
    """Return the sources one by one, those of a mapping with their names."""
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
