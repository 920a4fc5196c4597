"""
Finds the occurrences of a quote, or of a fragment of one, that count as its words.

An occurrence inside a transcriber's note was not spoken (ruling A19), and part of a number is another number: 5 of 2.5,
12 of −12, 106 of 10⁶, $5 of $5 million.
"""

from groundwire._engine import Match, Source
from groundwire.evidence.differences import DifferenceKind
from groundwire.language import reader

__all__ = ["is_in_note", "spoken_places", "with_whole_numbers"]

_NOTE_CHARS = 40
"""Maximum length of a transcriber's note in brackets; a longer one counts as speech."""

_CHECKED_PLACES = 16
"""Number of occurrences that are checked for the numbers of a quote; if none has them, the quote does not occur."""

_NUMBER_TAIL_CHARS = 12
"""Number of characters after a quote in which its last number may continue: spaces, a unit, a power of ten."""

_OF_NUMBERS = frozenset({DifferenceKind.NUMBER, DifferenceKind.UNIT, DifferenceKind.DATE, DifferenceKind.TIME})


def spoken_places(words: str, source: Source) -> list[Match]:
    """Return the occurrences of *words* on word boundaries (ruling A10), without those inside a transcriber's note."""
    places = source.find_all(words, word_boundaries=True)
    if places and "[" in source.text:
        return [place for place in places if not is_in_note(source.text, place.start, place.end)]
    return places


def is_in_note(text: str, start: int, end: int) -> bool:
    """Tell whether a span is inside a transcriber's square brackets, whose words nobody spoke (ruling A19)."""
    before = text.rfind("[", max(0, start - _NOTE_CHARS), start)
    if before < 0 or "]" in text[before:end]:
        return False
    return 0 <= text.find("]", end, end + _NOTE_CHARS) - before <= _NOTE_CHARS


def with_whole_numbers(places: list[Match], words: str, source: Source, language: str) -> list[Match]:
    """Return those of *places*, the occurrences of *words*, at which no number is only part of one in the source."""
    if not places or not any(map(str.isnumeric, words)):
        return places
    whole = [place for place in places[:_CHECKED_PLACES] if not _cuts_number(words, place, source, language)]
    return [*whole, *places[_CHECKED_PLACES:]] if whole else []


def _cuts_number(words: str, place: Match, source: Source, language: str) -> bool:
    """Tell whether a number is only part of one in the source, or a superscript there."""
    text = source.text
    is_inside = place.text == words and not (
        _is_part_of_number(text[place.start - 2 : place.start] if place.start > 1 else text[: place.start], words[:1])
        or _is_part_of_number(text[place.end : place.end + _NUMBER_TAIL_CHARS], words[-1:])
    )
    if is_inside:
        return False
    rows = reader().differences(words, text, place.start, place.end, language=language)
    return any(kind in _OF_NUMBERS for kind, *_ in rows)


def _is_part_of_number(beside: str, edge: str) -> bool:
    """Tell whether a number at an end of the words may continue in the source."""
    return edge.isnumeric() and bool(beside.strip())
