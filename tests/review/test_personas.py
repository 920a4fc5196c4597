"""Claims of personas in the review queue, and what comes back (ruling D14)."""

import asyncio

import pytest

from groundwire.faithfulness import FaithfulnessValidator, PreparedSources, read_personas
from groundwire.report.faithfulness import build_faithfulness_report
from groundwire.review import review_persona_claims
from groundwire.review.personas import source_digest

TALK = (
    "Interviewer: Do you travel?\nAnn: Yes, often. I hate phone calls. I plan the trips of the team.\n"
    "Interviewer: I see.\nAnn: It rained.\n"
)
PERSONA = {
    "name": "Ann",
    "bio": "Ann likes phone calls. She plans trips along the northern coast for her team.",
    "company": "TechCorp",
}


def reviewed(queue, persona=PERSONA, text=TALK, threshold=None):
    """The report with the queue's decisions, and these by claim."""
    personas, sources = read_personas(persona), [("talk.txt", text)]
    validator = FaithfulnessValidator(similarity_threshold=threshold)
    results = validator.validate_many(personas=personas, source_data=sources)
    reviews = asyncio.run(review_persona_claims(queue, personas, results, source_data=sources, user_id="ann"))
    report = build_faithfulness_report(personas, results, threshold=validator.threshold, reviews=reviews)
    claims = {claim.claim: claim for person in report.personas for claim in person.claim_details}
    return report, claims


def decide(queue, claims) -> None:
    """Approve the contradicted claim, and reject the weak one."""
    by_verdict = {claim.verdict: claim.review.queue_id for claim in claims.values() if claim.review is not None}
    asyncio.run(queue.approve(by_verdict["contradicted"], "ann"))
    asyncio.run(queue.reject(by_verdict["weak"], "ann", "nobody said that"))


def test_weak_and_contradicted_claims_wait(open_queue):
    """Supported claims and those without evidence are not sent (ruling D14)."""
    _, claims = reviewed(open_queue())
    asked = {claim.verdict: claim.review and claim.review.status for claim in claims.values()}
    assert asked == {"contradicted": "waiting", "weak": "waiting", "unsupported": None, "supported": None}


def test_the_reviewer_sees_the_passages(open_queue):
    """Reason, path and passages are in the queue, with the hashes that identify the claim."""
    queue = open_queue()
    reviewed(queue)
    pending, _ = asyncio.run(queue.get_pending("ann"))
    assert pending.content.startswith("Ann likes phone calls. (persona claim ")
    assert (pending.reason, pending.checks_failed) == (
        "a source contradicts this claim of a persona",
        ("persona_claim_contradicted",),
    )
    (passage, *_) = pending.evidence.metadata["passages"]
    assert "I hate phone calls" in passage["text"]


def test_decisions_come_back_and_change_no_score(open_queue):
    """Validated again, a claim has its decision; the adjusted figures stand apart (ruling D14)."""
    queue = open_queue()
    before, claims = reviewed(queue)
    decide(queue, claims)
    after, claims = reviewed(queue)
    reviews = {claim.verdict: claim.review for claim in claims.values() if claim.review is not None}
    assert (reviews["contradicted"].status, reviews["contradicted"].reviewer) == ("approved", "ann")
    assert (reviews["weak"].status, reviews["weak"].reason) == ("rejected", "nobody said that")
    assert before.summary.faithfulness_score == after.summary.faithfulness_score == 0.25
    assert [claim.status for claim in claims.values()].count("SUPPORTED") == 1
    counts = after.summary.reviews
    assert (counts.approved, counts.rejected, counts.waiting) == (1, 1, 0)
    assert (counts.supported_or_approved, counts.adjusted_score) == (2, 0.5)


@pytest.mark.parametrize(
    ("persona", "text"),
    [
        pytest.param({**PERSONA, "company": "Acme"}, TALK, id="another-persona"),
        pytest.param(PERSONA, TALK + "Bo: I know nothing.\n", id="another-source"),
    ],
)
def test_a_decision_is_about_one_persona_and_its_sources(open_queue, persona, text):
    """The same claim of another persona, or against other sources, waits again, also after a rejection."""
    queue = open_queue()
    decide(queue, reviewed(queue)[1])
    _, claims = reviewed(queue, persona, text)
    assert {claim.review.status for claim in claims.values() if claim.review is not None} == {"waiting"}


def test_a_claim_with_unstorable_characters_waits(open_queue):
    """JSON can spell NUL and half a surrogate pair, which databases do not keep; the reviewer sees a replacement."""
    queue = open_queue()
    reviewed(queue, {"name": "Ann", "bio": "Ann likes phone\0 calls\ud800."})
    [pending] = asyncio.run(queue.get_pending("ann"))
    assert pending.content.startswith("Ann likes phone\ufffd calls\ufffd. (persona claim ")


def test_results_of_other_personas_are_refused(open_queue):
    """Nothing is queued."""
    queue, personas = open_queue(), read_personas([PERSONA] * 2)
    results = FaithfulnessValidator().validate_many(personas=personas, source_data=TALK)
    work = review_persona_claims(queue, personas[:1], results, source_data=TALK, user_id="ann")
    with pytest.raises(ValueError, match=r"^there are 1 persona and 2 results$"):
        asyncio.run(work)
    assert asyncio.run(queue.get_pending("ann")) == []


def test_a_full_queue_is_reported(open_queue):
    """Nothing gives way, and nothing is approved (ruling C14)."""
    report, claims = reviewed(open_queue(per_user_limit=1))
    assert [claim.review.status for claim in claims.values() if claim.review is not None] == ["waiting", "queue_full"]
    assert report.summary.reviews.queue_full == 1


def test_without_a_queue_there_are_no_reviews():
    """Null, not zero."""
    personas = read_personas(PERSONA)
    results = FaithfulnessValidator().validate_many(personas=personas, source_data=TALK)
    report = build_faithfulness_report(personas, results, threshold=0.6)
    assert (report.summary.reviews, report.personas[0].reviews) == (None, None)


def test_prepared_sources_have_the_same_digest():
    """A source that is read again and a prepared one are the same."""
    assert source_digest(TALK) == source_digest(PreparedSources(TALK)) == source_digest([("other name", TALK)])
    assert source_digest(TALK) != source_digest(TALK.replace("rained", "snowed"))
