"""
A judge of answers: a language model that is asked whether an answer is supported by its sources.

Names are imported when they are first touched (PEP 562): OpenAI's SDK and Jinja come with the
first `LLMJudge` (the extra `judge`).
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.judge.evaluate import aevaluate_results, evaluate_results
    from groundwire.judge.failures import FAILURES, FailureCode
    from groundwire.judge.llm import LLMJudge
    from groundwire.judge.retries import Timing
    from groundwire.judge.usage import Price
    from groundwire.judgement import Decision, HallucinationType, Issue, Judge, Judgement, JudgeStatus, Usage

__all__ = [
    "FAILURES",
    "Decision",
    "FailureCode",
    "HallucinationType",
    "Issue",
    "Judge",
    "JudgeStatus",
    "Judgement",
    "LLMJudge",
    "Price",
    "Timing",
    "Usage",
    "aevaluate_results",
    "evaluate_results",
]

_NAMES_OF = {
    "groundwire.judge.evaluate": ("aevaluate_results", "evaluate_results"),
    "groundwire.judge.failures": ("FAILURES", "FailureCode"),
    "groundwire.judge.llm": ("LLMJudge",),
    "groundwire.judge.retries": ("Timing",),
    "groundwire.judge.usage": ("Price",),
    "groundwire.judgement": ("Decision", "HallucinationType", "Issue", "Judge", "Judgement", "JudgeStatus", "Usage"),
}
_HOMES = {name: home for home, names in _NAMES_OF.items() for name in names}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
