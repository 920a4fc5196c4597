"""
What the lines of a plain text can begin: a turn, a time, a heading.

A line alone does not tell whether `Name:` is a speaker. Here is only what it
looks like; `speakers.choose_speakers` decides for the text as a whole.
"""

import re
from typing import NamedTuple

from groundwire.transcripts.times import CLOCK, Times, clock_seconds

__all__ = ["Head", "Heading", "Stamp", "line_event"]

_RANGE = rf"({CLOCK})(?:[ \t]*(?:-->|[-–—])[ \t]*({CLOCK}))?"
# In Markdown brackets may have a backslash each.
_STAMP = re.compile(rf"\\?\[[ \t]*{_RANGE}[ \t]*\\?\]|\([ \t]*{_RANGE}[ \t]*\)|{_RANGE}(?![0-9:])")

# Each is bounded, so that a line of a gigabyte takes no longer than one of 300 characters.
_LONGEST_HEAD_CHARS = 300
_INDENT = re.compile(r"\ufeff?[ \t]{0,99}(?:(?:>|[-*+•][ \t])[ \t]{0,9}){0,9}")
_SPACE = re.compile(r"[ \t]{0,99}")
_AFTER_STAMP = re.compile(r"[ \t]{0,99}(?:[-–—|][ \t]{0,9})?")
_HEADING = re.compile(r"#{1,6}[ \t]|(?:-[ \t]?){3,50}\Z|(?:\*[ \t]?){3,50}\Z|(?:_[ \t]?){3,50}\Z|={3,200}\Z")
_EMPHASIZED = re.compile(r"(\*{1,3}|_{1,3})([^*:：\r\n]{1,160}?)[ \t]{0,9}([:：]{0,2})[ \t]{0,9}\1")
_BRACKETED = re.compile(r"\[([^\[\]*:：\r\n]{1,160})\][ \t]{0,9}(?=[:：])")
_PLAIN = re.compile(r"[^*\[\]:：\r\n<>]{1,160}")
# What most lines of most transcripts begin with, found in one go; everything else takes the long way to the same end.
_USUAL = re.compile(r"([^\W\d_][^*\[\]():：\r\n<>]{0,99}):[ \t]{1,99}(?=[^\s\[\\])")
_BULLETS = frozenset("-*+•")
_MAY_BE_HEADINGS = frozenset("#-*_=")
# After a name that is cut off at the first colon: the beginning of a time. The name has to end before it.
_TIME_BEGINS = re.compile(r"(?<=[ \t])\(?[ \t]?[0-9]{1,4}\Z")
_COLON = re.compile(r"[ \t]{0,9}(?:：{1,2}|:{1,2}(?![\x21-\x7e]))")


_NO_TIMES = Times()


class Head(NamedTuple):
    """A line that may begin a turn: *name* in a *style*, the words from *words* on."""

    style: str
    name: str
    words: int
    times: Times


class Stamp(NamedTuple):
    """A line that begins with a time and no name, the words from *words* on; *is_alone* if there are none."""

    words: int
    times: Times
    is_alone: bool


class Heading(NamedTuple):
    """A line that belongs to no turn and ends the one before it."""


def line_event(text: str, start: int, end: int) -> Head | Stamp | Heading | None:
    """Return what the line from *start* to *end* of *text*, which is not empty, may begin; None if it only goes on."""
    if (usual := _USUAL.match(text, start, end)) is not None:
        return Head("plain", usual[1].rstrip(), usual.end(), _NO_TIMES)
    stop = min(end, start + _LONGEST_HEAD_CHARS)
    if text[start] in _MAY_BE_HEADINGS and _HEADING.match(text, start, stop):
        return Heading()
    if text.find(":", start, stop) < 0 and text.find("：", start, stop) < 0:
        return None
    place = _behind(_INDENT, text, start, stop)
    # Speakers are in a list or not; `- one: …` in what one of them says is another style than theirs.
    style = "listed" if place > start and not _BULLETS.isdisjoint(text[start:place]) else ""
    stamp = _stamp_at(text, place, stop)
    if stamp is None:
        return _head_at(text, place, stop, style)
    times, behind = stamp
    head = _head_at(text, _behind(_AFTER_STAMP, text, behind, stop), stop, style)
    if head is not None:
        return head if head.times != _NO_TIMES else head._replace(times=times)
    words = _behind(_SPACE, text, behind, stop)
    is_alone = words == end
    # A sentence may begin with a time. One in square brackets, or a range, is no part of it.
    is_apart = is_alone or text[place] in "\\[" or times.end_s is not None
    return Stamp(words, times, is_alone) if is_apart else None


def _head_at(text: str, place: int, stop: int, listed: str) -> Head | None:
    """Return the name that begins at *place*: with a colon, or with a time and nothing more on its line."""
    found = _name_at(text, place, stop)
    if found is None:
        return None
    style, name, behind, has_colon = found
    times = _NO_TIMES
    stamp = _stamp_at(text, _behind(_SPACE, text, behind, stop), stop, in_square_brackets=has_colon)
    if stamp is not None:
        times, behind = stamp
    if not has_colon and (stamp is None or _behind(_SPACE, text, behind, stop) < stop):
        has_colon, behind = _skip_colon(text, behind, stop)
        if not has_colon:
            return None
    return Head(listed or style, name.strip(), _behind(_SPACE, text, behind, stop), times)


def _name_at(text: str, place: int, stop: int) -> tuple[str, str, int, bool] | None:
    """Return style, name, the place behind it, and whether a colon belongs to it, which then is passed as well."""
    if (found := _EMPHASIZED.match(text, place, stop)) is not None:
        if found[3]:
            return "emphasized", found[2], found.end(), True
        has_colon, behind = _skip_colon(text, found.end(), stop)
        return "emphasized", found[2], behind, has_colon
    if (found := _BRACKETED.match(text, place, stop)) is not None:
        has_colon, behind = _skip_colon(text, found.end(), stop)
        return ("bracketed", found[1], behind, True) if has_colon else None
    if (found := _PLAIN.match(text, place, stop)) is None:
        return None
    has_colon, behind = _skip_colon(text, found.end(), stop)
    if has_colon:
        return "plain", found[0], behind, True
    name, behind = _without_time(found[0])
    return "timed", name, place + behind, False


def _without_time(name: str) -> tuple[str, int]:
    """Cut off where a time begins, and return what is left and its length; nothing if they are not apart."""
    begin = _TIME_BEGINS.search(name)
    kept = len(name) if begin is None else begin.start()
    return name[:kept], kept


def _skip_colon(text: str, place: int, stop: int) -> tuple[bool, int]:
    colon = _COLON.match(text, place, stop)
    return (False, place) if colon is None else (True, colon.end())


def _stamp_at(text: str, place: int, stop: int, *, in_square_brackets: bool = False) -> tuple[Times, int] | None:
    """Return the time or range of times that stands at *place*, and the place behind it."""
    stamp = _STAMP.match(text, place, stop)
    if stamp is None or (in_square_brackets and stamp[0][0] not in "\\["):
        return None
    clocks = [clock for clock in stamp.groups() if clock is not None]
    seconds = [clock_seconds(clock) for clock in clocks]
    return Times(seconds[0], seconds[1] if len(seconds) > 1 else None, None in seconds), stamp.end()


def _behind(pattern: re.Pattern[str], text: str, place: int, stop: int) -> int:
    """Return the place behind what *pattern*, which matches everywhere, matches at *place*."""
    found = pattern.match(text, place, stop)
    return place if found is None else found.end()
