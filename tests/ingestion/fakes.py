"""Fake providers, verifiers and embedders with scripted answers, and short calls of checker and validator."""

import asyncio

import numpy as np

from groundwire.ingestion import Citation, DedupChecker, DuplicateResult, IngestionValidator, VerificationResult
from groundwire.ingestion.verification.protocol import VerificationReason, make_result
from groundwire.memory import MemoryRecord

__all__ = ["FakeQueue", "Letters", "Memories", "ScriptedVerifier", "check", "record", "validate", "validator_of"]

VERIFIED = make_result(VerificationReason.ADR_FOUND)
REFUTED = make_result(VerificationReason.ADR_NOT_FOUND)
NOT_IN_FORCE = make_result(VerificationReason.ADR_NOT_IN_FORCE)
UNKNOWN = make_result(VerificationReason.NETWORK_OFF)


TEXT = """
We use PostgreSQL. We use Redis. We use Redis for sessions. We use Pixeltable for memory storage.
We use Pixeltable for storage.
"""


class ScriptedVerifier:
    """Answers by the value of a citation; others are verified, and their text is `TEXT`."""

    def __init__(self, answers=None, *, error: Exception | None = None, pause_s: float = 0.0, text: str | None = TEXT):
        self.text = text
        self.asked: list[list[str]] = []
        self._answers = answers or {}
        self._error = error
        self._pause_s = pause_s

    async def verify(self, citation: Citation) -> VerificationResult:
        """Verify one citation."""
        return (await self.verify_many([citation]))[0]

    async def verify_many(self, citations):
        """Record the values; raise, wait and answer as scripted."""
        self.asked.append([citation.value for citation in citations])
        await asyncio.sleep(self._pause_s)
        if self._error is not None:
            raise self._error
        return [self._answers.get(citation.value, VERIFIED) for citation in citations]

    async def read_many(self, citations):
        """Return the same text for each citation."""
        return [self.text for _ in citations]


def record(name: str, content: str, memory_type: str = "fact") -> MemoryRecord:
    """Create a memory."""
    return MemoryRecord(id=name, content=content, memory_type=memory_type)


class Memories:
    """A provider with a list for each user, which records its calls."""

    def __init__(
        self,
        *contents: str,
        user_id: str = "user-1",
        memory_type: str = "fact",
        error: Exception | None = None,
        pause_s: float = 0.0,
    ):
        records = [record(f"mem-{place}", content, memory_type) for place, content in enumerate(contents)]
        self.records = {user_id: records}
        self.asked: list[tuple[str, str, str | None]] = []
        self._error = error
        self._pause_s = pause_s

    async def candidates(self, content, user_id, memory_type=None):
        """Return all memories of the user, after the pause, or raise the error; the checker filters them by type."""
        self.asked.append((content, user_id, memory_type))
        await asyncio.sleep(self._pause_s)
        if self._error is not None:
            raise self._error
        return list(self.records.get(user_id, []))


class FakeQueue:
    """A review queue that keeps its items, and also provides them."""

    def __init__(self, *, error: Exception | None = None):
        self.items: list[dict] = []
        self._error = error

    async def enqueue(self, user_id, content, memory_type, source, evidence, validation_result):
        """Has the specified signature."""
        if self._error is not None:
            raise self._error
        self.items.append(dict(list(locals().items())[1:]))
        return f"queue-{len(self.items)}"

    async def candidates(self, content, user_id, memory_type=None):  # noqa: ARG002
        """Return all items in review."""
        return [
            MemoryRecord(id=f"queue-{place}", content=item["content"], memory_type="fact")
            for place, item in enumerate(self.items, 1)
            if item["user_id"] == user_id
        ]


class Letters:
    """An embedder that counts letters: equal letters mean equal meaning."""

    def encode(self, texts):
        """Return one count for each letter."""
        return np.array([[text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts])


def check(provider, content: str, *, user_id: str = "user-1", memory_type: str = "fact", **options) -> DuplicateResult:
    """Return the result of one check for duplicates."""
    options = {"embedder": Letters(), "tokens": "unicode", **options}
    return asyncio.run(DedupChecker(provider, **options).check_duplicate(content, user_id, memory_type))


def validator_of(*contents: str, **options) -> IngestionValidator:
    """Return a validator with *contents* in memory, for which all citations exist."""
    options.setdefault("verifier", ScriptedVerifier())
    return IngestionValidator(options.pop("provider", Memories(*contents)), **options)


def validate(validator: IngestionValidator, content: str, memory_type="fact", source="ai_synthesis", **options):
    """Return the result of one claim of `user-1`."""
    user_id = options.pop("user_id", "user-1")
    return asyncio.run(validator.validate(content, memory_type, source, user_id, **options))
