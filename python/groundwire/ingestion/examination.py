"""What is found out about one claim, step by step, and what the table of tiers is asked about it."""

from dataclasses import dataclass, field

from groundwire.ingestion.claims import MemoryClaim
from groundwire.ingestion.conversation import QuoteFinding
from groundwire.ingestion.duplicates import DuplicateResult
from groundwire.ingestion.evidence import CheckedCitation, CitedPassage, Confidence, PassageVerdict, first_source
from groundwire.ingestion.hedges.results import HedgeAction, HedgeResult
from groundwire.ingestion.tiers import Findings
from groundwire.ingestion.verify.results import VerificationReason, VerificationStatus
from groundwire.sanitize import NOTHING_HIDDEN, Hidden

__all__ = ["FAILED", "Examination", "Relevance"]

# Asking failed: the citation may be there or not. Whatever else speaks for the claim, people look at it.
FAILED = frozenset({VerificationReason.VERIFIER_FAILED, VerificationReason.TIMED_OUT})
# Among those that nobody was asked about there may be a refuted one (ruling C4).
_UNASKED = FAILED | {VerificationReason.NOT_LOOKED_UP}


@dataclass(frozen=True, slots=True)
class Relevance:
    """
    Whether the citations of a claim say what it says (rulings C18, C19).

    Attributes:
        passages: What each of them says, with the passage that decides.
        failure: Why nobody could compare them, as the name of a class or a code; None if nothing failed.
    """

    passages: tuple[CitedPassage, ...] = ()
    failure: str | None = None

    def sources(self, verdict: PassageVerdict) -> tuple[str, ...]:
        """Return the citations of *verdict*, by name."""
        return tuple(each.source for each in self.passages if each.verdict is verdict)

    @property
    def verdict(self) -> PassageVerdict:
        """One citation that supports the claim is enough, unless another one contradicts it or asking failed."""
        if self.failure is not None:
            return PassageVerdict.UNREAD
        order = (PassageVerdict.CONTRADICTS, PassageVerdict.SUPPORTS, PassageVerdict.UNRELATED)
        return next((each for each in order if self.sources(each)), PassageVerdict.UNREAD)


@dataclass(slots=True)
class Examination:
    """
    What is known about a claim. Steps that were not taken leave nothing behind, which approves nothing.

    Attributes:
        claim: The claim.
        may_approve_ai_synthesis: Whether a model's own claims may be approved.
        is_read: Whether it was read at all.
        recalled: The memory that it is, word for word.
        hidden: Its hidden characters.
        hedges: Its hedges.
        duplicate: What is in memory of it; None if nobody could tell, or nobody asked.
        dedup_failure: Why nobody could tell.
        is_blocked: Whether it is blocked by now; then nobody is asked about its citations.
        citations: What it cites, and what is said of each.
        verifier_failure: Why nothing is known of any of them, as the name of a class.
        relevance: Whether they say so; None if nobody asked.
        is_not_compared: Whether the configuration says that nobody is to ask.
        quote: What is known of what it quotes; None if it quotes nothing.
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
    relevance: Relevance | None = None
    is_not_compared: bool = False
    quote: QuoteFinding | None = None

    @property
    def failed_citations(self) -> list[CheckedCitation]:
        """Those about which asking failed."""
        return [each for each in self.citations if each.result.code in FAILED]

    @property
    def hedge_words(self) -> list[str]:
        """Its hedges as it has them, each once."""
        return [] if self.hedges is None else list(dict.fromkeys(self.hedges.hedge_words))

    @property
    def less_trusted_parents(self) -> list[str]:
        """The ids of parents that are not of high confidence."""
        return [name for name, parent in self.claim.parents.items() if parent.confidence is not Confidence.HIGH]

    def cited(self, status: VerificationStatus) -> list[CheckedCitation]:
        """Return the citations of *status*."""
        return [each for each in self.citations if each.result.status is status]

    def first_source(self) -> str | None:
        """The name of the first citation that is verified, else of the first; None if it cites nothing."""
        return first_source(self.citations)

    def findings(self) -> Findings:
        """Return what the table of tiers is asked about."""
        duplicate = self.duplicate
        says = None if self.relevance is None else self.relevance.verdict
        codes = {each.result.code for each in self.citations}
        return Findings(
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
