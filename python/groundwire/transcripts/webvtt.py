"""
WebVTT, the subtitles of the web.

Source: W3C, "WebVTT: The Web Video Text Tracks Format", sections 6.1 (blocks),
6.3 (times) and 6.4 (the text of a cue). What its parser drops in silence is an
error here: what is lost would be words. An empty line may hold white space.
"""

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from groundwire.errors import TranscriptError
from groundwire.transcripts.cues import SubtitleCue, cue_times, named_segments
from groundwire.transcripts.lines import TextLine, numbered_lines
from groundwire.transcripts.turns import TranscriptSegment

__all__ = ["has_signature", "read_webvtt"]

_SIGNATURE = re.compile(r"\ufeff?WEBVTT(?![^ \t\r\n])")
_NO_CUE = re.compile(r"(?:NOTE|STYLE|REGION)(?![^ \t])")
_ARROW = "-->"
_RUBY_TEXT = re.compile(r"<rt(?:\.[^\s<>]*)?>[^<]*(?:</rt>)?")
# Other angle brackets stay: subtitles hold `<laughs>` and `x < 5` as well.
_TAG = re.compile(r"<(/?)(c|i|b|u|v|lang|ruby)(?:\.[^\s<>]*)?(?:[ \t\n]++([^<>]*))?>|<[0-9][0-9:.]*>")
_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def has_signature(text: str) -> bool:
    """Tell whether *text* begins as WebVTT has to."""
    return _SIGNATURE.match(text) is not None


def read_webvtt(text: str) -> list[TranscriptSegment]:
    """
    Return what is said in the cues of *text*.

    Each voice of a cue is one segment. Comments, style sheets, regions, cue names
    and settings, tags and ruby annotations are left out. Where no cue has a voice,
    speakers are taken from `Name: ` at the beginning of lines.

    Raises:
        TranscriptError: The first line is no `WEBVTT`, a block is no cue, or times
            are none that a clock shows.
    """
    if not has_signature(text):
        raise TranscriptError(1, "WEBVTT, alone or with white space behind it")
    cues = [cue._replace(text=_RUBY_TEXT.sub("", cue.text)) for cue in _cues(numbered_lines(text))]
    if any(map(_has_voice, cues)):
        return [segment for cue in cues for segment in _voices(cue)]
    return list(named_segments(cue._replace(text=_plain(_TAG.sub("", cue.text))) for cue in cues))


def _cues(lines: Iterable[TextLine]) -> Iterator[SubtitleCue]:
    """Yield the cues of all blocks. A line with an arrow begins one, at whatever place of a block."""
    is_header = True
    for block in _blocks(lines):
        arrows = [place for place, line in enumerate(block) if _ARROW in line.text]
        before = block[: arrows[0]] if arrows else block
        if not (is_header or (before and _NO_CUE.match(before[0].text))):
            _check_identifier(before, has_times=bool(arrows))
        is_header = False
        for place, behind in pairwise([*arrows, len(block)]):
            text = "\n".join(line.text.strip() for line in block[place + 1 : behind])
            yield SubtitleCue(block[place].number, cue_times(block[place]), text)


def _blocks(lines: Iterable[TextLine]) -> Iterator[list[TextLine]]:
    """Yield the lines between empty ones."""
    for is_empty, block in groupby(lines, key=lambda line: not line.text.strip()):
        if not is_empty:
            yield list(block)


def _check_identifier(before: Sequence[TextLine], *, has_times: bool) -> None:
    """Refuse a block that has more than the name of a cue before its times, or no times."""
    if len(before) > 1 or not has_times:
        line = before[1].number if len(before) > 1 else before[0].number + 1
        raise TranscriptError(line, "the times of a cue, such as 00:01:02.500 --> 00:01:04.000")


def _has_voice(cue: SubtitleCue) -> bool:
    return any(tag[2] == "v" for tag in _TAG.finditer(cue.text))


def _voices(cue: SubtitleCue) -> Iterator[TranscriptSegment]:
    """Yield what each voice of a cue says, and what is said outside of voices; at least one, perhaps empty."""
    said: list[tuple[str | None, str]] = []
    speaker: str | None = None
    words: list[str] = []
    place = 0
    for tag in _TAG.finditer(cue.text):
        words.append(cue.text[place : tag.start()])
        place = tag.end()
        if tag[2] == "v":
            said.append((speaker, "".join(words)))
            speaker, words = None if tag[1] else _name(tag[3]), []
    said.append((speaker, "".join([*words, cue.text[place:]])))
    segments = [TranscriptSegment(cue.line, speaker, cue.times, _plain(words).strip()) for speaker, words in said]
    heard = [segment for segment in segments if segment.words or segment.speaker is not None]
    yield from heard or segments[:1]


def _name(annotation: str | None) -> str | None:
    return " ".join(_plain(annotation or "").split()) or None


def _plain(text: str) -> str:
    """Put characters for their references, such as `&amp;`."""
    return _REFERENCE.sub(lambda reference: html.unescape(reference[0]), text)
