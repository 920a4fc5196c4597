"""The half of the queue that decides: one claim or many, in its own database or elsewhere."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from groundwire.errors import (
    AlreadyDecided,
    CallbackFailed,
    GroundwireError,
    HiddenCharacters,
    MemoryStoreError,
    NotAllowed,
    NotFound,
)
from groundwire.ingestion.citation_detector import Citation, CitationDetector
from groundwire.ingestion.records import CheckedCitation
from groundwire.ingestion.validator import MAX_CITATIONS
from groundwire.ingestion.verification.protocol import VerificationReason, VerificationResult, make_result
from groundwire.memory import StoreFailure
from groundwire.memory.records import USER_ID_MAX_CHARS, check_text
from groundwire.review import transitions
from groundwire.review.callbacks import StoreCallback, call
from groundwire.review.database import QueueTransaction
from groundwire.review.details import Edit
from groundwire.review.items import Item
from groundwire.review.looking import view
from groundwire.review.reader import QueueReader
from groundwire.review.records import Outcome, PendingMemory
from groundwire.review.rules import Rules
from groundwire.review.transitions import Decider
from groundwire.review.turns import Turns

if TYPE_CHECKING:
    from groundwire.ingestion.verification.protocol import BatchVerifier

__all__ = ["QueueDecider"]

T = TypeVar("T")

# Decides about the claim of an id; returns the id of the memory if the claim is stored.
_Decide = Callable[[QueueTransaction, Decider, str], str | None]

_REASON_MAX_CHARS = 4_000

# The maximum number of decisions in one transaction; other callers wait for it.
_BATCH = 64


class QueueDecider(QueueReader):
    """
    What can be done to claims that wait. Whoever does it says who they are.

    Parameters:
        turns: The transactions.
        rules: The settings.
        callback: What stores approved claims elsewhere; None if they are stored in the same place.
        lease_s: How long that may take, in seconds.
        verifier: Who verifies what edited claims cite; None if nobody does.
    """

    def __init__(
        self,
        turns: Turns,
        rules: Rules,
        callback: StoreCallback | None,
        lease_s: float,
        verifier: "BatchVerifier | None" = None,
    ) -> None:
        super().__init__(turns, rules)
        self._callback = callback
        self._lease_s = lease_s
        self._verifier = verifier

    async def approve(
        self, queue_id: str, reviewer: str, *, content: str | None = None, confirm_hidden: bool = False
    ) -> str:
        """
        Store a claim; return the memory's id.

        Args:
            queue_id: Which claim.
            reviewer: Who approves it.
            content: What it shall say instead; the audit has both hashes. It is read for what it
                cites: that is its evidence, and by that it is revoked later.
            confirm_hidden: Whether the reviewer has seen the hidden characters of what is stored.

        Raises:
            NotFound: There is none of this id, or it is somebody else's.
            NotAllowed: It is the reviewer's own, and another person has to decide.
            AlreadyDecided: Somebody was quicker; says who, when and what.
            HiddenCharacters: What would be stored has some, and they are not confirmed.
            CallbackFailed: It could not be stored, and waits again.
        """
        _check_decision(queue_id, reviewer)
        edit = None if content is None else await self._read(content)
        if self._callback is not None:
            return await self._approve_elsewhere(self._callback, queue_id, reviewer, edit, confirm_hidden)
        if not self._turns.repository.keeps_memories:
            raise CallbackFailed("no_callback")
        return await self._decide(
            reviewer,
            lambda items, who: transitions.store(items, queue_id, who, edit),
            queue_id,
            confirms_hidden=confirm_hidden,
        )

    async def reject(self, queue_id: str, reviewer: str, reason: str | None = None) -> None:
        """
        Discard a claim, for *reason*: words, kept with it and not in the audit.

        Raises:
            NotFound, NotAllowed, AlreadyDecided: As `approve`.
        """
        _check_decision(queue_id, reviewer)
        if reason is not None:
            check_text(reason, "reason", max_chars=_REASON_MAX_CHARS)
        await self._decide(reviewer, lambda items, who: transitions.reject(items, queue_id, who, reason), queue_id)

    async def approve_many(
        self, queue_ids: Sequence[str], reviewer: str, *, contents: Mapping[str, str] | None = None
    ) -> list[Outcome]:
        """
        Approve each of several claims, in their order; what cannot be decided is told, and the others are.

        A claim with hidden characters is refused (`HiddenCharacters`): each is looked at on its own.

        Where no callback is asked, up to 64 of them are one transaction.

        Args:
            queue_ids: Which claims.
            reviewer: Who approves them.
            contents: What some of them shall say, by their ids.
        """
        says = {} if contents is None else contents
        for content in says.values():
            check_text(content, "content")
        if self._callback is not None or not self._turns.repository.keeps_memories:
            return [
                await _outcome_of(queue_id, self.approve(queue_id, reviewer, content=says.get(queue_id)))
                for queue_id in queue_ids
            ]
        edits = {queue_id: await self._read(content) for queue_id, content in says.items()}
        return await self._decide_many(
            queue_ids,
            reviewer,
            lambda items, who, queue_id: transitions.store(items, queue_id, who, edits.get(queue_id)),
        )

    async def reject_many(self, queue_ids: Sequence[str], reviewer: str, reason: str | None = None) -> list[Outcome]:
        """Reject each of several claims, as `approve_many`."""
        if reason is not None:
            check_text(reason, "reason", max_chars=_REASON_MAX_CHARS)
        return await self._decide_many(
            queue_ids, reviewer, lambda items, who, queue_id: transitions.reject(items, queue_id, who, reason)
        )

    async def skip(self, queue_id: str, reviewer: str) -> None:
        """Put a claim behind all others; raises as `reject`."""
        _check_decision(queue_id, reviewer)
        await self._decide(reviewer, lambda items, who: transitions.skip(items, queue_id, who), queue_id)

    async def assign(self, queue_id: str, reviewer: str, assignee: str | None) -> None:
        """
        Ask *assignee* to decide about a claim, or nobody in particular. Others still may.

        Raises:
            NotAllowed: The assignee may not decide about it.
            NotFound, AlreadyDecided: As `approve`.
        """
        _check_decision(queue_id, reviewer)
        if assignee is not None:
            check_text(assignee, "assignee", max_chars=USER_ID_MAX_CHARS)
        await self._decide(reviewer, lambda items, who: transitions.assign(items, queue_id, who, assignee), queue_id)

    async def _read(self, content: str) -> Edit:
        """Return an edited claim with what it cites; unknown is what nobody can verify."""
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
        work: Callable[[QueueTransaction, Decider], T],
        about: str | None = None,
        *,
        confirms_hidden: bool = False,
    ) -> T:
        rules = self._rules
        return await self._turns.write(
            lambda items, now: work(items, Decider(reviewer, now, rules, confirms_hidden)), about
        )

    async def _decide_many(self, queue_ids: Sequence[str], reviewer: str, decide: _Decide) -> list[Outcome]:
        for queue_id in queue_ids:
            _check_decision(queue_id, reviewer)
        outcomes: list[Outcome] = []
        for start in range(0, len(queue_ids), _BATCH):
            some = queue_ids[start : start + _BATCH]
            try:
                outcomes += await self._decide(reviewer, _together(decide, some))
            except GroundwireError as error:
                # Nothing of it is done. If one of them cannot be, each by itself tells which.
                if _is_of_all(error):
                    outcomes += [Outcome(one, error=error) for one in some]
                    continue
                outcomes += [await self._outcome_alone(one, reviewer, decide) for one in some]
        return outcomes

    async def _outcome_alone(self, queue_id: str, reviewer: str, decide: _Decide) -> Outcome:
        return await _outcome_of(queue_id, self._decide(reviewer, lambda items, who: decide(items, who, queue_id)))

    async def _approve_elsewhere(
        self, callback: StoreCallback, queue_id: str, reviewer: str, edit: Edit | None, confirms_hidden: bool
    ) -> str:
        """Give the claim to the callback, within a lease; the transactions are those before and after it."""

        def begin(items: QueueTransaction, who: Decider) -> tuple[Item, PendingMemory] | str:
            # What is a memory here already is not given to anybody else.
            if (memory_id := transitions.store_memory_again(items, queue_id, who, edit)) is not None:
                return memory_id
            leased = transitions.lease(items, queue_id, who, edit)
            return leased, view(items, leased, who.now)

        begun = await self._decide(reviewer, begin, queue_id, confirms_hidden=confirms_hidden)
        if isinstance(begun, str):
            return begun
        leased, pending = begun
        try:
            memory_id = await call(callback, pending, timeout_s=self._lease_s)
        except CallbackFailed as failure:
            code = failure.code
            await self._decide(reviewer, lambda items, who: transitions.fail(items, leased, code, who), queue_id)
            raise
        late = await self._decide(
            reviewer, lambda items, who: transitions.complete(items, leased, memory_id, who), queue_id
        )
        if late is not None:
            raise late
        return memory_id


async def _outcome_of(queue_id: str, deciding: Awaitable[str | None]) -> Outcome:
    """Return the outcome of one decision."""
    try:
        return Outcome(queue_id, await deciding)
    except GroundwireError as error:
        return Outcome(queue_id, error=error)


def _together(decide: _Decide, queue_ids: Sequence[str]) -> Callable[[QueueTransaction, Decider], list[Outcome]]:
    """
    Return a function that decides about several claims in one transaction.

    Each refusal comes before the first write of its claim, so a refusal leaves nothing to undo.
    """

    def work(items: QueueTransaction, who: Decider) -> list[Outcome]:
        outcomes = []
        items.look_ahead(queue_ids)
        for queue_id in queue_ids:
            try:
                outcomes.append(Outcome(queue_id, decide(items, who, queue_id)))
            except (NotFound, NotAllowed, AlreadyDecided, HiddenCharacters) as error:
                outcomes.append(Outcome(queue_id, error=error))
        return outcomes

    return work


def _is_of_all(error: GroundwireError) -> bool:
    """Tell whether *error* affects all claims: the database fails, rather than one claim being damaged."""
    return isinstance(error, MemoryStoreError) and error.failure != StoreFailure.CORRUPT


async def _verify(verifier: "BatchVerifier", citations: Sequence[Citation]) -> list[VerificationResult]:
    """Return one result for each citation, which is unknown where the verifier fails."""
    if not citations:
        return []
    try:
        answers = list(await verifier.verify_many(citations))
        is_whole = len(answers) == len(citations) and all(isinstance(each, VerificationResult) for each in answers)
        failure = None if is_whole else "no result"
    except Exception as error:  # a verifier may be anybody's, and its words may hold the claim
        failure = type(error).__name__
    return answers if failure is None else [make_result(VerificationReason.VERIFIER_FAILED, failure)] * len(citations)


def _check_decision(queue_id: str, reviewer: str) -> None:
    if not isinstance(queue_id, str):
        raise TypeError(f"queue_id must be a str, got {type(queue_id).__name__}")
    check_text(reviewer, "reviewer", max_chars=USER_ID_MAX_CHARS)
