"""Any response of a server is a completion or a failure with a code."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import LLMError, LLMFailureCode
from groundwire.openai_client import Completion, OpenAIClient, _code_of_status, _retry_after_s
from judge.scripted_server import ScriptedServer, completion, sends
from waits import PATIENCE_S

KEYS = st.sampled_from(["choices", "message", "content", "usage", "finish_reason", "prompt_tokens", "refusal", "x"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["stop", "length", "text", ""]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
MESSAGES = st.fixed_dictionaries({"choices": st.lists(st.fixed_dictionaries({"message": VALUES}), max_size=2)})


@pytest.fixture(scope="module")
def read():
    """Return a function that lets a server send something, and returns the completion or the code of the failure."""
    server = ScriptedServer([])
    client = OpenAIClient("judge", base_url=server.url, api_key=None, timeout_s=PATIENCE_S, max_retries=0)

    async def ask(connection):
        work = connection.complete("m", [{"role": "user", "content": "q"}], None, {}, on_send=lambda: None)
        return await connection.within_deadline(work)

    def call(content, status=200, **headers):
        server.acts = [sends(content, status, **headers)]
        try:
            return client.run(ask)
        except LLMError as error:
            return error.code

    yield call
    client.close()
    server.close()


@given(content=st.binary(max_size=40) | (VALUES | MESSAGES).map(lambda value: json.dumps(value).encode()))
def test_any_body_is_a_completion_or_none(read, content):
    """There is one kind of error; a valid completion has words."""
    found = read(content)
    if isinstance(found, Completion):
        assert found.fault is not None or found.text.strip()
        assert found.fault in (None, "refused", "truncated", "empty")
    else:
        assert found == "bad_response"


@pytest.mark.parametrize("kind", ["application/json", "text/plain", "text/html; charset=latin-1", "text/event-stream"])
def test_the_type_of_a_response_does_not_matter(read, kind):
    """Proxies write any type; only the body counts."""
    assert read(completion("é"), Content_Type=kind).text == "é"
    assert read(b"<html>", Content_Type=kind) == "bad_response"


def test_a_stream_is_no_completion(read):
    """None was requested."""
    assert read(b'data: {"choices": [{"index": 0, "delta": {"content": "x"}}]}\n\ndata: [DONE]\n\n') == "bad_response"


@pytest.mark.parametrize("status", [200, 201, 204, 299])
def test_only_200_is_a_completion(read, status):
    """Other successes have no completion."""
    found = read(json.dumps({"choices": [{"message": {"content": "x"}}]}).encode(), status)
    assert found == "bad_response" if status != 200 else found.text == "x"


@given(st.integers(min_value=300, max_value=599), st.binary(max_size=40))
def test_any_error_of_http_has_a_code(status, content):
    """The body does not matter."""
    assert _code_of_status(status, content) in LLMFailureCode


@given(
    st.dictionaries(st.sampled_from(["retry-after", "retry-after-ms"]), st.text(max_size=8) | st.floats().map(str)),
)
def test_a_wait_is_a_finite_number(headers):
    """This holds for any header."""
    assert abs(_retry_after_s(headers)) < float("inf")


@pytest.mark.parametrize(
    ("header", "lowest", "highest"),
    [
        ("Wed, 21 Oct 2015 07:28:00 GMT", -1e12, 0.0),
        ("Wed, 21 Oct 9999 07:28:00 GMT", 1e9, 1e12),
        ("", 0.0, 0.0),
        ("12.5", 12.5, 12.5),
    ],
)
def test_a_wait_is_a_number_or_a_date(header, lowest, highest):
    """A past date is no wait; a distant one is a long wait."""
    assert lowest <= _retry_after_s({"retry-after": header}) <= highest
