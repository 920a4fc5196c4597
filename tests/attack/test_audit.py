"""Verification of the audit notices every change that was made in a database without the store."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import pytest

from groundwire.errors import GroundwireError, MemoryStoreError
from groundwire.memory import Anchor, MemoryStore, StoreFailure
from groundwire.memory.audit_log import CHAINS as ALL_CHAINS
from groundwire.review import ReviewQueue
from groundwire.review.repository import QueueTransaction
from groundwire.review.web import PrincipalRole, TokenStore
from memory.claims import NOON, claim
from review.waiting import Clock, Ids, enqueue, validation

CHAINS = ("memory_audit", "review_audit", "admin_audit")


class Undone(Exception):  # noqa: N818 # it ends a transaction without a failure
    """Raised at the end of a tampering, so that the next one finds the database as it was."""


def fill(location: str, *, further: int = 0) -> None:
    """Fill every table with rows: memories in all states, derived, revoked and erased, and claims, tokens and names."""

    async def decide(store: MemoryStore, queue: ReviewQueue) -> None:
        failed = ["hedge_words_detected: may", "citation_present"]
        ids = [
            await enqueue(
                queue,
                f"confidential {number}",
                ("anna", "bob", "carl")[number % 3],
                memory_type=("fact", "decision")[number % 2],
                validation_result=validation(checks_failed=failed[number % 3 :]),
                idempotency_key=f"key {number}",
            )
            for number in range(9)
        ]
        await queue.assign(ids[0], "rita", "ruth")
        await queue.assign(ids[6], "rita", "anna")
        await queue.approve(ids[1], "rita", content="also confidential")
        await queue.approve(ids[3], "rita")
        await queue.reject(ids[2], "ruth", "not so")
        await queue.skip(ids[6], "rita")
        store.revoke_source("ADR-003", time=NOON, actor="checker")
        await queue.counts("rita")
        for number in range(further):
            await enqueue(queue, f"confidential too {number}", f"user {number}")
            store.add(claim(f"more{number}", user_id=f"user {number}"), time=NOON, actor=f"actor {number}")

    with MemoryStore(location) as store:
        for number in range(6):
            parents = (f"m{number - 1}",) if number in (1, 2) else ()
            more = {"source_ids": ("ADR-004", "commit:a1b2c3d4e5"), "confidence": "low", "memory_type": "decision"}
            fields = more if number > 2 else {"metadata": {"model": "small"}, "validity_horizon": NOON}
            user = "bob" if number == 5 else "anna"
            store.add(claim(f"m{number}", parents=parents, user_id=user, **fields), time=NOON, actor=f"actor {number}")
        clock, ids = Clock(), Ids()
        with ReviewQueue(None, store, clock=clock, new_id=ids, reviewers=("rita", "ruth"), ttl_s=9_000) as queue:
            asyncio.run(decide(store, queue))
        tokens = TokenStore(store, clock=clock)
        made = [
            tokens.issue(person, role, valid_for_s=valid)[0]
            for person, role, valid in (
                ("rita", PrincipalRole.REVIEWER, None),
                ("anna", PrincipalRole.USER, 60),
                ("bob", PrincipalRole.USER, None),
                ("carl", PrincipalRole.USER, None),
            )
        ]
        tokens.revoke(made[3])
        store.erase("m0", "anna", time=NOON, actor="officer")
        store.erase_user("bob", time=NOON, actor="officer")
        store.erase_user("actor 3", time=NOON)
        # The queue has not processed these claims yet.
        store.revoke_source("commit:a1b2c3d4e5", time=NOON, actor="checker")
        store.send_to_review("m2", "anna", time=NOON, reason="requested") or store.approve("m2", "anna", time=NOON)


def found_by(store: MemoryStore, anchor: Anchor | None = None) -> list[str]:
    """Return the findings of verification and any errors of the database; none of them contains a value of `fill`."""
    # This is what the queue does, but in this thread, which may have an open transaction.
    try:
        with store.snapshot() as database:
            found = list(QueueTransaction(store, database, prefetch=False).integrity_errors(anchor))
    except GroundwireError as error:
        found = [str(error)]
    assert not [
        word for word in ("keeps its sessions", "confidential", "rita", "anna", "evil") if word in " ".join(found)
    ]
    return found


class Place:
    """A filled database of either kind, for one change after the other."""

    def __init__(self, location: str, *, is_sqlite: bool) -> None:
        self.location, self.is_sqlite = location, is_sqlite
        fill(location)
        self.store = MemoryStore(location)
        assert found_by(self.store) == []

    def tables(self) -> dict[str, dict[str, str]]:
        """Return the columns of each table with their types, without indexes, as the database lists them."""
        with self.store.snapshot() as database:
            if self.is_sqlite:
                names = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
                return {
                    name: {row[1]: row[2] for row in database.execute(f"PRAGMA table_info({name})")} for name in names
                }
            listed = database.execute(
                "SELECT table_name, column_name, data_type FROM information_schema.columns "
                "WHERE table_schema = 'groundwire' ORDER BY table_name, ordinal_position"
            )
            return {name: {row[1]: row[2] for row in listed if row[0] == name} for name in {row[0] for row in listed}}

    def indexes(self) -> list[str]:
        """Return the indexes that a statement can drop."""
        statement = "SELECT indexname FROM pg_indexes WHERE schemaname = 'groundwire' AND indexname LIKE '%\\_by\\_%'"
        if self.is_sqlite:
            statement = "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
        with self.store.snapshot() as database:
            return [row[0] for row in database.execute(statement)]

    def other_null(self, table: str, column: str) -> str:
        """Return the statement that changes whether a column of PostgreSQL may be NULL."""
        statement = "SELECT is_nullable FROM information_schema.columns WHERE table_schema = 'groundwire' AND "
        with self.store.snapshot() as database:
            [(answer,)] = database.execute(f"{statement} table_name = ? AND column_name = ?", (table, column))
        return "SET" if answer == "YES" else "DROP"

    def rows(self, table: str, columns: list[str]) -> list[tuple]:
        """All rows."""
        with self.store.snapshot() as database:
            return database.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY {columns[0]}")

    @contextmanager
    def tampered(self, statements: list[tuple[str, tuple]]) -> Iterator[bool]:
        """Run *statements*, and roll them back; yield whether the database accepts them."""
        try:
            with self.store.transaction() as database:
                try:
                    with self.store.transaction():
                        for statement, values in statements:
                            database.execute(statement, values)
                except GroundwireError:
                    yield False
                else:
                    yield True
                raise Undone
        except Undone:
            pass


@pytest.fixture(scope="module")
def sqlite_place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Return a filled file of SQLite."""
    place = Place(str(tmp_path_factory.mktemp("attack") / "memories.db"), is_sqlite=True)
    yield place
    place.store.close()


@pytest.fixture
def postgres_place(postgres_location: str) -> Iterator[Place]:
    """Return a filled schema of a PostgreSQL server."""
    place = Place(postgres_location, is_sqlite=False)
    yield place
    place.store.close()


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest) -> Place:
    """Return a filled database of either kind."""
    return request.getfixturevalue(f"{request.param}_place")


def changes_of_rows(place: Place) -> Iterator[tuple[str, list[tuple[str, tuple]]]]:
    """Yield a name and the statements of each way to change rows, derived from the catalogue alone."""
    for table, typed in sorted(place.tables().items()):
        columns = list(typed)
        rows = place.rows(table, columns)
        assert rows or table == "memory_schema", f"{table} has no rows to change"
        key = columns[0]
        pick = sorted({0, len(rows) // 2, len(rows) - 1}) if rows else []
        for number, (column, kind) in enumerate(typed.items()):
            is_text = kind.upper() == "TEXT"
            other = f"{column} || 'x'" if is_text else f"{column} + 1"
            empty: object = "" if is_text else 0
            yield f"{table}.{column}: all other", [(f"UPDATE {table} SET {column} = {other}", ())]
            yield f"{table}.{column}: all NULL", [(f"UPDATE {table} SET {column} = NULL", ())]
            yield f"{table}.{column}: all empty", [(f"UPDATE {table} SET {column} = ?", (empty,))]
            for at in pick:
                where, value = f"WHERE {key} = ?", rows[at][0]
                alone = (*(f"AND {name} = ?" for name in columns[1:2] if len(columns) == 2),)
                where, values = " ".join([where, *alone]), (value, *rows[at][1 : 1 + len(alone)])
                evil: object = "evil" if is_text else 7_777
                for name, new in (("other", evil), ("NULL", None), ("empty", empty)):
                    said = f"{table}.{column}: {name} in row {at}"
                    yield said, [(f"UPDATE {table} SET {column} = ? {where}", (new, *values))]
                borrowed = next((row[number] for row in rows if row[number] != rows[at][number]), None)
                if borrowed is not None:
                    said = f"{table}.{column}: another row's in row {at}"
                    yield said, [(f"UPDATE {table} SET {column} = ? {where}", (borrowed, *values))]
            one, two = rows[0], next((row for row in rows if row[number] != rows[0][number]), rows[0])
            if one != two and number:
                update = f"UPDATE {table} SET {column} = ? WHERE {key} = ?"
                swapped = [(update, (two[number], one[0])), (update, (one[number], two[0]))]
                yield f"{table}.{column}: swapped between two rows", swapped
        yield f"{table}: emptied", [(f"DELETE FROM {table}", ())]
        marks = ", ".join("?" * len(columns))
        insert = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"
        for at in pick:
            where = " AND ".join(
                f"{name} = ?" for name, value in zip(columns, rows[at], strict=True) if value is not None
            )
            values = tuple(value for value in rows[at] if value is not None)
            yield f"{table}: row {at} deleted", [(f"DELETE FROM {table} WHERE {where}", values)]
            for changed in range(len(columns)):
                new = f"{rows[at][changed]}x" if typed[columns[changed]].upper() == "TEXT" else 9_999
                copied = (*rows[at][:changed], new, *rows[at][changed + 1 :])
                yield f"{table}: row {at} again with another {columns[changed]}", [(insert, copied)]
            for first in (0, -1, -5, len(rows) + 1, len(rows) + 2, 10**9):
                if table in CHAINS:
                    yield f"{table}: row {at} again as {first}", [(insert, (first, *rows[at][1:]))]
            yield f"{table}: row {at} again, keys and all", [(insert, rows[at])]


def changes_of_schema(place: Place) -> Iterator[tuple[str, list[tuple[str, tuple]]]]:
    """Yield a name and the statements of each way to change tables and their indexes and triggers."""
    for name in place.indexes():
        yield f"index {name} dropped", [(f"DROP INDEX {name}", ())]
    for table, typed in sorted(place.tables().items()):
        cascade = "" if place.is_sqlite else " CASCADE"
        for action in ("INSERT", "UPDATE", "DELETE"):
            body = "BEGIN SELECT 1; END"
            made = [(f"CREATE TRIGGER evil BEFORE {action} ON {table} {body}", ())]
            if not place.is_sqlite:
                function = "CREATE FUNCTION evil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$"
                trigger = f"CREATE TRIGGER evil BEFORE {action} ON {table} FOR EACH ROW EXECUTE FUNCTION evil()"
                made = [(function, ()), (trigger, ())]
            yield f"{table}: trigger on {action}", made
        yield f"{table}: dropped", [(f"DROP TABLE {table}{cascade}", ())]
        yield f"{table}: renamed", [(f"ALTER TABLE {table} RENAME TO evil", ())]
        view = [(f"ALTER TABLE {table} RENAME TO evil", ()), (f"CREATE VIEW {table} AS SELECT * FROM evil", ())]
        yield f"{table}: a view in its place", view
        copied = [(f"CREATE TABLE copied AS SELECT * FROM {table}", ()), (f"DROP TABLE {table}{cascade}", ())]
        yield f"{table}: a copy in its place", [*copied, (f"ALTER TABLE copied RENAME TO {table}", ())]
        yield f"{table}: column added", [(f"ALTER TABLE {table} ADD COLUMN evil TEXT", ())]
        for column in typed:
            yield f"{table}.{column}: index added", [(f"CREATE INDEX evil ON {table} ({column})", ())]
            yield f"{table}.{column}: dropped", [(f"ALTER TABLE {table} DROP COLUMN {column}{cascade}", ())]
            yield f"{table}.{column}: renamed", [(f"ALTER TABLE {table} RENAME COLUMN {column} TO evil", ())]
            if not place.is_sqlite:
                null = f"ALTER TABLE {table} ALTER {column} {place.other_null(table, column)} NOT NULL"
                yield f"{table}.{column}: {null[-13:]}", [(null, ())]
                yield f"{table}.{column}: has a default", [(f"ALTER TABLE {table} ALTER {column} SET DEFAULT 7", ())]
                typed_otherwise = f"ALTER TABLE {table} ALTER {column} TYPE varchar(9999) USING {column}::varchar(9999)"
                yield f"{table}.{column}: of another type", [(typed_otherwise, ())]
    yield "a view", [("CREATE VIEW evil AS SELECT content FROM memories", ())]
    yield "a table", [("CREATE TABLE evil (content TEXT)", ())]
    if not place.is_sqlite:
        yield from changes_of_postgres()


def changes_of_postgres() -> Iterator[tuple[str, list[tuple[str, tuple]]]]:
    """Yield the further changes that PostgreSQL allows."""
    statements = {
        "a function": "CREATE FUNCTION evil() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "a type": "CREATE TYPE evil AS ENUM ('a')",
        "a domain": "CREATE DOMAIN evil AS text",
        "a sequence": "CREATE SEQUENCE evil",
        "a rule": "CREATE RULE evil AS ON DELETE TO memories DO INSTEAD NOTHING",
        "a policy": "CREATE POLICY evil ON memories USING (false)",
        "row security": "ALTER TABLE memories ENABLE ROW LEVEL SECURITY",
        "a materialized view": "CREATE MATERIALIZED VIEW evil AS SELECT 1 AS one",
        "a table that inherits": "CREATE TABLE evil () INHERITS (memories)",
        "an unlogged table": "ALTER TABLE memories SET UNLOGGED",
        "no check": "ALTER TABLE memories DROP CONSTRAINT memories_status_check",
        "another check": "ALTER TABLE memories ADD CHECK (number > 0)",
        "no primary key": "ALTER TABLE memory_audit DROP CONSTRAINT memory_audit_pkey",
        "statistics": "CREATE STATISTICS evil ON user_id, status FROM memories",
    }
    yield from ((name, [(statement, ())]) for name, statement in statements.items())


@pytest.mark.parametrize("changes", [changes_of_rows, changes_of_schema])
def test_no_tampering_passes_unnoticed(attack, place, changes: Callable):
    """
    Each change is derived from the catalogue, so a new column is attacked as well. Changes that the database
    rejects do not count.
    """
    tables = {table: list(columns) for table, columns in place.tables().items()}
    before = (
        {table: place.rows(table, columns) for table, columns in tables.items()} if changes is changes_of_rows else {}
    )
    for name, statements in list(changes(place)):
        table = name.partition(":")[0].partition(".")[0]
        with place.tampered(statements) as is_taken:
            if not is_taken or (table in before and place.rows(table, tables[table]) == before[table]):
                continue
            with attack.attempt(name):
                assert found_by(place.store), "unnoticed"
    assert len(attack.tried) >= 150


def rewrite(database, hasher, table: str, change: str) -> None:
    """Change rows of an audit, and recompute all its links, as the holder of the key can."""
    database.execute(change)
    chain = next(one for one in ALL_CHAINS if one.table == table)
    link = ""
    for row in database.execute(f"SELECT {chain.columns}, link FROM {table} ORDER BY sequence"):
        link = hasher.link(link, chain.covered(row[:-1]))
        database.execute(f"UPDATE {table} SET link = ? WHERE sequence = ?", (link, row[0]))


def test_an_anchor_shows_what_the_key_can_hide(attack, place):
    """A rewritten or restored audit verifies; comparison with the anchor finds the change."""
    anchor = Anchor.read(place.store.anchor().as_json())
    assert found_by(place.store, anchor) == []
    for table in CHAINS:
        for sequence in (1, 2, 3):
            change = f"UPDATE {table} SET time = time + 1 WHERE sequence = {sequence}"
            with place.tampered([]) as _, attack.attempt(f"{table}: entry {sequence} changed, and all links"):
                with place.store.transaction() as database:
                    rewrite(database, place.store.hasher, table, change)
                assert found_by(place.store) == [], "the key hides it"
                assert found_by(place.store, anchor) == [
                    f"{table} was rewritten: entry {anchor.last[table][0]} differs from the entry in the anchor"
                ]
    tokens = TokenStore(place.store)
    later = {
        "a memory": lambda: place.store.add(claim("late"), time=NOON),
        "an approval": lambda: place.store.approve("m4", "anna", time=NOON),
        "an erased user": lambda: place.store.erase_user("anna", time=NOON, actor="officer"),
        "an erased name": lambda: place.store.erase_user("rita", time=NOON),
        "a token": lambda: tokens.issue("ruth"),
        "a revoked token": lambda: [tokens.revoke(one.token_id) for one in tokens.issued()],
    }
    for name, work in later.items():
        with attack.attempt(f"put back to before {name}"):
            with place.tampered([]):
                work()
                assert found_by(place.store, anchor) == []
                advanced = place.store.anchor()
            assert found_by(place.store) == [], "as it was, it is whole"
            assert any("was cut off" in fault for fault in found_by(place.store, advanced))


def test_sealing_again_hides_nothing(attack, tmp_path):
    """The migration seals rows once. A second run, to accept changed rows, is refused."""
    fill(str(tmp_path / "filled.db"))
    unseal = "INSERT INTO memory_settings VALUES ('rows', 'unsealed')"
    changes = {
        "a status": "UPDATE memories SET status = 'active'",
        "an owner": "UPDATE memories SET user_id = 'evil'",
        "a token": "UPDATE review_tokens SET revoked_at = NULL",
        "a link": "DELETE FROM memory_sources",
        "nothing": "SELECT 1",
    }
    forgets = {
        "": [],
        ", and forgotten": ["DELETE FROM admin_audit"],
        ", and without hashes": [
            "DELETE FROM admin_audit",
            "UPDATE memory_audit SET after_hash = NULL, before_hash = NULL",
        ],
        ", and at the sixth schema": [
            *("DELETE FROM memory_schema WHERE version = 7", "DROP TABLE admin_audit"),
            *("ALTER TABLE memory_audit DROP COLUMN before_hash", "ALTER TABLE memory_audit DROP COLUMN after_hash"),
            *("ALTER TABLE review_inbox DROP COLUMN digest",),
        ],
    }
    for changed, statement in changes.items():
        for forgotten, more in forgets.items():
            file = tmp_path / f"{len(attack.tried)}.db"
            with (
                closing(sqlite3.connect(tmp_path / "filled.db")) as whole,
                closing(sqlite3.connect(file)) as copy,
                copy,
            ):
                whole.backup(copy)
                for each in (statement, *more, *([] if "sixth" in forgotten else [unseal])):
                    copy.execute(each)
            with attack.attempt(f"{changed} changed{forgotten}, and sealed again"):
                try:
                    with MemoryStore(file) as store:
                        noticed = found_by(store)
                except MemoryStoreError as error:
                    noticed = [str(error)]
                assert noticed, "unnoticed"


@pytest.mark.parametrize("name", ["hash_key", "hash_key_check"])
def test_a_damaged_key_is_one_clear_error(attack, tmp_path, name):
    """The error is the same for any value in the rows that hold the key."""
    fill(str(tmp_path / "filled.db"))
    values = {
        "NULL": None,
        "a blob": b"\xff\x00",
        "the key as a blob": "CAST(value AS BLOB)",
        "empty": "",
        "no hexadecimal digits": "x" * 64,
        "capital letters": "upper(value)",
        "too short": "substr(value, 2)",
        "too long": "value || '0'",
        "a number": 7,
        "a fraction": 0.5,
        "infinite": float("inf"),
        "white space": " ",
        "other digits": "\u0661" * 64,
        "an emoji": "\U0001f600",
        "a NUL": "\0" * 64,
        "no text": "CAST(x'fffe' AS TEXT)",
        "another key": "hex(randomblob(32))",
        "a long text": "printf('%.*c', 1000000, 'a')",
        "JSON": "[]",
        "missing": None,
    }
    for kind, value in values.items():
        file = tmp_path / f"{len(attack.tried)}.db"
        with closing(sqlite3.connect(tmp_path / "filled.db")) as whole, closing(sqlite3.connect(file)) as copy, copy:
            whole.backup(copy)
            copy.execute("CREATE TABLE loose AS SELECT * FROM memory_settings")
            copy.execute("DROP TABLE memory_settings")
            copy.execute("ALTER TABLE loose RENAME TO memory_settings")
            if kind == "missing":
                copy.execute("DELETE FROM memory_settings WHERE name = ?", (name,))
            elif (isinstance(value, str) and "(" in value) or kind == "too long":
                copy.execute(f"UPDATE memory_settings SET value = {value} WHERE name = ?", (name,))
            else:
                copy.execute("UPDATE memory_settings SET value = ? WHERE name = ?", (value, name))
        with attack.attempt(f"{name}: {kind}"):
            with pytest.raises(MemoryStoreError) as caught:
                MemoryStore(file)
            assert caught.value.failure is StoreFailure.CORRUPT
