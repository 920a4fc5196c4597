"""
Asks a language model whether the sources of an answer support it.

`protocol` defines judges and judgements, and `evaluate_results` asks any of them. `llm_judge` has the built-in judge:
`conversation` builds the requests and reads the responses, with the templates of `prompts`, the delimited texts of
`delimiting` and the response schemas of `schemas`. `cache` keeps judgements on disk, and `circuit_breaker` stops asking
a server that is down. Names are imported on first use (PEP 562), and OpenAI's SDK with the first `LLMJudge` (the extra
`judge`).
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.errors import LLM_FAILURES, LLMFailureCode
    from groundwire.judge.circuit_breaker import CircuitBreakerJudge
    from groundwire.judge.llm_judge import LLMJudge
    from groundwire.judge.protocol import (
        HallucinationType,
        Judge,
        JudgeDecision,
        JudgeIssue,
        Judgement,
        JudgeStatus,
        TokenPrice,
        TokenUsage,
        aevaluate_results,
        evaluate_results,
    )

__all__ = [
    "LLM_FAILURES",
    "CircuitBreakerJudge",
    "HallucinationType",
    "Judge",
    "JudgeDecision",
    "JudgeIssue",
    "JudgeStatus",
    "Judgement",
    "LLMFailureCode",
    "LLMJudge",
    "TokenPrice",
    "TokenUsage",
    "aevaluate_results",
    "evaluate_results",
]

_NAMES_OF = {
    "groundwire.judge.circuit_breaker": ("CircuitBreakerJudge",),
    "groundwire.judge.llm_judge": ("LLMJudge",),
    "groundwire.judge.protocol": (
        *("HallucinationType", "Judge", "JudgeDecision", "JudgeIssue", "JudgeStatus", "Judgement"),
        *("TokenPrice", "TokenUsage", "aevaluate_results", "evaluate_results"),
    ),
    "groundwire.errors": ("LLM_FAILURES", "LLMFailureCode"),
}
_HOMES = {name: home for home, names in _NAMES_OF.items() for name in names}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
