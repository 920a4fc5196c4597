"""
Puts the gate in front of a memory of mem0.

    from groundwire.agent_memory.mem0 import GatedMemory, Mem0Candidates, store_approved

    queue = ReviewQueue(store_approved(memory), "review.db")
    gated = GatedMemory(memory, IngestionValidator(Mem0Candidates(memory)), queue)
    gated.add("Anna prefers tea", user_id="anna", infer=False)

mem0 is not imported: any object with its methods will do.
"""

import inspect
from asyncio import to_thread
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple

from groundwire.agent_memory.gate import AgentMemoryGate, is_replaced, memory_label, run_blocking
from groundwire.ingestion.gate import ReviewQueueProtocol
from groundwire.ingestion.records import MemoryClaim
from groundwire.memory.records import MemoryRecord, check_metadata, textless

if TYPE_CHECKING:
    from groundwire.ingestion.validator import IngestionValidator
    from groundwire.review.records import PendingMemory

__all__ = ["GatedAsyncMemory", "GatedMemory", "Mem0Candidates", "store_approved"]

Extractor = Callable[[Sequence[Mapping[str, Any]]], Sequence[str]]

_KEY = "mem0"
_QUEUE_ID = "groundwire_queue_id"
_MAX_MEMORIES = 10_000
# Methods that write no text.
_PASSED_ON = frozenset({"close", "delete", "delete_all", "get", "get_all", "history", "reset", "search"})

_scope: ContextVar[Mapping[str, str] | None] = ContextVar("groundwire_mem0_scope", default=None)


class _Write(NamedTuple):
    """The texts of one call: a message for each, the ids of their scope, and their metadata."""

    messages: list[dict[str, Any]]
    scope: dict[str, str]
    metadata: dict[str, Any] | None
    memory_id: str | None = None

    def __repr__(self) -> str:
        return textless(self, self._asdict())


class _MemoryGate:
    """The common part of both classes."""

    def __init__(
        self,
        memory: Any,
        validator: "IngestionValidator",
        queue: ReviewQueueProtocol | None = None,
        *,
        source: str | Mapping[str, str] = "ai_synthesis",
        memory_type: str = "fact",
        extract: Extractor | None = None,
    ) -> None:
        self._memory = memory
        self._gate = AgentMemoryGate(validator, queue)
        self._source = source
        self._memory_type = memory_type
        self._extract = extract

    def __getattr__(self, name: str) -> Any:
        if name not in _PASSED_ON:
            raise AttributeError(f"the gate has no {name!r}; of mem0 it passes on {', '.join(sorted(_PASSED_ON))}")
        return getattr(self._memory, name)

    def _plan(
        self, messages: Any, scope: Mapping[str, str | None], metadata: dict[str, Any] | None, *, infer: bool
    ) -> _Write:
        """Return what a call wants to write, as mem0 reads its arguments."""
        given = _messages(messages)
        if infer:
            if self._extract is None:
                raise ValueError("infer=True needs extract, because the gate cannot see what mem0 infers")
            given = [{"role": "assistant", "content": fact} for fact in self._extract(given)]
        return _Write(given, {key: value for key, value in scope.items() if value is not None}, metadata)

    async def _admit(self, write: _Write) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
        """Return the approved messages, and the queued ones with their ids in the queue."""
        owner = next(iter(write.scope.values()), "")
        names = [write.memory_id or f"{owner}:{place}" for place in range(len(write.messages))]
        claims = [self._claim(message, owner, write) for message in write.messages]
        with _within(write.scope):
            admitted = await self._gate.admit(claims, [memory_label(name) for name in names])
        pairs = list(zip(write.messages, admitted, strict=True))
        queued = [{"id": queue_id, "memory": message["content"]} for message, queue_id in pairs if queue_id is not None]
        return [message for message, queue_id in pairs if queue_id is None], queued

    def _claim(self, message: Mapping[str, Any], owner: str, write: _Write) -> MemoryClaim:
        own = self._source
        source = own if isinstance(own, str) else own.get(message["role"], "ai_synthesis")
        given = {"message": dict(message), **write._asdict()}
        del given["messages"]
        metadata = {_KEY: given}
        check_metadata(metadata)
        return MemoryClaim(message["content"], self._memory_type, source, owner, metadata=metadata)


class GatedMemory(_MemoryGate):
    """
    A memory of mem0 that writes only approved texts.

    Methods that only read or delete go to the memory unchanged. Others are refused.

    Args:
        memory: A `mem0.Memory`.
        validator: Decides on texts. Its provider finds duplicates; see `Mem0Candidates`.
        queue: The review queue, whose callback is `store_approved`. Without one, texts that need review are refused.
        source: The origin of all texts, as in `MemoryClaim`, or origins by the role of the message. A role without one
            counts as `ai_synthesis`, whose texts need a citation.
        memory_type: The kind of the texts, as in `MemoryClaim`.
        extract: Returns the facts in messages, for calls with `infer=True`. mem0's own inference writes what it infers
            at once, where no gate can see it.
    """

    def add(
        self,
        messages: Any,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: dict[str, Any] | None = None,
        infer: bool = True,
    ) -> dict[str, Any]:
        """
        Write the messages that are approved, each as one memory.

        Returns:
            The answer of mem0, whose `results` has the written memories; and `queued`, with the id in the queue and
            the text of each message that waits for a reviewer.

        Raises:
            MemoryRefusedError: A message is blocked, or cannot be queued. Nothing is written.
            ValueError, TypeError: An argument is wrong, or `infer` is true without `extract`.
        """
        write = self._plan(messages, _ids(user_id, agent_id, run_id), metadata, infer=infer)
        approved, queued = run_blocking(self._admit(write))
        options = {**write.scope, "metadata": metadata, "infer": False}
        answer = self._memory.add(approved, **options) if approved else {"results": []}
        return {**answer, "queued": queued}

    def update(self, memory_id: str, text: str) -> dict[str, Any]:
        """Replace the text of a memory if it is approved; return and raise as `add`."""
        write = _update(self._memory.get(memory_id), memory_id, text)
        approved, queued = run_blocking(self._admit(write))
        answer = self._memory.update(memory_id, text) if approved else {}
        return {**answer, "queued": queued}


class GatedAsyncMemory(_MemoryGate):
    """A `mem0.AsyncMemory` that writes only approved texts. The other arguments are those of `GatedMemory`."""

    async def add(
        self,
        messages: Any,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: dict[str, Any] | None = None,
        infer: bool = True,
    ) -> dict[str, Any]:
        """Write the messages that are approved; see `GatedMemory.add`."""
        write = self._plan(messages, _ids(user_id, agent_id, run_id), metadata, infer=infer)
        approved, queued = await self._admit(write)
        options = {**write.scope, "metadata": metadata, "infer": False}
        answer = await self._memory.add(approved, **options) if approved else {"results": []}
        return {**answer, "queued": queued}

    async def update(self, memory_id: str, text: str) -> dict[str, Any]:
        """Replace the text of a memory if it is approved; see `GatedMemory.update`."""
        write = _update(await self._memory.get(memory_id), memory_id, text)
        approved, queued = await self._admit(write)
        answer = await self._memory.update(memory_id, text) if approved else {}
        return {**answer, "queued": queued}


class Mem0Candidates:
    """
    Finds duplicates among the memories of mem0: the provider of an `IngestionValidator`.

    It reads all memories of the scope at hand. If there are more than 10,000, it fails, and claims go to review.

    Args:
        memory: A `mem0.Memory` or `mem0.AsyncMemory`.
    """

    def __init__(self, memory: Any) -> None:
        self._memory = memory

    async def candidates(
        self,
        content: str,  # noqa: ARG002 - the protocol's signature
        user_id: str,
        memory_type: str | None = None,
    ) -> list[MemoryRecord]:
        """Return the memories of the scope, without those that are being replaced."""
        scope = _scope.get() or {"user_id": user_id}
        rows = await _all_memories(self._memory, scope)
        found = [(memory_label(str(row["id"])), str(row["memory"])) for row in rows]
        return [
            MemoryRecord(id=name, content=text, memory_type=memory_type or "fact")
            for name, text in found
            if not is_replaced(name)
        ]


def store_approved(memory: Any) -> Callable[["PendingMemory"], Awaitable[str]]:
    """
    Return the callback of a `ReviewQueue` that writes approved texts to *memory*, the one behind the gate.

    The id in the queue becomes a part of the metadata, so that a second call for the same text writes nothing.
    """

    async def write(pending: "PendingMemory") -> str:
        given = pending.evidence.metadata[_KEY]
        if (memory_id := given["memory_id"]) is not None:
            await _call(memory.update, memory_id, pending.content)
            return str(memory_id)
        scope = given["scope"]
        for row in await _all_memories(memory, scope):
            if (row.get("metadata") or {}).get(_QUEUE_ID) == pending.queue_id:
                return str(row["id"])
        message = {**given["message"], "content": pending.content}
        metadata = {**(given["metadata"] or {}), _QUEUE_ID: pending.queue_id}
        answer = await _call(memory.add, [message], **scope, metadata=metadata, infer=False)
        return str(answer["results"][0]["id"])

    return write


def _ids(user_id: str | None, agent_id: str | None, run_id: str | None) -> dict[str, str | None]:
    if user_id is None and agent_id is None and run_id is None:
        raise ValueError("user_id, agent_id or run_id must be given")
    return {"user_id": user_id, "agent_id": agent_id, "run_id": run_id}


def _messages(given: Any) -> list[dict[str, Any]]:
    """Return messages without those of the system, which mem0 leaves out."""
    listed = [{"role": "user", "content": given}] if isinstance(given, str) else given
    listed = [listed] if isinstance(listed, dict) else listed
    if not isinstance(listed, list):
        raise TypeError(f"messages must be a str, a dict or a list of dicts, got {type(given).__name__}")
    for place, message in enumerate(listed):
        if not isinstance(message, dict) or not all(isinstance(message.get(key), str) for key in ("role", "content")):
            raise TypeError(f"messages[{place}] must be a dict with a str as role and content")
    return [message for message in listed if message["role"] != "system"]


def _update(found: Mapping[str, Any] | None, memory_id: str, text: str) -> _Write:
    """Return the replacement of a memory's text, in the scope of the memory."""
    if found is None:
        raise ValueError("mem0 has no memory with this id")
    scope = {key: found[key] for key in ("user_id", "agent_id", "run_id") if found.get(key) is not None}
    return _Write([{"role": found.get("role") or "assistant", "content": text}], scope, None, memory_id)


@contextmanager
def _within(scope: Mapping[str, str]) -> Iterator[None]:
    """Let the provider read the memories of this scope, in this task."""
    token = _scope.set(scope)
    try:
        yield
    finally:
        _scope.reset(token)


async def _all_memories(memory: Any, scope: Mapping[str, str]) -> list[Mapping[str, Any]]:
    answer = await _call(memory.get_all, filters=dict(scope), top_k=_MAX_MEMORIES + 1)
    rows: list[Mapping[str, Any]] = answer["results"]
    if len(rows) > _MAX_MEMORIES:
        raise ValueError(f"there are more than {_MAX_MEMORIES:,} memories in one scope")
    return rows


async def _call(method: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Return the result of a method, which is awaited, or else runs in a thread."""
    if inspect.iscoroutinefunction(method):
        return await method(*args, **options)
    return await to_thread(method, *args, **options)
