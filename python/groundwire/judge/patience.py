"""
A judge that is no longer asked once its server is plainly not to be had.

One judgement takes bounded time whatever the server does. A thousand of them, each waiting that
long for a server that is not there, do not.
"""

import threading

from groundwire.judge.failures import FailureCode
from groundwire.judgement import Judge, Judgement, JudgeStatus, SearchResults

__all__ = ["FAILURES_IN_A_ROW", "PatientJudge"]

FAILURES_IN_A_ROW = 8
"""Twice as many as are under way at once by default: one bad moment of the server does not count as its end."""

# A server that is busy or fails (429, 5xx) is there, and may be better the next time.
_NOT_TO_BE_HAD = frozenset(
    {FailureCode.TIMEOUT, FailureCode.UNREACHABLE, FailureCode.UNAUTHORIZED, FailureCode.NOT_FOUND}
)


class PatientJudge:
    """
    Asks *judge*, until `FAILURES_IN_A_ROW` judgements in a row have failed for want of a server.

    What comes then fails at once with the last one's code. Safe to share between threads.

    Args:
        judge: Who is asked.
    """

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._lock = threading.Lock()
        self._in_a_row = 0
        self._code: str | None = None
        self._unsent = 0

    @property
    def unsent(self) -> int:
        """How many answers nobody was asked about."""
        with self._lock:
            return self._unsent

    def judge(self, question: str, answer: str, results: SearchResults) -> Judgement:
        """Return what the judge says, or that there is nobody to be asked."""
        return self._given_up() or self._heard(self._judge.judge(question, answer, results))

    async def ajudge(self, question: str, answer: str, results: SearchResults) -> Judgement:
        """Do what `judge` does without blocking."""
        return self._given_up() or self._heard(await self._judge.ajudge(question, answer, results))

    def _heard(self, judgement: Judgement) -> Judgement:
        with self._lock:
            is_in_vain = judgement.status == JudgeStatus.ERROR and judgement.error in _NOT_TO_BE_HAD
            # Those that were under way when it gave up change nothing any more.
            if self._in_a_row < FAILURES_IN_A_ROW:
                self._in_a_row = self._in_a_row + 1 if is_in_vain else 0
                self._code = judgement.error
        return judgement

    def _given_up(self) -> Judgement | None:
        """The failed judgement of whoever comes too late; None as long as the judge is asked."""
        with self._lock:
            if self._in_a_row < FAILURES_IN_A_ROW:
                return None
            self._unsent += 1
            return Judgement(status=JudgeStatus.ERROR, error=self._code)
