"""The gate in front of a store of LangGraph: it writes approved values, and queues or refuses the others."""

import asyncio

import pytest

from groundwire.errors import MemoryRefusedError
from groundwire.ingestion import CitationVerifier, IngestionValidator
from groundwire.review import ReviewQueue
from libraries import library

InMemoryStore = library("langgraph.store.memory", lane="doors").InMemoryStore
base = library("langgraph.store.base", lane="doors")
adapter = library("groundwire.agent_memory.langgraph", lane="doors")

ANNA = ("memories", "anna")
TEA = {"content": "Anna prefers tea to coffee"}
GUESS = {"content": "I think maybe she likes jazz"}
UNSURE = {"content": "The service may keep its sessions in Redis"}


class Gated:
    """A store, the gate in front of it, and its queue."""

    def __init__(self, *, has_queue: bool = True, **options) -> None:
        self.inner = InMemoryStore()
        self.queue = ReviewQueue(adapter.store_approved(self.inner)) if has_queue else None
        validator = IngestionValidator(adapter.StoreCandidates(self.inner), verifier=CitationVerifier())
        self.store = adapter.GatedStore(self.inner, validator, self.queue, **{"source": "user", **options})

    def put(self, key, value, how="put", namespace=ANNA) -> None:
        """Write a value by one of the four ways."""
        op = base.PutOp(namespace, key, value)
        work = {
            "put": lambda: self.store.put(namespace, key, value),
            "batch": lambda: self.store.batch([op]),
            "aput": lambda: asyncio.run(self.store.aput(namespace, key, value)),
            "abatch": lambda: asyncio.run(self.store.abatch([op])),
        }
        work[how]()

    def pending(self) -> list:
        """Return the claims in the queue."""
        return asyncio.run(self.queue.get_pending("memories.anna"))


WAYS = ("put", "batch", "aput", "abatch")


@pytest.mark.parametrize("how", WAYS)
def test_an_approved_value_is_written(how):
    """Reads, searches, lists and deletions go through."""
    gated = Gated()
    gated.put("tea", TEA, how)
    assert gated.inner.get(ANNA, "tea").value == TEA
    assert gated.store.get(ANNA, "tea").value == TEA
    assert [item.key for item in asyncio.run(gated.store.asearch(ANNA))] == ["tea"]
    assert gated.store.list_namespaces() == [ANNA]
    gated.store.delete(ANNA, "tea")
    assert gated.inner.get(ANNA, "tea") is None


@pytest.mark.parametrize("how", WAYS)
def test_a_blocked_value_is_refused(how):
    """The error has codes and counts, and no text; nothing is written or queued."""
    gated = Gated()
    with pytest.raises(MemoryRefusedError) as refusal:
        gated.put("jazz", GUESS, how)
    assert str(refusal.value) == "1 of 1 memory refused (personal_speculation); nothing was written"
    assert "jazz" not in repr(refusal.value)
    assert (gated.inner.get(ANNA, "jazz"), gated.pending()) == (None, [])


@pytest.mark.parametrize("how", WAYS)
def test_a_value_that_needs_review_is_queued(how):
    """It is written when a person approves it, under its key."""
    gated = Gated()
    gated.put("redis", UNSURE, how)
    assert gated.inner.get(ANNA, "redis") is None
    [pending] = gated.pending()
    assert pending.content == UNSURE["content"]
    asyncio.run(gated.queue.approve(pending.queue_id, "memories.anna"))
    assert gated.inner.get(ANNA, "redis").value == UNSURE


def test_an_edited_approval_writes_the_edited_text():
    """Other fields stay; a value with several texts can be approved only as it is."""
    gated = Gated()
    gated.put("redis", {"content": {"text": UNSURE["content"]}, "n": 3})
    [pending] = gated.pending()
    asyncio.run(gated.queue.approve(pending.queue_id, "memories.anna", content="Sessions are in Redis"))
    assert gated.inner.get(ANNA, "redis").value == {"content": {"text": "Sessions are in Redis"}, "n": 3}
    gated.put("two", {"a": UNSURE["content"], "b": "The weir may be open"})
    [pending] = gated.pending()
    [outcome] = asyncio.run(
        gated.queue.approve_many([pending.queue_id], "memories.anna", contents={pending.queue_id: "One text"})
    )
    assert outcome.error is not None
    assert gated.inner.get(ANNA, "two") is None


def test_a_queued_value_keeps_its_options():
    """The time to live and the indexed fields are those of the call."""

    class Expiring(InMemoryStore):
        supports_ttl = True

        def __init__(self):
            super().__init__()
            self.puts = []

        async def aput(self, namespace, key, value, index=None, **options):
            self.puts.append((namespace, key, value, index, options))

    inner = Expiring()
    queue = ReviewQueue(adapter.store_approved(inner))
    validator = IngestionValidator(adapter.StoreCandidates(inner), verifier=CitationVerifier())
    adapter.GatedStore(inner, validator, queue, source="user").put(ANNA, "redis", UNSURE, index=False, ttl=5.0)
    [pending] = asyncio.run(queue.get_pending("memories.anna"))
    asyncio.run(queue.approve(pending.queue_id, "memories.anna"))
    assert inner.puts == [(ANNA, "redis", UNSURE, False, {"ttl": 5.0})]


def test_without_a_queue_a_doubtful_value_is_refused():
    """Unknown is never approved."""
    gated = Gated(has_queue=False, source="somewhere else")
    with pytest.raises(MemoryRefusedError, match="unknown_source") as refusal:
        gated.put("tea", TEA)
    assert refusal.value.outcomes == ("needs_review",)
    assert gated.inner.get(ANNA, "tea") is None


def test_a_model_is_not_trusted():
    """The default origin is a model, which needs a citation."""
    gated = Gated(source="ai_synthesis")
    gated.put("tea", TEA)
    assert [one.code for one in gated.pending()] == ["ungrounded"]


def test_one_blocked_value_stops_the_whole_call():
    """Other values of the call are neither written nor queued."""
    gated = Gated()
    ops = [base.PutOp(ANNA, key, value) for key, value in (("tea", TEA), ("redis", UNSURE), ("jazz", GUESS))]
    with pytest.raises(MemoryRefusedError, match="1 of 3 memories refused") as refusal:
        gated.store.batch(ops)
    assert refusal.value.outcomes == ("stored", "queued", "rejected")
    assert (gated.inner.search(ANNA), gated.pending()) == ([], [])


def test_results_stay_in_order():
    """A queued value has the result of a written one."""
    gated = Gated()
    gated.put("tea", TEA)
    ops = [
        base.GetOp(ANNA, "tea"),
        base.PutOp(ANNA, "redis", UNSURE),
        base.GetOp(ANNA, "redis"),
        base.GetOp(ANNA, "tea"),
    ]
    first, queued, missing, last = gated.store.batch(ops)
    assert (first.value, queued, missing, last.value) == (TEA, None, None, TEA)
    assert gated.store.batch([]) == []


def test_a_copy_under_another_key_is_refused():
    """The provider reads the namespace, and no other one."""
    gated = Gated()
    gated.put("tea", TEA)
    with pytest.raises(MemoryRefusedError, match="duplicate"):
        gated.put("tea again", TEA)
    gated.put("tea", TEA, namespace=("memories", "bob"))
    assert gated.inner.get(("memories", "bob"), "tea").value == TEA


def test_a_value_may_be_written_again_and_changed():
    """A repetition is no duplicate of itself, and a contradiction needs review."""
    gated = Gated()
    gated.put("tea", TEA)
    gated.put("tea", TEA)
    gated.put("tea", {**TEA, "count": 2})
    assert gated.inner.get(ANNA, "tea").value == {**TEA, "count": 2}
    gated.put("tea", {"content": "Anna does not prefer tea to coffee"})
    assert gated.inner.get(ANNA, "tea").value == {**TEA, "count": 2}
    assert [one.code for one in gated.pending()] == ["conflict"]


def test_all_texts_of_a_value_count():
    """A guess in a nested field is found, and a value without text needs review."""
    gated = Gated()
    with pytest.raises(MemoryRefusedError, match="personal_speculation"):
        gated.put("x", {"kind": "Memory", "content": {"notes": ["Anna prefers tea", GUESS["content"]]}})
    Gated(source="ai_synthesis").put("count", {"count": 3})


def test_a_value_that_is_no_json_is_an_error():
    """The queue could not keep it; the message has no value."""
    with pytest.raises(ValueError, match="metadata must be what JSON can keep"):
        Gated().put("x", {"content": "Anna prefers tea", "at": {1, 2}})


def test_a_full_queue_refuses():
    """The value is stored nowhere, and the error says so."""
    gated = Gated()
    gated.queue = ReviewQueue(adapter.store_approved(gated.inner), per_user_limit=1)
    validator = IngestionValidator(adapter.StoreCandidates(gated.inner), verifier=CitationVerifier())
    gated.store = adapter.GatedStore(gated.inner, validator, gated.queue, source="user")
    gated.put("redis", UNSURE)
    with pytest.raises(MemoryRefusedError, match="QueueFull"):
        gated.put("weir", {"content": "The weir may be open on Sundays"})
    assert gated.inner.search(ANNA) == []


def test_a_provider_that_fails_approves_nothing():
    """A duplicate cannot be ruled out."""

    class Broken(InMemoryStore):
        async def asearch(self, *args, **options):
            raise ConnectionError

    inner = Broken()
    queue = ReviewQueue(adapter.store_approved(inner))
    validator = IngestionValidator(adapter.StoreCandidates(inner), verifier=CitationVerifier())
    adapter.GatedStore(inner, validator, queue, source="user").put(ANNA, "tea", TEA)
    assert [one.code for one in asyncio.run(queue.get_pending("memories.anna"))] == ["dedup_failed"]
    assert inner.get(ANNA, "tea") is None


def test_claims_may_be_built_from_operations():
    """The caller decides on origin, kind and quote."""
    from groundwire.ingestion import MemoryClaim

    gated = Gated(claim_of=lambda op: MemoryClaim(op.value["content"], "preference", "chat", "memories.anna"))
    gated.put("tea", TEA)
    assert gated.inner.get(ANNA, "tea").value == TEA


def test_a_sync_call_within_an_event_loop():
    """LangGraph runs sync nodes in threads; notebooks have a running loop."""
    gated = Gated()

    async def work():
        gated.store.put(ANNA, "tea", TEA)

    asyncio.run(work())
    assert gated.inner.get(ANNA, "tea").value == TEA


def test_nodes_of_a_graph_write_through_the_gate():
    """A compiled graph passes the store to its nodes."""
    graph = library("langgraph.graph", lane="doors")
    runtime = library("langgraph.runtime", lane="doors")

    def remember(state: dict, runtime: runtime.Runtime) -> dict:
        runtime.store.put(ANNA, "said", {"content": state["said"]})
        return {}

    gated = Gated()
    builder = graph.StateGraph(dict)
    builder.add_node("remember", remember)
    builder.add_edge(graph.START, "remember")
    app = builder.compile(store=gated.store)
    app.invoke({"said": TEA["content"]})
    assert gated.inner.get(ANNA, "said").value == TEA
    with pytest.raises(MemoryRefusedError):
        app.invoke({"said": GUESS["content"]})
    asyncio.run(app.ainvoke({"said": UNSURE["content"]}))
    assert gated.inner.get(ANNA, "said").value == TEA
    assert [one.content for one in gated.pending()] == [UNSURE["content"]]
