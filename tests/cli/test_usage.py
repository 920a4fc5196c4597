"""Wrong command lines: one line names the error, another may have a hint."""

import pytest


@pytest.mark.parametrize(
    ("args", "stderr"),
    [
        pytest.param(
            ["--mode", "fuzy"],
            "error: --mode `fuzy` is unknown; allowed: substring, fuzzy\nhint: did you mean `fuzzy`?\n",
            id="mode",
        ),
        pytest.param(
            ["--policy", "gaurded"],
            "error: --policy `gaurded` is unknown; allowed: guarded, literal\nhint: did you mean `guarded`?\n",
            id="policy",
        ),
        pytest.param(
            ["--policy", "guarded", "--mode", "fuzzy"],
            "error: --mode requires --policy literal\n",
            id="mode-of-the-other-policy",
        ),
        pytest.param(
            ["--policy", "literal", "--speaker", "Max"],
            "error: --speaker requires --policy guarded\n",
            id="speaker-of-the-other-policy",
        ),
        pytest.param(
            ["--mode", "fuzzy", "--fold-variants"],
            "error: --fold-variants requires --policy guarded\n",
            id="fold-of-the-other-policy",
        ),
        pytest.param(["--min-words", "0"], "error: --min-words must be at least 1, got 0\n", id="no-word"),
        pytest.param(
            ["--speaker", "Mex"],
            "error: no transcript has a speaker `Mex`; speakers: `Ellie`, `Max`\nhint: did you mean `Max`?\n",
            id="unknown-speaker",
        ),
        pytest.param(
            ["--format", "xml"],
            "error: --format `xml` is unknown; allowed: text, json, jsonl, markdown, html, csv, tsv, xlsx, qdpx, "
            "github, sarif, junit\n",
            id="format",
        ),
        pytest.param(
            ["--input-format", "xml"],
            "error: --input-format `xml` is unknown; allowed: json, jsonl, csv, text\n",
            id="input-format",
        ),
        pytest.param(
            ["--mode", "fuzzy", "--threshold", "1.5"],
            "error: --threshold must be between 0 and 1, got 1.5\n",
            id="threshold-above-one",
        ),
        pytest.param(
            ["--mode", "fuzzy", "--threshold", "-0.1"],
            "error: --threshold must be between 0 and 1, got -0.1\n",
            id="threshold-below-zero",
        ),
        pytest.param(
            ["--mode", "fuzzy", "--threshold", "nan"],
            "error: --threshold must be between 0 and 1, got nan\n",
            id="threshold-not-a-number",
        ),
    ],
)
def test_wrong_option_value_is_named_with_the_allowed_ones(run, write, interview, args, stderr):
    """The message names option, value and the allowed values."""
    write("quotes.json", ["I can't sleep"])
    assert (2, "", stderr) == run("check", interview, "-q", "quotes.json", *args)


@pytest.mark.parametrize(
    ("args", "named"),
    [
        pytest.param(["chekc"], "chekc", id="command"),
        pytest.param(["check", "interview.txt", "-q", "quotes.json", "--quotas"], "--quotas", id="option"),
        pytest.param(["check", "-q", "quotes.json"], "SOURCE", id="missing-argument"),
        pytest.param(["check", "interview.txt"], "--quotes", id="missing-option"),
        pytest.param(["check", "interview.txt", "-q", "quotes.json", "--workers", "x"], "--workers", id="not-a-number"),
        pytest.param(["check", "interview.txt", "-q", "quotes.json", "--workers", "0"], "--workers", id="no-worker"),
        pytest.param(["check", "-", "-q", "-"], "`-`", id="standard-input-twice"),
        pytest.param(["check", "-", "-", "-q", "quotes.json"], "`-`", id="standard-input-for-two-transcripts"),
        pytest.param(["schema", "chek"], "chek", id="schema-of-unknown-report"),
    ],
)
@pytest.mark.usefixtures("interview")
def test_usage_error_is_one_error_line_and_at_most_one_hint(run, write, args, named):
    """Every usage error has the same form and the exit code 2."""
    write("quotes.json", ["I can't sleep"])
    result = run(*args)
    error, *hints = result.stderr.splitlines()
    assert (result.code, result.stdout) == (2, "")
    assert error.startswith("error: ")
    assert named in error
    assert len(hints) <= 1
    assert all(hint.startswith("hint: ") for hint in hints)


def test_threshold_without_fuzzy_mode_warns(run, write, interview):
    """The warning says that the threshold has no effect; the check continues."""
    write("quotes.json", ["I can't sleep"])
    args = ["--policy", "literal", "--threshold", "0.9", "-f", "json"]
    result = run("check", interview, "-q", "quotes.json", *args)
    assert (result.code, result.stderr) == (0, "warning: --threshold has no effect in substring mode\n")
    settings = result.report["settings"]
    assert (settings["policy"], settings["mode"], settings["threshold"]) == ("literal", "substring", None)
