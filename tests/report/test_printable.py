"""Text that is safe to show."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.sanitize import one_line, sanitize


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("\x1b[31m", "\\x1b[31m", id="escape"),
        pytest.param("\x00\x7f\x9b", "\\x00\\x7f\\x9b", id="controls"),
        pytest.param("\ud800", "\\ud800", id="lone-surrogate"),
        pytest.param("a\u202eb\u2066", "a\\u202eb\\u2066", id="bidirectional-override"),
        pytest.param("\ufffe\U0001ffff", "\\ufffe\\U0001ffff", id="noncharacters"),
        pytest.param("\u2028", "\\u2028", id="line-separator"),
        pytest.param("a\tb\r\nc", "a\tb\r\nc", id="tab-and-line-ends-stay"),
        pytest.param("شكرا 中文 👩‍💻 é", "شكرا 中文 👩‍💻 é", id="scripts-stay"),
    ],
)
def test_hidden_characters_are_spelled_out(text, expected):
    """Invisible and misleading characters are written as in Python."""
    assert sanitize(text) == expected


@given(st.text(alphabet=st.characters(codec=None)))
def test_printable_text_has_a_utf_8_form_and_no_control_characters(text):
    """Any str can be printed."""
    shown = one_line(text)
    shown.encode("utf-8")
    assert not any(ord(char) < 32 or 127 <= ord(char) < 160 for char in shown)


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("a\r\nb\n\nc", None, "a ↵ b ↵  ↵ c"),
        ("a\tb", None, "a b"),
        ("abcdefghij", 10, "abcdefghij"),
        ("abcdefghijk", 10, "abcde … ghijk"),
        ("abcdefghijk", 1, " … "),
    ],
)
def test_one_line_shows_line_ends_and_cuts_the_middle(text, limit, expected):
    """A long text keeps its beginning and its end."""
    assert one_line(text, limit=limit) == expected
