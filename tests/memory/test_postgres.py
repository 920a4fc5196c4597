"""PostgreSQL: combined statements, and one clear error for each failure of the server."""

import threading

import pytest

from groundwire.errors import MemoryStoreError
from groundwire.memory import MemoryStore, StoreFailure
from memory.claims import NOON, PRIVATE_TEXT, assert_fails, claim, ids
from waits import PATIENCE_S

postgres = pytest.importorskip(
    "groundwire.memory.postgres", reason="no psycopg: python3 dev.py databases", exc_type=ImportError
)

A, B, CHANGE_A = "INSERT INTO a (x) VALUES (%s)", "INSERT INTO b (x) VALUES (%s)", "UPDATE a SET x = %s"
READS = "DELETE FROM a WHERE x = %s AND NOT EXISTS (SELECT 1 FROM b)"
ADDS_WHAT_IT_READS = "INSERT INTO a SELECT x FROM b WHERE x = %s"


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ([], []),
        ([A], [A]),
        ([A, B], [f"WITH part_0 AS ({A}) {B}"]),
        ([A, A, B], [f"WITH part_0 AS ({A}), part_1 AS ({A}) {B}"]),
        ([CHANGE_A, A, B], [f"WITH part_0 AS ({CHANGE_A}), part_1 AS ({A}) {B}"]),
        ([A, CHANGE_A], [A, CHANGE_A]),
        ([CHANGE_A, B, CHANGE_A], [f"WITH part_0 AS ({CHANGE_A}) {B}", CHANGE_A]),
        ([A, READS, B], [A, READS, B]),
        ([A, ADDS_WHAT_IT_READS, B], [A, ADDS_WHAT_IT_READS, B]),
        (["BEGIN", A, "SAVEPOINT x", A, B], ["BEGIN", A, "SAVEPOINT x", f"WITH part_0 AS ({A}) {B}"]),
    ],
)
def test_statements_that_are_combined(statements, expected):
    """No part sees what another one does; the values stay in their order."""
    told = list(postgres.combine_statements((statement, [number]) for number, statement in enumerate(statements)))
    assert [statement for statement, _ in told] == expected
    assert [value for _, values in told for value in values] == list(range(len(statements)))


def test_one_statement_has_an_end():
    """However much is written."""
    told = list(postgres.combine_statements((A, [number]) for number in range(40)))
    assert [len(values) for _, values in told] == [16, 16, 8]


@pytest.fixture
def other(postgres_location):
    """Another session of the same server."""
    import psycopg

    with psycopg.connect(postgres_location, autocommit=True) as connection:
        yield connection


@pytest.fixture
def store(postgres_location):
    """A store with one memory, which does not wait for long."""
    with MemoryStore(postgres_location, timeout_s=0.1) as opened:
        opened.add(claim(), time=NOON)
        yield opened


def test_a_lock_is_waited_for_and_then_reported(store, other):
    """A writer at work holds up writers only."""
    with MemoryStore(store_url(other), timeout_s=0.1) as second, second.transaction():
        second.add(claim("m2"), time=NOON)
        with assert_fails(StoreFailure.LOCKED, "was locked by another process"):
            store.add(claim("m3", content=PRIVATE_TEXT), time=NOON)
        assert ids(store.find("anna")) == ["m1"]
    assert ids(store.find("anna")) == ["m1", "m2"]


def test_a_locked_table_is_reported(store, other):
    """Locks of other programs too."""
    with other.transaction():
        other.execute("LOCK TABLE groundwire.memories")
        with assert_fails(StoreFailure.LOCKED, "SQLSTATE 55P03"):
            store.find("anna")
    assert ids(store.find("anna")) == ["m1"]


@pytest.mark.parametrize(
    ("state", "failure"),
    [
        ("53100", StoreFailure.FULL),
        ("54000", StoreFailure.FULL),
        ("XX001", StoreFailure.CORRUPT),
        ("42501", StoreFailure.READ_ONLY),
        ("40P01", StoreFailure.LOCKED),
        ("57014", StoreFailure.LOCKED),
        ("58030", StoreFailure.UNAVAILABLE),
        ("22P02", StoreFailure.BROKEN),
    ],
)
def test_server_errors_are_reported_without_their_text(store, other, state, failure):
    """A trigger raises what a full disk or a damaged page would, with the row in its message; nothing is stored."""
    other.execute(
        f"""
        CREATE FUNCTION groundwire.fail() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'row %', NEW USING ERRCODE = '{state}'; END $$
        """
    )
    # The last thing that is written when this memory is stored.
    other.execute(
        "CREATE TRIGGER fail BEFORE INSERT ON groundwire.memory_sources FOR EACH ROW EXECUTE FUNCTION groundwire.fail()"
    )
    with assert_fails(failure, f"SQLSTATE {state}"):
        store.add(claim("m2", content=PRIVATE_TEXT), time=NOON)
    assert ids(store.find("anna", status=None)) == ["m1"]
    assert "the schema has 2 definitions that the migrations do not make" in store.integrity_errors()
    other.execute("DROP FUNCTION groundwire.fail CASCADE")
    assert store.integrity_errors() == []
    assert other.execute("SELECT count(*) FROM groundwire.memory_sources").fetchone() == (1,)


def test_a_purge_does_not_wait_for_ever(store, other):
    """A reader at work keeps the tables; the connection goes on as before."""
    with other.transaction():
        other.execute("SELECT count(*) FROM groundwire.memories")
        with assert_fails(StoreFailure.LOCKED, "SQLSTATE 55P03"):
            store.purge()
    assert ids(store.find("anna")) == ["m1"]


def test_a_read_only_session_reads(store, other):
    """As on a standby server."""
    option = "&options=-c%20default_transaction_read_only%3Don"
    with MemoryStore(store_url(other) + option) as reader:
        assert ids(reader.find("anna")) == ["m1"]
        with assert_fails(StoreFailure.READ_ONLY, "is read-only"):
            reader.add(claim("m2", content=PRIVATE_TEXT), time=NOON)
    assert ids(store.find("anna")) == ["m1"]


def test_a_new_database_that_may_not_be_written_to(postgres_location):
    """Nothing of ours is there, and nothing can be made."""
    with assert_fails(StoreFailure.READ_ONLY):
        MemoryStore(postgres_location + "&options=-c%20default_transaction_read_only%3Don")


def test_a_lost_connection_is_made_again(store, other):
    """The call that meets it fails; the next one connects."""
    other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
    with assert_fails(StoreFailure.UNAVAILABLE, "cannot be opened, or the connection to it was lost"):
        store.find("anna")
    assert ids(store.find("anna")) == ["m1"]


def test_a_connection_lost_in_a_transaction_undoes_it(store, other):
    """All of it."""
    with assert_fails(StoreFailure.UNAVAILABLE), store.transaction():
        store.add(claim("m2"), time=NOON)
        other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        store.add(claim("m3", content=PRIVATE_TEXT), time=NOON)
    assert ids(store.find("anna")) == ["m1"]


def test_a_missing_server_is_reported_without_user_and_password(tmp_path):
    """Errors end in logs."""
    pytest.importorskip("psycopg")
    with pytest.raises(MemoryStoreError) as caught:
        MemoryStore(f"postgresql://anna:hunter2@/notes?host={tmp_path}")
    assert caught.value.failure is StoreFailure.UNAVAILABLE
    assert str(caught.value) == f"the database notes at {tmp_path} cannot be opened, or the connection to it was lost"


def test_a_failure_that_was_caught_still_fails_the_transaction(store):
    """The server would answer the commit with a rollback, and no error."""
    with assert_fails(StoreFailure.BROKEN, "the transaction has already failed"), store.transaction() as database:
        store.add(claim("m2"), time=NOON)
        with pytest.raises(MemoryStoreError):
            database.execute("SELECT 1 / ?", (0,))
    assert ids(store.find("anna")) == ["m1"]


def test_numbers_are_in_the_order_of_commits(postgres_location):
    """Whoever follows the changes misses none: a later writer waits for the earlier one."""
    with MemoryStore(postgres_location) as first, MemoryStore(postgres_location, timeout_s=PATIENCE_S) as second:
        with first.transaction():
            first.add(claim("m1"), time=NOON)
            waiting = threading.Thread(target=second.add, args=(claim("m2"),), kwargs={"time": NOON})
            waiting.start()
            waiting.join(0.2)
            assert waiting.is_alive()
        waiting.join()
        assert [(change.sequence, change.memory_id) for change in first.changes(0)] == [(1, "m1"), (2, "m2")]


def store_url(connection) -> str:
    """The URL of the server that a session belongs to."""
    return f"postgresql://postgres@/postgres?host={connection.info.host}"
