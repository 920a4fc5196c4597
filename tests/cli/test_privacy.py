"""Standard error never contains text of a transcript or a quote."""

import pytest

TRANSCRIPT = "Max: ZEBRAWORD happened on Tuesday.\n"
QUOTES = {"PHQ8_Sleep": ["ZEBRAWORD happened", "YAKWORD never happened"]}


@pytest.mark.parametrize(
    ("quotes", "args"),
    [
        pytest.param(QUOTES, ["--mode", "fuzy"], id="unknown-mode"),
        pytest.param(QUOTES, ["--threshold", "7"], id="threshold"),
        pytest.param(QUOTES, ["-o", "no/where.txt"], id="unwritable-output"),
        pytest.param(QUOTES, ["missing.txt"], id="second-transcript-missing"),
        pytest.param(QUOTES, ["broken.txt"], id="second-transcript-not-utf-8"),
        pytest.param({"PHQ8_Sleep": "YAKWORD"}, [], id="str-for-list"),
        pytest.param({"PHQ8_Sleep": [["YAKWORD"]]}, [], id="list-for-str"),
        pytest.param({"PHQ8_Sleep": {"YAKWORD": "ZEBRAWORD"}}, [], id="dict-for-list"),
        pytest.param('{"PHQ8_Sleep": ["YAKWORD" "ZEBRAWORD"]}', [], id="broken-json"),
        pytest.param('{"PHQ8_Sleep": ["YAKWORD\n"]}', [], id="line-end-in-string"),
        pytest.param('{"PHQ8_Sleep": ["\\YAKWORD"]}', [], id="wrong-escape"),
        pytest.param('["YAKWORD"] ZEBRAWORD', [], id="text-after-json"),
        pytest.param("YAKWORD", [], id="no-json-at-all"),
        pytest.param('{"a": ["YAKWORD"], "a": ["YAKWORD"]}', [], id="repeated-domain"),
        pytest.param(b'["YAKWORD \xff"]', [], id="not-utf-8"),
        pytest.param('"YAKWORD"', [], id="bare-string"),
        pytest.param('"YAKWORD"\n{"quote": 1}', ["--input-format", "jsonl"], id="wrong-line"),
    ],
)
def test_failing_call_shows_no_text_on_standard_error(run, write, quotes, args):
    """Every error has a location and a kind, and no text."""
    write("interview.txt", TRANSCRIPT)
    write("broken.txt", b"ZEBRAWORD \xff")
    write("quotes.json", quotes)
    result = run("check", "interview.txt", *args, "-q", "quotes.json")
    assert (result.code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ")
    assert "Traceback" not in result.stderr
    assert not [word for word in ("ZEBRAWORD", "YAKWORD", "Tuesday") if word in result.stderr]


def test_rejected_quotes_show_no_text_on_standard_error(run, write):
    """Verdicts go to standard output and to files."""
    write("interview.txt", TRANSCRIPT)
    write("quotes.json", QUOTES)
    result = run("check", "interview.txt", "-q", "quotes.json", "-o", "report.json")
    assert (result.code, result.stderr) == (1, "")
