"""Which foldings a quote needs to be its passage (rulings A2 and A3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire import normalize
from groundwire.evidence.differences import FOLDINGS, normalization_reasons


@pytest.mark.parametrize(
    ("quote", "passage", "expected"),
    [
        ("a b", "a b", ()),
        ("A b", "a b", ("case",)),
        ("a  b", "a b", ("whitespace",)),
        ("a\nb", "a b", ("whitespace",)),
        ("a\u00a0b", "a b", ("whitespace",)),
        ("a\u3000b", "a b", ("whitespace",)),
        ("“a”", '"a"', ("typography",)),
        ("a – b", "a - b", ("typography",)),
        ("co\u00adop", "coop", ("typography",)),
        ("co-\nop", "coop", ("typography",)),
        ("ﬁne", "fine", ("typography",)),
        ("e\u0301", "\u00e9", ("typography",)),
        ("a\u200bb", "ab", ("typography",)),
        ("a b", "a <laugh> b", ("marks",)),
        ("a b", "<laugh> a b", ("marks",)),
        ("a b", "a\n<x> <y>\nb", ("marks",)),
        ("Ａ", "a", ("case", "typography")),
        ("A  “b” c", 'a "b" <x> c', FOLDINGS),
    ],
)
def test_the_foldings_that_are_needed_are_named(quote, passage, expected):
    """Each folding is named without which the texts would differ, and no other."""
    assert normalization_reasons(quote, passage) == expected
    assert normalization_reasons(passage, quote) == expected


PIECES = st.lists(st.sampled_from(["a", "B", "é", "ß", "x y", "word", ".", "12"]), min_size=1, max_size=6)
# Two ways to write the same text, for each folding.
WAYS = {
    "case": ("Q", "q"),
    "whitespace": ("m  n", "m\tn"),
    "typography": ("’", "'"),
    "marks": ("k <x> l", "k l"),
}


@given(PIECES, st.sets(st.sampled_from(FOLDINGS)))
def test_reasons_are_exact(pieces, foldings):
    """Texts that differ in some ways name exactly those, whatever else they contain."""
    ours = " ".join(pieces + [WAYS[folding][0] for folding in FOLDINGS if folding in foldings])
    theirs = " ".join(pieces + [WAYS[folding][1] for folding in FOLDINGS if folding in foldings])
    assert normalize(ours, profile="typographic") == normalize(theirs, profile="typographic")
    assert normalization_reasons(ours, theirs) == tuple(folding for folding in FOLDINGS if folding in foldings)


@given(st.text(st.sampled_from("aAéß '’\"“–-\u00ad\u200b\n\t\u00a0<x>1２\u0301"), max_size=24))
def test_texts_that_only_the_profile_makes_equal_have_a_reason(text):
    """A text and its normalised form differ for a reason, unless they are equal."""
    plain = normalize(text, profile="typographic")
    reasons = normalization_reasons(text, plain)
    assert set(reasons) <= set(FOLDINGS)
    assert bool(reasons) == (text != plain)


@pytest.mark.parametrize(
    ("quote", "passage", "marks", "expected"),
    [
        ("I can't say", "I can't [laughs] say", ("brackets",), ("marks",)),
        ("I can't say", "I can't {laughs} (coughs) say", ("braces", "parentheses"), ("marks",)),
        ("I can’t (now) say", "I can't (now) [laughs] say", ("angle", "brackets"), ("typography", "marks")),
        ("I say <a>", "i say  <a>", (), ("case", "whitespace")),
    ],
)
def test_only_removed_tags_are_tags(quote, passage, marks, expected):
    """Tags that a source keeps are text."""
    assert normalization_reasons(quote, passage, marks=marks) == expected
