"""
Decides what to do with an answer, from its report and an optional judgement.

The higher risk of the two counts. A judge that fails changes only `judge_status` (ruling B11). This module calls no
judge; `groundwire.citations.pipeline` does.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from groundwire import telemetry
from groundwire.citations.assessment import check_settings, find_claims, mark_contradicted
from groundwire.citations.report import CitationReport, CitedClaimStatus, Finding, FoundBy, Records
from groundwire.citations.risk_rules import (
    FORCED_ACCEPT_WITHIN_PRINTED,
    Facts,
    JudgeInputs,
    Policy,
    RiskLevel,
    RiskReasonCode,
    RiskThresholds,
    Share,
    decide,
)
from groundwire.evidence.schema import check_count
from groundwire.judge.protocol import (
    HallucinationType,
    JudgeDecision,
    JudgeIssue,
    Judgement,
    JudgeStatus,
    has_readable_issues,
)

__all__ = ["ACTIONS", "Action", "RiskAssessment", "assess_risk", "check_iterations"]

_DECISIONS = frozenset(JudgeDecision)


class Action(StrEnum):
    """Names the decision on an answer."""

    ACCEPT = "accept"
    REFINE_SEARCH = "refine_search"
    REJECT = "reject"


ACTIONS: dict[RiskLevel, Action] = {
    RiskLevel.LOW: Action.ACCEPT,
    RiskLevel.MODERATE: Action.REFINE_SEARCH,
    RiskLevel.HIGH: Action.REJECT,
    RiskLevel.NOT_ASSESSED: Action.ACCEPT,
}
"""
The action for each level, "風險分級". With the policy "coverage", the search is also refined for an answer without
claims if it is empty, if it cites a result without a text, or if no result has a text.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskAssessment:
    """
    Holds the risk of an answer, and the action to take.

    Attributes:
        score: The risk, 0.0 to 1.0: the higher of the rules' score and the judge's.
        level: The level of risk, which the iteration limit does not change (ruling B13).
        action: The action to take.
        accepted: Whether the action is to accept the answer.
        forced: Whether the answer is accepted only because no iterations are left.
        judge_status: Whether there is a judgement.
        reasons: Stable codes; deciding ones come first.
        report: The rules' report; a contradiction that the judge proved marks its claim as contradicted.
        judgement: The judgement, or the failed one with its error; None without a judge.
    """

    score: float
    level: RiskLevel
    action: Action
    accepted: bool
    forced: bool
    judge_status: JudgeStatus
    reasons: tuple[RiskReasonCode, ...]
    report: CitationReport
    judgement: Judgement | None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Return the hallucinations that the rules found, followed by those of the judge."""
        if self.judgement is None or self.judge_status is not JudgeStatus.OK:
            return self.report.findings
        judged = (finding for issue in _issues(self.judgement) for finding in self._findings_of(issue))
        return (*self.report.findings, *(finding for finding in judged if finding not in self.report.findings))

    def _findings_of(self, issue: JudgeIssue) -> list[Finding]:
        claims = self.report.claims
        meant = [claims[place] for place in find_claims(issue.claim, claims)]
        if not meant:
            return [Finding(issue.type, FoundBy.JUDGE, None, None)]
        return [Finding(issue.type, FoundBy.JUDGE, claim.start, claim.end) for claim in meant]


def assess_risk(
    report: CitationReport,
    judgement: Judgement | None = None,
    *,
    iteration: int | None = None,
    max_iterations: int | None = None,
    settings: RiskThresholds | None = None,
) -> RiskAssessment:
    """
    Return the risk of an answer and the action to take.

    A judgement can raise the level but never lower it. A failed judgement, or one
    with numbers outside 0 to 1, is ignored, and `judge_status` is "error".

    Args:
        report: The rules' report.
        judgement: A judge's result.
        iteration: Number of this round of searching and answering, from 1.
        max_iterations: Number of the last round. In that round, an answer is accepted
            whatever its risk, and `forced` is set. The policy "spec" does this three
            rounds earlier, but only if the rules' score is above 0.6, as specified
            (rulings B13, B18).
        settings: Limits of the risk levels; None for the defaults.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: Only one of *iteration* and *max_iterations* is given, or one is out of range.
    """
    limits = check_settings(settings)
    if not isinstance(report, CitationReport):
        raise TypeError(f"report must be a CitationReport, got {type(report).__name__}")
    if judgement is not None and not isinstance(judgement, Judgement):
        raise TypeError(f"judgement must be a Judgement or None, got {type(judgement).__name__}")
    left = check_iterations(iteration, max_iterations)
    judge_inputs = None if judgement is None else _read_inputs(judgement)
    status = JudgeStatus.NOT_RUN if judgement is None else _status(judgement, judge_inputs)
    facts = report.facts._replace(judge=judge_inputs)
    level, reasons = decide(facts, limits)
    if status is JudgeStatus.ERROR:
        reasons = (*reasons, RiskReasonCode.JUDGE_FAILED)
    action = _action(level, facts)
    if action is not ACTIONS[level] and facts.unread:
        reasons = (*reasons, RiskReasonCode.UNREAD)
    is_forced = action is not Action.ACCEPT and left is not None and _is_forced(facts, limits, left)
    assessment = RiskAssessment(
        score=_score(facts),
        level=level,
        action=Action.ACCEPT if is_forced else action,
        accepted=is_forced or action is Action.ACCEPT,
        forced=is_forced,
        judge_status=status,
        reasons=(*reasons, RiskReasonCode.NEAR_LIMIT) if is_forced else reasons,
        report=report if judgement is None or judge_inputs is None else _with_contradictions(report, judgement, limits),
        judgement=judgement,
    )
    _log(assessment)
    return assessment


def check_iterations(iteration: int | None, max_iterations: int | None) -> int | None:
    """
    Return the number of iterations left after this one; None if neither number is given.

    Raises:
        TypeError: A number is not an int.
        ValueError: Only one number is given, or one is negative.
    """
    if iteration is None and max_iterations is None:
        return None
    for name, value in (("max_iterations", max_iterations), ("iteration", iteration)):
        if value is None:
            raise ValueError(f"iteration and max_iterations belong together; {name} is missing")
    return check_count("max_iterations", max_iterations) - check_count("iteration", iteration)


def _read_inputs(judgement: Judgement) -> JudgeInputs | None:
    """Return the judge's result; None if the judgement failed or is malformed (ruling B11)."""
    risk, confidence = judgement.hallucination_risk, judgement.confidence
    if judgement.status != JudgeStatus.OK or risk is None or not _is_readable(judgement):
        return None
    return JudgeInputs(
        Share.of(risk),
        None if confidence is None else Share.of(confidence),
        frozenset(HallucinationType(issue.type) for issue in _issues(judgement)),
        None if judgement.decision is None else JudgeDecision(judgement.decision),
    )


def _is_readable(judgement: Judgement) -> bool:
    """Tell whether a judgement is well-formed, because custom judges may return anything."""
    decision = judgement.decision
    return (
        _is_share(judgement.hallucination_risk)
        and (judgement.confidence is None or _is_share(judgement.confidence))
        and (decision is None or (isinstance(decision, str) and decision in _DECISIONS))
        and has_readable_issues(judgement)
    )


def _issues(judgement: Judgement) -> list[JudgeIssue]:
    """Return the issues that count; a quote that no source contains voids its issue (ruling B12)."""
    return [issue for issue in judgement.issues if issue.grounded is not False]


def _with_contradictions(report: CitationReport, judgement: Judgement, limits: RiskThresholds) -> CitationReport:
    """Return *report* with the contradictions that the judge proved by a quote from a source."""
    proven = [issue for issue in _issues(judgement) if issue.type == HallucinationType.CONTRADICTION and issue.grounded]
    if not proven:
        return report
    claims = report.claims
    places = {place for issue in proven for place in find_claims(issue.claim, claims)}
    records = Records(
        tuple(mark_contradicted(claim) if place in places else claim for place, claim in enumerate(claims)),
        report.citations,
    )
    contradicted = sum(claim.status is CitedClaimStatus.CONTRADICTED for claim in records.claims)
    facts = report.facts._replace(contradicted=max(contradicted, report.facts.contradicted))
    level, reasons = decide(facts, limits)
    return replace(report, level=level, reasons=reasons, facts=facts, make_records=lambda: records)


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and 0.0 <= value <= 1.0


def _status(judgement: Judgement, inputs: JudgeInputs | None) -> JudgeStatus:
    if inputs is not None:
        return JudgeStatus.OK
    return JudgeStatus.NOT_RUN if judgement.status == JudgeStatus.NOT_RUN else JudgeStatus.ERROR


def _score(facts: Facts) -> float:
    score = facts.score.rounded()
    return score if facts.judge is None else max(score, facts.judge.risk.rounded())


def _action(level: RiskLevel, facts: Facts) -> Action:
    action = ACTIONS[level]
    # The specified rules find no risk in an answer without claims (ruling B7). The policy "coverage" rejects one that
    # could not be read, because no answer is accepted with unread sources (ruling B15).
    is_empty = level is RiskLevel.NOT_ASSESSED and (facts.is_empty or not facts.has_text)
    is_unread = facts.unread > 0 or (is_empty and facts.policy is Policy.COVERAGE)
    return Action.REFINE_SEARCH if action is Action.ACCEPT and is_unread else action


def _is_forced(facts: Facts, limits: RiskThresholds, left: int) -> bool:
    """Tell whether an answer is accepted despite its risk, with *left* iterations after this one."""
    if facts.policy is Policy.SPEC:
        # The specification uses the rules' score here, so that a higher risk from a judge never leads to acceptance
        # (ruling B18).
        return left <= FORCED_ACCEPT_WITHIN_PRINTED and facts.score.is_above(limits.high_above)
    return left <= limits.forced_accept_within


def _log(assessment: RiskAssessment) -> None:
    facts = assessment.report.facts
    telemetry.risk_assessed(
        policy=facts.policy,
        score=assessment.score,
        level=assessment.level,
        action=assessment.action,
        forced=assessment.forced,
        judge_status=assessment.judge_status,
        reasons=assessment.reasons,
        total_claims=facts.total_claims,
        valid_count=len(assessment.report.valid_citations),
        invalid_count=facts.invalid,
        uncited_count=facts.uncited,
    )
