"""
Ask a judge, whichever it is.

Source: citation-risk, "LLM-as-a-Judge 檢測" (`evaluate_results`), with rulings B11 and B12.
"""

from groundwire.citations.judging import aask, ask
from groundwire.citations.results import check_results
from groundwire.judgement import Judge, Judgement, SearchResults

__all__ = ["aevaluate_results", "evaluate_results"]


def evaluate_results(question: str, answer: str, results: SearchResults, *, judge: Judge) -> Judgement:
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
    return ask(judge, question, answer, results)


async def aevaluate_results(question: str, answer: str, results: SearchResults, *, judge: Judge) -> Judgement:
    """Return what `evaluate_results` does, without blocking."""
    _check(question, answer, results, judge)
    return await aask(judge, question, answer, results)


def _check(question: object, answer: object, results: SearchResults, judge: object) -> None:
    for name, value in (("question", question), ("answer", answer)):
        if not isinstance(value, str):
            raise TypeError(f"{name} must be a str, got {type(value).__name__}")
    if not isinstance(judge, Judge):
        raise TypeError(f"judge must have the methods judge and ajudge, got {type(judge).__name__}")
    check_results(results)
