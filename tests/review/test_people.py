"""Who sees and decides about claims of others: reviewers, and those who are asked."""

import pytest

from groundwire.errors import NotAllowed
from groundwire.review import QueueState
from review.waiting import asynchronous, contents, enqueue


@asynchronous
async def test_assign(open_queue):
    """To somebody who may decide; the claim says to whom."""
    queue = open_queue(reviewers=("rita",))
    queue_id = await enqueue(queue)
    await queue.assign(queue_id, "anna", "rita")
    assert (await queue.get_by_id(queue_id, "anna")).assigned_to == "rita"
    with pytest.raises(NotAllowed):
        await queue.assign(queue_id, "rita", "bob")
    await queue.assign(queue_id, "rita", None)
    assert (await queue.get_by_id(queue_id, "rita")).assigned_to is None


@asynchronous
async def test_reviewers_see_and_decide_about_all(open_queue):
    """And others still only their own (ruling C15)."""
    queue = open_queue(reviewers=("rita",))
    of_anna, of_bob = await enqueue(queue, "a"), await enqueue(queue, "b", "bob")
    assert contents(await queue.find("rita")) == ["a", "b"]
    assert contents(await queue.find("rita", user_id="bob")) == ["b"]
    assert contents(await queue.find("anna")) == ["a"]
    await queue.reject(of_anna, "rita")
    await queue.approve(of_bob, "bob")
    assert len(await queue.audit_trail(user_id="rita")) >= 4
    assert {entry.queue_id for entry in await queue.audit_trail(user_id="anna")} == {of_anna}


@asynchronous
async def test_distinct_reviewers(open_queue):
    """The owner sees the claim and may not decide, also as a reviewer (ruling C15)."""
    queue = open_queue(reviewers=("rita", "anna"), require_distinct_reviewer=True)
    queue_id = await enqueue(queue)
    assert (await queue.get_by_id(queue_id, "anna")).queue_id == queue_id
    for call in (queue.approve, queue.reject, queue.skip):
        with pytest.raises(NotAllowed):
            await call(queue_id, "anna")
    with pytest.raises(NotAllowed):
        await queue.assign(queue_id, "rita", "anna")
    await queue.approve(queue_id, "rita")


@asynchronous
async def test_what_one_is_asked_is_a_list(open_queue):
    """Of any state and together with other filters; who was asked before is asked no more."""
    queue = open_queue(reviewers=("rita", "sam"))
    ids = [await enqueue(queue, f"Claim {number}", "bob" if number == 3 else "anna") for number in range(4)]
    for queue_id, assignee in zip(ids, ("rita", "sam", "rita", "rita"), strict=True):
        await queue.assign(queue_id, "sam", assignee)

    async def asked(person: str, **filters) -> list[str]:
        return contents(await queue.find("rita", assigned_to=person, **filters))

    assert await asked("rita") == ["Claim 0", "Claim 2", "Claim 3"]
    assert await asked("rita", user_id="anna", memory_type="fact") == ["Claim 0", "Claim 2"]
    assert await asked("rita", newest_first=True, limit=2) == ["Claim 3", "Claim 2"]
    for assignee in ("sam", None, "rita", "sam", "rita"):
        await queue.assign(ids[0], "rita", assignee)
        assert ("Claim 0" in await asked("rita")) == (assignee == "rita")
        assert ("Claim 0" in await asked("sam")) == (assignee == "sam")
    await queue.skip(ids[0], "rita")
    assert await asked("rita") == ["Claim 2", "Claim 3", "Claim 0"]
    await queue.reject(ids[2], "rita")
    assert await asked("rita", state=QueueState.REJECTED) == ["Claim 2"]
    assert (await queue.counts("rita", assigned_to="rita"))[QueueState.PENDING] == 2
    assert await asked("nobody") == []
    assert await queue.find("bob", assigned_to="sam") == []
