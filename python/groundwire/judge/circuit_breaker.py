"""
Stops asking a judge whose server cannot be reached.

One judgement takes bounded time whatever the server does, but a thousand judgements that each wait for a silent server
do not.
"""

import threading

from groundwire.errors import LLMFailureCode
from groundwire.judge.protocol import Judge, Judgement, JudgeStatus
from groundwire.search_results import SearchResults

__all__ = ["MAX_FAILURES", "CircuitBreakerJudge"]

MAX_FAILURES = 8
"""
The number of consecutive failures that open the circuit: twice the default of concurrent judgements, so that a single
bad moment of the server does not.
"""

# A server that is busy or fails (429, 5xx) is reachable and may recover.
_UNREACHABLE = frozenset(
    {LLMFailureCode.TIMEOUT, LLMFailureCode.UNREACHABLE, LLMFailureCode.UNAUTHORIZED, LLMFailureCode.NOT_FOUND}
)


class CircuitBreakerJudge:
    """
    Asks *judge* until `MAX_FAILURES` consecutive judgements have failed because the server could not be reached.

    Later calls fail at once with the code of the last failure. Safe to share between threads.

    Args:
        judge: The judge.
    """

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._lock = threading.Lock()
        self._failures = 0
        self._code: str | None = None
        self._unsent = 0

    @property
    def unsent(self) -> int:
        """The number of answers that were not sent to the judge."""
        with self._lock:
            return self._unsent

    def judge(self, question: str, answer: str, results: SearchResults) -> Judgement:
        """Return the judge's judgement, or a failed one if the circuit is open."""
        return self._refusal() or self._recorded(self._judge.judge(question, answer, results))

    async def ajudge(self, question: str, answer: str, results: SearchResults) -> Judgement:
        """Do what `judge` does without blocking."""
        return self._refusal() or self._recorded(await self._judge.ajudge(question, answer, results))

    def _recorded(self, judgement: Judgement) -> Judgement:
        with self._lock:
            is_unreachable = judgement.status == JudgeStatus.ERROR and judgement.error in _UNREACHABLE
            # Judgements that were running when the circuit opened change nothing.
            if self._failures < MAX_FAILURES:
                self._failures = self._failures + 1 if is_unreachable else 0
                self._code = judgement.error
        return judgement

    def _refusal(self) -> Judgement | None:
        """Return a failed judgement if the circuit is open, else None."""
        with self._lock:
            if self._failures < MAX_FAILURES:
                return None
            self._unsent += 1
            return Judgement(status=JudgeStatus.ERROR, error=self._code)
