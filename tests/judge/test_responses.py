"""Whatever a server sends, it is a completion or a failure with a code."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.judge.failures import FailureCode, JudgeError
from groundwire.judge.responses import failure_of_status, read_completion

KEYS = st.sampled_from(["choices", "message", "content", "usage", "finish_reason", "prompt_tokens", "refusal", "x"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["stop", "length", "text", ""]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
MESSAGES = st.fixed_dictionaries({"choices": st.lists(st.fixed_dictionaries({"message": VALUES}), max_size=2)})


@given(st.binary(max_size=40) | (VALUES | MESSAGES).map(lambda value: json.dumps(value).encode()))
def test_any_body_is_a_completion_or_none(content):
    """One kind of error; and what can be gone on with has words."""
    completion = None
    with suppress(JudgeError):
        completion = read_completion(200, content)
    if completion is None:
        return
    assert completion.fault is not None or completion.text.strip()
    assert completion.fault in (None, "refused", "truncated", "empty")


@given(
    st.integers(min_value=300, max_value=599),
    st.dictionaries(st.sampled_from(["retry-after", "retry-after-ms"]), st.text(max_size=8) | st.floats().map(str)),
    st.binary(max_size=40),
)
def test_any_error_of_http_has_a_code(status, headers, content):
    """And a wait that can be waited, if any."""
    failure = failure_of_status(status, headers, content)
    assert failure.code in FailureCode
    assert failure.retry_after_s is None or 0 <= failure.retry_after_s < float("inf")


@pytest.mark.parametrize(
    ("header", "expected"),
    [("Wed, 21 Oct 2015 07:28:00 GMT", 0.0), ("Wed, 21 Oct 9999 07:28:00 GMT", None), ("", None)],
)
def test_a_date_is_so_far_away(header, expected):
    """Past ones are now; one that is far away is a long wait."""
    wait_s = failure_of_status(503, {"retry-after": header}, b"").retry_after_s
    assert wait_s == expected or (header and wait_s > 1e9)


@pytest.mark.parametrize("status", [200, 201, 204, 299])
def test_only_200_is_a_completion(status):
    """Other successes have none."""
    body = json.dumps({"choices": [{"message": {"content": "x"}}]}).encode()
    if status == 200:
        assert read_completion(status, body).text == "x"
        return
    with pytest.raises(JudgeError):
        read_completion(status, body)
