"""The audit is bound entry by entry, and what does not fit to it is told."""

import pytest

from groundwire.memory import MemoryStore
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
        pytest.param(
            "DELETE FROM memory_audit WHERE memory_id = 'm3'", "1 memories are in the store and not", id="cut"
        ),
        pytest.param("DELETE FROM memory_audit WHERE sequence = 9", "1 memories are in the audit and not", id="end"),
        pytest.param("DELETE FROM memories WHERE id = 'm1'", "1 memories are in the audit and not", id="deleted"),
        pytest.param("UPDATE memories SET content = 'x' WHERE id = 'm1'", "1 memories have another text", id="altered"),
        pytest.param("UPDATE memories SET content_hash = '0'", "3 memories are in the store and not as", id="hash"),
        pytest.param("UPDATE memories SET id = 'm2' WHERE id = 'm1'", "1 memories are erased in the audit", id="back"),
    ],
)
def test_tampering_is_found(filled, tampering, words):
    """By whoever reads the store, with words that hold no text."""
    assert filled.faults() == []
    with filled.transaction() as database:
        database.execute(tampering)
    found = filled.faults()
    assert any(words in fault for fault in found), found
    assert not any("text" in fault.replace("another text", "") for fault in found)


def test_a_long_audit_is_checked_to_its_end(filled, monkeypatch):
    """Batch by batch."""
    monkeypatch.setattr("groundwire.memory.chain._BATCH", 3)
    monkeypatch.setattr("groundwire.memory.soundness._BATCH", 2)
    assert filled.faults() == []
    with filled.transaction() as database:
        database.execute("UPDATE memory_audit SET reason = 'x' WHERE sequence = 8")
    assert filled.faults() == ["the audit is not as it was written from entry 8 on"]


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
def test_what_the_audit_must_not_hold_is_refused(store, call):
    """A reason is a label and no text; nothing is done."""
    with pytest.raises(ValueError, match=r".") as caught:
        call(store)
    assert "words of" not in str(caught.value)
    assert not isinstance(caught.value, UnicodeError)
    assert store.position() == 0
