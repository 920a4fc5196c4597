"""Pages, filters and counts: right, and read from one stretch of an index whatever is asked."""

import asyncio

import pytest

from groundwire.memory import MemoryStore
from groundwire.review import QueueState, ReviewQueue
from groundwire.review.storage import Filters
from review.waiting import asynchronous, contents, enqueue, validation


async def fill(queue):
    """Six claims of two users, of two types and sources, which failed other checks."""
    for number, (user, memory_type, source, failed) in enumerate(
        [
            ("anna", "fact", "ai_synthesis", ["citation_present"]),
            ("anna", "fact", "chat", ["hedge_words_detected: may", "hedge_words_detected: might"]),
            ("anna", "decision", "ai_synthesis", ["hedge_words_detected: may", "citation_present"]),
            ("bob", "fact", "ai_synthesis", ["citation_present"]),
            ("bob", "decision", "chat", []),
            ("bob", "fact", "chat", ["no label of a check", "dedup_failed"]),
        ]
    ):
        await enqueue(
            queue,
            f"c{number}",
            user,
            memory_type=memory_type,
            source=source,
            validation_result=validation(checks_failed=failed),
        )


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, "012345"),
        ({"user_id": "anna"}, "012"),
        ({"memory_type": "fact"}, "0135"),
        ({"source": "chat"}, "145"),
        ({"memory_type": "fact", "source": "chat"}, "15"),
        ({"failed_check": "citation_present"}, "023"),
        ({"failed_check": "hedge_words_detected"}, "12"),
        ({"failed_check": "hedge_words_detected: may"}, ""),
        ({"failed_check": "dedup_failed"}, "5"),
        ({"failed_check": "citation_present", "memory_type": "fact", "source": "ai_synthesis"}, "03"),
        ({"failed_check": "citation_present", "user_id": "bob", "memory_type": "fact"}, "3"),
        ({"user_id": "cleo"}, ""),
        ({"memory_type": "' OR 1=1 --"}, ""),
        ({"source": "cha_"}, ""),
    ],
)
@asynchronous
async def test_filters(open_queue, filters, expected):
    """Alone and together; `find` and `counts` agree."""
    queue = open_queue(reviewers=("rita",))
    await fill(queue)
    assert [text[1] for text in contents(await queue.find("rita", **filters))] == list(expected)
    assert (await queue.counts("rita", **filters))[QueueState.PENDING] == len(expected)


@asynchronous
async def test_decided_ones_are_on_other_lists(open_queue):
    """Each state has its own."""
    queue = open_queue(reviewers=("rita",))
    await fill(queue)
    ids = [one.queue_id for one in await queue.find("rita")]
    await queue.approve(ids[0], "rita")
    await queue.reject(ids[3], "rita")
    assert contents(await queue.find("rita", state=QueueState.STORED, memory_type="fact")) == ["c0"]
    assert contents(await queue.find("rita", state=QueueState.REJECTED, failed_check="citation_present")) == ["c3"]
    assert dict(await queue.counts("rita")) == {"pending": 4, "stored": 1, "rejected": 1, "expired": 0}
    assert dict(await queue.counts("anna")) == {"pending": 2, "stored": 1, "rejected": 0, "expired": 0}


@asynchronous
async def test_pages(open_queue):
    """Each goes on behind the last one, also when that was decided or skipped meanwhile; and from the newest back."""
    queue = open_queue()
    ids = [await enqueue(queue, str(number)) for number in range(7)]
    page = await queue.find("anna", limit=3)
    await queue.reject(page[-1].queue_id, "anna")
    await queue.skip(ids[0], "anna")
    page = await queue.find("anna", limit=3, after=page[-1].place)
    assert contents(page) == ["3", "4", "5"]
    assert contents(await queue.find("anna", limit=3, after=page[-1].place)) == ["6", "0"]
    page = await queue.find("anna", limit=3, newest_first=True)
    assert contents(page) == ["0", "6", "5"]
    assert contents(await queue.find("anna", limit=3, newest_first=True, after=page[-1].place)) == ["4", "3", "1"]


def test_long_lists_are_counted_so_far(open_queue, monkeypatch):
    """A longer list is only known to be longer."""
    for storage in ("in_memory", "database"):
        monkeypatch.setattr(f"groundwire.review.{storage}.COUNT_MAX", 3)

    async def work(queue):
        await fill(queue)
        assert (await queue.counts("anna"))[QueueState.PENDING] == 3
        assert (await queue.counts("rita"))[QueueState.PENDING] == 3
        assert (await queue.counts("rita", memory_type="decision"))[QueueState.PENDING] == 2

    asyncio.run(work(open_queue(reviewers=("rita",))))


ASKED = [
    Filters(),
    Filters(memory_type="fact"),
    Filters(source="chat"),
    Filters(memory_type="fact", source="chat"),
    Filters(user_id="anna"),
    Filters(failed_check="citation_present"),
    Filters(failed_check="citation_present", memory_type="fact", source="chat"),
    Filters(state=QueueState.REJECTED, memory_type="fact"),
    Filters(assigned_to="rita"),
    Filters(state=QueueState.STORED, assigned_to="rita"),
]


@pytest.mark.parametrize("filters", ASKED, ids=str)
def test_no_list_is_sorted_or_read_from_its_beginning(sqlite_location, filters, monkeypatch):
    """SQLite's plan: one index, no sorting, and the places searched by their number."""
    from groundwire.review.database import DatabaseItems

    plans = []

    def explain(database):
        execute = database.execute

        def explained(statement, values=()):
            if "review_facets" in statement and statement.lstrip().startswith("SELECT"):
                plans.append([row[3] for row in execute(f"EXPLAIN QUERY PLAN {statement}", values)])
            return execute(statement, values)

        return explained

    with MemoryStore(sqlite_location) as store, ReviewQueue(None, store) as queue:
        asyncio.run(fill(queue))
        with store.snapshot() as database:
            monkeypatch.setattr(database, "execute", explain(database))
            items = DatabaseItems(store, database)
            items.page(filters, 0, after=3, limit=2, newest_first=False)
            items.page(filters, 0, after=3, limit=2, newest_first=True)
            items.count(filters)
    assert len(plans) == 3
    for plan in plans:
        assert not any("TEMP B-TREE" in step or step.startswith("SCAN review") for step in plan), plan
        [facets] = [step for step in plan if "review_facets" in step and "SEARCH" in step]
        named = [name for name in ("user_id", "memory_type", "source") if getattr(filters, name) is not None]
        named += ["assignee_hash"] if filters.assigned_to else []
        assert all(f"{name}=?" in facets for name in named), plan
    for plan in plans[:2]:
        assert any("place>?" in step or "place<?" in step for step in plan), plan
