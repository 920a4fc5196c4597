"""The oracles themselves, against cases that can be checked by eye."""

import pytest

from oracles.naive import occurrences_naive, partial_ratio_naive, pattern_occurrences_naive


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
        pytest.param("aba", "aab", (1.0 - 1 / 5) * 100.0, id="best-prefix-in-the-other-direction"),
    ],
)
def test_the_naive_score_is_the_defined_one(s1, s2, score):
    """The naive score of pairs that can be worked out by hand."""
    assert partial_ratio_naive(s1, s2) == score
