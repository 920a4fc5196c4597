"""Exports of memories: nothing is lost, other tools read them, and their size does not matter."""

import csv
import io
import json
from datetime import datetime

import pyarrow.csv
import pyarrow.json
import pytest

from groundwire.memory import MemoryStatus, MemoryStore, StoredMemory, export_memories, export_text
from groundwire.memory.export import EXPORT_COLUMNS
from memory.claims import HOUR, NOON, claim

ADR = "ADR 0003"
ODD = 'Sessions,\n"Redis" ↵ =1+1\tü'


@pytest.fixture
def store(store):
    """Return a store with an odd memory, a derived one that is in review, and one of another user."""
    odd = claim(
        "m1", content=ODD, source_ids=(ADR,), metadata={"a": ["é", None], "b": {"c": 1.5}}, validity_horizon=NOON + HOUR
    )
    store.add(odd, time=NOON, actor="anna")
    store.add(claim("m2", content="=SUM(A1)", source_ids=(), parents=("m1",)), time=NOON)
    store.add(claim("m3", user_id="bob"), time=NOON)
    store.send_to_review("m2", "anna", time=NOON + HOUR, reason="requested", actor="rita")
    return store


def restored(row: dict[str, object]) -> StoredMemory:
    """Return the memory of an exported row."""
    times = {name: row[name] and datetime.fromisoformat(row[name]) for name in ("capture_time", "validity_horizon")}
    lists = {name: tuple(row[name]) for name in ("source_ids", "parents")}
    own = {name: value for name, value in row.items() if name not in ("schema_version", "sources", "hashes", "audit")}
    return StoredMemory(**{**own, **times, **lists})


def test_json_lines_lose_nothing(store):
    """The stored memory can be made from its line, in the order of storing."""
    rows = [json.loads(line) for line in export_text(store, "jsonl")]
    assert [restored(row) for row in rows] == store.find(None, status=None)
    assert [tuple(row) for row in rows] == [EXPORT_COLUMNS] * 3


def test_any_metadata_have_a_form_in_utf_8():
    """JSON from elsewhere may escape half a surrogate pair, and a store keeps it."""
    metadata = {"half": "\ud83d", "whole": "\U0001f600", "spelled": "\\ud83d"}
    with MemoryStore(":memory:") as store:
        store.add(claim(metadata=metadata), time=NOON)
        [line] = "".join(export_text(store, "jsonl")).encode().splitlines()
        [row] = csv.DictReader(io.StringIO("".join(export_text(store, "csv")).encode().decode(), newline=""))
    assert json.loads(line)["metadata"] == json.loads(row["metadata"]) == metadata


def test_csv_has_the_same_rows(store):
    """Lists and mappings are JSON; only a text that a spreadsheet would run gets an apostrophe."""
    rows = list(csv.DictReader(io.StringIO("".join(export_text(store, "csv")), newline="")))
    read = [
        {name: json.loads(text) if text[:1] in ("[", "{") else text or None for name, text in row.items()}
        for row in rows
    ]
    assert read[1]["content"] == "'=SUM(A1)"
    read[1]["content"] = "=SUM(A1)"
    assert [row.pop("schema_version") for row in read] == ["1"] * 3
    assert [{"schema_version": 1, **row} for row in read] == [
        json.loads(json.dumps(row)) for row in export_memories(store)
    ]


def test_sources_hashes_and_audit_are_included(store):
    """The hashes are those of the audit, so that an erased memory can be recognised."""
    odd, derived, _ = export_memories(store)
    assert (odd["sources"], odd["source_ids"]) == (["ADR-003"], (ADR,))
    assert odd["hashes"] == {
        "content": store.hash_of("content", ODD),
        "user": store.hash_of("person", "anna"),
        "sources": {"ADR-003": store.hash_of("source", "adr-3")},
    }
    assert [event["content_hash"] for event in odd["audit"]] == [odd["hashes"]["content"]]
    assert (derived["status"], derived["parents"]) == ("review", ("m1",))
    assert [(event["action"], event["actor"]) for event in derived["audit"]] == [
        ("stored", None),
        ("sent_to_review", "rita"),
    ]


@pytest.mark.parametrize(
    ("expected", "filters"),
    [
        (["m1", "m2", "m3"], {}),
        (["m3"], {"user_id": "bob"}),
        (["m2"], {"status": MemoryStatus.REVIEW}),
        (["m1", "m3"], {"source_id": "adr-3"}),
        ([], {"memory_type": "decision"}),
        ([], {"user_id": "carl"}),
    ],
)
def test_filters(store, expected, filters):
    """By user, status, type and cited source."""
    assert [row["id"] for row in export_memories(store, **filters)] == expected


def test_other_tools_read_the_exports(store):
    """Arrow reads both formats as tables."""
    lines = pyarrow.json.read_json(io.BytesIO("".join(export_text(store, "jsonl")).encode()))
    options = pyarrow.csv.ParseOptions(newlines_in_values=True)
    table = pyarrow.csv.read_csv(io.BytesIO("".join(export_text(store, "csv")).encode()), parse_options=options)
    assert lines.column_names == table.column_names == [*EXPORT_COLUMNS]
    assert lines["content"].to_pylist()[0] == table["content"].to_pylist()[0] == ODD


def test_an_export_reads_in_batches():
    """The store may change in between; each memory comes once."""
    with MemoryStore(":memory:") as store:
        with store.transaction():
            for number in range(1_201):
                store.add(claim(f"m{number}", content=f"Claim {number}", source_ids=()), time=NOON)
        rows = export_memories(store)
        first = next(rows)["id"]
        store.erase("m499", "anna", time=NOON)
        store.erase("m500", "anna", time=NOON)
        names = [first, *(row["id"] for row in rows)]
    assert names == [f"m{number}" for number in range(1_201) if number != 500]


def test_an_unknown_format_is_an_error(store):
    """The message lists those that exist."""
    with pytest.raises(ValueError, match='file_format must be one of "jsonl", "csv"'):
        next(export_text(store, "xml"))
