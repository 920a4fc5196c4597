"""Lines of a page by made-up characters: words, columns, spaced-out headings and initials."""

import numpy as np
import pytest

from groundwire.documents.page_lines import find_gutters, has_wrong_spaces, line_spans, plain_lines, precise_lines

HEIGHT = 10.0


def page_of(*rows):
    """
    Return the characters of rows and their boxes, each five points wide.

    A row is its bottom and its characters. A number among them moves the next character by that many points. PDFium
    ends the line after each row.
    """
    chars, boxes = [], []
    for bottom, *pieces in rows:
        left = 0.0
        for piece in pieces:
            if not isinstance(piece, str):
                left += piece
                continue
            for char in piece:
                is_generated = char in "_\r"
                chars.append({"_": " "}.get(char, char))
                boxes.append((left, bottom, left if is_generated else left + 5, bottom + HEIGHT))
                left += 0 if is_generated else 5
        chars += "\r\n"
        boxes += [(left, bottom, left, bottom)] * 2
    return "".join(chars), np.array(boxes, np.float32)


def lines_of(*rows):
    """The texts of the lines; each `_` is a space that PDFium adds."""
    chars, boxes = page_of(*rows)
    generated = {index for index, box in enumerate(boxes.tolist()) if box[0] == box[2]}
    lines = precise_lines(
        chars,
        line_spans(chars),
        boxes,
        is_generated=generated.__contains__,
        text_of=lambda start, end: chars[start:end],
    )
    return [line.text for line in lines]


@pytest.mark.parametrize(
    ("row", "text"),
    [
        pytest.param(["now", 4, "got"], "now got", id="a-missing-space"),
        pytest.param(["F", -1, "_", "aruna"], "Faruna", id="kerning-is-no-space"),
        pytest.param(["was", 1, " ", "at"], "was at", id="a-space-of-the-file-stays"),
        pytest.param(["one", 1.7, "_", "two"], "one two", id="a-narrow-space-stays"),
        pytest.param(["T", 2, "_", "I", 2, "_", "T", 2, "_", "L", 2, "_", "E"], "TITLE", id="spaced-out"),
        pytest.param(["T", 2, "O", 9, "_", "M", 2, "_", "A", 2, "_", "N"], "TO MAN", id="spaced-out-words"),
    ],
)
def test_the_gaps_between_characters_decide_where_words_end(row, text):
    """A gap of a fifth of the height is a space, one below a seventh is kerning."""
    assert lines_of((0.0, *row)) == [text]


def test_a_line_that_pdfium_breaks_within_a_word_is_whole():
    """The next line begins where the last one ended, on the same row."""
    assert lines_of((0.0, "L"), (0.0, 5, "oloda"), (0.0, 33, "there")) == ["Loloda", "there"]


def test_lines_end_at_a_gutter():
    """Four rows of prose on either side are columns; three are not."""
    rows = [(20.0 * row, f"the left column {row}", 20, " ", f"the right column {row}") for row in range(4)]
    assert len(lines_of(*rows)) == 8
    assert len(lines_of(*rows[:3])) == 3


def test_an_initial_belongs_to_the_word_beside_it():
    """A letter of twice the height begins the first line of its paragraph."""
    chars, boxes = page_of((0.0, "D"), (14.0, 6, "erapi out about"), (2.0, 6, "night and day"))
    boxes[0, 3] = 24.0
    lines = precise_lines(
        chars, line_spans(chars), boxes, is_generated=lambda _: False, text_of=lambda start, end: chars[start:end]
    )
    assert [(line.text, line.char, line.breaks) for line in lines] == [
        ("Derapi out about", 0, ((1, 3),)),
        ("night and day", 20, ()),
    ]


def test_plain_lines_have_no_spaces_at_their_ends():
    """A line begins and ends with a character that is drawn."""
    chars, boxes = page_of((0.0, " words "))
    spans = line_spans(chars)
    ends = boxes[[place for start, end in spans for place in (start, end - 1)]]
    (line,) = plain_lines(spans, ends, lambda start, end: chars[start:end])
    assert (line.text, line.char, line.left, line.right) == ("words", 1, 5.0, 30.0)


@pytest.mark.parametrize(("gap", "is_wrong"), [(4, True), (0, False)])
def test_wrong_spaces_are_noticed(gap, is_wrong):
    """A sample of a long document shows whether all of it has to be looked at."""
    chars, boxes = page_of((0.0, "now", gap, "got"))
    assert has_wrong_spaces(chars, line_spans(chars), boxes, lambda _: False) is is_wrong


def test_gutters_need_several_rows():
    """A gap that one row has is a space; the strip is as wide as the narrowest gap."""
    rows = [(0.0, 10.0 * row, 100.0 + row, 10.0 * row + 9) for row in range(5)]
    rows += [(120.0, 10.0 * row, 200.0, 10.0 * row + 9) for row in range(5)]
    assert find_gutters(rows) == [(104.0, 120.0)]
    assert find_gutters(rows[:3] + rows[5:8]) == []
