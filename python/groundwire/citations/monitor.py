"""
Monitors a system that cites, with four figures over many answers.

All counts are integers, so the order of recording and merging makes no difference. No text of an answer is kept.
Source: citation-risk, "日誌和監控".
"""

import threading
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from enum import StrEnum

from groundwire import telemetry
from groundwire.citations.risk import Action, RiskAssessment
from groundwire.citations.risk_rules import SCALE, RiskLevel, Share
from groundwire.judge.protocol import JudgeStatus

__all__ = ["RiskCounts", "RiskMonitor"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskCounts:
    """
    Holds counts, which can be added.

    Attributes:
        low, moderate, high, not_assessed: Number of answers of each level.
        accept, refine_search, reject: Number of answers for each action.
        forced: Number of answers accepted only because no iterations were left.
        judge_not_run, judge_ok, judge_error: Number of answers for each status of the judge.
        score_parts: Sum of all scores, in units of 10^-12.
        claims: Number of claims of all answers.
        uncited_claims: Number of long claims without a citation.
        unread_claims: Number of claims, and of citations outside of claims, whose passages could not be read.
        valid_citations, invalid_citations: Number of distinct cited ids of each answer
            that belong to a result, and that do not.
        answers_with_invalid: Answers with at least one invalid citation.
        answers_with_uncited: Answers with at least one long claim without a citation.
    """

    low: int = 0
    moderate: int = 0
    high: int = 0
    not_assessed: int = 0
    accept: int = 0
    refine_search: int = 0
    reject: int = 0
    forced: int = 0
    judge_not_run: int = 0
    judge_ok: int = 0
    judge_error: int = 0
    score_parts: int = 0
    claims: int = 0
    uncited_claims: int = 0
    unread_claims: int = 0
    valid_citations: int = 0
    invalid_citations: int = 0
    answers_with_invalid: int = 0
    answers_with_uncited: int = 0

    @classmethod
    def of(cls, assessment: RiskAssessment) -> "RiskCounts":
        """Return the counts of one answer."""
        facts = assessment.report.facts
        ones = {assessment.level.value, assessment.action.value, f"judge_{assessment.judge_status.value}"}
        return cls(
            forced=int(assessment.forced),
            score_parts=Share.of(assessment.score).part,
            claims=facts.total_claims,
            uncited_claims=facts.uncited,
            unread_claims=facts.unread,
            valid_citations=len(assessment.report.valid_citations),
            invalid_citations=facts.invalid,
            answers_with_invalid=int(facts.invalid > 0),
            answers_with_uncited=int(facts.uncited > 0),
            **dict.fromkeys(ones, 1),
        )

    def __add__(self, other: "RiskCounts") -> "RiskCounts":
        if not isinstance(other, RiskCounts):
            return NotImplemented
        names = [each.name for each in fields(self)]
        return RiskCounts(**{name: getattr(self, name) + getattr(other, name) for name in names})

    @property
    def answers(self) -> int:
        """Return the number of answers."""
        return self.low + self.moderate + self.high + self.not_assessed

    @property
    def mean_score(self) -> float | None:
        """Return the mean risk, 0.0 to 1.0; None without answers."""
        return _rate(self.score_parts, self.answers * SCALE)

    @property
    def high_risk_share(self) -> float | None:
        """Return the share of answers with high risk; None without answers."""
        return _rate(self.high, self.answers)

    @property
    def invalid_citation_rate(self) -> float | None:
        """Return the share of cited ids that belong to no result; None without citations."""
        return _rate(self.invalid_citations, self.valid_citations + self.invalid_citations)

    @property
    def uncited_claim_rate(self) -> float | None:
        """Return the share of claims that are long and have no citation; None without claims."""
        return _rate(self.uncited_claims, self.claims)


class RiskMonitor:
    """
    Counts assessments. Any number of threads may record, merge and read.

    Args:
        counts: Initial counts, for example those of another process.
    """

    def __init__(self, counts: RiskCounts | None = None) -> None:
        self._lock = threading.Lock()
        self._counts = RiskCounts() if counts is None else counts

    @property
    def counts(self) -> RiskCounts:
        """Return the counts so far."""
        with self._lock:
            return self._counts

    def record(self, assessment: RiskAssessment) -> None:
        """Count one answer."""
        self._add(RiskCounts.of(assessment))

    def merge(self, other: "RiskMonitor | RiskCounts") -> None:
        """Add the counts of *other*, which does not change."""
        self._add(other.counts if isinstance(other, RiskMonitor) else other)

    def as_json(self) -> str:
        """Return figures and counts as a JSON object; a figure with a zero denominator is null."""
        import json

        counts = self.counts
        return json.dumps({name: getattr(counts, name) for name in ("answers", *_FIGURES)} | asdict(counts))

    def as_prometheus(self) -> str:
        """Return figures and counts in Prometheus' text format 0.0.4; a figure with a zero denominator is NaN."""
        return telemetry.prometheus_text(_metrics(self.counts))

    def _add(self, counts: RiskCounts) -> None:
        with self._lock:
            self._counts = self._counts + counts


_FIGURES = {
    "mean_score": "Mean risk score of the answers, 0 to 1.",
    "high_risk_share": "Share of answers with high risk.",
    "invalid_citation_rate": "Share of cited ids that belong to no result.",
    "uncited_claim_rate": "Share of claims that are long and have no citation.",
}
_TOTALS = {
    "forced": "Answers accepted because no iterations were left.",
    "claims": "Claims of all answers.",
    "uncited_claims": "Long claims without a citation.",
    "unread_claims": "Claims whose cited passages could not be read.",
    "valid_citations": "Distinct cited ids of each answer that belong to a result.",
    "invalid_citations": "Distinct cited ids of each answer that belong to no result.",
    "answers_with_invalid": "Answers with an invalid citation.",
    "answers_with_uncited": "Answers with a long claim without a citation.",
}


def _rate(part: int, whole: int) -> float | None:
    return Share(part, whole).rounded() if whole else None


def _metrics(counts: RiskCounts) -> Iterator[tuple[str, str, str, Mapping[str, str]]]:
    def labelled(label: str, values: type[StrEnum], prefix: str = "") -> dict[str, str]:
        return {f'{{{label}="{each}"}}': repr(getattr(counts, f"{prefix}{each}")) for each in values}

    yield "answers_total", "counter", "Answers assessed, by level of risk.", labelled("level", RiskLevel)
    yield "actions_total", "counter", "Answers assessed, by action.", labelled("action", Action)
    judged = "Answers assessed, by status of the judge."
    yield "judgements_total", "counter", judged, labelled("status", JudgeStatus, "judge_")
    # Formatted from the integer, because a float would lose the last digits of the sum.
    total = f"{counts.score_parts // SCALE}.{counts.score_parts % SCALE:012}"
    yield "risk_score", "summary", "Risk scores of the answers.", {"_sum": total, "_count": repr(counts.answers)}
    for name, words in _TOTALS.items():
        yield f"{name}_total", "counter", words, {"": repr(getattr(counts, name))}
    for name, words in _FIGURES.items():
        figure = getattr(counts, name)
        yield name, "gauge", words, {"": "NaN" if figure is None else repr(figure)}
