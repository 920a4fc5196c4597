"""The sample in examples/ is worth showing, and gives what the documentation says of it."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from groundwire.report import Quote, TranscriptFile, build_report

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
TEXT = (EXAMPLES / "interview.txt").read_text(encoding="utf-8")
EXTRACTION = json.loads((EXAMPLES / "extraction.json").read_text(encoding="utf-8"))


def test_transcript_is_worth_showing():
    """It has enough turns, tags, curly quotes and odd white space to show what normalisation is for."""
    assert 60 <= len(re.findall(r"^[A-Z]\w+: ", TEXT, re.M)) <= 100
    assert {"’", "“", "\xa0", "\t"} <= set(TEXT)
    assert "<laughter>" in TEXT


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("substring", {"exact": 4, "normalized": 9, "absent": 8, "blank": 1}),
        ("fuzzy", {"exact": 4, "normalized": 9, "fuzzy": 5, "absent": 3, "blank": 1}),
    ],
)
def test_sample_shows_every_verdict(mode, expected):
    """So many quotes get each verdict that the mode can give."""
    quotes = [Quote(quote, domain) for domain, quotes in EXTRACTION.items() for quote in quotes]
    report = build_report([TranscriptFile("interview.txt", TEXT)], quotes, mode=mode)
    assert Counter(result.status for result in report.quotes) == expected
