"""`groundwire memory`: memories are listed, shown, revoked by any spelling of a source, and exported."""

import json
import sqlite3

import pytest

from groundwire.memory import MemoryStatus, MemoryStore
from memory.claims import HOUR, NOON, claim

FULL = "a1b2c3d4e5f60718293a4b5c6d7e8f9012345678"


@pytest.fixture
def database(tmp_path) -> str:
    """Return three memories of two users: one cites a record, one is derived from it, one cites a commit."""
    path = str(tmp_path / "memories.db")
    with MemoryStore(path) as store:
        store.add(claim("m1", content="Sessions\nare in Redis", source_ids=("ADR 0003",), metadata={"n": 1}), time=NOON)
        store.add(claim("m2", content="A restart ends all sessions", source_ids=(), parents=("m1",)), time=NOON)
        store.add(claim("m3", content="The parser is fixed", user_id="bob", source_ids=(f"commit:{FULL}",)), time=NOON)
    return path


@pytest.mark.parametrize(
    ("expected", "options"),
    [
        (["m1", "m2", "m3"], []),
        (["m3"], ["--user", "bob"]),
        (["m1"], ["--cites", "adr-3"]),
        (["m3"], ["--cites", FULL[:8]]),
        (["m1", "m2"], ["--limit", "2"]),
        (["m3"], ["--cursor", "m2"]),
        ([], ["--status", "review"]),
        ([], ["--memory-type", "decision"]),
    ],
)
def test_list(run, database, expected, options):
    """It has the memories of all users or of the filters, and the key of the next page."""
    report = run("memory", "list", "--database", database, "--format", "json", *options).report
    assert [each["id"] for each in report["memories"]] == expected
    assert report["next"] == ("m2" if "--limit" in options else None)


def test_list_as_text(run, database):
    """One line each: id, status, owner, type, confidence, sources and text."""
    done = run("memory", "list", "--database", database, "--user", "anna", "--limit", "1")
    assert (done.code, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "m1  active  anna  fact  high  ADR 0003  Sessions ↵ are in Redis",
        "next page: --cursor m1",
    ]
    assert run("memory", "list", "--database", database, "--user", "carl").stdout == "no memories\n"


def test_show(run, database):
    """It shows the memory, its evidence, the identities of its sources, its status and its audit."""
    assert run("memory", "show", "m1", "--database", database).stdout.splitlines() == [
        "Sessions",
        "are in Redis",
        "",
        "id                       m1",
        "status                   active",
        "user                     anna",
        "type                     fact",
        "from                     conversation",
        "confidence               high",
        "captured                 2026-03-01 12:00:00 UTC",
        "rests on                 ADR-003",
        'metadata                 {"n": 1}',
        "2026-03-01 12:00:00 UTC  stored",
    ]
    report = run("memory", "show", "m3", "--database", database, "--format", "json").report
    assert (report["status"], report["sources"]) == ("active", [f"commit:{FULL}"])
    assert [entry["action"] for entry in report["audit"]] == ["stored"]


@pytest.mark.parametrize("spelling", ["adr-3", "ADR-003", "[ADR 0003]"])
def test_revoke_takes_any_spelling(run, database, spelling):
    """C18: memories that rest on the source go back to review and are printed; exit code 0."""
    done = run("memory", "revoke", spelling, "--database", database, "--as", "rita")
    assert (done.code, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "ADR-003: 2 memories sent back to review",
        "m1  Sessions ↵ are in Redis",
        "m2  A restart ends all sessions",
    ]
    with MemoryStore(database) as store:
        assert store.get("m1", None).status is MemoryStatus.REVIEW
        assert [(entry.actor, entry.reason) for entry in store.audit("m1")][1:] == [("rita", "source_refuted")]
    again = run("memory", "revoke", spelling, "--database", database, "--format", "json")
    assert again.code == 0
    assert again.report == {
        "schema_version": 1,
        "source": "ADR-003",
        "status": "already_in_review",
        "memories": [],
        "already_in_review": ["m1", "m2"],
    }


def test_revoke_reports_a_source_without_memories(run, database):
    """C18: a message and a status say so, with exit code 1."""
    done = run("memory", "revoke", "adr-4", "--database", database)
    assert (done.code, done.stdout) == (1, "ADR-004: no memory rests on this source\n")
    done = run("memory", "revoke", "adr-4", "--database", database, "--format", "json")
    assert (done.code, done.report["status"]) == (1, "nothing_rests_on_it")


def test_revoked_memories_are_listed_for_review(run, database):
    """C18: `groundwire review` lists it like any other item, shows why, and approves it."""
    run("memory", "revoke", "adr-3", "--database", database)
    listed = run("review", "list", database, "--as", "anna", "--format", "json").report
    assert [each["queue_id"] for each in listed["claims"]] == ["m1", "m2"]
    assert listed["counts"]["pending"] == 2
    shown = run("review", "show", database, "m1", "--as", "anna").stdout
    assert "One of its sources was revoked" in shown
    assert "source_revoked: ADR-003" in shown
    assert run("review", "approve", database, "m1", "--as", "anna")[:2] == (0, "m1 stored\n")
    assert run("review", "reject", database, "m2", "--as", "anna")[:2] == (0, "m2 rejected\n")
    left = run("memory", "list", "--database", database, "--format", "json").report["memories"]
    assert [(each["id"], each["status"]) for each in left] == [("m1", "active"), ("m3", "active")]
    assert run("review", "verify-audit", database).code == 0


def test_a_revoked_memory_can_be_approved_without_listing_the_queue(run, database):
    """C18: a revoked memory can be approved at once."""
    run("memory", "revoke", FULL[:7], "--database", database)
    assert run("review", "approve", database, "m3", "--as", "bob")[:2] == (0, "m3 stored\n")


def test_one_memory_is_sent_to_review(run, database):
    """Exit code 1 the second time."""
    assert run("memory", "review", "m3", "--database", database)[:2] == (0, "m3 sent to review\n")
    assert run("memory", "review", "m3", "--database", database)[:2] == (1, "m3 is already in review\n")
    again = run("memory", "review", "m3", "--database", database, "--format", "json")
    assert again.report == {"schema_version": 1, "memory": "m3", "status": "already_in_review"}


def test_memories_in_review_are_listed(run, database):
    """Without an id: with the time and the reason, and the commands that decide."""
    assert run("memory", "review", "--database", database)[:2] == (0, "no memories in review\n")
    run("memory", "revoke", "adr-3", "--database", database)
    lines = run("memory", "review", "--database", database, "--limit", "1").stdout.splitlines()
    assert lines[0].startswith("m1  anna  20")
    assert lines[0].endswith("UTC  source_refuted  ADR 0003  Sessions ↵ are in Redis")
    assert lines[1:] == [
        "next page: --cursor m1",
        "decide: groundwire review list DATABASE, then groundwire review approve|reject DATABASE ID",
    ]
    report = run("memory", "review", "--database", database, "--cursor", "m1", "--format", "json").report
    assert [(each["id"], each["sent"]["reason"]) for each in report["memories"]] == [("m2", "source_refuted")]
    assert run("memory", "review", "--database", database, "--user", "bob")[:2] == (0, "no memories in review\n")


def test_export(run, database, tmp_path):
    """One memory per line, with its evidence and the identities of its sources; a file has the format of its suffix."""
    done = run("memory", "export", "--database", database, "-o", "out.csv", "-o", "out.jsonl")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(line["id"], line["sources"], line["parents"]) for line in lines] == [
        ("m1", ["ADR-003"], []),
        ("m2", [], ["m1"]),
        ("m3", [f"commit:{FULL}"], []),
    ]
    assert (tmp_path / "out.jsonl").read_text(encoding="utf-8") == done.stdout
    assert (tmp_path / "out.jsonl").stat().st_mode & 0o777 == 0o600
    rows = (tmp_path / "out.csv").read_text(encoding="utf-8")
    assert rows.startswith("schema_version,id,status,user_id,")
    assert rows == run("memory", "export", "--database", database, "--format", "csv").stdout
    only = run("memory", "export", "--database", database, "--user", "bob", "--status", "active", "--cites", FULL)
    assert [json.loads(line)["id"] for line in only.stdout.splitlines()] == ["m3"]
    assert run("memory", "export", "--database", database, "-o", database).code == 2
    assert "this command has no format html" in run("memory", "export", "--database", database, "-o", "x.html").stderr


def test_a_failed_export_leaves_the_file(run, database, tmp_path):
    """A damaged row is an error; the earlier file stays."""
    (tmp_path / "out.jsonl").write_text("earlier", encoding="utf-8")
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE memories SET metadata = '{' WHERE id = 'm3'")
    done = run("memory", "export", "--database", database, "-o", "out.jsonl")
    assert (done.code, done.stdout) == (2, "")
    assert (tmp_path / "out.jsonl").read_text(encoding="utf-8") == "earlier"
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".out")) == []


@pytest.mark.parametrize(
    ("message", "args"),
    [
        pytest.param("--database: no database `none.db`", ("list", "--database", "none.db"), id="no-database"),
        pytest.param(
            "--database: no database `sqlite:///none.db`", ("list", "--database", "sqlite:///none.db"), id="no-url"
        ),
        pytest.param("user_id is empty", ("list", "--database", "DB", "--user", ""), id="empty-user"),
        pytest.param("after is empty", ("review", "--database", "DB", "--cursor", ""), id="empty-cursor"),
        pytest.param("memory_type is empty", ("export", "--database", "DB", "--memory-type", ""), id="empty-type"),
        pytest.param("no memory has this id", ("show", "m9", "--database", "DB"), id="unknown-memory"),
        pytest.param(
            "no memory has this id", ("show", "m3", "--database", "DB", "--user", "anna"), id="of-another-user"
        ),
        pytest.param("the source is empty", ("revoke", "  ", "--database", "DB"), id="empty-source"),
        pytest.param("reason must have", ("revoke", "ADR-3", "--database", "DB", "--reason", "two words"), id="reason"),
        pytest.param("--limit must be at least 1", ("list", "--database", "DB", "--limit", "0"), id="limit"),
        pytest.param("--limit must be between 1 and", ("list", "--database", "DB", "--limit", "9" * 30), id="huge"),
        pytest.param("--status", ("list", "--database", "DB", "--status", "old"), id="status"),
        pytest.param("missing option", ("list",), id="no-option"),
    ],
)
def test_errors_are_one_line(run, database, message, args):
    """Exit code 2, a message on standard error, and nothing on standard output."""
    done = run("memory", *(database if each == "DB" else each for each in args))
    assert (done.code, done.stdout) == (2, "")
    assert message in done.stderr.splitlines()[0]
    assert "Traceback" not in done.stderr


def test_a_mistyped_url_creates_no_database(run, tmp_path):
    """The commands but `ingest` open only what exists, and a name may have escapes in a URL."""
    path = tmp_path / "my memories.db"
    assert run("memory", "list", "--database", "sqlite:///my%20memories.db").code == 2
    assert not path.exists()
    with MemoryStore(str(path)) as store:
        store.add(claim("m1"), time=NOON)
    assert run("memory", "list", "--database", "sqlite:///my%20memories.db").stdout.startswith("m1 ")


def test_expired_memories_are_shown_with_their_horizon(run, tmp_path):
    """The evidence has the time until which the memory is valid."""
    path = str(tmp_path / "memories.db")
    with MemoryStore(path) as store:
        store.add(claim("m1", validity_horizon=NOON + HOUR), time=NOON)
    assert "valid until              2026-03-01 13:00:00 UTC" in run("memory", "show", "m1", "--database", path).stdout
