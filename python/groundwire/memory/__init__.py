"""
Stores memories with their evidence, and the audit log of each change, in SQLite or PostgreSQL.

`store` is the public face without SQL: `queries` reads, `mutations` changes, and `audit_log` has the keyed hashes
and the hash chains of the audits. `integrity` checks that a database is as the store left it. `records` has the data
classes and the checks of their fields, `identity` compares spellings of sources, and `protocol` has the interfaces and
failure codes. `export` writes JSON lines and CSV. `connection` opens, migrates (`schema`) and locks a database;
`sqlite` and `postgres` execute the SQL. Names load on first use (PEP 562), so a database driver is imported only when a
database is opened.
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.memory.export import export_memories, export_text
    from groundwire.memory.identity import is_same_source, source_identity
    from groundwire.memory.integrity import Anchor
    from groundwire.memory.protocol import MemoryProvider, StoreFailure
    from groundwire.memory.records import (
        CONFIDENCES,
        AuditAction,
        AuditEvent,
        MemoryChange,
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
    "AuditEvent",
    "MemoryChange",
    "MemoryProvider",
    "MemoryRecord",
    "MemoryStatus",
    "MemoryStore",
    "Revocation",
    "RevocationStatus",
    "StoreFailure",
    "StoredMemory",
    "export_memories",
    "export_text",
    "is_same_source",
    "source_identity",
]

_HOMES = {
    "Anchor": "groundwire.memory.integrity",
    "CONFIDENCES": "groundwire.memory.records",
    "AuditAction": "groundwire.memory.records",
    "AuditEvent": "groundwire.memory.records",
    "MemoryChange": "groundwire.memory.records",
    "MemoryProvider": "groundwire.memory.protocol",
    "MemoryRecord": "groundwire.memory.records",
    "MemoryStatus": "groundwire.memory.records",
    "MemoryStore": "groundwire.memory.store",
    "Revocation": "groundwire.memory.records",
    "RevocationStatus": "groundwire.memory.records",
    "StoreFailure": "groundwire.memory.protocol",
    "StoredMemory": "groundwire.memory.records",
    "export_memories": "groundwire.memory.export",
    "export_text": "groundwire.memory.export",
    "is_same_source": "groundwire.memory.identity",
    "source_identity": "groundwire.memory.identity",
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
