"""`groundwire validate --judge`: a scripted server plays the language model, or a message says why it is not called."""

import json

import pytest

from judge.conftest import serve
from judge.scripted_server import fails, writes

__all__ = ["serve"]

PERSONA = {"bio": "Being the one who leads a team, Sarah also mails."}
TALK = "Sarah: I look after five designers. Just drop me a line.\n"
ENVIRONMENT = {
    "OPENAI_API_KEY": "",
    "OPENAI_BASE_URL": "",
    "QUANTITATIVE_JUDGE_MODEL": "",
    "QUANTITATIVE_JUDGE_MAX_RETRIES": "0",
}


@pytest.fixture
def validate(run, write):
    """Return a function that validates a persona with prose, in an environment without a judge."""
    pytest.importorskip("openai", reason="the extra judge is not installed")

    def call(*args, **env):
        write("personas.json", PERSONA)
        write("talk.txt", TALK)
        files = ("personas.json", "--faithfulness", "--source", "talk.txt", "-f", "json")
        return run("validate", *files, *args, env={**ENVIRONMENT, **env})

    return call


def answers(handler):
    """Split prose into two statements, and find the one on mails supported."""
    asked = handler.server.script.contents(-1)
    items = json.loads(asked["user"].split("\n")[1])
    if "Take these texts apart" in asked["user"]:
        rows = [{"statements": ["Sarah leads a team.", "Sarah also mails.", "The one leads."]} for _ in items]
    else:
        rows = [{"reason": "", "consistency": 0.9 if "mails" in each["claim"] else 0.1} for each in items]
    writes(json.dumps({"answers": [{"number": n, **row} for n, row in enumerate(rows, start=1)]}))(handler)


@pytest.mark.parametrize(
    ("task", "claims", "backend"),
    [
        ("statements", 3, "lexical+statements:strong"),
        ("support", 1, "lexical+judge:strong"),
        ("both", 3, "lexical+judge:strong+statements:strong"),
        (None, 3, "lexical+judge:strong+statements:strong"),
    ],
)
def test_judge_option_selects_its_tasks(validate, serve, task, claims, backend):
    """Naming a model enables both tasks."""
    server = serve(answers)
    args = ("--model", "strong", "--base-url", server.url)
    result = validate(*args, *([] if task is None else ["--judge", task]))
    (persona,) = result.report["personas"]
    assert (result.code, result.stderr) == (0, "")
    assert (len(persona["claim_details"]), persona["backend"]) == (claims, backend)
    asked = {"Take these texts apart" in server.contents(place)["user"] for place in range(len(server.requests))}
    assert asked == {"statements": {True}, "support": {False}}.get(task, {True, False})


def test_judgements_are_in_the_report(validate, serve):
    """The report has the layer, and its score as confidence."""
    server = serve(answers)
    (persona,) = validate("--model", "strong", "--base-url", server.url).report["personas"]
    claim = next(each for each in persona["claim_details"] if each["claim"] == "Sarah also mails.")
    assert (claim["verdict"], claim["confidence"], claim["layer"]) == ("supported", 0.9, "judge")
    assert claim["evidence"][0]["kind"] == "consistent"


def test_environment_may_name_the_model(validate, serve):
    """The variables are the same as for other commands."""
    server = serve(answers)
    env = {"QUANTITATIVE_JUDGE_MODEL": "m", "QUANTITATIVE_JUDGE_BASE_URL": server.url}
    assert validate("--judge", "both", **env).report["personas"][0]["backend"].endswith("statements:m")
    count = len(server.requests)
    assert validate(**env).report["personas"][0]["backend"] == "lexical"
    assert len(server.requests) == count


def test_a_failing_judge_leaves_the_rules_and_is_reported(validate, serve):
    """The report and standard error say so, without text."""
    server = serve(fails(500, "drop me a line"))
    result = validate("--model", "m", "--base-url", server.url)
    (persona,) = result.report["personas"]
    assert (result.code, persona["backend"], len(persona["warnings"])) == (0, "lexical", 2)
    assert [line.split(":")[0] for line in result.stderr.splitlines()] == ["warning", "warning"]
    assert "drop me" not in result.stderr
