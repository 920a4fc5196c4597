"""
Ask a judge, whichever it is, and look its quotes up like anybody's.

A judge that raises, or returns something else than a judgement, has none.
Source: citation-risk, "LLM-as-a-Judge 檢測" (`evaluate_results`), with rulings B11 and B12.
"""

from dataclasses import replace

from groundwire.judgement import AsyncJudge, Issue, Judge, Judgement, JudgeStatus, SearchResults, SyncJudge
from groundwire.search_results import check_results, read_results

__all__ = ["aask", "aevaluate_results", "ask", "evaluate_results", "ground_issues"]


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


def ask(judge: SyncJudge, question: str, answer: str, results: SearchResults) -> Judgement:
    """Return what *judge* says of *answer*, the quotes in its issues looked up; whatever it raises, a failure."""
    try:
        judgement = judge.judge(question, answer, results)
    except Exception as error:
        return _failed(error)
    return _checked(judgement, results)


async def aask(judge: AsyncJudge, question: str, answer: str, results: SearchResults) -> Judgement:
    """Do what `ask` does without blocking. A cancelled task is no failure: the cancellation goes through."""
    try:
        judgement = await judge.ajudge(question, answer, results)
    except Exception as error:
        return _failed(error)
    # Thousands of characters of quotes may have to be looked up.
    from asyncio import to_thread

    return await to_thread(_checked, judgement, results)


def ground_issues(judgement: Judgement, results: SearchResults) -> Judgement:
    """
    Return *judgement* with every quote of its issues looked up in the results' texts and titles.

    An issue whose quote no result has, as the guarded verdict on quotes says, is void.
    Issues that have been looked up already, or quote nothing, stay as they are.

    Raises:
        TypeError: *results* is no sequence of mappings.
    """
    quotes = [issue.evidence for issue in judgement.issues if issue.grounded is None and issue.evidence is not None]
    if not quotes:
        return judgement
    found = iter(_are_grounded(quotes, results))
    issues = [
        issue if issue.grounded is not None or issue.evidence is None else replace(issue, grounded=next(found))
        for issue in judgement.issues
    ]
    void = tuple(issue for issue in issues if _is_void(issue))
    valid = tuple(issue for issue in issues if not _is_void(issue))
    return replace(judgement, issues=valid, void_issues=judgement.void_issues + void)


def _is_void(issue: Issue) -> bool:
    return issue.grounded is False


def _are_grounded(quotes: list[str], results: SearchResults) -> list[bool]:
    known = read_results(results)
    texts = [text for text in (*known.passages, *known.titles) if text]
    if not texts:
        return [False] * len(quotes)
    # Most judgements quote nothing, and the rules alone need no verdicts.
    from groundwire.evidence import assess_quotes
    from groundwire.sources import Sources

    return [verdict.accepted for verdict in assess_quotes(quotes, Sources(texts))]


def _checked(judgement: object, results: SearchResults) -> Judgement:
    if isinstance(judgement, Judgement):
        return ground_issues(judgement, results)
    return Judgement(status=JudgeStatus.ERROR, error="bad_judge")


def _failed(error: Exception) -> Judgement:
    """A judgement that is none. The exception may quote the answer, so its kind alone is told."""
    return Judgement(status=JudgeStatus.ERROR, error="timeout" if isinstance(error, TimeoutError) else "bad_judge")
