"""PDFs: reading order, hyphens, pages, boxes, and a process with limits."""

import pickle

import pytest

pytest.importorskip("pypdfium2")

from documents.pdfs import lines_at, make_pdf, make_scan, text_at
from groundwire import read_document
from groundwire.documents import PartKind
from groundwire.documents.pdf import PdfProcess
from groundwire.documents.pdf_child import ReadRequest
from groundwire.errors import DocumentError


def find(document, words):
    """Return the location of *words*, as the typographic source finds them."""
    match = document.source().find(words)
    assert match is not None, document.text
    return document.locate(match.start, match.end)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(["the respon-", "sibility of all"], "the responsibility of all", id="a-cut-word"),
        pytest.param(["a well-", "known fact"], "a well-known fact", id="a-compound"),
        pytest.param(["from 1990-", "1995 on"], "from 1990-1995 on", id="numbers"),
        pytest.param(["Jean-", "Paul came"], "Jean-Paul came", id="a-name"),
        pytest.param(["long term and long-", "term plans"], "long-term plans", id="both-halves-are-words"),
        pytest.param(["a dash -", "and more"], "a dash - and more", id="a-dash"),
    ],
)
def test_words_over_lines(lines, expected):
    """A hyphen at the end of a line is removed if it splits a word, and kept if it belongs to one."""
    document = read_document(make_pdf(lines_at(50, 700, lines)))
    assert document.source().find(expected) is not None, document.text


def test_columns_that_are_written_row_by_row():
    """The left column is read first."""
    rows = "".join(
        text_at(50, 700 - 12 * row, f"left column number {row} has words")
        + text_at(320, 700 - 12 * row, f"right column number {row} has words")
        for row in range(8)
    )
    document = read_document(make_pdf(rows))
    assert find(document, "left column number 0 has words left column number 1").page == 1
    assert document.text.index("left column number 7") < document.text.index("right column number 0")


def test_rows_of_short_cells_stay_rows():
    """Labels and values are no columns."""
    rows = "".join(text_at(50, 700 - 12 * row, f"Name {row}") + text_at(320, 700 - 12 * row, "42") for row in range(8))
    assert "Name 3 42" in read_document(make_pdf(rows)).text.replace("\n", " ")


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_text_that_is_sideways_as_shown(degrees):
    """Lines keep their order if the page is rotated and its text is not."""
    document = read_document(make_pdf(lines_at(50, 700, ["first line here", "second line here"]), rotate=degrees))
    location = find(document, "first line here second")
    assert len(location.boxes) == 2
    assert location.boxes[0].bottom > location.boxes[1].bottom


def test_running_heads_do_not_cut_a_quote():
    """A quote may continue on the next page; headers and footers stay in the text, with their offsets."""
    pages = [
        text_at(50, 780, f"{number} Chapter {title}") + lines_at(50, 700, body) + text_at(300, 30, str(number))
        for number, (title, body) in enumerate(
            [("one", ["It began", "in the middle of"]), ("two", ["a long night.", "So"]), ("three", ["it went on."])], 1
        )
    ]
    document = read_document(make_pdf(*pages))
    location = find(document, "in the middle of a long night. So it went on.")
    assert location.pages == (1, 2, 3)
    assert {box.page for box in location.boxes} == {1, 2, 3}
    assert "2 Chapter two" in document.text
    assert document.source(running_heads=True).find("2 Chapter two") is not None
    assert document.source().find("2 Chapter two") is None


def test_a_cut_word_over_a_page():
    """The rest of the word moves to the page where the word begins, and keeps its own box."""
    document = read_document(make_pdf(lines_at(50, 60, ["the respon-"]), lines_at(50, 700, ["sibility of all"])))
    location = find(document, "responsibility")
    assert [box.page for box in location.boxes] == [1, 2]


def test_notes_come_behind_the_text():
    """A sentence that continues on the next page is whole, although a note is at the foot of the first."""
    note = text_at(50, 40, "1 A note in small print here.", 7)
    document = read_document(
        make_pdf(lines_at(50, 700, ["The sentence goes on", "and on over"]) + note, lines_at(50, 700, ["the page."]))
    )
    assert find(document, "and on over the page.").pages == (1, 2)
    assert find(document, "A note in small print").kinds == (PartKind.FOOTNOTE,)
    assert find(document, "A note in small print").page == 1


def test_boxes_are_one_a_line_in_points():
    """The origin is at the bottom left; a box covers the words and not the line."""
    location = find(read_document(make_pdf(lines_at(50, 700, ["one two three", "four five six"]))), "three four")
    first, second = location.boxes
    assert 85 < first.left < first.right < 120
    assert 698 < first.bottom < 701 < first.top < 710
    assert 49 < second.left < second.right < 75
    assert second.top < first.bottom


def test_a_page_without_text_is_unreadable():
    """The text of an image is unreadable, an empty page has none."""
    assert read_document(make_scan()).unreadable_pages == (1,)
    assert read_document(make_pdf("")).unreadable_pages == ()


def test_a_changed_file_has_no_boxes(tmp_path):
    """The file's hash is checked, so that boxes are never those of another file."""
    path = tmp_path / "a.pdf"
    path.write_bytes(make_pdf(text_at(50, 700, "some words")))
    document = read_document(path)
    path.write_bytes(make_pdf(text_at(90, 700, "some words")))
    with pytest.raises(DocumentError, match="no longer the file that was read"):
        _ = document.locate(0, 4).boxes


@pytest.mark.parametrize(
    "content", [b"%PDF-1.4\n", b"%PDF-1.7 junk" * 1000, make_pdf(text_at(50, 700, "words"))[:200]], ids=len
)
def test_damaged_files(content):
    """A file that is no valid PDF gives an error without its text, and without advice on encodings."""
    with pytest.raises(DocumentError) as caught:
        read_document(content, name="a.pdf")
    assert caught.value.code == "damaged"
    assert "iconv" not in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_a_slow_file_times_out_and_the_next_one_is_read():
    """The deadline ends the process; the next request gets a new one."""
    process = PdfProcess(page_timeout_s=0.0)
    request = ReadRequest(make_pdf(text_at(50, 700, "words")))
    with pytest.raises(DocumentError) as caught:
        process.ask(request, None)
    assert caught.value.code == "timeout"
    process._page_timeout_s = 30.0
    assert process.ask(request, None).text == "words\n"
    process.close()


def test_memory_is_limited():
    """A process without memory ends, which is an error."""
    process = PdfProcess(memory_bytes=300 << 20)
    with pytest.raises(DocumentError) as caught:
        process.ask(ReadRequest(b"%PDF-1.4" + bytes(200 << 20)), None)
    assert caught.value.code in ("crashed", "too_much_memory")
    process.close()


def test_many_characters_beyond_the_first_plane_keep_their_boxes():
    """Indices count code points, unlike those of the library."""
    document = read_document(make_pdf(lines_at(50, 700, ["plain words", "more words"])))
    for word in ("plain", "more"):
        start = document.text.index(word)
        assert len(document.locate(start, start + len(word)).boxes) == 1
