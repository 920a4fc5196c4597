"""`groundwire cite`: answers, results, forms of the report, exit codes and errors."""

import json

import pytest

RESULTS = [{"id": "1", "content": "The mill burned down in 1887."}, {"id": "2", "title": "B"}]
GOOD = "The mill burned down in that winter [1]."
UNCITED = "The mill burned down in that winter, and was never built again by anybody."
BAD = "The mill burned down in that winter [8]."


@pytest.fixture
def cite(run, write):
    """Return a function that runs `groundwire cite` on an answer and results."""

    def call(answer, *args, results=RESULTS, **options):
        write("answer.md", answer)
        write("results.json", results)
        return run("cite", "answer.md", "--results", "results.json", *args, **options)

    return call


@pytest.mark.parametrize(
    ("answer", "code", "action"),
    [
        pytest.param(GOOD, 0, "accept", id="low"),
        pytest.param("Yes.", 0, "accept", id="no-claims"),
        pytest.param("", 1, "refine_search", id="empty"),
        pytest.param(f"{GOOD} {GOOD} {UNCITED}", 1, "refine_search", id="moderate"),
        pytest.param(BAD, 1, "reject", id="high"),
    ],
)
def test_exit_code_shows_whether_the_answer_is_accepted(cite, answer, code, action):
    """0 to accept it, 1 to refine or to reject."""
    result = cite(answer, "-f", "json", results=[{"id": "1", "text": "The mill burned down in that winter."}])
    assert (result.code, result.stderr) == (code, "")
    assert result.report["answers"][0]["action"] == action


def test_results_may_stand_under_a_name(cite):
    """Many servers return `{"results": […]}`."""
    lists, objects = (cite(GOOD, "-f", "json", results=results) for results in (RESULTS, {"results": RESULTS, "n": 2}))
    assert lists == objects


def test_either_input_may_be_standard_input(run, write):
    """`-` for the answer or the results."""
    write("answer.md", GOOD)
    write("results.json", RESULTS)
    by_answer = run("cite", "-", "-r", "results.json", "-f", "json", stdin=GOOD.encode())
    by_results = run("cite", "answer.md", "-r", "-", "-f", "json", stdin=json.dumps(RESULTS).encode())
    assert by_answer.report["answers"][0]["name"] == "<stdin>"
    assert by_results.report["answers"][0]["name"] == "answer.md"
    assert by_answer.report["summary"] == by_results.report["summary"]


def test_question_is_in_the_report(cite):
    """Readers and a judge see it."""
    assert cite(GOOD, "--question", "What became of it?", "-f", "json").report["answers"][0]["question"] == (
        "What became of it?"
    )


def test_policy_decides(cite):
    """Two sentences with the same citation have a ratio of one half and full coverage."""
    answer = f"{GOOD} {GOOD}"
    scores = [
        cite(answer, "--policy", policy, "-f", "json").report["answers"][0]["score"] for policy in ("coverage", "spec")
    ]
    assert scores == [0.0, 0.5]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        pytest.param(["answer.md"], "missing --results", id="no-results"),
        pytest.param(["-r", "results.json"], "missing ANSWER", id="no-answer"),
        pytest.param(
            ["answer.md", "--answers", "b.jsonl"], "--answers cannot be combined with ANSWER", id="batch-and-answer"
        ),
        pytest.param(
            ["--answers", "b", "-r", "results.json"],
            "--answers cannot be combined with --results",
            id="batch-and-results",
        ),
        pytest.param(
            ["--answers", "b", "--question", "why"],
            "--answers cannot be combined with --question",
            id="batch-and-question",
        ),
        pytest.param(
            ["answer.md", "-r", "answer.md"], "answer.md: invalid JSON at line 1, column 1", id="results-are-no-json"
        ),
        pytest.param(
            ["answer.md", "-r", "results.json", "--policy", "strict"],
            "--policy `strict` is unknown; allowed: coverage, spec",
            id="policy",
        ),
        pytest.param(
            ["answer.md", "-r", "results.json", "--judge", "often"],
            "--judge `often` is unknown; allowed: never, auto, always, moderate_only",
            id="judge",
        ),
        pytest.param(
            ["answer.md", "-r", "results.json", "--metrics", "counts"],
            "--metrics must name a file that ends in .json or .prom",
            id="monitor-suffix",
        ),
        pytest.param(
            ["answer.md", "-r", "results.json", "--metrics", "a.json", "-o", "a.json"],
            "--metrics must name a separate file",
            id="monitor-is-output",
        ),
    ],
)
def test_wrong_calls_are_reported_in_one_line(run, write, args, message):
    """Exit code 2, nothing on standard output, no traceback, no text."""
    write("answer.md", GOOD)
    write("results.json", RESULTS)
    result = run("cite", *args)
    assert (result.code, result.stdout) == (2, "")
    first, *hints = result.stderr.splitlines()
    assert first.startswith("error: ")
    assert message in first
    assert all(hint.startswith("hint: ") for hint in hints)
    assert "mill" not in result.stderr


@pytest.mark.parametrize(
    ("results", "message"),
    [
        pytest.param({"hits": []}, 'it has no "results"', id="other-object"),
        pytest.param("results", "must be a list of objects, got str", id="str"),
        pytest.param({"results": {"1": "mill"}}, "must be a list of objects, got dict", id="dict"),
        pytest.param([{"id": "1"}, "mill"], "result 2 must be an object, got str", id="str-among-them"),
        pytest.param('[{"id": "1",}]', "invalid JSON at line 1, column 1", id="broken"),
        pytest.param('[{"id": "1", "id": "2"}]', 'the key "id" is repeated', id="repeated-key"),
        pytest.param("[" * 100_000, "nested too deeply", id="nested"),
    ],
)
def test_results_of_the_wrong_shape_are_reported(cite, results, message):
    """The message names the expected and the given type, and the location."""
    content = json.dumps(results) if results == "results" else results
    result = cite(GOOD, results=content)
    assert (result.code, result.stdout) == (2, "")
    assert message in result.stderr
    assert "mill" not in result.stderr


def test_odd_results_are_counted(cite):
    """An anomaly is no error: the report lists it."""
    report = cite(GOOD, "-f", "json", results=[{"id": 1}, {"id": "1"}, {}]).report
    assert [(each["code"], each["count"]) for each in report["answers"][0]["anomalies"]] == [
        ("no_id", 1),
        ("number_as_id", 1),
        ("repeated_id", 1),
    ]


@pytest.mark.parametrize(("suffix", "expected"), [("json", '"answers": 1'), ("prom", "groundwire_answers_total")])
def test_monitor_writes_counts(cite, tmp_path, suffix, expected):
    """JSON, or what Prometheus reads."""
    result = cite(BAD, "--metrics", f"counts.{suffix}")
    assert result.code == 1
    assert expected in (tmp_path / f"counts.{suffix}").read_text(encoding="utf-8")


def test_no_module_of_a_judge_is_loaded_without_one(tmp_path, write):
    """Rules need no network, no settings and, for text output, no HTML page."""
    from cli.test_startup import HEAVY, loaded

    write("answer.md", GOOD)
    write("results.json", RESULTS)
    modules = loaded(tmp_path, "cite", "answer.md", "-r", "results.json")
    assert "groundwire.report.terminal.cite" in modules
    unused = {"openai", "httpx2", "jinja2", "groundwire.openai_client", "rich"}
    assert not modules & (HEAVY | unused)


def test_columns_on_a_terminal(tmp_path, write):
    """The terminal gets signs, words and the level in colour."""
    from cli.terminal import CONTROL_SEQUENCE, run_on_terminal

    write("answer.md", f"{GOOD} {BAD}")
    write("results.json", [{"id": "1"}])
    code, screen = run_on_terminal("cite", "answer.md", "-r", "results.json", cwd=tmp_path)
    assert code == 1
    assert CONTROL_SEQUENCE.search(screen)
    shown = CONTROL_SEQUENCE.sub("", screen)
    assert "○ unread" in shown
    assert "∅ uncited" in shown
    assert "high risk, score 0.500: reject" in shown
