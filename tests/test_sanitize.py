"""Hidden characters are spelled out, and characters that shape letters or emoji stay."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.sanitize import (
    HIDDEN_UNICODE_VERSION,
    Hidden,
    has_hidden,
    hidden_characters,
    hidden_places,
    may_hide,
    replace_hidden,
    sanitize,
    without_hidden,
)
from groundwire.sanitize.tables import HIDDEN, JOINS_NEXT, JOINS_PREVIOUS

ALPHABET = st.characters(codec=None) | st.sampled_from(
    "ab\u200b\u200c\u200d\ufe0f\u2800\u180b\r\n\tبر\u064eक\u094d❤👩🏽1\u20e3 "
)
TEXTS = st.text(ALPHABET, max_size=30)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a\u200bb", "a\\u200bb", id="zero-width-space"),
        pytest.param("\U000e0041", "\\U000e0041", id="tag"),
        pytest.param("a\xadb", "a\\xadb", id="soft-hyphen"),
        pytest.param("a\rb\r\nc", "a\\x0db\r\nc", id="carriage-return-alone"),
        pytest.param("❤\ufe0f\ufe0f", "❤\ufe0f\\ufe0f", id="second-selector"),
        pytest.param("a\ufe0f", "a\\ufe0f", id="selector-of-a-letter"),
        pytest.param("1\ufe0f", "1\\ufe0f", id="selector-of-a-digit"),
        pytest.param("👩\u200d💻", "👩\u200d💻", id="emoji-sequence"),
        pytest.param("👩\u200d\u200d💻", "👩\\u200d\\u200d💻", id="two-joiners"),
        pytest.param("a\u200db", "a\\u200db", id="joiner-of-Latin-letters"),
        pytest.param("ب\u200dب", "ب\\u200dب", id="joiner-where-letters-join-anyway"),
        pytest.param("ب\u200d", "ب\u200d", id="joiner-that-shapes-a-letter"),
        pytest.param("کار\u200cها", "کار\u200cها", id="Persian-plural"),
        pytest.param("شُ\u200cر", "شُ\u200cر", id="non-joiner-behind-a-vowel-mark"),
        pytest.param("ب\u200c ", "ب\\u200c ", id="non-joiner-before-a-space"),
        pytest.param("क्\u200dष", "क्\u200dष", id="half-form"),
        pytest.param("\u094d\u200d", "\u094d\\u200d", id="virama-on-nothing"),
        pytest.param("🏴\U000e0067\U000e0062", "🏴\\U000e0067\\U000e0062", id="flag-that-is-cut-off"),
        pytest.param("\u0600١", "\u0600١", id="format-character-with-ink"),
        pytest.param("a\u00a0b\u3000c\u202fd", "a\u00a0b\u3000c\u202fd", id="spaces"),
        pytest.param("⠓⠀⠺", "⠓⠀⠺", id="blank-in-Braille"),
        pytest.param("a⠀b", "a\\u2800b", id="blank-in-Latin"),
    ],
)
def test_hidden_characters_are_spelled_out(text, expected):
    """They are written as in Python, and no others are."""
    assert sanitize(text) == expected
    assert has_hidden(text) == (text != expected)


def test_the_table_holds_what_unicode_calls_control_or_format():
    """The oracle is this Python's own database: tab, line feed and visible characters are exceptions."""
    ink = {0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
    wanted = {
        code
        for code in range(0x110000)
        if unicodedata.category(chr(code)) in ("Cc", "Cf", "Cs", "Zl", "Zp") and code not in ink | {9, 10}
    }
    held = {code for first, last in HIDDEN for code in range(first, last + 1)}
    assert wanted <= held
    assert not {code for code in held if unicodedata.category(chr(code)) in ("Lu", "Ll", "Nd", "Zs", "Sm", "Pd")}
    assert HIDDEN_UNICODE_VERSION == "18.0.0"


def test_joiners_join_no_table_of_letters():
    """Otherwise a run of them would count as ordinary."""
    for table in (JOINS_NEXT, JOINS_PREVIOUS):
        assert not any(first <= 0x200C <= last or first <= 0x200D <= last for first, last in table)


def test_a_summary_names_count_and_kinds():
    """It lists eight kinds at most, and contains no text."""
    assert str(hidden_characters("secret\u200b\u202e\u200b")) == "3 hidden characters: U+200B, U+202E"
    assert str(hidden_characters("\u200b")) == "1 hidden character: U+200B"
    many = hidden_characters("".join(chr(0xE0041 + at) for at in range(10)))
    assert str(many).endswith("U+E0048 and 2 more kinds")
    assert (many.count, len(many.kinds)) == (10, 10)
    assert not hidden_characters("plain é")
    assert Hidden(0, ()) == hidden_characters("")


@given(TEXTS)
def test_the_functions_agree(text):
    """Positions, counts and replacements follow one rule."""
    places = hidden_places(text)
    assert all(may_hide(text[place]) for place in places)
    assert hidden_characters(text).count == len(places)
    assert has_hidden(text) == bool(places)
    assert without_hidden(text) == "".join(each for at, each in enumerate(text) if at not in set(places))
    assert replace_hidden(text, lambda _: "\0") == "".join(
        "\0" if at in set(places) else each for at, each in enumerate(text)
    )


@given(TEXTS)
def test_sanitizing_twice_changes_nothing(text):
    """The result can be encoded, and a second call changes nothing."""
    once = sanitize(text)
    once.encode("utf-8")
    assert sanitize(once) == once
