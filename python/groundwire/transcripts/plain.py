"""Plain text and Markdown: turns in a text that stays as it is."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from groundwire.transcripts.events import Head, Heading, Stamp, line_event
from groundwire.transcripts.lines import line_spans
from groundwire.transcripts.speakers import choose_speakers, is_interviewer, is_profile_label, speaker_key
from groundwire.transcripts.times import Times
from groundwire.transcripts.turns import TurnText

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


def plain_stretches(text: str) -> list[TurnText]:
    """
    Return what is said in *text*, in order: nothing if nobody is named and nothing is timed.

    A turn begins behind `Name:` and ends before the next, before a heading or a
    line that begins with a time, which goes on with the same speaker. What stands
    before the first of these belongs to nobody. Times count if somebody is named or
    if a fifth of the lines begins with one. A block such as `Role: Nurse` and `Company
    Size: 200` at the head of a text says of whom it is, and nobody speaks there.
    """
    events, line_count, first_prose_line = _events(text)
    fields = _profile_fields(events, first_prose_line)
    line_count -= sum(isinstance(event.what, Head) for event in events[:fields])
    events = events[fields:]
    heads: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for event in events:
        if isinstance(event.what, Head):
            heads[event.what.style][event.what.name] += 1
    speakers = choose_speakers(heads, line_count)
    stamp_count = sum(isinstance(event.what, Stamp) for event in events)
    are_timed = any(speakers.values()) or (stamp_count > 1 and stamp_count * 5 >= line_count)
    chosen = (event for event in events if _counts(event.what, speakers, are_timed=are_timed))
    return list(_stretches(text, chosen))


def _events(text: str) -> tuple[list[_Event], int, int]:
    """
    Return the lines that may begin something, the number of those that may say something, and the first other line.

    That is the number of the first line that begins nothing, or one behind the last.
    """
    events = []
    line_count = 0
    first_prose_line = 0
    for line, (start, end) in enumerate(line_spans(text), 1):
        if start == end or (text[start].isspace() and text[start:end].isspace()):
            continue
        what = line_event(text, start, end)
        if what is not None:
            events.append(_Event(line, start, what))
        elif not first_prose_line:
            first_prose_line = line
        line_count += not (isinstance(what, Heading) or (isinstance(what, Stamp) and what.is_alone))
    return events, line_count, first_prose_line or line_count + len(events) + 1


def _profile_fields(events: Sequence[_Event], first_prose_line: int) -> int:
    """
    Return how many of the first *events* belong to fields of a profile, with headings before them.

    Fields are lines `Label: value` before any other line, each label once in the text and no
    interviewer's. Of lines that follow one another at least half of the labels name a field of a
    profile, the first of them does, and a blank line or a heading follows the last; else
    those are fields that come before any other label.
    """
    first = next((event.what for event in events if isinstance(event.what, Head)), None)
    # Most texts have none, and labels are not counted for nothing.
    if first is None or not is_profile_label(first.name):
        return 0
    named = Counter(speaker_key(event.what.name) for event in events if isinstance(event.what, Head))
    count = passed = 0
    while True:
        passed = count
        while passed < len(events) and isinstance(events[passed].what, Heading):
            passed += 1
        block = _block(events[passed:], named, first_prose_line)
        known = [is_profile_label(name) for name in block]
        behind = passed + len(block)
        is_whole = behind == len(events) or events[behind].line > events[passed].line + len(block)
        if not (is_whole and known[:1] == [True] and 2 * sum(known) >= len(block)):
            fields = len(list(takewhile(bool, known)))
            return passed + fields if fields else count
        count = behind


def _block(events: Sequence[_Event], named: Counter[str], first_prose_line: int) -> list[str]:
    """The labels of the first lines that follow one another and may be fields."""
    labels: list[str] = []
    for place, event in enumerate(events):
        label = event.what.name if isinstance(event.what, Head) else ""
        is_next = event.line == events[0].line + place and event.line < first_prose_line
        if not label or not is_next or named[speaker_key(label)] > 1 or is_interviewer(label):
            break
        labels.append(label)
    return labels


def _counts(what: Head | Stamp | Heading, speakers: dict[str, frozenset[str]], *, are_timed: bool) -> bool:
    if isinstance(what, Head):
        return what.name in speakers[what.style]
    return are_timed or isinstance(what, Heading)


def _stretches(text: str, events: Iterable[_Event]) -> Iterator[TurnText]:
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


def _close(text: str, turn: _Open, end: int) -> TurnText | None:
    """Return the turn without the white space around its words, or None if it was none."""
    first = _NO_SPACE.search(text, turn.words, end)
    if first is None:
        return None if turn.may_be_none else TurnText(turn.line, turn.speaker, turn.words, turn.words, turn.times)
    start = first.start()
    # Piece by piece from the end, so that a turn of a gigabyte is not copied.
    while not (tail := text[max(start, end - _TAIL_CHARS) : end].rstrip()):
        end -= _TAIL_CHARS
    return TurnText(turn.line, turn.speaker, start, max(start, end - _TAIL_CHARS) + len(tail), turn.times)
