"""
Puts the gate in front of a store of LangGraph.

    from groundwire.agent_memory.langgraph import GatedStore, StoreCandidates, store_approved

    queue = ReviewQueue(store_approved(store), "review.db")
    validator = IngestionValidator(StoreCandidates(store))
    graph = builder.compile(store=GatedStore(store, validator, queue))

All texts of a value are one claim. Its owner is the namespace, with periods between its labels, which have none.
"""

import json
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any, TypeGuard

from langgraph.store.base import BaseStore, Op, PutOp, Result, SearchItem

from groundwire.agent_memory.gate import AgentMemoryGate, is_replaced, memory_label, run_blocking
from groundwire.ingestion.gate import ReviewQueueProtocol
from groundwire.ingestion.records import MemoryClaim
from groundwire.memory.records import MemoryRecord, check_metadata

if TYPE_CHECKING:
    from groundwire.ingestion.validator import IngestionValidator
    from groundwire.review.records import PendingMemory

__all__ = ["GatedStore", "StoreCandidates", "store_approved"]

_KEY = "langgraph"
_ITEMS_PER_SEARCH = 500


class GatedStore(BaseStore):
    """
    A store that writes only approved values. Everything else goes to the wrapped store unchanged.

    `put`, `batch` and their async forms check all values of a call before any is written. A value that the store
    already has under its key is written without a check, and so are deletions. A value that needs review is queued and
    not written; a reader finds it after its approval.

    Args:
        store: The store to write to.
        validator: Decides on values. Its provider finds duplicates; see `StoreCandidates`.
        queue: The review queue, whose callback is `store_approved`. Without one, values that need review are refused.
        source: The origin of the values, as in `MemoryClaim`. A model's own are never trusted without a citation.
        memory_type: The kind of the values, as in `MemoryClaim`.
        claim_of: Returns the claim of a `PutOp`, instead of the two arguments above.

    Raises:
        MemoryRefusedError: As with each call that writes, a value is blocked, or cannot be queued. Nothing is written.
        ValueError: A value is not JSON, which the queue keeps.
    """

    def __init__(
        self,
        store: BaseStore,
        validator: "IngestionValidator",
        queue: ReviewQueueProtocol | None = None,
        *,
        source: str = "ai_synthesis",
        memory_type: str = "fact",
        claim_of: Callable[[PutOp], MemoryClaim] | None = None,
    ) -> None:
        self._store = store
        self._gate = AgentMemoryGate(validator, queue)
        self._source = source
        self._memory_type = memory_type
        self._claim_of = claim_of or self._claim
        self.supports_ttl = store.supports_ttl
        self.ttl_config = store.ttl_config

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Execute operations, with the values that are approved."""
        given = list(ops)
        written = run_blocking(self._written(given, lambda op: _as_async(self._store.get(op.namespace, op.key))))
        return _spread(written, self._store.batch([op for op, passes in zip(given, written, strict=True) if passes]))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Execute operations, with the values that are approved."""
        given = list(ops)
        written = await self._written(given, lambda op: self._store.aget(op.namespace, op.key))
        passed = [op for op, passes in zip(given, written, strict=True) if passes]
        return _spread(written, await self._store.abatch(passed))

    async def _written(self, ops: Sequence[Op], get: Callable[[PutOp], Awaitable[Any]]) -> list[bool]:
        """Return whether each operation goes to the store; raise if a value is refused."""
        puts = [
            (place, op)
            for place, op in enumerate(ops)
            if _is_put(op) and getattr(await get(op), "value", None) != op.value
        ]
        claims = [_with_value(self._claim_of(op), op) for _, op in puts]
        if not claims:
            return [True] * len(ops)
        admitted = await self._gate.admit(claims, [memory_label(*op.namespace, op.key) for _, op in puts])
        queued = {place for (place, _), queue_id in zip(puts, admitted, strict=True) if queue_id is not None}
        return [place not in queued for place in range(len(ops))]

    def _claim(self, op: PutOp) -> MemoryClaim:
        return MemoryClaim(_text_of(op.value), self._memory_type, self._source, ".".join(op.namespace))


class StoreCandidates:
    """
    Finds duplicates among the values of a LangGraph store: the provider of an `IngestionValidator`.

    It reads all values of the owner's namespace, and none below it.

    Args:
        store: The store.
    """

    def __init__(self, store: BaseStore) -> None:
        self._store = store

    async def candidates(
        self,
        content: str,  # noqa: ARG002 - the protocol's signature
        user_id: str,
        memory_type: str | None = None,
    ) -> list[MemoryRecord]:
        """Return the values in the namespace of *user_id* as memories, without those that are being replaced."""
        namespace = tuple(user_id.split("."))
        found: list[MemoryRecord] = []
        for offset in count(0, _ITEMS_PER_SEARCH):
            page = await self._store.asearch(namespace, limit=_ITEMS_PER_SEARCH, offset=offset)
            found += [_record(item, memory_type) for item in page if item.namespace == namespace]
            if len(page) < _ITEMS_PER_SEARCH:
                break
        return [record for record in found if not is_replaced(record.id)]


def store_approved(store: BaseStore) -> Callable[["PendingMemory"], Awaitable[str]]:
    """
    Return the callback of a `ReviewQueue` that writes approved values to *store*, the one behind the gate.

    Writing is repeatable. An edited text replaces the only text of its value; a value with several texts can be
    approved only as it is.
    """

    async def write(pending: "PendingMemory") -> str:
        given = pending.evidence.metadata[_KEY]
        value = given["value"]
        if pending.original_content is not None:
            value = _edited(value, pending.content)
        # Stores without expiry refuse a ttl.
        lifetime = {} if given["ttl"] is None else {"ttl": given["ttl"]}
        await store.aput(tuple(given["namespace"]), given["key"], value, given["index"], **lifetime)
        return memory_label(*given["namespace"], given["key"])

    return write


def _is_put(op: Op) -> TypeGuard[PutOp]:
    return isinstance(op, PutOp) and op.value is not None


async def _as_async(value: object) -> object:
    return value


def _spread(passes: Sequence[bool], results: Sequence[Result]) -> list[Result]:
    """Return a result for each operation; None for a queued value, as for a written one."""
    rest = iter(results)
    return [next(rest) if each else None for each in passes]


def _with_value(claim: MemoryClaim, op: PutOp) -> MemoryClaim:
    """Return *claim* with the value, which `store_approved` writes."""
    given = {"namespace": list(op.namespace), "key": op.key, "value": dict(op.value or {})}
    metadata = {**claim.metadata, _KEY: {**given, "index": op.index, "ttl": op.ttl}}
    check_metadata(metadata)
    return replace(claim, metadata=metadata)


def _record(item: SearchItem, memory_type: str | None) -> MemoryRecord:
    name = memory_label(*item.namespace, item.key)
    return MemoryRecord(id=name, content=_text_of(item.value), memory_type=memory_type or "fact")


def _text_of(value: object) -> str:
    """Return all texts of a value, one per line; for a value without text, its JSON."""
    return "\n".join(_texts(value)) or json.dumps(value, ensure_ascii=False, default=str)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        if value.strip():
            yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)


def _edited(value: Any, text: str) -> Any:
    if len(list(_texts(value))) != 1:
        raise ValueError("an edited text can replace only the single text of a value")
    return _replaced_text(value, text)


def _replaced_text(value: Any, text: str) -> Any:
    if isinstance(value, str):
        return text if value.strip() else value
    if isinstance(value, dict):
        return {key: _replaced_text(each, text) for key, each in value.items()}
    return [_replaced_text(each, text) for each in value] if isinstance(value, list) else value
