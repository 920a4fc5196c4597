"""A batch does not wait for a server that is not there, answer by answer."""

import asyncio

import pytest

from groundwire.judge import Judgement, JudgeStatus
from groundwire.judge.circuit_breaker import MAX_FAILURES, CircuitBreakerJudge

GOOD = Judgement(hallucination_risk=0.1)


def failed(code):
    """A judgement that is none."""
    return Judgement(status=JudgeStatus.ERROR, error=code)


class Scripted:
    """Says one thing after the other, the last one again and again; counts how often it is asked."""

    def __init__(self, *judgements):
        self.judgements = judgements
        self.asked = 0

    def judge(self, *_):
        self.asked += 1
        return self.judgements[min(self.asked, len(self.judgements)) - 1]

    async def ajudge(self, *case):
        return self.judge(*case)


def sync(judge):
    """What the blocking method returns."""
    return judge.judge("q", "a", [])


def asynchronous(judge):
    """What the other one returns."""
    return asyncio.run(judge.ajudge("q", "a", []))


@pytest.mark.parametrize("ask", [sync, asynchronous])
@pytest.mark.parametrize("code", ["timeout", "unreachable", "unauthorized", "not_found"])
def test_consecutive_failures_open_the_circuit(ask, code):
    """Each judgement after that has the last one's code, and no level gets better by it."""
    inner = Scripted(failed(code))
    judge = CircuitBreakerJudge(inner)
    judgements = [ask(judge) for _ in range(MAX_FAILURES + 20)]
    assert inner.asked == MAX_FAILURES
    assert judge.unsent == 20
    assert {(each.status, each.error, each.hallucination_risk) for each in judgements} == {("error", code, None)}


def test_a_judgement_resets_the_count_of_failures():
    """A server that is busy now and then is asked on."""
    inner = Scripted(*[*[failed("timeout")] * (MAX_FAILURES - 1), GOOD] * 3)
    judge = CircuitBreakerJudge(inner)
    for _ in range(3 * MAX_FAILURES):
        sync(judge)
    assert inner.asked == 3 * MAX_FAILURES
    assert judge.unsent == 0


@pytest.mark.parametrize("code", ["truncated", "wrong_schema", "refused", "bad_judge", "rate_limited", "server_error"])
def test_failures_of_a_reachable_server_do_not_open_the_circuit(code):
    """The next answer may be easier for its model, or it may be less busy then."""
    inner = Scripted(failed(code))
    judge = CircuitBreakerJudge(inner)
    for _ in range(2 * MAX_FAILURES):
        assert sync(judge).error == code
    assert inner.asked == 2 * MAX_FAILURES
