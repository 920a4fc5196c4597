"""
Files as text, piece by piece.

UTF-8, or what a byte order mark says. Nothing is guessed: another encoding is an error
with the place of the first byte that does not fit.
"""

import codecs
from collections.abc import Iterable, Iterator
from pathlib import Path

from groundwire.delimited import MAX_LINE_CHARS
from groundwire.errors import SourceDataError
from groundwire.file_kinds import unreadable_kind
from groundwire.files import MAX_STREAM_BYTES, FolderFile, check_total, file_limit

__all__ = ["joined", "text_pieces"]

_PIECE_BYTES = 1 << 20

# UTF-32 first: its little-endian mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def text_pieces(path: Path | FolderFile, name: str) -> Iterator[str]:
    """
    Yield the text of a file, a mark at its beginning left out.

    Args:
        path: The file, or that of a folder.
        name: What it is called in errors.

    Raises:
        SourceDataError: It is a document, an archive or the like; or a byte does not fit the encoding, or is NUL,
            which no text has.
        OSError: It cannot be read, or has more bytes than `file_limit` allows: 1 GiB, unless that is set.
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
        place = _Place()
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
