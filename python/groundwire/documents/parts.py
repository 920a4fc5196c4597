"""Builds the text of a document from its parts, and finds the parts of a plain text."""

import re
from collections.abc import Iterator
from io import StringIO
from typing import Literal, TypeAlias

from groundwire.documents.document import Part, PartKind
from groundwire.errors import DocumentError

__all__ = ["MAX_DOCUMENT_CHARS", "PartsBuilder", "PartsFormat", "damaged", "not_installed", "text_parts"]

MAX_DOCUMENT_CHARS = 100_000_000
"""Maximum number of characters of a document's text."""

PartsFormat: TypeAlias = Literal["docx", "html", "epub", "xlsx"]
"""Formats that a separate process reads, part by part."""

_HEADING = re.compile(r"[ ]{0,3}#{1,6}[ \t]+[^\r\n]+")


class PartsBuilder:
    """Builds one text from parts, with a line end after each."""

    def __init__(self, name: str | None) -> None:
        self._name = name
        self._pieces: list[str] = []
        self._length = 0
        self.parts: list[Part] = []

    @property
    def text(self) -> str:
        """Return the text so far."""
        return "".join(self._pieces)

    def add(self, text: str, path: str, kind: PartKind = PartKind.TEXT, *, end: str = "\n") -> None:
        """
        Append a part and *end*, unless the part is blank.

        Raises:
            DocumentError: The text has more than `MAX_DOCUMENT_CHARS` characters.
        """
        text = text.strip("\n")
        if not text.strip():
            return
        self.parts.append(Part(self._length, self._length + len(text), kind, path))
        self._pieces += [text, end]
        self._length += len(text) + len(end)
        if self._length > MAX_DOCUMENT_CHARS:
            raise self.error(
                "too_much_text", f"a document of more than {MAX_DOCUMENT_CHARS:,} characters", "split it first"
            )

    def error(self, code: str, reason: str, hint: str) -> DocumentError:
        """Return an error that names the document."""
        return DocumentError(self._name, code, reason, hint)


def damaged(name: str | None, words: str) -> DocumentError:
    """Return the error for a damaged file; *words* name its kind, such as "a Word document"."""
    return DocumentError(name, "damaged", f"damaged, or not {words}", "open it and save it again")


def not_installed(name: str | None, error: ModuleNotFoundError) -> DocumentError:
    """Return the error for a file whose format needs a library that is not installed."""
    return DocumentError(
        name, "not_installed", f"of a format that needs the library {error.name}", "pip install 'groundwire[documents]'"
    )


def text_parts(text: str) -> tuple[Part, ...]:
    """Return the paragraphs of a plain text; a line that begins with `#` is a heading, as in Markdown."""
    parts: list[Part] = []
    for start, end in _paragraphs(text):
        heading = _HEADING.match(text, start)
        if heading is not None:
            parts.append(Part(start, heading.end(), PartKind.HEADING, f"paragraph {len(parts) + 1}"))
            start = heading.end()
        if text[start:end].strip():
            parts.append(Part(start, end, PartKind.TEXT, f"paragraph {len(parts) + 1}"))
    return tuple(parts)


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each run of lines that are not blank."""
    start: int | None = None
    end = place = 0
    for line in StringIO(text, newline=""):
        if not line.isspace():
            start = place if start is None else start
            end = place + len(line.rstrip("\r\n"))
        elif start is not None:
            yield start, end
            start = None
        place += len(line)
    if start is not None:
        yield start, end
