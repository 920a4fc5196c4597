"""What the queue keeps, shows and decides, in memory and in both databases."""

import pickle
from itertools import pairwise

import pytest

from groundwire.errors import AlreadyDecided, NotFound
from groundwire.ingestion import (
    CheckedCitation,
    Citation,
    CitationType,
    HedgeAction,
    HedgeCategory,
    HedgeCue,
    HedgeResult,
    VerificationResult,
)
from groundwire.review import QueueState
from review.waiting import HOUR, NOON, actions, asynchronous, contents, enqueue, evidence, validation


@asynchronous
async def test_the_printed_example(queue):
    """Enqueue, look, approve, reject: with the arguments of the document."""
    result = validation("The API uses OAuth2")
    queue_id = await queue.enqueue(
        user_id="user-123",
        content="The API uses OAuth2",
        memory_type="fact",
        source="ai_synthesis",
        evidence=result.evidence,
        validation_result=result,
    )
    other = await enqueue(queue, "The API uses SAML", "user-123")
    pending = await queue.get_pending("user-123", limit=10)
    assert contents(pending) == ["The API uses OAuth2", "The API uses SAML"]
    assert await queue.approve(queue_id, reviewer="user-123")
    await queue.reject(other, reviewer="user-123", reason="Incorrect, we use JWT")
    assert await queue.get_pending("user-123") == []


@asynchronous
async def test_a_claim_comes_back_as_it_was(queue):
    """Every printed field, and everything that the page shows."""
    claim = "Per ADR-003 it may use\r\n世界 🙂 ' -- ?"
    cue = HedgeCue("may", 15, 18, HedgeCategory.TECHNICAL_HEDGE, "en")
    told = evidence(
        claim, source_id="ADR-003", validity_horizon=NOON + HOUR, metadata={"a": [1, None, "\0"]}, parents=("m1",)
    )
    checked = CheckedCitation(
        Citation(CitationType.ADR, "003", 4, 11),
        VerificationResult(valid=False, reason="ADR not found", status="refuted"),
    )
    result = validation(
        claim,
        evidence=told,
        similarity_score=0.75,
        conflicting_memory_id="m7",
        hedges=HedgeResult(True, HedgeAction.REVIEW, ["may"], (cue,)),
        citations=(checked,),
    )
    queue_id = await enqueue(queue, claim, evidence=told, validation_result=result)
    [pending] = await queue.get_pending("anna")
    assert pending == await queue.get_by_id(queue_id, "anna")
    assert (pending.queue_id, pending.user_id, pending.content) == (queue_id, "anna", claim)
    assert (pending.memory_type, pending.source, pending.evidence) == ("fact", "ai_synthesis", told)
    assert (pending.submitted_at, pending.state) == (NOON, QueueState.PENDING)
    assert pending.checks_failed == ("citation_present",)
    assert (pending.similarity_score, pending.conflicting_memory_id) == (0.75, "m7")
    assert pending.hedges == (cue,)
    [cited] = pending.citations
    assert (cited.type, cited.name, cited.value, cited.start, cited.end) == ("adr", "ADR-003", "003", 4, 11)
    assert (cited.status, cited.reason, cited.code) == ("refuted", "ADR not found", "custom")
    assert (pending.reason, pending.original_content, pending.attempts) == (result.reason, None, 0)


@asynchronous
async def test_others_get_the_error_of_an_unknown_id(queue):
    """Nobody learns from it whether somebody else has such a claim; nothing is done."""
    queue_id = await enqueue(queue)
    for call in (
        queue.get_by_id,
        queue.approve,
        queue.reject,
        queue.skip,
        queue.conflict,
        lambda queue_id, person: queue.assign(queue_id, person, person),
    ):
        errors = []
        for asked in (queue_id, "q99", "", "no label", "\0", "\ud800", "'; DROP TABLE review_items; --"):
            with pytest.raises(NotFound) as caught:
                await call(asked, "bob")
            errors.append(str(caught.value))
        assert len(set(errors)) == 1
    assert await queue.find("bob", user_id="anna") == []
    assert dict(await queue.counts("bob", user_id="anna")) == {}
    assert await queue.audit_trail(queue_id, "bob") == []
    assert actions(await queue.audit_trail(queue_id)) == ["enqueued"]


@pytest.mark.parametrize("call", ["approve", "reject"])
@asynchronous
async def test_the_second_is_told_who_decided_what(queue, call):
    """State, time and reviewer; as an exception that can be pickled, without the reviewer's name in its words."""
    queue_id = await enqueue(queue)
    await getattr(queue, call)(queue_id, "anna")
    for again in (queue.approve, queue.reject, queue.skip):
        with pytest.raises(AlreadyDecided) as caught:
            await again(queue_id, "anna")
        error = pickle.loads(pickle.dumps(caught.value))
        assert (error.state, error.time, error.reviewer) == (
            "stored" if call == "approve" else "rejected",
            NOON,
            "anna",
        )
        assert (error.memory_id is not None) is (call == "approve")
        assert "anna" not in str(error)


@asynchronous
async def test_what_was_decided_can_be_seen(queue, clock):
    """By the owner: what became of it, when, by whom and why."""
    queue_id = await enqueue(queue)
    clock.now += HOUR
    await queue.reject(queue_id, "anna", "We use JWT")
    decided = await queue.get_by_id(queue_id, "anna")
    assert (decided.state, decided.decided_at, decided.reviewer) == (QueueState.REJECTED, NOON + HOUR, "anna")
    assert decided.decision_reason == "We use JWT"
    assert contents(await queue.find("anna", state=QueueState.REJECTED)) == ["The API uses OAuth2"]


@asynchronous
async def test_edit_then_approve(queue):
    """What is stored is the edited text; the original and both hashes are kept."""
    queue_id = await enqueue(queue, "The API uses OAuth 1")
    await queue.approve(queue_id, "anna", content="The API uses OAuth2")
    stored = await queue.get_by_id(queue_id, "anna")
    assert (stored.content, stored.original_content) == ("The API uses OAuth2", "The API uses OAuth 1")
    assert stored.evidence.claim == "The API uses OAuth2"
    trail = await queue.audit_trail(queue_id)
    assert "edited" in actions(trail)
    assert len({entry.content_hash for entry in trail}) == 2
    for before, after in pairwise(trail):
        assert after.before_hash == before.after_hash


@asynchronous
async def test_an_edit_that_changes_nothing_is_none(queue):
    """The audit has no entry for it."""
    queue_id = await enqueue(queue)
    await queue.approve(queue_id, "anna", content="The API uses OAuth2")
    assert "edited" not in actions(await queue.audit_trail(queue_id))


@asynchronous
async def test_skip_puts_a_claim_behind_all_others(queue):
    """It keeps its id and its time."""
    first = await enqueue(queue, "first")
    await enqueue(queue, "second")
    await queue.skip(first, "anna")
    await enqueue(queue, "third")
    assert contents(await queue.get_pending("anna")) == ["second", "first", "third"]
    assert actions(await queue.audit_trail(first)) == ["enqueued", "skipped"]


@asynchronous
async def test_many_at_once(queue):
    """Each is decided or told why not."""
    ids = [await enqueue(queue, f"claim {number}") for number in range(4)]
    approved = await queue.approve_many([ids[0], "q99", ids[1]], "anna")
    assert [type(one.error) for one in approved] == [type(None), NotFound, type(None)]
    assert [one.memory_id is not None for one in approved] == [True, False, True]
    rejected = await queue.reject_many(ids[1:], "anna", "no")
    assert [type(one.error) for one in rejected] == [AlreadyDecided, type(None), type(None)]
