"""Figures for readers are never rounded up."""

import pytest

from groundwire.labels import plural
from groundwire.report.labels import rate_text, score_text
from groundwire.report.labels.check import verdict_text
from report.samples import report_of


@pytest.mark.parametrize(
    ("score", "text"), [(None, "–"), (1.0, "1.000"), (0.99999, "0.999"), (0.85, "0.850"), (0.0, "0.000")]
)
def test_score_is_cut_off_not_rounded(score, text):
    """Only a complete match has 1.000."""
    assert score_text(score) == text


@pytest.mark.parametrize(
    ("rate", "text"), [(None, "–"), (1.0, "100.0 %"), (0.9999, "99.9 %"), (2 / 3, "66.6 %"), (0.0, "0.0 %")]
)
def test_rate_is_cut_off_not_rounded(rate, text):
    """Only a complete set has 100 per cent."""
    assert rate_text(rate) == text


def test_one_is_singular():
    """One quote, two quotes."""
    assert (plural(1, "quote"), plural(2, "quote"), plural(1234, "line")) == ("1 quote", "2 quotes", "1,234 lines")
    assert [plural(count, "memory is gone", "memories are gone") for count in (0, 1, 2)] == [
        "0 memories are gone",
        "1 memory is gone",
        "2 memories are gone",
    ]


def test_no_quotes_have_their_own_words():
    """An empty input is not called grounded."""
    assert verdict_text(report_of("a", [])) == "no quotes to check"
