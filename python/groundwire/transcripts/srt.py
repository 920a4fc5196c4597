"""SRT, the subtitles of SubRip: a number, a line of times, text, an empty line. The format has no specification."""

import re
from collections.abc import Iterator

from groundwire.errors import TranscriptError
from groundwire.transcripts.cues import SubtitleCue, cue_times, named_segments
from groundwire.transcripts.lines import TextLine, numbered_lines
from groundwire.transcripts.turns import TranscriptSegment

__all__ = ["read_srt"]

_TAG = re.compile(r"</?(?:b|i|s|u|font)(?:[ \t][^<>\n]{0,200})?>|\{\\[^{}\n]{0,200}\}", re.IGNORECASE)
# Somebody may say an arrow. One behind digits is meant as times, also where these are broken.
_TIMES_LINE = re.compile(r"[ \t]{0,99}[0-9][0-9:.,; \t]{0,99}-->")
_NUMBER = re.compile(r"[ \t]{0,99}[0-9]{1,9}[ \t]{0,99}")


def read_srt(text: str) -> list[TranscriptSegment]:
    """
    Return the cues of *text*.

    A cue begins with its times; the number before them may be missing and need not
    count up. An empty line in the text of a cue does not end it, only the next cue
    does. Tags of type and place are left out.

    Raises:
        TranscriptError: A number has no times behind it, times are none that a clock
            shows, or something else stands before the first cue.
    """
    return list(named_segments(_cues(text)))


def _cues(text: str) -> Iterator[SubtitleCue]:
    times: TextLine | None = None
    body: list[TextLine] = []
    for line in numbered_lines(text):
        if _TIMES_LINE.match(line.text) is None:
            body.append(line)
            continue
        _drop_number(body, is_first=times is None)
        yield from _cue(times, body)
        times, body = line, []
    yield from _cue(times, body)


def _drop_number(body: list[TextLine], *, is_first: bool) -> None:
    """Take the number of the next cue off the end of *body*, unless it is all that the cue before says."""
    if body and _NUMBER.fullmatch(body[-1].text) and (is_first or len(body) > 1):
        body.pop()


def _cue(times: TextLine | None, body: list[TextLine]) -> Iterator[SubtitleCue]:
    """Yield the cue with its text, or nothing before the first cue, where nothing may stand."""
    for before, line, behind in zip([None, *body], body, [*body[1:], None], strict=False):
        is_apart = before is None or not before.text.strip()
        is_number = _NUMBER.fullmatch(line.text) is not None
        if is_apart and is_number and before is not None and behind is not None and behind.text.strip():
            raise TranscriptError(behind.number, "the times of a cue, such as 00:01:02,500 --> 00:01:04,000")
        if times is None and line.text.strip():
            number = line.number + 1 if is_number else line.number
            raise TranscriptError(number, "the times of a cue, such as 00:01:02,500 --> 00:01:04,000")
    if times is not None:
        text = "\n".join(line.text.strip() for line in body).strip()
        yield SubtitleCue(times.number, cue_times(times), _TAG.sub("", text))
