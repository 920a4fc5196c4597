"""What the store keeps, finds and changes, on both databases."""

import asyncio
from datetime import timedelta, timezone

import pytest

from groundwire.errors import MemoryExistsError, MemoryNotFoundError, MemoryStoreError
from groundwire.memory import AuditAction, MemoryRecord, MemoryStatus, MemoryStore, StoreFailure
from memory.claims import HOUR, NOON, assert_fails, claim, ids

REVIEW = MemoryStatus.REVIEW


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({}, id="plain"),
        pytest.param({"content": "\x01\u202eGrüße, 世界 🙂\r\n' -- % ? %s \\x00"}, id="odd-characters"),
        pytest.param({"content": "w" * 1_000_000}, id="a-megabyte"),
        pytest.param({"user_id": "ä" * 256}, id="long-user"),
        pytest.param({"source_ids": ("ADR-003", "ADR-003", "https://x.example/" + "é" * 5000)}, id="sources"),
        pytest.param({"source_ids": ()}, id="no-source"),
        pytest.param({"metadata": {"a": [1, 1.5, None, True, "\0\ud800"], "": {"b": -0.5}}}, id="metadata"),
        pytest.param({"validity_horizon": NOON + timedelta(microseconds=1)}, id="horizon"),
        pytest.param({"capture_time": NOON.astimezone(timezone(timedelta(hours=-9.5)))}, id="zone"),
        pytest.param({"status": REVIEW, "confidence": "low"}, id="in-review"),
    ],
)
def test_a_memory_comes_back_as_it_was(store, fields):
    """Every field, to the last character and microsecond."""
    memory = claim(**fields)
    store.add(memory, time=NOON)
    assert store.get("m1", memory.user_id) == memory


def test_memories_outlive_the_store(location):
    """A second opening finds it, with the same key."""
    with MemoryStore(location) as store:
        store.add(claim(), time=NOON)
        content_hash = store.hash_of("content", claim().content)
    with MemoryStore(location) as store:
        assert ids(store.find("anna")) == ["m1"]
        assert store.hash_of("content", claim().content) == content_hash


def test_a_page_starts_after_a_memory_of_the_user(store):
    """The id of a memory of somebody else leads nowhere, as an unknown id does; that of an erased memory leads on."""
    for memory_id, user in (("m1", "anna"), ("m2", "bob"), ("m3", "anna"), ("m4", "bob"), ("m5", "anna")):
        store.add(claim(memory_id, user_id=user), time=NOON)
    store.erase("m3", "anna", time=NOON)
    store.erase("m4", "bob", time=NOON)
    pages = {after: ids(store.find("anna", after=after)) for after in ("m1", "m2", "m3", "m4", "unknown")}
    assert pages == {"m1": ["m5"], "m2": [], "m3": ["m5"], "m4": [], "unknown": []}
    assert ids(store.find(None, after="m4")) == ["m5"]


@pytest.mark.parametrize("user", ["bob", "anna "])
def test_others_get_the_error_of_an_unknown_id(store, user):
    """Nobody learns from the error whether somebody else has such a memory."""
    store.add(claim(), time=NOON)
    calls = [
        lambda memory_id: store.get(memory_id, user),
        lambda memory_id: store.approve(memory_id, user, time=NOON),
        lambda memory_id: store.send_to_review(memory_id, user, time=NOON, reason="doubt"),
        lambda memory_id: store.erase(memory_id, user, time=NOON),
    ]
    for call in calls:
        with pytest.raises(MemoryNotFoundError) as foreign:
            call("m1")
        with pytest.raises(MemoryNotFoundError) as unknown:
            call("m2")
        assert str(foreign.value) == str(unknown.value)
    assert [entry.action for entry in store.audit("m1")] == [AuditAction.STORED]


def test_an_id_is_used_once(store):
    """Neither beside the memory that has it nor after that was erased: the audit goes by ids."""
    store.add(claim(), time=NOON)
    with pytest.raises(MemoryExistsError):
        store.add(claim(user_id="bob"), time=NOON)
    store.erase("m1", "anna", time=NOON)
    with pytest.raises(MemoryExistsError):
        store.add(claim(), time=NOON)
    assert store.find(None) == []


@pytest.mark.parametrize("parent", ["m2", "of-bob", "in-review", "erased"])
def test_a_parent_is_an_active_memory_of_the_same_user(store, parent):
    """Otherwise nothing is stored."""
    store.add(claim("of-bob", user_id="bob"), time=NOON)
    store.add(claim("in-review", status=REVIEW), time=NOON)
    store.add(claim("erased"), time=NOON)
    store.erase("erased", "anna", time=NOON)
    with pytest.raises(MemoryNotFoundError):
        store.add(claim("m3", parents=(parent,)), time=NOON)
    assert store.audit("m3") == []


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        pytest.param({}, ["a", "b", "c", "e"], id="active"),
        pytest.param({"status": None}, ["a", "b", "c", "d", "e"], id="any-status"),
        pytest.param({"status": REVIEW}, ["d"], id="in-review"),
        pytest.param({"confidence": "medium"}, ["b"], id="by-confidence"),
        pytest.param({"source": "user"}, ["c"], id="by-source"),
        pytest.param({"source_id": "ADR-007"}, ["b", "c"], id="by-source-id"),
        pytest.param({"source_id": "ADR-00_"}, [], id="no-pattern"),
        pytest.param({"memory_type": "decision"}, ["a"], id="by-type"),
        pytest.param({"content": "The service of b keeps its sessions in Redis"}, ["b"], id="by-text"),
        pytest.param({"valid_at": NOON}, ["a", "b", "c", "e"], id="unexpired"),
        pytest.param({"valid_at": NOON + HOUR - timedelta(microseconds=1)}, ["a", "b", "c", "e"], id="just-before"),
        pytest.param({"valid_at": NOON + HOUR}, ["a", "c", "e"], id="at-the-horizon"),
        pytest.param({"valid_at": NOON + 2 * HOUR}, ["a", "e"], id="later"),
        pytest.param({"after": "b"}, ["c", "e"], id="after"),
        pytest.param({"after": "b", "limit": 1}, ["c"], id="page"),
        pytest.param({"after": "nobody"}, [], id="after-an-unknown-id"),
        pytest.param({"source_id": "ADR-007", "confidence": "high", "source": "user"}, ["c"], id="all-at-once"),
    ],
)
def test_memories_are_found_by_each_field(store, filters, expected):
    """In the order of storing; a horizon is the first moment that is out of date."""
    store.add(claim("a", memory_type="decision"), time=NOON)
    store.add(
        claim("b", confidence="medium", source_ids=("ADR-003", "ADR-007"), validity_horizon=NOON + HOUR), time=NOON
    )
    store.add(claim("c", source="user", source_ids=("ADR-007",), validity_horizon=NOON + 2 * HOUR), time=NOON)
    store.add(claim("d", status=REVIEW), time=NOON)
    store.add(claim("e"), time=NOON)
    store.add(claim("f", user_id="bob", source_ids=("ADR-007",)), time=NOON)
    assert ids(store.find("anna", **filters)) == expected


def test_all_users_have_to_be_asked_for(store):
    """None is no user."""
    store.add(claim("a"), time=NOON)
    store.add(claim("b", user_id="bob"), time=NOON)
    assert ids(store.find(None)) == ["a", "b"]
    assert ids(store.find("bob")) == ["b"]


def test_pages_go_on_behind_an_erased_memory(store):
    """The last id of a page may be gone when the next one is asked for."""
    for memory_id in "abc":
        store.add(claim(memory_id), time=NOON)
    store.erase("b", "anna", time=NOON)
    assert ids(store.find("anna", after="b")) == ["c"]


def test_review_and_back(store):
    """Each change happens once, and is in the audit with who, when and why."""
    store.add(claim(), time=NOON)
    assert store.send_to_review("m1", "anna", time=NOON + HOUR, reason="doubt", actor="bob")
    assert not store.send_to_review("m1", "anna", time=NOON + HOUR, reason="doubt")
    assert store.find("anna") == []
    assert store.approve("m1", "anna", time=NOON + 2 * HOUR, actor="anna")
    assert not store.approve("m1", "anna", time=NOON + 2 * HOUR)
    assert ids(store.find("anna")) == ["m1"]
    assert [(entry.action, entry.time, entry.actor, entry.reason) for entry in store.audit("m1")] == [
        (AuditAction.STORED, NOON, None, None),
        (AuditAction.SENT_TO_REVIEW, NOON + HOUR, "bob", "doubt"),
        (AuditAction.APPROVED, NOON + 2 * HOUR, "anna", None),
    ]


def test_a_revoked_source_takes_all_that_rests_on_it(store):
    """Of every user, by lineage too, through erased and reviewed ones; others stay."""
    store.add(claim("root"), time=NOON)
    store.add(claim("bobs", user_id="bob", source_ids=("ADR-007", "ADR-003")), time=NOON)
    store.add(claim("child", source_ids=(), parents=("root",)), time=NOON)
    store.add(claim("other", source_ids=("ADR-0031",)), time=NOON)
    store.add(claim("grandchild", source_ids=(), parents=("child", "other", "child")), time=NOON)
    store.add(claim("free", source_ids=()), time=NOON)
    store.erase("child", "anna", time=NOON)
    store.send_to_review("root", "anna", time=NOON, reason="doubt")
    assert store.revoke_source("ADR-003", time=NOON + HOUR, actor="checker") == ["bobs", "grandchild"]
    assert ids(store.find(None)) == ["other", "free"]
    last = store.audit("grandchild")[-1]
    assert (last.action, last.reason) == (AuditAction.SENT_TO_REVIEW, "source_refuted")
    assert last.source_hash == store.hash_of("source", "ADR-003")
    assert len(store.audit("root")) == 2
    assert store.revoke_source("ADR-003", time=NOON + HOUR) == []


def test_candidates_are_all_memories_of_the_user(store):
    """Those in review too, of all types unless one is named (ruling C16)."""
    store.add(claim("a", content="one"), time=NOON)
    store.add(claim("b", content="two", memory_type="decision", status=REVIEW), time=NOON)
    store.add(claim("c", user_id="bob"), time=NOON)
    one = MemoryRecord(id="a", content="one", memory_type="fact")
    two = MemoryRecord(id="b", content="two", memory_type="decision")
    assert asyncio.run(store.candidates("any", "anna")) == [one, two]
    assert asyncio.run(store.candidates("any", "anna", "decision")) == [two]
    assert asyncio.run(store.candidates("any", "nobody")) == []


def test_an_index_can_follow_the_store(store):
    """What was there, read once, and the changes since then are what is there."""
    for number in range(5):
        store.add(claim(f"m{number}"), time=NOON)
    position = store.position()
    index = {number: (user_id, record) for number, user_id, record in store.records()}
    assert list(index) == [1, 2, 3, 4, 5]
    store.add(claim("m5", user_id="bob"), time=NOON)
    store.erase("m2", "anna", time=NOON)
    store.add(claim("m6"), time=NOON)
    store.erase("m6", "anna", time=NOON)
    changes = store.changes(position)
    assert [change.sequence for change in changes] == [6, 7, 8, 9]
    assert store.changes(position, limit=2) == changes[:2]
    assert store.changes(store.position()) == []
    for change in changes:
        if change.record is None:
            index.pop(change.number, None)
        else:
            index[change.number] = (change.user_id, change.record)
    assert [(number, *found) for number, found in index.items()] == list(store.records())


def test_memories_are_read_by_number(store):
    """In the order that is asked for, the user's own alone, without what was erased."""
    for number in range(4):
        store.add(claim(f"m{number}", user_id="bob" if number == 2 else "anna"), time=NOON)
    store.erase("m1", "anna", time=NOON)
    assert [record.id for record in store.numbered([4, 2, 3, 1, 99], "anna")] == ["m3", "m0"]
    assert store.numbered([], "anna") == []


def test_a_position_that_the_store_never_had_is_an_error(store):
    """An index that follows another store, or one that was put back, would miss what it does not have."""
    store.add(claim("m1"), time=NOON)
    with pytest.raises(MemoryStoreError, match="the audit ends with entry 1, and entry 2 was there") as caught:
        store.changes(2)
    assert caught.value.failure == StoreFailure.CORRUPT


def test_many_records_are_read_in_batches(store, monkeypatch):
    """Each once, whatever the batch."""
    monkeypatch.setattr("groundwire.memory.store.RECORDS_PER_BATCH", 3)
    for number in range(7):
        store.add(claim(f"m{number}"), time=NOON)
    assert [record.id for _, _, record in store.records()] == [f"m{number}" for number in range(7)]


def test_numbers_beyond_64_bits_are_failures(store):
    """The caller can catch them as every other failure of a database."""
    store.add(claim(), time=NOON)
    for call in (lambda: store.find("anna", limit=2**63), lambda: store.changes(0, limit=2**63)):
        with assert_fails(StoreFailure.BROKEN):
            call()


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_is_at_least_one(store, limit):
    """SQLite takes -1 for no limit and PostgreSQL for an error."""
    with pytest.raises(ValueError, match="limit must be at least 1"):
        store.find("anna", limit=limit)
    with pytest.raises(ValueError, match="limit must be at least 1"):
        store.changes(0, limit=limit)
