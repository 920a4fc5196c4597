"""Ruling C18: a source has one identity in all its spellings, also in databases of earlier schemas."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.memory import MemoryStatus, MemoryStore, RevocationStatus
from groundwire.memory.audit_log import KeyedHasher
from groundwire.memory.connection import TransactionSession
from groundwire.memory.identity import is_key, is_same_source, most_specific_sources, source_identity, source_key
from memory.claims import HOUR, NOON, claim, ids, open_at_schema

FULL = "a1b2c3d4e5f60718293a4b5c6d7e8f9012345678"


@pytest.mark.parametrize(
    ("expected", "spellings"),
    [
        pytest.param("ADR-003", ["ADR-3", "adr-003", "ADR 0003", "[ADR-03]", " adr3 ", "Adr\u20113"], id="record"),
        pytest.param("ADR-1234", ["ADR-1234", "adr-01234"], id="long-number"),
        pytest.param("ADR-000", ["ADR-0", "adr 000"], id="record-zero"),
        pytest.param(f"commit:{FULL}", [FULL, f"commit:{FULL}", f"Commit {FULL.upper()}"], id="commit"),
        pytest.param("commit:defaced", ["defaced", "commit: DEFACED"], id="commit-in-letters"),
        pytest.param("issue:12", ["#12", "issue:12", "issue:#12", "GH-12", "gh-012", "issue 12"], id="issue"),
        pytest.param("issue:acme/app#12", ["acme/app#12", "issue:Acme/App#12"], id="issue-of-a-repository"),
        pytest.param("issue:a/b/c#1", ["a/b/c#1"], id="issue-of-a-group"),
        pytest.param(
            "doi:10.1000/ab",
            ["10.1000/AB", "doi:10.1000/ab", "DOI: 10.1000/ab", "https://doi.org/10.1000/Ab"],
            id="doi",
        ),
        pytest.param(
            "https://a.example/x?id=1",
            ["https://A.example:443/x/?id=1", "HTTPS://a.example/x?utm_source=m&id=1#top"],
            id="url",
        ),
        pytest.param("handbook of 2024", ["handbook of 2024", " handbook of 2024\n"], id="text"),
    ],
)
def test_spellings_of_a_source_have_one_identity(expected, spellings):
    """C18: ADR-3, adr-003 and ADR 0003 are one source; so are spellings of a URL."""
    assert {source_identity(spelling) for spelling in [expected, *spellings]} == {expected}


@pytest.mark.parametrize(
    ("expected", "one", "other"),
    [
        pytest.param(True, FULL, FULL[:7], id="abbreviated"),
        pytest.param(True, f"commit:{FULL[:8]}", FULL[:12].upper(), id="both-abbreviated"),
        pytest.param(False, f"{FULL[:7]}0", FULL[:8], id="other-commit"),
        pytest.param(False, "ADR-3", "ADR-30", id="other-record"),
        pytest.param(False, "#12", "acme/app#12", id="other-repository"),
        pytest.param(False, "https://a.example/X", "https://a.example/x", id="other-page"),
        pytest.param(False, "Handbook", "handbook", id="other-text"),
        pytest.param(False, "ADR-3.5", "ADR-3", id="no-record"),
    ],
)
def test_same_source(expected, one, other):
    """C18: a commit and its prefixes are one source."""
    assert is_same_source(one, other) is expected
    assert is_same_source(other, one) is expected


def test_of_a_commit_the_longest_id_is_kept():
    """Each source once, in the order in which they came."""
    sources = (FULL[:7], "adr-3", f"commit:{FULL}", "ADR 0003", FULL[:9], "abcdef12")
    assert most_specific_sources(sources) == (f"commit:{FULL}", "ADR-003", "commit:abcdef12")


SPELLINGS = st.text() | st.from_regex(
    r"(?i)[\[ ]?(adr[- ]?0{0,3}[1-9]{1,2}|(commit:)?[0-9a-f]{7,9}|#[0-9]{1,3}|a/b#[0-9]|https?://[A-Z.]{1,4}(:443)?/x?)\]?",
    fullmatch=True,
)


@given(SPELLINGS)
def test_an_identity_is_its_own_identity(text):
    """So identities can be stored and read again."""
    assert source_identity(source_identity(text)) == source_identity(text)


@given(SPELLINGS, SPELLINGS)
def test_one_source_has_one_key(one, other):
    """Nothing is missed by looking for the key."""
    assert source_key(one) == source_key(other) or not is_same_source(one, other)


@given(SPELLINGS, SPELLINGS)
def test_a_source_that_is_a_key_is_the_only_one_with_it(one, other):
    """So nothing that has the key has to be looked at again."""
    assert is_same_source(one, other) or not is_key(one) or source_key(one) != source_key(other)


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
    assert store.integrity_errors() == []


def test_commits_with_similar_ids_are_different(store):
    """C18: a commit and its prefixes are one source; two commits with a common prefix are two."""
    store.add(claim("m1", source_ids=(f"commit:{FULL}",)), time=NOON)
    store.add(claim("m2", source_ids=(f"commit:{FULL[:8]}0",)), time=NOON)
    store.add(claim("m3", source_ids=(), parents=("m2",)), time=NOON)
    assert ids(store.find(None, source_id=FULL[:10], limit=1)) == ["m1"]
    assert store.revoke_source(f"{FULL[:8]}0", time=NOON) == ["m2", "m3"]
    assert store.revoke_source(FULL[:7], time=NOON) == ["m1"]


def test_a_revocation_reports_a_source_without_memories(store):
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
    session = open_at_schema(location, earlier)
    memory_of_an_earlier_schema(session, KeyedHasher(KEY), stored)
    session.close()
    with MemoryStore(location, hash_key=KEY) as store:
        assert store.integrity_errors() == []
        assert ids(store.find(None, source_id=revoked)) == ["m1"]
        assert store.revoke_source(revoked, time=NOON) == ["m1"]
        assert store.integrity_errors() == []
    with MemoryStore(location, hash_key=KEY) as store, store.snapshot() as database:
        assert database.execute("SELECT name FROM memory_settings WHERE name = 'sources'") == []


def memory_of_an_earlier_schema(session: TransactionSession, hasher: KeyedHasher, source: str) -> None:
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
