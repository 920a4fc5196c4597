"""Reads JSON segments: a list of objects with start, end, speaker and text, or such a list under `segments`."""

import re
from collections.abc import Iterator

import msgspec

from groundwire.errors import TranscriptError
from groundwire.transcripts.transcript import Times, TranscriptSegment, written_seconds

__all__ = ["read_json"]


class _Document(msgspec.Struct):
    segments: msgspec.Raw


class _Segment(msgspec.Struct):
    text: str
    start: float | str | None = None
    end: float | str | None = None
    speaker: str | int | None = None


_LIST = msgspec.json.Decoder(list[msgspec.Raw])
_DOCUMENT = msgspec.json.Decoder(_Document)
_SEGMENT = msgspec.json.Decoder(_Segment)
# Errors of msgspec that have no position mean that the content ended too early.
_POSITION = re.compile(r"\(byte ([0-9]+)\)\Z")
_SEGMENT_SHAPE = 'a segment: {"start": seconds, "end": seconds, "speaker": str or int, "text": str}'
_MISSING = (None, "")
_SHAPE = 'a list of segments, or an object with such a list as "segments"'


def read_json(text: str) -> list[TranscriptSegment]:
    """
    Return the segments of *text*.

    A segment needs `text`. `start` and `end` are seconds or a clock time such as
    "0:12.5"; `speaker` is a str or an int. Each of these may be null or missing, and
    other keys are ignored.

    Raises:
        TranscriptError: The text is not JSON (which excludes lone surrogates, also
            in escapes), or has another shape.
    """
    return list(_segments(text.removeprefix("\ufeff")))


def _segments(text: str) -> Iterator[TranscriptSegment]:
    try:
        content = text.encode()
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
    else:
        yield from _in_file(content)
        return
    # Raised outside of the handler, so that it does not carry the UnicodeEncodeError, which holds the whole text.
    raise TranscriptError(line, "JSON without lone surrogates")


def _in_file(content: bytes) -> Iterator[TranscriptSegment]:
    line_end = b"\n" if b"\n" in content else b"\r"
    line = 1
    offset = 0
    for raw in _raw_segments(content, line_end):
        # Only white space and a comma come between two segments, so the next occurrence is the segment itself.
        start = content.find(raw, offset)
        line += content.count(line_end, offset, start)
        yield _segment(raw, line, line_end)
        offset = start + len(raw)
        line += raw.count(line_end)


def _raw_segments(content: bytes, line_end: bytes) -> Iterator[bytes]:
    is_document = content.lstrip()[:1] == b"{"
    try:
        segments = _DOCUMENT.decode(content).segments if is_document else content
        found = _LIST.decode(segments)
    except (msgspec.DecodeError, RecursionError) as error:
        raise _error(error, content, 1, line_end, _SHAPE) from None
    for raw in found:
        yield bytes(raw)


def _segment(raw: bytes, line: int, line_end: bytes) -> TranscriptSegment:
    try:
        segment = _SEGMENT.decode(raw)
    except (msgspec.DecodeError, RecursionError) as error:
        raise _error(error, raw, line, line_end, _SEGMENT_SHAPE) from None
    try:
        start, end = _seconds(segment.start), _seconds(segment.end)
    except ValueError:
        raise TranscriptError(line, 'start and end as seconds, such as 62.5, or as a clock, such as "1:02.5"') from None
    is_unreadable = (start is None and segment.start not in _MISSING) or (end is None and segment.end not in _MISSING)
    speaker = None if segment.speaker is None else " ".join(str(segment.speaker).split())
    return TranscriptSegment(line, speaker or None, Times(start, end, is_unreadable), segment.text.strip())


def _seconds(time: float | str | None) -> float | None:
    if time is None or isinstance(time, str):
        return written_seconds(time) if time else None
    return time if time >= 0 else None


def _error(error: Exception, content: bytes, line: int, line_end: bytes, shape: str) -> TranscriptError:
    """Return the error for *content*, which begins on *line*: the line of broken JSON, or *line* for a wrong shape."""
    if isinstance(error, msgspec.ValidationError):
        return TranscriptError(line, shape)
    if isinstance(error, RecursionError):
        return TranscriptError(line, f"{shape}, nested less deeply")
    position = _POSITION.search(str(error))
    offset = len(content) if position is None else int(position[1])
    return TranscriptError(line + content.count(line_end, 0, offset), "JSON")
