"""The gate in front of a memory of mem0, with the real package, an embedder of the test and Qdrant in the process."""

import asyncio
import hashlib
import inspect
import os
import tempfile

import pytest

# mem0 reads them when it is imported; it would send telemetry and write to the home folder.
os.environ["MEM0_TELEMETRY"] = "False"
os.environ["MEM0_DIR"] = tempfile.mkdtemp(prefix="groundwire-mem0-")

from groundwire.errors import MemoryRefusedError
from groundwire.ingestion import CitationVerifier, IngestionValidator
from groundwire.review import ReviewQueue
from libraries import library

mem0 = library("mem0", lane="doors")
embeddings = library("mem0.embeddings.base", lane="doors")
factory = library("mem0.utils.factory", lane="doors")
QdrantClient = library("qdrant_client", lane="doors").QdrantClient
adapter = library("groundwire.agent_memory.mem0", lane="doors")

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Payload indexes have no effect"),
]

TEA = "Anna prefers tea to coffee"
GUESS = "I think maybe she likes jazz"
UNSURE = "The service may keep its sessions in Redis"


class HashEmbedder(embeddings.EmbeddingBase):
    """Returns a vector that depends only on the text."""

    def embed(self, text, memory_action=None):
        """Return eight numbers of its hash."""
        return [byte / 255 for byte in hashlib.sha256(text.encode()).digest()[:8]]


class Gated:
    """A memory, the gate in front of it, and its queue."""

    def __init__(self, folder, kind: str, *, has_queue: bool = True, **options) -> None:
        is_async = kind == "async"
        config = {
            "vector_store": {
                "provider": "qdrant",
                "config": {
                    "collection_name": "test",
                    "embedding_model_dims": 8,
                    "client": QdrantClient(":memory:"),
                },
            },
            "embedder": {"provider": "hash"},
            "llm": {"provider": "openai", "config": {"api_key": "none"}},
            "history_db_path": str(folder / "history.db"),
        }
        self.inner = (mem0.AsyncMemory if is_async else mem0.Memory).from_config(config)
        self.queue = ReviewQueue(adapter.store_approved(self.inner)) if has_queue else None
        validator = IngestionValidator(adapter.Mem0Candidates(self.inner), verifier=CitationVerifier())
        gate = adapter.GatedAsyncMemory if is_async else adapter.GatedMemory
        self.memory = gate(self.inner, validator, self.queue, **{"source": "user", **options})

    def call(self, name, *args, **options):
        """Return the result of a method of the gate."""
        answer = getattr(self.memory, name)(*args, **options)
        return asyncio.run(_awaited(answer)) if inspect.isawaitable(answer) else answer

    def add(self, messages, **options):
        """Add messages of Anna's."""
        return self.call("add", messages, **{"user_id": "anna", "infer": False, **options})

    def texts(self, **filters):
        """Return the texts that mem0 has."""
        rows = self.call("get_all", filters=filters or {"user_id": "anna"})["results"]
        return sorted(row["memory"] for row in rows)

    def pending(self):
        """Return the claims in the queue."""
        return asyncio.run(self.queue.get_pending("anna"))


async def _awaited(answer):
    return await answer


@pytest.fixture(params=["sync", "async"])
def make(request, tmp_path, monkeypatch):
    """Return a function that makes a gated memory of either kind."""
    monkeypatch.setitem(factory.EmbedderFactory.provider_to_class, "hash", f"{__name__}.HashEmbedder")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    return lambda **options: Gated(tmp_path, request.param, **options)


def test_an_approved_text_is_written(make):
    """The answer is that of mem0; reading methods go through."""
    gated = make()
    answer = gated.add(TEA, metadata={"n": 1})
    assert ([each["memory"] for each in answer["results"]], answer["queued"]) == ([TEA], [])
    assert gated.texts() == [TEA]
    memory_id = answer["results"][0]["id"]
    assert gated.call("get", memory_id)["metadata"]["n"] == 1
    gated.call("delete", memory_id)
    assert gated.texts() == []


def test_a_blocked_text_is_refused(make):
    """Nothing of the call is written, and the error has no text."""
    gated = make()
    messages = [{"role": "user", "content": text} for text in (TEA, GUESS)]
    with pytest.raises(MemoryRefusedError, match=r"^1 of 2 memories refused \(personal_speculation\)") as refusal:
        gated.add(messages)
    assert refusal.value.outcomes == ("stored", "rejected")
    assert "jazz" not in repr(refusal.value)
    assert (gated.texts(), gated.pending()) == ([], [])


def test_a_text_that_needs_review_is_queued_and_written_once(make):
    """The approval writes it; a second call of the callback finds it."""
    gated = make()
    answer = gated.add([{"role": "system", "content": GUESS}, {"role": "user", "content": UNSURE}])
    [pending] = gated.pending()
    assert answer == {"results": [], "queued": [{"id": pending.queue_id, "memory": UNSURE}]}
    assert gated.texts() == []
    memory_id = asyncio.run(gated.queue.approve(pending.queue_id, "anna", content="Sessions are in Redis"))
    assert gated.texts() == ["Sessions are in Redis"]
    again = asyncio.run(adapter.store_approved(gated.inner)(pending))
    assert (again, len(gated.texts())) == (memory_id, 1)


def test_without_a_queue_a_doubtful_text_is_refused(make):
    """A model's own text needs a citation, and unknown is never approved."""
    gated = make(has_queue=False, source={"user": "user"})
    with pytest.raises(MemoryRefusedError, match="ungrounded"):
        gated.add([{"role": "assistant", "content": TEA}])
    assert gated.add([{"role": "user", "content": TEA}])["results"]


def test_a_copy_is_refused_in_the_same_scope(make):
    """The provider reads the scope of the call: of a user, an agent or a run."""
    gated = make()
    gated.add(TEA)
    with pytest.raises(MemoryRefusedError, match="duplicate"):
        gated.add(TEA)
    gated.call("add", TEA, agent_id="a1", infer=False)
    assert gated.texts(agent_id="a1") == [TEA]
    with pytest.raises(MemoryRefusedError, match="duplicate"):
        gated.call("add", TEA, agent_id="a1", infer=False)


def test_an_update_is_decided_too(make):
    """It is no duplicate of the text that it replaces; one that needs review waits."""
    gated = make()
    memory_id = gated.add(TEA)["results"][0]["id"]
    assert gated.call("update", memory_id, f"{TEA}.")["queued"] == []
    assert gated.texts() == [f"{TEA}."]
    [queued] = gated.call("update", memory_id, UNSURE)["queued"]
    assert gated.texts() == [f"{TEA}."]
    assert asyncio.run(gated.queue.approve(queued["id"], "anna")) == memory_id
    assert gated.texts() == [UNSURE]
    with pytest.raises(MemoryRefusedError):
        gated.call("update", memory_id, GUESS)
    with pytest.raises(ValueError, match="mem0 has no memory with this id"):
        gated.call("update", "00000000-0000-0000-0000-000000000000", TEA)


def test_inference_needs_an_extractor(make):
    """mem0 would write what it infers without asking the gate."""
    with pytest.raises(ValueError, match="infer=True needs extract"):
        make().add(TEA, infer=True)
    gated = make(extract=lambda messages: [message["content"].upper() for message in messages])
    gated.add("Anna prefers tea", infer=True)
    assert gated.texts() == ["ANNA PREFERS TEA"]


@pytest.mark.parametrize("name", ["chat", "entity_store", "vector_store", "_create_memory"])
def test_other_methods_are_closed(make, name):
    """They could write past the gate."""
    with pytest.raises(AttributeError, match="the gate has no"):
        getattr(make().memory, name)


@pytest.mark.parametrize(
    ("messages", "options", "error", "words"),
    [
        (3, {}, TypeError, "messages must be a str, a dict or a list of dicts, got int"),
        ([{"role": "user"}], {}, TypeError, r"messages\[0\] must be a dict with a str as role and content"),
        (TEA, {"user_id": None}, ValueError, "user_id, agent_id or run_id must be given"),
        (TEA, {"metadata": {"a": {1}}}, ValueError, "metadata must be what JSON can keep"),
    ],
)
def test_invalid_arguments(make, messages, options, error, words):
    """Errors name arguments and types."""
    with pytest.raises(error, match=words):
        make().add(messages, **options)
