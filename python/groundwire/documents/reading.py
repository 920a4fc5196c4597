"""Reads a document in the format that its content shows."""

import codecs
import os
from array import array
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import NamedTuple, get_args

from groundwire.delimited import delimiter_of, lines_of, records
from groundwire.documents.document import Box, CharacterRuns, Document, DocumentFormat, Page, Part, PartKind
from groundwire.documents.parts import MAX_DOCUMENT_CHARS, PartsFormat, not_installed, text_parts
from groundwire.errors import DocumentError, SourceDataError
from groundwire.file_kinds import unreadable_kind
from groundwire.files import read_file

__all__ = ["read_document"]

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    # UTF-32 first: its little-endian mark begins with that of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Minimum number of rows of a table, and the sample of rows and characters that decides.
_MIN_ROWS, _SAMPLE_ROWS, _SAMPLE_CHARS = 3, 20, 100_000


def read_document(
    path_or_bytes: str | os.PathLike[str] | bytes, *, name: str | None = None, boilerplate: bool = True
) -> Document:
    """
    Read a document: PDF, DOCX, HTML, Markdown, EPUB, XLSX, CSV or plain text.

    The content decides the format, not the name of the file.

    Args:
        path_or_bytes: A file, or its content.
        name: Name of the document; by default the file's name without its folder.
        boilerplate: Whether to keep menus, headers, footers and asides of web pages.

    Raises:
        DocumentError: The document is in another format, encrypted, damaged or larger than the limits, or the library
            that reads it is not installed.
        TypeError: *path_or_bytes* is neither a path nor bytes.
        OSError: The file cannot be read, or has more than 256 MiB (`GROUNDWIRE_MAX_FILE_BYTES` sets another limit).
    """
    if isinstance(path_or_bytes, bytes):
        content = path_or_bytes
    elif isinstance(path_or_bytes, str | os.PathLike):
        path = Path(path_or_bytes)
        content = read_file(path)
        name = path.name if name is None else name
    else:
        raise TypeError(f"path_or_bytes must be a path or bytes, got {type(path_or_bytes).__name__}")
    given = _Given(content, name, sha256(content).hexdigest(), boilerplate)
    kind = unreadable_kind(content)
    try:
        if kind is not None and kind.code == "pdf":
            return _read_pdf(given, _reopener(path_or_bytes, given))
        return _read_text(given) if kind is None else _read_other(given, kind.code, kind.words, kind.hint)
    except ModuleNotFoundError as error:
        raise not_installed(name, error) from None


class _Given(NamedTuple):
    """Holds a document as given."""

    content: bytes
    name: str | None
    sha256: str
    boilerplate: bool


def _read_other(given: _Given, code: str, words: str, hint: str) -> Document:
    from groundwire.documents.reader_process import read_parts

    for source_format in get_args(PartsFormat):
        if code == source_format:
            found = read_parts(source_format, given.content, given.name, boilerplate=given.boilerplate)
            return _document(given, source_format, found.text, tuple(Part(*part) for part in found.parts))
    raise DocumentError(given.name, "unknown_format", words, hint)


def _document(given: _Given, source_format: DocumentFormat, text: str, parts: tuple[Part, ...]) -> Document:
    return Document(text=text, name=given.name, format=source_format, sha256=given.sha256, pages=(), parts=parts)


def _read_text(given: _Given) -> Document:
    """Read CSV, Markdown or plain text; the last two keep the text of the file."""
    text = _decoded(given)
    if len(text) > MAX_DOCUMENT_CHARS:
        raise DocumentError(
            given.name, "too_much_text", f"a text of more than {MAX_DOCUMENT_CHARS:,} characters", "split it first"
        )
    delimiter = _delimiter(text)
    if delimiter is not None:
        from groundwire.documents.sheets import read_csv

        # A text whose later lines are not rows is not a table, whatever its first lines look like.
        with suppress(SourceDataError):
            built = read_csv(text, given.name, delimiter)
            return _document(given, "csv", built.text, tuple(built.parts))
    parts = text_parts(text)
    is_markdown = any(part.kind is PartKind.HEADING for part in parts)
    return _document(given, "markdown" if is_markdown else "text", text, parts)


def _decoded(given: _Given) -> str:
    content = given.content
    mark, encoding = next((each for each in _MARKS if content.startswith(each[0])), (b"", "utf-8"))
    try:
        return content[len(mark) :].decode(encoding)
    except UnicodeDecodeError:
        hint = "`iconv -f ENCODING -t UTF-8` converts it"
    # Raised outside of the handler, so that it does not carry the UnicodeDecodeError, which holds the whole file.
    raise DocumentError(given.name, "not_utf8", "a text in another encoding than UTF-8", hint)


def _delimiter(text: str) -> str | None:
    """Return the delimiter if *text* is a table, whose rows have the same number of fields, at least two; else None."""
    head = text[:_SAMPLE_CHARS]
    delimiter = delimiter_of(head)
    is_cut = len(text) > len(head)
    rows: list[list[str]] = []
    try:
        found = (row.texts for row in records(lines_of([head], ""), "", delimiter) if not row.is_blank)
        rows.extend(islice(found, _SAMPLE_ROWS))
        # The last row is cut.
        rows = rows[:-1] if is_cut and len(rows) < _SAMPLE_ROWS else rows
    except SourceDataError:
        if not is_cut:
            return None
    widths = {len(row) for row in rows}
    return delimiter if len(rows) >= _MIN_ROWS and len(widths) == 1 and widths.pop() > 1 else None


def _reopener(path_or_bytes: str | os.PathLike[str] | bytes, given: _Given) -> Callable[[], bytes]:
    """Return a function that returns the content again: the caller's bytes, or the file if it has not changed."""
    if isinstance(path_or_bytes, bytes):
        return lambda: path_or_bytes
    path = Path(path_or_bytes).absolute()

    def reopen() -> bytes:
        content = read_file(path)
        if sha256(content).hexdigest() != given.sha256:
            raise DocumentError(given.name, "changed", "no longer the file that was read", "read it again")
        return content

    return reopen


def _read_pdf(given: _Given, reopen: Callable[[], bytes]) -> Document:
    from groundwire.documents.pdf import read_boxes, read_pdf

    found = read_pdf(given.content, given.name)
    starts, on_pages, chars, lengths = (
        array("I", each) for each in (found.run_starts, found.run_pages, found.run_chars, found.run_lengths)
    )

    def boxes_of(runs: list[tuple[int, int, int]]) -> tuple[Box, ...]:
        return tuple(Box(page + 1, *sides) for page, *sides in read_boxes(reopen(), runs, given.name))

    pages = zip(found.pages, found.sizes, found.readable, strict=True)
    return Document(
        text=found.text,
        name=given.name,
        format="pdf",
        sha256=given.sha256,
        pages=tuple(
            Page(number, start, end, width, height, is_readable)
            for number, ((start, end), (width, height), is_readable) in enumerate(pages, start=1)
        ),
        parts=tuple(
            Part(start, end, PartKind(kind), f"page {page + 1}, block {number}")
            for start, end, page, kind, number in found.parts
        ),
        _runs=CharacterRuns(starts, on_pages, chars, lengths, found.run_joins),
        _read_boxes=boxes_of,
        _reopen=reopen,
    )
