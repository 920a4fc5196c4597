"""
A real language model behind a real server: the lane `models`.

It is small enough to come as a package, and too small to judge anything. The tests cover facts that no scripted server
can show: a real one accepts the schema and holds its model to it, reports a prompt that is too long, and survives an
aborted request.
"""

import asyncio
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from groundwire.judge import LLMJudge
from groundwire.judge.schemas import JUDGEMENT, json_schema, response_formats
from groundwire.openai_client import OpenAIClient
from judge.cases import ANSWER, QUESTION, RESULTS
from judge.local_model import CONTEXT_TOKENS, weights

# Ways in which so small a model may fail: it does not stop, or writes a number out of range.
MAY_FAIL = {None, "truncated", "wrong_schema"}
MODEL = "smollm2"
PARAMETERS = {"temperature": 0, "seed": 1, "max_tokens": 600, "stop": ["\n\n"]}


@pytest.fixture(scope="module")
def address():
    """Return the server's address, or skip the test visibly without its packages."""
    if importlib.util.find_spec("xllamacpp") is None or weights() is None:
        pytest.skip("no local model: `python3 dev.py models` installs it")
    program = Path(__file__).with_name("local_model.py")
    server = subprocess.Popen(
        [sys.executable, str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    with server:
        line = server.stdout.readline().decode().strip()
        assert line.startswith("http://127.0.0.1:"), "the local model does not start"
        yield f"{line}/v1"
        server.stdin.close()
        server.terminate()


@pytest.fixture
def prompts(tmp_path):
    """Return short templates: a model of this size reads a hundred tokens a second."""
    folder = tmp_path / "short"
    folder.mkdir()
    for name, words in {
        "one_step.system": "You judge answers. Be brief.",
        "critique.system": "You judge answers. Write one sentence.",
        "format.system": "Put the notes into a form. Be brief.",
    }.items():
        (folder / f"{name}.jinja").write_text(words, encoding="utf-8")
    return folder


def judge_at(address, **options):
    """Return a judge with enough time."""
    return LLMJudge(
        MODEL, base_url=address, **{"timeout_s": 300.0, "max_retries": 0, "parameters": PARAMETERS} | options
    )


def assert_is_judged(judgement) -> None:
    """Check for a judgement, or a failure of the model itself."""
    assert judgement.error in MAY_FAIL
    assert (judgement.score is None) is (judgement.error is not None)
    assert judgement.usage.prompt_tokens > 0
    assert judgement.usage.completion_tokens > 0
    assert not [issue for issue in judgement.issues if issue.evidence is not None and not issue.grounded]


def test_the_server_holds_its_model_to_the_schema(address):
    """Asked about the weather, it fills in the form: every field, every type, every length."""

    async def ask(connection):
        messages = [{"role": "user", "content": "What a day! Tell me about the weather, in a few words."}]
        asked = connection.complete(MODEL, messages, response_formats(JUDGEMENT)[0], PARAMETERS, on_send=lambda: None)
        return await connection.within_deadline(asked)

    client = OpenAIClient("judge", base_url=address, api_key=None, timeout_s=300.0, max_retries=0)
    completion = client.run(ask)
    client.close()
    assert completion.fault in (None, "truncated")
    assert completion.text.lstrip().startswith("{")
    assert completion.prompt_tokens > 0
    assert completion.completion_tokens > 0
    if completion.fault is None:
        fields = json.loads(completion.text)
        jsonschema.validate(fields, json_schema(JUDGEMENT.model, with_limits=False))
        assert len(fields["reasoning"]) <= 2000


def test_one_step_with_the_prompts_that_everybody_gets(address):
    """The strictest format is accepted at the first request."""
    with judge_at(address, two_step=False) as judge:
        judgement = judge.judge(QUESTION, ANSWER, RESULTS)
        assert_is_judged(judgement)
        assert judgement.usage.calls == 1


def test_two_steps(address, prompts):
    """A critique without a form becomes a form."""
    with judge_at(address, prompts=prompts) as judge:
        judgement = asyncio.run(judge.ajudge(QUESTION, ANSWER, RESULTS))
    assert_is_judged(judgement)
    assert judgement.usage.calls == 2
    assert judgement.prompt_version.startswith("short-")


def test_a_request_that_is_broken_off_leaves_the_server_as_it_was(address, prompts):
    """A time-out is followed by a successful request."""
    options = {"prompts": prompts, "two_step": False}
    with judge_at(address, **options, timeout_s=0.2) as hasty:
        assert hasty.judge(QUESTION, ANSWER * 40, RESULTS).error == "timeout"
    with judge_at(address, **options) as judge:
        assert_is_judged(judge.judge(QUESTION, ANSWER, RESULTS))


def test_a_prompt_that_is_too_long_for_the_model(address, prompts):
    """The server's error is understood, and no other format is tried."""
    with judge_at(address, prompts=prompts, two_step=False) as judge:
        judgement = judge.judge(QUESTION, "grey " * (CONTEXT_TOKENS + 1), RESULTS)
    assert (judgement.error, judgement.usage.calls) == ("too_long", 1)
