"""
Holds a transcript as one text with turns, and builds it from the segments that a format's reader found.

Times are seconds; `clock_seconds` and `written_seconds` read them as transcripts write them.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf
from operator import attrgetter
from typing import Literal, NamedTuple, TypeAlias

from groundwire._engine import Source
from groundwire.transcripts.speakers import speaker_key

__all__ = [
    "CLOCK",
    "Times",
    "Transcript",
    "TranscriptFormat",
    "TranscriptSegment",
    "Turn",
    "TurnFlag",
    "TurnSpan",
    "build_transcript",
    "clock_seconds",
    "transcript_of",
    "written_seconds",
]

TranscriptFormat: TypeAlias = Literal["text", "webvtt", "srt", "tsv", "csv", "json"]

_start = attrgetter("start")
_end = attrgetter("end")


class TurnFlag(StrEnum):
    """Names a defect of a turn that was kept nevertheless."""

    EMPTY = "empty"
    """It has no words."""
    UNKNOWN_SPEAKER = "unknown_speaker"
    """It names no speaker, although other turns of the transcript do."""
    UNREADABLE_TIME = "unreadable_time"
    """It has a time that cannot exist, such as 99:99, or a negative one."""
    ENDS_BEFORE_START = "ends_before_start"
    """Its end time is before its start time."""
    STARTS_BEFORE_PREVIOUS = "starts_before_previous"
    """It starts before the last turn that has a start time."""
    OVERLAPS_PREVIOUS = "overlaps_previous"
    """It starts before the last turn with times has ended; two turns with the same times are not flagged."""


@dataclass(frozen=True, slots=True)
class Turn:
    """
    Holds the uninterrupted words of one speaker; in subtitles and JSON, one cue or segment.

    Attributes:
        number: Position in the transcript, from 1.
        speaker: The name as written; None if no speaker is named. Not in the repr.
        start: Offset of the first spoken word in the transcript's text, in code
            points. The speaker's name and the times come before it.
        end: Offset after the last word.
        start_time_s: Start time in seconds; None if the transcript gives none.
        end_time_s: End time in seconds; None if the transcript gives none.
        line: Line of the file on which the turn begins, from 1. In JSON, the line
            of the opening brace.
        flags: Defects of the turn.
    """

    number: int
    speaker: str | None = field(repr=False)
    start: int
    end: int
    start_time_s: float | None
    end_time_s: float | None
    line: int
    flags: frozenset[TurnFlag]


@dataclass(frozen=True, slots=True)
class Transcript:
    """
    Holds one text with its turns.

    Attributes:
        text: The text that people see. For plain text, the file unchanged; otherwise
            built from the turns, one per line, each change of speaker introduced as
            `Name: `.
        name: Name of the transcript.
        format: Format in which it was read.
        turns: Turns in the order of the file. Their spans do not overlap. Empty if
            the text names no speaker and has no times.
        speakers: Each speaker once, as first written, in order of appearance.
            Spellings with the same `speaker_key` are one speaker.
        warnings: Defects, described without any words of the text.
    """

    text: str
    name: str | None
    format: TranscriptFormat
    turns: tuple[Turn, ...]
    speakers: tuple[str, ...]
    warnings: tuple[str, ...]
    _sources: dict[str, Source] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __repr__(self) -> str:
        return (
            f"Transcript(name={self.name!r}, format={self.format!r}, chars={len(self.text)}, "
            f"turns={len(self.turns)}, speakers={len(self.speakers)})"
        )

    def turn_at(self, offset: int) -> Turn | None:
        """
        Return the turn whose words include the character at *offset*.

        None for a name, a time, white space between turns, or an offset outside the text.
        """
        turn = self.turns[index - 1] if (index := bisect_right(self.turns, offset, key=_start)) else None
        return turn if turn is not None and offset < turn.end else None

    def turns_in(self, start: int, end: int) -> tuple[Turn, ...]:
        """Return the turns that have words in ``text[start:end]``, in order; none for an empty span."""
        first = bisect_right(self.turns, start, key=_end)
        behind = bisect_left(self.turns, end, key=_start)
        return tuple(turn for turn in self.turns[first:behind] if max(start, turn.start) < min(end, turn.end))

    def source(self, profile: Literal["spec", "typographic"] = "typographic") -> Source:
        """
        Return the text as a Source, prepared once for each *profile*.

        Offsets of its matches are offsets of `text`, so they fit the turns.

        Raises:
            ValueError: The profile does not exist.
        """
        source = self._sources.get(profile)
        if source is None:
            # If two threads get here at once, setdefault gives both the same source.
            source = self._sources.setdefault(profile, Source(self.text, name=self.name, profile=profile))
        return source

    def has_prepared(self, source: Source) -> bool:
        """Tell whether `source` returned this source."""
        return self._sources.get(source.profile) is source

    def spoken_source(self, profile: Literal["spec", "typographic"] = "typographic") -> Source:
        """Return the same with names, times and all other text between turns as white space; raises as `source`."""
        key = f"spoken {profile}"
        source = self._sources.get(key)
        if source is None:
            made = Source(
                self.with_words([self.text[turn.start : turn.end] for turn in self.turns]),
                name=self.name,
                profile=profile,
            )
            source = self._sources.setdefault(key, made)
        return source

    def with_words(self, words: Sequence[str]) -> str:
        """Return a text of the same length that has *words* in the place of each turn's, and white space elsewhere."""
        parts, end = [], 0
        for turn, text in zip(self.turns, words, strict=True):
            parts += [" " * (turn.start - end), text]
            end = turn.end
        parts.append(" " * (len(self.text) - end))
        return "".join(parts)


# The shape of a time, for use inside other patterns. A match may still be impossible: 99:99.
CLOCK = r"[0-9]{1,4}:[0-9]{1,2}(?::[0-9]{1,2})?(?:[.,][0-9]{1,9})?"
_CLOCK = re.compile(r"(?:([0-9]{1,4}):)?([0-9]{1,4}):([0-9]{1,2}(?:[.,][0-9]{1,9})?)")
_DECIMAL = re.compile(r"[+-]?[0-9]{1,30}(?:\.[0-9]{0,99})?(?:[eE][+-]?[0-9]{1,3})?")
_LIKE_A_TIME = re.compile(r"[+-]?[0-9][0-9.,:]{0,198}(?:[eE][+-]?[0-9]{1,3})?")


class Times(NamedTuple):
    """Holds start and end in seconds (None if not given), and whether the file gives a time that cannot exist."""

    start_s: float | None = None
    end_s: float | None = None
    are_unreadable: bool = False


def clock_seconds(clock: str) -> float | None:
    """
    Return the seconds of `1:02:03`, `02:03` or `02:03.5`; a decimal comma is read as a point.

    None if *clock* has another shape, if the seconds reach 60, or if the minutes
    reach 60 beside hours. Minutes without hours may exceed 60: 75:00 is an hour and a quarter.
    """
    parts = _CLOCK.fullmatch(clock)
    if parts is None:
        return None
    hours, minutes, seconds = parts[1], int(parts[2]), float(parts[3].replace(",", "."))
    if seconds >= 60 or (hours is not None and minutes >= 60):
        return None
    return int(hours or 0) * 3600 + minutes * 60 + seconds


def written_seconds(written: str) -> float | None:
    """
    Return the seconds of a decimal number or a clock time; None for a negative or an impossible time.

    Raises:
        ValueError: *written* does not have the shape of a time.
    """
    if _LIKE_A_TIME.fullmatch(written) is None:
        raise ValueError("not a time")
    seconds = float(written) if _DECIMAL.fullmatch(written) else clock_seconds(written)
    return seconds if seconds is not None and 0 <= seconds < inf else None


class TranscriptSegment(NamedTuple):
    """Holds one entry of a file: its line, speaker and times, and its words without surrounding white space."""

    line: int
    speaker: str | None
    times: Times
    words: str


class TurnSpan(NamedTuple):
    """Holds a turn whose words are given as offsets of a text."""

    line: int
    speaker: str | None
    start: int
    end: int
    times: Times


# Shown for an unnamed speaker; without it, the turn would seem to continue the previous one.
_UNNAMED = "?"
_NO_TIMES = Times()
_NO_FLAGS: frozenset[TurnFlag] = frozenset()


def build_transcript(
    segments: Sequence[TranscriptSegment], name: str | None, source_format: TranscriptFormat
) -> Transcript:
    """Return the transcript of *segments*: one per line, each change of speaker introduced as `Name: `."""
    parts: list[str] = []
    spans = []
    length = 0
    previous: str | None = None
    for segment in segments:
        label = "" if segment.speaker == previous else f"{segment.speaker or _UNNAMED}: "
        start = length + len(label)
        spans.append(TurnSpan(segment.line, segment.speaker, start, start + len(segment.words), segment.times))
        parts += (label, segment.words, "\n")
        length = start + len(segment.words) + 1
        previous = segment.speaker
    return transcript_of("".join(parts), spans, name, source_format)


def transcript_of(
    text: str, spans: Sequence[TurnSpan], name: str | None, source_format: TranscriptFormat
) -> Transcript:
    """Return the transcript of *text*, with one turn for each of *spans*."""
    names = {speaker: speaker_key(speaker) for speaker in dict.fromkeys(each.speaker for each in spans) if speaker}
    first_written = {key: speaker for speaker, key in reversed(names.items())}
    speakers = tuple(speaker for speaker, key in names.items() if first_written[key] == speaker)
    turns = tuple(_turns(spans, has_speakers=bool(speakers)))
    return Transcript(text, name, source_format, turns, speakers, tuple(_warnings(turns)))


def _turns(spans: Iterable[TurnSpan], *, has_speakers: bool) -> Iterable[Turn]:
    previous = _NO_TIMES
    for number, (line, speaker, start, end, times) in enumerate(spans, 1):
        flags = _NO_FLAGS
        if start == end or times != _NO_TIMES or (speaker is None and has_speakers):
            flags = frozenset(_flags(start == end, speaker is None and has_speakers, times, previous))
        if times.start_s is not None:
            previous = times
        yield Turn(number, speaker, start, end, times.start_s, times.end_s, line, flags)


def _flags(is_empty: bool, is_unknown: bool, times: Times, previous: Times) -> Iterable[TurnFlag]:
    """Yield the defects of a turn; *previous* are the times of the last turn with a start time."""
    if is_empty:
        yield TurnFlag.EMPTY
    if is_unknown:
        yield TurnFlag.UNKNOWN_SPEAKER
    if times.are_unreadable:
        yield TurnFlag.UNREADABLE_TIME
    if times.start_s is None:
        return
    if times.end_s is not None and times.end_s < times.start_s:
        yield TurnFlag.ENDS_BEFORE_START
    if previous.start_s is not None and times.start_s < previous.start_s:
        yield TurnFlag.STARTS_BEFORE_PREVIOUS
    elif previous.end_s is not None and times.start_s < previous.end_s and times != previous:
        yield TurnFlag.OVERLAPS_PREVIOUS


def _warnings(turns: Sequence[Turn]) -> Iterable[str]:
    """Yield one line for each flag: how many turns have it, and the line of the first."""
    found: dict[TurnFlag, list[int]] = {}
    for turn in turns:
        for flag in turn.flags:
            found.setdefault(flag, [0, turn.line])[0] += 1
    for flag in TurnFlag:
        if flag in found:
            count, line = found[flag]
            yield f"turns {_FLAG_LABELS[flag]}: {count}, the first on line {line}"


_FLAG_LABELS = {
    TurnFlag.EMPTY: "without words",
    TurnFlag.UNKNOWN_SPEAKER: "without a speaker",
    TurnFlag.UNREADABLE_TIME: "with an impossible time",
    TurnFlag.ENDS_BEFORE_START: "that end before they start",
    TurnFlag.STARTS_BEFORE_PREVIOUS: "that start before the previous turn",
    TurnFlag.OVERLAPS_PREVIOUS: "that overlap the previous turn",
}
