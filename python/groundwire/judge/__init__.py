"""
A judge of answers: a language model that is asked whether an answer is supported by its sources.

Importing this loads no network and no templates: OpenAI's SDK and Jinja come with the
first `LLMJudge` (the extra `judge`).
"""

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
