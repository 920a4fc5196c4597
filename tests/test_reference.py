"""The specification in pure Python: normalisation, score, search, verdicts."""

import logging
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire import reference
from oracles.naive import occurrences_naive, partial_ratio_naive, pattern_occurrences_naive
from oracles.texts import texts

small_texts = st.text("ab\0\ud800\U0001f600", max_size=12)


@pytest.mark.parametrize(
    ("text", "normalized"),
    [
        pytest.param("I can\u2019t  \u201csleep\u201d", 'i can\'t "sleep"', id="curly-quotes"),
        pytest.param("a\u00a0b\u2003c\x1cd", "a b c d", id="white-space-of-re"),
        pytest.param("s\u200bl\u200ce\u200de\ufeffp", "sleep", id="zero-width-dropped"),
        pytest.param("a\u2060b\u00adc\u2013d", "a\u2060b\u00adc\u2013d", id="joiner-soft-hyphen-dash-kept"),
        pytest.param("no<laughter>, well", "no , well", id="tag-is-a-space"),
        pytest.param("BP < 90 and HR > 100", "bp 100", id="comparison-is-eaten"),
        pytest.param("a <\n> b <> c <", "a b <> c <", id="tags-span-lines-but-are-not-empty"),
        pytest.param("x\uff1csecret\uff1ey", "x y", id="full-width-brackets-become-a-tag"),
        pytest.param("\ufb01t \u2026", "fit ...", id="nfkc"),
        pytest.param("\u039f\u03a3 \u0130 \u00df", "\u03bf\u03c2 i\u0307 \u00df", id="lower-not-casefold"),
        pytest.param("\ud800A", "\ud800a", id="lone-surrogate"),
        pytest.param("<laughter>\u200b ", "", id="blank"),
    ],
)
def test_normalisation_takes_the_steps_in_order(text, normalized):
    """Rulings A1, A2, A3 and A4: one level of escapes, the literal tag rule, the listed marks, the order."""
    assert reference.normalize_for_quote_match(text) == normalized


@given(small_texts, small_texts)
def test_score_is_the_defined_one(s1, s2):
    """Ruling A8: partial_ratio is the score of the definition, to the last bit."""
    assert reference.partial_ratio(s1, s2) == partial_ratio_naive(s1, s2)


def test_a_score_below_the_cutoff_is_zero():
    """A score that does not reach score_cutoff comes back as 0."""
    assert reference.partial_ratio("abcd", "abxx", score_cutoff=90) == 0


@given(small_texts, small_texts)
def test_find_all_is_the_naive_search(quote, text):
    """Every occurrence, overlapping ones included."""
    assert reference.find_all(quote, text) == occurrences_naive(quote, text)


@given(st.lists(st.text("ab\0\ud800", min_size=1, max_size=3), max_size=5), small_texts)
def test_find_patterns_is_the_naive_search(patterns, text):
    """Every occurrence of every pattern, duplicates under each index, by start then index."""
    assert reference.find_patterns(patterns, text) == pattern_occurrences_naive(patterns, text)


def test_an_empty_pattern_is_refused_by_its_index():
    """The error names the index of the empty pattern."""
    with pytest.raises(ValueError, match="pattern 1 is empty"):
        reference.find_patterns(["a", ""], "text")


@pytest.mark.parametrize("transcript", [pytest.param("", id="empty"), pytest.param("some words", id="words")])
@pytest.mark.parametrize("quote", ["", " \t", "<laughter>", "\u200b"])
def test_a_blank_quote_is_never_grounded(quote, transcript):
    """Ruling A6: not even in fuzzy mode at threshold 0."""
    assert reference.ground([quote], transcript, mode="fuzzy", threshold=0.0) == [False]


def test_an_unknown_mode_is_refused():
    """Ruling A7: it does not mean substring mode."""
    with pytest.raises(ValueError, match=r"substring.*fuzzy"):
        reference.validate_evidence_grounding({"d": ["q"]}, "t", mode="Fuzzy")


@given(texts)
def test_any_text_can_be_rejected_and_logged(text):
    """Ruling A15: lone surrogates are hashed and do not raise."""
    _, stats = reference.validate_evidence_grounding({"d": [text + "q"]}, text)
    assert stats.extracted_count == 1


def test_events_have_the_printed_fields(caplog):
    """The two events carry the printed fields and no others."""
    with caplog.at_level(logging.INFO, logger="groundwire.reference"):
        reference.validate_evidence_grounding({"PHQ8_Sleep": ["absent"]}, "transcript", mode="fuzzy")
    rejected, complete = caplog.records
    assert (rejected.msg, rejected.levelname, complete.msg, complete.levelname) == (
        "evidence_quote_rejected",
        "WARNING",
        "evidence_grounding_complete",
        "INFO",
    )
    assert rejected.quote_hash == "5ad38304b535"
    assert (rejected.domain, rejected.quote_len, rejected.transcript_len, rejected.mode) == (
        "PHQ8_Sleep",
        6,
        10,
        "fuzzy",
    )
    assert complete.rejected_by_domain == {"PHQ8_Sleep": 1}


@pytest.mark.parametrize(
    ("module", "call"),
    [
        pytest.param("rapidfuzz.fuzz", "partial_ratio('a', 'b')", id="rapidfuzz"),
        pytest.param("ahocorasick", "find_patterns(['a'], 'b')", id="pyahocorasick"),
    ],
)
def test_a_missing_library_names_the_extra(module, call):
    """Without the library the ImportError says which extra to install."""
    program = f"import sys; sys.modules[{module!r}] = None; from groundwire import reference; reference.{call}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "ImportError" in done.stderr
    assert "groundwire[reference]" in done.stderr
