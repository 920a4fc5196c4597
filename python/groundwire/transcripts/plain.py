"""Plain text and Markdown: turns in a text that stays as it is."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from groundwire.transcripts.events import Head, Heading, Stamp, line_event
from groundwire.transcripts.lines import line_spans
from groundwire.transcripts.speakers import choose_speakers
from groundwire.transcripts.times import Times
from groundwire.transcripts.turns import Stretch

__all__ = ["plain_stretches"]


_NO_SPACE = re.compile(r"\S")
_TAIL_CHARS = 4096


class _Event(NamedTuple):
    line: int
    start: int
    what: Head | Stamp | Heading


class _Open(NamedTuple):
    """A turn whose end is not known yet."""

    line: int
    speaker: str | None
    words: int
    times: Times
    # After a time on a line of its own nothing may be said before the next name: then it is that name's time.
    may_be_none: bool


def plain_stretches(text: str) -> list[Stretch]:
    """
    Return what is said in *text*, in order: nothing if nobody is named and nothing is timed.

    A turn begins behind `Name:` and ends before the next, before a heading or a
    line that begins with a time, which goes on with the same speaker. What stands
    before the first of these belongs to nobody. Times count if somebody is named or
    if a fifth of the lines begins with one.
    """
    events, line_count = _events(text)
    heads: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for event in events:
        if isinstance(event.what, Head):
            heads[event.what.style][event.what.name] += 1
    speakers = choose_speakers(heads, line_count)
    stamp_count = sum(isinstance(event.what, Stamp) for event in events)
    are_timed = any(speakers.values()) or (stamp_count > 1 and stamp_count * 5 >= line_count)
    chosen = (event for event in events if _counts(event.what, speakers, are_timed=are_timed))
    return list(_stretches(text, chosen))


def _events(text: str) -> tuple[list[_Event], int]:
    """Return the lines that may begin something, and the number of those that may say something."""
    events = []
    line_count = 0
    for line, (start, end) in enumerate(line_spans(text), 1):
        if start == end or (text[start].isspace() and text[start:end].isspace()):
            continue
        what = line_event(text, start, end)
        if what is not None:
            events.append(_Event(line, start, what))
        line_count += not (isinstance(what, Heading) or (isinstance(what, Stamp) and what.is_alone))
    return events, line_count


def _counts(what: Head | Stamp | Heading, speakers: dict[str, frozenset[str]], *, are_timed: bool) -> bool:
    if isinstance(what, Head):
        return what.name in speakers[what.style]
    return are_timed or isinstance(what, Heading)


def _stretches(text: str, events: Iterable[_Event]) -> Iterator[Stretch]:
    current: _Open | None = None
    for event in events:
        pending = Times()
        if current is not None:
            closed = _close(text, current, event.start)
            if closed is not None:
                yield closed
            else:
                pending = current.times
        current = _opened(event, current, pending)
    if current is not None and (closed := _close(text, current, len(text))) is not None:
        yield closed


def _opened(event: _Event, before: _Open | None, pending: Times) -> _Open | None:
    """Return the turn that *event* begins; after *pending*, the time of a line that nothing was said behind."""
    what = event.what
    if isinstance(what, Heading):
        return None
    if isinstance(what, Head):
        times = pending if what.times == Times() else what.times
        return _Open(event.line, what.name, what.words, times, may_be_none=False)
    speaker = None if before is None else before.speaker
    return _Open(event.line, speaker, what.words, what.times, may_be_none=what.is_alone)


def _close(text: str, turn: _Open, end: int) -> Stretch | None:
    """Return the turn without the white space around its words, or None if it was none."""
    first = _NO_SPACE.search(text, turn.words, end)
    if first is None:
        return None if turn.may_be_none else Stretch(turn.line, turn.speaker, turn.words, turn.words, turn.times)
    start = first.start()
    # Piece by piece from the end, so that a turn of a gigabyte is not copied.
    while not (tail := text[max(start, end - _TAIL_CHARS) : end].rstrip()):
        end -= _TAIL_CHARS
    return Stretch(turn.line, turn.speaker, start, max(start, end - _TAIL_CHARS) + len(tail), turn.times)
