"""EPUB books, and plain text with the headings of Markdown."""

import posixpath
import re
from collections.abc import Iterator
from io import StringIO
from urllib.parse import unquote
from xml.etree import ElementTree

from groundwire.documents.archives import open_archive
from groundwire.documents.document import Part, PartKind
from groundwire.documents.parts import PartsBuilder, damaged
from groundwire.documents.web import add_page, decode_page

__all__ = ["read_epub", "text_parts"]

_WORDS = "an EPUB book"
_CONTAINER = "META-INF/container.xml"
_PACKAGE = "{http://www.idpf.org/2007/opf}"
_ROOT_FILE = "{urn:oasis:names:tc:opendocument:xmlns:container}rootfile"
_HEADING = re.compile(r"[ ]{0,3}#{1,6}[ \t]+[^\r\n]+")


def read_epub(content: bytes, name: str | None, *, boilerplate: bool) -> PartsBuilder:
    """
    Return the text of a book, its chapters in reading order, and the path of each block as `chapter > html > p`.

    Raises:
        DocumentError: It is damaged or larger than the limits.
    """
    built = PartsBuilder(name)
    with open_archive(content, name, _WORDS) as archive:
        try:
            container = ElementTree.fromstring(archive.read(_CONTAINER))
            root = container.find(f".//{_ROOT_FILE}")
            package_path = "" if root is None else root.get("full-path", "")
            package = ElementTree.fromstring(archive.read(package_path))
            files = {item.get("id"): item.get("href", "") for item in package.iter(f"{_PACKAGE}item")}
            for reference in package.iter(f"{_PACKAGE}itemref"):
                href = unquote(files.get(reference.get("idref"), ""))
                path = posixpath.normpath(posixpath.join(posixpath.dirname(package_path), href))
                add_page(built, decode_page(archive.read(path)), boilerplate=boilerplate, prefix=f"{href} > ")
        except (KeyError, ElementTree.ParseError):
            raise damaged(name, _WORDS) from None
    return built


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
