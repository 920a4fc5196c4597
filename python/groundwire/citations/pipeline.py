"""
Runs the three layers of the specification on an answer: the rules, the judge, the decision.

The judge is called at most once, where it is worth its cost (ruling B10). An exception that it raises is a failed
judgement, which never lowers a level (ruling B11).
"""

from collections.abc import Callable
from functools import partial

from groundwire.citations.assessment import assess_citations, check_settings
from groundwire.citations.report import CitationReport
from groundwire.citations.risk import RiskAssessment, assess_risk, check_iterations
from groundwire.citations.risk_rules import RiskLevel, RiskThresholds
from groundwire.judge.protocol import AsyncJudge, Judgement, SyncJudge, ajudge_answer, judge_answer
from groundwire.labels import check_choice
from groundwire.pair_scorer import PairScorer
from groundwire.search_results import SearchResults

TYPE_CHECKING = False

if TYPE_CHECKING:
    import os
    from typing import Literal, TypeAlias

    from groundwire.support_score import SupportScore

    When: TypeAlias = Literal["auto", "always", "moderate_only", "never"]

__all__ = ["aassess_answer", "assess_answer"]

_WHEN = ("auto", "always", "moderate_only", "never")


def assess_answer(
    question: str,
    answer: str,
    results: SearchResults,
    *,
    judge: SyncJudge | None = None,
    when: "When" = "auto",
    iteration: int | None = None,
    max_iterations: int | None = None,
    policy: str = "coverage",
    settings: RiskThresholds | None = None,
    score: "SupportScore | str | os.PathLike[str] | None" = None,
    reader: PairScorer | None = None,
) -> RiskAssessment:
    """
    Return the risk of *answer* and the action to take, from the rules and a judge.

    Args:
        question: The question.
        answer: The answer of a model.
        results: The search results that the model received.
        judge: The judge; None for the rules alone.
        when: When to call the judge: "auto", unless the rules find a high risk or the answer is empty;
            "moderate_only", if the rules find a moderate risk; "always"; "never" (ruling B10).
        iteration: See `assess_risk`.
        max_iterations: See `assess_risk`.
        policy: See `assess_citations`.
        settings: Limits of the risk levels; None for the defaults.
        score: See `assess_citations`.
        reader: See `assess_citations`.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: An option has an unknown value, or *when* is "always" without a judge.
        SupportScoreError, OSError: The file *score* cannot be used.
    """
    _check(question, judge, "judge", when)
    report, decide = _rules(answer, results, iteration, max_iterations, policy, settings, score, reader)
    if judge is None or not _is_asked(when, report):
        return decide(None)
    return decide(judge_answer(judge, question, answer, results))


async def aassess_answer(
    question: str,
    answer: str,
    results: SearchResults,
    *,
    judge: AsyncJudge | None = None,
    when: "When" = "auto",
    iteration: int | None = None,
    max_iterations: int | None = None,
    policy: str = "coverage",
    settings: RiskThresholds | None = None,
    score: "SupportScore | str | os.PathLike[str] | None" = None,
    reader: PairScorer | None = None,
) -> RiskAssessment:
    """
    Do the same as `assess_answer` without blocking the event loop during the judge's call.

    Cancelling the task cancels this call; it does not count as a failed judgement.
    """
    _check(question, judge, "ajudge", when)
    report, decide = _rules(answer, results, iteration, max_iterations, policy, settings, score, reader)
    if judge is None or not _is_asked(when, report):
        return decide(None)
    return decide(await ajudge_answer(judge, question, answer, results))


def _rules(
    answer: str,
    results: SearchResults,
    iteration: int | None,
    max_iterations: int | None,
    policy: str,
    settings: RiskThresholds | None,
    score: "SupportScore | str | os.PathLike[str] | None",
    reader: PairScorer | None,
) -> tuple[CitationReport, Callable[[Judgement | None], RiskAssessment]]:
    """Return the rules' report, and a function that decides with the judge's result."""
    check_iterations(iteration, max_iterations)
    limits = check_settings(settings)
    report = assess_citations(answer, results, policy=policy, settings=limits, score=score, reader=reader)
    return report, partial(assess_risk, report, iteration=iteration, max_iterations=max_iterations, settings=limits)


def _check(question: object, judge: object, method: str, when: str) -> None:
    if not isinstance(question, str):
        raise TypeError(f"question must be a str, got {type(question).__name__}")
    if judge is not None and not callable(getattr(judge, method, None)):
        raise TypeError(f"judge must have the method {method}, got {type(judge).__name__}")
    check_choice("when", when, _WHEN)
    if when == "always" and judge is None:
        raise ValueError('when="always" needs a judge')


def _is_asked(when: str, report: CitationReport) -> bool:
    if when == "auto":
        # An empty answer is not assessed, "空答案處理".
        return report.level is not RiskLevel.HIGH and not report.facts.is_empty
    return when == "always" or (when == "moderate_only" and report.level is RiskLevel.MODERATE)
