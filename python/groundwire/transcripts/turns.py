"""From what a reader found to turns: numbers, flags, warnings."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from groundwire.transcripts.speakers import speaker_key
from groundwire.transcripts.times import Times
from groundwire.transcripts.transcript import Transcript, TranscriptFormat, Turn, TurnFlag

__all__ = ["TranscriptSegment", "TurnText", "built_transcript", "transcript_of"]

# Stands for a speaker who is not named, where leaving the name out would read as if the one before went on.
_NOBODY = "?"


class TranscriptSegment(NamedTuple):
    """What a file gives as one: its line, who says it, when, and the words without white space around them."""

    line: int
    speaker: str | None
    times: Times
    words: str


class TurnText(NamedTuple):
    """The words of one turn, as offsets of a text."""

    line: int
    speaker: str | None
    start: int
    end: int
    times: Times


def built_transcript(
    segments: Sequence[TranscriptSegment], name: str | None, source_format: TranscriptFormat
) -> Transcript:
    """Return the transcript of *segments*: one on a line, each change of speaker introduced as `Name: `."""
    pieces: list[str] = []
    stretches = []
    length = 0
    before: str | None = None
    for segment in segments:
        label = "" if segment.speaker == before else f"{segment.speaker or _NOBODY}: "
        start = length + len(label)
        stretches.append(TurnText(segment.line, segment.speaker, start, start + len(segment.words), segment.times))
        pieces += (label, segment.words, "\n")
        length = start + len(segment.words) + 1
        before = segment.speaker
    return transcript_of("".join(pieces), stretches, name, source_format)


def transcript_of(
    text: str, stretches: Sequence[TurnText], name: str | None, source_format: TranscriptFormat
) -> Transcript:
    """Return *text* with the turns that its *stretches* are."""
    names = {speaker: speaker_key(speaker) for speaker in dict.fromkeys(each.speaker for each in stretches) if speaker}
    first_written = {key: speaker for speaker, key in reversed(names.items())}
    speakers = tuple(speaker for speaker, key in names.items() if first_written[key] == speaker)
    turns = tuple(_turns(stretches, has_speakers=bool(speakers)))
    return Transcript(text, name, source_format, turns, speakers, tuple(_warnings(turns)))


def _turns(stretches: Iterable[TurnText], *, has_speakers: bool) -> Iterable[Turn]:
    before = Times()
    for number, (line, speaker, start, end, times) in enumerate(stretches, 1):
        flags = _NO_FLAGS
        if start == end or times != _NO_TIMES or (speaker is None and has_speakers):
            flags = frozenset(_flags(start == end, speaker is None and has_speakers, times, before))
        if times.start_s is not None:
            before = times
        yield Turn(number, speaker, start, end, times.start_s, times.end_s, line, flags)


_NO_TIMES = Times()
_NO_FLAGS: frozenset[TurnFlag] = frozenset()


def _flags(is_empty: bool, is_unknown: bool, times: Times, before: Times) -> Iterable[TurnFlag]:
    """Say what is odd about a turn, the last one with a start time having been at the times *before*."""
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
    if before.start_s is not None and times.start_s < before.start_s:
        yield TurnFlag.STARTS_BEFORE_PREVIOUS
    elif before.end_s is not None and times.start_s < before.end_s and times != before:
        yield TurnFlag.OVERLAPS_PREVIOUS


def _warnings(turns: Sequence[Turn]) -> Iterable[str]:
    """Say of each flag how many turns have it and which is the first."""
    found: dict[TurnFlag, list[int]] = {}
    for turn in turns:
        for flag in turn.flags:
            found.setdefault(flag, [0, turn.line])[0] += 1
    for flag in TurnFlag:
        if flag in found:
            count, line = found[flag]
            yield f"turns {_WORDS[flag]}: {count}, the first on line {line}"


_WORDS = {
    TurnFlag.EMPTY: "without words",
    TurnFlag.UNKNOWN_SPEAKER: "without a speaker",
    TurnFlag.UNREADABLE_TIME: "with a time that no clock shows",
    TurnFlag.ENDS_BEFORE_START: "with an end before the start",
    TurnFlag.STARTS_BEFORE_PREVIOUS: "that start before the one before",
    TurnFlag.OVERLAPS_PREVIOUS: "that start before the one before has ended",
}
