"""Builds the citation report from assessments, and cuts answers into rows."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from groundwire.citations import (
    ANOMALIES,
    CitationRecord,
    CitedClaimStatus,
    ClaimRecord,
    Finding,
    RiskAssessment,
    RiskCounts,
    RiskMonitor,
    RiskThresholds,
    assess_answer,
    explain_finding,
    explain_risk,
)
from groundwire.citations.assessment import check_policy
from groundwire.judge.protocol import Judge, JudgeIssue, Judgement
from groundwire.pair_scorer import PairScorer
from groundwire.report.cite.model import (
    AnswerReport,
    CitationEntry,
    CitationFinding,
    CiteReport,
    CiteSettings,
    CiteSummary,
    ClaimEntry,
    JudgeIssueEntry,
    JudgementReport,
    JudgeUsage,
    QuestionType,
    ResultAnomaly,
    RiskReason,
    SourceEntry,
    SourceQuality,
    When,
)
from groundwire.report.model import SCHEMA_VERSION, read_score, tool
from groundwire.report.spans import Lines
from groundwire.search_results import SearchResults, read_results
from groundwire.support_score import chosen_score

if TYPE_CHECKING:
    from groundwire.settings import RiskSettings
    from groundwire.support_score import SupportScore

_Kind: TypeAlias = tuple[QuestionType, SourceQuality]


class Case(NamedTuple):
    """
    Holds an answer with its search results.

    Attributes:
        answer: The answer of a model.
        results: The search results, as for `groundwire.citations.assess_citations`.
        question: The question; None if it is unknown.
        id: Identifier in the input.
        name: Name of the file.
        line: Line of a batch, from 1.
        iteration: See `groundwire.citations.assess_risk`.
        max_iterations: See `groundwire.citations.assess_risk`.
        question_type: Type of question, which selects the limits of risk; see
            `groundwire.citations.RiskThresholds.of`.
        source_quality: Quality of the sources, which shifts these limits.
    """

    answer: str
    results: SearchResults
    question: str | None = None
    id: str | None = None
    name: str | None = None
    line: int | None = None
    iteration: int | None = None
    max_iterations: int | None = None
    question_type: QuestionType = "factual"
    source_quality: SourceQuality = "ordinary"


def build_cite_report(
    cases: Sequence[Case],
    *,
    policy: str = "coverage",
    judge: Judge | None = None,
    when: When = "auto",
    settings: "RiskSettings | None" = None,
    reader: PairScorer | None = None,
    model: str | None = None,
    score: "SupportScore | None" = None,
    workers: int = 1,
    monitor: RiskMonitor | None = None,
    on_progress: Callable[[int], object] = lambda _: None,
) -> CiteReport:
    """
    Assess answers, their claims and their citations.

    Args:
        cases: The answers, which are assessed and reported in this order.
        policy: See `groundwire.citations.assess_citations`.
        judge: The judge; None for the rules alone.
        when: When to call the judge; see `groundwire.citations.assess_answer`.
        settings: Limits of the risk levels; None for the defaults.
        reader: See `groundwire.citations.assess_citations`.
        model: Name of the judge in the report.
        score: The score of support; None for the shipped one.
        workers: Number of answers assessed at once, which pays if a judge waits for a server.
        monitor: A monitor that counts the answers as well.
        on_progress: Called with the number of answers done since the last call.

    Raises:
        TypeError, ValueError: As `groundwire.citations.assess_answer`.
    """
    rules, chosen = check_policy(policy), chosen_score(score)
    own = RiskMonitor()
    answers = []
    limits_of = _limits(cases, settings)
    assess = partial(_assess, policy=policy, judge=judge, when=when, limits_of=limits_of, score=chosen, reader=reader)
    for number, (case, assessment) in enumerate(zip(cases, _map(assess, cases, workers), strict=True), start=1):
        own.record(assessment)
        answers.append(_answer(number, case, assessment, limits_of[_kind(case)]))
        on_progress(1)
    if monitor is not None:
        monitor.merge(own)
    return CiteReport(
        schema_version=SCHEMA_VERSION,
        tool=tool(),
        settings=CiteSettings(
            policy=rules,
            judge="never" if judge is None else when,
            model=model,
            support_score=chosen.identity,
        ),
        answers=tuple(answers),
        summary=_summary(answers, own.counts),
    )


def _kind(case: Case) -> _Kind:
    return case.question_type, case.source_quality


def _limits(cases: Sequence[Case], settings: "RiskSettings | None") -> dict[_Kind, RiskThresholds]:
    """Return the limits for each kind of answer that occurs."""
    return {
        (question, quality): RiskThresholds.of(settings, question_type=question, source_quality=quality)
        for question, quality in {_kind(case) for case in cases}
    }


def _assess(
    case: Case,
    *,
    policy: str,
    judge: Judge | None,
    when: When,
    limits_of: Mapping[_Kind, RiskThresholds],
    score: "SupportScore",
    reader: PairScorer | None,
) -> RiskAssessment:
    return assess_answer(
        case.question or "",
        case.answer,
        case.results,
        judge=judge,
        when=when,
        iteration=case.iteration,
        max_iterations=case.max_iterations,
        policy=policy,
        settings=limits_of[_kind(case)],
        score=score,
        reader=reader,
    )


def _map(assess: Callable[[Case], RiskAssessment], cases: Sequence[Case], workers: int) -> Iterator[RiskAssessment]:
    """Assess *cases* in order, several at once with more than one worker."""
    if workers == 1:
        yield from map(assess, cases)
        return
    pool = ThreadPoolExecutor(workers)
    try:
        yield from pool.map(assess, cases)
    finally:
        # An interrupt does not wait for cases that have not started.
        pool.shutdown(wait=False, cancel_futures=True)


def _answer(number: int, case: Case, assessment: RiskAssessment, limits: RiskThresholds) -> AnswerReport:
    report = assessment.report
    return AnswerReport(
        number=number,
        id=case.id,
        name=case.id or case.name or f"line {case.line or number}",
        line=case.line,
        question=case.question,
        chars=len(case.answer),
        iteration=case.iteration,
        max_iterations=case.max_iterations,
        question_type=case.question_type,
        source_quality=case.source_quality,
        moderate_above=limits.moderate_above,
        high_above=limits.high_above,
        level=assessment.level,
        score=assessment.score,
        action=assessment.action,
        accepted=assessment.accepted,
        forced=assessment.forced,
        judge_status=assessment.judge_status,
        reasons=tuple(
            RiskReason(code=code, words=words)
            for code, words in zip(assessment.reasons, explain_risk(assessment, limits), strict=True)
        ),
        note=report.note,
        citation_coverage=report.citation_coverage,
        citation_ratio=report.citation_ratio,
        total_claims=report.total_claims,
        valid_citations=tuple(report.valid_citations),
        invalid_citations=tuple(report.invalid_citations),
        ignored=tuple(report.ignored),
        claims=claim_entries(case.answer, report.claims, limits),
        citations=tuple(_citation(each) for each in report.citations),
        findings=_answer_findings(assessment, limits),
        sources=_sources(case, {*report.valid_citations}),
        anomalies=tuple(
            ResultAnomaly(code=code, words=ANOMALIES[code], count=count) for code, count in report.anomalies
        ),
        unread_keys=report.unread_keys,
        judgement=judgement_entry(assessment.judgement),
    )


def _citation(record: CitationRecord) -> CitationEntry:
    return CitationEntry(
        id=record.id,
        start=record.start,
        end=record.end,
        status=record.status,
        matched_by=record.matched_by,
        claims=tuple(place + 1 for place in record.claims),
        support=record.support,
    )


def _sources(case: Case, cited: set[str]) -> tuple[SourceEntry, ...]:
    results = read_results(case.results)
    rows = zip(results.ids, results.parent_ids, results.titles, results.passages, strict=True)
    return tuple(
        SourceEntry(
            number=number,
            id=id_,
            parent_id=parent,
            title=title or None,
            chars=None if passage is None else len(passage),
            is_cited=not cited.isdisjoint({id_, parent, results.name(number - 1)} - {None}),
        )
        for number, (id_, parent, title, passage) in enumerate(rows, start=1)
    )


def _summary(answers: Sequence[AnswerReport], counts: RiskCounts) -> CiteSummary:
    statuses = Counter(claim.status for answer in answers for claim in answer.claims)
    accepted = sum(answer.accepted for answer in answers)
    return CiteSummary(
        answers=len(answers),
        accepted=accepted,
        forced=counts.forced,
        rejected=len(answers) - accepted,
        low=counts.low,
        moderate=counts.moderate,
        high=counts.high,
        not_assessed=counts.not_assessed,
        judge_not_run=counts.judge_not_run,
        judge_ok=counts.judge_ok,
        judge_error=counts.judge_error,
        claims=statuses.total(),
        **{status.value: statuses[status] for status in CitedClaimStatus},
        mean_score=counts.mean_score,
        high_risk_share=counts.high_risk_share,
        invalid_citation_rate=counts.invalid_citation_rate,
        uncited_claim_rate=counts.uncited_claim_rate,
    )


def _answer_findings(assessment: RiskAssessment, limits: RiskThresholds) -> tuple[CitationFinding, ...]:
    """Return the findings of an answer in words, with the values of the claims that they are about."""
    owners = {finding: claim for claim in assessment.report.claims for finding in claim.findings}
    return tuple(_finding(each, owners.get(each), limits) for each in assessment.findings)


def _finding(finding: Finding, claim: ClaimRecord | None, limits: RiskThresholds) -> CitationFinding:
    words = explain_finding(finding, claim, limits)
    return CitationFinding(
        type=finding.type, found_by=finding.found_by, words=words, start=finding.start, end=finding.end
    )


def claim_entries(answer: str, claims: Sequence[ClaimRecord], limits: RiskThresholds) -> tuple[ClaimEntry, ...]:
    """Return *claims* with their lines in *answer*."""
    lines = Lines(answer)
    return tuple(_claim(number, each, lines, limits) for number, each in enumerate(claims, start=1))


def _claim(number: int, record: ClaimRecord, lines: Lines, limits: RiskThresholds) -> ClaimEntry:
    line, column = lines.locate(record.start)
    return ClaimEntry(
        number=number,
        text=record.text,
        start=record.start,
        end=record.end,
        line=line,
        column=column,
        status=record.status,
        support=record.support,
        valid=record.valid,
        invalid=record.invalid,
        parent=record.parent,
        is_uncited=record.is_uncited,
        better_source=record.better_source,
        findings=tuple(_finding(each, record, limits) for each in record.findings),
        missing=record.missing,
        reader=read_score(record.reader),
    )


def judgement_entry(judgement: Judgement | None) -> JudgementReport | None:
    """Return the judgement; None without a judge."""
    if judgement is None:
        return None
    usage = judgement.usage
    return JudgementReport(
        error=judgement.error,
        model=judgement.model,
        prompt_version=judgement.prompt_version,
        score=judgement.score,
        confidence=judgement.confidence,
        decision=judgement.decision,
        hallucination_risk=judgement.hallucination_risk,
        reasoning=judgement.reasoning,
        hallucination_notes=judgement.hallucination_notes,
        issues=tuple(map(_issue, judgement.issues)),
        void_issues=tuple(map(_issue, judgement.void_issues)),
        usage=JudgeUsage(
            calls=usage.calls,
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
            cost=usage.cost,
            cached=usage.cached,
        ),
    )


def _issue(issue: JudgeIssue) -> JudgeIssueEntry:
    return JudgeIssueEntry(type=issue.type, claim=issue.claim, evidence=issue.evidence, grounded=issue.grounded)


_LINE_END = re.compile(r"[\r\n]+")
_SPACE = re.compile(r"\s")


class AnswerRow(NamedTuple):
    """Holds a span of the answer, end excluded, and its claim; None for text without a claim."""

    start: int
    end: int
    claim: ClaimEntry | None


def split_rows(answer: str, claims: Sequence[ClaimEntry], citations: Sequence[CitationEntry]) -> list[AnswerRow]:
    """
    Split *answer* into rows, one for each claim; the rows make up the whole answer.

    A row ends with its line, or after the citations of its claim if the next claim is
    on the same line. Text before a claim, such as a heading, belongs to its row.
    """
    if not claims:
        return [AnswerRow(0, len(answer), None)]
    tails = _tails(claims, citations)
    cuts = [_cut(answer, tail, claim.start) for tail, claim in zip(tails, claims[1:], strict=False)]
    line_end = _LINE_END.search(answer, tails[-1])
    last = line_end.end() if line_end else len(answer)
    bounds = [0, *cuts, last]
    rows = [AnswerRow(start, end, claim) for (start, end), claim in zip(pairwise(bounds), claims, strict=True)]
    return (
        [*rows, AnswerRow(last, len(answer), None)]
        if answer[last:].strip()
        else [*rows[:-1], rows[-1]._replace(end=len(answer))]
    )


def _tails(claims: Sequence[ClaimEntry], citations: Sequence[CitationEntry]) -> list[int]:
    """Return the end of the citations after each claim, at most the start of the next claim."""
    tails = []
    place = 0
    starts = [*(claim.start for claim in claims[1:]), max((each.end for each in citations), default=0) + 1]
    for claim, following in zip(claims, starts, strict=True):
        tail = claim.end
        while place < len(citations) and citations[place].start < following:
            if claim.number in citations[place].claims:
                tail = max(tail, citations[place].end)
            place += 1
        tails.append(tail)
    return tails


def _cut(answer: str, tail: int, following: int) -> int:
    """Return the end of the row, between the end of one claim and the start of the next."""
    if tail >= following:
        return following
    line_end = _LINE_END.search(answer, tail, following)
    if line_end is not None:
        return line_end.end()
    space = _SPACE.search(answer, tail, following)
    return following if space is None else space.end()
