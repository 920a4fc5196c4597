"""Sources are found and revoked in any spelling (ruling C18), in databases of every schema."""

import json

import pytest

from groundwire.memory import MemoryStatus, MemoryStore, RevocationStatus
from groundwire.memory.connecting import connect
from groundwire.memory.hashes import Hasher
from groundwire.memory.schema import migrate, migrations
from groundwire.memory.session import Session
from memory.claims import HOUR, NOON, claim, ids

FULL = "a1b2c3d4e5f60718293a4b5c6d7e8f9012345678"
KEY = b"k" * 16


@pytest.mark.parametrize(
    ("stored", "revoked"),
    [
        pytest.param("ADR-003", "adr-3", id="record"),
        pytest.param("ADR 0003", "[ADR-003]", id="record-in-brackets"),
        pytest.param(f"commit:{FULL}", FULL[:7], id="abbreviated-commit"),
        pytest.param(f"commit:{FULL[:9]}", FULL.upper(), id="whole-commit"),
        pytest.param("https://docs.example.com/a?id=1", "HTTPS://Docs.Example.com:443/a/?utm_source=x&id=1", id="url"),
        pytest.param("GH-12", "#12", id="issue"),
        pytest.param("handbook", "handbook ", id="text"),
    ],
)
def test_any_spelling_revokes(store, stored, revoked):
    """C18: what rests on a source is found and sent to review by each of its spellings."""
    store.add(claim("m1", source_ids=(stored,)), time=NOON)
    store.add(claim("m2", source_ids=("ADR-033", "commit:b1b2c3d", "https://docs.example.com/b")), time=NOON)
    assert ids(store.find(None, source_id=revoked)) == ["m1"]
    revocation = store.revoke_source(revoked, time=NOON + HOUR)
    assert (revocation, revocation.status) == (["m1"], RevocationStatus.SENT_TO_REVIEW)
    assert store.get("m1", "anna").status is MemoryStatus.REVIEW
    assert store.audit("m1")[-1].source_hash == store.hash_of("source", stored)
    assert store.faults() == []


def test_commits_whose_ids_begin_alike_are_apart(store):
    """C18: a commit and its prefixes are one source; two commits with a common prefix are two."""
    store.add(claim("m1", source_ids=(f"commit:{FULL}",)), time=NOON)
    store.add(claim("m2", source_ids=(f"commit:{FULL[:8]}0",)), time=NOON)
    store.add(claim("m3", source_ids=(), parents=("m2",)), time=NOON)
    assert ids(store.find(None, source_id=FULL[:10], limit=1)) == ["m1"]
    assert store.revoke_source(f"{FULL[:8]}0", time=NOON) == ["m2", "m3"]
    assert store.revoke_source(FULL[:7], time=NOON) == ["m1"]


def test_a_revocation_says_when_nothing_rests_on_the_source(store):
    """C18: an empty list has a reason that a program can read."""
    store.add(claim("m1"), time=NOON)
    nothing = store.revoke_source("adr-4", time=NOON)
    assert (nothing, nothing.status, nothing.source) == ([], RevocationStatus.NOTHING_RESTS_ON_IT, "ADR-004")
    store.revoke_source("ADR-3", time=NOON)
    again = store.revoke_source("ADR 003", time=NOON)
    assert (again, again.status) == ([], RevocationStatus.ALREADY_IN_REVIEW)
    assert again.already_in_review == ("m1",)


@pytest.mark.parametrize("earlier", range(1, 6))
@pytest.mark.parametrize(
    ("stored", "revoked"),
    [
        pytest.param("adr 3", "ADR-003", id="record"),
        pytest.param(FULL, FULL[:8], id="commit"),
        pytest.param("https://A.example/x/#top", "https://a.example/x", id="url"),
    ],
)
def test_databases_of_earlier_schemas_are_found_by_identity(location, earlier, stored, revoked):
    """C18: rows that hold another spelling, and its hash, get that of the identity; the audit stays whole."""
    session = Session(connect(location, timeout_s=5))
    migrate(session, {number: migrations()[number] for number in range(1, earlier + 1)})
    memory_of_an_earlier_schema(session, Hasher(KEY), stored)
    session.close()
    with MemoryStore(location, hash_key=KEY) as store:
        assert store.faults() == []
        assert ids(store.find(None, source_id=revoked)) == ["m1"]
        assert store.revoke_source(revoked, time=NOON) == ["m1"]
        assert store.faults() == []
    with MemoryStore(location, hash_key=KEY) as store, store.snapshot() as database:
        assert database.execute("SELECT name FROM memory_settings WHERE name = 'sources'") == []


def memory_of_an_earlier_schema(session: Session, hasher: Hasher, source: str) -> None:
    """Write a memory whose source has the hash of its spelling."""
    content = claim("m1").content
    content_hash = hasher.of("content", content)
    entry = (1, 1772366400000000, "stored", "m1", hasher.of("person", "anna"), content_hash, None, None, None)
    memory = (
        *(1, "m1", "anna", content, content_hash, "fact", "conversation", 1772366400000000, "high", None),
        *(json.dumps([source]), "[]", "{}", "active"),
    )
    with session.writing() as database:
        database.execute("INSERT INTO memory_settings VALUES ('hash_key_check', ?)", (hasher.check(),))
        database.execute(f"INSERT INTO memories VALUES (?{', ?' * 13})", memory)
        database.execute("INSERT INTO memory_sources VALUES (?, 'm1')", (hasher.of_spelling(source),))
        database.execute(f"INSERT INTO memory_audit VALUES (?{', ?' * 9})", (*entry, hasher.link("", entry)))
