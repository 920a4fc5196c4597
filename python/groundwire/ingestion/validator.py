"""
Validates claims: runs the checks, and decides by the table in `tiers`.

Each check records a finding, or that it failed. A failed check sends a claim to review, never into memory.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from groundwire.errors import DedupCheckError
from groundwire.ingestion.checks import ValidationState, check_entries
from groundwire.ingestion.citation_detector import Citation, CitationDetector
from groundwire.ingestion.conversation import QuoteFinding
from groundwire.ingestion.duplicates.checker import BatchCandidates, DedupChecker, TimeLimitedProvider
from groundwire.ingestion.duplicates.index import DEDUP_METHODS, DedupMethod, TextIndex
from groundwire.ingestion.hedges import HedgeAction
from groundwire.ingestion.hedges.detector import HedgeDetector
from groundwire.ingestion.hedges.lexicon import LANGUAGES, check_languages
from groundwire.ingestion.records import (
    CheckedCitation,
    Confidence,
    EvidenceObject,
    MemoryClaim,
    ValidationResult,
    cited_documents,
    derive_evidence,
    first_source,
    hidden_in,
    utc_now,
)
from groundwire.ingestion.relevance import RelevanceCheck
from groundwire.ingestion.tiers import QuoteFault, Tier, apply_tier_rules
from groundwire.ingestion.verification.protocol import VerificationReason, VerificationResult, make_result
from groundwire.ingestion.verification.verifier import CitationVerifier
from groundwire.labels import show
from groundwire.memory.records import MemoryRecord
from groundwire.thresholds import DUPLICATE_THRESHOLD

if TYPE_CHECKING:
    from groundwire.embedding.protocol import Embedder
    from groundwire.ingestion.conversation import ConversationLike
    from groundwire.ingestion.duplicates.conflicts import ContentCache
    from groundwire.ingestion.verification.protocol import BatchVerifier
    from groundwire.judge.protocol import Judge
    from groundwire.memory import MemoryProvider

__all__ = ["MAX_CITATIONS", "GroundedIngestionConfig", "IngestionValidator", "build_validation_result"]

MAX_CITATIONS = 64
"""If a claim cites more sources, none is verified, so that a claim cannot cause thousands of requests."""

_NOT_VERIFIED = make_result(VerificationReason.NOT_LOOKED_UP)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundedIngestionConfig:
    """
    The strictness of a validation, with the defaults of the document.

    Attributes:
        dedup_method: The search for similar memories: "jaccard" by words, exactly; "minhash" by words, for long texts;
            "vector" by meaning.
        dedup_threshold: The minimum similarity of a duplicate, above 0.0 and up to 1.0 (ruling C1).
        verify_claim_relevance: Whether to compare a claim with the passages of its citations (rulings C18, C19), by
            *judge* if there is one, else by words. If False, a cited source only has to exist, and results list
            `citation_not_compared`.
        auto_approve_ai_synthesis: Whether a verified citation approves a model's own claim. If False, all of these go
            to review.
        embedder: Embeds texts for "vector". Without one that check fails, and claims go to review.
        judge: The judge for *verify_claim_relevance*.
        lexicons: The languages of hedges.
        scientific: Whether the words of research prose count as hedges (ruling C6).
        max_claim_chars: Longer claims go to review unread, because the checks take longer for long claims.
        check_timeout_s: The timeout in seconds of each answer: of the provider, of the verifier for the citations of
            one claim, and of the judge. A late answer is a failed check.

    Raises:
        ValueError: A method or lexicon is unknown, or a threshold is out of its range.
        TypeError: A value has another type.
    """

    dedup_method: DedupMethod = "jaccard"
    dedup_threshold: float = DUPLICATE_THRESHOLD
    verify_claim_relevance: bool = True
    auto_approve_ai_synthesis: bool = True
    embedder: "Embedder | None" = None
    judge: "Judge | None" = None
    lexicons: Sequence[str] = LANGUAGES
    scientific: bool = False
    max_claim_chars: int = 20_000
    check_timeout_s: float = 60.0

    def __post_init__(self) -> None:
        if self.dedup_method not in DEDUP_METHODS:
            given = show(self.dedup_method) if isinstance(self.dedup_method, str) else type(self.dedup_method).__name__
            raise ValueError(f"dedup_method must be one of {', '.join(DEDUP_METHODS)}; got {given}")
        for name in ("dedup_threshold", "max_claim_chars", "check_timeout_s"):
            _check_number(getattr(self, name), name, whole=name == "max_claim_chars")
        if not 0.0 < self.dedup_threshold <= 1.0:
            raise ValueError(f"dedup_threshold must be above 0 and at most 1, got {self.dedup_threshold}")
        if not self.max_claim_chars > 0 or not self.check_timeout_s > 0:
            given = f"{self.max_claim_chars} and {self.check_timeout_s}"
            raise ValueError(f"max_claim_chars and check_timeout_s must be above 0, got {given}")
        for name in ("verify_claim_relevance", "auto_approve_ai_synthesis", "scientific"):
            if not isinstance(getattr(self, name), bool):
                raise TypeError(f"{name} must be a bool, got {type(getattr(self, name)).__name__}")
        object.__setattr__(self, "lexicons", check_languages(self.lexicons))


def _check_number(value: object, name: str, *, whole: bool) -> None:
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
        raise TypeError(f"{name} must be {'an int' if whole else 'a number'}, got {type(value).__name__}")


def build_validation_result(state: ValidationState, capture_time: datetime) -> ValidationResult:
    """Return the result for a claim, captured at *capture_time* unless it has a time of its own."""
    decision = apply_tier_rules(state.tier_inputs())
    duplicate = state.duplicate
    is_named = duplicate is not None and duplicate.existing_memory_id is not None
    return ValidationResult(
        tier=decision.tier,
        approved=decision.tier is Tier.AUTO_APPROVE,
        reason=decision.reason,
        evidence=_evidence(state, Confidence.of(decision.tier), capture_time),
        checks_passed=check_entries(state, passes=True),
        checks_failed=check_entries(state, passes=False),
        similarity_score=duplicate.similarity if duplicate is not None and is_named else None,
        conflicting_memory_id=duplicate.existing_memory_id if duplicate is not None else state.recalled,
        code=decision.code,
        citations=tuple(state.citations),
        hedges=state.hedges,
    )


def _evidence(state: ValidationState, confidence: Confidence, capture_time: datetime) -> EvidenceObject:
    claim = state.claim
    fields: dict[str, Any] = {
        "capture_time": claim.capture_time or capture_time,
        "confidence": confidence,
        "source_id": first_source(state.citations),
        "validity_horizon": claim.validity_horizon,
        "metadata": {**claim.metadata, **cited_documents(state.citations)},
        "passages": () if state.relevance is None else state.relevance.passages,
    }
    if claim.parents:
        return derive_evidence(claim.content, claim.parents, **fields)
    return EvidenceObject(claim.content, **fields)


class IngestionValidator:
    """
    Validates claims: approves them, sends them to review, or blocks them.

    Immutable. Tasks may share a validator, and so may threads if provider and verifier are thread-safe.

    Args:
        provider: The memories. With *enable_dedup* and without a provider every claim goes to review, because it may be
            a duplicate.
        enable_dedup: Whether to check for duplicates at all.
        config: The strictness.
        verifier: Verifies citations. None for a `CitationVerifier` of the working directory, with `docs/adrs`, as
            printed.
        pending: A second provider, of claims that wait for review (ruling C16).
        clock: Returns the time, with its time zone, for claims without a capture time.
    """

    def __init__(
        self,
        provider: "MemoryProvider | None" = None,
        enable_dedup: bool = True,
        config: GroundedIngestionConfig | None = None,
        verifier: "BatchVerifier | None" = None,
        *,
        pending: "MemoryProvider | None" = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._config = config = config or GroundedIngestionConfig()
        timeout_s = config.check_timeout_s
        self._provider = None if provider is None else TimeLimitedProvider(provider, timeout_s)
        self._pending = None if pending is None else TimeLimitedProvider(pending, timeout_s)
        self._checker = self._checker_for(self._provider, self._pending) if enable_dedup else None
        self._hedges = HedgeDetector(config.lexicons, scientific=config.scientific)
        self._citations = CitationDetector()
        self._verifier = CitationVerifier(repo=".", adr_dirs=("docs/adrs",)) if verifier is None else verifier
        self._clock = clock
        self._relevance = (
            RelevanceCheck(self._verifier, config.judge, timeout_s) if config.verify_claim_relevance else None
        )

    async def validate(
        self,
        content: str,
        memory_type: str,
        source: str,
        user_id: str,
        *,
        parents: Mapping[str, EvidenceObject] | None = None,
        validity_horizon: datetime | None = None,
        metadata: Mapping[str, Any] | None = None,
        capture_time: datetime | None = None,
        quote: str | None = None,
        turn: int | str | None = None,
        speaker: str | None = None,
        conversation: "ConversationLike | None" = None,
    ) -> ValidationResult:
        """
        Validate one claim. The arguments are those of `MemoryClaim`; *conversation* is as in `validate_many`.

        Raises:
            ValueError: As in `MemoryClaim`.
            TypeError: As in `MemoryClaim`.
        """
        claim = MemoryClaim(
            content,
            memory_type,
            source,
            user_id,
            parents=parents if parents is not None else {},
            validity_horizon=validity_horizon,
            metadata=metadata if metadata is not None else {},
            capture_time=capture_time,
            quote=quote,
            turn=turn,
            speaker=speaker,
        )
        return (await self.validate_many([claim], conversation=conversation))[0]

    async def validate_many(
        self,
        claims: Sequence[MemoryClaim],
        *,
        names: Sequence[str] | None = None,
        conversation: "ConversationLike | None" = None,
    ) -> list[ValidationResult]:
        """
        Validate claims; return one result for each, in order.

        Each claim is compared with earlier claims as if they were in memory or in the queue, unless they are blocked.
        Citations are verified once for all claims. Memories are read once for each user if the provider has
        `candidates_many`.

        Args:
            claims: The claims to validate.
            names: The name of each claim in the results of claims that repeat or contradict it; `batch:0`, `batch:1`,
                ... by default.
            conversation: The source of quotes: a transcript, its text, or messages (ruling C21). Without it, a claim
                with a quote goes to review.

        Raises:
            ValueError: The numbers of names and claims differ, or a message has no text.
            TypeError: *conversation* has another type.
            TranscriptError: The text of *conversation* is not in the format that it seems to have.
        """
        names = [f"batch:{place}" for place in range(len(claims))] if names is None else names
        if len(names) != len(claims):
            raise ValueError(f"names must have one entry for each of {len(claims)} claims, got {len(names)}")
        states = [self._read(claim) for claim in claims]
        await _check_quotes(states, conversation)
        await self._check_duplicates(states, names)
        await self._verify(states)
        if self._relevance is not None:
            await self._relevance.check(states)
        return [build_validation_result(state, state.claim.capture_time or self._clock()) for state in states]

    def _read(self, claim: MemoryClaim) -> ValidationState:
        """Run the checks that need only the claim."""
        state = ValidationState(
            claim,
            may_approve_ai_synthesis=self._config.auto_approve_ai_synthesis,
            is_not_compared=self._relevance is None,
        )
        if len(claim.content) > self._config.max_claim_chars:
            state.is_read = False
            return state
        state.hidden = hidden_in(claim)
        state.hedges = self._hedges.analyze(claim.content)
        state.citations = [CheckedCitation(each, _NOT_VERIFIED) for each in self._citations.detect(claim.content)]
        state.is_blocked = state.hedges.action is HedgeAction.BLOCK
        return state

    async def _check_duplicates(self, states: Sequence[ValidationState], names: Sequence[str]) -> None:
        """Check each claim that is not blocked for duplicates, in memory and earlier in the batch."""
        checker, batch = self._checker, None
        if checker is None:
            return
        wanted = [
            (name, state) for name, state in zip(names, states, strict=True) if state.is_read and not state.is_blocked
        ]
        if self._provider is not None and len(wanted) > 1:
            from groundwire.ingestion.duplicates.conflicts import ContentCache

            batch = await self._load_batch([state.claim for _, state in wanted])
            checker = self._checker_for(batch, cache=ContentCache())
        for name, state in wanted:
            await _check_duplicate(checker, state)
            state.is_blocked = apply_tier_rules(state.tier_inputs()).tier is Tier.BLOCK
            if batch is not None and not state.is_blocked:
                claim = state.claim
                record = MemoryRecord(id=name, content=claim.content, memory_type=claim.memory_type)
                await batch.add(record, claim.user_id)

    async def _load_batch(self, claims: Sequence[MemoryClaim]) -> BatchCandidates:
        config = self._config
        empty = TextIndex(config.dedup_threshold, method=config.dedup_method, embedder=config.embedder)
        batch = BatchCandidates([each for each in (self._provider, self._pending) if each is not None], empty)
        await batch.load(claims)
        return batch

    def _checker_for(
        self,
        provider: "MemoryProvider | None",
        pending: "MemoryProvider | None" = None,
        *,
        cache: "ContentCache | None" = None,
    ) -> DedupChecker:
        config = self._config
        return DedupChecker(
            provider,
            config.dedup_threshold,
            method=config.dedup_method,
            tokens="unicode",
            embedder=config.embedder,
            pending=pending,
            cache=cache,
        )

    async def _verify(self, states: Sequence[ValidationState]) -> None:
        """Verify the citations of all claims that are not blocked, in one call."""
        citing = [state for state in states if not state.is_blocked and 0 < len(state.citations) <= MAX_CITATIONS]
        citations = [each.citation for state in citing for each in state.citations]
        if not citations:
            return
        answers = await self._verification_results(citations)
        for state in citing:
            if isinstance(answers, str):
                state.verifier_failure = answers
            else:
                state.citations = [CheckedCitation(each.citation, next(answers)) for each in state.citations]

    async def _verification_results(self, citations: Sequence[Citation]) -> "Iterator[VerificationResult] | str":
        """Return one result for each citation; after a failure, the name of its class."""
        from asyncio import timeout

        # The timeout is for the citations of one claim, and there may be several claims.
        portions = -(-len(citations) // MAX_CITATIONS)
        try:
            async with timeout(self._config.check_timeout_s * portions):
                answers = list(await self._verifier.verify_many(citations))
        except Exception as error:  # a custom verifier may raise anything, and its message may contain the claim
            return type(error).__name__
        is_whole = len(answers) == len(citations) and all(isinstance(each, VerificationResult) for each in answers)
        return iter(answers) if is_whole else "no result"


async def _check_quotes(states: Sequence[ValidationState], given: "ConversationLike | None") -> None:
    """Check the quotes of claims. Without a conversation they stay unchecked."""
    quoting = [state for state in states if state.claim.quote is not None]
    if given is None:
        for state in quoting:
            state.quote = QuoteFinding(QuoteFault.UNCHECKED)
        return
    from asyncio import to_thread

    from groundwire.ingestion.conversation import conversation_of

    conversation = conversation_of(given)
    for state in quoting:
        state.quote = await to_thread(conversation.check, state.claim)


async def _check_duplicate(checker: DedupChecker, state: ValidationState) -> None:
    claim = state.claim
    try:
        state.duplicate = await checker.check_duplicate(claim.content, claim.user_id, claim.memory_type)
    except DedupCheckError as error:
        state.dedup_failure = f"{error.code} ({error.detail})"
    except Exception as error:  # after any failure, a duplicate cannot be ruled out
        state.dedup_failure = type(error).__name__
