"""
An answer taken apart: its citations, its claims, and which of these need a citation and have none.

The engine reads it as people do; the printed rules (rulings B1, B2, B8) count what
`detect_hallucination` counts. Both come in one shape.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence, Set
from typing import NamedTuple, Protocol

from groundwire._engine import read_answer
from groundwire.citations.literal import (
    CLAIM_CHARS,
    LONG_CHARS,
    has_bracket,
    literal_brackets,
    literal_citations,
    literal_pieces,
)
from groundwire.citations.report import Figures

__all__ = ["Claim", "Marker", "Reading", "read", "read_literally"]


_NONE: frozenset[str] = frozenset()


class Marker(Protocol):
    """A citation: where it stands, brackets included, what is written in it, and which of that is there."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def ids(self) -> Sequence[str]: ...
    @property
    def valid_ids(self) -> Sequence[str]: ...
    @property
    def invalid_ids(self) -> Sequence[str]: ...


class Claim(Protocol):
    """A claim: where it stands, and the places of its markers."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def markers(self) -> Sequence[int]: ...


class Reading(NamedTuple):
    """All citations and all claims, in their order, and of each claim whether it needs a citation and has none."""

    markers: Sequence[Marker]
    claims: Sequence[Claim]
    uncited: Sequence[bool]


class _Marker(NamedTuple):
    start: int
    end: int
    ids: tuple[str, ...]
    valid_ids: tuple[str, ...]
    invalid_ids: tuple[str, ...]


class _Claim(NamedTuple):
    start: int
    end: int
    markers: tuple[int, ...]


def read(answer: str, known: list[str]) -> tuple[Figures, Callable[[], Reading]]:
    """
    Take *answer* apart as people read it; *known* are the ids that may be cited.

    The parts are made when they are asked for: the figures cost a tenth of what they do.
    """
    found = read_answer(answer, known)

    def parts() -> Reading:
        markers, claims = found.markers, found.claims
        uncited = [claim.is_long and not any(markers[place].valid_ids for place in claim.markers) for claim in claims]
        return Reading(markers, claims, uncited)

    return Figures(*found.figures()), parts


def read_literally(answer: str, known: frozenset[str]) -> tuple[Figures, Callable[[], Reading]]:
    """
    Take *answer* apart by the printed rules.

    Each bracket is a citation, of one id. A sentence of more than 20 characters is a
    claim; one of more than 50 without any bracket is uncited.
    """
    return _counted(answer, known) or _figures(_parts(answer, known)), lambda: _parts(answer, known)


def _counted(answer: str, known: frozenset[str]) -> Figures | None:
    """The figures, without the parts; None if a citation may reach from one sentence into the next."""
    cited: set[str] = set()
    claims = covered = uncited = 0
    for piece in literal_pieces(answer):
        own: Set[str] = _NONE
        if "[" in piece:
            if piece.rfind("[") > piece.rfind("]"):
                return None
            own = literal_citations(piece)
            cited |= own
        length = len(piece.strip())
        if length > CLAIM_CHARS:
            claims += 1
            if not own:
                uncited += length > LONG_CHARS
            elif not known.isdisjoint(own):
                covered += 1
    return Figures(claims, covered, uncited, sorted(cited & known), sorted(cited - known), [])


def _figures(parts: Reading) -> Figures:
    covered = sum(any(parts.markers[place].valid_ids for place in claim.markers) for claim in parts.claims)
    valid = {id_ for marker in parts.markers for id_ in marker.valid_ids}
    invalid = {id_ for marker in parts.markers for id_ in marker.invalid_ids}
    return Figures(len(parts.claims), covered, sum(parts.uncited), sorted(valid), sorted(invalid), [])


def _parts(answer: str, known: Set[str]) -> Reading:
    markers = [_marker(match.start(), match.end(), match[1], known) for match in literal_brackets(answer)]
    starts = [marker.start for marker in markers]
    claims: list[_Claim] = []
    uncited: list[bool] = []
    position = 0
    for piece in literal_pieces(answer):
        sentence = piece.strip()
        end = position + len(piece)
        if len(sentence) > CLAIM_CHARS:
            start = end - len(piece.lstrip())
            claims.append(_Claim(start, start + len(sentence), _inside(markers, starts, position, end)))
            uncited.append(len(sentence) > LONG_CHARS and not has_bracket(piece))
        position = end + 1
    return Reading(markers, claims, uncited)


def _marker(start: int, end: int, written: str, known: Set[str]) -> _Marker:
    if written in known:
        return _Marker(start, end, (written,), (written,), ())
    return _Marker(start, end, (written,), (), (written,))


def _inside(markers: Sequence[_Marker], starts: list[int], start: int, end: int) -> tuple[int, ...]:
    """The places of the markers that stand in *start* to *end* as a whole."""
    first, last = bisect_left(starts, start), bisect_left(starts, end)
    return tuple(place for place in range(first, last) if markers[place].end <= end)
