"""The lists of a queue from an earlier schema are the same after the migration."""

import asyncio

from groundwire.memory import MemoryStore
from groundwire.memory.audit_log import REVIEW_AUDIT, KeyedHasher
from groundwire.review import QueueState, ReviewQueue
from groundwire.review.details import CheckDetails, failed_checks, write_details
from groundwire.review.items import COLUMNS, QueueItem, event_to_row, item_digest, list_group
from groundwire.review.records import ReviewAction, ReviewEventDraft
from memory.claims import open_at_schema
from review.waiting import contents, enqueue, evidence, validation

KEY = b"k" * 16
TIME = 1772366400000000
CLAIMS = [
    ("fact", "chat", ["hedge_words_detected: may", "citation_present"], QueueState.PENDING),
    ("fact", "chat", ["citation_present", "hedge_words_detected: might"], QueueState.PENDING),
    ("fact", "chat", ["citation_present"], QueueState.REJECTED),
    ("fact", "ai_synthesis", [], QueueState.STORED),
    ("decision", "chat", ["citation_present"], QueueState.PROCESSING),
]


def write_as_before(location: str) -> None:
    """Write the claims as the version with the fourth schema did: a row of lists for each check that failed."""
    session = open_at_schema(location, 4)
    hasher = KeyedHasher(KEY)
    assignee = hasher.of("person", "rita")
    with session.writing() as database:
        database.execute("INSERT INTO memory_settings VALUES ('hash_key_check', ?)", (hasher.check(),))
        database.execute("INSERT INTO memory_actors VALUES (?, 'rita')", (assignee,))
        for place, (memory_type, source, failed, state) in enumerate(CLAIMS, 1):
            details = CheckDetails.of(evidence(f"c{place}"), validation(f"c{place}", checks_failed=failed))
            text_hash = hasher.of("content", f"c{place}")
            item = QueueItem(
                *(place, f"q{place}", "anna", f"c{place}", text_hash, text_hash, memory_type, source, TIME),
                details=write_details(details),
                state=state,
                assignee_hash=assignee if place == 2 else None,
                memory_id="elsewhere" if state is QueueState.STORED else None,
            )
            digest = item_digest(item, hasher)
            marks = ", ".join("?" * (len(COLUMNS) + 1))
            values = [str(value) if isinstance(value, str) else value for value in item]
            database.execute(f"INSERT INTO review_items VALUES ({marks})", (*values, digest))
            facet = (str(list_group(item)), memory_type, source, "anna", item.assignee_hash)
            for check in ("", *failed_checks(details)):
                database.execute("INSERT INTO review_facets VALUES (?, ?, ?, ?, ?, ?, ?)", (place, check, *facet))
            deed = ReviewEventDraft(time=TIME, action=ReviewAction.ENQUEUED)
            said = {"user_hash": hasher.of("person", "anna"), "actor_hash": None}
            fields = event_to_row(item, deed, **said, before_hash=None, after_hash=digest)
            REVIEW_AUDIT.append(database, hasher, [fields])
        database.execute("UPDATE review_waiting SET items = 3")
    session.close()


def test_lists_stay_the_same(location):
    """Of the same groups are those that failed the same checks, and claims that come afterwards."""
    write_as_before(location)

    async def work(store, queue):
        assert await queue.integrity_errors() == []
        assert dict(await queue.counts("rita")) == {"pending": 3, "stored": 1, "rejected": 1, "expired": 0}
        expected = {
            "c1 c2": {"failed_check": "hedge_words_detected"},
            "c1 c2 c5": {"failed_check": "citation_present"},
            "c5": {"memory_type": "decision"},
            "c2": {"assigned_to": "rita"},
        }
        for claims, filters in expected.items():
            assert " ".join(contents(await queue.find("rita", **filters))) == claims
        assert contents(await queue.find("rita", state=QueueState.STORED, source="ai_synthesis")) == ["c4"]
        new = validation(checks_failed=CLAIMS[0][2])
        await enqueue(queue, "c6", "anna", memory_type="fact", source="chat", validation_result=new)
        assert contents(await queue.find("rita", failed_check="hedge_words_detected")) == ["c1", "c2", "c6"]
        with store.snapshot() as database:
            of_all = "SELECT group_id, count(*) FROM review_items GROUP BY group_id ORDER BY group_id"
            assert database.execute(of_all) == [(1, 3), (3, 1), (4, 1), (5, 1)]
        await queue.reject("q1", "rita")
        assert await queue.integrity_errors() == []

    with MemoryStore(location, hash_key=KEY) as store, ReviewQueue(None, store, reviewers=("rita",)) as queue:
        asyncio.run(work(store, queue))
