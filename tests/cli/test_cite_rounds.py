"""`groundwire cite`: rounds of searching, types of questions, quality of sources, limits from the environment (B13)."""

import json

import pytest

RESULTS = [{"id": "1", "text": "The mill burned down in that winter."}]
SENTENCE = "The mill burned down in that winter [1]. "
# Four of ten claims have no citation: the score is 0.4, and every long claim has one.
FOUR_OF_TEN = SENTENCE * 6 + "Nobody could see it burning. " * 4
BAD = "The mill burned down in that winter [8]."
FORMS = ["text", "json", "markdown", "html"]
LAST = ("--iteration", "5", "--max-iterations", "5")


@pytest.fixture
def cite(run, write):
    """Return a function that runs `groundwire cite` on an answer, with variables that set limits."""

    def call(answer, *args, **limits):
        write("answer.md", answer)
        write("results.json", RESULTS)
        env = {f"QUANTITATIVE_CITATION_RISK_{name}": value for name, value in limits.items()}
        return run("cite", "answer.md", "--results", "results.json", *args, env=env)

    return call


def answer_of(result):
    """Return the only answer of a report."""
    (answer,) = result.report["answers"]
    return answer


@pytest.mark.parametrize(
    ("iteration", "policy", "forced"),
    [
        ("4", "coverage", False),
        ("5", "coverage", True),
        ("6", "coverage", True),
        ("1", "spec", False),
        ("2", "spec", True),
    ],
)
def test_near_the_limit_an_answer_is_accepted_by_force(cite, iteration, policy, forced):
    """Ruling B13: in the last iteration, or with the policy "spec" three before it; its level stays high."""
    answer = answer_of(cite(BAD, "--iteration", iteration, "--max-iterations", "5", "--policy", policy, "-f", "json"))
    assert (answer["level"], answer["accepted"], answer["forced"]) == ("high", forced, forced)
    assert answer["action"] == ("accept" if forced else "reject")
    assert (answer["iteration"], answer["max_iterations"]) == (int(iteration), 5)
    assert ("near_limit" in [reason["code"] for reason in answer["reasons"]]) is forced


@pytest.mark.parametrize("form", FORMS)
def test_a_forced_acceptance_shows_in_every_form_and_in_the_exit_code(cite, form):
    """It differs from an ordinary acceptance: exit code 1, a warning, the level, and the reason."""
    result = cite(BAD, *LAST, "-f", form)
    assert result.code == 1
    assert result.stderr == ("warning: 1 answer accepted despite the risk, because the iteration limit is near\n")
    shown = '"forced": true' if form == "json" else "high risk, score 1.000: accept by force"
    assert shown in result.stdout
    assert "Accepted despite its risk" in result.stdout
    if form != "json":
        assert "iteration 5 of 5" in result.stdout


def test_an_answer_that_needs_no_force_is_accepted_without_it(cite):
    """The last iteration changes nothing for a good answer."""
    result = cite(SENTENCE, *LAST, "-f", "json")
    assert (result.code, result.stderr, answer_of(result)["forced"]) == (0, "", False)
    assert result.report["summary"]["forced"] == 0


@pytest.mark.parametrize(
    ("args", "limits", "level"),
    [
        pytest.param([], {}, "moderate", id="printed"),
        pytest.param([], {"FACTUAL_MODERATE_ABOVE": "0.4"}, "moderate", id="share-is-not-from-0.7"),
        pytest.param([], {"FACTUAL_MODERATE_ABOVE": "0.1", "FACTUAL_HIGH_ABOVE": "0.2"}, "high", id="factual"),
        pytest.param([], {"OPEN_MODERATE_ABOVE": "0.1", "OPEN_HIGH_ABOVE": "0.2"}, "moderate", id="open-is-not-asked"),
        pytest.param(
            ["--question-type", "open"], {"OPEN_MODERATE_ABOVE": "0.1", "OPEN_HIGH_ABOVE": "0.2"}, "high", id="open"
        ),
        pytest.param(["--source-quality", "poor"], {"POOR_SOURCES_SHIFT": "-0.25"}, "high", id="poor"),
        pytest.param(["--source-quality", "good"], {"POOR_SOURCES_SHIFT": "-0.25"}, "moderate", id="good"),
    ],
)
def test_limits_are_those_of_the_environment(cite, args, limits, level):
    """The variables of RiskSettings apply to the given type of question and quality of sources."""
    assert answer_of(cite(FOUR_OF_TEN, *args, "-f", "json", **limits))["level"] == level


def test_limits_are_reported_as_set(cite):
    """The reasons and the report show the limits that decided."""
    args = ("--question-type", "open", "--source-quality", "poor")
    limits = {"OPEN_MODERATE_ABOVE": "0.2", "OPEN_HIGH_ABOVE": "0.4", "POOR_SOURCES_SHIFT": "-0.1"}
    answer = answer_of(cite(FOUR_OF_TEN, *args, "-f", "json", **limits))
    assert (answer["question_type"], answer["source_quality"]) == ("open", "poor")
    assert (answer["moderate_above"], answer["high_above"]) == (0.1, 0.3)
    assert {
        "code": "score_high",
        "words": "The risk score is 0.40; a score above 0.3 is a high risk.",
    } in answer["reasons"]
    assert "open question, poor sources" in cite(FOUR_OF_TEN, *args, **limits).stdout


@pytest.mark.parametrize(
    "name", ["QUANTITATIVE_CITATION_RISK_FACTUAL_HIGH_ABOVE", "quantitative_citation_risk_factual_high_above"]
)
def test_limits_are_read_from_dotenv(cite, write, name):
    """Ruling A12: `.env` of the working directory counts, with names in any case."""
    write(".env", f"OTHER=1\n{name}=0.35\n")
    assert answer_of(cite(FOUR_OF_TEN, "-f", "json"))["high_above"] == 0.35


def test_forced_acceptance_begins_where_it_is_set(cite):
    """Two iterations before the last one."""
    args = ("--iteration", "3", "--max-iterations", "5", "-f", "json")
    assert answer_of(cite(BAD, *args))["forced"] is False
    assert answer_of(cite(BAD, *args, FORCED_ACCEPT_WITHIN="2"))["forced"] is True


@pytest.mark.parametrize(
    ("args", "limits", "message"),
    [
        pytest.param(["--iteration", "1"], {}, "max_iterations is missing", id="no-limit"),
        pytest.param(["--max-iterations", "1"], {}, "iteration is missing", id="no-round"),
        pytest.param(["--iteration", "-1", "--max-iterations", "1"], {}, "iteration must be at least 0", id="negative"),
        pytest.param(
            ["--iteration", "one", "--max-iterations", "1"],
            {},
            "--iteration must be a whole number, got `one`",
            id="no-number",
        ),
        pytest.param(["--question-type", "opn"], {}, "`opn` is unknown; allowed: factual, open", id="type"),
        pytest.param(["--source-quality", "bad"], {}, "allowed: poor, ordinary, good", id="quality"),
        pytest.param(
            [],
            {"OPEN_HIGH_ABOVE": "17"},
            "cannot read the risk thresholds: citation_risk_open_high_above: Input should be less than",
            id="out-of-range",
        ),
        pytest.param(
            [],
            {"OPEN_HIGH_ABOVE": "0.1"},
            "citation_risk_open_moderate_above must be at most citation_risk_open_high_above",
            id="out-of-order",
        ),
    ],
)
def test_wrong_contexts_are_reported(cite, args, limits, message):
    """One line names the option or the setting; exit code 2; the value of a setting is never shown."""
    result = cite(BAD, *args, **limits)
    assert (result.code, result.stdout) == (2, "")
    error, *hints = result.stderr.splitlines()
    assert error.startswith("error: ")
    assert message in error
    assert "17" not in error
    assert all(hint.startswith("hint: ") for hint in hints)


def test_dotenv_of_another_program_is_left_alone(cite, write):
    """An unreadable `.env` stops nothing if no setting is needed."""
    write(".env", b"NAME=caf\xe9\n")
    assert cite(SENTENCE).code == 0
    write(".env", b"QUANTITATIVE_CITATION_RISK_OPEN_HIGH_ABOVE=caf\xe9\n")
    result = cite(SENTENCE)
    assert (result.code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: cannot read the risk thresholds: ")


def batch(run, write, *rows, args=()):
    """Return the report on a batch, and the whole result."""
    write("batch.jsonl", "\n".join(json.dumps({"answer": BAD, "results": RESULTS} | row) for row in rows))
    return run("cite", "--answers", "batch.jsonl", "-f", "json", *args)


def test_each_line_of_a_batch_has_its_own_circumstances(run, write):
    """Keys have the names of the options; a line without a key has the value of the option, or its default."""
    rows = [
        {},
        {"iteration": 2, "max_iterations": 2, "question_type": "open", "source_quality": "good"},
        {"iteration": 1, "max_iterations": 3},
        {"iteration": None, "question_type": None},
    ]
    result = batch(run, write, *rows, args=("--source-quality", "poor"))
    answers = result.report["answers"]
    names = ("iteration", "max_iterations", "question_type", "source_quality", "forced")
    assert [[answer[name] for name in names] for answer in answers] == [
        [None, None, "factual", "poor", False],
        [2, 2, "open", "good", True],
        [1, 3, "factual", "poor", False],
        [None, None, "factual", "poor", False],
    ]
    assert (result.code, result.report["summary"]["accepted"], result.report["summary"]["forced"]) == (1, 1, 1)
    assert "1 of 4 answers accepted (25.0 %), 1 of them by force" in result.stderr


def test_options_are_for_the_lines_that_say_nothing_else(run, write):
    """The limit applies to all lines, and each has its own round."""
    result = batch(run, write, {"iteration": 1}, {"iteration": 2}, args=("--max-iterations", "2"))
    assert [answer["forced"] for answer in result.report["answers"]] == [False, True]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        pytest.param({"iteration": 1}, "max_iterations is missing", id="no-limit"),
        pytest.param({"iteration": 1.5}, '"iteration" must be an int, got float', id="float"),
        pytest.param({"iteration": True}, '"iteration" must be an int, got bool', id="bool"),
        pytest.param({"max_iterations": "5"}, '"max_iterations" must be an int, got str', id="str"),
        pytest.param({"iteration": -1, "max_iterations": 1}, "iteration must be at least 0, got -1", id="negative"),
        pytest.param({"question_type": "mill"}, '"question_type" must be one of factual, open', id="type"),
        pytest.param({"source_quality": ["good"]}, '"source_quality" must be one of poor, ordinary, good', id="list"),
    ],
)
def test_wrong_contexts_of_a_line_are_reported(run, write, row, message):
    """The message has the line, and the other lines continue."""
    result = batch(run, write, {"id": "first"}, row)
    assert (result.code, [answer["id"] for answer in result.report["answers"]]) == (2, ["first"])
    assert result.stderr.startswith("error: batch.jsonl, line 2: ")
    assert message in result.stderr.splitlines()[0]
    assert "mill" not in result.stderr


def test_settings_are_loaded_only_if_they_are_set(tmp_path, write):
    """pydantic is loaded only where a variable or `.env` names a limit."""
    from cli.test_startup import loaded

    write("answer.md", BAD)
    write("results.json", RESULTS)
    args = ("cite", "answer.md", "-r", "results.json", *LAST, "--question-type", "open")
    write(".env", "QUANTITATIVE_TRACK=1\n")
    assert "pydantic" not in loaded(tmp_path, *args)
    write(".env", "QUANTITATIVE_CITATION_RISK_OPEN_HIGH_ABOVE=0.7\n")
    assert "pydantic" in loaded(tmp_path, *args)
