"""Back-off: its length, its number, and the failures that are retried."""

import pytest

from judge.cases import ANSWER, QUESTION, RESULTS, written
from judge.scripted_server import fails, writes
from judge.test_failures import about


def test_waits_double_up_to_eight_seconds(serve, judge_of, naps):
    """A random quarter is subtracted, so that callers do not return at the same time."""
    server = serve(*[fails(503)] * 6, writes(written()))
    assert judge_of(server, max_retries=6).judge(QUESTION, ANSWER, RESULTS).status == "ok"
    assert naps == [about(wait_s) for wait_s in (0.5, 1, 2, 4, 8, 8)]


@pytest.mark.parametrize("max_retries", [0, 1, 5])
def test_no_retry_is_one_too_many(serve, judge_of, naps, max_retries):
    """The first attempt does not count."""
    server = serve(fails(429))
    judgement = judge_of(server, max_retries=max_retries).judge(QUESTION, ANSWER, RESULTS)
    assert (judgement.error, judgement.usage.calls) == ("rate_limited", max_retries + 1)
    assert (len(server.requests), len(naps)) == (max_retries + 1, max_retries)


@pytest.mark.parametrize("header", ["true", "false"])
def test_a_server_does_not_decide_what_is_tried_again(serve, judge_of, header):
    """The SDK would follow `x-should-retry`, and repeat a wrong key or give up on a temporary failure."""
    server = serve(fails(401, x_should_retry=header))
    assert judge_of(server).judge(QUESTION, ANSWER, RESULTS).usage.calls == 1
    server = serve(fails(503, x_should_retry=header), writes(written()))
    assert judge_of(server).judge(QUESTION, ANSWER, RESULTS).status == "ok"
