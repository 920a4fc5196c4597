"""
Defines claims, their evidence, and the results of a validation.

Claims that no database could store are refused. A claim with hidden characters is accepted and goes to review. Every
time has a time zone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from groundwire.ingestion.citation_detector import Citation, CitationType
from groundwire.ingestion.hedges import HedgeResult
from groundwire.ingestion.tiers import ClosedStrEnum, Tier, TierReason, known_source, known_type
from groundwire.ingestion.verification.protocol import VerificationResult, VerificationStatus
from groundwire.labels import check_choice
from groundwire.memory.identity import most_specific_sources
from groundwire.memory.records import USER_ID_MAX_CHARS, check_label, check_text
from groundwire.sanitize import Hidden, hidden_characters, without_hidden

__all__ = [
    "CheckedCitation",
    "CitedPassage",
    "Confidence",
    "EvidenceObject",
    "MemoryClaim",
    "PassageVerdict",
    "ValidationResult",
    "cited_documents",
    "derive_evidence",
    "first_source",
    "hidden_in",
    "utc_now",
]

ConfidenceName: TypeAlias = Literal["high", "medium", "low"]


class Confidence(ClosedStrEnum):
    """The confidence in a memory; the plain strings are equal to their members."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @property
    def rank(self) -> int:
        """Return 0 for low, 1 for medium, 2 for high."""
        return (Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH).index(self)

    @classmethod
    def of(cls, tier: Tier) -> "Confidence":
        """Return the confidence for *tier*, as in the headings of the document."""
        tier = check_choice("tier", tier, Tier)
        return {Tier.AUTO_APPROVE: cls.HIGH, Tier.FLAG_REVIEW: cls.MEDIUM, Tier.BLOCK: cls.LOW}[tier]


class PassageVerdict(StrEnum):
    """Whether a citation says what the claim says (ruling C19). Only `supports` speaks for the claim."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    UNRELATED = "unrelated"
    UNREAD = "unread"


@dataclass(frozen=True, slots=True)
class CitedPassage:
    """
    The deciding passage of a citation, with its verdict on the claim.

    Attributes:
        source: The citation: `ADR-003`, `commit:a1b2c3d`, a URL.
        verdict: The verdict on the claim.
        text: The passage, or the nearest one; None if nothing could be read.
        start: The start in the text of the citation, in code points; None as above.
        end: The end, which is not included.
        line: The line of the start, from 1.
    """

    source: str = field(repr=False)
    verdict: PassageVerdict
    text: str | None = field(default=None, repr=False)
    start: int | None = None
    end: int | None = None
    line: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "verdict", PassageVerdict(self.verdict))


@dataclass(frozen=True, slots=True)
class EvidenceObject:
    """
    The origin of a claim, and the confidence in it.

    Attributes:
        claim: The content.
        capture_time: The time when it was captured.
        confidence: High, medium or low; plain strings are accepted.
        source_id: The source that supports it: `ADR-003`, `commit:a1b2c3d`, a URL.
        validity_horizon: The time when it expires; None for never.
        metadata: Further data to store with it. Each object has its own (ruling C17).
        parents: The ids of the memories that it was derived from.
        passages: The deciding passage of each verified citation; empty without a comparison.

    Raises:
        ValueError: A time has no time zone, or the confidence is unknown.
        TypeError: A time is not a datetime.
    """

    claim: str = field(repr=False)
    capture_time: datetime
    confidence: Confidence
    source_id: str | None = field(default=None, repr=False)
    validity_horizon: datetime | None = None
    metadata: dict[str, Any] = field(default_factory=dict, repr=False)
    parents: tuple[str, ...] = ()
    passages: tuple[CitedPassage, ...] = ()

    if TYPE_CHECKING:
        # Type checkers accept plain strings; the field is always a member of the enumeration.
        def __init__(
            self,
            claim: str,
            capture_time: datetime,
            confidence: Confidence | ConfidenceName,
            source_id: str | None = None,
            validity_horizon: datetime | None = None,
            metadata: dict[str, Any] = ...,
            parents: tuple[str, ...] = (),
            passages: tuple[CitedPassage, ...] = (),
        ) -> None: ...

    def __post_init__(self) -> None:
        check_time(self.capture_time, "capture_time")
        if self.validity_horizon is not None:
            check_time(self.validity_horizon, "validity_horizon")
        object.__setattr__(self, "confidence", Confidence(self.confidence))

    def is_valid_at(self, time: datetime) -> bool:
        """
        Return whether the claim has not expired at *time*. It expires at the horizon itself.

        Raises:
            ValueError: *time* has no time zone.
        """
        check_time(time, "time")
        return self.validity_horizon is None or time < self.validity_horizon


def derive_evidence(
    claim: str,
    parents: Mapping[str, EvidenceObject],
    *,
    capture_time: datetime,
    confidence: Confidence | ConfidenceName = Confidence.HIGH,
    source_id: str | None = None,
    validity_horizon: datetime | None = None,
    metadata: Mapping[str, Any] | None = None,
    passages: tuple[CitedPassage, ...] = (),
) -> EvidenceObject:
    """
    Return the evidence of a claim that was derived from memories.

    Its confidence is the lowest of all, and it expires with the first of them.

    Args:
        claim: The content.
        parents: The evidence of each memory, by its id.
        capture_time: The time when it was derived.
        confidence: The confidence apart from its parents.
        source_id: As in `EvidenceObject`.
        validity_horizon: As in `EvidenceObject`.
        metadata: As in `EvidenceObject`; copied.
        passages: As in `EvidenceObject`.

    Raises:
        ValueError: There are no parents; or as `EvidenceObject`.
    """
    if not parents:
        raise ValueError("a derived claim needs at least one parent")
    horizons = [parent.validity_horizon for parent in parents.values()] + [validity_horizon]
    return EvidenceObject(
        claim=claim,
        capture_time=capture_time,
        confidence=min(
            (Confidence(confidence), *(parent.confidence for parent in parents.values())),
            key=lambda one: Confidence(one).rank,
        ),
        source_id=source_id,
        validity_horizon=min((horizon for horizon in horizons if horizon is not None), default=None),
        metadata=dict(metadata or {}),
        parents=tuple(parents),
        passages=passages,
    )


@dataclass(frozen=True, slots=True)
class CheckedCitation:
    """
    A citation of a claim, and its verification.

    Attributes:
        citation: The citation, with its span in the claim.
        result: Whether the source exists.
    """

    citation: Citation
    result: VerificationResult

    @property
    def name(self) -> str:
        """The name of the source: `ADR-003`, `commit:a1b2c3d`, the URL, `issue:12`, `document:study.pdf#page=12`."""
        citation = self.citation
        if citation.type == CitationType.ADR:
            return citation.identity
        return citation.value if citation.type == CitationType.URL else f"{citation.type}:{citation.value}"

    @property
    def source_id(self) -> str:
        """The canonical name of the cited source; for a commit, its full id."""
        full_id = self.result.full_id
        return (self.citation if full_id is None else replace(self.citation, value=full_id)).identity


def cited_documents(citations: Sequence[CheckedCitation]) -> dict[str, Any]:
    """Return the metadata `cited_documents` of verified pages: path, page and the hash of the file; else nothing."""
    pages = {each.citation.value: each.result.sha256 for each in citations if each.result.valid and each.result.sha256}
    rows = [
        {"path": path, "page": int(page), "sha256": sha256}
        for value, sha256 in pages.items()
        for path, _, page in [value.rpartition("#page=")]
    ]
    return {"cited_documents": rows} if rows else {}


def first_source(citations: Sequence[CheckedCitation]) -> str | None:
    """Return the name of the first verified citation, else of the first; None without citations."""
    verified = (each for each in citations if each.result.status is VerificationStatus.VERIFIED)
    named = next(verified, None) or next(iter(citations), None)
    return None if named is None else named.name


@dataclass(frozen=True, slots=True)
class ValidationResult:
    """
    The decision about a claim, with the reason.

    Attributes:
        tier: The decision.
        approved: Whether the claim may be stored: only in tier 1.
        reason: The reason, in words.
        evidence: The evidence to store with the claim.
        checks_passed: `citation_present`, `no_speculation`, ...
        checks_failed: `hedge_words_detected: maybe`, ...
        similarity_score: The similarity of the most similar memory, 0.0 to 1.0; None without one.
        conflicting_memory_id: The memory that the claim repeats or contradicts.
        code: The table rule that decided; None for the printed function.
        citations: The citations of the claim, in order, with their verification.
        hedges: The hedges with their spans; None if the claim was not searched for hedges.

    Raises:
        ValueError: *approved* contradicts *tier*.
    """

    tier: Tier
    approved: bool
    reason: str
    evidence: EvidenceObject
    checks_passed: list[str] = field(default_factory=list, repr=False)
    checks_failed: list[str] = field(default_factory=list, repr=False)
    similarity_score: float | None = None
    conflicting_memory_id: str | None = None
    code: TierReason | None = None
    citations: tuple[CheckedCitation, ...] = ()
    hedges: HedgeResult | None = None

    @property
    def source_ids(self) -> tuple[str, ...]:
        """The identities of all sources of the claim, by which a store can revoke them."""
        own = () if self.evidence.source_id is None else (self.evidence.source_id,)
        return most_specific_sources((*(each.source_id for each in self.citations), *own))

    def __post_init__(self) -> None:
        if self.approved is not (self.tier is Tier.AUTO_APPROVE):
            raise ValueError(f"approved is {self.approved!r}, which contradicts {self.tier}")


def utc_now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


def check_time(time: datetime, name: str) -> None:
    """
    Check that *time* has a time zone.

    Raises:
        ValueError: *time* has no time zone.
        TypeError: *time* is not a datetime.
    """
    if not isinstance(time, datetime):
        raise TypeError(f"{name} must be a datetime, got {type(time).__name__}")
    if time.utcoffset() is None:
        raise ValueError(f"{name} must have a time zone, as in datetime.now(UTC)")


@dataclass(frozen=True, slots=True)
class MemoryClaim:
    """
    A claim that is submitted to memory.

    Attributes:
        content: The text of the claim.
        memory_type: The kind of the claim: a `MemoryType`, or the equal str. Any other str is an unknown type, which
            only a reviewer can approve (ruling C20).
        source: The origin of the claim: a `MemorySource`, or the equal str. Any other str is an unknown source, with
            the same effect.
        user_id: The owner of the memory, up to 256 characters.
        parents: The evidence of each memory that the claim was derived from, by its id.
        validity_horizon: The time when the claim expires; None for never.
        metadata: Further data to store with the claim.
        capture_time: The time when the claim was captured; None for now.
        quote: The words of the conversation that the claim is based on. The validator checks them against its
            conversation (ruling C21).
        turn: The turn of the quote: its number, from 1, or the id of a message.
        speaker: The speaker of the quote.

    Raises:
        ValueError: A text is empty or blank, or has characters that no database stores (NUL, a lone surrogate); or a
            time has no time zone.
        TypeError: A value has another type. No error contains text of the claim.
    """

    content: str = field(repr=False)
    memory_type: str = field(repr=False)
    source: str = field(repr=False)
    user_id: str = field(repr=False)
    parents: Mapping[str, EvidenceObject] = field(default_factory=dict, repr=False, kw_only=True)
    validity_horizon: datetime | None = field(default=None, kw_only=True)
    metadata: Mapping[str, Any] = field(default_factory=dict, repr=False, kw_only=True)
    capture_time: datetime | None = field(default=None, kw_only=True)
    quote: str | None = field(default=None, repr=False, kw_only=True)
    turn: int | str | None = field(default=None, repr=False, kw_only=True)
    speaker: str | None = field(default=None, repr=False, kw_only=True)

    def __post_init__(self) -> None:
        check_text(self.content, "content")
        if is_blank(self.content):
            raise ValueError("content is blank")
        for name, known in (("memory_type", known_type), ("source", known_source)):
            given = getattr(self, name)
            # An empty name counts as unknown.
            check_text(given or "-" if isinstance(given, str) else given, name)
            object.__setattr__(self, name, known(given) or given)
        check_text(self.user_id, "user_id", max_chars=USER_ID_MAX_CHARS)
        for name in ("quote", "speaker"):
            if getattr(self, name) is not None:
                check_text(getattr(self, name), name)
        if isinstance(self.turn, bool) or not isinstance(self.turn, int | str | None):
            raise TypeError(f"turn must be an int or a str, got {type(self.turn).__name__}")
        if self.quote is None and (self.turn is not None or self.speaker is not None):
            raise ValueError("turn and speaker require a quote")
        for name in ("parents", "metadata"):
            if not isinstance(getattr(self, name), Mapping):
                raise TypeError(f"{name} must be a mapping, got {type(getattr(self, name)).__name__}")
        for parent, evidence in self.parents.items():
            check_label(parent, "the id of a parent")
            if not isinstance(evidence, EvidenceObject):
                raise TypeError(f"a parent must be an EvidenceObject, got {type(evidence).__name__}")
        for name in ("validity_horizon", "capture_time"):
            if getattr(self, name) is not None:
                check_time(getattr(self, name), name)


def hidden_in(claim: MemoryClaim) -> Hidden:
    """
    Return the hidden characters of *claim*: of its content, type, source, quote, speaker and parents.

    Metadata is not checked: it is data of the application, and every page and report escapes it.
    """
    texts = (claim.content, claim.memory_type, claim.source, claim.quote, claim.speaker, *claim.parents)
    return hidden_characters(" ".join(text for text in texts if text))


def is_blank(text: str) -> bool:
    """Return whether *text* has no visible character."""
    # For most texts the first character decides.
    return not text[:1].isalnum() and not without_hidden(text).strip()
