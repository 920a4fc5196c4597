"""Errors of `groundwire ingest`: one clear line, exit code 2, and no text of a claim."""

import os
import sqlite3
from contextlib import closing

import pytest

from groundwire.cli import main
from groundwire.memory import MemoryStore

CLAIM = "ZEBRA crosses at noon."
TRUSTED = ["--source", "user"]


@pytest.fixture
def database(tmp_path):
    """Return an empty store."""
    path = tmp_path / "memory.db"
    MemoryStore(path).close()
    return path


def failed(result):
    """Check that a run reported an error without text of a claim, and return the message."""
    assert (result.code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ")
    assert "Traceback" not in result.stderr
    assert "ZEBRA" not in result.stderr
    return result.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        pytest.param([], "missing CLAIM or --file\nhint: ", id="nothing"),
        pytest.param(
            ["claims.txt"], "`claims.txt` is a file, not a claim\nhint: use --file claims.txt", id="file-as-claim"
        ),
        pytest.param(
            ["--file", "-", "--issue-list", "-"], "standard input (`-`) can be read only once", id="stdin-twice"
        ),
        pytest.param(["--file", "claims.txt", "--file", "claims.txt"], "`claims.txt` is given twice", id="file-twice"),
        pytest.param(
            [CLAIM, "--database", "claims.txt", "-o", "claims.txt"], "one of the inputs", id="output-is-store"
        ),
        pytest.param([CLAIM, "--user", ""], "claim 1: user_id is empty", id="user"),
        pytest.param([CLAIM, "--input-format", "xml"], "--input-format `xml` is unknown", id="input-format"),
        pytest.param([CLAIM, "--dedup-method", "fuzzy"], "--dedup-method `fuzzy` is unknown", id="dedup-method"),
        pytest.param([CLAIM, "--dedup-method", "vector"], "--dedup-method vector needs a model", id="no-embedder"),
        pytest.param([CLAIM, "--threshold", "0"], "--threshold must be above 0", id="threshold"),
        pytest.param([CLAIM, "--threshold", "nan"], "--threshold must be between 0 and 1, got nan", id="nan"),
        pytest.param([CLAIM, "--repo", "nope"], "--repo: no directory `nope`", id="repo"),
        pytest.param([CLAIM, "--adr-dir", "claims.txt"], "--adr-dir: no directory `claims.txt`", id="adr"),
        pytest.param([CLAIM, "--database", "no/where.db"], "the database where.db cannot be opened", id="no-folder"),
        pytest.param(
            [CLAIM, "--database", "mysql://x/y"],
            "--database: the location of a store must be a file",
            id="other-database",
        ),
        pytest.param(
            [CLAIM, "--database", "claims.txt"], "the database claims.txt is damaged, or is not a database", id="text"
        ),
    ],
)
def test_wrong_usage_is_reported(run, write, args, message):
    """The message has the expected and the given value."""
    write("claims.txt", f"{CLAIM}\n" * 50)
    result = run("ingest", *args)
    assert result.code == 2
    assert message in result.stderr


def test_an_argument_that_is_no_utf_8_is_reported(run):
    """It is not stored in another form."""
    assert "claim 1: content holds a lone surrogate" in run("ingest", os.fsdecode(b"ZEBRA \xff")).stderr


@pytest.fixture
def impatient(monkeypatch):
    """Make stores wait only a moment for a lock."""
    monkeypatch.setitem(MemoryStore.__init__.__kwdefaults__, "timeout_s", 0.05)


@pytest.mark.usefixtures("impatient")
def test_a_locked_store_is_reported(run, database):
    """The error comes after the time-out, and nothing is stored."""
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        message = failed(run("ingest", CLAIM, *TRUSTED, "--database", "memory.db"))
    expected = (
        "error: the database memory.db was locked by another process for longer than the time-out (SQLITE_BUSY)\n"
    )
    assert message == expected
    with MemoryStore(database) as store:
        assert store.find(None) == []


@pytest.mark.usefixtures("impatient")
def test_a_claim_that_the_queue_refuses_is_reported(run, database):
    """The report and standard error name it, because it is missing from the queue."""
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        result = run("ingest", CLAIM, "--database", "memory.db", "-f", "json")
    (claim,) = result.report["claims"]
    assert (claim["outcome"], claim["failure"], claim["queue_id"]) == ("needs_review", "MemoryStoreError", None)
    assert (result.code, result.stderr) == (2, "error: 1 claim could not be queued for review (MemoryStoreError)\n")


def test_a_full_queue_is_reported(run, write):
    """At most a hundred claims of one user may wait; the others are approved or blocked as usual."""
    names = [f"{first}{second}" for first in "ABCDEFGHIJKL" for second in "abcdefghij"]
    write("many.txt", "".join(f"The {name} mill stands in {name}town beside {name}ford.\n" for name in names))
    result = run("ingest", "--file", "many.txt", "--database", "memory.db", "-f", "json")
    summary = result.report["summary"]
    assert (summary["queued"], summary["needs_review"]) == (100, 20)
    assert (result.code, result.stderr) == (2, "error: 20 claims could not be queued for review (QueueFull)\n")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        pytest.param(lambda data: b"ZEBRA" * len(data), "is damaged, or is not a database", id="another-file"),
        pytest.param(
            lambda data: data[:100] + b"\xff" * 3996 + data[4096:], "is damaged, or is not a database", id="first-page"
        ),
        pytest.param(lambda data: data[: len(data) // 2], "is damaged, or is not a database", id="cut-off"),
    ],
)
def test_a_damaged_store_is_reported(run, database, damage, message):
    """It is not overwritten."""
    database.write_bytes(damage(database.read_bytes()))
    assert message in failed(run("ingest", CLAIM, *TRUSTED, "--database", "memory.db"))


def test_a_store_of_a_newer_version_is_not_touched(run, database):
    """The message has both versions."""
    with MemoryStore(database) as store, store.transaction() as connection:
        connection.execute("INSERT INTO memory_schema (version) VALUES (99)")
    assert "was written by a newer groundwire (schema 99" in failed(run("ingest", CLAIM, "--database", "memory.db"))


def test_a_database_of_another_program_is_not_touched(run, tmp_path):
    """Even in a dry run."""
    with closing(sqlite3.connect(tmp_path / "other.db")) as other, other:
        other.execute("CREATE TABLE notes (text)")
    for options in ([], ["--dry-run"]):
        message = failed(run("ingest", CLAIM, "--database", "other.db", *options))
        assert message == "error: the database other.db belongs to another program\n"


def test_a_read_only_store_is_reported(database, public_folder, nobody, capsys):
    """The command runs in this process, because another user may not find the interpreter."""
    assert main(["ingest", CLAIM, *TRUSTED, "--database", ":memory:"]) == 0
    with MemoryStore(database):
        for file in public_folder.iterdir():
            file.chmod(0o444)
        public_folder.chmod(0o555)
        nobody()
        code = main(["ingest", CLAIM, *TRUSTED, "--database", str(database)])
    assert code == 2
    assert capsys.readouterr().err.startswith("error: the database memory.db is read-only")


@pytest.mark.parametrize("content", [f"{CLAIM}\n", f'{{"content": "{CLAIM}", "type": "ZEBRA"}}', b"ZEBRA \xff"])
@pytest.mark.parametrize("name", ["claims.txt", "claims.jsonl", "claims.md"])
@pytest.mark.parametrize("options", [[], ["--database", "memory.db"], ["--shadow-mode", "--database", "memory.db"]])
def test_no_text_of_a_claim_is_on_standard_error(run, write, name, content, options):
    """Reports go to standard output and to files."""
    write(name, content)
    result = run("ingest", "--file", name, "-o", "report.json", *options)
    assert "ZEBRA" not in result.stderr
    assert "noon" not in result.stderr
