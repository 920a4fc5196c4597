"""Cues of subtitles, which WebVTT and SRT have in common: a line with times, then lines of text up to an empty one."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from groundwire.errors import TranscriptError
from groundwire.transcripts.events import Head, line_event
from groundwire.transcripts.lines import TextLine
from groundwire.transcripts.speakers import choose_speakers
from groundwire.transcripts.times import CLOCK, Times, clock_seconds
from groundwire.transcripts.turns import TranscriptSegment

__all__ = ["SubtitleCue", "cue_times", "named_segments"]

_TIMES = re.compile(rf"[ \t]*({CLOCK})[ \t]*-->[ \t]*({CLOCK})(?:[ \t].*)?", re.DOTALL)


class SubtitleCue(NamedTuple):
    """The line that the times stand on, the times, and the text."""

    line: int
    times: Times
    text: str


def cue_times(line: TextLine) -> Times:
    """
    Read a line of times; settings behind them are passed over.

    Raises:
        TranscriptError: They are no times, or none that a clock shows.
    """
    found = _TIMES.fullmatch(line.text)
    start_s, end_s = (clock_seconds(clock) for clock in found.groups()) if found else (None, None)
    if start_s is None or end_s is None:
        raise TranscriptError(line.number, "the times of a cue, such as 00:01:02.500 --> 00:01:04.000")
    return Times(start_s, end_s)


def named_segments(cues: Iterable[SubtitleCue]) -> Iterator[TranscriptSegment]:
    """
    Yield what is said in *cues* whose text may begin with `Name: `.

    As in plain text, names are told from other words by the whole. Where a name
    stands, it holds until the next cue; where a cue has two, it is two segments.
    """
    cues = list(cues)
    texts = [[line.strip() for line in cue.text.split("\n")] for cue in cues]
    heads = [[_head(line) for line in lines] for lines in texts]
    counts = {"plain": Counter(head.name for each in heads for head in each if head is not None)}
    speakers = choose_speakers(counts, len(cues))["plain"]
    for cue, lines, each in zip(cues, texts, heads, strict=True):
        yield from _split(cue, lines, [head if head is not None and head.name in speakers else None for head in each])


def _head(line: str) -> Head | None:
    what = line_event(line, 0, len(line)) if line else None
    return what if isinstance(what, Head) and what.style in {"plain", "bracketed", "listed"} else None


def _split(cue: SubtitleCue, lines: Sequence[str], heads: Sequence[Head | None]) -> Iterator[TranscriptSegment]:
    speaker: str | None = None
    words: list[str] = []
    for line, head in zip(lines, heads, strict=True):
        if head is None:
            words.append(line)
            continue
        if any(words) or speaker is not None:
            yield TranscriptSegment(cue.line, speaker, cue.times, "\n".join(words).strip())
        speaker, words = head.name, [line[head.words :]]
    yield TranscriptSegment(cue.line, speaker, cue.times, "\n".join(words).strip())
