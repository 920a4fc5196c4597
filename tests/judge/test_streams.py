"""A completion that comes in pieces is the one that would have come at once, or a failure with a code."""

import itertools
import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.judge import Usage
from groundwire.judge.failures import JudgeError
from groundwire.judge.options import DEFAULT_PARAMETERS
from groundwire.judge.responses import read_completion
from judge.cases import ANSWER, QUESTION, RESULTS, written
from judge.scripted_server import chunks, completion, sends, streamed, writes

STREAMING = {**DEFAULT_PARAMETERS, "stream": True, "stream_options": {"include_usage": True}}
DONE = b"data: [DONE]\n\n"


def event(**body):
    """One event."""
    return f"data: {json.dumps(body)}\n\n".encode()


def test_a_stream_is_asked_for_by_its_parameters(serve, judge_of):
    """They go into every request, both steps are read, and tokens are counted."""
    server = serve(chunks(streamed("The year is 1931.")), chunks(streamed(written())))
    judgement = judge_of(server, two_step=True, parameters=STREAMING).judge(QUESTION, ANSWER, RESULTS)
    assert (judgement.status, judgement.score) == ("ok", 0.4)
    assert judgement.usage == Usage(calls=2, prompt_tokens=200, completion_tokens=40)
    assert [request["stream"] for request in server.requests] == [True, True]
    assert "The year is 1931." in server.contents(1)["user"]


def test_nothing_is_streamed_by_default(serve, judge_of):
    """Not every server can."""
    server = serve(writes(written()))
    judge_of(server).judge(QUESTION, ANSWER, RESULTS)
    assert "stream" not in server.requests[0]


def test_a_server_may_answer_at_once_all_the_same(serve, judge_of):
    """It does not know the parameter."""
    judge = judge_of(serve(writes(written())), parameters=STREAMING)
    assert judge.judge(QUESTION, ANSWER, RESULTS).status == "ok"


@pytest.mark.parametrize(
    ("act", "code", "calls"),
    [
        pytest.param(chunks(streamed(written()[:-30], finish="length")), "truncated", 1, id="cut-by-the-server"),
        pytest.param(chunks(streamed(written(), finish=None, end=b"")), "unreachable", 4, id="broken-off"),
        pytest.param(chunks([*streamed(written())[:5], event(error={"code": 500})]), "server_error", 4, id="failed"),
        pytest.param(chunks(streamed("", finish="content_filter")), "refused", 1, id="filter"),
        pytest.param(
            chunks([event(choices=[{"delta": {"refusal": "I cannot."}, "finish_reason": "stop"}]), DONE]),
            "refused",
            1,
            id="refusal",
        ),
        pytest.param(chunks(streamed(" \n")), "empty", 1, id="blank"),
        pytest.param(sends(DONE), "empty", 1, id="nothing"),
        pytest.param(sends(b": ping\n\n"), "unreachable", 4, id="comments-alone"),
        pytest.param(sends(b"data: {\n\n"), "bad_response", 1, id="broken-json"),
        pytest.param(sends(b"data: []\n\n"), "bad_response", 1, id="no-object"),
        pytest.param(sends(b"data: " + b"[" * 200_000 + b"\n\n"), "bad_response", 1, id="deep"),
        pytest.param(chunks(itertools.repeat(event(choices=[]) * 2000)), "bad_response", 1, id="endless"),
    ],
)
def test_a_stream_that_goes_wrong_has_a_code(serve, judge_of, act, code, calls):
    """As what comes at once has; what may pass is tried again."""
    judgement = judge_of(serve(act), parameters=STREAMING).judge(QUESTION, ANSWER, RESULTS)
    assert (judgement.status, judgement.error, judgement.usage.calls) == ("error", code, calls)


def test_time_is_bounded_though_pieces_keep_coming(serve, judge_of):
    """Each piece is in time, all of them together are not."""
    pieces = itertools.cycle(streamed(written(), finish=None, usage=None, end=b": ping\n\n"))
    judge = judge_of(serve(chunks(pieces, pause_s=0.05)), parameters=STREAMING, timeout_s=0.4)
    assert judge.judge(QUESTION, ANSWER, RESULTS).error == "timeout"


@given(
    st.text(max_size=40),
    st.sampled_from(["stop", "length", "content_filter"]),
    st.integers(min_value=1, max_value=9),
    st.sampled_from([b"\n", b"\r\n", b"\r"]),
    st.booleans(),
)
def test_pieces_make_what_would_have_come_at_once(text, finish, pieces, line_end, has_end):
    """Whatever the pieces and the line ends are, with comments between, with and without a last word."""
    events = streamed(text, finish=finish, pieces=pieces, end=DONE if has_end else b"")
    stream = b": ping\n\n".join(events).replace(b"\n", line_end)
    assert read_completion(200, stream) == read_completion(200, completion(text, finish=finish))


PARTS = st.sampled_from([*streamed(written(), pieces=90), b"data:", b"\n", b"data: 1", b": x\n"])


@given(st.lists(PARTS | st.binary(max_size=9)))
def test_any_stream_is_a_completion_or_a_failure(parts):
    """One kind of error, whatever a server sends; and what can be gone on with has words."""
    completion = None
    with suppress(JudgeError):
        completion = read_completion(200, b"data: {}\n\n" + b"".join(parts))
    assert completion is None or completion.fault is not None or completion.text.strip()
