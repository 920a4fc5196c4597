"""The pages of memories: list, show, revoke and export, each for the memories that the visitor may see."""

import csv
import io
import json
import re
import shutil
from pathlib import Path

import pytest

from cli.command import run_here
from groundwire.memory import MemoryStatus, MemoryStore, export_memories
from groundwire.review.web.pages.memories import MemoryListQuery
from memory.claims import HOUR, NOON, claim
from review.waiting import evidence
from review_web.site import decide, fields

TEXT = "Sessions are kept in Redis <b>now</b>"


def fill(store: MemoryStore) -> None:
    """Store memories of Anna and Bob; one is derived, and one is out of date."""
    store.add(claim("m1", content=TEXT, source_ids=("ADR 0003",), metadata={"model": "small"}), time=NOON)
    store.add(
        claim(
            "m2", content="A restart ends all sessions", source_ids=(), parents=("m1",), validity_horizon=NOON + HOUR
        ),
        time=NOON,
    )
    store.add(claim("m3", content="Bob's parser is fixed", user_id="bob", source_ids=("#12",)), time=NOON)


@pytest.fixture
def stored(site):
    """Return a page over these memories."""
    fill(site.store)
    return site


def shown(html: str) -> list[str]:
    """Return the ids of the memories in a list."""
    return re.findall(r'<a class="open" href="/memories/(\w+)"', html)


@pytest.mark.parametrize(
    ("kind", "query", "expected"),
    [
        ("owner", "", ["m1", "m2"]),
        ("other", "", ["m3"]),
        ("reviewer", "", ["m1", "m2", "m3"]),
        ("owner", "?user_id=bob", ["m1", "m2"]),
        ("reviewer", "?user_id=bob", ["m3"]),
        ("reviewer", "?cites=adr-3", ["m1"]),
        ("reviewer", "?memory_type=decision", []),
        ("reviewer", "?status=review", []),
        ("reviewer", "?after=m1", ["m2", "m3"]),
    ],
)
def test_the_list_has_what_the_visitor_may_see(stored, kind, query, expected):
    """A filter narrows it, and widens it for nobody."""
    answer = stored.client(kind).get(f"/memories{query}")
    assert (answer.status_code, shown(answer.text)) == (200, expected)
    assert "<b>now</b>" not in answer.text


def test_a_long_list_has_pages(site):
    """Twenty memories each."""
    for number in range(25):
        site.store.add(claim(f"m{number}", content=f"Claim {number}", source_ids=()), time=NOON)
    client = site.client("owner")
    first = client.get("/memories?memory_type=fact").text
    assert len(shown(first)) == 20
    more = re.search(r'<a rel="next" href="([^"]+)"', first)[1].replace("&amp;", "&")
    assert shown(client.get(more).text) == [f"m{number}" for number in range(20, 25)]


def test_a_memory_is_shown_with_its_evidence(stored):
    """Its sources by their identities, its metadata, its origin and its audit."""
    page = stored.client("owner").get("/memories/m1").text
    for part in ("Sessions are kept in Redis &lt;b&gt;now&lt;/b&gt;", "ADR-003", "small", "active", "stored"):
        assert part in page
    assert "Revoke" not in page
    assert '<a href="/memories/m1">m1</a>' in stored.client("owner").get("/memories/m2").text


@pytest.mark.parametrize("memory_id", ["m3", "m9", "%00", "x" * 70, "'--"])
def test_memories_of_others_look_like_unknown_ones(stored, memory_id):
    """So nobody learns which ids exist."""
    client = stored.client("owner")
    answer = client.get(f"/memories/{memory_id}")
    if answer.status_code != 307:
        assert answer.status_code == 404
        assert "Bob" not in answer.text
    known, unknown = (client.get(f"/memories/{each}").text for each in ("m3", "m8"))
    assert known.replace("m3", "m8") == unknown


def test_a_reviewer_revokes_a_source(stored):
    """A question comes first; then the memories of all users that rest on it wait in the queue."""
    client = stored.client("reviewer")
    page = client.get("/memories/m1").text
    sent = fields(page, "/memories/revoke")
    asked = client.post("/memories/revoke", data=sent)
    assert (asked.status_code, "Revoke ADR-003?" in asked.text) == (200, True)
    assert stored.store.get("m1", None).status is MemoryStatus.ACTIVE
    done = client.post("/memories/revoke", data=fields(asked.text, "/memories/revoke"))
    assert "2 memories sent back to review" in done.text
    assert [each.status for each in stored.store.find(None, status=None)] == ["review", "review", "active"]
    assert stored.store.audit("m2")[-1].actor == "rita"
    claim_url = re.search(r'<a href="(/claims/[^"]+)">Decide on it', client.get("/memories/m1").text)[1]
    assert "One of its sources was revoked" in client.get(claim_url).text


def test_a_memory_in_review_leads_to_the_claim_that_waits(site):
    """A memory that was a claim before waits under another id than the claim that was decided."""
    queue_id = site.submit(evidence=evidence(source_id="ADR-003"))
    client = site.client("owner")
    decide(client, queue_id, "approve")
    assert "Decide on it" not in client.get(f"/memories/{queue_id}").text
    site.store.revoke_source("ADR-003", time=NOON)
    claim_url = re.search(r'<a href="(/claims/[^"]+)">Decide on it', client.get(f"/memories/{queue_id}").text)[1]
    decide(client, claim_url.removeprefix("/claims/"), "approve")
    assert site.store.get(queue_id, "anna").status is MemoryStatus.ACTIVE


@pytest.mark.parametrize(
    ("source", "status", "words"),
    [
        ("adr-4", 200, "No memory rests on this source."),
        ("  ", 422, "source is empty"),
        ("a\0b", 422, "source holds a NUL character"),
        ("x" * 2_001, 422, "at most 2000 are allowed"),
        ("<b>x</b>", 200, "&lt;b&gt;x&lt;/b&gt;"),
    ],
)
def test_any_source_may_be_typed(stored, source, status, words):
    """A source without memories is no error; an impossible one is."""
    client = stored.client("reviewer")
    sent = {**fields(client.get("/memories").text, "/memories/revoke"), "source": source, "confirmed": "yes"}
    answer = client.post("/memories/revoke", data=sent)
    assert (answer.status_code, words in answer.text) == (status, True)


def test_a_stale_form_revokes_nothing(stored):
    """The key of another visitor's form does not count."""
    sent = {"form_key": "x", "source": "adr-3", "confirmed": "yes"}
    assert stored.client("reviewer").post("/memories/revoke", data=sent).status_code == 403
    assert stored.store.get("m1", None).status is MemoryStatus.ACTIVE


@pytest.mark.parametrize(("kind", "expected"), [("owner", ["m1", "m2"]), ("reviewer", ["m1", "m2", "m3"])])
def test_an_export_has_what_the_visitor_may_see(stored, kind, expected):
    """As a download in either format, kept by no cache."""
    client = stored.client(kind)
    lines = client.get("/memories/export")
    assert [json.loads(line)["id"] for line in lines.text.splitlines()] == expected
    assert lines.headers["content-disposition"] == 'attachment; filename="memories.jsonl"'
    assert lines.headers["cache-control"] == "no-store"
    table = client.get("/memories/export?format=csv")
    assert [row["id"] for row in csv.DictReader(io.StringIO(table.text, newline=""))] == expected
    assert table.headers["content-type"] == "text/csv; charset=utf-8"
    if kind == "reviewer":
        assert [json.loads(line) for line in lines.text.splitlines()] == [
            json.loads(json.dumps(row)) for row in export_memories(stored.store)
        ]


_AUDIT = """
SELECT action, memory_id, user_hash, content_hash, actor_hash, reason, source_hash, before_hash, after_hash
FROM memory_audit ORDER BY sequence
"""


def audit_of(file: Path) -> list[tuple]:
    """Return the rows of a database's audit without their times, after checking the whole database."""
    with MemoryStore(file) as store, store.snapshot() as database:
        assert store.integrity_errors() == []
        return [tuple(row) for row in database.execute(_AUDIT)]


def test_the_page_leaves_the_audit_of_the_command_line(make_site, tmp_path):
    """Each action has the same rows in both: reading and exporting leave none, revoking one for each memory."""
    by_command, by_page = tmp_path / "command.db", tmp_path / "page.db"
    with MemoryStore(by_command) as store:
        fill(store)
    shutil.copyfile(by_command, by_page)
    site = make_site(store=MemoryStore(by_page))
    client = site.client("reviewer")
    form = fields(client.get("/memories/m1").text, "/memories/revoke")
    steps = [
        (("list",), lambda: client.get("/memories"), 0),
        (("show", "m1"), lambda: client.get("/memories/m1"), 0),
        (("export",), lambda: client.get("/memories/export"), 0),
        (("export", "-f", "csv"), lambda: client.get("/memories/export?format=csv"), 0),
        (("revoke", "adr-4", "--as", "rita"), lambda: revoke(client, form, "adr-4"), 0),
        (("revoke", "adr-3", "--as", "rita"), lambda: revoke(client, form, "adr-3"), 2),
        (("revoke", "adr-3", "--as", "rita"), lambda: revoke(client, form, "adr-3"), 0),
    ]
    for arguments, visit, added in steps:
        before = audit_of(by_page)
        assert run_here("memory", *arguments, "--database", str(by_command), cwd=tmp_path).code in (0, 1)
        assert visit().status_code == 200
        after = audit_of(by_page)
        assert len(after) - len(before) == added, arguments
        assert after == audit_of(by_command), arguments


def revoke(client, form: dict[str, str], source: str):
    """Revoke a source on the page, confirmed."""
    return client.post("/memories/revoke", data={**form, "source": source, "confirmed": "yes"})


def test_an_export_has_the_filters_of_the_list(stored):
    """The link carries them; user_id of somebody else widens nothing."""
    page = stored.client("reviewer").get("/memories?cites=adr-3").text
    link = re.search(r'href="(/memories/export\?[^"]*csv)"', page)[1].replace("&amp;", "&")
    assert "m1" in stored.client("reviewer").get(link).text
    assert "m3" not in stored.client("reviewer").get(link).text
    assert '"m3"' not in stored.client("owner").get("/memories/export?user_id=bob").text
    assert stored.client("owner").get("/memories/export?status=review").text == ""


def test_the_filters_show_no_name():
    """Logs and tracebacks get lengths in place of users and sources."""
    shown = repr(MemoryListQuery(status=MemoryStatus.ACTIVE, cites="secret source", user_id="anna"))
    assert "secret" not in shown
    assert "anna" not in shown
    assert "user_id=<4 characters>" in shown


@pytest.mark.parametrize("query", ["format=xlsx", "status=old", "user_id=a%00", "after=a%00", f"cites={'x' * 300}"])
def test_impossible_queries(stored, query):
    """The field is named, and nothing is sent."""
    for path in ("/memories", "/memories/export"):
        if query.startswith("format" if path == "/memories" else "after"):
            continue
        answer = stored.client("reviewer").get(f"{path}?{query}")
        assert answer.status_code == 422
        assert "content-disposition" not in answer.headers


@pytest.mark.usefixtures("stored")
def test_memories_are_read_by_the_keyboard_alone(visit, expect):
    """j and k move in the list, Enter opens, and the link to the pages is reached by Tab."""
    page = visit()
    for _ in range(3):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Memories")
    page.wait_for_load_state()
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    expect(page.locator(".open").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Memory of anna")
    expect(page.locator("article > blockquote")).to_have_text(TEXT)


@pytest.mark.usefixtures("stored")
def test_an_export_is_a_download_in_the_browser(visit):
    """The page stays."""
    page = visit(path="/memories")
    with page.expect_download() as started:
        page.get_by_role("link", name="Export as CSV").click()
    assert started.value.suggested_filename == "memories.csv"
    assert page.url.endswith("/memories")
