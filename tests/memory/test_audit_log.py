"""The audit log is a chain of hashes, and the integrity check finds every change that does not fit it."""

import hmac
import sys

import pytest

from groundwire.errors import MemoryStoreError
from groundwire.memory import Anchor, MemoryStore
from groundwire.memory.audit_log import KeyedHasher
from memory.claims import NOON, claim


@pytest.fixture
def filled(location):
    """A store with four memories and nine entries."""
    with MemoryStore(location) as store:
        for number in range(4):
            store.add(claim(f"m{number}", content=f"text {number}"), time=NOON, actor="bob")
        store.revoke_source("ADR-003", time=NOON)
        store.erase("m2", "anna", time=NOON)
        yield store


@pytest.mark.parametrize(
    ("tampering", "words"),
    [
        pytest.param("UPDATE memory_audit SET time = time + 1 WHERE sequence = 3", "from entry 3 on", id="time"),
        pytest.param("UPDATE memory_audit SET actor_hash = NULL WHERE sequence = 2", "from entry 2 on", id="actor"),
        pytest.param("UPDATE memory_audit SET link = '' WHERE sequence = 9", "from entry 9 on", id="link"),
        pytest.param("DELETE FROM memory_audit WHERE sequence = 5", "from entry 5 on", id="missing"),
        pytest.param("DELETE FROM memory_audit WHERE sequence = 1", "from entry 1 on", id="first-missing"),
        pytest.param("DELETE FROM memory_audit WHERE memory_id = 'm3'", "1 memory differs from the audit", id="cut"),
        pytest.param("DELETE FROM memory_audit WHERE sequence = 9", "1 memory is in the audit but not", id="end"),
        pytest.param("DELETE FROM memories WHERE id = 'm1'", "1 memory is in the audit but not", id="deleted"),
        pytest.param("UPDATE memories SET content = 'x' WHERE id = 'm1'", "1 memory has a changed text", id="altered"),
        pytest.param("UPDATE memories SET content_hash = '0'", "3 memories differ from the audit", id="hash"),
        pytest.param("UPDATE memories SET id = 'm2' WHERE id = 'm1'", "1 memory is erased in the audit", id="back"),
        pytest.param("UPDATE memories SET status = 'active'", "3 memories differ from the audit in", id="status"),
        pytest.param(
            "UPDATE memories SET user_id = 'x' WHERE id = 'm1'", "1 memory differs from the audit in", id="owner"
        ),
        pytest.param("UPDATE memories SET source_ids = '[]'", "3 memories differ from the audit in", id="cited"),
        pytest.param("DELETE FROM memory_sources WHERE memory_id = 'm1'", "the sources or parents of", id="link"),
        pytest.param("DELETE FROM memory_sources WHERE memory_id = 'm2'", "the sources or parents of", id="left-link"),
        pytest.param("INSERT INTO memory_parents VALUES ('m1', 'm3')", "the sources or parents of", id="parent"),
        pytest.param("UPDATE memory_actors SET actor = 'x'", "1 name does not match the hash", id="name"),
        pytest.param("DELETE FROM memory_actors", "1 name is in the audits but missing", id="no-name"),
        pytest.param("UPDATE memory_audit SET sequence = 0 WHERE sequence = 1", "from entry 1 on", id="zero"),
        pytest.param("DELETE FROM admin_audit", "the settings were changed", id="no-seal"),
        pytest.param("INSERT INTO memory_settings VALUES ('x', 'y')", "the settings were changed", id="setting"),
        pytest.param("DELETE FROM memory_schema WHERE version = 3", "the list of migrations was changed", id="version"),
    ],
)
def test_tampering_is_found(filled, tampering, words):
    """By whoever reads the store, with words that hold no text."""
    assert filled.integrity_errors() == []
    with filled.transaction() as database:
        database.execute(tampering)
    found = filled.integrity_errors()
    assert any(words in fault for fault in found), found
    assert not any("text" in fault.replace("a changed text", "") for fault in found)


def test_a_long_audit_is_checked_to_its_end(filled, monkeypatch):
    """Batch by batch."""
    for module in ("sqlite", *(["postgres"] if "groundwire.memory.postgres" in sys.modules else [])):
        monkeypatch.setattr(f"groundwire.memory.{module}.STREAM_ROWS", 3)
    assert filled.integrity_errors() == []
    with filled.transaction() as database:
        database.execute("UPDATE memory_audit SET reason = 'x' WHERE sequence = 8")
    assert filled.integrity_errors() == ["the audit was changed from entry 8 on"]


def test_entries_have_no_gap(filled):
    """Numbers are those of the order in which transactions ended; the position is the last one."""
    assert [change.sequence for change in filled.changes(0)] == list(range(1, 10))
    assert filled.position() == 9


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda store: store.add(claim(), time=NOON.replace(tzinfo=None)), id="time-without-zone"),
        pytest.param(lambda store: store.add(claim(), time=NOON, actor=""), id="empty-actor"),
        pytest.param(lambda store: store.add(claim(), time=NOON, actor="a" * 257), id="long-actor"),
        pytest.param(lambda store: store.revoke_source("s", time=NOON, reason="words of Anna's"), id="reason"),
        pytest.param(lambda store: store.erase("m1", "anna", time=NOON, reason="her own words"), id="text-as-reason"),
        pytest.param(lambda store: store.get("m1", "an\0na"), id="nul"),
        pytest.param(lambda store: store.find("an\ud800na"), id="surrogate"),
        pytest.param(lambda store: store.find("anna", content="\ud800"), id="surrogate-in-a-text"),
        pytest.param(lambda store: store.revoke_source("", time=NOON), id="empty-source"),
    ],
)
def test_values_the_audit_must_not_contain_are_refused(store, call):
    """A reason is a label and no text; nothing is done."""
    with pytest.raises(ValueError, match=r".") as caught:
        call(store)
    assert "words of" not in str(caught.value)
    assert not isinstance(caught.value, UnicodeError)
    assert store.position() == 0


def test_a_change_hidden_behind_a_later_one_is_found(filled):
    """The entry of the later one has the hash of the row as it was found."""
    with filled.transaction() as database:
        database.execute("UPDATE memories SET confidence = 'low' WHERE id = 'm1'")
    filled.approve("m1", "anna", time=NOON)
    assert filled.integrity_errors() == ["1 memory was changed between two audit entries"]


def test_an_erased_name_is_missing_and_may_come_back(filled):
    """Neither is a fault; a name that somebody has put back is one."""
    filled.erase_user("bob", time=NOON)
    assert filled.integrity_errors() == []
    name = (filled.hash_of("person", "bob"), "bob")
    with filled.transaction() as database:
        database.execute("INSERT INTO memory_actors VALUES (?, ?)", name)
    assert filled.integrity_errors() == ["1 name was erased but is stored again"]
    with filled.transaction() as database:
        database.execute("DELETE FROM memory_actors WHERE actor = 'bob'")
    filled.approve("m1", "anna", time=NOON, actor="bob")
    assert filled.integrity_errors() == []


def test_an_anchor_shows_a_cut_and_a_rewritten_audit(filled):
    """Where the database by itself is whole."""
    before = filled.anchor()
    assert before.last["memory_audit"][0] == 9
    anchors = []

    def add_and_undo() -> None:
        with filled.transaction():
            filled.add(claim("late"), time=NOON)
            assert filled.integrity_errors(before) == []
            anchors.append(filled.anchor())
            raise InterruptedError

    with pytest.raises(InterruptedError):
        add_and_undo()
    after = anchors[0]
    assert filled.integrity_errors() == []
    cut = "memory_audit was cut off: it ends with entry 9, and the anchor has entry 10"
    assert filled.integrity_errors(after) == [cut]
    filled.add(claim("other"), time=NOON)
    other = "memory_audit was rewritten: entry 10 differs from the entry in the anchor"
    assert filled.integrity_errors(after) == [other]
    assert filled.integrity_errors(Anchor.read(before.as_json())) == []


@pytest.mark.parametrize("location", ["sqlite"], indirect=True)
def test_a_damaged_end_is_no_anchor(filled):
    """It could not be written to a file."""
    with filled.transaction() as database:
        database.execute("UPDATE memory_audit SET link = x'ff'")
    with pytest.raises(MemoryStoreError, match="the end of an audit"):
        filled.anchor()


def test_an_anchor_of_another_database_is_refused(filled):
    """It is no sign of a fault, and none of wholeness."""
    with MemoryStore(":memory:") as other, pytest.raises(ValueError, match="a database with another key"):
        filled.integrity_errors(other.anchor())


@pytest.mark.parametrize(
    "change",
    [
        lambda _: "",
        lambda _: "[]",
        lambda text: text[:-5],
        lambda text: text.replace("groundwire", "other"),
        lambda text: text.replace('"version": 1', '"version": 2'),
        lambda text: text.replace('"sequence": 9', '"sequence": -9'),
        lambda text: text.replace('"sequence": 9', '"sequence": "9"'),
        lambda text: text.replace('"sequence": 9', '"sequence": true'),
        lambda text: text.replace('"sequence": 9', '"sequence": 0'),
        lambda text: text.replace('"link": "', '"link": "x'),
        lambda text: text.replace("memory_audit", "other"),
    ],
)
def test_a_damaged_anchor_is_refused(filled, change):
    """Whatever is wrong with it."""
    with pytest.raises(ValueError, match=r"damaged, or is not an anchor|with other audits"):
        filled.integrity_errors(Anchor.read(change(filled.anchor().as_json())))


@pytest.mark.parametrize("length", [16, 32, 63, 64, 65, 200])
def test_hashes_are_hmac_sha_256(length):
    """For keys below, of and above the size of a block."""
    key = bytes(range(length))
    hasher = KeyedHasher(key)
    for text in ("", "a", "Zoë" * 100):
        expected = hmac.new(key, f"content\0{text}".encode(), "sha256").hexdigest()[:32]
        assert hasher.of("content", text) == hasher.of("content", text) == expected
