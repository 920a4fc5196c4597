"""Whether a database is as the store left it."""

from collections.abc import Callable, Sequence

from groundwire.memory.admin import LAST_TOKEN_HASH, TOKEN_COLUMNS, token_digest
from groundwire.memory.anchor import Anchor, anchor_faults
from groundwire.memory.chain import ADMIN_AUDIT, MEMORY_AUDIT
from groundwire.memory.hashes import GIVEN_KEY, LINKS_MODULUS, OWN_KEY, Hasher
from groundwire.memory.protocol import Database
from groundwire.memory.rows import BOUND_COLUMNS, Bound, links_of, memory_digest
from groundwire.memory.schema import schema_faults, version_faults

__all__ = ["faults"]

Check = Callable[[Database, Hasher], Sequence[str]]
"""Returns what is wrong, in words that hold no text."""

# A memory is there if and only if its last entry of these two is that it was stored.
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
# Each entry begins where the one before it ended. Those from before schema 7 have no hashes.
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
# The hashes of the links that memories left which are no longer there.
_LEFT = """
SELECT after_hash FROM memory_audit AS one
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
# The people whom audits and claims name, each with the last entry of either audit that names them. An assignee is named
# by the claim alone, since its last entry `assigned`.
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


def faults(
    database: Database, hasher: Hasher, *, anchor: Anchor | None = None, further: Sequence[Check] = ()
) -> list[str]:
    """
    Return what is wrong, in words that hold no text; empty if nothing is. Reads everything.

    Args:
        database: Within a transaction.
        hasher: With the database's key.
        anchor: How far its audits went at some time before.
        further: What else is checked, once the tables are what the migrations make.

    Raises:
        ValueError: The anchor belongs to another database.
    """
    # What the rows say means nothing if other tables, views or broken pages answer.
    if found := [*schema_faults(database), *database.damages()]:
        return [*found, "nothing else was checked"]
    checks = (_check_settings, _check_memories, _check_links, _check_names, _check_tokens, *further)
    found = [] if anchor is None else anchor_faults(database, hasher, anchor)
    return found + [fault for check in checks for fault in check(database, hasher)]


def _check_settings(database: Database, hasher: Hasher) -> list[str]:
    """What is wrong with settings, the list of migrations, and the audit that the database begins with."""
    found = version_faults(database)
    settings: dict[str, object] = dict(database.execute("SELECT name, value FROM memory_settings"))
    origin = database.execute("SELECT action, subject FROM admin_audit WHERE sequence = 1")
    names = {OWN_KEY: {"hash_key_check", "hash_key"}, GIVEN_KEY: {"hash_key_check"}}
    expected = names.get(origin[0][1]) if origin and origin[0][0] == "sealed" else None
    own = Hasher(str(settings["hash_key"]).encode()) if "hash_key" in settings else hasher
    if settings.keys() != expected or {settings["hash_key_check"], own.check()} != {hasher.check()}:
        found.append("the settings are not as they were written")
    if (sequence := ADMIN_AUDIT.broken(database, hasher)) is not None:
        found.append(f"the audit of tokens and names is not as it was written from entry {sequence} on")
    return found


def _check_memories(database: Database, hasher: Hasher) -> list[str]:
    """What is wrong with the memories and their audit."""
    found = []
    if (sequence := MEMORY_AUDIT.broken(database, hasher)) is not None:
        found.append(f"the audit is not as it was written from entry {sequence} on")
    other_text = other_row = 0
    for content, known, *values in database.stream(_MEMORIES):
        bound = Bound._make(values)
        other_text += not isinstance(content, str) or hasher.of("content", content) != bound.content_hash
        other_row += memory_digest(hasher, bound) != known
    return found + _counted(
        "memories",
        {
            "are in the audit and not in the store": database.execute(_STORED_AND_GONE)[0][0],
            "are in the store and not as the audit has them": database.execute(_NOT_STORED)[0][0],
            "are erased in the audit and still there": database.execute(_ERASED_AND_THERE)[0][0],
            "have another text than when they were stored": other_text,
            "have other evidence, another owner or another status than the audit has": other_row,
            "were changed between two entries of the audit": database.execute(_CHANGED_BETWEEN)[0][0],
        },
    )


def _check_links(database: Database, hasher: Hasher) -> list[str]:
    """Whether memories, and those that were erased, rest on what their rows and the audit say, by one sum of all."""
    expected = actual = 0
    for values in database.stream(f"SELECT {BOUND_COLUMNS} FROM memories"):
        expected += links_of(hasher, Bound._make(values)) or 0
    for (left,) in database.stream(_LEFT):
        expected += _number(left)
    for linked, memory_id in database.stream("SELECT source_hash, memory_id FROM memory_sources"):
        actual += hasher.links(memory_id, (linked,), ())
    for linked, memory_id in database.stream("SELECT parent_id, memory_id FROM memory_parents"):
        actual += hasher.links(memory_id, (), (linked,))
    if (expected - actual) % LINKS_MODULUS:
        return ["the sources and parents of memories are not as they were written"]
    return []


def _check_names(database: Database, hasher: Hasher) -> list[str]:
    """What is wrong with the names of people."""
    other = sum(
        not isinstance(actor, str) or hasher.of("person", actor) != actor_hash
        for actor_hash, actor in database.stream("SELECT actor_hash, actor FROM memory_actors")
    )
    # A person who was asked again after the erasure, about a claim that is erased by now, left no other trace.
    [(assigned,)] = database.execute("SELECT coalesce(max(sequence), 0) FROM review_audit WHERE action = 'assigned'")
    missing = back = 0
    for _, memory, review, memory_end, review_end, kept in database.stream(_NAMED):
        # In a damaged database they may be of any type; then the audit that has them is a fault by itself.
        is_erased = _is_past(memory, memory_end) and _is_past(review, review_end)
        missing += kept is None and not is_erased
        back += kept is not None and is_erased and _is_past(assigned, review_end)
    return _counted(
        "names",
        {
            "do not have their hash": other,
            "are in the audits and are missing": missing,
            "were erased and are there again": back,
        },
    )


def _check_tokens(database: Database, hasher: Hasher) -> list[str]:
    """What is wrong with the tokens."""
    other = sum(token_digest(hasher, values) != known for known, *values in database.stream(_TOKENS))
    return _counted(
        "tokens",
        {
            "are not as they were issued or revoked": other,
            "were issued and are missing": database.execute(_TOKENS_GONE)[0][0],
            "were changed between two entries of the audit": database.execute(_TOKENS_CHANGED_BETWEEN)[0][0],
        },
    )


def _counted(things: str, counts: dict[str, int]) -> list[str]:
    return [f"{count} {things} {words}" for words, count in counts.items() if count]


def _is_past(sequence: object, end: object) -> bool:
    """Tell whether an entry, or none at all, is not behind another one."""
    return isinstance(end, int) and (sequence is None or (isinstance(sequence, int) and sequence <= end))


def _number(left: object) -> int:
    """The sum that an entry has of links; a row that nobody wrote has one that fits to nothing."""
    try:
        return int(str(left), 16)
    except ValueError:
        return 1
