"""An edited claim is read again for what it cites (ruling C18)."""

import pytest

from groundwire.ingestion import CheckedCitation, CitationDetector, VerificationReason
from groundwire.ingestion.verification.protocol import make_result
from groundwire.memory import MemoryStore
from groundwire.review import ReviewQueue
from review.waiting import NOON, Clock, Ids, asynchronous, enqueue, evidence, validation

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
async def test_an_edited_claim_rests_on_what_its_text_cites(location):
    """C18: the memory is revoked by the new citation, and no longer by the old one."""
    with MemoryStore(location) as store, ReviewQueue(None, store, clock=Clock(), new_id=Ids()) as queue:
        await queue.approve(await submit(queue), "anna", content="Per ADR-0007 the API uses OAuth 2")
        assert store.get("q1", "anna").source_ids == ("ADR-007",)
        assert store.revoke_source("ADR-003", time=NOON) == []
        assert store.revoke_source("adr 7", time=NOON) == ["q1"]
        assert await queue.faults() == []


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
async def test_a_verifier_verifies_what_an_edited_claim_cites(open_queue, expected, answer):
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
