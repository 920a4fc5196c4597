"""The report as plain text."""

from groundwire.report.terminal.check import layout
from report.samples import report_of
from report.screen import plain_by


def test_columns_line_up_below_wide_characters():
    """A wide character fills two cells, a combining one none."""
    text = plain_by(layout, report_of("x 中 é", {"中文": ["x"], "e\u0301": ["nope"], "long": ["é"]}))
    rows = text.splitlines()[:3]
    assert rows[0].startswith("#1  ✓ exact   中文  1.000  t1.txt:1:1  0–1  x")
    assert rows[1].startswith("#2  ✗ absent  e\u0301     –      –           –    nope")
    assert rows[2].startswith("#3  ✓ exact   long  1.000  t1.txt:1:5  4–5  é")


def test_a_different_passage_follows_the_quote():
    """An arrow is before the transcript's text."""
    row = plain_by(layout, report_of("I can’t\nsleep", ["I CAN'T sleep"])).splitlines()[0]
    assert row.endswith("I CAN'T sleep → I can’t ↵ sleep")


def test_each_further_transcript_has_its_own_line():
    """A quote in three transcripts takes three lines."""
    rows = plain_by(layout, report_of(["a", "b A", "a"], ["a"])).splitlines()[:3]
    assert [row.split()[-4:] for row in rows] == [
        ["1.000", "t1.txt:1:1", "0–1", "a"],
        ["1.000", "t3.txt:1:1", "0–1", "a"],
        ["1.000", "t2.txt:1:3", "2–3", "A"],
    ]


def test_report_without_quotes_is_its_summary():
    """There is no empty table."""
    assert plain_by(layout, report_of("a", [])) == (
        "t1.txt: 1 character, 1 line, 0 quotes grounded\nno quotes to check\npolicy literal, mode substring\n"
    )
