"""No argument becomes SQL, and no log, warning or error contains private text."""

import asyncio
import logging
import traceback

import pytest

from groundwire.errors import GroundwireError, NotFound
from groundwire.memory import MemoryStore
from groundwire.review import QueueState, ReviewQueue
from memory.claims import HOSTILE
from review.waiting import asynchronous, contents, enqueue, evidence, validation

SECRET = "sertraline-fifty-milligrams"


@pytest.mark.parametrize("text", HOSTILE)
@asynchronous
async def test_hostile_texts_are_texts(open_queue, text):
    """In every argument: kept and found as they are, and finding nothing else."""
    queue = open_queue(reviewers=("rita",))
    await enqueue(queue, "harmless")
    result = validation(text, checks_failed=[text], reason=text, conflicting_memory_id=text)
    fields = {"evidence": evidence(text, source_id=text, metadata={text: text}), "validation_result": result}
    queue_id = await enqueue(queue, text, text, **fields, idempotency_key=text)
    assert contents(await queue.get_pending(text)) == [text]
    assert contents(await queue.find("rita", user_id=text)) == [text]
    for name in ("memory_type", "source", "failed_check"):
        assert len(await queue.find("rita", **{name: text})) <= 1
    with pytest.raises(NotFound):
        await queue.get_by_id(text, "rita")
    assert await queue.audit_trail(text) == []
    assert await queue.conflict(queue_id, text) is None
    await queue.assign(queue_id, "rita", text)
    await queue.approve(queue_id, text, content=f"{text}.")
    stored = await queue.get_by_id(queue_id, text)
    assert (stored.content, stored.original_content, stored.reviewer) == (f"{text}.", text, text)
    other = await enqueue(queue, f"{text}..", text)
    await queue.reject(other, text, text)
    assert (await queue.get_by_id(other, text)).decision_reason == text
    assert contents(await queue.find(text, state=QueueState.REJECTED)) == [f"{text}.."]


def test_no_text_comes_out(location, caplog, recwarn, capfd):
    """All that can go wrong with a claim, and all that is said of it."""
    caplog.set_level(logging.DEBUG)

    def raises(pending):
        raise ValueError(pending.content)

    async def work(queue):
        queue_id = await enqueue(queue, SECRET, SECRET, idempotency_key=SECRET)
        fields = {"evidence": evidence(SECRET, metadata={SECRET: object()}), "source": SECRET * 9}
        for call in (
            queue.approve(queue_id, SECRET),
            queue.approve(queue_id, SECRET, content=f"{SECRET}\0"),
            queue.reject(queue_id, SECRET, f"{SECRET}\ud800"),
            queue.reject(queue_id, "anna", SECRET),
            queue.get_by_id(SECRET, "anna"),
            queue.assign(queue_id, SECRET, "anna"),
            enqueue(queue, f"{SECRET}!", SECRET, idempotency_key=SECRET),
            enqueue(queue, f"{SECRET}?", SECRET),
            *(enqueue(queue, f"{SECRET}!", **{name: value}) for name, value in fields.items()),
        ):
            with pytest.raises((GroundwireError, ValueError, TypeError)) as caught:
                await call
            written.append("".join(traceback.format_exception_only(caught.value)) + repr(caught.value.args))
            assert caught.value.__context__ is None or caught.value.__suppress_context__
        await queue.reject(queue_id, SECRET, SECRET)
        written.append(str(await queue.integrity_errors()))

    written: list[str] = []
    with MemoryStore(location) as store, ReviewQueue(raises, store, per_user_limit=1) as queue:
        asyncio.run(work(queue), debug=False)
    written += [record.getMessage() for record in caplog.records] + [str(warning.message) for warning in recwarn]
    written += capfd.readouterr()
    assert [text for text in written if SECRET in text] == []
