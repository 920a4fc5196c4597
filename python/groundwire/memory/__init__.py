"""
What is remembered, and where it comes from: a store in SQLite or PostgreSQL.

Names are imported when they are first touched (PEP 562): neither database is
loaded before it is opened.
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.memory.anchor import Anchor
    from groundwire.memory.failures import StoreFailure
    from groundwire.memory.identity import is_same_source, source_identity
    from groundwire.memory.protocol import MemoryProvider
    from groundwire.memory.records import (
        CONFIDENCES,
        AuditAction,
        AuditEntry,
        Change,
        MemoryRecord,
        MemoryStatus,
        Revocation,
        RevocationStatus,
        StoredMemory,
    )
    from groundwire.memory.store import MemoryStore

__all__ = [
    "CONFIDENCES",
    "Anchor",
    "AuditAction",
    "AuditEntry",
    "Change",
    "MemoryProvider",
    "MemoryRecord",
    "MemoryStatus",
    "MemoryStore",
    "Revocation",
    "RevocationStatus",
    "StoreFailure",
    "StoredMemory",
    "is_same_source",
    "source_identity",
]

_HOMES = {
    "Anchor": "groundwire.memory.anchor",
    "CONFIDENCES": "groundwire.memory.records",
    "AuditAction": "groundwire.memory.records",
    "AuditEntry": "groundwire.memory.records",
    "Change": "groundwire.memory.records",
    "MemoryProvider": "groundwire.memory.protocol",
    "MemoryRecord": "groundwire.memory.records",
    "MemoryStatus": "groundwire.memory.records",
    "MemoryStore": "groundwire.memory.store",
    "Revocation": "groundwire.memory.records",
    "RevocationStatus": "groundwire.memory.records",
    "StoreFailure": "groundwire.memory.failures",
    "StoredMemory": "groundwire.memory.records",
    "is_same_source": "groundwire.memory.identity",
    "source_identity": "groundwire.memory.identity",
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
