"""Word documents, web pages, books, tables and text."""

import io
import zipfile

import pytest

from groundwire import read_document
from groundwire.documents import PartKind
from groundwire.documents.word import read_docx_tables
from groundwire.errors import DocumentError


def parts_of(document):
    """Return the kind, path and text of each part."""
    return [(part.kind, part.path, document.text[part.start : part.end]) for part in document.parts]


def archive(entries, kind=zipfile.ZIP_DEFLATED):
    """Return a ZIP file of *entries*."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", kind) as file:
        for name, text in entries.items():
            # The first entry of a book is not compressed.
            file.writestr(name, text, zipfile.ZIP_STORED if name == "mimetype" else kind)
    return content.getvalue()


def word_file(change=None):
    """Return a Word document with a heading, a paragraph and a table."""
    docx = pytest.importorskip("docx")
    document = docx.Document()
    document.add_heading("Results", 1)
    document.add_paragraph("The first words.")
    table = document.add_table(1, 2)
    table.cell(0, 1).text = "in a cell"
    if change is not None:
        change(document)
    content = io.BytesIO()
    document.save(content)
    return content.getvalue()


def test_word_document():
    """Paragraphs and cells have paths; a heading belongs to the parts that follow it."""
    document = read_document(word_file())
    assert parts_of(document) == [
        (PartKind.HEADING, "paragraph 1", "Results"),
        (PartKind.TEXT, "paragraph 2", "The first words."),
        (PartKind.TABLE, "table 1, row 1, column 2", "in a cell"),
    ]
    start = document.text.index("first")
    location = document.locate(start, start + 5)
    assert (location.page, location.heading, location.path, location.boxes) == (None, "Results", "paragraph 2", ())


def test_tracked_changes_count_as_accepted():
    """Inserted text is read; deleted and hidden text is not."""
    pytest.importorskip("docx")
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    def change(document):
        xml = (
            f"<w:p {nsdecls('w')}><w:r><w:t>kept </w:t></w:r><w:ins><w:r><w:t>inserted</w:t></w:r></w:ins>"
            "<w:del><w:r><w:delText>deleted</w:delText></w:r></w:del>"
            "<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r></w:p>"
        )
        document.element.body.insert(0, parse_xml(xml))

    assert read_document(word_file(change)).text.startswith("kept inserted\n")


def test_ruby_annotations_do_not_divide_words():
    """The reading of a character is no text between it and the next one, as in WebVTT."""
    pytest.importorskip("docx")
    pytest.importorskip("selectolax")
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    page = "<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>を読む</p>"
    assert read_document(f'<html><meta charset="utf-8">{page}'.encode()).text == "漢字を読む\n"
    xml = (
        f"<w:p {nsdecls('w')}><w:r><w:ruby><w:rt><w:r><w:t>かんじ</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢字</w:t>"
        "</w:r></w:rubyBase></w:ruby></w:r><w:r><w:t>を読む</w:t></w:r></w:p>"
    )
    document = read_document(word_file(lambda each: each.element.body.insert(0, parse_xml(xml))))
    assert document.text.startswith("漢字を読む\n")


def test_text_boxes_in_text_boxes_are_read_once():
    """A box belongs to the paragraph around it, not to each paragraph outside of that."""
    pytest.importorskip("docx")
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    opening = "<w:p {}><w:r><w:t>{}</w:t></w:r><w:r><w:pict><w:txbxContent>"
    closing = "</w:txbxContent></w:pict></w:r></w:p>"
    boxes = "".join(opening.format(nsdecls("w"), f"box {number}") for number in range(40))
    xml = f"{boxes}<w:p><w:r><w:t>inside</w:t></w:r></w:p>{closing * 40}"
    document = read_document(word_file(lambda each: each.element.body.insert(0, parse_xml(xml))))
    assert document.text.startswith("".join(f"box {number}\n" for number in range(40)) + "inside\n")


def test_web_page():
    """Scripts, styles and hidden elements are no text; entities are characters; the path names elements."""
    pytest.importorskip("selectolax")
    page = (
        b"<!doctype html><html><head><title>t</title><style>s{}</style></head><body><nav>Menu</nav><h1>A &amp; B</h1>"
        b"<p>One <b>bold</b>er w&ouml;rd</p><p hidden>no</p><p style='display:none'>no</p><script>no()</script>"
        b"<table><tr><td>cell</td></tr></table></body></html>"
    )
    document = read_document(page)
    assert document.text == "Menu\nA & B\nOne bolder w\xf6rd\ncell\n"
    location = document.locate(document.text.index("One"), document.text.index("w\xf6rd") + 4)
    assert (location.path, location.heading) == ("html > body > p:nth-of-type(1)", "A & B")
    assert location.fragment == "#:~:text=One%20bolder%20w%C3%B6rd"
    assert document.locate(len(document.text) - 4, len(document.text) - 1).kinds == (PartKind.TABLE,)
    assert read_document(page, boilerplate=False).text.startswith("A & B")


def test_declared_encoding():
    """A page is read in the encoding that it declares."""
    pytest.importorskip("selectolax")
    page = '<html><meta charset="windows-1252"><p>\u201cquoted\u201d</p></html>'.encode("cp1252")
    assert read_document(page).text == "\u201cquoted\u201d\n"


@pytest.mark.parametrize(
    ("declared", "content", "text"),
    [
        pytest.param("iso-8859-1", "\u201cquoted\u201d".encode("cp1252"), "\u201cquoted\u201d", id="latin-1"),
        pytest.param("utf-16", b"read already", "read already", id="utf-16-of-another-width"),
        pytest.param("utf-16", "\u201cquoted\u201d".encode(), "\u201cquoted\u201d", id="utf-16"),
        pytest.param("gb2312", "\u9555".encode("gbk"), "\u9555", id="gbk"),
        pytest.param("x-sjis", "\u65e5\u672c".encode("cp932"), "\u65e5\u672c", id="x-sjis"),
        pytest.param("euc-kr", "\ub620".encode("cp949"), "\ub620", id="cp949"),
        pytest.param("ascii", "w\xf6rd".encode(), "w\xf6rd", id="ascii"),
        pytest.param("nonsense", "w\xf6rd".encode("cp1252"), "w\xf6rd", id="unknown"),
        pytest.param("undefined", b"words", "words", id="undefined"),
        pytest.param("punycode", b"co-op", "co-op", id="punycode"),
        pytest.param("unicode_escape", rb"\u0041", r"\u0041", id="unicode-escape"),
        pytest.param("hex", b"abcd", "abcd", id="no-encoding-of-text"),
    ],
)
def test_declared_encodings_are_those_of_browsers(declared, content, text):
    """Browsers take Latin-1 for Windows-1252 and UTF-16 for UTF-8, and ignore what only Python knows."""
    pytest.importorskip("selectolax")
    page = b'<html><meta charset="%s"><p>%s</p></html>' % (declared.encode(), content)
    # UTF-16 has an even number of bytes.
    assert {read_document(page + b" " * count).text for count in range(2)} == {f"{text}\n"}


def test_workbook():
    """A part for each cell, by sheet, row and column."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.title = "Answers"
    book.active.append(["id", "answer"])
    book.active.append([1, "two words"])
    content = io.BytesIO()
    book.save(content)
    document = read_document(content.getvalue())
    assert document.text == "id\tanswer\n1\ttwo words\n"
    assert parts_of(document)[-1] == (PartKind.TABLE, "Answers!B2", "two words")


def test_csv():
    """Rows with the same number of fields are a table."""
    document = read_document(b'id,text\n1,hello\n2,"a, b"\n')
    assert document.format == "csv"
    assert parts_of(document)[-1] == (PartKind.TABLE, "B3", "a, b")


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param('a,b\nc,d\ne,"f\n', id="a-field-without-end"),
        pytest.param("a,b\n" * 30 + 'c,"d" e\n', id="text-behind-a-field-far-below"),
    ],
)
def test_lines_that_are_no_rows_make_a_text(rows):
    """A file is a table as a whole, or it is text, unchanged."""
    document = read_document(rows.encode())
    assert (document.format, document.text) == ("text", rows)


def test_rows_of_csv_have_the_numbers_of_a_spreadsheet():
    """A field over two lines is in one row, and an empty line is a row."""
    document = read_document(b'id,text\n\n1,"two\nlines"\n2,x\n')
    assert parts_of(document)[-1] == (PartKind.TABLE, "B4", "x")
    assert (PartKind.TABLE, "B3", "two\nlines") in parts_of(document)


def test_escapes_of_a_workbook_are_characters():
    """Excel stores a carriage return as _x000D_."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active["A1"] = "one_x0041_"
    content = io.BytesIO()
    book.save(content)
    assert read_document(content.getvalue()).text == "oneA\n"


def test_markdown_and_text_stay_as_they_are():
    """Offsets are those of the file."""
    text = "# Head\n\nfirst paragraph\nof two lines\n"
    document = read_document(text.encode())
    assert (document.text, document.format) == (text, "markdown")
    assert document.locate(text.index("of two"), len(text) - 1).heading == "# Head"
    assert read_document(b"only words").format == "text"


BOOK = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="o/book.opf"/></rootfiles></container>',
    "o/book.opf": '<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="b" href="b.xhtml"/>'
    '<item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>',
    "o/b.xhtml": "<html><body><p>second</p></body></html>",
    "o/a.xhtml": "<html><body><p>first</p></body></html>",
}


def test_book():
    """Chapters come in the order of the spine."""
    pytest.importorskip("selectolax")
    document = read_document(archive(BOOK))
    assert (document.format, document.text) == ("epub", "first\nsecond\n")
    assert document.parts[0].path == "a.xhtml > html > body > p:nth-of-type(1)"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        pytest.param(b"\x89PNG\r\n\x1a\n", "unknown_format", id="a picture"),
        pytest.param(b"latin \xe4\xf6", "not_utf8", id="another encoding"),
        pytest.param(b"<html><body>" + b"<div>" * 100_000, "too_deep", id="nested"),
        pytest.param(archive({"word/document.xml": "<a/>"}), "damaged", id="no word document"),
        pytest.param(archive({"xl/workbook.xml": "<a/>"}), "damaged", id="no workbook"),
        pytest.param(word_file()[:-3000], "damaged", id="cut off"),
        pytest.param(
            archive({"word/document.xml": "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"}), "entities", id="entities"
        ),
        pytest.param(archive({"word/document.xml": b" " * (200 << 20)}), "too_large", id="a bomb"),
        pytest.param(b"a,b\n" * 3 + b"c," + b"d" * 2_000_000, "too_large", id="a huge cell"),
    ],
)
def test_unsuitable_documents_are_refused(content, code):
    """Each gives a clear error that names the document."""
    with pytest.raises(DocumentError, match="`upload`") as caught:
        read_document(content, name="upload")
    assert caught.value.code == code


def damaged(content, name):
    """Return a ZIP file with other bytes in the entry *name*, as a bad disk or download leaves it."""
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        start = file.getinfo(name).header_offset + 30 + len(name)
    return content[: start + 8] + bytes(byte ^ 0x5A for byte in content[start + 8 : start + 24]) + content[start + 24 :]


def with_picture():
    """Return a Word document with a compressed picture."""
    source = zipfile.ZipFile(io.BytesIO(word_file()))
    entries = {name: source.read(name) for name in source.namelist()}
    relationships = "word/_rels/document.xml.rels"
    picture = b'<Relationship Id="x" Type="http://example.org/picture" Target="media/x.png"/></Relationships>'
    types = b'<Default Extension="png" ContentType="image/png"/></Types>'
    entries[relationships] = entries[relationships].replace(b"</Relationships>", picture)
    entries["[Content_Types].xml"] = entries["[Content_Types].xml"].replace(b"</Types>", types)
    return archive(entries | {"word/media/x.png": bytes(range(256)) * 20})


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: damaged(with_picture(), "word/media/x.png"), id="picture"),
        pytest.param(lambda: damaged(archive(BOOK), "o/a.xhtml"), id="chapter"),
        pytest.param(lambda: damaged(archive(BOOK, zipfile.ZIP_BZIP2), "o/a.xhtml"), id="chapter-in-bzip2"),
        pytest.param(lambda: damaged(archive(BOOK, zipfile.ZIP_LZMA), "o/book.opf"), id="package-in-lzma"),
        pytest.param(lambda: archive({name: BOOK[name] for name in BOOK if name != "o/b.xhtml"}), id="no-chapter"),
    ],
)
def test_a_damaged_entry_is_a_damaged_document(make):
    """It does not end the process that reads it, which would need a new one."""
    pytest.importorskip("selectolax")
    with pytest.raises(DocumentError, match="`upload`") as caught:
        read_document(make(), name="upload")
    assert caught.value.code == "damaged"


def test_a_damaged_entry_is_a_damaged_document_for_tables_of_quotes():
    """The command line reads these in its own process."""
    pytest.importorskip("docx")
    content = with_picture()
    assert read_docx_tables(content, "quotes")
    with pytest.raises(DocumentError, match="`quotes` is damaged"):
        read_docx_tables(damaged(content, "word/media/x.png"), "quotes")


def test_wrong_types():
    """A number is no document."""
    with pytest.raises(TypeError, match="path_or_bytes must be a path or bytes, got int"):
        read_document(3)


def test_a_span_has_to_be_in_the_text():
    """An empty span has no location."""
    with pytest.raises(ValueError, match="within 5 characters"):
        read_document(b"words").locate(2, 2)
