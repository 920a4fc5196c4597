"""`groundwire cite --answers`: one answer per line; broken lines are reported and stop nothing."""

import json

import pytest

TEXT = "The mill burned down in that winter."
GOOD = {"id": "a", "answer": "The mill burned down in that winter [1].", "results": [{"id": "1", "text": TEXT}]}
BAD = {"answer": "The mill burned down in that winter [8].", "results": {"results": [{"id": "1"}]}, "question": "Why?"}


def lines(*rows):
    """Return *rows* as lines of JSON; str and bytes as they are."""
    encoded = (row if isinstance(row, str | bytes) else json.dumps(row) for row in rows)
    return b"\n".join(row if isinstance(row, bytes) else row.encode("utf-8") for row in encoded)


def test_batch_reports_every_answer(run, write):
    """Answers are in order, with id or line, and totals are on standard error."""
    write("batch.jsonl", lines(GOOD, "", BAD))
    result = run("cite", "--answers", "batch.jsonl", "-f", "jsonl")
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(each["name"], each["line"], each["action"], each["question"]) for each in answers] == [
        ("a", 1, "accept", None),
        ("line 3", 3, "reject", "Why?"),
    ]
    assert result.code == 1
    assert result.stderr == (
        "1 of 2 answers accepted (50.0 %); mean risk 0.500, high risk 50.0 %, invalid citations 50.0 %, "
        "uncited claims 0.0 %\n"
    )


def test_batch_of_accepted_answers_passes(run):
    """This also holds for standard input."""
    result = run("cite", "--answers", "-", "-f", "json", stdin=lines(GOOD, GOOD))
    assert (result.code, result.report["summary"]["accepted"]) == (0, 2)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        pytest.param('{"answer": "mill"', "invalid JSON at column 18", id="broken"),
        pytest.param('["mill"]', "must be an object, got list", id="list"),
        pytest.param('{"answer": "mill"}', 'has no "results"', id="no-results"),
        pytest.param('{"results": []}', 'has no "answer"', id="no-answer"),
        pytest.param('{"answer": null, "results": []}', '"answer" must be a str, got null', id="answer-null"),
        pytest.param('{"answer": "mill", "results": 1}', "results must be a list of objects, got int", id="results"),
        pytest.param('{"answer": "", "results": [7]}', "result 1 must be an object, got int", id="result"),
        pytest.param('{"answer": "", "results": [], "id": 1.5}', '"id" must be a str or an int, got float', id="id"),
        pytest.param('{"answer": "", "results": [], "question": 1}', '"question" must be a str', id="question"),
        pytest.param(
            b'{"answer": "mill \xff", "results": []}', "is not UTF-8: invalid byte at offset 17", id="not-utf-8"
        ),
    ],
)
def test_broken_line_is_reported_and_the_rest_continues(run, write, line, message):
    """The message has the line number and the expected type, no text; the exit code is 2."""
    write("batch.jsonl", lines(GOOD, line, GOOD))
    result = run("cite", "--answers", "batch.jsonl", "-f", "json")
    assert result.code == 2
    assert [each["line"] for each in result.report["answers"]] == [1, 3]
    error, hint, totals = result.stderr.splitlines()
    assert error.startswith("error: ")
    assert "batch.jsonl, line 2" in error
    assert message in error
    assert hint.startswith('hint: each line must be {"answer": "…", "results": […]}')
    assert totals.startswith("2 of 2 answers accepted")
    assert "mill" not in result.stderr


def test_batch_of_broken_lines_has_a_report(run, write):
    """The report is empty, and the exit code is 2."""
    write("batch.jsonl", lines("x", "y"))
    result = run("cite", "--answers", "batch.jsonl", "-f", "json")
    assert (result.code, result.report["answers"]) == (2, [])
    assert result.stderr.count("error: ") == 2


def test_empty_batch_is_an_error(run, write):
    """An empty batch does not pass."""
    write("batch.jsonl", "\n \n")
    result = run("cite", "--answers", "batch.jsonl")
    assert (result.code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: `batch.jsonl` contains no answers\nhint: each line must be ")


@pytest.mark.parametrize("report_format", ["text", "markdown", "html"])
def test_batch_in_forms_for_people(run, write, report_format):
    """Every answer has its name."""
    write("batch.jsonl", lines(GOOD, BAD))
    result = run("cite", "--answers", "batch.jsonl", "-f", report_format)
    assert "line 2" in result.stdout
    assert "1 of 2 answers accepted (50.0 %)" in result.stdout


@pytest.mark.parametrize("report_format", ["text", "json", "jsonl", "markdown", "html"])
def test_hostile_answers_have_a_report(run, write, report_format):
    """Lone surrogates, direction changes, unclosed brackets, odd ids and texts are read and printed as UTF-8."""
    rows = [
        {"answer": "The mill \ud800 burned in winter [1\udc00].", "results": [{"id": "1\udc00", "content": "\udfff"}]},
        {
            "answer": "\u202eThe mill burned down in winter\u2067 [1]\u2069.\u200f",
            "results": [{"id": "1", "title": "\u202e"}],
        },
        {"answer": "[" * 200_000 + "]" * 200_000, "results": [{"id": "1"}]},
        {"answer": "The mill burned down in winter [a[1]].", "results": [{"id": "a[1]"}, {"id": "]["}, {"id": "]["}]},
        {"answer": "The mill \x1b[2J\x00 burned down [1].", "results": [{"id": 10**400}, {"id": 1.5}, {"id": {}}, {}]},
        {"answer": "", "results": [], "id": "\ud800"},
    ]
    write("batch.jsonl", lines(*rows))
    result = run("cite", "--answers", "batch.jsonl", "-f", report_format)
    assert result.code == 1
    assert result.stderr.startswith("0 of 6 answers accepted")
    unseen = "\x00\x1b" if report_format in {"json", "jsonl"} else "\x00\x1b\u202e\u2067"
    assert not set(unseen) & set(result.stdout)


def test_monitor_counts_the_batch(run, write, tmp_path):
    """The same figures as in the report."""
    write("batch.jsonl", lines(GOOD, BAD, GOOD))
    report = run("cite", "--answers", "batch.jsonl", "-f", "json", "--metrics", "counts.json").report
    counts = json.loads((tmp_path / "counts.json").read_text(encoding="utf-8"))
    assert counts["answers"] == 3
    assert counts["mean_score"] == report["summary"]["mean_score"]
    assert counts["high_risk_share"] == report["summary"]["high_risk_share"]


def test_bar_shows_on_a_terminal_only_for_long_work(tmp_path, write):
    """A short batch has no bar, and the totals are below the claims."""
    from cli.terminal import run_on_terminal

    write("batch.jsonl", lines(GOOD, GOOD))
    code, screen = run_on_terminal("cite", "--answers", "batch.jsonl", cwd=tmp_path)
    assert code == 0
    assert "assessing answers" not in screen
    assert screen.count("2 of 2 answers accepted") == 2
