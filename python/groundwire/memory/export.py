"""
Exports memories with their evidence, hashes and audit, as JSON lines or CSV.

An export is read and written in batches, so its size does not matter. JSON lines lose nothing. In CSV, lists and
mappings are JSON, and a text that a spreadsheet would run as a formula gets an apostrophe.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from groundwire.delimited import write_rows
from groundwire.labels import check_choice
from groundwire.memory.identity import source_identities
from groundwire.memory.records import AuditEvent, MemoryStatus, StoredMemory

if TYPE_CHECKING:
    from groundwire.memory.store import MemoryReader

__all__ = [
    "EXPORT_COLUMNS",
    "EXPORT_VERSION",
    "ExportFormat",
    "export_fields",
    "export_memories",
    "export_text",
    "memory_fields",
]

ExportFormat: TypeAlias = Literal["jsonl", "csv"]

EXPORT_VERSION = 1
"""Version of the fields of an exported memory. A field that is added leaves it as it is; any other change raises it."""

EXPORT_COLUMNS = (
    *("schema_version", "id", "status", "user_id", "memory_type", "source", "content", "confidence"),
    *("capture_time", "validity_horizon", "source_ids", "sources", "parents", "metadata", "hashes", "audit"),
)
"""The fields of an exported memory, which are the columns in CSV."""

_MEMORIES_PER_READ = 500
# `asdict` copies each value, which takes most of the time of an export.
_MEMORY_FIELDS = tuple(field.name for field in fields(StoredMemory))
_EVENT_FIELDS = tuple(field.name for field in fields(AuditEvent))
_encode_json = json.JSONEncoder(ensure_ascii=False).encode


def memory_fields(memory: StoredMemory) -> dict[str, Any]:
    """Return a memory as plain data for JSON. `sources` has the identities of its sources."""
    horizon = memory.validity_horizon
    return {
        **{name: getattr(memory, name) for name in _MEMORY_FIELDS},
        "capture_time": memory.capture_time.isoformat(),
        "validity_horizon": None if horizon is None else horizon.isoformat(),
        "sources": source_identities(memory.source_ids),
    }


def export_memories(
    store: "MemoryReader",
    user_id: str | None = None,
    *,
    status: MemoryStatus | None = None,
    memory_type: str | None = None,
    source_id: str | None = None,
) -> Iterator[dict[str, Any]]:
    """
    Yield the memories of a user, or of all users, in the order of storing, as plain data for JSON.

    Other calls may change the store in between: each memory is exported once, with its audit of the same moment.

    Args:
        store: The store.
        user_id: The user; None for all users.
        status: The status; None for both.
        memory_type: The type; None for all.
        source_id: A source that the memories cite, in any spelling; None for all.

    Yields:
        The fields in `EXPORT_COLUMNS`: those of `StoredMemory`; the identities of its sources; the hashes by which the
        audit knows content, user and sources; and the events of its audit.
    """
    after: str | None = None
    while True:
        with store.snapshot():
            page = store.find(
                user_id,
                status=status,
                memory_type=memory_type,
                source_id=source_id,
                after=after,
                limit=_MEMORIES_PER_READ,
            )
            rows = [export_fields(store, memory) for memory in page]
        yield from rows
        if len(page) < _MEMORIES_PER_READ:
            return
        after = page[-1].id


def export_fields(store: "MemoryReader", memory: StoredMemory) -> dict[str, Any]:
    """Return one memory as `export_memories` does."""
    own = memory_fields(memory)
    hashes = {
        "content": store.hash_of("content", memory.content),
        "user": store.hash_of("person", memory.user_id),
        "sources": {source: store.hash_of("source", source) for source in own["sources"]},
    }
    audit = [_event_fields(event) for event in store.audit(memory.id)]
    whole = {"schema_version": EXPORT_VERSION, **own, "hashes": hashes, "audit": audit}
    return {name: whole[name] for name in EXPORT_COLUMNS}


def _event_fields(event: AuditEvent) -> dict[str, Any]:
    return {**{name: getattr(event, name) for name in _EVENT_FIELDS}, "time": event.time.isoformat()}


def export_text(
    store: "MemoryReader",
    file_format: ExportFormat,
    user_id: str | None = None,
    *,
    status: MemoryStatus | None = None,
    memory_type: str | None = None,
    source_id: str | None = None,
) -> Iterator[str]:
    """
    Yield the text of an export, row by row. A row of CSV may have line ends. For the filters see `export_memories`.

    Raises:
        ValueError: There is no such format.
    """
    file_format = check_choice("file_format", file_format, get_args(ExportFormat))
    rows = export_memories(store, user_id, status=status, memory_type=memory_type, source_id=source_id)
    if file_format == "jsonl":
        yield from (f"{_encode(row)}\n" for row in rows)
        return
    yield write_rows([EXPORT_COLUMNS])
    yield from (write_rows([_cells(row)]) for row in rows)


def _encode(value: object) -> str:
    """Return *value* as JSON. Lone surrogates, which metadata may have, are escaped: they have no form in UTF-8."""
    return _encode_json(value).encode("utf-8", "backslashreplace").decode("utf-8")


def _cells(row: Mapping[str, Any]) -> Iterator[str]:
    for value in row.values():
        is_json = isinstance(value, list | tuple | dict)
        yield _encode(value) if is_json else "" if value is None else str(value)
