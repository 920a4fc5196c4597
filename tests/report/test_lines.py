"""Line and column of an offset."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.report.spans import Lines


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n\n", 2), ("a\r\nb\rc\nd", 4), ("a\x0b\x0c\u2028b", 1)],
    ids=ascii,
)
def test_lines_are_those_of_an_editor(text, count):
    """Only CR LF, LF and CR end a line."""
    assert len(Lines(text)) == count


@given(st.text(alphabet="ab\r\n", min_size=1))
def test_line_and_column_are_those_of_counting(text):
    """The oracle counts line ends before the offset."""
    lines = Lines(text)
    for offset in range(len(text)):
        # A CR LF pair is one line end, and ends with its LF.
        before = [
            index + 1
            for index in range(offset)
            if text[index] == "\n" or (text[index] == "\r" and text[index + 1 : index + 2] != "\n")
        ]
        assert lines.locate(offset) == (len(before) + 1, offset - max(before, default=0) + 1)
