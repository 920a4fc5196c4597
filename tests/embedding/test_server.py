"""Vectors from a server: a real one on loopback, and every kind of failure."""

import asyncio
import json
import threading

import numpy as np
import pytest

pytest.importorskip("openai", reason="no openai: pip install 'groundwire[judge]'")

from groundwire.embedding import EmbeddingError, ServerEmbedder
from groundwire.ingestion import DedupChecker, DedupCheckError
from groundwire.memory import MemoryRecord
from groundwire.settings import EmbedderSettings
from judge.scripted_server import ScriptedServer, breaks_off, chunks, fails, hangs_up, sends, stalls
from waits import PATIENCE_S

MARKER = "marker-of-the-secret-text"
LETTERS = "abcdefghij"


def letters(text):
    """Return the vector of a text."""
    return [text.count(letter) + 0.5 for letter in LETTERS]


def embeds(handler):
    """Embed the texts; the last one comes first, as servers may answer."""
    given = handler.server.script.requests[-1]["input"]
    data = [{"object": "embedding", "index": place, "embedding": letters(text)} for place, text in enumerate(given)]
    handler.send(200, json.dumps({"object": "list", "data": data[::-1]}).encode())


def answers(*rows, indexes=None):
    """Return a server that sends *rows* for any request."""
    data = [{"index": place, "embedding": row} for place, row in zip(indexes or range(len(rows)), rows, strict=True)]
    return sends(json.dumps({"data": data}).encode())


@pytest.fixture
def serve(monkeypatch):
    """Start a scripted server, and an embedder for it that retries without waiting."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    started = []

    async def sleep(_wait_s):
        pass

    monkeypatch.setattr("anyio.sleep", sleep)

    def start(*acts, **options):
        server = ScriptedServer(list(acts))
        embedder = ServerEmbedder("small", base_url=server.url, **{"timeout_s": 20.0} | options)
        started.extend([embedder, server])
        return server, embedder

    yield start
    for each in started:
        each.close()


def test_half_of_a_surrogate_pair_is_a_question_mark(serve):
    """It cannot be sent, and must not cost the other texts their vectors."""
    server, embedder = serve(embeds)
    assert embedder.encode(["a \ud800 b", "c"]).shape == (2, len(LETTERS))
    assert server.requests[0]["input"] == ["a ? b", "c"]


def test_a_row_for_each_text_in_order(serve):
    """Many texts take several requests; each has the key and asks for floats."""
    server, embedder = serve(embeds, api_key="the-key")
    texts = [letter * number for number in range(10) for letter in LETTERS]
    vectors = embedder.encode(texts)
    assert vectors.dtype == np.float32
    np.testing.assert_array_equal(vectors, np.array([letters(text) for text in texts], dtype=np.float32))
    assert [len(request["input"]) for request in server.requests] == [32, 32, 32, 4]
    assert {request["model"] for request in server.requests} == {"small"}
    assert {headers["authorization"] for headers in server.headers} == {"Bearer the-key"}
    assert set(server.paths) == {"/v1/embeddings"}
    assert embedder.encode([]).shape == (0, 0)


def test_temporary_failures_are_retried(serve):
    """429, 5xx and broken connections are retried within one deadline."""
    server, embedder = serve(fails(429, retry_after="1"), fails(503), hangs_up, embeds)
    np.testing.assert_array_equal(embedder.encode(["abc"]), np.array([letters("abc")], dtype=np.float32))
    assert len(server.requests) == 4


@pytest.mark.parametrize(
    ("act", "code"),
    [
        pytest.param(fails(401, MARKER), "unauthorized", id="key"),
        pytest.param(fails(404, MARKER), "not_found", id="model"),
        pytest.param(fails(400, MARKER), "rejected", id="rejected"),
        pytest.param(fails(500, MARKER), "server_error", id="always-500"),
        pytest.param(fails(429, MARKER, retry_after="60"), "rate_limited", id="a-longer-wait-than-there-is-time"),
        pytest.param(sends(b"", 307, Location="http://127.0.0.1:1/"), "bad_response", id="redirect"),
        pytest.param(hangs_up, "unreachable", id="hangs-up"),
        pytest.param(breaks_off, "unreachable", id="breaks-off"),
        pytest.param(sends(b"no json"), "bad_response", id="no-json"),
        pytest.param(sends(b"[" * 100_000), "bad_response", id="deep"),
        pytest.param(sends(b'{"data": 7}'), "bad_response", id="no-list"),
        pytest.param(sends(b'{"data": [7]}'), "bad_response", id="no-entries"),
        pytest.param(sends(b'{"data": [{"index": 0, "embedding": "AAAA"}]}'), "bad_response", id="base64"),
        pytest.param(sends(b'{"data": [{"index": 0, "embedding": [true]}]}'), "bad_response", id="booleans"),
        pytest.param(answers(), "bad_response", id="none"),
        pytest.param(answers([]), "bad_response", id="empty"),
        pytest.param(answers([10**400]), "bad_response", id="larger-than-a-float"),
        pytest.param(answers([float("inf")]), "bad_response", id="infinite"),
        pytest.param(answers([1.0], [2.0]), "bad_response", id="too-many"),
        pytest.param(answers([1.0], indexes=[1]), "bad_response", id="another-index"),
        pytest.param(chunks([b" " * 100_000] * 100), "bad_response", id="endless"),
    ],
)
def test_a_failing_server_is_reported_by_a_code(serve, act, code):
    """The error contains nothing of the texts or the server's answer."""
    _, embedder = serve(act)
    with pytest.raises(EmbeddingError) as caught:
        embedder.encode([MARKER])
    assert caught.value.code == code
    assert MARKER not in f"{caught.value} {caught.value.args} {caught.value.__cause__} {caught.value.__context__}"


@pytest.mark.parametrize("act", [stalls, chunks([b" "] * 1000, pause_s=0.05)], ids=["silent", "a-byte-now-and-then"])
def test_a_slow_server_times_out(serve, act):
    """The deadline ends a request in any state."""
    _, embedder = serve(act, timeout_s=0.4)
    with pytest.raises(EmbeddingError, match="timeout"):
        embedder.encode(["abc"])


def test_vectors_of_different_lengths_are_an_error(serve):
    """Another model answers the second of two requests."""
    first = answers(*([1.0, 2.0] for _ in range(32)))
    _, embedder = serve(first, answers([1.0]))
    with pytest.raises(EmbeddingError, match="bad_response"):
        embedder.encode(["abc"] * 33)


class Memories:
    """A provider of one memory."""

    async def candidates(self, content, user_id, memory_type=None):
        """Return the memory."""
        return [MemoryRecord(id="m1", content="abba", memory_type="fact")]


def test_duplicates_by_meaning_without_blocking_other_tasks(serve):
    """Ruling C18: other tasks continue during the checker's request, and a failing server fails the check."""
    released = threading.Event()

    def fails_later(handler):
        released.wait(PATIENCE_S)
        fails(500)(handler)

    server, embedder = serve(embeds, embeds, fails_later, timeout_s=PATIENCE_S, max_retries=0)
    checker = DedupChecker(Memories(), 0.95, method="vector", embedder=embedder)
    result = asyncio.run(checker.check_duplicate("baab", "anna"))
    assert (result.is_duplicate, result.existing_memory_id) == (True, "m1")

    async def check_while_waiting():
        check = asyncio.create_task(checker.check_duplicate("baab", "anna"))
        while len(server.requests) < 3:
            await asyncio.sleep(0.01)
        assert not check.done()
        released.set()
        await check

    with pytest.raises(DedupCheckError, match="embedder_failed"):
        asyncio.run(check_while_waiting())


@pytest.mark.usefixtures("bare_environment")
def test_the_environment_selects_the_embedder(serve, monkeypatch):
    """Variables set address, key and model; without a model there is no embedder."""
    server, _ = serve(embeds)
    with pytest.raises(ValueError, match="set QUANTITATIVE_EMBEDDER_MODEL"):
        ServerEmbedder.from_settings()
    for name, value in {"MODEL": "large", "BASE_URL": server.url, "API_KEY": "k", "TIMEOUT_S": "60"}.items():
        monkeypatch.setenv(f"QUANTITATIVE_EMBEDDER_{name}", value)
    assert "'k'" not in repr(EmbedderSettings())
    with ServerEmbedder.from_settings() as embedder:
        assert embedder.encode(["abc"]).shape == (1, len(LETTERS))
    assert (server.requests[-1]["model"], server.headers[-1]["authorization"]) == ("large", "Bearer k")
    with pytest.raises(RuntimeError, match="closed"):
        embedder.encode(["abc"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param({"model": ""}, "model must not be empty", id="model"),
        pytest.param({"timeout_s": 0}, "timeout_s must be a finite number above 0", id="timeout"),
        pytest.param({"max_retries": -1}, "max_retries must be at least 0", id="retries"),
        pytest.param({"base_url": "ftp://x"}, "begins with http", id="address"),
        pytest.param({"base_url": None}, "no key for OpenAI", id="key"),
    ],
)
def test_wrong_arguments_are_refused(options, message, monkeypatch):
    """The check comes before the first claim."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ValueError, match=message):
        ServerEmbedder(**{"model": "small", "base_url": "http://127.0.0.1:1/v1"} | options)
