"""What the queue refuses to take: texts, types and settings."""

import asyncio

import pytest

from groundwire.errors import CallbackFailed
from groundwire.review import QueueState, ReviewQueue
from review.waiting import actions, asynchronous, enqueue, evidence


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
    ],
)
@asynchronous
async def test_what_cannot_be_kept_is_refused(queue, fields, words):
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
    with pytest.raises(ValueError, match="reviewer is empty"):
        await queue.approve(queue_id, "")
    with pytest.raises(ValueError, match="reason has 4001 characters"):
        await queue.reject(queue_id, "anna", "x" * 4001)
    with pytest.raises(ValueError, match="limit must be at least 1"):
        await queue.get_pending("anna", limit=0)
    with pytest.raises(ValueError, match="being decided are not listed"):
        await queue.find("anna", state=QueueState.PROCESSING)
    assert actions(await queue.audit_trail()) == ["enqueued"]


@asynchronous
async def test_metadata_that_changes_later_is_another(queue):
    """What was submitted stays as it was."""
    metadata = {"a": 1}
    queue_id = await enqueue(queue, evidence=evidence(metadata=metadata))
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
        ({"ask_again_after_s": float("inf")}, ValueError),
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
