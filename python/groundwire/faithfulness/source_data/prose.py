"""
Reads text, Markdown and transcripts as units: turns, paragraphs, headings and list items.

`groundwire.transcripts` finds the turns. A long text is read in parts, each cut before its last turn or paragraph, so
that neither is split.
"""

import codecs
import re
from bisect import bisect_right
from collections.abc import Generator, Iterable, Iterator, Sequence
from pathlib import Path

from groundwire.delimited import MAX_LINE_CHARS
from groundwire.errors import SourceDataError
from groundwire.faithfulness.source_data.units import Locator, Unit, chunks
from groundwire.file_kinds import unreadable_kind
from groundwire.files import MAX_STREAM_BYTES, FolderFile, check_total, file_limit
from groundwire.transcripts.plain_text import line_spans
from groundwire.transcripts.reader import read_transcript
from groundwire.transcripts.transcript import Transcript, Turn

__all__ = ["joined", "prose_units", "text_pieces", "transcript_units"]

_PIECE_BYTES = 1 << 20

# UTF-32 comes first: its little-endian byte order mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def text_pieces(path: Path | FolderFile, name: str) -> Iterator[str]:
    """
    Yield the text of a file without a byte order mark.

    Args:
        path: The file, or a file of a folder.
        name: The name of the file in errors.

    Raises:
        SourceDataError: The file is a document, an archive or the like, has a byte that does not fit the encoding, or
            has a NUL, which no text contains.
        OSError: The file cannot be read, or is larger than `file_limit` allows: 1 GiB by default.
    """
    limit = file_limit(MAX_STREAM_BYTES)
    with path.open() if isinstance(path, FolderFile) else path.open("rb") as file:
        content = file.read(_PIECE_BYTES)
        read = len(content)
        kind = unreadable_kind(content, is_whole=len(content) < _PIECE_BYTES)
        if kind is not None:
            raise SourceDataError(name, f"looks like {kind.words}", hint=kind.hint)
        mark, encoding = next(((mark, each) for mark, each in _MARKS if content.startswith(mark)), (b"", "utf-8"))
        decoder = codecs.getincrementaldecoder(encoding)()
        place = _Position()
        content = content[len(mark) :]
        while True:
            check_total(read, limit, name)
            following = file.read(_PIECE_BYTES)
            read += len(following)
            piece = _decoded(decoder, content, name, place, is_last=not following)
            if piece:
                yield piece
            if not following:
                return
            content = following


class _Position:
    """The line and column up to which a text has been read."""

    def __init__(self) -> None:
        self.line = 1
        self.column = 1

    def pass_over(self, text: str) -> None:
        newlines = text.count("\n")
        self.line += newlines
        self.column = len(text) - text.rfind("\n") if newlines else self.column + len(text)


def _decoded(decoder: codecs.IncrementalDecoder, content: bytes, name: str, place: _Position, *, is_last: bool) -> str:
    wrong: UnicodeDecodeError | None = None
    try:
        piece = decoder.decode(content, is_last)
    except UnicodeDecodeError as error:
        wrong = error
    if wrong is not None:
        # Raised here, the new exception has no context: a UnicodeDecodeError contains the text.
        place.pass_over(wrong.object[: wrong.start].decode(wrong.encoding, "replace"))
        shown = wrong.encoding.upper().removesuffix("-LE").removesuffix("-BE")
        reason = f"not {shown}; convert the file with `iconv -f ENCODING -t UTF-8`"
        raise SourceDataError(name, reason, place.line, place.column)
    if "\0" in piece:
        place.pass_over(piece[: piece.index("\0")])
        raise SourceDataError(
            name,
            "a NUL character: the file is not text, or is UTF-16 without a byte order mark",
            place.line,
            place.column,
        )
    place.pass_over(piece)
    return piece


def joined(pieces: Iterable[str], name: str, what: str) -> str:
    """
    Return *pieces* as one text. Errors refer to it as *what*.

    Raises:
        SourceDataError: The text is too long to be read as a whole. Errors of *pieces* pass through.
    """
    kept = []
    length = 0
    for piece in pieces:
        kept.append(piece)
        length += len(piece)
        if length > MAX_LINE_CHARS:
            raise SourceDataError(name, f"{what} has more than {MAX_LINE_CHARS:,} characters")
    return "".join(kept)


_PART_CHARS = 2_000_000
"""The number of characters read at once: the context of a line decides whether it has a speaker."""

_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]")
_ITEM = re.compile(r"[ \t]{0,20}(?:[-*+•‣·]|\d{1,3}[.)]|>)[ \t]|[ \t]{0,3}\|")


def prose_units(pieces: Iterable[str], name: str) -> Iterator[Unit]:
    """Yield the units of a text that comes in *pieces*. Errors of *pieces* pass through."""
    place = _Place(name)
    waiting: list[str] = []
    length = 0
    for piece in pieces:
        for start in range(0, len(piece), _PART_CHARS):
            waiting.append(piece[start : start + _PART_CHARS])
            length += len(waiting[-1])
            if length >= _PART_CHARS:
                rest = yield from _part("".join(waiting), place, is_last=False)
                waiting, length = [rest], len(rest)
    yield from _part("".join(waiting), place, is_last=True)


def transcript_units(transcript: Transcript, name: str) -> Iterator[Unit]:
    """Yield the units of a parsed transcript: its turns, and the paragraphs between the turns of plain text."""
    if transcript.format == "text":
        part = _Part(transcript.text, _Place(name))
        yield from part.units(transcript.turns, len(transcript.text))
    else:
        for turn in transcript.turns:
            for start, end in chunks(transcript.text[turn.start : turn.end]):
                span = turn.start + start, turn.start + end
                locator = Locator(name, turn.line, *span, turn=turn.number, speaker=turn.speaker)
                yield Unit(transcript.text[span[0] : span[1]], locator)


class _Place:
    """The progress in a source: characters, lines and turns."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.offset = 0
        self.lines = 0
        self.turns = 0


def _part(text: str, place: _Place, *, is_last: bool) -> Generator[Unit, None, str]:
    """Yield the units of a part; return its rest, which belongs to the next part."""
    part = _Part(text, place)
    turns = read_transcript(text, format="text").turns
    end = len(text) if is_last else part.end(turns)
    whole = [turn for turn in turns if turn.start < end]
    yield from part.units(whole, end)
    place.offset += end
    place.lines += bisect_right(part.line_starts, end) - 1
    place.turns += len(whole)
    return text[end:]


class _Part:
    """A part of a text, and its location in the source."""

    def __init__(self, text: str, place: _Place) -> None:
        self.text = text
        self.place = place
        self.line_starts = [start for start, _ in line_spans(text)] or [0]

    def end(self, turns: Sequence[Turn]) -> int:
        """Return the end of a part that is not the last: before its last turn, last paragraph or last line."""
        if len(turns) > 1:
            return self.line_starts[turns[-1].line - 1]
        lines = self.line_starts
        last = next((place for place in range(len(lines) - 1, 0, -1) if self._is_blank(place)), len(lines) - 1)
        # A paragraph longer than half of the part is split between lines, or anywhere.
        if lines[last] > len(self.text) // 2:
            return lines[last]
        # A line end goes to the next part: it may be half of a CRLF.
        return lines[-1] or len(self.text.rstrip("\r\n"))

    def _is_blank(self, place: int) -> bool:
        return not self.text[self.line_starts[place - 1] : self.line_starts[place]].strip()

    def units(self, turns: Sequence[Turn], end: int) -> Iterator[Unit]:
        """Yield the units before *end*, given the *turns* there."""
        done = 0
        for turn in turns:
            # The speaker's name is on the turn's first line, or on the lines before its words.
            yield from self._prose(done, self.line_starts[turn.line - 1])
            yield from self._cut(turn.start, turn.end, turn)
            done = turn.end
        yield from self._prose(done, end)

    def _prose(self, start: int, end: int) -> Iterator[Unit]:
        """Yield the paragraphs of a span without turns."""
        begin = start
        for left, right in line_spans(self.text[start:end]) if start < end else ():
            line = self.text[start + left : start + right]
            is_heading = _HEADING.match(line) is not None
            if is_heading or not line.strip() or _ITEM.match(line):
                yield from self._cut(begin, start + left)
                begin = start + left
            if is_heading:
                yield from self._cut(begin, start + right)
                begin = start + right
        yield from self._cut(begin, end)

    def _cut(self, start: int, end: int, turn: Turn | None = None) -> Iterator[Unit]:
        """Yield the units of one paragraph or turn."""
        for left, right in chunks(self.text[start:end]):
            begin = start + left
            text = self.text[begin : start + right]
            if any(map(str.isalnum, text)):
                yield Unit(text, self._locator(begin, start + right, turn))

    def _locator(self, start: int, end: int, turn: Turn | None) -> Locator:
        line = self.place.lines + bisect_right(self.line_starts, start)
        span = self.place.offset + start, self.place.offset + end
        if turn is None:
            return Locator(self.place.name, line, *span)
        return Locator(self.place.name, line, *span, turn=self.place.turns + turn.number, speaker=turn.speaker)
