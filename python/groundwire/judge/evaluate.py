"""
Ask a judge, whichever it is.

Source: citation-risk, "LLM-as-a-Judge 檢測" (`evaluate_results`), with rulings B11 and B12.
"""

import asyncio
from collections.abc import Mapping, Sequence

from groundwire.judge.failures import FailureCode
from groundwire.judge.grounding import ground_issues
from groundwire.judge.passages import read_passages
from groundwire.judgement import Judge, Judgement, JudgeStatus

__all__ = ["aevaluate_results", "evaluate_results"]

_NO_JUDGE = Judgement(status=JudgeStatus.ERROR, error=FailureCode.BAD_JUDGE)


def evaluate_results(question: str, answer: str, results: Sequence[Mapping[str, object]], *, judge: Judge) -> Judgement:
    """
    Return what *judge* says of *answer*, the quotes in its issues checked against *results*.

    Args:
        question: What was asked.
        answer: What the system answered, with its citations.
        results: What its search returned: mappings with `id`, `parent_id`, `title` and the
            text under `content`, `text`, `passage`, `snippet` or `matches`.
        judge: Who judges. One that raises, or returns something else, has no judgement:
            `bad_judge`.

    Raises:
        TypeError: An argument is of another type.
    """
    _check(question, answer, results, judge)
    try:
        judgement = judge.judge(question, answer, results)
    except Exception:
        return _NO_JUDGE
    return _checked(judgement, results)


async def aevaluate_results(
    question: str, answer: str, results: Sequence[Mapping[str, object]], *, judge: Judge
) -> Judgement:
    """Return what `evaluate_results` does, without blocking."""
    _check(question, answer, results, judge)
    try:
        judgement = await judge.ajudge(question, answer, results)
    except Exception:
        return _NO_JUDGE
    return await asyncio.to_thread(_checked, judgement, results)


def _check(question: object, answer: object, results: Sequence[Mapping[str, object]], judge: object) -> None:
    for name, value in (("question", question), ("answer", answer)):
        if not isinstance(value, str):
            raise TypeError(f"{name} must be a str, got {type(value).__name__}")
    if not isinstance(judge, Judge):
        raise TypeError(f"judge must have the methods judge and ajudge, got {type(judge).__name__}")
    read_passages(results)


def _checked(judgement: object, results: Sequence[Mapping[str, object]]) -> Judgement:
    return ground_issues(judgement, results) if isinstance(judgement, Judgement) else _NO_JUDGE
