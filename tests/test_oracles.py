"""The oracles themselves, on cases that can be checked by eye."""

import pytest

from groundwire.reference import normalize_for_quote_match
from oracles.citations import citations_naive
from oracles.decorated import LETTERS, SPACES, Decorated, Piece
from oracles.naive import (
    alignment_naive,
    fuzzy_find_naive,
    lcs_naive,
    occurrences_naive,
    partial_ratio_naive,
    pattern_occurrences_naive,
    windows_naive,
    word_boundaries_naive,
)
from oracles.typographic import normalize_typographic_naive


def test_occurrences_overlap():
    """The naive search finds occurrences that share characters."""
    assert occurrences_naive("aa", "aaa") == [(0, 2), (1, 3)]


def test_an_empty_quote_occurs_nowhere():
    """The naive search finds an empty quote nowhere."""
    assert occurrences_naive("", "ab") == []


def test_patterns_come_by_start_then_index():
    """The naive search of patterns sorts by start, then by pattern index."""
    assert pattern_occurrences_naive(["b", "ab", "ab"], "abab") == [
        (1, 0, 2),
        (2, 0, 2),
        (0, 1, 2),
        (1, 2, 4),
        (2, 2, 4),
        (0, 3, 4),
    ]


@pytest.mark.parametrize(
    ("s1", "s2", "score"),
    [
        pytest.param("", "", 100.0, id="both-empty"),
        pytest.param("", "a", 0.0, id="one-empty"),
        pytest.param("ab", "xaby", 100.0, id="inside"),
        pytest.param("xaby", "ab", 100.0, id="longer-first"),
        pytest.param("ab", "cd", 0.0, id="nothing-in-common"),
        pytest.param("aba", "aab", (1.0 - 1 / 5) * 100.0, id="best-prefix"),
        pytest.param("aaa", "aba", (1.0 - 1 / 5) * 100.0, id="best-prefix-in-the-other-direction-only"),
    ],
)
def test_the_naive_score_is_the_defined_one(s1, s2, score):
    """The pairs can be worked out by hand."""
    assert partial_ratio_naive(s1, s2) == score


@pytest.mark.parametrize(
    ("s1", "s2", "length"),
    [
        pytest.param("", "abc", 0, id="empty"),
        pytest.param("abc", "abc", 3, id="equal"),
        pytest.param("abcde", "xaxcxe", 3, id="not-side-by-side"),
        pytest.param("ab", "ba", 1, id="order-counts"),
    ],
)
def test_the_naive_lcs_keeps_the_order(s1, s2, length):
    """Common characters count in order, not necessarily adjacent."""
    assert lcs_naive(s1, s2) == length == lcs_naive(s2, s1)


def test_windows_are_prefixes_full_ones_and_suffixes():
    """Leftmost first, then longest; none is longer than the short side."""
    assert windows_naive(2, 3) == [(0, 2), (0, 1), (1, 3), (2, 3)]
    assert windows_naive(1, 2) == [(0, 1), (1, 2)]
    assert windows_naive(2, 2) == [(0, 2), (0, 1), (1, 2)]


@pytest.mark.parametrize(
    ("s1", "s2", "alignment"),
    [
        pytest.param("", "", (100.0, 0, 0, 0, 0), id="both-empty"),
        pytest.param("ab", "", (0.0, 0, 0, 0, 0), id="one-empty"),
        pytest.param("ab", "xabab", (100.0, 0, 2, 1, 3), id="leftmost"),
        pytest.param("xabab", "ab", (100.0, 1, 3, 0, 2), id="longer-first"),
        pytest.param("ab", "xyz", (0.0, 0, 2, 0, 2), id="longest"),
        pytest.param("aaa", "aba", (80.0, 0, 2, 0, 3), id="second-direction"),
        pytest.param("aba", "aab", (80.0, 0, 3, 0, 2), id="first-direction"),
    ],
)
def test_the_naive_alignment_is_the_first_of_the_best(s1, s2, alignment):
    """Ties follow our own rule, in cases that can be worked out by hand."""
    assert alignment_naive(s1, s2) == alignment


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        pytest.param("ab", "xab", (1, 3, 1.0), id="window"),
        pytest.param("xaby", "ab", (0, 2, 1.0), id="longer-quote-takes-the-whole-text"),
        pytest.param("aaa", "aba", (0, 3, 0.8), id="part-of-an-equally-long-quote-takes-the-whole-text"),
        pytest.param("ab", "", (0, 0, 0.0), id="empty-text"),
    ],
)
def test_the_naive_fuzzy_search_names_a_part_of_the_text(quote, text, found):
    """If the text is compared with a part of the quote, the span is the whole text."""
    assert fuzzy_find_naive(quote, text) == found


def test_boundaries_lie_between_words():
    """They lie between a letter and another character, and around each letter of an unspaced script."""
    assert word_boundaries_naive("ab -\u4e2d\u6587c", str.isalpha, "\u4e2d\u6587".__contains__) == {0, 2, 3, 4, 5, 6, 7}


@pytest.mark.parametrize("joins_first", [False, True])
@pytest.mark.parametrize(
    ("text", "normalized"),
    [
        pytest.param("\u201eA\u201c \u2013 \u2039b\u203a", "\"a\" - 'b'", id="quotes-and-dashes"),
        pytest.param("co\u00adop\u2060s", "coops", id="ignorable"),
        pytest.param("a <b> c < 5 > 4", "a c < 5 > 4", id="tags"),
        pytest.param("inter-\n  national", "international", id="hyphenated"),
        pytest.param("inter\u00ad\nnational", "international", id="soft-hyphenated"),
        pytest.param("COM-\nMON 19-\nth", "common 19- th", id="letters-only"),
        pytest.param("gone \u2014\nback\u2014\nthen", "gone - back- then", id="dashes-join-nothing"),
    ],
)
def test_the_naive_typographic_profile_folds_drops_and_joins(text, normalized, joins_first):
    """Rulings A2 and A3, where the order of tags and joining does not matter."""
    assert normalize_typographic_naive(text, joins_first=joins_first) == normalized


def test_the_order_of_tags_and_joining_can_matter():
    """Two texts on which the two readings of the rulings differ."""
    assert [normalize_typographic_naive(text) for text in ("a<b-\nc>", "a-<i>\nb")] == ["a<bc>", "ab"]
    assert [normalize_typographic_naive(text, joins_first=True) for text in ("a<b-\nc>", "a-<i>\nb")] == ["a", "a- b"]


@pytest.mark.parametrize("piece", [*LETTERS, *SPACES], ids=ascii)
def test_pieces_become_what_they_say(piece):
    """The reference agrees for each segment, between letters."""
    assert normalize_for_quote_match(f"q{piece.original}{piece.tail}p") == f"q{piece.normalized}p"


def test_origins_are_whole_pieces_without_their_tails():
    """They reach from the first character of the first segment to the last of the last one."""
    text = Decorated([Piece("a", "a", "\u200b"), Piece("\ufb01", "fi"), Piece("<b>", " ", " "), Piece("b", "b")])
    assert (text.text, text.normalized) == ("a\u200b\ufb01<b> b", "afi b")
    assert [text.origin(0, 1), text.origin(0, 2), text.origin(2, 3), text.origin(3, 4)] == [
        (0, 1),
        (0, 3),
        (2, 3),
        (3, 6),
    ]
    assert text.origin(2, 5) == (2, 8)


def test_citations_are_found_kind_by_kind():
    """The naive detector finds no citation inside a URL, and no issue in a colour."""
    text = "[ADR-3] https://a.org/ADR-4). o/r#12 #123456 a1b2c3d 10.1000/x."
    assert [(kind, value, text[start:end]) for kind, value, start, end in citations_naive(text)] == [
        ("adr", "3", "[ADR-3]"),
        ("url", "https://a.org/ADR-4", "https://a.org/ADR-4"),
        ("issue", "o/r#12", "o/r#12"),
        ("commit", "a1b2c3d", "a1b2c3d"),
        ("doi", "10.1000/x", "10.1000/x"),
    ]
