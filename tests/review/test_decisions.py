"""Decisions: reviewers who may decide, batches, and edited claims, whose citations are read again (ruling C18)."""

import asyncio

import pytest

from groundwire.errors import AlreadyDecided, MemoryExistsError, MemoryStoreError, NotAllowed, NotFound
from groundwire.ingestion import CheckedCitation, CitationDetector, VerificationReason
from groundwire.ingestion.verification.protocol import make_result
from groundwire.memory import MemoryStore
from groundwire.review import QueueState, ReviewQueue
from memory.claims import claim, database_of
from review.waiting import NOON, Clock, Ids, actions, asynchronous, contents, enqueue, evidence, validation


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
async def test_assigned_claims_are_a_list(open_queue):
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


@asynchronous
async def test_each_has_an_outcome_of_its_own(open_queue):
    """Of more than one transaction's worth: decided, decided before, named twice, not one's own, not there."""
    queue = open_queue(per_user_limit=1_000, require_distinct_reviewer=True, reviewers=("rita",))
    ids = [await enqueue(queue, f"Claim {number}") for number in range(70)]
    own = await enqueue(queue, "Rita's own", "rita")
    await queue.reject(ids[1], "rita")
    outcomes = await queue.approve_many([*ids, own, "nope", ids[0]], "rita")
    assert [one.queue_id for one in outcomes] == [*ids, own, "nope", ids[0]]
    failed = {number: type(one.error) for number, one in enumerate(outcomes) if one.error is not None}
    assert failed == {1: AlreadyDecided, 70: NotAllowed, 71: NotFound, 72: AlreadyDecided}
    assert all(one.memory_id for number, one in enumerate(outcomes) if number not in failed)
    assert [one.queue_id for one in await queue.find("rita")] == [own]
    again = await queue.reject_many(ids[:2], "rita", "no")
    assert [type(one.error) for one in again] == [AlreadyDecided] * 2


@asynchronous
async def test_some_are_stored_as_edited(queue):
    """By their ids; the audit tells it of those alone."""
    ids = [await enqueue(queue, f"Claim {number}") for number in range(3)]
    await queue.approve_many(ids, "anna", contents={ids[1]: "Another text", ids[2]: "Claim 2"})
    stored = [await queue.get_by_id(one, "anna") for one in ids]
    assert [one.content for one in stored] == ["Claim 0", "Another text", "Claim 2"]
    edited = [one for one in ids if "edited" in actions(await queue.audit_trail(one))]
    assert edited == [ids[1]]


@pytest.mark.parametrize("queue_ids", [["q1", 7], ["q1", None]])
@asynchronous
async def test_wrong_types_are_refused_before_anything_is_done(queue, queue_ids):
    """As one decision would."""
    await enqueue(queue)
    with pytest.raises(TypeError):
        await queue.reject_many(queue_ids, "anna")
    for refused in ({"contents": {"q1": ""}}, {"contents": {"q1": "\0"}}):
        with pytest.raises(ValueError, match="content"):
            await queue.approve_many(["q1"], "anna", **refused)
    assert [one.queue_id for one in await queue.get_pending("anna")] == ["q1"]


def test_one_that_cannot_be_stored_leaves_the_others(location):
    """Its part of the transaction is undone, and no other's."""

    async def work(store, queue):
        ids = [await enqueue(queue, f"Claim {number}") for number in range(3)]
        store.add(claim(ids[1]), time=NOON)
        outcomes = await queue.approve_many(ids, "anna", contents={ids[1]: "Edited"})
        assert [type(one.error) for one in outcomes] == [type(None), MemoryExistsError, type(None)]
        assert [one.content for one in await queue.get_pending("anna")] == ["Claim 1"]
        assert await queue.integrity_errors() == []

    with MemoryStore(location) as store, ReviewQueue(None, store) as queue:
        asyncio.run(work(store, queue))


def test_a_database_that_is_away_is_asked_once(sqlite_location, monkeypatch):
    """And told of each: sixty-four would wait sixty-four times as long."""

    async def work(store, queue):
        ids = [await enqueue(queue, f"Claim {number}") for number in range(5)]
        asked = []

        def away(*, writes):
            asked.append(writes)
            raise MemoryStoreError("locked", "another process is at work")

        with monkeypatch.context() as patch:
            patch.setattr(database_of(store), "begin", away)
            outcomes = await queue.reject_many(ids, "anna")
        assert [one.error.failure for one in outcomes] == ["locked"] * 5
        assert asked == [True]
        assert len(await queue.get_pending("anna")) == 5

    with MemoryStore(sqlite_location) as store, ReviewQueue(None, store) as queue:
        asyncio.run(work(store, queue))


SUBMITTED = "Per ADR-003 the API uses OAuth 1"


class Verifier:
    """Knows all citations, or fails."""

    def __init__(self, answer) -> None:
        self._answer = answer

    async def verify_many(self, citations):
        if isinstance(self._answer, Exception):
            raise self._answer
        return [self._answer] * len(citations)


async def submit(queue, **fields) -> str:
    """Submit a claim that cites a record, as a validator does."""
    cited = tuple(
        CheckedCitation(each, make_result(VerificationReason.ADR_FOUND))
        for each in CitationDetector().detect(SUBMITTED)
    )
    known = evidence(SUBMITTED, **{"source_id": "ADR-003", **fields})
    return await enqueue(
        queue, SUBMITTED, evidence=known, validation_result=validation(SUBMITTED, evidence=known, citations=cited)
    )


@asynchronous
async def test_an_edited_claim_rests_on_the_sources_of_its_text(location):
    """C18: the memory is revoked by the new citation, and no longer by the old one."""
    with MemoryStore(location) as store, ReviewQueue(None, store, clock=Clock(), new_id=Ids()) as queue:
        await queue.approve(await submit(queue), "anna", content="Per ADR-0007 the API uses OAuth 2")
        assert store.get("q1", "anna").source_ids == ("ADR-007",)
        assert store.revoke_source("ADR-003", time=NOON) == []
        assert store.revoke_source("adr 7", time=NOON) == ["q1"]
        assert await queue.integrity_errors() == []


@asynchronous
async def test_the_evidence_follows_the_text(open_queue):
    """C18: citations, their places and `source_id` are those of the edited text; nobody has verified them."""
    queue = open_queue()
    queue_id = await submit(queue)
    await queue.approve(queue_id, "anna", content="See ADR-0007, ADR-9")
    pending = await queue.get_by_id(queue_id, "anna")
    assert pending.evidence.source_id == "ADR-007"
    assert [(each.name, each.status, each.code, each.start) for each in pending.citations] == [
        ("ADR-007", "unknown", "not_configured", 4),
        ("ADR-009", "unknown", "not_configured", 14),
    ]


@asynchronous
async def test_a_text_that_cites_nothing_rests_on_nothing(open_queue):
    """C18: what the claim cited before is gone."""
    queue = open_queue()
    queue_id = await submit(queue)
    await queue.approve(queue_id, "anna", content="The API uses OAuth 2")
    pending = await queue.get_by_id(queue_id, "anna")
    assert (pending.evidence.source_id, pending.citations) == (None, ())


@asynchronous
async def test_a_source_that_was_named_besides_stays(location):
    """What whoever submitted the claim named, and its text does not cite, is still what it rests on."""
    with MemoryStore(location) as store, ReviewQueue(None, store, clock=Clock(), new_id=Ids()) as queue:
        await queue.approve(await submit(queue, source_id="handbook"), "anna", content="See ADR-7")
        assert store.get("q1", "anna").source_ids == ("ADR-007", "handbook")


@pytest.mark.parametrize(
    ("expected", "answer"),
    [
        pytest.param(("verified", "adr_found"), make_result(VerificationReason.ADR_FOUND), id="verified"),
        pytest.param(("refuted", "adr_not_found"), make_result(VerificationReason.ADR_NOT_FOUND), id="refuted"),
        pytest.param(("unknown", "verifier_failed"), OSError("secret"), id="failed"),
        pytest.param(("unknown", "verifier_failed"), None, id="no-result"),
    ],
)
@asynchronous
async def test_a_verifier_verifies_the_citations_of_an_edited_claim(open_queue, expected, answer):
    """C18: with a verifier its citations are verified; where it fails they are unknown."""
    queue = open_queue(verifier=Verifier(answer))
    queue_id = await submit(queue)
    [outcome] = await queue.approve_many([queue_id], "anna", contents={queue_id: "See ADR-7"})
    assert outcome.error is None
    [cited] = (await queue.get_by_id(queue_id, "anna")).citations
    assert (cited.status, cited.code) == expected
    assert "secret" not in cited.reason


@asynchronous
async def test_a_callback_gets_the_evidence_of_the_edited_text(place, clock):
    """C18: whoever stores the claim elsewhere stores what it cites now."""
    given = []

    def keep(pending):
        given.append(pending)
        return "m1"

    with ReviewQueue(keep, place, clock=clock, new_id=Ids()) as queue:
        await queue.approve(await submit(queue), "anna", content="See ADR-0007")
    assert [(each.evidence.source_id, each.citations[0].name) for each in given] == [("ADR-007", "ADR-007")]
