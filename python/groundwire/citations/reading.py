"""
An answer taken apart: its citations, its claims, and which of these need a citation and have none.

The engine reads it as people do; the printed rules (rulings B1, B2, B8) count what
`detect_hallucination` counts. Both come in one shape.
"""

from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple, Protocol

from groundwire._engine import read_answer
from groundwire.citations.literal import CLAIM_CHARS, LONG_CHARS, has_bracket, literal_brackets, literal_pieces
from groundwire.citations.report import Figures

__all__ = ["Claim", "Marker", "Reading", "read", "read_literally"]


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


def read_literally(answer: str, known: Collection[str]) -> tuple[Figures, Callable[[], Reading]]:
    """
    Take *answer* apart by the printed rules.

    Each bracket is a citation, of one id. A sentence of more than 20 characters is a
    claim; one of more than 50 without any bracket is uncited.
    """
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
    covered = sum(any(markers[place].valid_ids for place in claim.markers) for claim in claims)
    valid, invalid = (
        {id_ for marker in markers for id_ in getattr(marker, name)} for name in ("valid_ids", "invalid_ids")
    )
    figures = Figures(len(claims), covered, sum(uncited), sorted(valid), sorted(invalid), [])
    return figures, lambda: Reading(markers, claims, uncited)


def _marker(start: int, end: int, written: str, known: Collection[str]) -> _Marker:
    if written in known:
        return _Marker(start, end, (written,), (written,), ())
    return _Marker(start, end, (written,), (), (written,))


def _inside(markers: Sequence[_Marker], starts: list[int], start: int, end: int) -> tuple[int, ...]:
    """The places of the markers that stand in *start* to *end* as a whole."""
    first, last = bisect_left(starts, start), bisect_left(starts, end)
    return tuple(place for place in range(first, last) if markers[place].end <= end)
