"""Splitting a quote at its ellipses and brackets."""

import pytest

from groundwire.evidence.elision import fragments_of


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("I came … and won", ("I came ", " and won")),
        ("I came ... and won", ("I came ", " and won")),
        ("I came . . . and won", ("I came ", " and won")),
        ("I came ( ... ) and won", ("I came ", " and won")),
        ("I came ⋯ and won", ("I came ", " and won")),
        ("[T]he end", ("The end",)),
        ("teh [ sic! ] end", ("teh end",)),
        ("[he] came", (" came",)),
    ],
)
def test_each_mark_splits_a_quote(quote, expected):
    """Ellipses and the author's words do; a letter in brackets and [sic] do not."""
    fragments = fragments_of(quote)
    assert fragments is not None
    assert fragments.texts == expected


@pytest.mark.parametrize("quote", ["", "plain", "a. b. c", "an (aside) here", "x[", "a..b"])
def test_without_a_mark_there_are_no_parts(quote):
    """Full stops and round brackets alone omit nothing."""
    assert fragments_of(quote) is None


@pytest.mark.parametrize("opened", ["[", "[sic", "(sic!", "[...", "(…"])
def test_an_unclosed_bracket_is_read_once(opened):
    """A row of blanks after it is read once: quadratic work would take hours."""
    assert (fragments_of(opened + " " * 300_000) is None) == (opened[-1] not in ".…")
