"""Back-off: how long, how often, and never beyond the deadline."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.judge.failures import TRANSIENT, FailureCode, JudgeError
from groundwire.judge.retries import Deadline, Timing, with_retries

WAITS = st.none() | st.floats(min_value=0, max_value=100)


def attempt(failures, *, max_retries, timeout_s=1000.0, jitter=0.0, cost_s=0.0):
    """Send with these failures first; return the naps, how often it was sent, and the result or the code."""
    now, naps, sent = [0.0], [], []

    async def sleep(wait_s):
        naps.append(wait_s)
        now[0] += wait_s

    async def send(remaining_s):
        sent.append(remaining_s)
        now[0] += cost_s
        if len(sent) <= len(failures):
            raise failures[len(sent) - 1]
        return "written"

    timing = Timing(clock=lambda: now[0], sleep=sleep, jitter=lambda: jitter)
    try:
        run = with_retries(send, max_retries=max_retries, deadline=Deadline(timing, timeout_s))
        result = asyncio.run(run)
    except JudgeError as error:
        result = error.code
    return naps, sent, result


@pytest.mark.parametrize(
    ("jitter", "expected"),
    [(0.0, [0.5, 1, 2, 4, 8, 8]), (1.0, [0.25, 0.5, 1, 2, 4, 4]), (0.5, [0.375, 0.75, 1.5, 3, 6, 6])],
)
def test_waits_double_up_to_eight_seconds_less_up_to_a_half(jitter, expected):
    """Many callers do not come back at once."""
    failures = [JudgeError(FailureCode.SERVER_ERROR) for _ in expected]
    assert attempt(failures, max_retries=10, jitter=jitter)[::2] == (expected, "written")


@pytest.mark.parametrize("code", FailureCode)
def test_only_what_may_pass_is_tried_again(code):
    """A wrong key stays wrong."""
    _, sent, result = attempt([JudgeError(code)], max_retries=1)
    assert (len(sent), result) == ((2, "written") if code in TRANSIENT else (1, code))


def test_a_server_is_told_how_much_time_is_left():
    """The second attempt has less."""
    assert attempt([JudgeError(FailureCode.UNREACHABLE)], max_retries=1, timeout_s=10, cost_s=3)[1] == [10, 6.5]


def test_when_the_time_is_over_nothing_is_sent():
    """A deadline that has passed is a time-out."""
    assert attempt([], max_retries=1, timeout_s=0) == ([], [], "timeout")


@given(
    st.lists(st.builds(JudgeError, st.sampled_from(FailureCode), retry_after_s=WAITS), max_size=6),
    st.integers(min_value=0, max_value=5),
    st.floats(min_value=0.1, max_value=50),
    st.floats(min_value=0, max_value=1),
)
def test_no_nap_reaches_the_deadline_and_no_retry_is_one_too_many(failures, max_retries, timeout_s, jitter):
    """Whatever fails in whatever order."""
    naps, sent, result = attempt(failures, max_retries=max_retries, timeout_s=timeout_s, jitter=jitter)
    assert sum(naps) < timeout_s
    assert len(sent) <= max_retries + 1
    assert result == "written" if len(sent) == len(failures) + 1 else result == failures[len(sent) - 1].code
