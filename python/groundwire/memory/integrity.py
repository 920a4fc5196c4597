"""
The integrity check: whether a database is as the store left it.

An anchor, kept elsewhere, shows that an audit was cut off or rewritten. Sealing binds the rows of a database from
before schema 7 to its audits, once, when it is opened with its key. It takes the rows as they are, so changes
that earlier versions did not notice stay unnoticed. A new database is sealed in the same way.
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Self

from groundwire.labels import plural
from groundwire.memory.audit_log import (
    ADMIN_AUDIT,
    CHAINS,
    GIVEN_KEY,
    KEYED_HASH_HEX_DIGITS,
    LAST_TOKEN_HASH,
    LINKS_MODULUS,
    MEMORY_AUDIT,
    OWN_KEY,
    TOKEN_COLUMNS,
    AdminAction,
    AdminEvent,
    AdminKind,
    AuditEventDraft,
    AuditSubject,
    ChainEnd,
    KeyedHasher,
    append,
    append_admin_event,
    is_hex,
    token_digest,
)
from groundwire.memory.connection import TransactionSession
from groundwire.memory.mutations import INSERT_PARENT, INSERT_SOURCE, links_hash
from groundwire.memory.protocol import Database, Row, StoreFailure, store_error
from groundwire.memory.queries import BOUND_COLUMNS, BoundRow, memory_digest, row_links, row_links_sum
from groundwire.memory.records import AuditAction, as_microseconds
from groundwire.memory.schema import schema_errors, version_errors

__all__ = ["Anchor", "counted", "integrity_errors", "seal", "take_anchor"]

_FORMAT = "groundwire-audit-anchor"
_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """
    The ends of the audits of one database at one moment. It contains no private text.

    Attributes:
        key_check: A hash that identifies the database's key without revealing it.
        last: Number and link of the last event of each audit, by its name; 0 and an empty link for an empty audit.
    """

    key_check: str
    last: Mapping[str, ChainEnd]

    def as_json(self) -> str:
        """Return the anchor as the text of a file, which `Anchor.read` takes."""
        chains = {name: {"sequence": sequence, "link": link} for name, (sequence, link) in self.last.items()}
        data = {"format": _FORMAT, "version": _VERSION, "key_check": self.key_check, "audits": chains}
        return f"{json.dumps(data, indent=2)}\n"

    @classmethod
    def read(cls, text: str) -> Self:
        """
        Return the anchor that `as_json` wrote.

        Raises:
            ValueError: *text* is damaged, or not an anchor.
        """
        try:
            data = json.loads(text)
            anchor = cls(key_check=data["key_check"], last={name: _last(one) for name, one in data["audits"].items()})
            is_whole = (data["format"], data["version"]) == (_FORMAT, _VERSION) and _is_hash(anchor.key_check)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            is_whole = False
        if not is_whole or not anchor.last:
            raise ValueError("it is damaged, or is not an anchor")
        return anchor


def take_anchor(database: Database, hasher: KeyedHasher) -> Anchor:
    """
    Return the present ends of the audits.

    Raises:
        MemoryStoreError: One cannot be the end of an audit.
    """
    last = {chain.table: chain.last(database) for chain in CHAINS}
    if not all(_is_end(*end) for end in last.values()):
        raise store_error(StoreFailure.CORRUPT, database.place, "the end of an audit")
    return Anchor(key_check=hasher.check(), last=last)


def anchor_errors(database: Database, hasher: KeyedHasher, anchor: Anchor) -> list[str]:
    """
    Return the differences between the audits and an earlier *anchor*, or an empty list.

    Raises:
        ValueError: The anchor belongs to a database with another key, or with other audits.
    """
    chains = {chain.table: chain for chain in CHAINS}
    check_anchor(anchor, hasher, chains)
    found = []
    for name, (sequence, link) in anchor.last.items():
        last = chains[name].last(database)[0]
        if last < sequence:
            found.append(f"{name} was cut off: it ends with entry {last}, and the anchor has entry {sequence}")
        elif chains[name].link_at(database, sequence) != link:
            found.append(f"{name} was rewritten: entry {sequence} differs from the entry in the anchor")
    return found


def check_anchor(anchor: Anchor, hasher: KeyedHasher, names: Collection[str]) -> None:
    """
    Check that *anchor* can belong to the audits of these *names*.

    Raises:
        ValueError: It belongs to a database with another key, or with other audits.
    """
    if anchor.key_check != hasher.check():
        raise ValueError("the anchor belongs to a database with another key")
    if anchor.last.keys() != set(names):
        raise ValueError("the anchor belongs to a database with other audits")


def _last(data: Any) -> ChainEnd:
    sequence, link = data["sequence"], data["link"]
    if not _is_end(sequence, link):
        raise ValueError
    return sequence, link


def _is_end(sequence: Any, link: Any) -> bool:
    """Return whether an audit can end with this number and link."""
    return type(sequence) is int and (link == "" if sequence == 0 else sequence > 0 and _is_hash(link))


def _is_hash(value: object) -> bool:
    return is_hex(value, KEYED_HASH_HEX_DIGITS)


Check = Callable[[Database, KeyedHasher], Sequence[str]]
"""Returns the errors that it finds, in messages without private text."""

# A memory exists if and only if the last of these two events says that it was stored.
_STORED_AND_GONE = """
SELECT count(*) FROM memory_audit AS stored
WHERE action = 'stored'
  AND NOT EXISTS (SELECT 1 FROM memory_audit AS erased WHERE erased.memory_id = stored.memory_id AND action = 'erased')
  AND NOT EXISTS (SELECT 1 FROM memories WHERE memories.id = stored.memory_id)
"""
_NOT_STORED = """
SELECT count(*) FROM memories
WHERE NOT EXISTS (
    SELECT 1 FROM memory_audit
    WHERE memory_audit.memory_id = memories.id AND action = 'stored'
      AND memory_audit.content_hash = memories.content_hash AND memory_audit.sequence = memories.number
)
"""
_ERASED_AND_THERE = """
SELECT count(*) FROM memories
JOIN memory_audit ON memory_audit.memory_id = memories.id AND memory_audit.action = 'erased'
"""
# Each event begins with the hash that ended the one before. Events from before schema 7 have no hashes.
_CHANGED_BETWEEN = """
SELECT count(*) FROM (
    SELECT before_hash, LAG(after_hash) OVER (PARTITION BY memory_id ORDER BY sequence) AS left_hash FROM memory_audit
) AS pairs
WHERE coalesce(before_hash, '') <> coalesce(left_hash, '')
"""
_MEMORIES = f"""
SELECT content, (
    SELECT after_hash FROM memory_audit WHERE memory_audit.memory_id = memories.id ORDER BY sequence DESC LIMIT 1
), {BOUND_COLUMNS}
FROM memories ORDER BY number
"""
# The last event of each erased memory, which has the hash of the links that it left.
_ERASED = """
FROM memory_audit AS one
WHERE NOT EXISTS (SELECT 1 FROM memories WHERE memories.id = one.memory_id)
  AND NOT EXISTS (
      SELECT 1 FROM memory_audit AS later WHERE later.memory_id = one.memory_id AND later.sequence > one.sequence
  )
"""
_TOKENS = f"SELECT {LAST_TOKEN_HASH}, {', '.join(TOKEN_COLUMNS)} FROM review_tokens"
_TOKENS_GONE = """
SELECT count(*) FROM admin_audit AS one
WHERE kind = 'token' AND after_hash IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM review_tokens WHERE token_id = one.subject)
  AND NOT EXISTS (
      SELECT 1 FROM admin_audit AS later
      WHERE later.kind = 'token' AND later.subject = one.subject AND later.sequence > one.sequence
  )
"""
_TOKENS_CHANGED_BETWEEN = """
SELECT count(*) FROM (
    SELECT before_hash, LAG(after_hash) OVER (PARTITION BY kind, subject ORDER BY sequence) AS left_hash
    FROM admin_audit
) AS pairs
WHERE coalesce(before_hash, '') <> coalesce(left_hash, '')
"""
# The people in audits and claims, each with the last event of either audit that names them. Only the claim names an
# assignee, since its last event `assigned`.
_NAMED = """
SELECT named.actor_hash, max(memory_sequence), max(review_sequence), max(erased.memory_end), max(erased.review_end),
       max(memory_actors.actor_hash)
FROM (
    SELECT actor_hash, max(sequence) AS memory_sequence, 0 AS review_sequence FROM memory_audit
    WHERE actor_hash IS NOT NULL GROUP BY actor_hash
    UNION ALL
    SELECT actor_hash, 0, max(sequence) FROM review_audit WHERE actor_hash IS NOT NULL GROUP BY actor_hash
    UNION ALL
    SELECT assignee_hash, 0, (
        SELECT max(sequence) FROM review_audit
        WHERE review_audit.queue_id = review_items.queue_id AND action = 'assigned'
    )
    FROM review_items WHERE assignee_hash IS NOT NULL
    UNION ALL
    SELECT subject, 0, 0 FROM admin_audit WHERE kind = 'name'
) AS named
LEFT JOIN (
    SELECT subject, max(memory_sequence) AS memory_end, max(review_sequence) AS review_end FROM admin_audit
    WHERE kind = 'name' GROUP BY subject
) AS erased ON erased.subject = named.actor_hash
LEFT JOIN memory_actors ON memory_actors.actor_hash = named.actor_hash
GROUP BY named.actor_hash
"""


def integrity_errors(
    database: Database, hasher: KeyedHasher, *, anchor: Anchor | None = None, further: Sequence[Check] = ()
) -> list[str]:
    """
    Return the errors of a database, in messages without private text, or an empty list. Reads everything.

    Args:
        database: Within a transaction.
        hasher: With the database's key.
        anchor: The ends of its audits at an earlier time.
        further: Additional checks, which run if the schema is right.

    Raises:
        ValueError: The anchor belongs to another database.
    """
    # With foreign tables or views, or damaged pages, the content of rows means nothing.
    if found := [*schema_errors(database), *database.damages()]:
        return [*found, "no further checks were made"]
    checks = (_check_settings, _check_memories, _check_links, _check_names, _check_tokens, *further)
    found = [] if anchor is None else anchor_errors(database, hasher, anchor)
    return found + [fault for check in checks for fault in check(database, hasher)]


def _check_settings(database: Database, hasher: KeyedHasher) -> list[str]:
    """Check the settings, the list of migrations, and the admin log."""
    found = version_errors(database)
    settings: dict[str, object] = dict(database.execute("SELECT name, value FROM memory_settings"))
    origin = database.execute("SELECT action, subject FROM admin_audit WHERE sequence = 1")
    names = {OWN_KEY: {"hash_key_check", "hash_key"}, GIVEN_KEY: {"hash_key_check"}}
    expected = names.get(origin[0][1]) if origin and origin[0][0] == "sealed" else None
    own = KeyedHasher(str(settings["hash_key"]).encode()) if "hash_key" in settings else hasher
    if settings.keys() != expected or {settings["hash_key_check"], own.check()} != {hasher.check()}:
        found.append("the settings were changed")
    if (sequence := ADMIN_AUDIT.broken(database, hasher)) is not None:
        found.append(f"the audit of tokens and names was changed from entry {sequence} on")
    return found


def _check_memories(database: Database, hasher: KeyedHasher) -> list[str]:
    """Check the memories and their audit."""
    found = []
    if (sequence := MEMORY_AUDIT.broken(database, hasher)) is not None:
        found.append(f"the audit was changed from entry {sequence} on")
    other_text = other_row = 0
    for content, known, *values in database.stream(_MEMORIES):
        bound = BoundRow._make(values)
        other_text += not isinstance(content, str) or hasher.of("content", content) != bound.content_hash
        other_row += memory_digest(hasher, bound) != known
    return found + counted(
        ("memory is", "memories are", "in the audit but not in the store", database.execute(_STORED_AND_GONE)[0][0]),
        ("memory differs", "memories differ", "from the audit", database.execute(_NOT_STORED)[0][0]),
        (
            "memory is",
            "memories are",
            "erased in the audit but still stored",
            database.execute(_ERASED_AND_THERE)[0][0],
        ),
        ("memory has", "memories have", "a changed text", other_text),
        ("memory differs", "memories differ", "from the audit in evidence, owner or status", other_row),
        ("memory was", "memories were", "changed between two audit entries", database.execute(_CHANGED_BETWEEN)[0][0]),
    )


def _check_links(database: Database, hasher: KeyedHasher) -> list[str]:
    """Check the links of memories against their rows, and those of erased ones against the audit, by one sum of all."""
    expected = actual = 0
    for values in database.stream(f"SELECT {BOUND_COLUMNS} FROM memories"):
        expected += row_links_sum(hasher, BoundRow._make(values)) or 0
    for (left,) in database.stream(f"SELECT after_hash {_ERASED}"):
        expected += _number(left)
    for _, links in _link_hashes(database, hasher):
        actual += links
    if (expected - actual) % LINKS_MODULUS:
        return ["the sources or parents of memories were changed"]
    return []


def _link_hashes(database: Database, hasher: KeyedHasher) -> Iterator[tuple[str, int]]:
    """Yield the memory and the hash of each link."""
    for linked, memory_id in database.stream("SELECT source_hash, memory_id FROM memory_sources"):
        yield memory_id, hasher.links(memory_id, (linked,), ())
    for linked, memory_id in database.stream("SELECT parent_id, memory_id FROM memory_parents"):
        yield memory_id, hasher.links(memory_id, (), (linked,))


def _check_names(database: Database, hasher: KeyedHasher) -> list[str]:
    """Check the names of people."""
    other = sum(
        not isinstance(actor, str) or hasher.of("person", actor) != actor_hash
        for actor_hash, actor in database.stream("SELECT actor_hash, actor FROM memory_actors")
    )
    # A person who was assigned a claim again after the erasure of the name, when that claim is erased too, left no
    # other trace.
    [(assigned,)] = database.execute("SELECT coalesce(max(sequence), 0) FROM review_audit WHERE action = 'assigned'")
    missing = back = 0
    for _, memory, review, memory_end, review_end, kept in database.stream(_NAMED):
        # In a damaged database they may have any type; then the check of the audit reports it.
        is_erased = _is_past(memory, memory_end) and _is_past(review, review_end)
        missing += kept is None and not is_erased
        back += kept is not None and is_erased and _is_past(assigned, review_end)
    return counted(
        ("name does", "names do", "not match the hash", other),
        ("name is", "names are", "in the audits but missing", missing),
        ("name was erased but is", "names were erased but are", "stored again", back),
    )


def _check_tokens(database: Database, hasher: KeyedHasher) -> list[str]:
    """Check the tokens."""
    other = sum(token_digest(hasher, values) != known for known, *values in database.stream(_TOKENS))
    gone = database.execute(_TOKENS_GONE)[0][0]
    changed = database.execute(_TOKENS_CHANGED_BETWEEN)[0][0]
    return counted(
        ("token was", "tokens were", "changed", other),
        ("token was issued but is", "tokens were issued but are", "missing", gone),
        ("token was", "tokens were", "changed between two audit entries", changed),
    )


def counted(*errors: tuple[str, str, str, int]) -> list[str]:
    """Return a message for each count that is not 0: words for one and for several, the rest, and the count."""
    return [f"{plural(count, one, several)} {rest}" for one, several, rest, count in errors if count]


def _is_past(sequence: object, end: object) -> bool:
    """Return whether *sequence* is None or not after *end*."""
    return isinstance(end, int) and (sequence is None or (isinstance(sequence, int) and sequence <= end))


def _number(left: object) -> int:
    """Return the sum of links in an event; a damaged value becomes one that matches nothing."""
    try:
        return int(str(left), 16)
    except ValueError:
        return 1


# Rows that sealing keeps in memory at a time; also the number of damaged rows that it tolerates.
_SEAL_ROWS = 1_000


def seal(session: TransactionSession, hasher: KeyedHasher, *, has_own_key: bool) -> None:
    """
    Write the hashes of all rows into the audits, unless the database is already sealed.

    Args:
        session: The database's session.
        hasher: The hasher with its key.
        has_own_key: Whether the database stores its own key.

    Raises:
        MemoryStoreError: It was sealed before and is marked as unsealed: another program has written to it.
    """
    with session.reading() as database:
        if not _is_unsealed(database):
            return
    time = as_microseconds(datetime.now(UTC), "the time")
    with session.writing() as database:
        # Another process may have sealed it in the meantime.
        if not _is_unsealed(database):
            return
        if database.execute("SELECT 1 FROM admin_audit LIMIT 1") or database.execute(
            "SELECT 1 FROM memory_audit WHERE after_hash IS NOT NULL LIMIT 1"
        ):
            raise store_error(StoreFailure.CORRUPT, database.place, "it was sealed before")
        subject = OWN_KEY if has_own_key else GIVEN_KEY
        append_admin_event(database, hasher, time, AdminEvent(AdminAction.SEALED, AdminKind.DATABASE, subject))
        _name_sources(database, hasher)
        _seal_memories(database, hasher, time)
        _seal_changes(database, hasher)
        _sort_checks(database)
        _seal_tokens(database, hasher, time)
        database.write("DELETE FROM memory_settings WHERE name IN ('rows', 'sources')")


def _is_unsealed(database: Database) -> bool:
    return bool(database.execute("SELECT 1 FROM memory_settings WHERE name = 'rows' AND value = 'unsealed'"))


def _name_sources(database: Database, hasher: KeyedHasher) -> None:
    """
    Replace the links of memories by those of their rows: before schema 6 they had the hashes of spellings.

    A damaged row keeps its links; reading it reports the damage.

    Raises:
        MemoryStoreError: More than `_SEAL_ROWS` rows are damaged.
    """
    batches = _batches(database, f"SELECT {BOUND_COLUMNS} FROM memories ORDER BY number")
    found = [(row[1], row_links(hasher, BoundRow._make(row))) for batch in batches for row in batch]
    damaged = [memory_id for memory_id, linked in found if linked is None]
    if len(damaged) > _SEAL_ROWS:
        raise store_error(StoreFailure.CORRUPT, database.place, "the rows of memories")
    kept = ", ".join("?" * len(damaged)) or "''"
    for table in ("memory_sources", "memory_parents"):
        # In one pass, because no index finds the links of one memory.
        others = f"memory_id IN (SELECT id FROM memories WHERE id NOT IN ({kept}))"
        database.write(f"DELETE FROM {table} WHERE {others}", damaged)
    named = [(memory_id, *linked) for memory_id, linked in found if linked is not None]
    for start in range(0, len(named), _SEAL_ROWS):
        some = named[start : start + _SEAL_ROWS]
        database.write_many(INSERT_SOURCE, [(source, row[0]) for row in some for source in row[1]])
        database.write_many(INSERT_PARENT, [(parent, row[0]) for row in some for parent in row[2]])


def _seal_memories(database: Database, hasher: KeyedHasher, time: int) -> None:
    """Write an event for each memory with the hash of its row, and for each erased one with that of its links."""
    event = AuditEventDraft(time=time, action=AuditAction.SEALED)
    erased = database.execute(f"SELECT memory_id, user_hash, content_hash {_ERASED} ORDER BY sequence")
    left: dict[str, int] = dict.fromkeys((row[0] for row in erased), 0)
    for memory_id, links in _link_hashes(database, hasher):
        if memory_id in left:
            left[memory_id] = (left[memory_id] + links) % LINKS_MODULUS
    for batch in _batches(database, f"SELECT {BOUND_COLUMNS} FROM memories ORDER BY number"):
        found = [BoundRow._make(row) for row in batch]
        subjects = [
            AuditSubject(
                one.id, hasher.of("person", one.user_id), one.content_hash, after_hash=memory_digest(hasher, one)
            )
            for one in found
        ]
        append(database, hasher, event, subjects)
    subjects = [
        AuditSubject(memory_id, user_hash, content_hash, after_hash=links_hash(left[memory_id]))
        for memory_id, user_hash, content_hash in erased
    ]
    append(database, hasher, event, subjects)


def _seal_changes(database: Database, hasher: KeyedHasher) -> None:
    """Write the hashes of changes that the review queue has not processed yet."""
    rows = database.execute("SELECT memory_id, time, reason, source FROM review_inbox")
    digests = [(hasher.digest("change", row), row[0]) for row in rows]
    database.write_many("UPDATE review_inbox SET digest = ? WHERE memory_id = ?", digests)


def _sort_checks(database: Database) -> None:
    """Sort the checks of each group as new groups do; the fifth migration used the database's order."""
    rows = database.execute("SELECT DISTINCT group_id, checks FROM review_groups")
    ordered = [(" ".join(["", *sorted(checks.split())]), group_id) for group_id, checks in rows]
    database.write_many("UPDATE review_groups SET checks = ? WHERE group_id = ?", ordered)


def _seal_tokens(database: Database, hasher: KeyedHasher, time: int) -> None:
    """Write an event for each token with the hash of its row."""
    for row in database.execute(f"SELECT {', '.join(TOKEN_COLUMNS)} FROM review_tokens ORDER BY token_id"):
        after_hash = token_digest(hasher, row)
        append_admin_event(
            database, hasher, time, AdminEvent(AdminAction.SEALED, AdminKind.TOKEN, row[0], after_hash=after_hash)
        )


def _batches(database: Database, statement: str) -> Sequence[list[Row]]:
    """Return the rows of a statement in lists; all are read before anything is written."""
    rows = database.execute(statement)
    return [rows[start : start + _SEAL_ROWS] for start in range(0, len(rows), _SEAL_ROWS)]
