"""
An answer from the rules to the judge to the decision: the three layers of the document.

The rules come first; a judge is asked where it pays (ruling B10); what it says is
combined with what they say. It is asked once, and whatever it raises is a failed
judgement, which never lowers a level (ruling B11).
"""

from collections.abc import Callable
from functools import partial

from groundwire.citations.assessment import assess_citations, check_settings
from groundwire.citations.report import CitationReport
from groundwire.citations.risk import RiskAssessment, assess_risk, check_iterations
from groundwire.citations.risk_rules import RiskLevel, RiskThresholds
from groundwire.judge.protocol import AsyncJudge, Judgement, SyncJudge, ajudge_answer, judge_answer
from groundwire.labels import show
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
    Say how risky *answer* is, and what to do with it, by the rules and a judge.

    Args:
        question: What was asked.
        answer: What a model wrote.
        results: What it was given.
        judge: Who is asked; None for the rules alone.
        when: "auto": unless the rules already say high, or the answer is empty; "moderate_only": if they say
            moderate; "always"; "never" (ruling B10).
        iteration: See `assess_risk`.
        max_iterations: See `assess_risk`.
        policy: See `assess_citations`.
        settings: Where the bands of risk begin; None for the printed ones.
        score: See `assess_citations`.
        reader: See `assess_citations`.

    Raises:
        TypeError: An argument is of another type.
        ValueError: An option has no such value, or a judge is to be asked always and there is none.
        SupportScoreError, OSError: *score* is no such file.
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
    Do what `assess_answer` does, and let others work while the judge thinks.

    A cancelled task is no failed judgement: the cancellation goes through.
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
    """Return what the rules say, and how to decide once it is known what a judge says."""
    check_iterations(iteration, max_iterations)
    limits = check_settings(settings)
    report = assess_citations(answer, results, policy=policy, settings=limits, score=score, reader=reader)
    return report, partial(assess_risk, report, iteration=iteration, max_iterations=max_iterations, settings=limits)


def _check(question: object, judge: object, method: str, when: str) -> None:
    if not isinstance(question, str):
        raise TypeError(f"question must be a str, got {type(question).__name__}")
    if judge is not None and not callable(getattr(judge, method, None)):
        raise TypeError(f"judge must have the method {method}, got {type(judge).__name__}")
    if not isinstance(when, str):
        raise TypeError(f"when must be a str, got {type(when).__name__}")
    if when not in _WHEN:
        raise ValueError(f"when must be one of {', '.join(_WHEN)}, got {show(when)}")
    if when == "always" and judge is None:
        raise ValueError('when="always" needs a judge')


def _is_asked(when: str, report: CitationReport) -> bool:
    if when == "auto":
        # An empty answer is not looked at, "空答案處理".
        return report.level is not RiskLevel.HIGH and not report.facts.is_empty
    return when == "always" or (when == "moderate_only" and report.level is RiskLevel.MODERATE)
