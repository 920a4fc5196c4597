"""
Reads plain text and Markdown: the lines that begin a turn, a time or a heading, and the turns that follow from them.

A single line does not show whether `Name:` is a speaker. `classify_line` reports only what a line looks like;
`speakers.choose_speakers` decides for the text as a whole. The text itself stays unchanged.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from groundwire.transcripts.speakers import choose_speakers, is_interviewer, is_profile_label, speaker_key
from groundwire.transcripts.transcript import CLOCK, Times, TurnSpan, clock_seconds

__all__ = ["Heading", "SpeakerLabel", "TextLine", "Timestamp", "classify_line", "line_spans", "numbered_lines", "turns"]

# The line ends of files. str.splitlines() knows more, and some of those occur inside speech.
_LINE_END = re.compile(r"\r\n|\n|\r")

_RANGE = rf"({CLOCK})(?:[ \t]*(?:-->|[-–—])[ \t]*({CLOCK}))?"
# In Markdown, a backslash may precede each bracket.
_TIMESTAMP = re.compile(rf"\\?\[[ \t]*{_RANGE}[ \t]*\\?\]|\([ \t]*{_RANGE}[ \t]*\)|{_RANGE}(?![0-9:])")

# Every repetition is bounded, so that a line of a gigabyte takes no longer than one of 300 characters.
_LABEL_MAX_CHARS = 300
_INDENT = re.compile(r"\ufeff?[ \t]{0,99}(?:(?:>|[-*+•][ \t])[ \t]{0,9}){0,9}")
_SPACE = re.compile(r"[ \t]{0,99}")
_AFTER_TIMESTAMP = re.compile(r"[ \t]{0,99}(?:[-–—|][ \t]{0,9})?")
_HEADING = re.compile(r"#{1,6}[ \t]|(?:-[ \t]?){3,50}\Z|(?:\*[ \t]?){3,50}\Z|(?:_[ \t]?){3,50}\Z|={3,200}\Z")
_EMPHASIZED = re.compile(r"(\*{1,3}|_{1,3})([^*:：\r\n]{1,160}?)[ \t]{0,9}([:：]{0,2})[ \t]{0,9}\1")
_BRACKETED = re.compile(r"\[([^\[\]*:：\r\n]{1,160})\][ \t]{0,9}(?=[:：])")
_PLAIN = re.compile(r"[^*\[\]:：\r\n<>]{1,160}")
# Matches the start of most lines of most transcripts at once. Without it, the result would be the same, but slower.
_USUAL = re.compile(r"([^\W\d_][^*\[\]():：\r\n<>]{0,99}):[ \t]{1,99}(?=[^\s\[\\])")
_BULLETS = frozenset("-*+•")
_MAY_BE_HEADINGS = frozenset("#-*_=")
# The beginning of a time, at the end of a name that was cut at its first colon.
_TIME_BEGINS = re.compile(r"(?<=[ \t])\(?[ \t]?[0-9]{1,4}\Z")
_COLON = re.compile(r"[ \t]{0,9}(?:：{1,2}|:{1,2}(?![\x21-\x7e]))")

_NO_SPACE = re.compile(r"\S")
_TAIL_CHARS = 4096
_NO_TIMES = Times()


class TextLine(NamedTuple):
    """Holds one line: its number from 1, and its text without the line end."""

    number: int
    text: str


class SpeakerLabel(NamedTuple):
    """Describes a line that may begin a turn: *name* in a *style*; the words begin at *words*."""

    style: str
    name: str
    words: int
    times: Times


class Timestamp(NamedTuple):
    """Describes a line that begins with a time and no name; *is_alone* if no words follow at *words*."""

    words: int
    times: Times
    is_alone: bool


class Heading(NamedTuple):
    """Describes a line that belongs to no turn and ends the previous one."""


class _Event(NamedTuple):
    line: int
    start: int
    kind: SpeakerLabel | Timestamp | Heading


class _OpenTurn(NamedTuple):
    """Holds a turn whose end is not known yet."""

    line: int
    speaker: str | None
    words: int
    times: Times
    # A time on a line of its own may precede a name. Without words in between, it is the time of that name's turn.
    may_be_dropped: bool


def line_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each line of *text*, without the line end; nothing after the last line end."""
    start = 0
    for line_end in _LINE_END.finditer(text):
        yield start, line_end.start()
        start = line_end.end()
    if start < len(text):
        yield start, len(text)


def numbered_lines(text: str) -> Iterator[TextLine]:
    """Yield the lines of *text*, without a byte order mark at its start."""
    for number, (start, end) in enumerate(line_spans(text), 1):
        yield TextLine(number, text[start:end].removeprefix("\ufeff") if start == 0 else text[start:end])


def turns(text: str) -> list[TurnSpan]:
    """
    Return the turns of *text* in order; none if it names no speaker and has no times.

    A turn begins after `Name:` and ends before the next name, a heading, or a line
    that begins with a time, which starts another turn of the same speaker. Text
    before the first of these belongs to no turn. Times count if the text names a
    speaker, or if a fifth of its lines begin with one. A block such as `Role: Nurse`
    and `Company Size: 200` at the head of a text is a profile and has no turns.
    """
    events, line_count, first_prose_line = _events(text)
    fields = _profile_fields(events, first_prose_line)
    line_count -= sum(isinstance(event.kind, SpeakerLabel) for event in events[:fields])
    events = events[fields:]
    labels: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for event in events:
        if isinstance(event.kind, SpeakerLabel):
            labels[event.kind.style][event.kind.name] += 1
    speakers = choose_speakers(labels, line_count)
    timestamps = sum(isinstance(event.kind, Timestamp) for event in events)
    are_timed = any(speakers.values()) or (timestamps > 1 and timestamps * 5 >= line_count)
    return list(_turn_spans(text, (event for event in events if _counts(event.kind, speakers, are_timed=are_timed))))


def _events(text: str) -> tuple[list[_Event], int, int]:
    """
    Return the lines that may begin something, the number of lines that may have words, and the first line of prose.

    The last is the number of the first line that begins nothing; without such a line, a number after the last line.
    """
    events = []
    line_count = 0
    first_prose_line = 0
    for line, (start, end) in enumerate(line_spans(text), 1):
        if start == end or (text[start].isspace() and text[start:end].isspace()):
            continue
        kind = classify_line(text, start, end)
        if kind is not None:
            events.append(_Event(line, start, kind))
        elif not first_prose_line:
            first_prose_line = line
        line_count += not (isinstance(kind, Heading) or (isinstance(kind, Timestamp) and kind.is_alone))
    return events, line_count, first_prose_line or line_count + len(events) + 1


def _profile_fields(events: Sequence[_Event], first_prose_line: int) -> int:
    """
    Return how many of the first *events* are fields of a profile, or headings before them.

    Fields are lines `Label: value` before any other line. Each label occurs once in
    the text and is no interviewer's. A block of consecutive fields counts as a whole
    if its first label and at least half of its labels are known fields of profiles,
    and if a blank line or a heading follows it. Of any other block, only the known
    fields at its beginning count.
    """
    first = next((event.kind for event in events if isinstance(event.kind, SpeakerLabel)), None)
    # Most texts have no profile; for these, counting the labels is unnecessary.
    if first is None or not is_profile_label(first.name):
        return 0
    named = Counter(speaker_key(event.kind.name) for event in events if isinstance(event.kind, SpeakerLabel))
    count = passed = 0
    while True:
        passed = count
        while passed < len(events) and isinstance(events[passed].kind, Heading):
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
    """Return the labels of the first consecutive lines that may be fields."""
    labels: list[str] = []
    for index, event in enumerate(events):
        label = event.kind.name if isinstance(event.kind, SpeakerLabel) else ""
        is_next = event.line == events[0].line + index and event.line < first_prose_line
        if not label or not is_next or named[speaker_key(label)] > 1 or is_interviewer(label):
            break
        labels.append(label)
    return labels


def _counts(kind: SpeakerLabel | Timestamp | Heading, speakers: dict[str, frozenset[str]], *, are_timed: bool) -> bool:
    if isinstance(kind, SpeakerLabel):
        return kind.name in speakers[kind.style]
    return are_timed or isinstance(kind, Heading)


def _turn_spans(text: str, events: Iterable[_Event]) -> Iterator[TurnSpan]:
    current: _OpenTurn | None = None
    for event in events:
        pending = _NO_TIMES
        if current is not None:
            closed = _close(text, current, event.start)
            if closed is not None:
                yield closed
            else:
                pending = current.times
        current = _open(event, current, pending)
    if current is not None and (closed := _close(text, current, len(text))) is not None:
        yield closed


def _open(event: _Event, previous: _OpenTurn | None, pending: Times) -> _OpenTurn | None:
    """Return the turn that *event* begins; *pending* is the time of a line before it that no words followed."""
    kind = event.kind
    if isinstance(kind, Heading):
        return None
    if isinstance(kind, SpeakerLabel):
        times = pending if kind.times == _NO_TIMES else kind.times
        return _OpenTurn(event.line, kind.name, kind.words, times, may_be_dropped=False)
    speaker = None if previous is None else previous.speaker
    return _OpenTurn(event.line, speaker, kind.words, kind.times, may_be_dropped=kind.is_alone)


def _close(text: str, turn: _OpenTurn, end: int) -> TurnSpan | None:
    """Return the turn without the white space around its words, or None for a time without words."""
    first = _NO_SPACE.search(text, turn.words, end)
    if first is None:
        return None if turn.may_be_dropped else TurnSpan(turn.line, turn.speaker, turn.words, turn.words, turn.times)
    start = first.start()
    # Strips one chunk after the other from the end, so that a turn of a gigabyte is not copied.
    while not (tail := text[max(start, end - _TAIL_CHARS) : end].rstrip()):
        end -= _TAIL_CHARS
    return TurnSpan(turn.line, turn.speaker, start, max(start, end - _TAIL_CHARS) + len(tail), turn.times)


def classify_line(text: str, start: int, end: int) -> SpeakerLabel | Timestamp | Heading | None:
    """Return what the non-empty line ``text[start:end]`` may begin; None if it continues the previous line."""
    if (usual := _USUAL.match(text, start, end)) is not None:
        return SpeakerLabel("plain", usual[1].rstrip(), usual.end(), _NO_TIMES)
    stop = min(end, start + _LABEL_MAX_CHARS)
    if text[start] in _MAY_BE_HEADINGS and _HEADING.match(text, start, stop):
        return Heading()
    if text.find(":", start, stop) < 0 and text.find("：", start, stop) < 0:
        return None
    offset = _skip(_INDENT, text, start, stop)
    # In one text, all speakers are list items or none is. `- one: …` inside a turn has another style than the speakers.
    style = "listed" if offset > start and not _BULLETS.isdisjoint(text[start:offset]) else ""
    timestamp = _timestamp_at(text, offset, stop)
    if timestamp is None:
        return _label_at(text, offset, stop, style)
    times, behind = timestamp
    label = _label_at(text, _skip(_AFTER_TIMESTAMP, text, behind, stop), stop, style)
    if label is not None:
        return label if label.times != _NO_TIMES else label._replace(times=times)
    words = _skip(_SPACE, text, behind, stop)
    is_alone = words == end
    # A sentence may begin with a time, but not with one in square brackets or with a range.
    is_apart = is_alone or text[offset] in "\\[" or times.end_s is not None
    return Timestamp(words, times, is_alone) if is_apart else None


def _label_at(text: str, offset: int, stop: int, listed: str) -> SpeakerLabel | None:
    """Return the name at *offset*. A colon follows it, or a time and the end of the line."""
    found = _name_at(text, offset, stop)
    if found is None:
        return None
    style, name, behind, has_colon = found
    times = _NO_TIMES
    timestamp = _timestamp_at(text, _skip(_SPACE, text, behind, stop), stop, in_square_brackets=has_colon)
    if timestamp is not None:
        times, behind = timestamp
    if not has_colon and (timestamp is None or _skip(_SPACE, text, behind, stop) < stop):
        has_colon, behind = _skip_colon(text, behind, stop)
        if not has_colon:
            return None
    return SpeakerLabel(listed or style, name.strip(), _skip(_SPACE, text, behind, stop), times)


def _name_at(text: str, offset: int, stop: int) -> tuple[str, str, int, bool] | None:
    """Return style, name, the offset behind it, and whether that offset is also behind a colon."""
    if (found := _EMPHASIZED.match(text, offset, stop)) is not None:
        if found[3]:
            return "emphasized", found[2], found.end(), True
        has_colon, behind = _skip_colon(text, found.end(), stop)
        return "emphasized", found[2], behind, has_colon
    if (found := _BRACKETED.match(text, offset, stop)) is not None:
        has_colon, behind = _skip_colon(text, found.end(), stop)
        return ("bracketed", found[1], behind, True) if has_colon else None
    if (found := _PLAIN.match(text, offset, stop)) is None:
        return None
    has_colon, behind = _skip_colon(text, found.end(), stop)
    if has_colon:
        return "plain", found[0], behind, True
    name, length = _without_time(found[0])
    return "timed", name, offset + length, False


def _without_time(name: str) -> tuple[str, int]:
    """Return *name* up to the beginning of a time at its end, and the length of that."""
    begin = _TIME_BEGINS.search(name)
    length = len(name) if begin is None else begin.start()
    return name[:length], length


def _skip_colon(text: str, offset: int, stop: int) -> tuple[bool, int]:
    colon = _COLON.match(text, offset, stop)
    return (False, offset) if colon is None else (True, colon.end())


def _timestamp_at(text: str, offset: int, stop: int, *, in_square_brackets: bool = False) -> tuple[Times, int] | None:
    """Return the time or range of times at *offset*, and the offset behind it."""
    timestamp = _TIMESTAMP.match(text, offset, stop)
    if timestamp is None or (in_square_brackets and timestamp[0][0] not in "\\["):
        return None
    clocks = [clock for clock in timestamp.groups() if clock is not None]
    seconds = [clock_seconds(clock) for clock in clocks]
    return Times(seconds[0], seconds[1] if len(seconds) > 1 else None, None in seconds), timestamp.end()


def _skip(pattern: re.Pattern[str], text: str, offset: int, stop: int) -> int:
    """Return the offset behind the match of *pattern*, which also matches nothing, at *offset*."""
    found = pattern.match(text, offset, stop)
    return offset if found is None else found.end()
