"""Behind URLs as here: nothing that is read is written over, and what has changed is not told as whole."""

import pytest

from bulk.corpora import json_lines, rows
from bulk.object_store import BUCKET
from groundwire.bulk import BulkError, ground_file

ROWS = rows(60)
SMALL = {"part_rows": 20, "memory_bytes": 1 << 14, "workers": 2}


@pytest.fixture(autouse=True)
def _in_folder(tmp_path, monkeypatch):
    """Outputs for URLs are made in the current folder."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("given", "target", "words"),
    [
        ("apart/in", "apart/in/out.jsonl", "it lies in the input"),
        ("apart/in/*.jsonl", "apart/in/out/", "it lies in the input"),
        ("apart/in/a.jsonl", "apart/in/a.jsonl", "is, or holds, one of the inputs"),
        ("apart/in", "apart", "is, or holds, one of the inputs"),
        ("apart/in", "apart/sources.jsonl", "is, or holds, the table of sources"),
    ],
)
def test_an_output_over_what_is_read(store, given, target, words):
    """It is refused before anything is written, also where it is asked to start over."""
    store.write("apart/in/a.jsonl", json_lines([{"quote": "a", "source": "1"}]))
    table = store.write("apart/sources.jsonl", json_lines([{"id": "1", "text": "a"}]))
    with pytest.raises(BulkError, match=words):
        ground_file(store.url(given), store.url(target), sources=table, resume=False)
    assert store.names("apart") == ["in/a.jsonl", "sources.jsonl"]


@pytest.mark.parametrize("name", ["out.jsonl", "out/"])
def test_a_finished_output_that_has_changed(store, tmp_path, name):
    """A part that is gone, or a file that is another one now: the old figures are not told."""
    (tmp_path / "in.jsonl").write_bytes(json_lines(ROWS))
    target = store.url(f"changed/{name}")
    first = ground_file(tmp_path / "in.jsonl", target, **SMALL)
    assert ground_file(tmp_path / "in.jsonl", target, **SMALL) == first
    if name == "out/":
        store.filesystem.delete_file(f"{BUCKET}/changed/out/part-000001.jsonl")
    else:
        store.write(f"changed/{name}", b"{}\n")
    with pytest.raises(BulkError, match="is there already, and is not what was made of this"):
        ground_file(tmp_path / "in.jsonl", target, **SMALL)
    again = ground_file(tmp_path / "in.jsonl", target, resume=False, **SMALL)
    assert again.counts == first.counts
