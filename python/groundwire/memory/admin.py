"""The audit of tokens and names: who may use the review page, and whose name was erased."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from groundwire.memory.chain import ADMIN_AUDIT, MEMORY_AUDIT, REVIEW_AUDIT
from groundwire.memory.hashes import Hasher
from groundwire.memory.protocol import Database

__all__ = [
    "LAST_TOKEN_HASH",
    "TOKEN_COLUMNS",
    "AdminAction",
    "AdminKind",
    "Change",
    "erase_tokens",
    "forget_actor",
    "record",
    "token_digest",
]

TOKEN_COLUMNS = ("token_id", "person", "role", "created_at", "expires_at", "revoked_at", "secret_hash")
"""The columns of a token that its hash covers: all of them."""

LAST_TOKEN_HASH = """(
    SELECT after_hash FROM admin_audit WHERE kind = 'token' AND subject = token_id ORDER BY sequence DESC LIMIT 1
)"""
"""The hash that the token's last entry has, as SQL beside the columns of `review_tokens`."""

_TOKENS_OF = f"SELECT {', '.join(TOKEN_COLUMNS)} FROM review_tokens WHERE person = ? ORDER BY token_id"


class AdminAction(StrEnum):
    """What was done."""

    SEALED = "sealed"
    ISSUED = "issued"
    REVOKED = "revoked"
    ERASED = "erased"


class AdminKind(StrEnum):
    """What it was done to."""

    DATABASE = "database"
    TOKEN = "token"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class Change:
    """What is done to one token or name; hashes of its row before and after, None where there is no row."""

    action: AdminAction
    kind: AdminKind
    subject: str
    before_hash: str | None = None
    after_hash: str | None = None


def record(database: Database, hasher: Hasher, time: int, change: Change) -> None:
    """Write an entry; *time* is in microseconds since 1970."""
    said = (str(change.action), str(change.kind), change.subject, change.before_hash, change.after_hash)
    others = (MEMORY_AUDIT.last(database)[0], REVIEW_AUDIT.last(database)[0])
    ADMIN_AUDIT.append(database, hasher, [(time, *said, *others)])


def token_digest(hasher: Hasher, values: Sequence[object]) -> str:
    """Return the hash of a token's `TOKEN_COLUMNS`."""
    return hasher.digest("token", values)


def erase_tokens(database: Database, hasher: Hasher, person: str, time: int) -> None:
    """Erase the tokens of somebody, which nobody can use from then on."""
    for row in database.execute(_TOKENS_OF, (person,)):
        database.write("DELETE FROM review_tokens WHERE token_id = ?", (row[0],))
        change = Change(AdminAction.ERASED, AdminKind.TOKEN, str(row[0]), token_digest(hasher, row))
        record(database, hasher, time, change)


def forget_actor(database: Database, hasher: Hasher, actor: str, time: int) -> None:
    """Erase the name of an actor, which is kept beside the audits."""
    actor_hash = hasher.of("person", actor)
    if not database.execute("SELECT 1 FROM memory_actors WHERE actor_hash = ?", (actor_hash,)):
        return
    database.write("DELETE FROM memory_actors WHERE actor_hash = ?", (actor_hash,))
    record(database, hasher, time, Change(AdminAction.ERASED, AdminKind.NAME, actor_hash))
