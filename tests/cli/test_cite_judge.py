"""`groundwire cite --judge`: a scripted server plays the language model, or a message says why it is not called."""

import json
import signal
import subprocess
import sys

import pytest

from cli.command import COMMAND, environment
from groundwire.cli import main
from judge.cases import ANSWER, QUESTION, RESULTS, written
from judge.conftest import serve
from judge.scripted_server import fails, stalls, writes
from waits import PATIENCE_S, eventually

__all__ = ["serve"]

NO_JUDGE = {"OPENAI_API_KEY": "", "OPENAI_BASE_URL": "", "QUANTITATIVE_JUDGE_MODEL": ""}
ONE_STEP = {"QUANTITATIVE_JUDGE_TWO_STEP": "false", "QUANTITATIVE_JUDGE_MAX_RETRIES": "0"}


@pytest.fixture
def cite(run, write):
    """
    Return a function that runs `groundwire cite` on an answer of two sentences, in an environment without a judge.
    """

    def call(*args, answer=ANSWER, **env):
        write("answer.md", answer)
        write("results.json", RESULTS)
        files = ("answer.md", "--results", "results.json", "--question", QUESTION)
        inherited = {name: value for name, value in NO_JUDGE.items() if name != "QUANTITATIVE_JUDGE_MODEL"}
        return run("cite", *files, *args, env=inherited | ONE_STEP | env)

    return call


def test_the_judge_is_called_and_raises_the_level(cite, serve):
    """The model gets question, answer and sources; its judgement is in the report."""
    pytest.importorskip("openai", reason="the extra judge is not installed")
    server = serve(writes(written()))
    result = cite("--judge", "auto", "--model", "strong", "--base-url", server.url, "-f", "json")
    (answer,) = result.report["answers"]
    assert (result.code, result.stderr) == (1, "")
    assert (answer["level"], answer["judge_status"], answer["action"]) == ("high", "ok", "reject")
    assert answer["judgement"]["hallucination_risk"] == 0.7
    assert result.report["settings"]["judge"] == "auto"
    assert result.report["settings"]["model"] == "strong"
    assert len(server.requests) == 1
    assert server.requests[0]["model"] == "strong"
    assert "painted grey" in json.dumps(server.requests[0])


def test_naming_a_model_enables_the_judge(cite, serve):
    """`--model` alone means `auto`, and the environment may name the server."""
    pytest.importorskip("openai", reason="the extra judge is not installed")
    server = serve(writes(written(hallucination_risk=0.1, decision="synthesize")))
    result = cite("--model", "strong", "-f", "json", OPENAI_BASE_URL=server.url)
    assert result.report["answers"][0]["judge_status"] == "ok"
    assert len(server.requests) == 1


def test_environment_may_name_the_model(cite, serve):
    """`--judge always` takes the judge that the environment describes."""
    pytest.importorskip("openai", reason="the extra judge is not installed")
    server = serve(writes(written()))
    env = {"QUANTITATIVE_JUDGE_MODEL": "m", "QUANTITATIVE_JUDGE_BASE_URL": server.url}
    assert cite("--judge", "always", "-f", "json", **env).report["settings"]["model"] == "m"
    assert cite("-f", "json", **env).report["settings"]["model"] is None
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("args", "answer"),
    [
        pytest.param(["--judge", "auto"], "The mill burned down in that winter [9].", id="auto-and-high"),
        pytest.param(["--judge", "moderate_only"], "The bridge was opened in 1931 [1].", id="moderate-only-and-low"),
        pytest.param(["--judge", "never"], ANSWER, id="never"),
    ],
)
def test_the_judge_is_not_called_if_it_cannot_change_the_level(cite, serve, args, answer):
    """Ruling B10: no request is sent."""
    pytest.importorskip("openai", reason="the extra judge is not installed")
    server = serve(writes(written()))
    result = cite(*args, "--model", "m", "--base-url", server.url, "-f", "json", answer=answer)
    assert result.report["answers"][0]["judge_status"] == "not_run"
    assert server.requests == []


def test_failed_judgement_leaves_the_rules_and_is_reported(cite, serve):
    """Standard error has a code and no text; the level is that of the rules."""
    pytest.importorskip("openai", reason="the extra judge is not installed")
    server = serve(fails(500, "painted grey"))
    result = cite("--judge", "always", "--model", "m", "--base-url", server.url, "-f", "json")
    (answer,) = result.report["answers"]
    assert answer["judge_status"] == "error"
    assert answer["judgement"]["error"] == "server_error"
    assert result.stderr == "warning: 1 judgement failed (server_error); the rules alone set the level\n"


def test_a_batch_sends_several_requests_at_once(run, write, serve):
    """Each answer has one request, in any order; the report keeps the order of the input."""
    pytest.importorskip("openai", reason="the extra judge is not installed")
    server = serve(writes(written()))
    rows = [{"id": str(number), "answer": ANSWER, "results": RESULTS} for number in range(8)]
    write("batch.jsonl", "\n".join(map(json.dumps, rows)))
    args = ("--answers", "batch.jsonl", "--model", "m", "--base-url", server.url, "-f", "json")
    result = run("cite", *args, env={**ONE_STEP, "OPENAI_API_KEY": ""})
    assert [each["id"] for each in result.report["answers"]] == [str(number) for number in range(8)]
    assert result.report["summary"]["judge_ok"] == 8
    assert len(server.requests) == 8
    assert server.most_at_once <= 4


def test_a_batch_does_not_wait_for_a_missing_server(run, write):
    """The time is limited for any number of answers: the rules decide for all, and a warning says so."""
    pytest.importorskip("openai", reason="the extra judge is not installed")
    rows = [{"id": str(number), "answer": ANSWER, "results": RESULTS} for number in range(400)]
    write("batch.jsonl", "\n".join(map(json.dumps, rows)))
    args = ("--answers", "batch.jsonl", "--model", "m", "--base-url", "http://127.0.0.1:9/v1", "-f", "json")
    # Each attempt waits up to half a second before its retry; all of them would take a minute and a half.
    result = run("cite", *args, env={**ONE_STEP, "OPENAI_API_KEY": "", "QUANTITATIVE_JUDGE_MAX_RETRIES": "1"})
    answers = result.report["answers"]
    assert {(each["judge_status"], each["judgement"]["error"]) for each in answers} == {("error", "unreachable")}
    calls = sum(each["judgement"]["usage"]["calls"] for each in answers)
    assert 16 <= calls <= 24
    unsent = sum(each["judgement"]["usage"]["calls"] == 0 for each in answers)
    assert result.stderr.splitlines()[0] == (f"warning: the judge's server is unavailable: {unsent} answers not judged")


def test_interrupt_does_not_wait_for_the_server(write, tmp_path, serve):
    """Ctrl-C ends the command at once during a request, with its exit code."""
    pytest.importorskip("openai", reason="the extra judge is not installed")
    server = serve(stalls)
    write("batch.jsonl", "\n".join([json.dumps({"answer": ANSWER, "results": RESULTS})] * 50))
    args = ["cite", "--answers", "batch.jsonl", "--model", "m", "--base-url", server.url]
    env = environment({**ONE_STEP, "QUANTITATIVE_JUDGE_TIMEOUT_S": "3600"})
    child = subprocess.Popen([*COMMAND, *args], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
    eventually(lambda: bool(server.requests), True)
    child.send_signal(signal.SIGINT)
    # The server stalls until the end of the test, and each judgement may take an hour.
    out, error = child.communicate(timeout=PATIENCE_S)
    assert (child.returncode, out, error) == (130, b"", b"error: interrupted\n")


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_forms_for_people_show_the_judge(cite, serve, form):
    """They show the risk and the number of issues."""
    pytest.importorskip("openai", reason="the extra judge is not installed")
    server = serve(writes(written()))
    result = cite("--judge", "always", "--model", "m", "--base-url", server.url, "-f", form)
    assert "risk 0.700, 0 issues" in result.stdout


def test_missing_model_is_reported(cite):
    """The message names the option and the variable; the exit code is 2."""
    pytest.importorskip("openai", reason="the extra judge is not installed")
    result = cite("--judge", "auto")
    assert (result.code, result.stdout) == (2, "")
    assert result.stderr == (
        "error: --judge auto needs a model\nhint: use --model NAME or set QUANTITATIVE_JUDGE_MODEL\n"
    )


@pytest.mark.parametrize(
    ("args", "env", "message"),
    [
        pytest.param(["--base-url", "ftp://secret@x"], {}, "must be an address that begins with http://", id="address"),
        pytest.param(["--model", "m"], {}, "no key for OpenAI", id="no-key"),
        pytest.param(["--model", "m"], {"QUANTITATIVE_JUDGE_TIMEOUT_S": "-1"}, "judge_timeout_s", id="setting"),
    ],
)
def test_a_judge_that_cannot_be_created_is_reported(cite, args, env, message):
    """One line names the setting, and never its value."""
    pytest.importorskip("openai", reason="the extra judge is not installed")
    result = cite("--judge", "auto", "--model", "m", *args, **env)
    assert (result.code, result.stdout) == (2, "")
    error, *more = result.stderr.splitlines()
    assert error.startswith("error: cannot create the judge: ")
    assert message in error
    assert "secret" not in error
    assert all(line.startswith("hint: ") for line in more)


def test_missing_extra_is_reported(write, tmp_path, monkeypatch, capsys):
    """Without the SDK, the message names the package and how to install it; the rules need none."""
    write("answer.md", ANSWER)
    write("results.json", [{"id": id_, "text": ANSWER} for id_ in "12"])
    monkeypatch.chdir(tmp_path)
    for name in ("openai", "httpx2", "jinja2"):
        monkeypatch.setitem(sys.modules, name, None)
    assert main(["cite", "answer.md", "-r", "results.json", "--model", "m", "--base-url", "http://127.0.0.1:9"]) == 2
    assert capsys.readouterr().err == "error: a judge needs httpx2: pip install 'groundwire[judge]'\n"
    assert main(["cite", "answer.md", "-r", "results.json", "--judge", "never", "-o", "r.json"]) == 0


def test_a_model_without_effect_is_reported(cite):
    """`--judge never` wins, with a warning."""
    result = cite("--judge", "never", "--model", "m", "-f", "json")
    assert result.stderr == "warning: --model has no effect with --judge never\n"
    assert result.report["settings"]["model"] is None
