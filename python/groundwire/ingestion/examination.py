"""What is found out about one claim, step by step, and what the table of tiers is asked about it."""

from dataclasses import dataclass, field

from groundwire.ingestion.claims import Claim
from groundwire.ingestion.duplicates import DuplicateResult
from groundwire.ingestion.evidence import CheckedCitation, Confidence, first_source
from groundwire.ingestion.hedges.results import HedgeAction, HedgeResult
from groundwire.ingestion.tiers import Findings
from groundwire.ingestion.verify.results import VerificationReason, VerificationStatus

__all__ = ["FAILED", "Examination", "Relevance"]

# Asking failed: the citation may be there or not. Whatever else speaks for the claim, people look at it.
FAILED = frozenset({VerificationReason.VERIFIER_FAILED, VerificationReason.TIMED_OUT})
# Among those that nobody was asked about there may be a refuted one (ruling C4).
_UNASKED = FAILED | {VerificationReason.NOT_LOOKED_UP}


@dataclass(frozen=True, slots=True)
class Relevance:
    """
    Whether what a claim cites says what it claims (ruling C18).

    Attributes:
        supporting: What says so, by name.
        silent: What does not, or says otherwise.
        unreadable: What could not be read.
        failure: Why nobody could tell, as the name of a class or a code; None if nothing failed.
    """

    supporting: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()
    failure: str | None = None

    @property
    def is_given(self) -> bool:
        """One text that says so is enough, unless asking failed."""
        return bool(self.supporting) and self.failure is None


@dataclass(slots=True)
class Examination:
    """
    What is known about a claim. Steps that were not taken leave nothing behind, which approves nothing.

    Attributes:
        claim: The claim.
        may_approve_ai_synthesis: Whether a model's own claims may be approved.
        is_read: Whether it was read at all.
        recalled: The memory that it is, word for word.
        hidden: Its characters that are not seen.
        hedges: Its hedges.
        duplicate: What is in memory of it; None if nobody could tell, or nobody asked.
        dedup_failure: Why nobody could tell.
        is_blocked: Whether it is blocked by now; then nobody is asked about its citations.
        citations: What it cites, and what is said of each.
        verifier_failure: Why nothing is known of any of them, as the name of a class.
        relevance: Whether they say so; None if nobody asked.
    """

    claim: Claim
    may_approve_ai_synthesis: bool = True
    is_read: bool = True
    recalled: str | None = None
    hidden: tuple[str, ...] = ()
    hedges: HedgeResult | None = None
    duplicate: DuplicateResult | None = None
    dedup_failure: str | None = None
    is_blocked: bool = False
    citations: list[CheckedCitation] = field(default_factory=list)
    verifier_failure: str | None = None
    relevance: Relevance | None = None

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
            has_hidden_characters=bool(self.hidden),
            check_failed=self.verifier_failure is not None or not _UNASKED.isdisjoint(codes),
            has_verified_citation=bool(self.cited(VerificationStatus.VERIFIED)),
            has_refuted_citation=bool(self.cited(VerificationStatus.REFUTED)),
            has_citation_not_in_force=VerificationReason.ADR_NOT_IN_FORCE in codes,
            is_citation_irrelevant=self.relevance is not None and not self.relevance.is_given,
            has_less_trusted_parent=bool(self.less_trusted_parents),
            may_approve_ai_synthesis=self.may_approve_ai_synthesis,
        )
