"""A batch does not wait for a missing server with each answer."""

import asyncio

import pytest

from groundwire.judge import Judgement, JudgeStatus
from groundwire.judge.circuit_breaker import MAX_FAILURES, CircuitBreakerJudge

GOOD = Judgement(hallucination_risk=0.1)


def failed(code):
    """Return a failed judgement."""
    return Judgement(status=JudgeStatus.ERROR, error=code)


class Scripted:
    """Returns one result after the other, repeats the last one, and counts its calls."""

    def __init__(self, *judgements):
        self.judgements = judgements
        self.asked = 0

    def judge(self, *_):
        self.asked += 1
        return self.judgements[min(self.asked, len(self.judgements)) - 1]

    async def ajudge(self, *case):
        return self.judge(*case)


def sync(judge):
    """Return the result of the blocking method."""
    return judge.judge("q", "a", [])


def asynchronous(judge):
    """Return the result of the asynchronous method."""
    return asyncio.run(judge.ajudge("q", "a", []))


@pytest.mark.parametrize("ask", [sync, asynchronous])
@pytest.mark.parametrize("code", ["timeout", "unreachable", "unauthorized", "not_found"])
def test_consecutive_failures_open_the_circuit(ask, code):
    """Each later judgement has the code of the last one, and no level becomes lower."""
    inner = Scripted(failed(code))
    judge = CircuitBreakerJudge(inner)
    judgements = [ask(judge) for _ in range(MAX_FAILURES + 20)]
    assert inner.asked == MAX_FAILURES
    assert judge.unsent == 20
    assert {(each.status, each.error, each.hallucination_risk) for each in judgements} == {("error", code, None)}


def test_a_judgement_resets_the_count_of_failures():
    """A server that is sometimes busy is still called."""
    inner = Scripted(*[*[failed("timeout")] * (MAX_FAILURES - 1), GOOD] * 3)
    judge = CircuitBreakerJudge(inner)
    for _ in range(3 * MAX_FAILURES):
        sync(judge)
    assert inner.asked == 3 * MAX_FAILURES
    assert judge.unsent == 0


@pytest.mark.parametrize("code", ["truncated", "wrong_schema", "refused", "bad_judge", "rate_limited", "server_error"])
def test_failures_of_a_reachable_server_do_not_open_the_circuit(code):
    """The next answer may be easier, or the server less busy."""
    inner = Scripted(failed(code))
    judge = CircuitBreakerJudge(inner)
    for _ in range(2 * MAX_FAILURES):
        assert sync(judge).error == code
    assert inner.asked == 2 * MAX_FAILURES
