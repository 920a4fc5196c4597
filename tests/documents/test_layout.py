"""Reading order of synthetic lines."""

import pytest

from groundwire.documents.layout import LayoutLine, PageLines, assemble


def line(text, left, bottom, height=10.0):
    """Return a line of glyphs five points wide."""
    return LayoutLine(text, 0, left, bottom, left + 5 * len(text), bottom + height)


def text_of(*pages):
    """Return the text of pages of lines."""
    return "".join(assemble([PageLines(list(lines), 800.0) for lines in pages]).pieces)


def test_the_upper_block_comes_first():
    """The file's order does not count if two blocks share a column."""
    assert text_of([line("below", 50, 100), line("above", 50, 300)]) == "above\nbelow\n"


def test_columns_keep_the_order_of_the_file():
    """The right column is higher, and still comes second."""
    assert text_of([line("left", 50, 100), line("right", 300, 300)]) == "left\nright\n"


def test_a_heading_over_both_columns_comes_first():
    """The file has it last."""
    heading = line("a heading over both of the columns and more of it", 50, 500, 14.0)
    assert text_of([line("left", 50, 100), line("right", 200, 100), heading]).startswith("a heading")


def test_runs_count_characters_with_two_indices():
    """A character beyond U+FFFF ends its run; the next one begins two indices later."""
    found = assemble([PageLines([line("a\U0001f600b", 50, 100)], 800.0)])
    assert (list(found.run_starts), list(found.run_chars), list(found.run_lengths)) == ([0, 2], [0, 3], [2, 1])


def test_runs_follow_the_breaks_of_a_line():
    """A space that was missing is on no page; what follows it has its own index."""
    found = assemble([PageLines([LayoutLine("now got", 0, 50, 100, 85, 110, breaks=((4, 3),))], 800.0)])
    assert "".join(found.pieces) == "now got\n"
    assert (list(found.run_starts), list(found.run_chars), list(found.run_lengths)) == ([0, 4], [0, 3], [3, 3])


@pytest.mark.parametrize(("number", "kind"), [("- 1 -", "running"), ("- 7 -", "text")])
def test_the_number_of_a_page_is_a_running_line(number, kind):
    """It need not repeat, and its dash is no hyphen of a word."""
    pages = [PageLines([line("the respon-", 50, 400), line(number, 50, 20)], 800.0)]
    pages.append(PageLines([line("sibility of all", 50, 400)], 800.0))
    found = assemble(pages)
    assert ("responsibility" in "".join(found.pieces)) is (kind == "running")
    assert kind in {part[3] for part in found.parts}
