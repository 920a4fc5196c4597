"""
From a claim to what becomes of it.

Each check says what it found, or that it could not be made; the table of `tiers` decides.
Whatever fails moves a claim toward people, never into memory.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from groundwire.ingestion.claims import MemoryClaim, hidden_in
from groundwire.ingestion.conclusion import conclude
from groundwire.ingestion.config import GroundedIngestionConfig
from groundwire.ingestion.conversation import QuoteFinding
from groundwire.ingestion.duplicates import DedupChecker, DedupCheckError
from groundwire.ingestion.duplicates_batch import BatchMemories, TimedProvider
from groundwire.ingestion.duplicates_index import TextIndex
from groundwire.ingestion.evidence import CheckedCitation, EvidenceObject, ValidationResult
from groundwire.ingestion.examination import Examination
from groundwire.ingestion.hedges.detector import HedgeDetector
from groundwire.ingestion.hedges.results import HedgeAction
from groundwire.ingestion.provenance import Citation, CitationDetector
from groundwire.ingestion.relevance import RelevanceCheck
from groundwire.ingestion.tiers import QuoteFault, Tier, decide
from groundwire.ingestion.verify.results import VerificationReason, VerificationResult, result
from groundwire.ingestion.verify.verifier import CitationVerifier
from groundwire.memory.records import MemoryRecord

if TYPE_CHECKING:
    from groundwire.ingestion.conversation import ConversationLike
    from groundwire.ingestion.duplicates_conflict import StatementCache
    from groundwire.ingestion.verify.protocol import BatchVerifier
    from groundwire.memory import MemoryProvider

__all__ = ["MOST_CITATIONS", "IngestionValidator"]

MOST_CITATIONS = 64
"""Of a claim that cites more nothing is looked up: it must not be a way to make us send thousands of requests."""

_NOT_LOOKED_UP = result(VerificationReason.NOT_LOOKED_UP)


def _now() -> datetime:
    return datetime.now(UTC)


class IngestionValidator:
    """
    Says what becomes of claims: into memory, to people, or nowhere.

    Immutable; tasks may share one. Threads may, if provider and verifier allow it.

    Args:
        provider: What is in memory. With *enable_dedup* and without one, every claim goes to
            review: nobody could tell whether it is there already.
        enable_dedup: Whether copies are looked for at all.
        config: How strict to be.
        verifier: Who knows whether citations are there. None: a `CitationVerifier` for the
            working directory, with `docs/adrs`, as printed.
        pending: A second provider: what waits for review (ruling C16).
        clock: The time, with its zone, for claims that do not say when they were captured.
    """

    def __init__(
        self,
        provider: "MemoryProvider | None" = None,
        enable_dedup: bool = True,
        config: GroundedIngestionConfig | None = None,
        verifier: "BatchVerifier | None" = None,
        *,
        pending: "MemoryProvider | None" = None,
        clock: Callable[[], datetime] = _now,
    ) -> None:
        self._config = config = config or GroundedIngestionConfig()
        timeout_s = config.check_timeout_s
        self._provider = None if provider is None else TimedProvider(provider, timeout_s)
        self._pending = None if pending is None else TimedProvider(pending, timeout_s)
        self._checker = self._checker_on(self._provider, self._pending) if enable_dedup else None
        self._hedges = HedgeDetector(config.lexicons, scientific=config.scientific)
        self._citations = CitationDetector()
        self._verifier = verifier or CitationVerifier(repo=".", adr_dirs=("docs/adrs",))
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
        Validate one claim; the arguments are those of `MemoryClaim`, and *conversation* as in `validate_many`.

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
        Validate claims; return one result for each, in their order.

        A claim sees those before it as if they were in memory or in the queue already,
        unless they are blocked. What they cite is verified once for all of them; what is in
        memory is read once for each user if the provider has `candidates_many`.

        Args:
            claims: What to validate.
            names: What each one is called in the results of those that repeat or contradict
                it; `batch:0`, `batch:1`, ... where not given.
            conversation: What claims quote from: a transcript, its text, or messages (ruling
                C21). A claim that quotes goes to review without it.

        Raises:
            ValueError: There are not as many names as claims, or a message has no text.
            TypeError: *conversation* is something else.
            TranscriptError: The text of *conversation* is not in the format that it shows.
        """
        names = [f"batch:{place}" for place in range(len(claims))] if names is None else names
        if len(names) != len(claims):
            raise ValueError(f"names must have one for each of {len(claims)} claims, got {len(names)}")
        found = [self._read(claim) for claim in claims]
        await _check_quotes(found, conversation)
        await self._look_for_copies(found, names)
        await self._verify(found)
        if self._relevance is not None:
            await self._relevance.check(found)
        return [conclude(one, one.claim.capture_time or self._clock()) for one in found]

    def _read(self, claim: MemoryClaim) -> Examination:
        """Find out what the claim alone shows."""
        one = Examination(
            claim,
            may_approve_ai_synthesis=self._config.auto_approve_ai_synthesis,
            is_not_compared=self._relevance is None,
        )
        if len(claim.content) > self._config.max_claim_chars:
            one.is_read = False
            return one
        one.hidden = hidden_in(claim)
        one.hedges = self._hedges.analyze(claim.content)
        one.citations = [CheckedCitation(each, _NOT_LOOKED_UP) for each in self._citations.detect(claim.content)]
        one.is_blocked = one.hedges.action is HedgeAction.BLOCK
        return one

    async def _look_for_copies(self, found: Sequence[Examination], names: Sequence[str]) -> None:
        """Find out what is in memory of each claim that is not blocked, or comes before it in the batch."""
        checker, batch = self._checker, None
        if checker is None:
            return
        wanted = [(name, one) for name, one in zip(names, found, strict=True) if one.is_read and not one.is_blocked]
        if self._provider is not None and len(wanted) > 1:
            from groundwire.ingestion.duplicates_conflict import StatementCache

            batch = await self._batch_of([one.claim for _, one in wanted])
            checker = self._checker_on(batch, statements=StatementCache())
        for name, one in wanted:
            await _check_duplicate(checker, one)
            one.is_blocked = decide(one.findings()).tier is Tier.BLOCK
            if batch is not None and not one.is_blocked:
                claim = one.claim
                batch.add(MemoryRecord(id=name, content=claim.content, memory_type=claim.memory_type), claim.user_id)

    async def _batch_of(self, claims: Sequence[MemoryClaim]) -> BatchMemories:
        config = self._config
        empty = TextIndex(config.dedup_threshold, method=config.dedup_method, embedder=config.embedder)
        batch = BatchMemories([each for each in (self._provider, self._pending) if each is not None], empty)
        await batch.load(claims)
        return batch

    def _checker_on(
        self,
        provider: "MemoryProvider | None",
        pending: "MemoryProvider | None" = None,
        *,
        statements: "StatementCache | None" = None,
    ) -> DedupChecker:
        config = self._config
        return DedupChecker(
            provider,
            config.dedup_threshold,
            method=config.dedup_method,
            tokens="unicode",
            embedder=config.embedder,
            pending=pending,
            statements=statements,
        )

    async def _verify(self, found: Sequence[Examination]) -> None:
        """Ask about the citations of all claims that may still be approved, or reviewed, at once."""
        asked = [one for one in found if not one.is_blocked and 0 < len(one.citations) <= MOST_CITATIONS]
        citations = [each.citation for one in asked for each in one.citations]
        if not citations:
            return
        answers = await self._answers(citations)
        for one in asked:
            if isinstance(answers, str):
                one.verifier_failure = answers
            else:
                one.citations = [CheckedCitation(each.citation, next(answers)) for each in one.citations]

    async def _answers(self, citations: Sequence[Citation]) -> "Iterator[VerificationResult] | str":
        """Return one result for each citation; else why there is none, as the name of a class."""
        from asyncio import timeout

        # So much time for as many as one claim may have.
        portions = -(-len(citations) // MOST_CITATIONS)
        try:
            async with timeout(self._config.check_timeout_s * portions):
                answers = list(await self._verifier.verify_many(citations))
        except Exception as error:  # a verifier may be anybody's, and its words may hold the claim
            return type(error).__name__
        is_whole = len(answers) == len(citations) and all(isinstance(each, VerificationResult) for each in answers)
        return iter(answers) if is_whole else "no result"


async def _check_quotes(found: Sequence[Examination], given: "ConversationLike | None") -> None:
    """Compare what claims quote with what was said; without a conversation nobody can."""
    quoting = [one for one in found if one.claim.quote is not None]
    if given is None:
        for one in quoting:
            one.quote = QuoteFinding(QuoteFault.UNCHECKED)
        return
    from asyncio import to_thread

    from groundwire.ingestion.conversation import conversation_of

    conversation = conversation_of(given)
    for one in quoting:
        one.quote = await to_thread(conversation.check, one.claim)


async def _check_duplicate(checker: DedupChecker, one: Examination) -> None:
    claim = one.claim
    try:
        one.duplicate = await checker.check_duplicate(claim.content, claim.user_id, claim.memory_type)
    except DedupCheckError as error:
        one.dedup_failure = f"{error.code} ({error.detail})"
    except Exception as error:  # whatever it is, nobody can say that there is no copy
        one.dedup_failure = type(error).__name__
