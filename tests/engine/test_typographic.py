"""normalize() in the typographic profile: rulings A2 and A3."""

import pickle
import re
import unicodedata

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from effort import examples
from groundwire import Source, normalize
from oracles.typographic import DASHES, QUOTATION_MARKS, normalize_typographic_naive


def typographic(text: str) -> str:
    """Return the text in the tested profile."""
    return normalize(text, profile="typographic")


@pytest.mark.parametrize("mark", QUOTATION_MARKS["'"], ids=ascii)
def test_a_single_quotation_mark_is_an_apostrophe(mark):
    """Ruling A3: this covers single marks of every language, primes and corner brackets."""
    assert typographic(f"a{mark}b") == "a'b"


@pytest.mark.parametrize("mark", QUOTATION_MARKS['"'], ids=ascii)
def test_a_double_quotation_mark_is_a_straight_one(mark):
    """Ruling A3: double ones of every language."""
    assert typographic(f"a{mark}b") == 'a"b'


@pytest.mark.parametrize("dash", DASHES, ids=ascii)
def test_a_dash_is_a_hyphen(dash):
    """Ruling A3: U+2010 to U+2015 and the minus sign."""
    assert typographic(f"a{dash}b c {dash} d") == "a-b c - d"


@pytest.mark.parametrize("mark", ["\u201e", "\u00ab", "\u300c", "\u2032", "\u2013", "\u00ad", "\u2060"], ids=ascii)
def test_the_specifications_profile_keeps_what_it_does_not_list(mark):
    """Ruling A3: the literal profile folds the listed characters and nothing else."""
    assert normalize(f"a{mark}b") == f"a{mark}b"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("co\u00adop", "coop", id="soft-hyphen"),
        pytest.param("a\u200b\u200c\u200d\ufeffb", "ab", id="zero-width"),
        pytest.param("a\u2060\u200e\u202a\u061cb", "ab", id="joiner-and-direction-marks"),
        pytest.param("\u2764\ufe0f", "\u2764", id="variation-selector"),
        pytest.param("a\U000e0061\U000e007fb", "ab", id="language-tags"),
        pytest.param("a\u115f\u1160\u3164\uffa0b", "ab", id="hangul-fillers"),
        pytest.param("e\u034f\u0301", "e\u0301", id="a-joiner-is-dropped-after-nfkc"),
        pytest.param("\U0001f468\u200d\U0001f469", "\U0001f468\U0001f469", id="emoji-sequence"),
    ],
)
def test_default_ignorable_characters_are_dropped(text, expected):
    """Ruling A3: invisible characters are not compared."""
    assert typographic(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("inter-\nnational", "international", id="hyphen"),
        pytest.param("inter\u2010\nnational", "international", id="hyphen-of-unicode"),
        pytest.param("inter\u2011\nnational", "international", id="no-break-hyphen"),
        pytest.param("inter\uff0d\nnational", "international", id="full-width-hyphen"),
        pytest.param("inter\u00ad\nnational", "international", id="soft-hyphen"),
        pytest.param("x\u00ad \u00ad\nb", "x b", id="soft-hyphen-after-white-space"),
        pytest.param("x- \u00ad\nb", "x- b", id="soft-hyphen-after-hyphen-and-white-space"),
        pytest.param("inter-\r\nnational", "international", id="crlf"),
        pytest.param("inter- \n   national", "international", id="indented"),
        pytest.param("INTER-\nnational", "international", id="capital-before"),
        pytest.param("\u00e9-\n\u00e9t\u00e9", "\u00e9\u00e9t\u00e9", id="accents"),
        pytest.param("e\u0301-\ne\u0301t", "\u00e9\u00e9t", id="decomposed-accents"),
        pytest.param("\u0431\u0435-\n\u043b\u044b\u0439", "\u0431\u0435\u043b\u044b\u0439", id="cyrillic"),
        pytest.param("of-\n\ufb01ce", "office", id="ligature"),
        pytest.param("inter-\u200b\n\u200bnational", "international", id="zero-width-between"),
        pytest.param("a-\nb-\nc-\nd", "abcd", id="word-after-word"),
        pytest.param("inter- national", "inter- national", id="no-line-break"),
        pytest.param("inter --\nnational", "inter -- national", id="two-hyphens"),
        pytest.param("inter -\nnational", "inter - national", id="hyphen-after-a-space"),
        pytest.param("covid-\n19", "covid- 19", id="digit-after"),
        pytest.param("19-\nth", "19- th", id="digit-before"),
        pytest.param("inter\nnational", "inter national", id="no-hyphen"),
        pytest.param("inter-\n", "inter-", id="at-the-end"),
        pytest.param("-\nnational", "- national", id="at-the-start"),
    ],
)
def test_words_hyphenated_over_a_line_break_are_joined(text, expected):
    """Ruling A3: letter, hyphen, line end, lower-case letter."""
    assert typographic(text) == expected


@pytest.mark.parametrize("dash", ["\u2012", "\u2013", "\u2014", "\u2015", "\u2212"], ids=ascii)
def test_a_dash_at_the_lines_end_joins_nothing(dash):
    """Ruling A3: a dash between two words is no hyphen inside one."""
    assert typographic(f"he left{dash}\nand came back") == "he left- and came back"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("<laughter->\n", "", id="nothing-else"),
        pytest.param("x <laughter-> \nfoo", "x foo", id="words-around"),
        pytest.param("<aaa->abcd \nef", "abcd ef", id="as-much-after-as-in-the-tag"),
    ],
)
def test_a_hyphen_inside_a_tag_is_gone_with_it(text, expected):
    """Ruling A2: the content of a tag has no effect on the text after it."""
    assert typographic(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("no<laughter>, well", "no , well", id="tag-is-a-space"),
        pytest.param("<b>bold</b>", "bold", id="opening-and-closing"),
        pytest.param("a <speaker id=1> b", "a b", id="attributes"),
        pytest.param("BP < 90 and HR > 100", "bp < 90 and hr > 100", id="comparison-stays"),
        pytest.param("5<6>4", "5<6>4", id="digit-is-no-tag"),
        pytest.param("a<>b", "a<>b", id="empty"),
        pytest.param("a</>b", "a</>b", id="slash-alone"),
        pytest.param("a<//b>c", "a<//b>c", id="two-slashes"),
        pytest.param("a< b>c", "a< b>c", id="space-first"),
        pytest.param("a <b\nc> d", "a <b c> d", id="over-a-line-break"),
        pytest.param("a <b <c> d> e", "a <b d> e", id="the-inner-one-of-two"),
        pytest.param("\uff1csecret\uff1e x", "x", id="full-width"),
        pytest.param("a<\u0416\u4e2d>b", "a b", id="letters-of-any-script"),
        pytest.param(f"a<{'b' * 39}>c", "a c", id="39-characters"),
        pytest.param(f"a<{'b' * 43}>c", f"a<{'b' * 43}>c", id="43-characters"),
        pytest.param(f"a<b{' ' * 50}c>d", "a<b c>d", id="white-space-counts"),
        pytest.param("{vocalsound} [inaudible] (laughs)", "{vocalsound} [inaudible] (laughs)", id="other-brackets"),
        pytest.param("a <b> <i>c</i>", "a c", id="spaces-around"),
    ],
)
def test_a_tag_is_a_letter_in_angle_brackets(text, expected):
    """Ruling A2: `<`, optional `/`, a letter, a limit of 40 characters, no `<` or line break, `>`."""
    assert typographic(text) == expected


PARTS = (
    *"abcABC \t19", "\u0416", "\u0436", "\u03a3", "\u4e2d", "\u00e9", "e\u0301", "\u00df", "\ufb01",
    "-", "-\n", "\u2010\n", "a\u00ad\n", "a\u00adb", "- \n ", "-\r\n", "\n", "\u2013x", "\u2014 x",
    "<", ">", "<a>", "</a>", "<a b>", "<1>", "\uff1c", "\uff1e", "/", "<a\n", "{", "(b)",
    "\u201e", "\u00bb", "\u300c", "\u2018", "\u201d", "\u200b", "\u2060", "\ufe0f", "\u1160", "\U000e0041",
)  # fmt: skip
texts = st.lists(st.sampled_from(PARTS), max_size=30).map("".join)


def is_settled(text: str) -> bool:
    """
    Return whether the rulings determine the result for *text*.

    They do not say whether words are joined before tags are removed. A hyphen inside a tag has its own test.
    """
    after_brackets = unicodedata.normalize("NFKC", text).split("<")[1:]
    return normalize_typographic_naive(text) == normalize_typographic_naive(text, joins_first=True) and not any(
        re.search("[-\u2010\u00ad\u2013\u2014]", piece.partition(">")[0]) for piece in after_brackets
    )


@settings(max_examples=examples(1000))
@given(texts)
def test_any_text_is_normalised_as_by_substitutions(text):
    """Rulings A2 and A3: folding, dropping, tags, joining, in any combination whose result they settle."""
    assume(is_settled(text))
    assert typographic(text) == normalize_typographic_naive(text)
    assert Source(text, profile="typographic").normalized == typographic(text)


@pytest.mark.parametrize("left", range(71))
def test_no_chunk_border_changes_a_result(left):
    """Every segment is put at every position of the blocks that the engine copies at once."""
    for part in PARTS:
        text = "x" * left + part + "y" * 40
        if is_settled(text):
            assert typographic(text) == normalize_typographic_naive(text), ascii(part)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("<" * 10**6, "<" * 10**6, id="opening-brackets"),
        pytest.param("<a" * 10**5 + ">", "<a" * (10**5 - 1), id="tags-of-which-one-is-closed"),
        pytest.param("a-\n" * 10**5, "a" * 10**5 + "-", id="one-word"),
        pytest.param("-\n" * 10**5, "- " * (10**5 - 1) + "-", id="hyphens"),
        pytest.param("a\u00ad" * 10**5, "a" * 10**5, id="soft-hyphens"),
    ],
)
def test_hostile_text_has_the_expected_form(text, expected):
    """Rulings A2 and A3 on long texts of characters that the profile handles."""
    assert typographic(text) == expected


@pytest.mark.parametrize(
    ("text", "quote", "found"),
    [
        pytest.param("An inter-\nnational law", "international", "inter-\nnational", id="joined-word"),
        pytest.param("sie sagte \u201eja\u201c leise", '"ja"', "\u201eja\u201c", id="quotation-marks"),
        pytest.param("from 5\u201310 mg", "5-10 mg", "5\u201310 mg", id="dash"),
        pytest.param("a co\u00adop shop", "coop shop", "co\u00adop shop", id="soft-hyphen"),
        pytest.param("yes <laughs> no", "yes no", "yes <laughs> no", id="tag"),
    ],
)
def test_a_span_cuts_the_original(text, quote, found):
    """A match in the typographic profile is a slice of the untouched text."""
    match = Source(text, profile="typographic").find(quote)
    assert (match.text, text[match.start : match.end], match.kind) == (found, found, "normalized")


ALL_MARKS = "Well <laughs> I {vocalsound} was [inaudible] there (laughs) then"


@pytest.mark.parametrize(
    ("marks", "expected"),
    [
        pytest.param(None, "well i {vocalsound} was [inaudible] there (laughs) then", id="default"),
        pytest.param(["angle"], "well i {vocalsound} was [inaudible] there (laughs) then", id="angle"),
        pytest.param([], "well <laughs> i {vocalsound} was [inaudible] there (laughs) then", id="none"),
        pytest.param(("braces",), "well <laughs> i was [inaudible] there (laughs) then", id="braces"),
        pytest.param(("brackets",), "well <laughs> i {vocalsound} was there (laughs) then", id="brackets"),
        pytest.param(("parentheses",), "well <laughs> i {vocalsound} was [inaudible] there then", id="parentheses"),
        pytest.param(("parentheses", "angle", "braces", "brackets", "angle"), "well i was there then", id="all"),
    ],
)
def test_tags_can_be_configured(marks, expected):
    """Ruling A2: the transcript tags to remove can be configured, for texts and for sources."""
    assert normalize(ALL_MARKS, profile="typographic", marks=marks) == expected
    source = Source(ALL_MARKS, profile="typographic", marks=marks)
    assert source.normalized == expected
    assert source.find(ALL_MARKS).kind == "exact"
    assert pickle.loads(pickle.dumps(source)).normalized == expected


def test_a_source_lists_the_tags_that_it_removes():
    """The order is that of the documentation; the specification's profile has its own rule."""
    assert Source("", profile="typographic").marks == ("angle",)
    assert Source("", profile="typographic", marks=["brackets", "angle"]).marks == ("angle", "brackets")
    assert Source("").marks is None


def test_unknown_tags_are_refused():
    """The error lists the known ones."""
    with pytest.raises(ValueError, match=r"^marks\[1\] must be 'angle', 'braces', 'brackets' or 'parentheses'$"):
        Source("", profile="typographic", marks=["angle", "Angle"])
    with pytest.raises(ValueError, match=r"^marks can only be chosen in the profile 'typographic'$"):
        Source("", marks=["angle"])
    with pytest.raises(ValueError, match=r"^marks can only be chosen in the profile 'typographic'$"):
        normalize("", profile="spec", marks=[])
    with pytest.raises(TypeError, match=r"^marks must be a sequence of str, got str$"):
        normalize("", profile="typographic", marks="angle")
