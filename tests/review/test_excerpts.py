"""Excerpts: the beginnings of claims, which lists read in place of long texts."""

from groundwire.review import QueueState, ReviewQueue
from groundwire.review.items import DETAILS_MAX_CHARS, EXCERPT_CHARS
from review.waiting import asynchronous, enqueue, validation

LONG = "\u00fc\U0001f600x " * 30_000


async def listed(queue, viewer: str = "anna", **filters):
    """The one claim of a list."""
    [one] = await queue.excerpts(viewer, **filters)
    return one


@asynchronous
async def test_an_excerpt_is_what_the_claim_says(queue):
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
async def test_whoever_may_not_see_a_claim_gets_no_excerpt(open_queue):
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
