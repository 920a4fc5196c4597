"""
Files as text, piece by piece.

UTF-8, or what a byte order mark says. Nothing is guessed: another encoding is an error
with the place of the first byte that does not fit.
"""

import codecs
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from groundwire.errors import SourceDataError

__all__ = ["MAX_LINE_CHARS", "Line", "joined", "lines_of", "text_pieces"]

_PIECE_BYTES = 1 << 20
_LINE_END = re.compile(r"\r\n|\n|\r")

MAX_LINE_CHARS = 32_000_000
"""A line, or a value of JSON, that is longer is not read: it has to be in memory as a whole."""

# UTF-32 first: its little-endian mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class Line(NamedTuple):
    """A line: its number from 1, its offset in the text, and what stands on it without the line end."""

    number: int
    start: int
    text: str


def text_pieces(path: Path, name: str) -> Iterator[str]:
    """
    Yield the text of a file, a mark at its beginning left out.

    Args:
        path: The file.
        name: What it is called in errors.

    Raises:
        SourceDataError: A byte does not fit the encoding, or is NUL: no text has that.
        OSError: It cannot be read.
    """
    with path.open("rb") as file:
        content = file.read(_PIECE_BYTES)
        mark, encoding = next(((mark, each) for mark, each in _MARKS if content.startswith(mark)), (b"", "utf-8"))
        decoder = codecs.getincrementaldecoder(encoding)()
        place = _Place()
        content = content[len(mark) :]
        while True:
            following = file.read(_PIECE_BYTES)
            piece = _decoded(decoder, content, name, place, is_last=not following)
            if piece:
                yield piece
            if not following:
                return
            content = following


class _Place:
    """How far a text has been read: the line, and the characters on it before."""

    def __init__(self) -> None:
        self.line = 1
        self.column = 1

    def pass_over(self, text: str) -> None:
        newlines = text.count("\n")
        self.line += newlines
        self.column = len(text) - text.rfind("\n") if newlines else self.column + len(text)


def _decoded(decoder: codecs.IncrementalDecoder, content: bytes, name: str, place: _Place, *, is_last: bool) -> str:
    wrong: UnicodeDecodeError | None = None
    try:
        piece = decoder.decode(content, is_last)
    except UnicodeDecodeError as error:
        wrong = error
    if wrong is not None:
        # Out here the new exception has no context: a UnicodeDecodeError carries what was read.
        place.pass_over(wrong.object[: wrong.start].decode(wrong.encoding, "replace"))
        shown = wrong.encoding.upper().removesuffix("-LE").removesuffix("-BE")
        reason = f"not {shown}; `iconv -f ENCODING -t UTF-8` converts it"
        raise SourceDataError(name, reason, place.line, place.column)
    if "\0" in piece:
        place.pass_over(piece[: piece.index("\0")])
        raise SourceDataError(
            name, "a NUL character: it is no text, or UTF-16 without a mark", place.line, place.column
        )
    place.pass_over(piece)
    return piece


def lines_of(pieces: Iterable[str], name: str) -> Iterator[Line]:
    """
    Yield the lines of a text that comes in *pieces*; nothing after the last line end.

    Raises:
        SourceDataError: A line is too long; and as *pieces* does.
    """
    number = 1
    offset = 0
    rest = ""
    for piece in pieces:
        text = rest + piece
        done = 0
        for end in _LINE_END.finditer(text):
            if end[0] == "\r" and end.end() == len(text):
                # It may be half of a line end.
                break
            yield Line(number, offset + done, text[done : end.start()])
            number += 1
            done = end.end()
        rest = text[done:]
        offset += done
        if len(rest) > MAX_LINE_CHARS:
            raise SourceDataError(name, f"a line of more than {MAX_LINE_CHARS:,} characters", number)
    if rest:
        yield Line(number, offset, rest.removesuffix("\r"))


def joined(pieces: Iterable[str], name: str, what: str) -> str:
    """
    Return *pieces* as one text; *what* is what has to be read as a whole.

    Raises:
        SourceDataError: There is more than is read as a whole; and as *pieces* does.
    """
    kept = []
    length = 0
    for piece in pieces:
        kept.append(piece)
        length += len(piece)
        if length > MAX_LINE_CHARS:
            raise SourceDataError(name, f"{what} of more than {MAX_LINE_CHARS:,} characters")
    return "".join(kept)
