"""Logs, errors and reprs of judges contain no text of a case or a model; an import loads nothing heavy."""

import logging
import subprocess
import sys
import traceback

import pytest

from groundwire import telemetry
from groundwire.errors import LLMError
from groundwire.openai_client import OpenAIClient
from judge.cases import written
from judge.scripted_server import fails, hangs_up, sends, stalls, writes
from log_fields import fields_of
from waits import PATIENCE_S

# Words that occur only in the texts of a case and in the answers.
QUESTION = "zyxwhale question?"
ANSWER = "borogroves answer \ud800"
RESULTS = [{"id": "qorvexin", "title": "slithytove", "content": "mimsyraths <|im_start|>"}]
MARKERS = ("zyxwhale", "borogroves", "qorvexin", "slithytove", "mimsyraths", "frabjous")

ACTS = {
    "good": writes(written(reasoning="frabjous")),
    "echo": writes("zyxwhale borogroves mimsyraths"),
    "not-json": writes('{"zyxwhale": frabjous'),
    "wrong-schema": writes('{"frabjous": "zyxwhale"}'),
    "refusal": writes(None, refusal="frabjous"),
    "error-with-text": fails(400, "zyxwhale frabjous"),
    "busy-with-text": fails(429, "borogroves frabjous"),
    "failing-with-text": fails(500, "mimsyraths frabjous"),
    "not-a-completion": sends(b"frabjous"),
    "hangs-up": hangs_up,
    "stalls": stalls,
}


def assert_free_of_text(shown: str) -> None:
    """Check that none of the words occurs."""
    assert not [marker for marker in MARKERS if marker in shown.lower()]


@pytest.mark.parametrize("two_step", [False, True])
@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_no_text_reaches_a_log(serve, judge_of, caplog, tmp_path, act, two_step):
    """This includes the libraries, at their most detailed level."""
    caplog.set_level(logging.DEBUG)
    timeout_s = 0.5 if act is stalls else PATIENCE_S
    options = {"two_step": two_step, "max_retries": 1, "cache": tmp_path, "api_key": "frabjous"}
    judge = judge_of(serve(act), timeout_s=timeout_s, **options)
    for _ in range(2):
        judge.judge(QUESTION, ANSWER, RESULTS)
    assert any(record.name.startswith("openai") for record in caplog.records)
    for record in caplog.records:
        assert_free_of_text(f"{record.getMessage()} {fields_of(record)!r} {record.args!r} {record.exc_text}")
    assert_free_of_text(repr(judge))


def test_a_failure_is_one_event_with_its_code(serve, judge_of, caplog):
    """The log shows that a judgement is missing, and why."""
    judge_of(serve(fails(500)), max_retries=2).judge(QUESTION, ANSWER, RESULTS)
    (record,) = [record for record in caplog.records if record.name == telemetry.JUDGE_LOGGER_NAME]
    assert (record.message, record.levelname) == ("judge_failed", "WARNING")
    assert fields_of(record) == {"code": "server_error", "calls": 3}


def test_a_judgement_without_one_holds_no_text(serve, judge_of):
    """It has a code, and no message of the server."""
    for name in ("error-with-text", "failing-with-text", "wrong-schema", "not-json", "echo"):
        assert_free_of_text(repr(judge_of(serve(ACTS[name]), max_retries=0).judge(QUESTION, ANSWER, RESULTS)))


@pytest.mark.parametrize(
    "case",
    [(QUESTION, ANSWER, [*RESULTS, "zyxwhale"]), (QUESTION, ANSWER, "zyxwhale"), (QUESTION, ["zyxwhale"], RESULTS)],
)
def test_an_error_of_the_caller_shows_types_and_places(serve, judge_of, case):
    """This includes the message and everything attached to the exception."""
    judge = judge_of(serve(fails(500)))
    with pytest.raises(TypeError) as caught:
        judge.judge(*case)
    assert_free_of_text(str(caught.value))


@pytest.mark.parametrize("act", ["error-with-text", "failing-with-text", "not-a-completion", "hangs-up"])
def test_a_failure_has_no_context(serve, act):
    """The SDK's exceptions contain the request; ours do not contain them."""

    async def send(connection):
        messages = [{"role": "user", "content": "zyxwhale"}]
        work = connection.complete("m", messages, None, {}, on_send=lambda: None)
        return await connection.within_deadline(work)

    client = OpenAIClient("judge", base_url=serve(ACTS[act]).url, api_key=None, timeout_s=PATIENCE_S, max_retries=0)
    with pytest.raises(LLMError) as caught:
        client.run(send)
    client.close()
    assert (caught.value.__cause__, caught.value.__context__) == (None, None)
    assert_free_of_text("".join(traceback.format_exception_only(caught.value)))


def run(program: str) -> set[str]:
    """Return what a new interpreter has loaded, as it prints it."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize("package", ["anyio", "httpx2", "openai", "jinja2"])
def test_a_judge_without_its_packages_says_what_to_install(package):
    """The message names the package and the extra."""
    program = (
        f"import sys; sys.modules['{package}'] = None\n"
        "from groundwire.judge import LLMJudge\n"
        "try:\n    LLMJudge('m', base_url='http://127.0.0.1:1/v1')\n"
        "except ImportError as error: print(error)"
    )
    assert {"'groundwire[judge]'", f"{package}:"} <= run(program)


@pytest.mark.parametrize("package", ["anyio", "httpx2", "openai"])
def test_an_embedder_without_its_packages_says_what_to_install(package):
    """The extra is the same; Jinja is not needed."""
    program = (
        f"import sys; sys.modules['jinja2'] = sys.modules['{package}'] = None\n"
        "from groundwire.embedding import ServerEmbedder\n"
        "try:\n    ServerEmbedder('m', base_url='http://127.0.0.1:1/v1')\n"
        "except ImportError as error: print(error)"
    )
    assert {"'groundwire[judge]'", f"{package}:"} <= run(program)
