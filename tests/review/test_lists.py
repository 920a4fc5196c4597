"""Pages, filters, counts and excerpts are right, and each is read from one range of an index."""

import asyncio

import pytest

from groundwire.memory import MemoryStore
from groundwire.review import QueueState, ReviewQueue
from groundwire.review.items import DETAILS_MAX_CHARS, EXCERPT_CHARS
from groundwire.review.records import QueueFilter
from review.waiting import NOON, asynchronous, contents, enqueue, validation


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
@pytest.mark.parametrize("stretches", [64, 1], ids=["few-groups", "many-groups"])
@asynchronous
async def test_filters(open_queue, filters, expected, stretches, monkeypatch):
    """Alone and together, however many groups a filter chooses; `find` and `counts` agree."""
    monkeypatch.setattr("groundwire.review.queries.GROUPS_MERGED_MAX", stretches)
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


@pytest.mark.parametrize("stretches", [64, 1], ids=["few-groups", "many-groups"])
@asynchronous
async def test_pages_of_several_groups(open_queue, stretches, monkeypatch):
    """The order is that of the combined groups, forwards and back; decided claims are in none of them."""
    monkeypatch.setattr("groundwire.review.queries.GROUPS_MERGED_MAX", stretches)
    queue = open_queue(reviewers=("rita",))
    await fill(queue)
    await fill(queue)  # The same again: nothing is asked twice.
    facts = {"memory_type": "fact"}
    page = await queue.find("rita", **facts, limit=3)
    assert contents(page) == ["c0", "c1", "c3"]
    assert contents(await queue.find("rita", **facts, limit=3, after=page[-1].place)) == ["c5"]
    page = await queue.find("rita", **facts, newest_first=True, limit=2)
    assert contents(page) == ["c5", "c3"]
    await queue.reject(page[-1].queue_id, "rita")
    assert contents(await queue.find("rita", **facts, newest_first=True, after=page[0].place)) == ["c1", "c0"]


def test_long_lists_are_counted_so_far(open_queue, monkeypatch):
    """A longer list is only known to be longer."""
    monkeypatch.setattr("groundwire.review.queries.COUNT_MAX", 3)

    async def work(queue):
        await fill(queue)
        assert (await queue.counts("anna"))[QueueState.PENDING] == 3
        assert (await queue.counts("rita"))[QueueState.PENDING] == 3
        assert (await queue.counts("rita", memory_type="decision"))[QueueState.PENDING] == 2

    asyncio.run(work(open_queue(reviewers=("rita",))))


ASKED = [
    QueueFilter(),
    QueueFilter(memory_type="fact"),
    QueueFilter(source="chat"),
    QueueFilter(memory_type="fact", source="chat"),
    QueueFilter(user_id="anna"),
    QueueFilter(user_id="anna", memory_type="fact"),
    QueueFilter(assigned_to="rita", source="chat"),
    QueueFilter(failed_check="citation_present"),
    QueueFilter(failed_check="citation_present", memory_type="fact", source="ai_synthesis"),
    QueueFilter(state=QueueState.REJECTED, memory_type="fact"),
    QueueFilter(assigned_to="rita"),
    QueueFilter(state=QueueState.STORED, assigned_to="rita"),
]


@pytest.mark.parametrize("filters", ASKED, ids=str)
def test_no_list_is_read_from_its_beginning(sqlite_location, filters, monkeypatch):
    """SQLite's plan searches index ranges by position, and sorts only ranges of few groups."""
    from groundwire.review.repository import QueueTransaction

    plans = []

    def explain(database):
        execute = database.execute

        def explained(statement, values=()):
            if "review_items" in statement:
                plans.append([row[3] for row in execute(f"EXPLAIN QUERY PLAN {statement}", values)])
            return execute(statement, values)

        return explained

    with MemoryStore(sqlite_location) as store, ReviewQueue(None, store) as queue:
        asyncio.run(fill(queue))
        with store.snapshot() as database:
            monkeypatch.setattr(database, "execute", explain(database))
            items = QueueTransaction(store, database)
            items.page(filters, 0, after=3, limit=2, newest_first=False)
            items.page(filters, 0, after=3, limit=2, newest_first=True)
            items.count(filters)
    assert len(plans) == 3
    has_labels = filters != QueueFilter(state=filters.state, user_id=filters.user_id, assigned_to=filters.assigned_to)
    by_groups = has_labels
    for plan in plans:
        assert not any(step.startswith("SCAN review") for step in plan), plan
        assert by_groups or not any("TEMP B-TREE" in step for step in plan), plan
        searched = [step for step in plan if "SEARCH review_items" in step and "INTEGER PRIMARY KEY" not in step]
        assert searched, plan
        named = ["user_id"] if filters.user_id else ["assignee_hash"] if filters.assigned_to else []
        named += ["group_id"] if by_groups else []
        assert all(f"{name}=?" in step for name in ("listed", *named) for step in searched), plan
    for plan in plans[:2]:
        searched = [step for step in plan if "SEARCH review_items" in step and "INTEGER PRIMARY KEY" not in step]
        assert all("place>?" in step or "place<?" in step for step in searched), plan


def test_a_group_ends_with_its_last_user(location):
    """A type and a source can tell of somebody too."""

    async def work(store, queue):
        await fill(queue)
        await enqueue(queue, "of nobody else", "anna", memory_type="diary", source="anna")
        store.erase_user("anna", time=NOON)
        with store.snapshot() as database:
            groups = "SELECT DISTINCT memory_type, source FROM review_groups ORDER BY memory_type, source"
            assert database.execute(groups) == [("decision", "chat"), ("fact", "ai_synthesis"), ("fact", "chat")]
        assert contents(await queue.find("rita", memory_type="fact")) == ["c3", "c5"]
        assert await queue.integrity_errors() == []

    with MemoryStore(location) as store, ReviewQueue(None, store, reviewers=("rita",)) as queue:
        asyncio.run(work(store, queue))


LONG = "\u00fc\U0001f600x " * 30_000


async def listed(queue, viewer: str = "anna", **filters):
    """The one claim of a list."""
    [one] = await queue.excerpts(viewer, **filters)
    return one


@asynchronous
async def test_an_excerpt_is_the_beginning_of_the_claim(queue):
    """Short ones are whole: with type, source, owner, checks and place as `find` returns them."""
    await enqueue(queue, "It may be short", validation_result=validation(checks_failed=["hedge_words_detected: may"]))
    one, [whole] = await listed(queue), await queue.find("anna")
    assert (one.excerpt, one.content_chars) == ("It may be short", 15)
    assert one.checks_failed == ("hedge_words_detected: may",)
    for name in (
        "queue_id",
        "user_id",
        "memory_type",
        "source",
        "submitted_at",
        "state",
        "hedges",
        "citations",
        "place",
    ):
        assert getattr(one, name) == getattr(whole, name)


@asynchronous
async def test_a_long_claim_is_cut(queue):
    """After as many characters on every storage, with the length of the whole; the claim itself stays whole."""
    queue_id = await enqueue(queue, LONG, validation_result=validation(checks_failed=["hedge_words_detected: may"]))
    one = await listed(queue)
    assert one.excerpt == LONG[:EXCERPT_CHARS]
    assert one.content_chars == len(LONG)
    # There is too much to say of the checks.
    assert one.checks_failed == ("hedge_words_detected",)
    assert (await queue.get_by_id(queue_id, "anna")).content == LONG


@asynchronous
async def test_a_list_follows_each_change(open_queue):
    """Also what was read before: an edit that fails, an assignment, a decision."""

    def fail(_):
        raise OSError

    queue = open_queue(fail, reviewers=("rita",))
    queue_id = await enqueue(queue, "Before")
    before = await listed(queue)
    await queue.assign(queue_id, "rita", "rita")
    assert (await listed(queue)).assigned_to == "rita"
    [outcome] = await queue.approve_many([queue_id], "anna", contents={queue_id: "After"})
    assert outcome.error is not None
    after = await listed(queue)
    assert (after.excerpt, after.content_hash == before.content_hash) == ("After", False)
    await queue.reject(queue_id, "anna", "no " * 1_000)
    gone = await listed(queue, state=QueueState.REJECTED)
    assert gone.decision_reason == ("no " * 1_000).strip()[:EXCERPT_CHARS]
    assert await queue.excerpts("anna") == []


@asynchronous
async def test_an_invisible_claim_has_no_excerpt(open_queue):
    """As with `find`; and an erased claim is in no list."""
    queue = open_queue(reviewers=("rita",))
    await enqueue(queue, "Anna's", "anna")
    assert await queue.excerpts("bob") == []
    assert await queue.excerpts("bob", user_id="anna") == []
    assert [one.excerpt for one in await queue.excerpts("rita")] == ["Anna's"]
    await queue.erase_user("anna")
    assert await queue.excerpts("rita") == []


@asynchronous
async def test_long_texts_are_not_read(store, monkeypatch):
    """No row of a list has more characters than an excerpt and short details, and no text is read twice."""
    sizes = []
    with store.snapshot() as database:
        execute = database.execute

    def measured(statement, values=()):
        rows = execute(statement, values)
        sizes.extend(len(value) for row in rows for value in row if isinstance(value, str))
        return rows

    monkeypatch.setattr(database, "execute", measured)
    with ReviewQueue(store=store) as queue:
        for number in range(3):
            await enqueue(queue, f"{number} {LONG}")
        sizes.clear()
        assert len(await queue.excerpts("anna")) == 3
        assert max(sizes) <= DETAILS_MAX_CHARS
        assert EXCERPT_CHARS in sizes
        sizes.clear()
        assert len(await queue.excerpts("anna")) == 3
        assert max(sizes) < EXCERPT_CHARS
