"""Hostile documents: each is read, or refused with a clear error, within the limits of time and memory."""

import io
import random
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from attack.limited import run_python
from documents.pdfs import make_pdf, text_at
from effort import effort

pytest.importorskip("pypdfium2")
docx = pytest.importorskip("docx")
openpyxl = pytest.importorskip("openpyxl")

_GIB = 1 << 30
_MEMORY_BYTES = 6 * _GIB
# A file that is not a PDF may take two minutes.
_DEADLINE_S = 200.0
_READ = """
import sys
from pathlib import Path
from groundwire import read_document
from groundwire.errors import DocumentError
try:
    print("read", len(read_document(Path(sys.argv[1])).text))
except (DocumentError, OSError) as error:
    print("refused", str(error).replace(chr(10), " "))
"""
# This file has the word, so a document that names it could show it.
_SECRET = "zebra-9431"
_OUTSIDE = f'<!ENTITY e SYSTEM "{Path(__file__).as_uri()}">'


def _archive(entries: dict[str, bytes], kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", kind) as file:
        for name, text in entries.items():
            file.writestr(name, text)
    return content.getvalue()


def _entries(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        return {name: file.read(name) for name in file.namelist()}


def _word_file() -> bytes:
    content = io.BytesIO()
    document = docx.Document()
    document.add_paragraph("PLACE")
    document.save(content)
    return content.getvalue()


def _workbook() -> bytes:
    content = io.BytesIO()
    book = openpyxl.Workbook()
    book.active["A1"] = "PLACE"
    book.save(content)
    return content.getvalue()


_DOCX, _XLSX = _entries(_word_file()), _entries(_workbook())
_BODY, _SHEET = "word/document.xml", "xl/worksheets/sheet1.xml"
_PARAGRAPH = b"<w:p><w:r><w:t>word</w:t></w:r></w:p>"


def _docx_with(paragraphs: bytes) -> bytes:
    body = _DOCX[_BODY]
    place = body.index(b"<w:p")
    return _archive({**_DOCX, _BODY: body[:place] + paragraphs + body[place:]})


def _xlsx_with(rows: bytes, **others: bytes) -> bytes:
    sheet = _XLSX[_SHEET]
    place = sheet.index(b"</sheetData>")
    return _archive({**_XLSX, _SHEET: sheet[:place] + rows + sheet[place:], **others})


def _with_type(entries: dict[str, bytes], name: str, definition: str) -> bytes:
    """A file whose part *name* has a document type with *definition*, and the entity `e` in the place of a text."""
    head, _, rest = entries[name].partition(b"?>")
    root = rest.split(b"<", 1)[1].split(b" ", 1)[0].decode()
    kind = f"<!DOCTYPE {root} [{definition}]>".encode()
    return _archive({**entries, name: head + b"?>" + kind + rest.replace(b"PLACE", b"&e;")})


def _billion(levels: int = 12) -> str:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, levels))
    return f'<!ENTITY e0 "lol">{entities}<!ENTITY e "&e{levels - 1};">'


def _nested_pdf(depth: int) -> bytes:
    return make_pdf("[" * depth + "]" * depth)


def _page_tree(depth: int) -> bytes:
    """A PDF whose pages are *depth* nodes below the root."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>"]
    objects += [f"<< /Type /Pages /Kids [{n + 3} 0 R] /Count 1 /Parent {n + 1} 0 R >>".encode() for n in range(depth)]
    objects.append(f"<< /Type /Page /Parent {depth + 1} 0 R /MediaBox [0 0 600 800] >>".encode())
    body = b"%PDF-1.4\n" + b"".join(b"%d 0 obj\n%s\nendobj\n" % pair for pair in enumerate(objects, start=1))
    return body + b"trailer\n<< /Root 1 0 R >>\n%%EOF\n"


def _bomb_pdf(mebibytes: int) -> bytes:
    packed = zlib.compress(b"q Q\n" * (mebibytes << 18), 9)
    for _ in range(2):
        packed = zlib.compress(packed, 9)
    stream = b"<< /Length %d /Filter [/FlateDecode /FlateDecode /FlateDecode] >>\nstream\n%s\nendstream"
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R >>"
    pages = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", pages, page, stream % (len(packed), packed)]
    body = b"%PDF-1.4\n" + b"".join(b"%d 0 obj\n%s\nendobj\n" % pair for pair in enumerate(objects, start=1))
    return body + b"trailer\n<< /Root 1 0 R >>\n%%EOF\n"


def _loop_pdf() -> bytes:
    return make_pdf(text_at(50, 700, "x")).replace(b"/Kids [4 0 R]", b"/Kids [2 0 R]")


def _mutants(content: bytes, seed: int) -> bytes:
    generator = random.Random(seed)
    changed = bytearray(content)
    for _ in range(generator.randint(1, 30)):
        changed[generator.randrange(len(changed))] = generator.randrange(256)
    return bytes(changed)


def _book(page: bytes, **others: bytes) -> bytes:
    container = (
        b'<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        b'<rootfile full-path="book.opf"/></rootfiles></container>'
    )
    package = (
        b'<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="a" href="a.xhtml"/></manifest>'
        b'<spine><itemref idref="a"/></spine></package>'
    )
    entries = {"mimetype": b"application/epub+zip", "META-INF/container.xml": container, "book.opf": package}
    return _archive({**entries, "a.xhtml": page, **others}, zipfile.ZIP_STORED)


def _page(inside: bytes) -> bytes:
    return b"<!doctype html><html><body>" + inside + b"</body></html>"


_PDF = make_pdf(*(text_at(50, 700, f"page {number}") for number in range(20)))
_MANY = 1_000_000

KINDS: dict[str, Callable[[], bytes]] = {
    **{f"a PDF cut at {part} of 8": lambda part=part: _PDF[: len(_PDF) * part // 8] for part in range(1, 8)},
    "a PDF of 10,000 pages": lambda: make_pdf(*["0 0 m S"] * 10_000),
    "a PDF of 30,000 pages": lambda: make_pdf(*["0 0 m S"] * 30_000),
    "a PDF of arrays in arrays": lambda: _nested_pdf(500_000),
    "a PDF with a deep page tree": lambda: _page_tree(50_000),
    "a PDF whose page tree is a loop": _loop_pdf,
    "a PDF that unpacks to 100 MiB": lambda: _bomb_pdf(100),
    "a PDF of a million texts": lambda: make_pdf(text_at(50, 700, "word") * _MANY),
    "a PDF of one long line": lambda: make_pdf(text_at(50, 700, "word " * _MANY)),
    "a PDF without objects": lambda: b"%PDF-1.7\n" + b"x" * 1_000_000,
    "a Word file cut in the middle": lambda: _word_file()[:-3000],
    "a Word file that unpacks to 300 MiB": lambda: _archive({**_DOCX, _BODY: bytes(300 << 20)}),
    "a Word file of 100,000 paragraphs": lambda: _docx_with(_PARAGRAPH * 100_000),
    "a Word file of elements in elements": lambda: _docx_with(b"<w:ins>" * 100_000 + b"</w:ins>" * 100_000),
    "a Word file of tables in tables": lambda: _docx_with(
        b"<w:tbl><w:tr><w:tc>" * 80 + _PARAGRAPH + b"</w:tc></w:tr></w:tbl>" * 80
    ),
    "a Word file of text boxes in text boxes": lambda: _docx_with(
        b"<w:p><w:r><w:pict><w:txbxContent>" * 60 + _PARAGRAPH + b"</w:txbxContent></w:pict></w:r></w:p>" * 60
    ),
    "a Word file whose cell spans a billion columns": lambda: _docx_with(
        b'<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="1000000000"/></w:tcPr>' + _PARAGRAPH + b"</w:tc></w:tr></w:tbl>"
    ),
    "a Word file with entities that grow": lambda: _with_type(_DOCX, _BODY, _billion()),
    "a Word file that names another file": lambda: _with_type(_DOCX, _BODY, _OUTSIDE),
    "a Word file of 30,000 entries": lambda: _archive({**_DOCX, **{f"x{n}.xml": b"" for n in range(30_000)}}),
    "a Word file that is a chain of bombs": lambda: _archive({**_DOCX, "a.zip": _archive({"b": bytes(200 << 20)})}),
    "a workbook cut in the middle": lambda: _workbook()[:-2000],
    "a workbook that unpacks to 300 MiB": lambda: _archive({**_XLSX, _SHEET: bytes(300 << 20)}),
    "a workbook of a million rows": lambda: _xlsx_with(b"<row><c><v>1</v></c></row>" * _MANY),
    "a workbook that claims every cell": lambda: _xlsx_with(b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'),
    "a workbook with a huge cell": lambda: _xlsx_with(
        b'<row><c t="inlineStr"><is><t>' + b"x" * 50 * _MANY + b"</t></is></c></row>"
    ),
    "a workbook with entities that grow": lambda: _with_type(_XLSX, "xl/sharedStrings.xml", _billion()),
    "a workbook that names another file": lambda: _with_type(_XLSX, "xl/sharedStrings.xml", _OUTSIDE),
    "a table with a huge cell": lambda: b"a,b\n" * 3 + b"c," + b"d" * 50 * _MANY,
    "a table of a million columns": lambda: b"\n".join([b",".join([b"1"] * _MANY)] * 4),
    "a table with a quotation mark that stays open": lambda: b"a,b\n" * 5 + b'c,"' + b"d\n" * _MANY,
    "a web page of elements in elements": lambda: _page(b"<div>" * _MANY),
    "a web page of formatting without ends": lambda: _page(b"<p><b><i><u>x" * 100_000),
    "a web page of tables without ends": lambda: _page(b"<table><tr><td>x" * 100_000),
    "a web page of misnested elements": lambda: _page(b"<a><b><p>x</a></b>" * 100_000),
    "a web page of select elements": lambda: _page(b"<select><option>x" * 100_000),
    "a web page of a million attributes": lambda: _page(
        b"<p " + b" ".join(b"a%d=1" % n for n in range(_MANY)) + b">x</p>"
    ),
    "a web page of a long comment": lambda: _page(b"<!--" + b"-" * 50 * _MANY),
    "a web page of a million headings": lambda: _page(b"<h1>x</h1>" * _MANY),
    "a web page of references": lambda: _page(b"&amp" * 5 * _MANY),
    "a book cut in the middle": lambda: _book(_page(b"<p>x</p>"))[:-200],
    "a book of elements in elements": lambda: _book(_page(b"<div>" * _MANY)),
    "a book that names a file outside": lambda: _book(b"x", **{"../../etc/passwd": b"x"}),
    "a book with entities that grow": lambda: _book(
        f"<!DOCTYPE html [{_billion()}]><html><body><p>&e;</p></body></html>".encode()
    ),
    **{f"a changed PDF {seed}": lambda seed=seed: _mutants(_PDF, seed) for seed in range(effort(20, 200))},
    **{
        f"a changed Word file {seed}": lambda seed=seed: _mutants(_word_file(), seed) for seed in range(effort(10, 100))
    },
    **{f"a changed workbook {seed}": lambda seed=seed: _mutants(_workbook(), seed) for seed in range(effort(10, 100))},
}


def test_each_is_read_or_refused_within_its_limits(attack, tmp_path: Path):
    """No file hangs, fills the memory, ends the caller, or shows another file; each error is one clear line."""
    path = tmp_path / "upload"
    for kind, make in KINDS.items():
        path.write_bytes(make())
        with attack.attempt(kind):
            done = run_python(_READ, path, memory_bytes=_MEMORY_BYTES, deadline_s=_DEADLINE_S)
            assert done.code == 0, done.error[-300:]
            outcome, _, rest = done.out.partition(" ")
            assert outcome in ("read", "refused")
            assert _SECRET not in done.out
            if outcome == "refused":
                assert rest.startswith(("`upload` is ", "[Errno")), rest
