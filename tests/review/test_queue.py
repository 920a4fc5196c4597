"""The queue keeps, shows and limits claims, in memory and in both databases; it refuses wrong arguments."""

import asyncio
import pickle
from datetime import timedelta
from itertools import pairwise
from types import MappingProxyType

import pytest

from groundwire.errors import AlreadyDecided, CallbackFailed, NotFound, QueueFull
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
from groundwire.review import QueueState, ReviewQueue
from memory.claims import LATEST
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
async def test_the_second_decision_names_the_first(queue, call):
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
async def test_decided_claims_stay_visible(queue, clock):
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
    """The edited text is stored; the original and both hashes are kept."""
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


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        pytest.param({"content": ""}, "content is empty", id="empty"),
        pytest.param({"content": "secret\0"}, "content holds a NUL", id="nul"),
        pytest.param({"content": "secret\ud800"}, "content holds a lone surrogate", id="surrogate"),
        pytest.param({"user_id": ""}, "user_id is empty", id="nobody"),
        pytest.param({"user_id": "secret" * 50}, "user_id has 300 characters", id="long-user"),
        pytest.param({"memory_type": "secret words"}, "memory_type must have 1 to 64", id="type"),
        pytest.param({"source": "sécret"}, "source must have 1 to 64", id="source"),
        pytest.param({"idempotency_key": "secret" * 50}, "idempotency_key has 300 characters", id="key"),
        pytest.param({"evidence": evidence(metadata={1: "secret"})}, "metadata must be what JSON", id="metadata"),
        pytest.param({"evidence": evidence(parents=("secret words",))}, "the id of a parent must", id="parent"),
        pytest.param({"evidence": evidence(source_id="secret\0")}, "source_id holds a NUL", id="source-id"),
        pytest.param(
            {"evidence": evidence(validity_horizon=LATEST)}, "validity_horizon must be in the", id="year-10000"
        ),
    ],
)
@asynchronous
async def test_texts_that_cannot_be_stored_are_refused(queue, fields, words):
    """The error says what was wanted, and not what was given; nothing is kept."""
    with pytest.raises(ValueError, match=words) as caught:
        await enqueue(queue, **fields)
    assert "secret" not in str(caught.value)
    assert await queue.audit_trail() == []


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"content": 7}, id="content"),
        pytest.param({"user_id": None}, id="user"),
        pytest.param({"evidence": {}}, id="evidence"),
        pytest.param({"validation_result": {}}, id="result"),
        pytest.param({"evidence": evidence(metadata=[])}, id="metadata"),
    ],
)
@asynchronous
async def test_other_types_are_type_errors(queue, fields):
    """Before anything is kept."""
    with pytest.raises(TypeError):
        await enqueue(queue, **fields)
    assert await queue.audit_trail() == []


@asynchronous
async def test_wrong_arguments_of_decisions(queue):
    """An id of another type, an empty reviewer, a reason that is too long."""
    queue_id = await enqueue(queue)
    with pytest.raises(TypeError):
        await queue.approve(7, "anna")
    with pytest.raises(TypeError):
        await queue.approve_many([queue_id, 7], "anna")
    with pytest.raises(ValueError, match="reviewer is empty"):
        await queue.approve(queue_id, "")
    with pytest.raises(ValueError, match="reason has 4001 characters"):
        await queue.reject(queue_id, "anna", "x" * 4001)
    with pytest.raises(ValueError, match="limit must be at least 1"):
        await queue.get_pending("anna", limit=0)
    with pytest.raises(ValueError, match="in state processing are not listed"):
        await queue.find("anna", state=QueueState.PROCESSING)
    assert actions(await queue.audit_trail()) == ["enqueued"]


@asynchronous
async def test_metadata_that_changes_later_is_another(queue):
    """The submitted metadata stay unchanged, and may be any mapping."""
    metadata = {"a": 1}
    queue_id = await enqueue(queue, evidence=evidence(metadata=MappingProxyType(metadata)))
    metadata["a"] = 2
    assert (await queue.get_by_id(queue_id, "anna")).evidence.metadata == {"a": 1}


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"per_user_limit": 0}, ValueError),
        ({"total_limit": 2**31}, ValueError),
        ({"lease_s": 0}, ValueError),
        ({"lease_s": float("nan")}, ValueError),
        ({"ttl_s": -1}, ValueError),
        ({"resubmit_after_s": float("inf")}, ValueError),
        ({"reviewers": "rita"}, TypeError),
        ({"reviewers": [1]}, TypeError),
        ({"require_distinct_reviewer": True}, ValueError),
    ],
)
def test_settings_are_checked(settings, error):
    """When the queue is made."""
    with pytest.raises(error):
        ReviewQueue(**settings)


def test_nothing_can_be_approved_without_a_place_for_it():
    """A queue in memory without a callback says so; the claim waits."""

    async def work():
        queue = ReviewQueue()
        queue_id = await enqueue(queue)
        with pytest.raises(CallbackFailed, match="no_callback"):
            await queue.approve(queue_id, "anna")
        assert len(await queue.get_pending("anna")) == 1

    asyncio.run(work())


@asynchronous
async def test_full_for_one_user(open_queue):
    """Nothing is evicted, nothing approved; others still may; a decision makes room."""
    queue = open_queue(per_user_limit=2)
    first = await enqueue(queue, "1")
    await enqueue(queue, "2")
    with pytest.raises(QueueFull) as caught:
        await enqueue(queue, "3")
    assert (caught.value.limit, caught.value.of_user) == (2, True)
    assert pickle.loads(pickle.dumps(caught.value)).limit == 2
    await enqueue(queue, "4", "bob")
    assert contents(await queue.get_pending("anna")) == ["1", "2"]
    await queue.reject(first, "anna")
    await enqueue(queue, "3")
    assert contents(await queue.get_pending("anna")) == ["2", "3"]


@asynchronous
async def test_full_for_all(open_queue):
    """The limit of all users together."""
    queue = open_queue(total_limit=2)
    await enqueue(queue, "1", "anna")
    await enqueue(queue, "2", "bob")
    with pytest.raises(QueueFull) as caught:
        await enqueue(queue, "3", "cleo")
    assert (caught.value.limit, caught.value.of_user) == (2, False)
    assert await queue.get_pending("cleo") == []


@asynchronous
async def test_the_printed_limits(queue):
    """100 of one user."""
    for number in range(100):
        await enqueue(queue, f"claim {number}")
    with pytest.raises(QueueFull):
        await enqueue(queue, "one more")
    assert len(await queue.get_pending("anna", limit=1000)) == 100


@asynchronous
async def test_the_same_is_not_asked_twice(queue, clock):
    """Neither while it waits nor for thirty days after it was rejected; other users are asked."""
    queue_id = await enqueue(queue)
    assert await enqueue(queue) == queue_id
    assert await enqueue(queue, user_id="bob") != queue_id
    await queue.reject(queue_id, "anna")
    clock.now += timedelta(days=29)
    assert await enqueue(queue) == queue_id
    clock.now += timedelta(days=1)
    assert await enqueue(queue) != queue_id


@asynchronous
async def test_a_stored_claim_may_be_queued_again(queue):
    """Whether it is a duplicate, the check for duplicates says: the memory may have been erased."""
    queue_id = await enqueue(queue)
    await queue.approve(queue_id, "anna")
    assert await enqueue(queue) != queue_id


@asynchronous
async def test_idempotency_keys(queue):
    """The same key gives the same id whatever became of the claim; another claim may not have it."""
    queue_id = await enqueue(queue, idempotency_key="k")
    await queue.approve(queue_id, "anna")
    assert await enqueue(queue, idempotency_key="k") == queue_id
    with pytest.raises(ValueError, match="the idempotency key belongs to another claim"):
        await enqueue(queue, "another", idempotency_key="k")
    assert await enqueue(queue, "another", "bob", idempotency_key="k") != queue_id


@asynchronous
async def test_expiry(open_queue, clock):
    """After its time a claim is in no list of what waits, cannot be decided, and its end is in the audit."""
    queue = open_queue(ttl_s=3600, per_user_limit=1)
    queue_id = await enqueue(queue)
    clock.now += HOUR - timedelta(microseconds=1)
    assert len(await queue.get_pending("anna")) == 1
    clock.now += timedelta(microseconds=1)
    with pytest.raises(AlreadyDecided) as caught:
        await queue.approve(queue_id, "anna")
    assert (caught.value.state, caught.value.reviewer) == ("expired", None)
    assert (await queue.get_by_id(queue_id, "anna")).state is QueueState.EXPIRED
    assert await enqueue(queue) != queue_id
    assert contents(await queue.find("anna", state=QueueState.EXPIRED)) == ["The API uses OAuth2"]
    assert actions(await queue.audit_trail(queue_id)) == ["enqueued", "expired"]


@asynchronous
async def test_lists_mark_expired_claims(open_queue, clock):
    """So that counts are right without anybody's doing; `expire` does it at once."""
    queue = open_queue(ttl_s=3600)
    for number in range(3):
        await enqueue(queue, str(number))
    clock.now += HOUR
    assert dict(await queue.counts("anna")) == {"pending": 0, "stored": 0, "rejected": 0, "expired": 3}
    assert await queue.expire() == 0
    await enqueue(queue, "late")
    clock.now += HOUR
    assert await queue.expire() == 1
