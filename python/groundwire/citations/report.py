"""
What is said of an answer, of each of its claims, and of each of its citations.

All offsets are code points of the answer as it was given.
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
    """How a claim stands to what it cites."""

    SUPPORTED = "supported"
    WEAK = "weak"
    UNSUPPORTED = "unsupported"
    MISATTRIBUTED = "misattributed"
    CONTRADICTED = "contradicted"
    UNCITED = "uncited"
    UNREAD = "unread"


CLAIM_STATUSES: dict[CitedClaimStatus, str] = {
    CitedClaimStatus.SUPPORTED: "a passage that it cites has its content",
    CitedClaimStatus.WEAK: "a passage that it cites has some of its content",
    CitedClaimStatus.UNSUPPORTED: "no passage that it cites has its content, and no other does",
    CitedClaimStatus.MISATTRIBUTED: "no passage that it cites has its content, and another one does",
    CitedClaimStatus.CONTRADICTED: (
        "a passage that it cites has another number, another date or a negation, or a judge quotes what contradicts it"
    ),
    CitedClaimStatus.UNCITED: "it cites nothing that is there",
    CitedClaimStatus.UNREAD: "a result that it cites has no text, or there are no words to compare",
}


class CitationStatus(StrEnum):
    """Whether what a citation names is there."""

    VALID = "valid"
    INVALID = "invalid"
    IGNORED = "ignored"


class FoundBy(StrEnum):
    """How a hallucination was found."""

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
"""The type that each way finds; a judge finds all five."""

FINDINGS: dict[FoundBy, str] = {
    FoundBy.NO_SUCH_ID: "an id is cited that no result has",
    FoundBy.NO_CITATION: "a long claim cites nothing that is there",
    FoundBy.LOW_SUPPORT: "the cited passages lack its content",
    FoundBy.OTHER_SOURCE: "the cited passages lack its content, and another one has it",
    FoundBy.PARTIAL_SUPPORT: "the cited passages have only some of its content",
    FoundBy.NUMBER: "the cited passage has another number there",
    FoundBy.DATE: "the cited passage has another date there",
    FoundBy.NEGATION: "one of claim and cited passage has a negation that the other lacks",
    FoundBy.JUDGE: "the judge says so",
}


class Finding(NamedTuple):
    """
    One hallucination, or what looks like it.

    Attributes:
        type: Which of the five it is.
        found_by: How it was found.
        start, end: Where in the answer; None where a judge names words that are not in it.
    """

    type: HallucinationType
    found_by: FoundBy
    start: int | None
    end: int | None


# Named tuples, as there is one for each sentence: a frozen dataclass takes five times as long to make.
class ClaimRecord(NamedTuple):
    """
    One claim.

    Attributes:
        text: Its words, as `answer[start:end]`.
        start, end: Where it stands, without the citations behind it.
        valid: Ids that it cites and that are there, each once, in their order.
        invalid: Ids that it cites and that are not.
        parent: Those of `valid` that are the `parent_id` of a result, and no result's `id`.
        is_uncited: Whether it needs a citation, being long, and has none.
        status: How it stands to what it cites.
        support: How much of it the best of the cited passages has, 0.0 to 1.0; None if nobody looked.
        better_source: Id of a source that would support it, where the cited ones do not.
        findings: What is wrong with it.
        missing: Words of it without a counterpart in the best of the cited passages (ruling D13), in their order;
            none if it is supported, or nobody looked.
        reader: What a model that reads claim and passage says of it; None if none was asked.
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


class CitationRecord(NamedTuple):
    """
    One id in one citation: `[1, 2]` is two.

    Attributes:
        id: As written; of a link, the id of a result that has its URL, or the URL of one without an id.
        start, end: Where the whole citation is, brackets included.
        status: Whether it is there.
        matched_by: "id" or "parent_id" of a result (ruling B9), "url" for a link (ruling B16); None if nothing
            matched.
        claims: Places in the report's `claims` of those that it belongs to: one, or the claims of a
            row of a table; none if it stands alone.
        support: How much of these this source has, of the best of them, 0.0 to 1.0; None if nobody looked.
    """

    id: str
    start: int
    end: int
    status: CitationStatus
    matched_by: str | None
    claims: tuple[int, ...]
    support: float | None


class Records(NamedTuple):
    """All claims and all citations of an answer, in their order."""

    claims: tuple[ClaimRecord, ...]
    citations: tuple[CitationRecord, ...]


class Figures(NamedTuple):
    """
    What the citations of an answer come to.

    Attributes:
        total_claims: How many claims there are.
        covered: How many of them have a valid citation.
        uncited: How many need a citation and have none.
        valid, invalid, ignored: The distinct ids of each standing, sorted.
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
    What the rules say of an answer.

    The decision is there at once, and so are all figures but one; `citation_ratio`,
    `claims`, `citations`, `uncited` and `findings` are made when they are first asked for.

    Attributes:
        level: The level by the rules, and by what a judge has proven of single claims (ruling B17).
        reasons: Why, as stable codes, those that decided first.
        anomalies: What is odd about the results, and how often.
        facts: The counts that decided.
        figures: What the citations come to.
        unread_keys: The names of the keys of results without a text, if such a result is cited; at most 20, and
            never a value.
        support_score: The name and hash of the score of support that claims were compared by; None of the shipped
            one, and without passages.
        make_ratio, make_records: What makes the rest.
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
        """Which rules read the answer, and which share decided (ruling B3)."""
        return self.facts.policy

    @property
    def score(self) -> float:
        """The risk, 0.0 to 1.0: what that share lacks to one; 0.0 without claims (ruling B7)."""
        return self.facts.score.rounded()

    @property
    def note(self) -> str | None:
        """Why nothing was assessed, in the printed words; None if it was."""
        if self.facts.is_empty:
            return NOTE_EMPTY
        return None if self.facts.total_claims else NOTE_NO_CLAIMS

    @property
    def total_claims(self) -> int:
        """How many claims there are."""
        return self.figures.total_claims

    @property
    def citation_coverage(self) -> float:
        """The share of the claims that have a valid citation, 0.0 to 1.0; 0.0 without claims."""
        return Share(self.figures.covered, self.figures.total_claims or 1).rounded()

    @property
    def valid_citations(self) -> list[str]:
        """Distinct ids that are cited and are there, sorted."""
        return self.figures.valid

    @property
    def invalid_citations(self) -> list[str]:
        """Distinct ids that are cited and are not there, sorted."""
        return self.figures.invalid

    @property
    def ignored(self) -> list[str]:
        """What stands in brackets and looks like no id in use, sorted."""
        return self.figures.ignored

    @cached_property
    def citation_ratio(self) -> float:
        """Distinct valid ids for each claim, as `detect_hallucination` counts them; may be above 1 (ruling B3)."""
        return round(self.make_ratio(), 12)

    @cached_property
    def _records(self) -> Records:
        return self.make_records()

    @property
    def claims(self) -> tuple[ClaimRecord, ...]:
        """All claims, in their order."""
        return self._records.claims

    @property
    def citations(self) -> tuple[CitationRecord, ...]:
        """All citations, in their order."""
        return self._records.citations

    @cached_property
    def uncited(self) -> tuple[ClaimRecord, ...]:
        """All long claims without a citation, in their order (ruling B6)."""
        return tuple(claim for claim in self.claims if claim.is_uncited)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The hallucinations found: of each claim, then invalid citations that belong to none."""
        found_by = FoundBy.NO_SUCH_ID
        stray = (
            Finding(FAULTS[found_by], found_by, citation.start, citation.end)
            for citation in self.citations
            if citation.status is CitationStatus.INVALID and not citation.claims
        )
        return (*(finding for claim in self.claims for finding in claim.findings), *stray)

    def __reduce__(self) -> tuple[Callable[..., "CitationReport"], tuple[dict[str, object]]]:
        """Pickle what was made, without what makes it."""
        state = {each.name: getattr(self, each.name) for each in fields(self)}
        state |= {"make_ratio": self.citation_ratio, "make_records": self._records}
        return _restored, (state,)


def _restored(state: dict[str, Any]) -> CitationReport:
    ratio, records = state["make_ratio"], state["make_records"]
    return CitationReport(**state | {"make_ratio": lambda: ratio, "make_records": lambda: records})
