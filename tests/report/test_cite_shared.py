"""Marked words of a passage, and its visible part."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.report.cite.highlights import PassageWords, excerpt, words_of


def marked(claim, text):
    """Return the marked words of the visible part of *text*."""
    passage = PassageWords(text)
    shown = excerpt(passage, passage.shared(words_of(claim)))
    return [text[start:end] for start, end in shown.spans]


@pytest.mark.parametrize(
    ("claim", "text", "expected"),
    [
        pytest.param("The mill is documented.", "A MILL of documents", ["MILL", "documents"], id="case-and-ending"),
        pytest.param("It is on, at no.", "It is on, at no.", [], id="short-words-say-nothing"),
        pytest.param("In 1887 or 3.5", "1887, 3.5 and 35", ["1887", "3.5"], id="numbers-whole"),
        pytest.param("The NATO says", "The NATO and nato", ["NATO", "nato"], id="abbreviation"),
        pytest.param("工廠在冬天被燒毀", "那個工廠被燒毀了", ["工廠", "燒毀"], id="chinese-by-pairs"),
        pytest.param("", "anything at all", [], id="no-claim"),
        pytest.param("anything", "", [], id="no-passage"),
    ],
)
def test_shared_words_are_marked(claim, text, expected):
    """Words of content, numbers, names; forms of one word are the same."""
    assert marked(claim, text) == expected


def test_excerpt_is_where_most_words_are():
    """A long passage is cut to the part with the claim, between words."""
    text = "mill " + "other words here " * 200 + "the mill burned down in winter " + "more of other words " * 200
    passage = PassageWords(text)
    shown = excerpt(passage, passage.shared(words_of("The mill burned down in winter")))
    assert [text[start:end] for start, end in shown.spans] == ["mill", "burned", "winter"]
    assert 200 < shown.end - shown.start < 600
    assert text[shown.start - 1] == text[shown.end] == " "


@given(
    st.text(alphabet=st.sampled_from("abcdefg 1中文\n"), max_size=60),
    st.text(alphabet=st.sampled_from("abcdefg 1中文\n"), max_size=1500),
)
def test_spans_lie_in_the_excerpt(claim, text):
    """In order, apart from each other, inside; and an excerpt of a short passage is all of it."""
    passage = PassageWords(text)
    shown = excerpt(passage, passage.shared(words_of(claim)))
    bounds = [shown.start, *(offset for span in shown.spans for offset in span), shown.end]
    assert bounds == sorted(bounds)
    assert all(start < end for start, end in shown.spans)
    assert 0 <= shown.start <= shown.end <= len(text)
    assert len(text) > 420 or (shown.start, shown.end) == (0, len(text))


def test_a_word_that_is_everywhere_costs_no_more():
    """Only some of a million equal words are marked."""
    passage = PassageWords("mill " * 1_000_000)
    assert len(passage.shared(words_of("the mill"))) == 200
