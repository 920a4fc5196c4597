"""
From findings to a tier: the printed decision tree, and the guarded table.

`determine_tier` is the printed function. `decide` is what a validator asks: the same
rules in the same order, and between them those of the rulings, as ordered data; the
first rule that applies decides. No rule of the guarded table approves what the
printed one does not.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, StrEnum
from operator import attrgetter

from groundwire.ingestion.hedges.results import HedgeAction
from groundwire.labels import show
from groundwire.sanitize import NOTHING_HIDDEN, Hidden

__all__ = [
    "RULES",
    "TRUSTED_SOURCES",
    "Findings",
    "IngestionTier",
    "MemorySource",
    "MemoryType",
    "NamedValue",
    "QuoteFault",
    "Rule",
    "Tier",
    "TierDecision",
    "TierReason",
    "decide",
    "determine_tier",
    "known_source",
    "known_type",
]


class Tier(Enum):
    """What becomes of a claim; values as printed."""

    AUTO_APPROVE = "tier_1"
    FLAG_REVIEW = "tier_2"
    BLOCK = "tier_3"


# The document's other name for it (ruling C17).
IngestionTier = Tier


class NamedValue(StrEnum):
    """A closed set of names. The error lists them, and shows what was given only if it is a name too."""

    @classmethod
    def _missing_(cls, value: object) -> None:
        given = show(value) if isinstance(value, str) else type(value).__name__
        raise ValueError(f"{cls.__name__} must be one of {', '.join(cls)}; got {given}")


class MemorySource(NamedValue):
    """Where a claim comes from; the plain strings are equal to their members."""

    USER = "user"
    DOCUMENTATION = "documentation"
    ADR = "adr"
    COMMIT = "commit"
    MANUAL = "manual"
    CONVERSATION = "conversation"
    CHAT = "chat"
    AI_SYNTHESIS = "ai_synthesis"


class MemoryType(NamedValue):
    """What kind of claim it is; the plain strings are equal to their members."""

    PREFERENCE = "preference"
    FACT = "fact"
    DECISION = "decision"


class QuoteFault(StrEnum):
    """What is wrong with the quote of a claim (ruling C21)."""

    ALTERED = "altered"
    ABSENT = "absent"
    WRONG_SPEAKER = "wrong_speaker"
    OTHER_TURN = "other_turn"
    UNCHECKED = "unchecked"


TRUSTED_SOURCES = frozenset({"user", "documentation", "adr", "commit", "manual"})

_SOURCES: dict[str, MemorySource] = {each.value: each for each in MemorySource}
_TYPES: dict[str, MemoryType] = {each.value: each for each in MemoryType}


def known_source(name: str) -> MemorySource | None:
    """Return the source of this name; None if it is unknown, and so trusted by nobody (ruling C20)."""
    return _SOURCES.get(name)


def known_type(name: str) -> MemoryType | None:
    """Return the type of this name; None if it is unknown (ruling C20)."""
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

    A source or type that nobody knows is trusted by no rule. Source: "The Decision
    Tree" of the document.

    Raises:
        TypeError: *hedge_result* is no `HedgeAction`: the printed comparisons would take
            any other object for "no hedges".
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
class Findings:
    """
    What the checks found about one claim.

    Attributes:
        hedge: What follows from its hedges.
        source: Where it comes from; any str that is no `MemorySource` is unknown.
        memory_type: What kind of claim it is; any str that is no `MemoryType` is unknown.
        is_duplicate: A memory says the same.
        is_recalled: It is a memory, offered again as it is.
        has_conflict: A memory says nearly the same, and something else where it matters.
        dedup_failed: Nobody could tell whether there is such a memory.
        is_too_long: It was not read: nobody writes claims of that length.
        hidden: Its hidden characters, which may change what is read.
        check_failed: Another check could not be made.
        has_verified_citation: At least one citation is there.
        has_refuted_citation: At least one citation is not there.
        has_citation_not_in_force: At least one cited decision is superseded or deprecated.
        is_citation_contradicted: What it cites says otherwise.
        is_citation_irrelevant: What it cites does not say it.
        is_citation_unread: What it cites could not be read, or not be compared with it.
        quote_fault: What is wrong with what it quotes; None without a fault, or a quote.
        has_less_trusted_parent: It is derived from a memory of less than high confidence.
        may_approve_ai_synthesis: Whether a model's own claims may be approved at all.
    """

    hedge: HedgeAction
    source: str
    memory_type: str
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
    """Which rule decided; a stable code."""

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
class Rule:
    """
    One row of the table.

    Attributes:
        code: What it is called.
        tier: What it leads to.
        words: Why, to people; `{source}` and `{hidden}` are filled in.
        applies: Returns something true for the findings that it is about.
    """

    code: TierReason
    tier: Tier
    words: str
    applies: Callable[[Findings], object]


def _is_speculation(found: Findings) -> bool:
    return found.hedge is HedgeAction.BLOCK


def _is_hedged(found: Findings) -> bool:
    return found.hedge is HedgeAction.REVIEW


def _is_from_trusted_source(found: Findings) -> bool:
    return found.source in TRUSTED_SOURCES


def _is_decision_in_conversation(found: Findings) -> bool:
    return found.memory_type == MemoryType.DECISION and found.source == MemorySource.CONVERSATION


def _is_preference_of_user(found: Findings) -> bool:
    return found.memory_type == MemoryType.PREFERENCE and found.source in (MemorySource.CONVERSATION, MemorySource.CHAT)


def _has_quote_fault(fault: QuoteFault) -> Callable[[Findings], bool]:
    return lambda found: found.quote_fault == fault


def _is_from_unknown_source(found: Findings) -> bool:
    return known_source(found.source) is None


def _is_of_unknown_type(found: Findings) -> bool:
    return known_type(found.memory_type) is None


def _is_ai_synthesis_unwanted(found: Findings) -> bool:
    return found.source == MemorySource.AI_SYNTHESIS and not found.may_approve_ai_synthesis


def _always(found: Findings) -> bool:  # noqa: ARG001
    return True


_BLOCK, _REVIEW, _APPROVE = Tier.BLOCK, Tier.FLAG_REVIEW, Tier.AUTO_APPROVE

# The order of the printed tree stands (ruling C5); a conflict comes before a duplicate, for a correction has nearly the
# words of what it corrects (ruling C2). All that speaks against a claim comes before what speaks for it (ruling C4).
RULES: tuple[Rule, ...] = (
    Rule(TierReason.PERSONAL_SPECULATION, _BLOCK, "Contains personal speculation", _is_speculation),
    Rule(TierReason.CONFLICT, _REVIEW, "Conflicts with an existing memory", attrgetter("has_conflict")),
    Rule(TierReason.DUPLICATE, _BLOCK, "Duplicate of existing memory", attrgetter("is_duplicate")),
    Rule(TierReason.RECALLED, _BLOCK, "Recalled from memory, and there already", attrgetter("is_recalled")),
    Rule(TierReason.TECHNICAL_HEDGE, _REVIEW, "Contains technical hedges - needs verification", _is_hedged),
    Rule(TierReason.DEDUP_FAILED, _REVIEW, "Dedup check failed - cannot verify uniqueness", attrgetter("dedup_failed")),
    Rule(TierReason.TOO_LONG, _REVIEW, "Longer than what is read as a claim", attrgetter("is_too_long")),
    Rule(TierReason.HIDDEN_CHARACTERS, _REVIEW, "Has {hidden}", attrgetter("hidden")),
    Rule(TierReason.CHECK_FAILED, _REVIEW, "A check could not be made", attrgetter("check_failed")),
    Rule(
        TierReason.CITATION_REFUTED,
        _REVIEW,
        "Cites what does not exist - needs verification",
        attrgetter("has_refuted_citation"),
    ),
    Rule(
        TierReason.CITATION_NOT_IN_FORCE,
        _REVIEW,
        "Cites a decision that is no longer in force",
        attrgetter("has_citation_not_in_force"),
    ),
    Rule(
        TierReason.CITATION_CONTRADICTED,
        _REVIEW,
        "What it cites says otherwise - needs verification",
        attrgetter("is_citation_contradicted"),
    ),
    Rule(
        TierReason.CITATION_IRRELEVANT,
        _REVIEW,
        "What it cites does not say so - needs verification",
        attrgetter("is_citation_irrelevant"),
    ),
    Rule(
        TierReason.CITATION_UNREAD,
        _REVIEW,
        "What it cites could not be compared with it - needs verification",
        attrgetter("is_citation_unread"),
    ),
    Rule(
        TierReason.QUOTE_ALTERED,
        _REVIEW,
        "What it quotes was said in other words - needs verification",
        _has_quote_fault(QuoteFault.ALTERED),
    ),
    Rule(
        TierReason.QUOTE_ABSENT,
        _REVIEW,
        "What it quotes was not said - needs verification",
        _has_quote_fault(QuoteFault.ABSENT),
    ),
    Rule(
        TierReason.QUOTE_WRONG_SPEAKER,
        _REVIEW,
        "What it quotes was said by somebody else - needs verification",
        _has_quote_fault(QuoteFault.WRONG_SPEAKER),
    ),
    Rule(
        TierReason.QUOTE_OTHER_TURN,
        _REVIEW,
        "What it quotes was said in another turn - needs verification",
        _has_quote_fault(QuoteFault.OTHER_TURN),
    ),
    Rule(
        TierReason.QUOTE_UNCHECKED,
        _REVIEW,
        "What it quotes could not be checked - needs verification",
        _has_quote_fault(QuoteFault.UNCHECKED),
    ),
    Rule(
        TierReason.PARENT_LESS_TRUSTED,
        _REVIEW,
        "Derived from a memory that is not of high confidence",
        attrgetter("has_less_trusted_parent"),
    ),
    Rule(
        TierReason.UNKNOWN_SOURCE, _REVIEW, "Comes from an unknown source - needs verification", _is_from_unknown_source
    ),
    Rule(TierReason.UNKNOWN_TYPE, _REVIEW, "Is of an unknown type - needs verification", _is_of_unknown_type),
    Rule(TierReason.AI_SYNTHESIS, _REVIEW, "AI synthesis needs verification", _is_ai_synthesis_unwanted),
    Rule(TierReason.CITATION_VERIFIED, _APPROVE, "Has verified citation", attrgetter("has_verified_citation")),
    Rule(TierReason.TRUSTED_SOURCE, _APPROVE, "From trusted source: {source}", _is_from_trusted_source),
    Rule(
        TierReason.DECISION_IN_CONVERSATION, _APPROVE, "Decision stated in conversation", _is_decision_in_conversation
    ),
    Rule(TierReason.PREFERENCE_OF_USER, _APPROVE, "Preference stated by user", _is_preference_of_user),
    Rule(TierReason.UNGROUNDED, _REVIEW, "Ungrounded assertion needs verification", _always),
)


@dataclass(frozen=True, slots=True)
class TierDecision:
    """A tier, the code of the rule that led to it, and the same in words."""

    tier: Tier
    code: TierReason
    reason: str


def decide(findings: Findings) -> TierDecision:
    """Return what the first rule of `RULES` that applies says."""
    rule = next(rule for rule in RULES if rule.applies(findings))
    return TierDecision(rule.tier, rule.code, rule.words.format(source=findings.source, hidden=findings.hidden))
