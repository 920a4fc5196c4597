"""`groundwire review`: items are listed, shown and decided; the audit is checked and written."""

import asyncio
import json
from pathlib import Path

import pytest

from groundwire.memory import MemoryStore
from groundwire.review import ReviewQueue
from memory.claims import claim
from review.waiting import NOON, Clock, Ids, enqueue, evidence, validation


@pytest.fixture
def database(tmp_path) -> str:
    """Return a database with three claims of two users, and a memory that one claim contradicts."""
    path = str(tmp_path / "memories.db")

    async def fill(queue):
        await enqueue(
            queue,
            "Sessions end after 15 days",
            validation_result=validation(
                conflicting_memory_id="m1", checks_failed=["no_conflict: m1", "hedge_words_detected: may"]
            ),
        )
        await enqueue(queue, "\x1b[2JThe API\nuses OAuth2", memory_type="decision")
        await enqueue(queue, "Tabs, not spaces", "bob", evidence=evidence(parents=("m9",)))

    with MemoryStore(path) as store:
        store.add(claim("m1", content="Sessions end after 30 days"), time=NOON)
        with ReviewQueue(None, store, clock=Clock(), new_id=Ids()) as queue:
            asyncio.run(fill(queue))
    return path


def test_list(run, database):
    """It lists one's own claims, a line each, without control sequences."""
    done = run("review", "list", database, "--as", "anna")
    assert (done.code, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "2 pending, 0 stored, 0 rejected, 0 expired",
        "q1  2026-03-01 12:00  anna  fact      ai_synthesis  Sessions end after 15 days",
        "q2  2026-03-01 12:00  anna  decision  ai_synthesis  \\x1b[2JThe API ↵ uses OAuth2",
    ]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--as", "anna"], ["q1", "q2"]),
        (["--as", "rita", "--reviewer"], ["q1", "q2", "q3"]),
        (["--as", "rita", "--reviewer", "--user", "bob"], ["q3"]),
        (["--as", "rita"], []),
        (["--as", "anna", "--memory-type", "decision"], ["q2"]),
        (["--as", "anna", "--failed-check", "hedge_words_detected"], ["q1"]),
        (["--as", "anna", "--source", "chat"], []),
        (["--as", "anna", "--state", "stored"], []),
        (["--as", "anna", "--limit", "1"], ["q1"]),
    ],
)
def test_list_as_json(run, database, options, expected):
    """It is filtered, with counts and the key of the next page."""
    report = run("review", "list", database, "--format", "json", *options).report
    assert [one["queue_id"] for one in report["claims"]] == expected
    assert report["next"] == (report["claims"][-1]["place"] if "--limit" in options else None)
    following = ["--cursor", str(report["next"] or 99)]
    rest = run("review", "list", database, "--format", "json", *options, *following).report["claims"]
    assert [one["queue_id"] for one in rest] == (["q2"] if "--limit" in options else [])


def test_an_empty_list_names_the_user_it_is_for(run, database):
    """Other users have claims, which a reviewer sees; a reviewer's list has no such note."""
    done = run("review", "list", database)
    assert (done.code, done.stdout.splitlines()[1:]) == (
        0,
        ["showing only claims of local; use --as NAME for another user, or --reviewer for all users"],
    )
    done = run("review", "list", database, "--reviewer", "--state", "stored", "--memory-type", "none")
    assert done.stdout == "0 pending, 0 stored, 0 rejected, 0 expired\n"


def test_list_of_assigned_claims(run, database):
    """It has the claims that the user may decide on."""
    with ReviewQueue(None, database, reviewers=["rita"]) as queue:
        asyncio.run(queue.assign("q2", "rita", "rita"))
    for person, asked, expected in (("anna", "rita", "q2"), ("anna", "bob", ""), ("bob", "rita", "")):
        done = run("review", "list", database, "--as", person, "--assigned-to", asked)
        assert [line.split()[0] for line in done.stdout.splitlines()[1:]] == expected.split()


def test_show(run, database):
    """It shows the claim, its checks, and the difference from the memory that it contradicts."""
    shown = run("review", "show", database, "q1", "--as", "anna").stdout
    for line in (
        "Sessions end after 15 days",
        "failed      hedge_words_detected: may",
        "compared with m1:",
        "  Sessions end after ",
        "- 30",
        "+ 15",
    ):
        assert line in shown.splitlines()
    report = run("review", "show", database, "q1", "--as", "anna", "-f", "json").report
    assert report["conflict"]["memory_id"] == "m1"
    assert report["evidence"]["confidence"] == "medium"
    assert report["submitted_at"] == NOON.isoformat()


def test_decisions(run, database):
    """An approved claim becomes a memory; a decided or unknown one is reported, with exit code 1."""
    assert run("review", "approve", database, "q1", "--as", "anna").stdout == "q1 stored\n"
    assert run("review", "reject", database, "q2", "--as", "anna", "--reason", "no").stdout == "q2 rejected\n"
    again = run("review", "approve", database, "q2", "q3", "--as", "anna")
    assert (again.code, again.stdout) == (1, "")
    assert again.stderr.splitlines()[0].startswith("error: q2: the claim is rejected since ")
    assert again.stderr.splitlines()[1] == "error: q3: there is no such claim"
    edited = run("review", "approve", database, "q3", "--as", "rita", "--reviewer", "--edited-text", "Spaces")
    assert (edited.code, edited.stdout) == (0, "q3 stored\n")
    with MemoryStore(database) as store:
        assert [memory.content for memory in store.find(None)] == [
            "Sessions end after 30 days",
            "Sessions end after 15 days",
            "Spaces",
        ]
    shown = run("review", "show", database, "q2", "--as", "anna").stdout
    assert "reason      no" in shown
    assert "by          anna" in shown


def test_audit(run, database, tmp_path):
    """It verifies until something is changed; its lines contain no text."""
    run("review", "approve", database, "q1", "--as", "anna")
    done = run("review", "verify-audit", database)
    assert (done.code, done.stdout.partition("; last hash")[0]) == (0, "the audit log is intact: 4 entries")
    assert run("review", "export", database, "-o", "audit.jsonl").code == 0
    lines = (tmp_path / "audit.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["action"] for line in lines] == ["enqueued"] * 3 + ["stored"]
    assert json.loads(lines[3])["actor"] == "anna"
    assert done.stdout.split()[-1] == json.loads(lines[3])["link"]
    assert "Sessions" not in "".join(lines)
    assert run("review", "export", database).stdout.splitlines() == lines
    with MemoryStore(database) as store, store.transaction() as tables:
        tables.execute("UPDATE review_items SET content = 'x' WHERE queue_id = 'q2'")
    done = run("review", "verify-audit", database)
    assert (done.code, done.stderr.splitlines()[0]) == (1, "error: 1 claim was changed")


def test_the_anchor_of_an_audit(run, database, tmp_path):
    """It is created and updated, and stays unchanged for a damaged or another database."""
    anchor = tmp_path / "anchor.json"
    command = ("review", "verify-audit", database, "--anchor", str(anchor))
    assert run(*command).stdout.splitlines()[-1] == f"anchor {anchor} created"
    made = anchor.read_text(encoding="utf-8")
    kept = Path(database).read_bytes()
    run("review", "approve", database, "q1", "--as", "anna")
    assert run(*command).stdout.splitlines()[-1] == f"anchor {anchor} updated"
    advanced = anchor.read_text(encoding="utf-8")
    assert advanced != made
    Path(database).write_bytes(kept)
    done = run(*command)
    assert (done.code, done.stdout) == (1, "")
    assert "error: review_audit was cut off: it ends with entry 3, and the anchor has entry 4" in done.stderr
    MemoryStore(tmp_path / "other.db").close()
    foreign = run("review", "verify-audit", str(tmp_path / "other.db"), "--anchor", str(anchor))
    assert (foreign.code, foreign.stderr.splitlines()[0]) == (
        2,
        "error: --anchor: the anchor belongs to a database with another key",
    )
    assert anchor.read_text(encoding="utf-8") == advanced
    for damaged in ("", "{}", advanced[:-9], "\udcff"):
        anchor.write_bytes(damaged.encode("utf-8", "surrogateescape"))
        done = run(*command)
        assert (done.code, done.stderr.splitlines()[0]) == (
            2,
            f"error: --anchor: `{anchor}` is damaged, or is not an anchor",
        )
        assert anchor.read_bytes() == damaged.encode("utf-8", "surrogateescape")
    assert run("review", "verify-audit", database, "--anchor", database).code == 2
    assert run("review", "verify-audit", database, "--anchor", str(tmp_path)).code == 2


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["list", "nothing.db"], "error: no database `nothing.db`"),
        (["list", "mysql://x"], "error: the location of a store must be a file, sqlite:///FILE or postgresql://..."),
        (["list", "DB", "--state", "processing"], "error: --state `processing` is unknown; allowed: pending"),
        (["list", "DB", "--limit", "0"], "error: --limit must be at least 1, got 0"),
        (["list", "DB", "--cursor", "9" * 30], "error: --cursor must be between 0 and"),
        (["list", "DB", "--as", ""], "error: viewer is empty"),
        (["list", "DB", "--user", ""], "error: user_id is empty"),
        (["approve", "DB", "q1", "--edited-text", "", "--as", "anna"], "error: content is empty"),
        (["reject", "DB", "q1", "--reason", "", "--as", "anna"], "error: reason is empty"),
        (["list", "DB", "--format", "xml"], "error: --format `xml` is unknown; allowed: text, json"),
        (["show", "DB", "q9"], "error: there is no such claim"),
        (["show", "DB", "q1", "--as", "bob"], "error: there is no such claim"),
        (["approve", "DB", "q1", "q2", "--edited-text", "x"], "error: --edited-text needs a single claim"),
        (["export", "DB", "-o", "DB"], "error: cannot write"),
        (["approve", "DB"], "error: missing argument"),
        (["nothing"], "error: no such command"),
    ],
)
def test_errors_are_reported_in_one_line(run, database, args, words):
    """With exit code 2, and without a traceback."""
    done = run("review", *(database if arg == "DB" else arg for arg in args))
    assert (done.code, done.stdout) == (2, "")
    assert done.stderr.lower().startswith(words.lower())
    assert len(done.stderr.splitlines()) <= 2


def test_hidden_characters_are_confirmed_for_one_claim(run, tmp_path):
    """They are shown spelled out, refused without confirmation, and stored after it."""
    path = str(tmp_path / "hidden.db")
    with MemoryStore(path) as store, ReviewQueue(None, store, clock=Clock(), new_id=Ids()) as queue:
        asyncio.run(enqueue(queue, "Standups are at nine.\U000e0041\u200b"))
    assert "Standups are at nine.\\U000e0041\\u200b\n" in run("review", "show", path, "q1", "--as", "anna").stdout
    refused = run("review", "approve", path, "q1", "--as", "anna")
    assert (refused.code, refused.stdout) == (1, "")
    assert "q1: the claim has 2 hidden characters" in refused.stderr
    several = run("review", "approve", path, "q1", "q2", "--as", "anna", "--confirm-hidden")
    assert (several.code, several.stderr) == (2, "error: --confirm-hidden needs a single claim\n")
    done = run("review", "approve", path, "q1", "--as", "anna", "--confirm-hidden")
    assert (done.code, done.stdout) == (0, "q1 stored\n")
