"""Pages as images with the places of passages, and copies with notes: both cover the words and nothing else."""

import io
import random
import struct
import zlib
from collections import Counter

import pytest

pytest.importorskip("pypdf")
pytest.importorskip("pypdfium2")

import pypdf
import pypdfium2 as pdfium

from documents.pdfs import lines_at, make_pdf, text_at
from groundwire import read_document
from groundwire.documents import pdf
from groundwire.documents.pdf_images import PdfImages
from groundwire.documents.pdf_notes import PdfAnnotated
from groundwire.documents.pdf_pages import PassageNote, annotate_pdf, render_pages
from groundwire.errors import DocumentError

PNG = b"\x89PNG\r\n\x1a\n"
GREY = "0.5 g\n"
QUOTED = text_at(81, 700, "quoted words") + text_at(50, 688, "and more of")
OTHERS = (
    text_at(50, 712, "a line above that is as long as others")
    + text_at(50, 700, "before")
    + text_at(144, 700, "after it")
    + text_at(104, 688, "them, then the end")
    + text_at(50, 676, "a line below, quite like it")
)
QUOTE = "quoted words and more of"
# How a page is turned, where its origin is, and what of it is shown.
LAYOUTS = [
    pytest.param(rotate, boxes, id=f"{name}-{rotate}")
    for rotate in (0, 90, 180, 270)
    for name, boxes in (
        ("plain", "/MediaBox [0 0 600 800]"),
        ("moved", "/MediaBox [-150 30 450 830]"),
        ("cropped", "/MediaBox [0 0 600 800] /CropBox [40 500 400 750]"),
    )
]


def document_of(operators=GREY + OTHERS + QUOTED, **options):
    """Read a page with these operators, by default the quoted words among others."""
    return read_document(make_pdf(operators, **options), name="a.pdf")


def span_of(document, quote=QUOTE):
    """Return the span of *quote* in a document."""
    match = document.source().find(quote)
    assert match is not None, document.text
    return match.start, match.end


def dark_pixels(png):
    """Return the places of the dark pixels of a PNG with 16 levels of grey."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height, bits, colour, *_ = struct.unpack(">IIBBBBB", png[16:29])
    assert (bits, colour) == (4, 0)
    length = struct.unpack(">I", png[33:37])[0]
    assert struct.unpack(">I", png[41 + length : 45 + length])[0] == zlib.crc32(png[37 : 41 + length])
    rows = zlib.decompress(png[41 : 41 + length])
    step = 1 + (width + 1) // 2
    assert len(rows) == step * height
    lines = ((y, rows[step * y + 1 : step * (y + 1)]) for y in range(height))
    return {
        (x, y)
        for y, line in lines
        if line.strip(b"\xff")
        for x, level in enumerate(level for byte in line for level in (byte >> 4, byte & 15))
        if level < 10
    }


def dark(operators, **options):
    """Return the places of the dark pixels on the image of a page that has only these operators."""
    [image] = render_pages(document_of(operators, **options), [1]).images
    return dark_pixels(image.png)


def share_within(places, boxes):
    """Return the share of *places* that lie in *boxes*."""
    inside = sum(
        any(box.left <= x + 0.5 <= box.right and box.top <= y + 0.5 <= box.bottom for box in boxes) for x, y in places
    )
    return inside / len(places)


@pytest.mark.parametrize(("rotate", "boxes"), LAYOUTS)
def test_boxes_on_an_image_cover_the_words(rotate, boxes):
    """However the page is turned, moved or cropped: 95 % of the quote's dark pixels, 5 % of its neighbours'."""
    document = document_of(rotate=rotate, boxes=boxes)
    found = render_pages(document, [1], [[span_of(document)]])
    assert len(found.boxes[0]) == 2
    assert share_within(dark(QUOTED, rotate=rotate, boxes=boxes), found.boxes[0]) >= 0.95
    assert share_within(dark(OTHERS, rotate=rotate, boxes=boxes), found.boxes[0]) <= 0.05


def shown(content, *, with_notes=True):
    """Return the pixels of the first page that are not white, in colour, as PDFium shows them."""
    page = pdfium.PdfDocument(content)[0]
    bitmap = page.render(scale=2, draw_annots=with_notes)
    assert bitmap.n_channels == 3
    buffer = bytes(bitmap.buffer)
    lines = ((y, buffer[y * bitmap.stride :][: 3 * bitmap.width]) for y in range(bitmap.height))
    return {
        (x, y): line[3 * x : 3 * x + 3]
        for y, line in lines
        if line.strip(b"\xff")
        for x in range(bitmap.width)
        if line[3 * x : 3 * x + 3] != b"\xff\xff\xff"
    }


@pytest.mark.parametrize(
    ("rotate", "boxes"), [each for each in LAYOUTS if each.id in ("plain-0", "moved-90", "cropped-270", "cropped-180")]
)
def test_a_highlight_covers_the_words(rotate, boxes):
    """Rendered with its notes, 95 % of the quote's dark pixels change colour, and 5 % of its neighbours'."""
    document = document_of(rotate=rotate, boxes=boxes)
    copy = annotate_pdf(document, [PassageNote((span_of(document),), "quote 1", "exact", "ffdfcf")])
    before, after = shown(document.content()), shown(copy.content)
    coloured = {place for place, value in after.items() if value != before.get(place)}

    def share(operators):
        values = shown(make_pdf(GREY + operators, rotate=rotate, boxes=boxes))
        places = {place for place, value in values.items() if max(value) < 170}
        return len(places & coloured) / len(places)

    assert share(QUOTED) >= 0.95
    assert share(OTHERS) <= 0.05


def test_a_copy_begins_with_the_original():
    """Only notes are added: the page without them looks as before, pixel by pixel, and has the same text."""
    document = document_of()
    copy = annotate_pdf(document, [PassageNote((span_of(document),), "quote 1", "exact", "ffdfcf")])
    assert copy.content.startswith(document.content())
    assert shown(copy.content, with_notes=False) == shown(document.content())
    assert read_document(copy.content).text == document.text
    assert not copy.is_signed


def test_notes_are_read_back():
    """One highlight for each page, with a quadrilateral for each line and the text of the note."""
    pages = [lines_at(50, 60, ["It began and then", "in the middle of"]), lines_at(50, 700, ["a long night."])]
    document = read_document(make_pdf(*pages))
    span = span_of(document, "then in the middle of a long night.")
    copy = annotate_pdf(document, [PassageNote((span,), "quote 7", "altered ≠ “x”\ndomain: Sleep", "ffdfcf")])
    assert copy.highlights == 2
    raw = pdfium.raw
    found = pdfium.PdfDocument(copy.content)
    quads = []
    for page in found:
        assert raw.FPDFPage_GetAnnotCount(page) == 1
        note = raw.FPDFPage_GetAnnot(page, 0)
        assert raw.FPDFAnnot_GetSubtype(note) == raw.FPDF_ANNOT_HIGHLIGHT
        quads.append(raw.FPDFAnnot_CountAttachmentPoints(note))
        raw.FPDFPage_CloseAnnot(note)
    assert quads == [2, 1]
    [first, second] = [page["/Annots"][0].get_object() for page in pypdf.PdfReader(io.BytesIO(copy.content)).pages]
    assert first["/Contents"] == second["/Contents"] == "altered ≠ “x”\ndomain: Sleep"
    assert first["/Subj"] == "quote 7"


def test_hidden_characters_of_a_note_are_spelled_out():
    """A lone surrogate, which JSON can give a domain, has no place in a PDF."""
    document = document_of()
    note = PassageNote((span_of(document),), "quote\u200b 1", "domain: \ud800", "ffdfcf")
    copy = annotate_pdf(document, [note])
    [highlight] = pypdf.PdfReader(io.BytesIO(copy.content)).pages[0]["/Annots"]
    assert highlight.get_object()["/Contents"] == r"domain: \ud800"
    assert highlight.get_object()["/Subj"] == r"quote\u200b 1"


def test_a_colour_of_another_form_is_an_error():
    """It is the fault of the note, and not of the PDF."""
    document = document_of()
    note = PassageNote((span_of(document),), "quote 1", "exact", "ffdfcf")
    with pytest.raises(ValueError, match=r"the color of notes\[1\] must be six hexadecimal digits"):
        annotate_pdf(document, [note, note._replace(color="red")])


def test_notes_that_are_there_stay():
    """A copy of a copy has the notes of both."""
    document = document_of()
    note = PassageNote((span_of(document),), "quote 1", "exact", "ffdfcf")
    once = annotate_pdf(document, [note])
    twice = annotate_pdf(read_document(once.content), [note])
    assert twice.content.startswith(once.content)
    assert pdfium.raw.FPDFPage_GetAnnotCount(pdfium.PdfDocument(twice.content)[0]) == 2


def test_a_copy_without_notes_is_the_original():
    """Without passages nothing is added."""
    document = document_of()
    assert annotate_pdf(document, []).content == document.content()


def test_an_encrypted_pdf_gets_no_notes():
    """One that opens without a password can be read; a note would not be encrypted as the rest."""
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(make_pdf(OTHERS + QUOTED)))
    writer.encrypt(user_password="", owner_password="secret", algorithm="RC4-128")
    content = io.BytesIO()
    writer.write(content)
    document = read_document(content.getvalue(), name="a.pdf")
    with pytest.raises(DocumentError) as caught:
        annotate_pdf(document, [PassageNote((span_of(document),), "quote 1", "exact", "ffdfcf")])
    assert caught.value.code == "protected"


def signed_pdf():
    """Return a PDF with a field that holds a signature."""
    from pypdf.generic import ArrayObject, DictionaryObject, NameObject, TextStringObject

    writer = pypdf.PdfWriter(clone_from=io.BytesIO(make_pdf(OTHERS + QUOTED)))
    value = DictionaryObject({NameObject("/Type"): NameObject("/Sig"), NameObject("/Filter"): NameObject("/X")})
    field = DictionaryObject(
        {NameObject("/FT"): NameObject("/Sig"), NameObject("/T"): TextStringObject("s"), NameObject("/V"): value}
    )
    writer.root_object[NameObject("/AcroForm")] = DictionaryObject({NameObject("/Fields"): ArrayObject([field])})
    content = io.BytesIO()
    writer.write(content)
    return content.getvalue()


def test_a_signature_is_reported():
    """The signed bytes stay, and the caller can say that readers report a change."""
    document = read_document(signed_pdf())
    copy = annotate_pdf(document, [PassageNote((span_of(document),), "quote 1", "exact", "ffdfcf")])
    assert copy.is_signed
    assert copy.content.startswith(document.content())


def test_a_damaged_pdf_gets_right_notes_or_none():
    """A file with changed bytes gives an error, or a copy that begins with it and has its text."""
    changes = random.Random(7)
    original = make_pdf(OTHERS + QUOTED, lines_at(50, 700, ["Another page."]))
    outcomes = Counter()
    for _ in range(60):
        content = bytearray(original)
        for _ in range(changes.randint(1, 6)):
            # Not the first bytes, which make it a PDF.
            content[changes.randrange(8, len(content))] = changes.choice(b"<>[]()/ 0159R\xff\n")
        try:
            document = read_document(bytes(content))
            found = document.source().find("quoted words")
            note = PassageNote(((found.start, found.end) if found else (0, len(document.text)),), "1", "x", "ffdfcf")
            copy = annotate_pdf(document, [note])
        except DocumentError as error:
            outcomes[error.code] += 1
            continue
        assert copy.content.startswith(document.content())
        assert read_document(copy.content).text == document.text
        outcomes["annotated"] += 1
    assert outcomes["annotated"] > 10


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(PdfImages([(1, 10, 10, PNG)], [], has_more=False), id="another-page"),
        pytest.param(PdfImages([(0, 10, 10, PNG)] * 2, [], has_more=False), id="a-page-twice"),
        pytest.param(PdfImages([(0, 10, 10, b"<svg>")], [], has_more=False), id="no-png"),
        pytest.param(PdfImages([(0, 10**5, 10**5, PNG)], [], has_more=False), id="too-large"),
        pytest.param(PdfImages([(0, 10, 10, PNG)], [(5, 0, 1, 1, 2, 2)], has_more=False), id="another-run"),
        pytest.param(PdfImages([(0, 10, 10, PNG)], [(0, 0, 1, float("nan"), 2, 2)], has_more=False), id="no-number"),
        pytest.param(PdfAnnotated(b"", 0, is_signed=False), id="another-answer"),
    ],
)
def test_an_answer_that_cannot_be_is_an_error(monkeypatch, answer):
    """The process that draws a file may have been taken over by it."""
    document = document_of()
    monkeypatch.setattr(pdf, "ask", lambda *_: answer)
    with pytest.raises(DocumentError) as caught:
        render_pages(document, [1], [[span_of(document)]])
    assert caught.value.code == "crashed"


def test_images_stop_at_their_limit():
    """The most important pages come first, and the result says that there are more."""
    document = read_document(make_pdf(*(lines_at(50, 700, [f"page number {number}"]) for number in range(1, 5))))
    every = render_pages(document, [3, 1, 2]).images
    assert [image.page for image in every] == [3, 1, 2]
    found = render_pages(document, [3, 1, 2], max_bytes=len(every[0].png) + len(every[1].png))
    assert [image.page for image in found.images] == [3, 1]
    assert found.has_more


def test_pages_that_are_not_there_or_asked_for_twice():
    """A page has one image, and one that the PDF lacks has none."""
    document = read_document(make_pdf(*(lines_at(50, 700, [f"page number {number}"]) for number in range(1, 4))))
    start = document.text.index("number 2")
    found = render_pages(document, [2, 0, -1, 2, 9, 3], [[(start, start + 8)]])
    assert [image.page for image in found.images] == [2, 3]
    assert [box.page for [box] in found.boxes] == [2]


def test_a_long_page_gets_a_narrow_image():
    """A poster or an endless page takes no more pixels than others."""
    document = document_of(boxes="/MediaBox [0 0 600 14000]")
    [image] = render_pages(document, [1]).images
    assert image.width * image.height <= 4_000_000
    assert image.height / image.width == pytest.approx(14000 / 600, rel=0.02)


def test_only_a_pdf_has_pages_to_draw():
    """Another document is a wrong argument."""
    with pytest.raises(ValueError, match="only a PDF keeps its content, not a document of the format text"):
        render_pages(read_document(b"some words", name="a.txt"), [1])


def test_a_changed_file_is_not_drawn(tmp_path):
    """The image never is that of another file."""
    path = tmp_path / "a.pdf"
    path.write_bytes(make_pdf(QUOTED))
    document = read_document(path)
    path.write_bytes(make_pdf(OTHERS))
    with pytest.raises(DocumentError, match="no longer the file that was read"):
        render_pages(document, [1])
