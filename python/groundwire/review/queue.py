"""Submits claims to the review queue and decides on them, one or many. `state_machine` has the rules."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar
from uuid import uuid4

from groundwire.errors import (
    AlreadyDecided,
    CallbackFailed,
    GroundwireError,
    HiddenCharacters,
    MemoryStoreError,
    NotAllowed,
    NotFound,
    QueueFull,
)
from groundwire.ingestion.citation_detector import Citation, CitationDetector
from groundwire.ingestion.records import CheckedCitation, EvidenceObject, ValidationResult
from groundwire.ingestion.validator import MAX_CITATIONS
from groundwire.ingestion.verification.protocol import VerificationReason, VerificationResult, make_result
from groundwire.memory import MemoryStore, StoreFailure
from groundwire.memory.records import USER_ID_MAX_CHARS, check_label, check_text
from groundwire.review import state_machine
from groundwire.review.details import CheckDetails, Edit
from groundwire.review.items import QueueItem
from groundwire.review.reader import QueueReader, to_pending_memory
from groundwire.review.records import REASON_MAX_CHARS, DecisionOutcome, PendingMemory, ReviewAction, ReviewEventDraft
from groundwire.review.repository import QueueRepository, QueueTransaction
from groundwire.review.state_machine import NewQueueItem, ReviewerContext, ReviewPolicy, make_review_policy
from groundwire.review.transactions import CALLS_PER_COMMIT, StoreCallback, TransactionRunner, run_store_callback

if TYPE_CHECKING:
    from groundwire.ingestion.verification.protocol import BatchVerifier

__all__ = [
    "QueueDecider",
    "ReviewQueue",
]

T = TypeVar("T")

# Decides on the claim with an id; returns the memory's id if it stores the claim.
_Decide = Callable[[QueueTransaction, ReviewerContext, str], str | None]


class QueueDecider(QueueReader):
    """
    The methods of a queue that decide. Each takes the person who decides.

    Parameters:
        transactions: Runs the transactions.
        policy: The settings.
        callback: Stores approved claims elsewhere; None stores them in the same database.
        lease_s: The time limit of the callback, in seconds.
        verifier: Verifies the citations of edited claims; None leaves them unknown.
    """

    def __init__(
        self,
        transactions: TransactionRunner,
        policy: ReviewPolicy,
        callback: StoreCallback | None,
        lease_s: float,
        verifier: "BatchVerifier | None" = None,
    ) -> None:
        super().__init__(transactions, policy)
        self._callback = callback
        self._lease_s = lease_s
        self._verifier = verifier

    async def approve(
        self, queue_id: str, reviewer: str, *, content: str | None = None, confirm_hidden: bool = False
    ) -> str:
        """
        Store a claim; return the memory's id.

        Args:
            queue_id: The id of the claim.
            reviewer: The person who approves it.
            content: Its edited text; the audit has both hashes. The citations of this text become its evidence, by
                which it can be revoked later.
            confirm_hidden: Whether the reviewer has seen the hidden characters of the text.

        Raises:
            NotFound: No claim has this id, or the reviewer may not see it.
            NotAllowed: The claim is the reviewer's own, and another person has to decide.
            AlreadyDecided: Another person was faster; it has the person, the time and the decision.
            HiddenCharacters: The text has some, and they are not confirmed.
            CallbackFailed: The claim could not be stored, and is pending again.
        """
        _check_decision(queue_id, reviewer)
        edit = None if content is None else await self._read(content)
        if self._callback is not None:
            return await self._approve_elsewhere(self._callback, queue_id, reviewer, edit, confirm_hidden)
        if not self._transactions.repository.keeps_memories:
            raise CallbackFailed("no_callback")
        return await self._decide(
            reviewer,
            lambda items, who: state_machine.store(items, queue_id, who, edit),
            queue_id,
            confirms_hidden=confirm_hidden,
        )

    async def reject(self, queue_id: str, reviewer: str, reason: str | None = None) -> None:
        """
        Reject a claim; *reason* is stored with it and not in the audit.

        Raises:
            NotFound, NotAllowed, AlreadyDecided: As `approve`.
        """
        _check_decision(queue_id, reviewer)
        if reason is not None:
            check_text(reason, "reason", max_chars=REASON_MAX_CHARS)
        await self._decide(reviewer, lambda items, who: state_machine.reject(items, queue_id, who, reason), queue_id)

    async def approve_many(
        self, queue_ids: Sequence[str], reviewer: str, *, contents: Mapping[str, str] | None = None
    ) -> list[DecisionOutcome]:
        """
        Approve several claims in their order, and return one outcome for each. A refusal does not affect the others.

        Claims with hidden characters are refused (`HiddenCharacters`), because each of them needs a confirmation.
        Without a callback, up to `CALLS_PER_COMMIT` decisions are one transaction.

        Args:
            queue_ids: The ids of the claims.
            reviewer: The person who approves them.
            contents: Edited texts of some of them, by their ids.
        """
        edited = {} if contents is None else contents
        _check_decisions(queue_ids, reviewer)
        for content in edited.values():
            check_text(content, "content")
        if self._callback is not None or not self._transactions.repository.keeps_memories:
            return [
                await _decision_outcome(queue_id, self.approve(queue_id, reviewer, content=edited.get(queue_id)))
                for queue_id in queue_ids
            ]
        edits = {queue_id: await self._read(content) for queue_id, content in edited.items()}
        return await self._decide_many(
            queue_ids,
            reviewer,
            lambda items, who, queue_id: state_machine.store(items, queue_id, who, edits.get(queue_id)),
        )

    async def reject_many(
        self, queue_ids: Sequence[str], reviewer: str, reason: str | None = None
    ) -> list[DecisionOutcome]:
        """Reject several claims, as `approve_many` approves them."""
        _check_decisions(queue_ids, reviewer)
        if reason is not None:
            check_text(reason, "reason", max_chars=REASON_MAX_CHARS)
        return await self._decide_many(
            queue_ids, reviewer, lambda items, who, queue_id: state_machine.reject(items, queue_id, who, reason)
        )

    async def skip(self, queue_id: str, reviewer: str) -> None:
        """Move a claim to the end of the queue; raises as `reject`."""
        _check_decision(queue_id, reviewer)
        await self._decide(reviewer, lambda items, who: state_machine.skip(items, queue_id, who), queue_id)

    async def assign(self, queue_id: str, reviewer: str, assignee: str | None) -> None:
        """
        Assign a claim to a person, or to nobody. Other people may still decide on it.

        Raises:
            NotAllowed: The assignee may not decide on it.
            NotFound, AlreadyDecided: As `approve`.
        """
        _check_decision(queue_id, reviewer)
        if assignee is not None:
            check_text(assignee, "assignee", max_chars=USER_ID_MAX_CHARS)
        await self._decide(reviewer, lambda items, who: state_machine.assign(items, queue_id, who, assignee), queue_id)

    async def _read(self, content: str) -> Edit:
        """Return an edit with the verified citations of its text; they are unknown without a verifier."""
        check_text(content, "content")
        found = CitationDetector().detect(content)
        if self._verifier is None:
            answers = [make_result(VerificationReason.NOT_CONFIGURED)] * len(found)
        elif len(found) > MAX_CITATIONS:
            answers = [make_result(VerificationReason.NOT_LOOKED_UP)] * len(found)
        else:
            answers = await _verify(self._verifier, found)
        return Edit(content, tuple(map(CheckedCitation, found, answers)))

    async def _decide(
        self,
        reviewer: str,
        work: Callable[[QueueTransaction, ReviewerContext], T],
        about: str | None = None,
        *,
        confirms_hidden: bool = False,
    ) -> T:
        policy = self._policy
        return await self._transactions.write(
            lambda items, now: work(items, ReviewerContext(reviewer, now, policy, confirms_hidden)), about
        )

    async def _decide_many(self, queue_ids: Sequence[str], reviewer: str, decide: _Decide) -> list[DecisionOutcome]:
        outcomes: list[DecisionOutcome] = []
        for start in range(0, len(queue_ids), CALLS_PER_COMMIT):
            some = queue_ids[start : start + CALLS_PER_COMMIT]
            try:
                outcomes += await self._decide(reviewer, _decide_batch(decide, some))
            except GroundwireError as error:
                # Nothing was committed. If one claim fails, deciding one by one shows which.
                if _is_batch_wide_error(error):
                    outcomes += [DecisionOutcome(one, error=error) for one in some]
                    continue
                outcomes += [await self._decide_single(one, reviewer, decide) for one in some]
        return outcomes

    async def _decide_single(self, queue_id: str, reviewer: str, decide: _Decide) -> DecisionOutcome:
        return await _decision_outcome(
            queue_id, self._decide(reviewer, lambda items, who: decide(items, who, queue_id))
        )

    async def _approve_elsewhere(
        self, callback: StoreCallback, queue_id: str, reviewer: str, edit: Edit | None, confirms_hidden: bool
    ) -> str:
        """Lease the claim, and give it to the callback between two transactions."""

        def begin(items: QueueTransaction, who: ReviewerContext) -> tuple[QueueItem, PendingMemory] | str:
            # A claim that is a memory of this database is stored here.
            if (memory_id := state_machine.store_memory_again(items, queue_id, who, edit)) is not None:
                return memory_id
            leased = state_machine.lease(items, queue_id, who, edit)
            return leased, to_pending_memory(items, leased, who.now)

        begun = await self._decide(reviewer, begin, queue_id, confirms_hidden=confirms_hidden)
        if isinstance(begun, str):
            return begun
        leased, pending = begun
        try:
            memory_id = await run_store_callback(callback, pending, timeout_s=self._lease_s)
        except CallbackFailed as failure:
            code = failure.code
            await self._decide(reviewer, lambda items, who: state_machine.fail(items, leased, code, who), queue_id)
            raise
        late = await self._decide(
            reviewer, lambda items, who: state_machine.complete(items, leased, memory_id, who), queue_id
        )
        if late is not None:
            raise late
        return memory_id


async def _decision_outcome(queue_id: str, deciding: Awaitable[str | None]) -> DecisionOutcome:
    """Return the outcome of one decision."""
    try:
        return DecisionOutcome(queue_id, await deciding)
    except GroundwireError as error:
        return DecisionOutcome(queue_id, error=error)


def _decide_batch(
    decide: _Decide, queue_ids: Sequence[str]
) -> Callable[[QueueTransaction, ReviewerContext], list[DecisionOutcome]]:
    """
    Return a function that decides on several claims in one transaction.

    Each refusal comes before the first write of its claim, so a refusal leaves nothing to undo.
    """

    def work(items: QueueTransaction, who: ReviewerContext) -> list[DecisionOutcome]:
        outcomes = []
        items.prefetch(queue_ids)
        for queue_id in queue_ids:
            try:
                outcomes.append(DecisionOutcome(queue_id, decide(items, who, queue_id)))
            except (NotFound, NotAllowed, AlreadyDecided, HiddenCharacters) as error:
                outcomes.append(DecisionOutcome(queue_id, error=error))
        return outcomes

    return work


def _is_batch_wide_error(error: GroundwireError) -> bool:
    """Return whether *error* affects all claims: the database fails, rather than one claim being damaged."""
    return isinstance(error, MemoryStoreError) and error.failure != StoreFailure.CORRUPT


async def _verify(verifier: "BatchVerifier", citations: Sequence[Citation]) -> list[VerificationResult]:
    """Return one result for each citation; it is unknown if the verifier fails."""
    if not citations:
        return []
    try:
        answers = list(await verifier.verify_many(citations))
        is_whole = len(answers) == len(citations) and all(isinstance(each, VerificationResult) for each in answers)
        failure = None if is_whole else "no result"
    except Exception as error:  # a verifier may be third-party code, and its message may contain the claim
        failure = type(error).__name__
    return answers if failure is None else [make_result(VerificationReason.VERIFIER_FAILED, failure)] * len(citations)


def _check_decision(queue_id: str, reviewer: str) -> None:
    if not isinstance(queue_id, str):
        raise TypeError(f"queue_id must be a str, got {type(queue_id).__name__}")
    check_text(reviewer, "reviewer", max_chars=USER_ID_MAX_CHARS)


def _check_decisions(queue_ids: Sequence[str], reviewer: str) -> None:
    for queue_id in queue_ids:
        _check_decision(queue_id, reviewer)


# Characters. An index entry holds the key beside the user's id, and its size is limited.
_KEY_MAX_CHARS = 128


def _new_id() -> str:
    return uuid4().hex


def _utc_now() -> datetime:
    return datetime.now(UTC)


class ReviewQueue(QueueDecider):
    """
    A queue of claims that wait for review.

    Each call is one transaction. Tasks and threads may share a queue; each process opens its own on the same database.
    Awaiting it within `MemoryStore.transaction()` is a deadlock.

    Args:
        store_callback: A sync or async function that stores an approved claim elsewhere. It takes a `PendingMemory` and
            returns the memory's id. If it may have failed, it is called again for the same claim, with `queue_id` as
            idempotency key. None stores approved claims in *store*, in the same transaction, under their ids.
        store: The database of the queue: a `MemoryStore`, a file, `sqlite:///...` or `postgresql://...`; None for the
            memory of this process.
        per_user_limit: The maximum number of pending claims of one user.
        total_limit: The maximum number of pending claims of all users.
        lease_s: Seconds after which another person may approve a claim that is not stored yet.
        ttl_s: Seconds after which a pending claim expires; None for never.
        resubmit_after_s: Seconds after a rejection in which the same claim is not queued again.
        reviewers: The people who may decide on all claims, besides their owners.
        require_distinct_reviewer: Whether a claim needs another reviewer than its owner (ruling C15).
        verifier: Verifies the citations of edited claims, such as a `CitationVerifier`; None leaves them unknown.
        clock: Returns the time, with its zone.
        new_id: Returns a new id: a label that cannot be guessed.

    Raises:
        ValueError: A setting is out of range.
        MemoryStoreError: As with every method, the database has failed, and the call has no effect.
    """

    def __init__(
        self,
        store_callback: StoreCallback | None = None,
        store: MemoryStore | str | Path | None = None,
        *,
        per_user_limit: int = 100,
        total_limit: int = 10_000,
        lease_s: float = 60.0,
        ttl_s: float | None = None,
        resubmit_after_s: float = 30 * 86_400.0,
        reviewers: Collection[str] = (),
        require_distinct_reviewer: bool = False,
        verifier: "BatchVerifier | None" = None,
        clock: Callable[[], datetime] = _utc_now,
        new_id: Callable[[], str] = _new_id,
    ) -> None:
        policy = make_review_policy(
            per_user_limit=per_user_limit,
            total_limit=total_limit,
            lease_s=lease_s,
            ttl_s=ttl_s,
            resubmit_after_s=resubmit_after_s,
            reviewers=reviewers,
            require_distinct_reviewer=require_distinct_reviewer,
        )
        super().__init__(TransactionRunner(QueueRepository(store), clock), policy, store_callback, lease_s, verifier)
        self._new_id = new_id

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the database if the queue has opened it. All finished calls are already on the disk."""
        self._transactions.close()

    async def enqueue(
        self,
        user_id: str,
        content: str,
        memory_type: str,
        source: str,
        evidence: EvidenceObject,
        validation_result: ValidationResult | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> str:
        """
        Add a claim to the queue; return its id.

        While the same text of the same user is pending, and for some time after its rejection, the call returns the
        id of that claim.

        Args:
            user_id: The user that the claim belongs to.
            content: Its text.
            memory_type: A label.
            source: A label.
            evidence: Its evidence.
            validation_result: The results of the checks, for the reviewer.
            idempotency_key: A second call with the same key and claim returns the same id.

        Raises:
            QueueFull: A limit is reached. The queue never drops other claims.
            ValueError: A text is empty or databases cannot keep it or a time, a label has other characters, metadata is
                not JSON, or the key belongs to another claim.
        """
        check_text(user_id, "user_id", max_chars=USER_ID_MAX_CHARS)
        check_text(content, "content")
        check_label(memory_type, "memory_type")
        check_label(source, "source")
        if idempotency_key is not None:
            check_text(idempotency_key, "idempotency_key", max_chars=_KEY_MAX_CHARS)
        queue_id = self._new_id()
        check_label(queue_id, "the id of new_id")
        claim = NewQueueItem(
            queue_id=queue_id,
            user_id=str(user_id),
            content=str(content),
            memory_type=str(memory_type),
            source=str(source),
            details=CheckDetails.of(evidence, validation_result),
            idempotency_key=idempotency_key,
        )
        try:
            return await self._enqueue(claim)
        except QueueFull:
            if not await self._sweep():
                raise
        return await self._enqueue(claim)

    async def erase_user(self, user_id: str, *, reason: str = "requested", actor: str | None = None) -> list[str]:
        """
        Erase a user's claims in any state, and the user's name as an actor; return the claims' ids.

        The audit keeps ids and hashes. The user's memories and tokens are erased too, as by `MemoryStore.erase_user`.

        Args:
            user_id: The user.
            reason: A label.
            actor: The person who erases.
        """
        check_text(user_id, "user_id", max_chars=USER_ID_MAX_CHARS)
        check_label(reason, "reason")
        if actor is not None:
            check_text(actor, "actor", max_chars=USER_ID_MAX_CHARS)

        def erase(items: QueueTransaction, now: int) -> list[str]:
            event = ReviewEventDraft(time=now, action=ReviewAction.ERASED, actor=actor, reason=reason)
            return list(items.erase_user(user_id, event))

        return await self._transactions.write(erase)

    async def expire(self) -> int:
        """Mark expired claims, as lists do first, and return their number."""
        marked = 0
        while found := await self._sweep():
            marked += found
        return marked

    async def _enqueue(self, claim: NewQueueItem) -> str:
        return await self._transactions.write(lambda items, now: state_machine.enqueue(items, claim, self._policy, now))
