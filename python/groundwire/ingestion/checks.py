"""
The checks of a claim: their findings, and their names in a `ValidationResult`.

An entry is the name of a check, with a detail behind `: ` if there is one: `hedge_words_detected: maybe`. Names
are stable; details are for people.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from groundwire.ingestion.conversation import QuoteFinding
from groundwire.ingestion.duplicates.checker import DuplicateResult
from groundwire.ingestion.hedges import HedgeAction, HedgeResult
from groundwire.ingestion.records import (
    CheckedCitation,
    CitedPassage,
    Confidence,
    MemoryClaim,
    PassageVerdict,
)
from groundwire.ingestion.tiers import MemorySource, TierInputs, TierReason, apply_tier_rules, known_source, known_type
from groundwire.ingestion.verification.protocol import VerificationReason, VerificationStatus
from groundwire.labels import show
from groundwire.sanitize import NOTHING_HIDDEN, Hidden

__all__ = ["CHECKS", "FAILED", "RelevanceResult", "ValidationCheck", "ValidationState", "check_entries", "check_name"]

# A failed verification leaves the citation unknown, and people look at the claim.
FAILED = frozenset({VerificationReason.VERIFIER_FAILED, VerificationReason.TIMED_OUT})
# A citation that was not verified may be a refuted one (ruling C4).
_UNASKED = FAILED | {VerificationReason.NOT_LOOKED_UP}


@dataclass(frozen=True, slots=True)
class RelevanceResult:
    """
    Whether the citations of a claim say what it says (rulings C18, C19).

    Attributes:
        passages: The verdict on each citation, with the passage that decides.
        failure: Why they could not be compared, as the name of a class or a code; None without a failure.
    """

    passages: tuple[CitedPassage, ...] = ()
    failure: str | None = None

    def sources(self, verdict: PassageVerdict) -> tuple[str, ...]:
        """Return the citations of *verdict*, by name."""
        return tuple(each.source for each in self.passages if each.verdict is verdict)

    @property
    def verdict(self) -> PassageVerdict:
        """One citation that supports the claim is enough, unless another contradicts it or the comparison failed."""
        if self.failure is not None:
            return PassageVerdict.UNREAD
        order = (PassageVerdict.CONTRADICTS, PassageVerdict.SUPPORTS, PassageVerdict.UNRELATED)
        return next((each for each in order if self.sources(each)), PassageVerdict.UNREAD)


@dataclass(slots=True)
class ValidationState:
    """
    The findings on a claim. A step that was not run leaves no finding, and a missing finding approves nothing.

    Attributes:
        claim: The claim.
        may_approve_ai_synthesis: Whether a model's own claims may be approved.
        is_read: Whether it was read at all.
        recalled: The memory with exactly this text, if the claim is one.
        hidden: Its hidden characters.
        hedges: Its hedges.
        duplicate: The result of the check for duplicates; None if the check failed or was not run.
        dedup_failure: Why the check for duplicates failed.
        is_blocked: Whether it is blocked already; then its citations are not verified.
        citations: Its citations, each with its verification.
        verifier_failure: Why none of them could be verified, as the name of a class.
        relevance: Whether they say so; None if the check was not run.
        is_not_compared: Whether the configuration switches this comparison off.
        quote: The finding on its quote; None if it quotes nothing.
    """

    claim: MemoryClaim
    may_approve_ai_synthesis: bool = True
    is_read: bool = True
    recalled: str | None = None
    hidden: Hidden = NOTHING_HIDDEN
    hedges: HedgeResult | None = None
    duplicate: DuplicateResult | None = None
    dedup_failure: str | None = None
    is_blocked: bool = False
    citations: list[CheckedCitation] = field(default_factory=list)
    verifier_failure: str | None = None
    relevance: RelevanceResult | None = None
    is_not_compared: bool = False
    quote: QuoteFinding | None = None

    @property
    def failed_citations(self) -> list[CheckedCitation]:
        """The citations whose verification failed."""
        return [each for each in self.citations if each.result.code in FAILED]

    @property
    def hedge_words(self) -> list[str]:
        """The words of its hedges, each once."""
        return [] if self.hedges is None else list(dict.fromkeys(self.hedges.hedge_words))

    @property
    def less_trusted_parents(self) -> list[str]:
        """The ids of parents without high confidence."""
        return [name for name, parent in self.claim.parents.items() if parent.confidence is not Confidence.HIGH]

    def cited(self, status: VerificationStatus) -> list[CheckedCitation]:
        """Return the citations of *status*."""
        return [each for each in self.citations if each.result.status is status]

    def tier_inputs(self) -> TierInputs:
        """Return the inputs of the table of tiers."""
        duplicate = self.duplicate
        says = None if self.relevance is None else self.relevance.verdict
        codes = {each.result.code for each in self.citations}
        return TierInputs(
            hedge=HedgeAction.CONTINUE if self.hedges is None else self.hedges.action,
            source=self.claim.source,
            memory_type=self.claim.memory_type,
            is_duplicate=duplicate is not None and duplicate.is_duplicate,
            is_recalled=self.recalled is not None,
            has_conflict=duplicate is not None and duplicate.conflict,
            dedup_failed=self.dedup_failure is not None,
            is_too_long=not self.is_read,
            hidden=self.hidden,
            check_failed=self.verifier_failure is not None or not _UNASKED.isdisjoint(codes),
            has_verified_citation=bool(self.cited(VerificationStatus.VERIFIED)),
            has_refuted_citation=bool(self.cited(VerificationStatus.REFUTED)),
            has_citation_not_in_force=VerificationReason.ADR_NOT_IN_FORCE in codes,
            is_citation_contradicted=says is PassageVerdict.CONTRADICTS,
            is_citation_irrelevant=says is PassageVerdict.UNRELATED,
            is_citation_unread=says is PassageVerdict.UNREAD,
            quote_fault=None if self.quote is None else self.quote.fault,
            has_less_trusted_parent=bool(self.less_trusted_parents),
            may_approve_ai_synthesis=self.may_approve_ai_synthesis,
        )


@dataclass(frozen=True, slots=True)
class ValidationCheck:
    """
    One row of the table.

    Attributes:
        name: Its name.
        passes: Whether it speaks for the claim.
        meaning: When it is listed, in words.
        details: Returns a detail for each entry, `""` for an entry without one; nothing if it is not listed.
    """

    name: str
    passes: bool
    meaning: str
    details: Callable[[ValidationState], Iterable[str]]


def check_entries(state: ValidationState, *, passes: bool) -> list[str]:
    """Return the checks that passed, or those that failed, in the order of the table."""
    return [
        f"{check.name}: {detail}" if detail else check.name
        for check in CHECKS
        if check.passes is passes
        for detail in check.details(state)
    ]


def check_name(entry: str) -> str:
    """Return the name of the check in *entry*, without its detail."""
    return entry.partition(": ")[0]


def _if(holds: bool, detail: str = "") -> Iterable[str]:
    return (detail,) if holds else ()


def _given(detail: str | None) -> Iterable[str]:
    return () if detail is None else (detail,)


def _with_reasons(citations: Iterable[CheckedCitation]) -> Iterable[str]:
    """Return the name of each citation, with the reason of its verification."""
    return dict.fromkeys(f"{each.name} ({each.result.reason})" for each in citations)


def _verified(state: ValidationState) -> Iterable[str]:
    return dict.fromkeys(each.name for each in state.cited(VerificationStatus.VERIFIED))


def _of_code(state: ValidationState, code: VerificationReason) -> Iterable[str]:
    return dict.fromkeys(each.name for each in state.citations if each.result.code is code)


def _unknown(state: ValidationState) -> Iterable[str]:
    """Return the unknown citations that no other row lists."""
    others = (VerificationReason.ADR_NOT_IN_FORCE, VerificationReason.NOT_LOOKED_UP, *FAILED)
    return _with_reasons(each for each in state.cited(VerificationStatus.UNKNOWN) if each.result.code not in others)


def _duplicate(state: ValidationState) -> Iterable[str]:
    same = state.duplicate
    return _given(same.existing_memory_id) if same is not None and same.is_duplicate and not same.conflict else ()


def _conflict(state: ValidationState) -> Iterable[str]:
    same = state.duplicate
    return _given(same.existing_memory_id) if same is not None and same.conflict else ()


def _is_unique(state: ValidationState) -> bool:
    return state.duplicate is not None and not state.duplicate.is_duplicate and not state.duplicate.conflict


def _is_trusted(state: ValidationState, ground: TierReason) -> bool:
    """Whether *ground* alone decides about the citations, the source and the type of the claim."""
    if not state.is_read or state.recalled is not None:
        return False
    is_verified = ground is TierReason.UNGROUNDED and bool(state.cited(VerificationStatus.VERIFIED))
    return _ground(state.claim.source, state.claim.memory_type, is_verified) is ground


@lru_cache(maxsize=256)  # anybody may name a source
def _ground(source: str, memory_type: str, is_verified: bool) -> TierReason:
    """Return the rule of the table for a claim with nothing against it."""
    alone = TierInputs(
        hedge=HedgeAction.CONTINUE, source=source, memory_type=memory_type, has_verified_citation=is_verified
    )
    return apply_tier_rules(alone).code


def _unless_known(name: str, known: Callable[[str], object]) -> Iterable[str]:
    return () if known(name) is not None else (show(name),)


def _quote(state: ValidationState, *, is_fine: bool) -> Iterable[str]:
    """Return the fault of the quote, and the number of its turn."""
    quote = state.quote
    if quote is None or (quote.fault is None) is not is_fine:
        return ()
    turn = () if quote.turn is None else (f"turn {quote.turn}",)
    return (", ".join([*(() if quote.fault is None else (quote.fault.value,)), *turn]),)


def _relevance(state: ValidationState) -> RelevanceResult:
    return state.relevance or RelevanceResult()


_GOOD: tuple[tuple[str, str, Callable[[ValidationState], Iterable[str]]], ...] = (
    ("citation_present", "it cites something, whatever that is worth", lambda state: _if(bool(state.citations))),
    ("citation_verified", "that is there, each by its name", _verified),
    (
        "citation_relevant",
        "a passage of it says what the claim says",
        lambda state: _relevance(state).sources(PassageVerdict.SUPPORTS),
    ),
    (
        "quote_verified",
        "what it quotes was said so, in the turn of this number",
        lambda state: _quote(state, is_fine=True),
    ),
    (
        "no_speculation",
        "it has no hedges",
        lambda state: _if(state.hedges is not None and not state.hedges.is_speculative),
    ),
    ("no_duplicate", "no memory says the same, and none contradicts it", lambda state: _if(_is_unique(state))),
    (
        "trusted_source",
        "it comes from a source that is trusted",
        lambda state: _if(_is_trusted(state, TierReason.TRUSTED_SOURCE), state.claim.source),
    ),
    (
        "decision_in_conversation",
        "it is a decision from a conversation",
        lambda state: _if(_is_trusted(state, TierReason.DECISION_IN_CONVERSATION)),
    ),
    (
        "preference_of_user",
        "it is a preference from a conversation or a chat",
        lambda state: _if(_is_trusted(state, TierReason.PREFERENCE_OF_USER)),
    ),
    (
        "parents_trusted",
        "all memories that it was derived from are of high confidence",
        lambda state: _if(bool(state.claim.parents) and not state.less_trusted_parents),
    ),
)

_BAD: tuple[tuple[str, str, Callable[[ValidationState], Iterable[str]]], ...] = (
    ("recalled_memory", "the memory that it is, word for word", lambda state: _given(state.recalled)),
    (
        "too_long",
        "it has this number of characters, and was not read",
        lambda state: _if(not state.is_read, f"{len(state.claim.content)} characters"),
    ),
    (
        "hidden_characters",
        "it has hidden characters",
        lambda state: _if(bool(state.hidden), str(state.hidden)),
    ),
    (
        "hedge_words_detected",
        "its hedges, as it has them",
        lambda state: _if(bool(state.hedge_words), ", ".join(state.hedge_words)),
    ),
    ("conflict_detected", "the memory that it contradicts", _conflict),
    ("duplicate_detected", "the memory that says the same", _duplicate),
    ("dedup_failed", "the check for duplicates failed, and why", lambda state: _given(state.dedup_failure)),
    (
        "citation_refuted",
        "what it cites is not there",
        lambda state: _with_reasons(state.cited(VerificationStatus.REFUTED)),
    ),
    (
        "citation_not_in_force",
        "it cites a decision that is not known to be in force",
        lambda state: _of_code(state, VerificationReason.ADR_NOT_IN_FORCE),
    ),
    ("citation_unknown", "it is unknown whether a cited source exists", _unknown),
    (
        "citation_not_looked_up",
        "the claim is blocked already, or cites more than is looked up",
        lambda state: _of_code(state, VerificationReason.NOT_LOOKED_UP),
    ),
    (
        "citation_check_failed",
        "asking failed, or took too long",
        lambda state: (*_given(state.verifier_failure), *_with_reasons(state.failed_citations)),
    ),
    (
        "citation_contradicted",
        "a passage of what it cites says otherwise",
        lambda state: _relevance(state).sources(PassageVerdict.CONTRADICTS),
    ),
    (
        "citation_irrelevant",
        "no passage of what it cites says so",
        lambda state: _relevance(state).sources(PassageVerdict.UNRELATED),
    ),
    (
        "citation_unreadable",
        "what it cites could not be read",
        lambda state: _relevance(state).sources(PassageVerdict.UNREAD),
    ),
    (
        "relevance_check_failed",
        "the comparison failed, and why",
        lambda state: _given(_relevance(state).failure),
    ),
    (
        "citation_not_compared",
        "it is there, and the configuration says not to compare it with the claim",
        lambda state: _verified(state) if state.is_not_compared else (),
    ),
    (
        "quote_not_verified",
        "what it quotes was not said so, and what is wrong with it",
        lambda state: _quote(state, is_fine=False),
    ),
    (
        "parent_less_trusted",
        "a memory that it was derived from is not of high confidence",
        lambda state: state.less_trusted_parents,
    ),
    (
        "unknown_source",
        "its source is unknown, and no rule trusts it",
        lambda state: _unless_known(state.claim.source, known_source),
    ),
    (
        "unknown_type",
        "its type is unknown",
        lambda state: _unless_known(state.claim.memory_type, known_type),
    ),
    (
        "ai_synthesis",
        "it is a model's own, and none of these may be approved",
        lambda state: _if(state.claim.source == MemorySource.AI_SYNTHESIS and not state.may_approve_ai_synthesis),
    ),
    (
        "ungrounded",
        "neither a citation nor its source or type speaks for it",
        lambda state: _if(not state.is_blocked and _is_trusted(state, TierReason.UNGROUNDED)),
    ),
)

CHECKS: tuple[ValidationCheck, ...] = (
    *(ValidationCheck(name, True, meaning, details) for name, meaning, details in _GOOD),
    *(ValidationCheck(name, False, meaning, details) for name, meaning, details in _BAD),
)
