"""A transcript: one text, and the turns that stand in it one after the other."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from enum import StrEnum
from operator import attrgetter
from typing import Literal, TypeAlias

from groundwire._engine import Source

__all__ = ["Transcript", "TranscriptFormat", "Turn", "TurnFlag"]

TranscriptFormat: TypeAlias = Literal["text", "webvtt", "srt", "tsv", "csv", "json"]

_start = attrgetter("start")
_end = attrgetter("end")


class TurnFlag(StrEnum):
    """What is odd about a turn that was kept all the same."""

    EMPTY = "empty"
    """It has no words."""
    UNKNOWN_SPEAKER = "unknown_speaker"
    """It names no speaker, and other turns of the transcript do."""
    UNREADABLE_TIME = "unreadable_time"
    """A time is written that no clock shows, such as 99:99, or that lies before 0."""
    ENDS_BEFORE_START = "ends_before_start"
    """Its end time is before its start time."""
    STARTS_BEFORE_PREVIOUS = "starts_before_previous"
    """It starts before the last turn that has a start time does."""
    OVERLAPS_PREVIOUS = "overlaps_previous"
    """It starts while the last turn that has times still lasts; two with the same times are not flagged."""


@dataclass(frozen=True, slots=True)
class Turn:
    """
    What one speaker says at a stretch; in subtitles and segments one of these.

    Attributes:
        number: Place in the transcript, from 1.
        speaker: The name as written, None where there is none. Not in the repr.
        start: Offset of the first of its own words in the transcript's text, in
            code points. The speaker's name and times stand outside.
        end: Offset after its last word.
        start_time_s: When it starts, in seconds; None where that is not said.
        end_time_s: When it ends.
        line: Line of the file that it begins in, from 1. In JSON that of its
            opening brace.
        flags: What is odd about it.
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
    One text with its turns.

    Attributes:
        text: What people see. Of plain text it is the file unchanged; otherwise it
            is built of the turns, one on a line, each change of speaker introduced
            as `Name: `.
        name: What the transcript is called.
        format: What it was read as.
        turns: In the order of the file. Their spans do not overlap. Empty in a
            text in which nobody is named and nothing is timed.
        speakers: Each speaker once as first written, in the order of appearance;
            spellings with one `speaker_key` are one speaker.
        warnings: What was odd, in words that hold nothing of the text.
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
        Return the turn among whose words the character at *offset* is.

        None for a name, a time, white space between turns, or no character at all.
        """
        turn = self.turns[place - 1] if (place := bisect_right(self.turns, offset, key=_start)) else None
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
            ValueError: There is no such profile.
        """
        source = self._sources.get(profile)
        if source is None:
            # Of two threads that get here at once, both take the one that came first.
            source = self._sources.setdefault(profile, Source(self.text, name=self.name, profile=profile))
        return source
