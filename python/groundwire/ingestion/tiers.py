"""
Decides the tier of a claim, by the printed decision tree or by the guarded table.

`determine_tier` is the printed function. `apply_tier_rules` applies the guarded table of the validator: the same rules
in the same order, with those of the rulings between them. The first rule that applies decides. The guarded table
approves no claim that the printed tree does not.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from operator import attrgetter

from groundwire.ingestion.hedges import HedgeAction
from groundwire.labels import show
from groundwire.sanitize import NOTHING_HIDDEN, Hidden

__all__ = [
    "RULES",
    "TRUSTED_SOURCES",
    "ClosedStrEnum",
    "IngestionTier",
    "MemorySource",
    "MemoryType",
    "QuoteFault",
    "Tier",
    "TierDecision",
    "TierInputs",
    "TierReason",
    "TierRule",
    "apply_tier_rules",
    "determine_tier",
    "known_source",
    "known_type",
]


class Tier(Enum):
    """The decision about a claim, with the printed values."""

    AUTO_APPROVE = "tier_1"
    FLAG_REVIEW = "tier_2"
    BLOCK = "tier_3"


# The document's second name for it (ruling C17).
IngestionTier = Tier


class ClosedStrEnum(StrEnum):
    """A closed set of names. Its error lists them, and shows the given value only if that is a label."""

    @classmethod
    def _missing_(cls, value: object) -> None:
        given = show(value) if isinstance(value, str) else type(value).__name__
        raise ValueError(f"{cls.__name__} must be one of {', '.join(cls)}; got {given}")


class MemorySource(ClosedStrEnum):
    """The origin of a claim; the plain strings are equal to their members."""

    USER = "user"
    DOCUMENTATION = "documentation"
    ADR = "adr"
    COMMIT = "commit"
    MANUAL = "manual"
    CONVERSATION = "conversation"
    CHAT = "chat"
    AI_SYNTHESIS = "ai_synthesis"


class MemoryType(ClosedStrEnum):
    """The kind of a claim; the plain strings are equal to their members."""

    PREFERENCE = "preference"
    FACT = "fact"
    DECISION = "decision"


class QuoteFault(StrEnum):
    """A fault of the quote of a claim (ruling C21)."""

    ALTERED = "altered"
    ABSENT = "absent"
    WRONG_SPEAKER = "wrong_speaker"
    OTHER_TURN = "other_turn"
    UNCHECKED = "unchecked"


TRUSTED_SOURCES = frozenset({"user", "documentation", "adr", "commit", "manual"})

_SOURCES: dict[str, MemorySource] = {each.value: each for each in MemorySource}
_TYPES: dict[str, MemoryType] = {each.value: each for each in MemoryType}


def known_source(name: str) -> MemorySource | None:
    """Return the source with this name; None for an unknown one, which no rule trusts (ruling C20)."""
    return _SOURCES.get(name)


def known_type(name: str) -> MemoryType | None:
    """Return the type with this name; None for an unknown one (ruling C20)."""
    return _TYPES.get(name)


def determine_tier(
    hedge_result: HedgeAction,
    is_duplicate: bool,
    dedup_failed: bool,
    has_verified_citation: bool,
    source: str,
    memory_type: str,
) -> tuple[Tier, str]:
    """
    Return the tier and the reason as the printed code does.

    No rule trusts an unknown source or type. Source: "The Decision Tree" of the document.

    Raises:
        TypeError: *hedge_result* is not a `HedgeAction`: the printed comparisons would treat any other object as "no
            hedges".
    """
    if not isinstance(hedge_result, HedgeAction):
        raise TypeError(f"hedge_result must be a HedgeAction, got {type(hedge_result).__name__}")
    if hedge_result is HedgeAction.BLOCK:
        return Tier.BLOCK, "Contains personal speculation"
    if is_duplicate:
        return Tier.BLOCK, "Duplicate of existing memory"
    if hedge_result is HedgeAction.REVIEW:
        return Tier.FLAG_REVIEW, "Contains technical hedges - needs verification"
    if dedup_failed:
        return Tier.FLAG_REVIEW, "Dedup check failed - cannot verify uniqueness"
    if has_verified_citation:
        return Tier.AUTO_APPROVE, "Has verified citation"
    if source in TRUSTED_SOURCES:
        return Tier.AUTO_APPROVE, f"From trusted source: {source}"
    if memory_type == "decision" and source == "conversation":
        return Tier.AUTO_APPROVE, "Decision stated in conversation"
    if memory_type == "preference" and source in ("conversation", "chat"):
        return Tier.AUTO_APPROVE, "Preference stated by user"
    return Tier.FLAG_REVIEW, "Ungrounded assertion needs verification"


@dataclass(frozen=True, slots=True, kw_only=True)
class TierInputs:
    """
    The findings of the checks of one claim, the inputs of the table.

    Attributes:
        hedge: The action that the hedges require.
        source: The origin of the claim; any str that is not a `MemorySource` is unknown.
        memory_type: The kind of the claim; any str that is not a `MemoryType` is unknown.
        is_duplicate: A memory repeats the claim.
        is_recalled: A memory has exactly the text of the claim.
        has_conflict: A memory contradicts the claim.
        dedup_failed: The check for duplicates failed.
        is_too_long: The claim is too long to be read.
        hidden: The hidden characters, which may change what a person reads.
        check_failed: Another check failed.
        has_verified_citation: At least one cited source exists.
        has_refuted_citation: At least one cited source does not exist.
        has_citation_not_in_force: At least one cited decision is superseded or deprecated.
        is_citation_contradicted: A cited text contradicts the claim.
        is_citation_irrelevant: No cited text states the claim.
        is_citation_unread: A cited text could not be read or compared.
        quote_fault: The fault of the quote; None without a fault, or without a quote.
        has_less_trusted_parent: The claim is derived from a memory without high confidence.
        may_approve_ai_synthesis: Whether a model's own claims may be approved at all.
    """

    hedge: HedgeAction
    source: str = field(repr=False)
    memory_type: str = field(repr=False)
    is_duplicate: bool = False
    is_recalled: bool = False
    has_conflict: bool = False
    dedup_failed: bool = False
    is_too_long: bool = False
    hidden: Hidden = NOTHING_HIDDEN
    check_failed: bool = False
    has_verified_citation: bool = False
    has_refuted_citation: bool = False
    has_citation_not_in_force: bool = False
    is_citation_contradicted: bool = False
    is_citation_irrelevant: bool = False
    is_citation_unread: bool = False
    quote_fault: QuoteFault | None = None
    has_less_trusted_parent: bool = False
    may_approve_ai_synthesis: bool = True


class TierReason(StrEnum):
    """The rule that decided, a stable code."""

    PERSONAL_SPECULATION = "personal_speculation"
    CONFLICT = "conflict"
    DUPLICATE = "duplicate"
    RECALLED = "recalled"
    TECHNICAL_HEDGE = "technical_hedge"
    DEDUP_FAILED = "dedup_failed"
    TOO_LONG = "too_long"
    HIDDEN_CHARACTERS = "hidden_characters"
    CHECK_FAILED = "check_failed"
    CITATION_REFUTED = "citation_refuted"
    CITATION_NOT_IN_FORCE = "citation_not_in_force"
    CITATION_CONTRADICTED = "citation_contradicted"
    CITATION_IRRELEVANT = "citation_irrelevant"
    CITATION_UNREAD = "citation_unread"
    QUOTE_ALTERED = "quote_altered"
    QUOTE_ABSENT = "quote_absent"
    QUOTE_WRONG_SPEAKER = "quote_wrong_speaker"
    QUOTE_OTHER_TURN = "quote_other_turn"
    QUOTE_UNCHECKED = "quote_unchecked"
    PARENT_LESS_TRUSTED = "parent_less_trusted"
    UNKNOWN_SOURCE = "unknown_source"
    UNKNOWN_TYPE = "unknown_type"
    AI_SYNTHESIS = "ai_synthesis"
    CITATION_VERIFIED = "citation_verified"
    TRUSTED_SOURCE = "trusted_source"
    DECISION_IN_CONVERSATION = "decision_in_conversation"
    PREFERENCE_OF_USER = "preference_of_user"
    UNGROUNDED = "ungrounded"


@dataclass(frozen=True, slots=True)
class TierRule:
    """
    A row of the table.

    Attributes:
        code: The name of the rule.
        tier: The tier of the claims to which it applies.
        words: The reason for people; `{source}` and `{hidden}` are filled in.
        applies: Returns a true value for the inputs to which the rule applies.
    """

    code: TierReason
    tier: Tier
    words: str
    applies: Callable[[TierInputs], object]


def _is_speculation(inputs: TierInputs) -> bool:
    return inputs.hedge is HedgeAction.BLOCK


def _is_hedged(inputs: TierInputs) -> bool:
    return inputs.hedge is HedgeAction.REVIEW


def _is_from_trusted_source(inputs: TierInputs) -> bool:
    return inputs.source in TRUSTED_SOURCES


def _is_decision_in_conversation(inputs: TierInputs) -> bool:
    return inputs.memory_type == MemoryType.DECISION and inputs.source == MemorySource.CONVERSATION


def _is_preference_of_user(inputs: TierInputs) -> bool:
    return inputs.memory_type == MemoryType.PREFERENCE and inputs.source in (
        MemorySource.CONVERSATION,
        MemorySource.CHAT,
    )


def _has_quote_fault(fault: QuoteFault) -> Callable[[TierInputs], bool]:
    return lambda inputs: inputs.quote_fault == fault


def _is_from_unknown_source(inputs: TierInputs) -> bool:
    return known_source(inputs.source) is None


def _is_of_unknown_type(inputs: TierInputs) -> bool:
    return known_type(inputs.memory_type) is None


def _is_ai_synthesis_unwanted(inputs: TierInputs) -> bool:
    return inputs.source == MemorySource.AI_SYNTHESIS and not inputs.may_approve_ai_synthesis


def _always(_inputs: TierInputs) -> bool:
    return True


_BLOCK, _REVIEW, _APPROVE = Tier.BLOCK, Tier.FLAG_REVIEW, Tier.AUTO_APPROVE

# The order is that of the printed tree (ruling C5). A conflict precedes a duplicate, because a correction has nearly
# the words of the memory that it corrects (ruling C2). All rules against a claim precede those for it (C4).
RULES: tuple[TierRule, ...] = (
    TierRule(TierReason.PERSONAL_SPECULATION, _BLOCK, "Contains personal speculation", _is_speculation),
    TierRule(TierReason.CONFLICT, _REVIEW, "Conflicts with an existing memory", attrgetter("has_conflict")),
    TierRule(TierReason.DUPLICATE, _BLOCK, "Duplicate of existing memory", attrgetter("is_duplicate")),
    TierRule(TierReason.RECALLED, _BLOCK, "Already in memory, word for word", attrgetter("is_recalled")),
    TierRule(TierReason.TECHNICAL_HEDGE, _REVIEW, "Contains technical hedges - needs verification", _is_hedged),
    TierRule(
        TierReason.DEDUP_FAILED, _REVIEW, "Dedup check failed - cannot verify uniqueness", attrgetter("dedup_failed")
    ),
    TierRule(TierReason.TOO_LONG, _REVIEW, "Too long to be read", attrgetter("is_too_long")),
    TierRule(TierReason.HIDDEN_CHARACTERS, _REVIEW, "Has {hidden}", attrgetter("hidden")),
    TierRule(TierReason.CHECK_FAILED, _REVIEW, "A check failed", attrgetter("check_failed")),
    TierRule(
        TierReason.CITATION_REFUTED,
        _REVIEW,
        "Cites a source that does not exist - needs verification",
        attrgetter("has_refuted_citation"),
    ),
    TierRule(
        TierReason.CITATION_NOT_IN_FORCE,
        _REVIEW,
        "Cites a decision that is no longer in force",
        attrgetter("has_citation_not_in_force"),
    ),
    TierRule(
        TierReason.CITATION_CONTRADICTED,
        _REVIEW,
        "A cited source contradicts the claim - needs verification",
        attrgetter("is_citation_contradicted"),
    ),
    TierRule(
        TierReason.CITATION_IRRELEVANT,
        _REVIEW,
        "No cited source states the claim - needs verification",
        attrgetter("is_citation_irrelevant"),
    ),
    TierRule(
        TierReason.CITATION_UNREAD,
        _REVIEW,
        "A cited source could not be compared with the claim - needs verification",
        attrgetter("is_citation_unread"),
    ),
    TierRule(
        TierReason.QUOTE_ALTERED,
        _REVIEW,
        "The quote differs from the conversation - needs verification",
        _has_quote_fault(QuoteFault.ALTERED),
    ),
    TierRule(
        TierReason.QUOTE_ABSENT,
        _REVIEW,
        "The quote is not in the conversation - needs verification",
        _has_quote_fault(QuoteFault.ABSENT),
    ),
    TierRule(
        TierReason.QUOTE_WRONG_SPEAKER,
        _REVIEW,
        "The quote is by another speaker - needs verification",
        _has_quote_fault(QuoteFault.WRONG_SPEAKER),
    ),
    TierRule(
        TierReason.QUOTE_OTHER_TURN,
        _REVIEW,
        "The quote is in another turn - needs verification",
        _has_quote_fault(QuoteFault.OTHER_TURN),
    ),
    TierRule(
        TierReason.QUOTE_UNCHECKED,
        _REVIEW,
        "The quote could not be checked - needs verification",
        _has_quote_fault(QuoteFault.UNCHECKED),
    ),
    TierRule(
        TierReason.PARENT_LESS_TRUSTED,
        _REVIEW,
        "Derived from a memory without high confidence",
        attrgetter("has_less_trusted_parent"),
    ),
    TierRule(TierReason.UNKNOWN_SOURCE, _REVIEW, "Unknown source - needs verification", _is_from_unknown_source),
    TierRule(TierReason.UNKNOWN_TYPE, _REVIEW, "Unknown memory type - needs verification", _is_of_unknown_type),
    TierRule(TierReason.AI_SYNTHESIS, _REVIEW, "AI synthesis needs verification", _is_ai_synthesis_unwanted),
    TierRule(TierReason.CITATION_VERIFIED, _APPROVE, "Has verified citation", attrgetter("has_verified_citation")),
    TierRule(TierReason.TRUSTED_SOURCE, _APPROVE, "From trusted source: {source}", _is_from_trusted_source),
    TierRule(
        TierReason.DECISION_IN_CONVERSATION, _APPROVE, "Decision stated in conversation", _is_decision_in_conversation
    ),
    TierRule(TierReason.PREFERENCE_OF_USER, _APPROVE, "Preference stated by user", _is_preference_of_user),
    TierRule(TierReason.UNGROUNDED, _REVIEW, "Ungrounded assertion needs verification", _always),
)


@dataclass(frozen=True, slots=True)
class TierDecision:
    """A tier, the code of the rule that decided, and the reason in words."""

    tier: Tier
    code: TierReason
    reason: str


def apply_tier_rules(inputs: TierInputs) -> TierDecision:
    """Return the decision of the first rule of `RULES` that applies."""
    rule = next(rule for rule in RULES if rule.applies(inputs))
    return TierDecision(rule.tier, rule.code, rule.words.format(source=inputs.source, hidden=inputs.hidden))
