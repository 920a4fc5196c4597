"""Reads Word documents (DOCX): paragraphs, tables, footnotes and endnotes. Tracked changes count as accepted."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any

from groundwire.documents.archives import open_archive
from groundwire.documents.document import PartKind
from groundwire.documents.parts import PartsBuilder

__all__ = ["read_docx", "read_docx_tables"]

_WORDS = "a Word document"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_NOTES = (("footnotes", "footnote"), ("endnotes", "endnote"))
_RELATIONSHIP = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
# Deleted or moved text, ruby annotations, and the second form of elements with two.
_LEFT_OUT = frozenset({f"{_W}del", f"{_W}moveFrom", f"{_W}rt", f"{_W}pPr", f"{_W}rPr", f"{_MC}Fallback"})
_CHARACTERS = {
    f"{_W}tab": "\t",
    f"{_W}br": "\n",
    f"{_W}cr": "\n",
    f"{_W}noBreakHyphen": "\u2011",
    f"{_W}softHyphen": "\u00ad",
}
_TEXT, _RUN, _PARAGRAPH, _TABLE = f"{_W}t", f"{_W}r", f"{_W}p", f"{_W}tbl"
# Word allows 63 columns; a file may claim any number.
_MAX_SPAN = 1000
_TEXT_BOX = f"{_W}txbxContent"


def read_docx(content: bytes, name: str | None) -> PartsBuilder:
    """
    Return the text of a Word document. Comments, hidden text and ruby annotations are left out.

    Raises:
        DocumentError: It is damaged or larger than the limits.
    """
    from docx.oxml import parse_xml

    built = PartsBuilder(name)
    with _opened(content, name) as document:
        headings = {style.style_id for style in document.styles if _is_heading(style.name or "")}
        _Reader(built, headings).add_blocks(document.element.body)
        for kind, word in _NOTES:
            for relationship in document.part.rels.values():
                if relationship.reltype == _RELATIONSHIP + kind and not relationship.is_external:
                    _add_notes(built, parse_xml(relationship.target_part.blob), word)
    return built


def read_docx_tables(content: bytes, name: str | None) -> list[list[list[str]]]:
    """
    Return the tables of a Word document, each as rows of cells; each row of merged cells has their text.

    Raises:
        DocumentError: It is damaged or larger than the limits.
    """
    tables: list[list[list[str]]] = []
    with _opened(content, name) as document:
        tables += [_rows(block) for block in _blocks(document.element.body) if block.tag == _TABLE]
    return tables


@contextmanager
def _opened(content: bytes, name: str | None) -> Iterator[Any]:
    """Open a Word document, and turn what its reading raises into a DocumentError."""
    import docx

    with open_archive(content, name, _WORDS):
        yield docx.Document(BytesIO(content))


def _is_heading(style_name: str) -> bool:
    return style_name.lower().startswith(("heading", "title"))


def _add_notes(built: PartsBuilder, notes: Any, word: str) -> None:
    for note in notes:
        # Separators are notes too, with a type.
        if note.get(f"{_W}type") is None:
            text = "\n".join(_paragraph_text(each) for each in note.iter(_PARAGRAPH))
            built.add(text, f"{word} {note.get(f'{_W}id')}", PartKind.FOOTNOTE)


class _Reader:
    """Adds the blocks of a body, numbered over the whole document."""

    def __init__(self, built: PartsBuilder, headings: set[str]) -> None:
        self._built = built
        self._headings = headings
        self._paragraphs = 0
        self._tables = 0

    def add_blocks(self, parent: Any) -> None:
        for block in _blocks(parent):
            if block.tag == _TABLE:
                self._add_table(block)
            else:
                self._paragraphs += 1
                kind = PartKind.HEADING if _style(block) in self._headings else PartKind.TEXT
                self._built.add(_paragraph_text(block), f"paragraph {self._paragraphs}", kind)
                for box in block.iter(_TEXT_BOX):
                    if _is_shown_by(box, block):
                        self.add_blocks(box)

    def _add_table(self, table: Any) -> None:
        self._tables += 1
        number = self._tables
        for row_number, row in enumerate(_children(table, f"{_W}tr"), start=1):
            column = 1
            for cell in _children(row, f"{_W}tc"):
                path = f"table {number}, row {row_number}, column {column}"
                self._built.add(_cell_text(cell), path, PartKind.TABLE)
                column += _span(cell)


def _is_shown_by(box: Any, paragraph: Any) -> bool:
    """Tell whether a text box belongs to *paragraph* itself, not to a box inside it or to the second form of one."""
    parent = box.getparent()
    while parent is not paragraph and parent.tag not in (_PARAGRAPH, f"{_MC}Fallback"):
        parent = parent.getparent()
    return parent is paragraph


def _rows(table: Any) -> list[list[str]]:
    """Return the rows of a table, with a cell for each of its columns."""
    rows: list[list[str]] = []
    for row in _children(table, f"{_W}tr"):
        above = rows[-1] if rows else []
        cells: list[str] = []
        for cell in _children(row, f"{_W}tc"):
            is_merged = _continues_above(cell) and len(cells) < len(above)
            cells.append(above[len(cells)] if is_merged else _cell_text(cell).strip())
            cells += [""] * (min(_span(cell), _MAX_SPAN) - 1)
        rows.append(cells)
    return rows


def _cell_text(cell: Any) -> str:
    """Return the text of a cell, including tables inside it, whose cells have no paths of their own."""
    return "\n".join(_paragraph_text(each) for each in cell.iter(_PARAGRAPH))


def _continues_above(cell: Any) -> bool:
    """Tell whether a cell is merged with the one above it."""
    merged = cell.find(f"{_W}tcPr/{_W}vMerge")
    return merged is not None and merged.get(f"{_W}val", "continue") == "continue"


def _blocks(parent: Any) -> Iterator[Any]:
    """Yield paragraphs and tables, including those in content controls and insertions."""
    for child in parent:
        if child.tag in (_PARAGRAPH, _TABLE):
            yield child
        elif isinstance(child.tag, str) and child.tag not in _LEFT_OUT:
            yield from _blocks(child)


def _children(parent: Any, tag: str) -> Iterator[Any]:
    """Yield the rows of a table or the cells of a row, including those in content controls."""
    for child in parent:
        if child.tag == tag:
            yield child
        elif child.tag in (f"{_W}sdt", f"{_W}sdtContent", f"{_W}ins", f"{_W}customXml"):
            yield from _children(child, tag)


def _span(cell: Any) -> int:
    span = cell.find(f"{_W}tcPr/{_W}gridSpan")
    value = "1" if span is None else span.get(f"{_W}val", "1")
    return int(value) if value.isdecimal() else 1


def _style(paragraph: Any) -> str | None:
    style = paragraph.find(f"{_W}pPr/{_W}pStyle")
    return None if style is None else style.get(f"{_W}val")


def _paragraph_text(paragraph: Any) -> str:
    return "".join(_characters(paragraph))


def _characters(element: Any) -> Iterator[str]:
    for child in element:
        tag = child.tag
        if tag == _TEXT:
            yield child.text or ""
        elif tag in _CHARACTERS:
            yield _CHARACTERS[tag]
        elif tag == _RUN and child.find(f"{_W}rPr/{_W}vanish") is not None:
            continue
        elif isinstance(tag, str) and tag not in _LEFT_OUT and tag not in (_TEXT_BOX, _PARAGRAPH):
            yield from _characters(child)
