"""
Holds the results for an answer, for each of its claims, and for each of its citations.

All offsets are code points of the answer as given.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

from groundwire.citations.literal import NOTE_EMPTY, NOTE_NO_CLAIMS
from groundwire.citations.risk_rules import Facts, Policy, RiskLevel, RiskReasonCode, Share
from groundwire.judge.protocol import HallucinationType
from groundwire.pair_scorer import ReaderScore
from groundwire.search_results import Anomaly

__all__ = [
    "CLAIM_STATUSES",
    "FAULTS",
    "FINDINGS",
    "CitationRecord",
    "CitationReport",
    "CitationStatus",
    "CitedClaimStatus",
    "ClaimRecord",
    "Figures",
    "Finding",
    "FoundBy",
    "Records",
]


class CitedClaimStatus(StrEnum):
    """Names how the cited passages relate to a claim."""

    SUPPORTED = "supported"
    WEAK = "weak"
    UNSUPPORTED = "unsupported"
    MISATTRIBUTED = "misattributed"
    CONTRADICTED = "contradicted"
    UNCITED = "uncited"
    UNREAD = "unread"


CLAIM_STATUSES: dict[CitedClaimStatus, str] = {
    CitedClaimStatus.SUPPORTED: "a cited passage supports it",
    CitedClaimStatus.WEAK: "a cited passage supports part of it",
    CitedClaimStatus.UNSUPPORTED: "no passage supports it, cited or not",
    CitedClaimStatus.MISATTRIBUTED: "no cited passage supports it, but another one does",
    CitedClaimStatus.CONTRADICTED: (
        "a cited passage differs in a number, a date or a negation, or a judge quotes a contradiction"
    ),
    CitedClaimStatus.UNCITED: "it cites no existing result",
    CitedClaimStatus.UNREAD: "a cited result has no text, or there are no words to compare",
}


class CitationStatus(StrEnum):
    """Tells whether a cited result exists."""

    VALID = "valid"
    INVALID = "invalid"
    IGNORED = "ignored"


class FoundBy(StrEnum):
    """Names how a hallucination was found."""

    NO_SUCH_ID = "no_such_id"
    NO_CITATION = "no_citation"
    LOW_SUPPORT = "low_support"
    OTHER_SOURCE = "other_source"
    PARTIAL_SUPPORT = "partial_support"
    NUMBER = "number"
    DATE = "date"
    NEGATION = "negation"
    JUDGE = "judge"


FAULTS: dict[FoundBy, HallucinationType] = {
    FoundBy.NO_SUCH_ID: HallucinationType.INVALID_CITATION,
    FoundBy.NO_CITATION: HallucinationType.UNCITED_CLAIM,
    FoundBy.LOW_SUPPORT: HallucinationType.UNSUPPORTED_CLAIM,
    FoundBy.OTHER_SOURCE: HallucinationType.UNSUPPORTED_CLAIM,
    FoundBy.PARTIAL_SUPPORT: HallucinationType.OVER_EXTRAPOLATION,
    FoundBy.NUMBER: HallucinationType.CONTRADICTION,
    FoundBy.DATE: HallucinationType.CONTRADICTION,
    FoundBy.NEGATION: HallucinationType.CONTRADICTION,
}
"""The type of hallucination that each way finds; a judge finds all five."""

FINDINGS: dict[FoundBy, str] = {
    FoundBy.NO_SUCH_ID: "a cited id belongs to no result",
    FoundBy.NO_CITATION: "a long claim cites no existing result",
    FoundBy.LOW_SUPPORT: "no cited passage supports it",
    FoundBy.OTHER_SOURCE: "no cited passage supports it, but another passage does",
    FoundBy.PARTIAL_SUPPORT: "the cited passages support only part of it",
    FoundBy.NUMBER: "the cited passage has a different number",
    FoundBy.DATE: "the cited passage has a different date",
    FoundBy.NEGATION: "only one of claim and cited passage is negated",
    FoundBy.JUDGE: "a judge found it",
}


class Finding(NamedTuple):
    """
    Holds one hallucination, or a suspected one.

    Attributes:
        type: One of the five types.
        found_by: How it was found.
        start, end: Offsets in the answer; None if a judge names words that the answer lacks.
    """

    type: HallucinationType
    found_by: FoundBy
    start: int | None
    end: int | None

    def moved(self, by: int) -> "Finding":
        """Return the finding with offsets in a longer text that has *by* more characters before."""
        return (
            self if self.start is None or self.end is None else self._replace(start=self.start + by, end=self.end + by)
        )


# Named tuples, because there is one for each sentence, and a frozen dataclass takes five times as long to create.
class ClaimRecord(NamedTuple):
    """
    Holds one claim.

    Attributes:
        text: The claim, `answer[start:end]`.
        start, end: Offsets in the answer, without the citations after the claim.
        valid: Cited ids of existing results, each once, in order.
        invalid: Cited ids that belong to no result.
        parent: Ids in `valid` that match only the `parent_id` of a result.
        is_uncited: Whether the claim is long enough to need a citation and has none.
        status: How the cited passages relate to the claim.
        support: The best support by a cited passage, 0.0 to 1.0; None if it was not computed.
        better_source: Id of a source that supports the claim if the cited ones do not.
        findings: Hallucinations in the claim.
        missing: Words of the claim without a counterpart in the best cited passage (ruling D13), in order; empty if
            the claim is supported, or if support was not computed.
        reader: The score of a model that read claim and passage; None if no model was used.
        contradiction: The words of the claim and of the cited passage that contradict each other; None if the rules
            found no contradiction.
    """

    text: str
    start: int
    end: int
    valid: tuple[str, ...]
    invalid: tuple[str, ...]
    parent: tuple[str, ...]
    is_uncited: bool
    status: CitedClaimStatus
    support: float | None
    better_source: str | None
    findings: tuple[Finding, ...]
    missing: tuple[str, ...] = ()
    reader: ReaderScore | None = None
    contradiction: tuple[str, str] | None = None

    def moved(self, by: int) -> "ClaimRecord":
        """Return the claim with offsets in a longer text that has *by* more characters before."""
        findings = tuple(each.moved(by) for each in self.findings)
        return self._replace(start=self.start + by, end=self.end + by, findings=findings)


class CitationRecord(NamedTuple):
    """
    Holds one id of a citation; `[1, 2]` has two.

    Attributes:
        id: The id as written; for a link, the id of the result with its URL, or the URL of a result without an id.
        start, end: Offsets of the whole citation, including brackets.
        status: Whether the result exists.
        matched_by: "id" or "parent_id" of a result (ruling B9), or "url" for a link (ruling B16); None without a
            match.
        claims: Indexes in the report's `claims` of the claims that it belongs to: one, all claims of a table row, or
            none.
        support: The best support of these claims by this source, 0.0 to 1.0; None if it was not computed.
    """

    id: str
    start: int
    end: int
    status: CitationStatus
    matched_by: str | None
    claims: tuple[int, ...]
    support: float | None


class Records(NamedTuple):
    """Holds all claims and citations of an answer, in order."""

    claims: tuple[ClaimRecord, ...]
    citations: tuple[CitationRecord, ...]


class Figures(NamedTuple):
    """
    Counts the citations of an answer.

    Attributes:
        total_claims: Number of claims.
        covered: Number of claims with a valid citation.
        uncited: Number of claims that need a citation and have none.
        valid, invalid, ignored: The distinct ids of each kind, sorted.
    """

    total_claims: int
    covered: int
    uncited: int
    valid: list[str]
    invalid: list[str]
    ignored: list[str]


@dataclass(frozen=True, kw_only=True, eq=False)
class CitationReport:
    """
    Holds the rules' assessment of an answer.

    `citation_ratio`, `claims`, `citations`, `uncited` and `findings` are computed on
    first use; everything else is available at once.

    Attributes:
        level: The level according to the rules, and to contradictions that a judge proved (ruling B17).
        reasons: Stable codes; deciding ones come first.
        anomalies: Anomalies of the results, with their counts.
        facts: The counts that decided.
        figures: Counts of the citations.
        unread_keys: Names of the keys of results without a text, if such a result is cited; at most 20, and never a
            value.
        support_score: Name and hash of the score of support; None for the shipped one, and without passages.
        make_ratio, make_records: Functions that compute the rest.
    """

    level: RiskLevel
    reasons: tuple[RiskReasonCode, ...]
    anomalies: tuple[tuple[Anomaly, int], ...]
    facts: Facts
    figures: Figures = field(repr=False)
    unread_keys: tuple[str, ...] = ()
    support_score: str | None = None
    make_ratio: Callable[[], float] = field(repr=False)
    make_records: Callable[[], Records] = field(repr=False)

    @property
    def policy(self) -> Policy:
        """Return the policy, which selects the rules and the deciding share (ruling B3)."""
        return self.facts.policy

    @property
    def score(self) -> float:
        """Return the risk, 0.0 to 1.0: one minus that share; 0.0 without claims (ruling B7)."""
        return self.facts.score.rounded()

    @property
    def note(self) -> str | None:
        """Return why nothing was assessed, in the specification's words; None if it was."""
        if self.facts.is_empty:
            return NOTE_EMPTY
        return None if self.facts.total_claims else NOTE_NO_CLAIMS

    @property
    def total_claims(self) -> int:
        """Return the number of claims."""
        return self.figures.total_claims

    @property
    def citation_coverage(self) -> float:
        """Return the share of claims with a valid citation, 0.0 to 1.0; 0.0 without claims."""
        return Share(self.figures.covered, self.figures.total_claims or 1).rounded()

    @property
    def valid_citations(self) -> list[str]:
        """Return the distinct cited ids of existing results, sorted."""
        return self.figures.valid

    @property
    def invalid_citations(self) -> list[str]:
        """Return the distinct cited ids that belong to no result, sorted."""
        return self.figures.invalid

    @property
    def ignored(self) -> list[str]:
        """Return bracketed texts that do not look like the ids in use, sorted."""
        return self.figures.ignored

    @cached_property
    def citation_ratio(self) -> float:
        """Return the ratio of distinct valid ids to claims, as in `detect_hallucination`; may exceed 1 (ruling B3)."""
        return round(self.make_ratio(), 12)

    @cached_property
    def _records(self) -> Records:
        return self.make_records()

    @property
    def claims(self) -> tuple[ClaimRecord, ...]:
        """Return all claims in order."""
        return self._records.claims

    @property
    def citations(self) -> tuple[CitationRecord, ...]:
        """Return all citations in order."""
        return self._records.citations

    @cached_property
    def uncited(self) -> tuple[ClaimRecord, ...]:
        """Return all long claims without a citation, in order (ruling B6)."""
        return tuple(claim for claim in self.claims if claim.is_uncited)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Return the hallucinations of each claim, followed by invalid citations outside of claims."""
        found_by = FoundBy.NO_SUCH_ID
        stray = (
            Finding(FAULTS[found_by], found_by, citation.start, citation.end)
            for citation in self.citations
            if citation.status is CitationStatus.INVALID and not citation.claims
        )
        return (*(finding for claim in self.claims for finding in claim.findings), *stray)

    def __reduce__(self) -> tuple[Callable[..., "CitationReport"], tuple[dict[str, object]]]:
        """Pickle the results, without the functions that compute them."""
        state = {each.name: getattr(self, each.name) for each in fields(self)}
        state |= {"make_ratio": self.citation_ratio, "make_records": self._records}
        return _restored, (state,)


def _restored(state: dict[str, Any]) -> CitationReport:
    ratio, records = state["make_ratio"], state["make_records"]
    return CitationReport(**state | {"make_ratio": lambda: ratio, "make_records": lambda: records})
