"""
Returns the findings in an answer as spans in the shape of LettuceDetect.

Its detectors return a list of dicts with `start`, `end`, `text` and `confidence`, and with `category` and `subcategory`
where they type a span. Programs that mark, count or score such spans can read these.
"""

from collections.abc import Iterator
from typing import TypedDict

from groundwire.citations.reader import LACKS
from groundwire.citations.report import CitationReport, CitedClaimStatus, ClaimRecord, Finding
from groundwire.citations.risk import RiskAssessment

__all__ = ["FlaggedSpan", "flagged_spans"]


class FlaggedSpan(TypedDict):
    """
    Holds words of an answer that its sources do not support.

    Keys:
        start, end: Offsets in the answer, in code points, end excluded.
        text: `answer[start:end]`.
        category: A `HallucinationType`, such as "contradiction"; or "unread" for a claim that was not compared.
        subcategory: How it was found: a `FoundBy`, such as "number"; None for "unread".
        confidence: One minus the consistency that a reader model found, 0.0 to 1.0; None for findings of rules and
            judges, which have no probability.
    """

    start: int
    end: int
    text: str
    category: str
    subcategory: str | None
    confidence: float | None


def flagged_spans(
    answer: str, assessment: CitationReport | RiskAssessment, *, include_unread: bool = True
) -> list[FlaggedSpan]:
    """
    Return the words of *answer* that its sources do not support, in the shape of LettuceDetect, left to right.

    Each finding is one span, so spans may share words. An issue of a judge about words that the answer lacks has no
    span; `RiskAssessment.findings` lists it.

    Args:
        answer: The text that was assessed.
        assessment: The result of `assess_citations` or `assess_answer`.
        include_unread: Whether claims that could not be compared are spans too. If they are left out, an empty list no
            longer means that all claims were read.

    Raises:
        TypeError: An argument has another type.
        ValueError: *answer* is another text than the assessed one.
    """
    if not isinstance(answer, str):
        raise TypeError(f"answer must be a str, got {type(answer).__name__}")
    if not isinstance(assessment, CitationReport | RiskAssessment):
        got = type(assessment).__name__
        raise TypeError(f"assessment must be a CitationReport or a RiskAssessment, got {got}")
    claims = (assessment.report if isinstance(assessment, RiskAssessment) else assessment).claims
    if any(answer[claim.start : claim.end] != claim.text for claim in claims):
        raise ValueError("answer must be the text that was assessed")
    owners = {finding: claim for claim in claims for finding in claim.findings}
    spans = [*_of_findings(answer, assessment.findings, owners)]
    if include_unread:
        spans += (_span(answer, claim.start, claim.end, "unread") for claim in claims if _is_unread(claim))
    return sorted(spans, key=lambda span: (span["start"], span["end"]))


def _of_findings(
    answer: str, findings: tuple[Finding, ...], owners: dict[Finding, ClaimRecord]
) -> Iterator[FlaggedSpan]:
    for each in findings:
        if each.start is None or each.end is None:
            continue
        span = _span(answer, each.start, each.end, each.type.value, each.found_by.value)
        owner = owners.get(each)
        if owner is not None and owner.reader is not None and each.found_by in LACKS:
            span["confidence"] = round(1.0 - owner.reader.score, 12)
        yield span


def _span(answer: str, start: int, end: int, category: str, subcategory: str | None = None) -> FlaggedSpan:
    return FlaggedSpan(
        start=start, end=end, text=answer[start:end], category=category, subcategory=subcategory, confidence=None
    )


def _is_unread(claim: ClaimRecord) -> bool:
    return claim.status is CitedClaimStatus.UNREAD
