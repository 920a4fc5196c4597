"""
The findings of a claim's checks, and the names of the checks in a `ValidationResult`.

An entry is the name of a check, followed by `: ` and a detail if there is one: `hedge_words_detected: maybe`. Names are
stable; details are for people.
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
        """Return whether a citation supports the claim, none contradicts it, and the comparison did not fail."""
        if self.failure is not None:
            return PassageVerdict.UNREAD
        order = (PassageVerdict.CONTRADICTS, PassageVerdict.SUPPORTS, PassageVerdict.UNRELATED)
        return next((each for each in order if self.sources(each)), PassageVerdict.UNREAD)


@dataclass(slots=True)
class ValidationState:
    """
    The findings on a claim. A step that did not run leaves no finding, and a missing finding approves nothing.

    Attributes:
        claim: The claim.
        may_approve_ai_synthesis: Whether a model's own claims may be approved.
        is_read: Whether the claim was read at all.
        recalled: The memory with exactly this text, if there is one.
        hidden: The hidden characters of the claim.
        hedges: The hedges of the claim.
        duplicate: The result of the check for duplicates; None if the check failed or did not run.
        dedup_failure: The reason why the check for duplicates failed.
        is_blocked: Whether the claim is already blocked; its citations are then not verified.
        citations: The citations of the claim with their verification.
        verifier_failure: The class of the exception if the whole verification failed.
        relevance: Whether the citations state the claim; None if the check did not run.
        is_not_compared: Whether the configuration switches this comparison off.
        quote: The finding on the quote; None without a quote.
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
        """The words of the hedges, each once."""
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
    A row of the table of checks.

    Attributes:
        name: The name of the check.
        passes: Whether the check speaks for the claim.
        meaning: The condition for listing it, in words.
        details: Returns a detail for each entry, `""` for an entry without one, and nothing if the check is not listed.
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
    """Return whether *ground* alone decides for the citations, the source and the type of the claim."""
    if not state.is_read or state.recalled is not None:
        return False
    is_verified = ground is TierReason.UNGROUNDED and bool(state.cited(VerificationStatus.VERIFIED))
    return _ground(state.claim.source, state.claim.memory_type, is_verified) is ground


@lru_cache(maxsize=256)  # any caller may state this source
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
    ("citation_present", "the claim cites a source, verified or not", lambda state: _if(bool(state.citations))),
    ("citation_verified", "a cited source exists, with its name", _verified),
    (
        "citation_relevant",
        "a passage of the cited source states the claim",
        lambda state: _relevance(state).sources(PassageVerdict.SUPPORTS),
    ),
    (
        "quote_verified",
        "the quote is in the turn of this number",
        lambda state: _quote(state, is_fine=True),
    ),
    (
        "no_speculation",
        "the claim has no hedges",
        lambda state: _if(state.hedges is not None and not state.hedges.is_speculative),
    ),
    ("no_duplicate", "no memory repeats or contradicts the claim", lambda state: _if(_is_unique(state))),
    (
        "trusted_source",
        "the source of the claim is trusted",
        lambda state: _if(_is_trusted(state, TierReason.TRUSTED_SOURCE), state.claim.source),
    ),
    (
        "decision_in_conversation",
        "the claim is a decision from a conversation",
        lambda state: _if(_is_trusted(state, TierReason.DECISION_IN_CONVERSATION)),
    ),
    (
        "preference_of_user",
        "the claim is a preference from a conversation or a chat",
        lambda state: _if(_is_trusted(state, TierReason.PREFERENCE_OF_USER)),
    ),
    (
        "parents_trusted",
        "all memories that the claim is derived from have high confidence",
        lambda state: _if(bool(state.claim.parents) and not state.less_trusted_parents),
    ),
)

_BAD: tuple[tuple[str, str, Callable[[ValidationState], Iterable[str]]], ...] = (
    ("recalled_memory", "a memory has exactly this text", lambda state: _given(state.recalled)),
    (
        "too_long",
        "the claim has this number of characters and was not read",
        lambda state: _if(not state.is_read, f"{len(state.claim.content)} characters"),
    ),
    (
        "hidden_characters",
        "the claim has hidden characters",
        lambda state: _if(bool(state.hidden), str(state.hidden)),
    ),
    (
        "hedge_words_detected",
        "the hedges, as they are in the claim",
        lambda state: _if(bool(state.hedge_words), ", ".join(state.hedge_words)),
    ),
    ("conflict_detected", "the memory that the claim contradicts", _conflict),
    ("duplicate_detected", "the memory that the claim repeats", _duplicate),
    ("dedup_failed", "the check for duplicates failed, with the reason", lambda state: _given(state.dedup_failure)),
    (
        "citation_refuted",
        "a cited source does not exist",
        lambda state: _with_reasons(state.cited(VerificationStatus.REFUTED)),
    ),
    (
        "citation_not_in_force",
        "a cited decision is not known to be in force",
        lambda state: _of_code(state, VerificationReason.ADR_NOT_IN_FORCE),
    ),
    ("citation_unknown", "it is unknown whether a cited source exists", _unknown),
    (
        "citation_not_looked_up",
        "the citation was not verified: the claim is blocked, or cites too many sources",
        lambda state: _of_code(state, VerificationReason.NOT_LOOKED_UP),
    ),
    (
        "citation_check_failed",
        "a verification failed or timed out",
        lambda state: (*_given(state.verifier_failure), *_with_reasons(state.failed_citations)),
    ),
    (
        "citation_contradicted",
        "a passage of the cited source contradicts the claim",
        lambda state: _relevance(state).sources(PassageVerdict.CONTRADICTS),
    ),
    (
        "citation_irrelevant",
        "no passage of the cited source states the claim",
        lambda state: _relevance(state).sources(PassageVerdict.UNRELATED),
    ),
    (
        "citation_unreadable",
        "a cited source could not be read",
        lambda state: _relevance(state).sources(PassageVerdict.UNREAD),
    ),
    (
        "relevance_check_failed",
        "the comparison failed, with the reason",
        lambda state: _given(_relevance(state).failure),
    ),
    (
        "citation_not_compared",
        "the source exists, and the configuration switches the comparison off",
        lambda state: _verified(state) if state.is_not_compared else (),
    ),
    (
        "quote_not_verified",
        "the quote has this fault",
        lambda state: _quote(state, is_fine=False),
    ),
    (
        "parent_less_trusted",
        "a memory that the claim is derived from does not have high confidence",
        lambda state: state.less_trusted_parents,
    ),
    (
        "unknown_source",
        "the source of the claim is unknown",
        lambda state: _unless_known(state.claim.source, known_source),
    ),
    (
        "unknown_type",
        "the type of the claim is unknown",
        lambda state: _unless_known(state.claim.memory_type, known_type),
    ),
    (
        "ai_synthesis",
        "the claim is a model's own, and the configuration approves none of these",
        lambda state: _if(state.claim.source == MemorySource.AI_SYNTHESIS and not state.may_approve_ai_synthesis),
    ),
    (
        "ungrounded",
        "no citation, source or type speaks for the claim",
        lambda state: _if(not state.is_blocked and _is_trusted(state, TierReason.UNGROUNDED)),
    ),
)

CHECKS: tuple[ValidationCheck, ...] = (
    *(ValidationCheck(name, True, meaning, details) for name, meaning, details in _GOOD),
    *(ValidationCheck(name, False, meaning, details) for name, meaning, details in _BAD),
)
