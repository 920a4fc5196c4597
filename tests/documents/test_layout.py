"""Reading order of synthetic lines."""

from groundwire.documents.layout import LayoutLine, PageLines, assemble, find_gutters


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


def test_gutters_need_several_rows():
    """A gap in a single row is a space; a gutter is as wide as the narrowest gap."""
    rows = [(0.0, 10.0 * row, 100.0 + row, 10.0 * row + 9) for row in range(5)]
    rows += [(120.0, 10.0 * row, 200.0, 10.0 * row + 9) for row in range(5)]
    assert find_gutters(rows) == [(104.0, 120.0)]
    assert find_gutters(rows[:3] + rows[5:8]) == []
