"""
Reads subtitles: WebVTT and SRT. A cue is a line with times, followed by lines of text.

WebVTT follows the W3C's "WebVTT: The Web Video Text Tracks Format", sections 6.1 (blocks), 6.3 (times) and 6.4 (text
of a cue). Where its parser drops input silently, this one raises an error, because words would be lost. An empty line
may contain white space. SRT, the format of SubRip, has no specification.
"""

import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from groundwire.errors import TranscriptError
from groundwire.transcripts.plain_text import SpeakerLabel, TextLine, classify_line, numbered_lines
from groundwire.transcripts.speakers import choose_speakers
from groundwire.transcripts.transcript import CLOCK, Times, TranscriptSegment, clock_seconds

__all__ = ["has_signature", "read_srt", "read_webvtt"]

_TIMES = re.compile(rf"[ \t]*({CLOCK})[ \t]*-->[ \t]*({CLOCK})(?:[ \t].*)?", re.DOTALL)
_VTT_TIMES_EXPECTED = "the times of a cue, such as 00:01:02.500 --> 00:01:04.000"
_SRT_TIMES_EXPECTED = "the times of a cue, such as 00:01:02,500 --> 00:01:04,000"

_SIGNATURE = re.compile(r"\ufeff?WEBVTT(?![^ \t\r\n])")
_NO_CUE = re.compile(r"(?:NOTE|STYLE|REGION)(?![^ \t])")
_ARROW = "-->"
_RUBY_TEXT = re.compile(r"<rt(?:\.[^\s<>]*)?>[^<]*(?:</rt>)?")
# Other angle brackets are kept, because subtitles also contain `<laughs>` and `x < 5`.
_VTT_TAG = re.compile(r"<(/?)(c|i|b|u|v|lang|ruby)(?:\.[^\s<>]*)?(?:[ \t\n]++([^<>]*))?>|<[0-9][0-9:.]*>")
_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")

_SRT_TAG = re.compile(r"</?(?:b|i|s|u|font)(?:[ \t][^<>\n]{0,200})?>|\{\\[^{}\n]{0,200}\}", re.IGNORECASE)
# An arrow alone may be speech. After digits it marks a line of times, even if these are malformed.
_SRT_TIMES_LINE = re.compile(r"[ \t]{0,99}[0-9][0-9:.,; \t]{0,99}-->")
_SRT_NUMBER = re.compile(r"[ \t]{0,99}[0-9]{1,9}[ \t]{0,99}")


class _Cue(NamedTuple):
    """Holds a cue: the number of its line of times, the times, and the text."""

    line: int
    times: Times
    text: str


def has_signature(text: str) -> bool:
    """Tell whether *text* begins like a WebVTT file."""
    return _SIGNATURE.match(text) is not None


def read_webvtt(text: str) -> list[TranscriptSegment]:
    """
    Return the segments of a WebVTT file.

    Each voice of a cue is one segment. Comments, style sheets, regions, cue names
    and settings, tags and ruby annotations are skipped. If no cue has a voice,
    `Name: ` at the beginning of a line names the speaker.

    Raises:
        TranscriptError: The first line is not `WEBVTT`, a block is not a cue, or its
            times are impossible.
    """
    if not has_signature(text):
        raise TranscriptError(1, "WEBVTT, alone or followed by white space")
    cues = [cue._replace(text=_RUBY_TEXT.sub("", cue.text)) for cue in _vtt_cues(numbered_lines(text))]
    if any(map(_has_voice, cues)):
        return [segment for cue in cues for segment in _voices(cue)]
    return list(_named_segments(cue._replace(text=_unescape(_VTT_TAG.sub("", cue.text))) for cue in cues))


def read_srt(text: str) -> list[TranscriptSegment]:
    """
    Return the segments of an SRT file.

    A cue begins with its times. The number before them may be missing and need not
    count up. An empty line does not end the text of a cue; only the next cue does.
    Tags for type and position are skipped.

    Raises:
        TranscriptError: A number is not followed by times, times are impossible, or
            there is other text before the first cue.
    """
    return list(_named_segments(_srt_cues(text)))


def _cue_times(line: TextLine, expected: str) -> Times:
    """
    Read a line of times, and skip the settings behind them.

    Raises:
        TranscriptError: The line has no times, or impossible ones; *expected* shows times of the format.
    """
    found = _TIMES.fullmatch(line.text)
    start_s, end_s = (clock_seconds(clock) for clock in found.groups()) if found else (None, None)
    if start_s is None or end_s is None:
        raise TranscriptError(line.number, expected)
    return Times(start_s, end_s)


def _named_segments(cues: Iterable[_Cue]) -> Iterator[TranscriptSegment]:
    """
    Yield the segments of *cues* whose text may begin with `Name: `.

    As in plain text, the file as a whole decides which labels are names. A name
    holds until the end of its cue; a cue with two names becomes two segments.
    """
    cues = list(cues)
    texts = [[line.strip() for line in cue.text.split("\n")] for cue in cues]
    labels = [[_label(line) for line in lines] for lines in texts]
    counts = {"plain": Counter(label.name for each in labels for label in each if label is not None)}
    speakers = choose_speakers(counts, len(cues))["plain"]
    for cue, lines, each in zip(cues, texts, labels, strict=True):
        yield from _split(cue, lines, [label if label and label.name in speakers else None for label in each])


def _label(line: str) -> SpeakerLabel | None:
    kind = classify_line(line, 0, len(line)) if line else None
    return kind if isinstance(kind, SpeakerLabel) and kind.style in {"plain", "bracketed", "listed"} else None


def _split(cue: _Cue, lines: Sequence[str], labels: Sequence[SpeakerLabel | None]) -> Iterator[TranscriptSegment]:
    speaker: str | None = None
    words: list[str] = []
    for line, label in zip(lines, labels, strict=True):
        if label is None:
            words.append(line)
            continue
        if any(words) or speaker is not None:
            yield TranscriptSegment(cue.line, speaker, cue.times, "\n".join(words).strip())
        speaker, words = label.name, [line[label.words :]]
    yield TranscriptSegment(cue.line, speaker, cue.times, "\n".join(words).strip())


def _vtt_cues(lines: Iterable[TextLine]) -> Iterator[_Cue]:
    """Yield the cues of all blocks. Any line of a block that contains an arrow begins a cue."""
    is_header = True
    for block in _blocks(lines):
        arrows = [index for index, line in enumerate(block) if _ARROW in line.text]
        before = block[: arrows[0]] if arrows else block
        if not (is_header or (before and _NO_CUE.match(before[0].text))):
            _check_identifier(before, has_times=bool(arrows))
        is_header = False
        for index, behind in pairwise([*arrows, len(block)]):
            text = "\n".join(line.text.strip() for line in block[index + 1 : behind])
            yield _Cue(block[index].number, _cue_times(block[index], _VTT_TIMES_EXPECTED), text)


def _blocks(lines: Iterable[TextLine]) -> Iterator[list[TextLine]]:
    """Yield the groups of lines between empty lines."""
    for is_empty, block in groupby(lines, key=lambda line: not line.text.strip()):
        if not is_empty:
            yield list(block)


def _check_identifier(before: Sequence[TextLine], *, has_times: bool) -> None:
    """Refuse a block without times, and one with more than the name of a cue before its times."""
    if len(before) > 1 or not has_times:
        line = before[1].number if len(before) > 1 else before[0].number + 1
        raise TranscriptError(line, _VTT_TIMES_EXPECTED)


def _has_voice(cue: _Cue) -> bool:
    return any(tag[2] == "v" for tag in _VTT_TAG.finditer(cue.text))


def _voices(cue: _Cue) -> Iterator[TranscriptSegment]:
    """Yield a segment for each voice of a cue and for words outside of voices; at least one, perhaps empty."""
    parts: list[tuple[str | None, str]] = []
    speaker: str | None = None
    words: list[str] = []
    offset = 0
    for tag in _VTT_TAG.finditer(cue.text):
        words.append(cue.text[offset : tag.start()])
        offset = tag.end()
        if tag[2] == "v":
            parts.append((speaker, "".join(words)))
            speaker, words = None if tag[1] else _voice_name(tag[3]), []
    parts.append((speaker, "".join([*words, cue.text[offset:]])))
    segments = [TranscriptSegment(cue.line, speaker, cue.times, _unescape(words).strip()) for speaker, words in parts]
    yield from [segment for segment in segments if segment.words or segment.speaker is not None] or segments[:1]


def _voice_name(annotation: str | None) -> str | None:
    return " ".join(_unescape(annotation or "").split()) or None


def _unescape(text: str) -> str:
    """Replace character references, such as `&amp;`."""
    return _REFERENCE.sub(lambda reference: html.unescape(reference[0]), text)


def _srt_cues(text: str) -> Iterator[_Cue]:
    times: TextLine | None = None
    body: list[TextLine] = []
    for line in numbered_lines(text):
        if _SRT_TIMES_LINE.match(line.text) is None:
            body.append(line)
            continue
        _drop_number(body, is_first=times is None)
        yield from _srt_cue(times, body)
        times, body = line, []
    yield from _srt_cue(times, body)


def _drop_number(body: list[TextLine], *, is_first: bool) -> None:
    """Remove the number of the next cue from the end of *body*, unless it is the whole text of the current cue."""
    if body and _SRT_NUMBER.fullmatch(body[-1].text) and (is_first or len(body) > 1):
        body.pop()


def _srt_cue(times: TextLine | None, body: list[TextLine]) -> Iterator[_Cue]:
    """Yield the cue with its text; before the first cue, check that there is no text."""
    for before, line, behind in zip([None, *body], body, [*body[1:], None], strict=False):
        is_apart = before is None or not before.text.strip()
        is_number = _SRT_NUMBER.fullmatch(line.text) is not None
        if is_apart and is_number and before is not None and behind is not None and behind.text.strip():
            raise TranscriptError(behind.number, _SRT_TIMES_EXPECTED)
        if times is None and line.text.strip():
            raise TranscriptError(line.number + 1 if is_number else line.number, _SRT_TIMES_EXPECTED)
    if times is not None:
        text = "\n".join(line.text.strip() for line in body).strip()
        yield _Cue(times.number, _cue_times(times, _SRT_TIMES_EXPECTED), _SRT_TAG.sub("", text))
