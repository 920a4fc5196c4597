"""The report as JSON."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.report import CheckReport
from groundwire.report.rendering import render_json, render_jsonl
from report.samples import report_of

TEXT = "Ja: 中文 “q” \x1b \x9b \u2028 </script>"


def test_json_reads_back_as_the_same_report():
    """Nothing is lost on the way."""
    report = report_of([TEXT, "x"], {"d": [TEXT, "x", "", "nope"]}, mode="fuzzy")
    assert msgspec.json.decode(render_json(report), type=CheckReport) == report


@pytest.mark.parametrize("as_lines", [False, True], ids=["json", "jsonl"])
@given(st.text(alphabet=st.characters(codec=None), min_size=1))
def test_any_quote_comes_back(as_lines, quote):
    """Lone surrogates and control characters are kept, and the file is UTF-8."""
    report = report_of("x", [quote])
    encoded = (render_jsonl(report.quotes) if as_lines else render_json(report)).encode("utf-8")
    value = json.loads(encoded)
    # Two surrogates that make a pair become their character.
    whole = quote.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    assert (value if as_lines else value["quotes"][0])["quote"] == whole


def test_readable_text_stays_readable():
    """Chinese is not escaped, controls are."""
    assert "中文 “q”" in json.dumps("中文 “q”", ensure_ascii=False)
    rendered = render_json(report_of(TEXT, [TEXT]))
    assert "中文" in rendered
    assert not {"\x1b", "\x9b", "\u2028"} & set(rendered)


def test_json_lines_are_the_quotes_of_the_report():
    """The lines are the items of `quotes`."""
    report = report_of("a b", ["a", "q"])
    lines = [json.loads(line) for line in render_jsonl(report.quotes).splitlines()]
    assert lines == json.loads(render_json(report))["quotes"]


def test_no_quotes_make_no_lines():
    """An empty report is an empty JSONL file."""
    assert render_jsonl(report_of("a", []).quotes) == ""
