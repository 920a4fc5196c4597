"""The assertion for tests of others: what passes, and what a failure says."""

import subprocess
import sys

import pytest

from cli.command import environment
from groundwire import Source, read_transcript
from groundwire.evidence import QuotePolicy
from groundwire.testing import assert_grounded

TEXT = "Anna: I can’t  sleep at night.\nBen: Take 15 mg of it. If needed."


@pytest.mark.parametrize(
    "source", [TEXT, Source(TEXT), read_transcript(TEXT), ["other", TEXT], [Source("other"), TEXT]]
)
@pytest.mark.parametrize("quotes", ["I can't sleep", ["take 15 mg", "at night"]])
def test_quotes_that_are_there_pass(quotes, source):
    """One or several, in a text, a source, a transcript or several of them."""
    assert_grounded(quotes, source)


def test_a_failure_says_what_the_source_has_instead():
    """The words that differ are marked, and the place is named; what is grounded is not listed."""
    with pytest.raises(AssertionError) as failure:
        assert_grounded(["Take 50 mg of it", "at night", "I feel hopeless", ""], Source(TEXT, name="interview"))
    assert str(failure.value) == (
        "3 of 4 quotes not grounded\n"
        "\n"
        "#1 altered: a number differs\n"
        "   quote:  Take 50 mg of it\n"
        "   source: Take [-15-]{+50+} mg of it\n"
        "           at interview:2:6, characters 36 to 52, score 0.937\n"
        "\n"
        "#3 absent: no passage of the source is similar enough to the quote\n"
        "   quote:  I feel hopeless\n"
        "\n"
        "#4 blank: nothing is left of the quote when normalised, or only punctuation\n"
        "   quote:  (empty)"
    )


@pytest.mark.parametrize(
    ("options", "passes"),
    [
        ({}, False),
        ({"policy": "literal"}, False),
        ({"policy": "literal", "mode": "fuzzy"}, True),
        ({"policy": "literal", "mode": "fuzzy", "threshold": 0.95}, False),
    ],
)
def test_the_policy_decides(options, passes):
    """Another number is accepted by the fuzzy mode alone, as it is everywhere."""
    if passes:
        assert_grounded("Take 50 mg of it", TEXT, **options)
    else:
        with pytest.raises(AssertionError, match="1 of 1 quote not grounded"):
            assert_grounded("Take 50 mg of it", TEXT, **options)


def test_a_policy_of_ones_own():
    """What it asks for counts: here, more words than the quote has."""
    with pytest.raises(AssertionError, match="fewer characters or words"):
        assert_grounded("at night", TEXT, policy=QuotePolicy(min_words=3))


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (([], TEXT), ValueError, "there are no quotes"),
        (([1], TEXT), TypeError, r"quotes\[0\] must be a str, got int"),
        ((["a"], [b"a"]), TypeError, "source 1 must be a str, a Source or a Transcript, got bytes"),
    ],
)
def test_what_cannot_be_asked_is_no_failure_of_the_quotes(arguments, error, words):
    """No quotes at all would pass whatever the source says."""
    with pytest.raises(error, match=words):
        assert_grounded(*arguments)


def test_pytest_shows_the_failure_and_not_our_frames(tmp_path):
    """What a reader of a test run sees."""
    test = tmp_path / "test_mine.py"
    test.write_text(
        "from groundwire.testing import assert_grounded\ndef test_it():\n    assert_grounded('no such', 'text')\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)]
    shown = subprocess.run(command, capture_output=True, text=True, env=environment(), cwd=tmp_path).stdout
    assert "AssertionError: 1 of 1 quote not grounded" in shown
    assert "python/groundwire/testing.py" not in shown
