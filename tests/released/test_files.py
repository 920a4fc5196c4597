"""Caches and checkpoints that each release has written are used by this version, or refused with a reason."""

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from bulk.corpora import json_lines, read, rows
from groundwire import __version__
from groundwire.bulk import BulkError, BulkStopped, ground_file
from groundwire.embedding import CachedEmbedder
from groundwire.judge.cache import JudgementCache, cache_key
from judge.cases import FIELDS
from released import stored

TEXTS = ["one", "two", "", "drei Wörter hier"]
REQUEST = {"model": "strong", "messages": [{"role": "user", "content": "Is the bridge grey?"}]}
ROWS = rows(40)
LIMITS = {"partition_rows": 10, "memory_bytes": 1 << 14, "workers": 1}
# A time of change that every copy of the input gets: the checkpoint has it.
MODIFIED_NS = 1_772_366_400_000_000_000


class Lengths:
    """An embedder that must not be asked for a text that it has embedded before."""

    name = "lengths"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encode(self, texts: list[str]) -> list[list[float]]:
        """Return a vector for each text."""
        self.asked += texts
        return [[float(len(text)), 0.5] for text in texts]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with an input of rows, whose time of change is fixed."""
    source = tmp_path / "in.jsonl"
    source.write_bytes(json_lines(ROWS))
    os.utime(source, ns=(MODIFIED_NS, MODIFIED_NS))
    return tmp_path


def ground(folder: Path, **options: object) -> list[object]:
    """Ground the rows of *folder*, or what is missing; return the reports of progress."""
    steps: list[object] = []
    ground_file(folder / "in.jsonl", folder / "out.jsonl", on_progress=steps.append, **(LIMITS | options))
    return steps


def contents(checkpoint: Path) -> dict[str, bytes]:
    """Return the content of all files of a checkpoint, except the lock with the id of the process that looks."""
    return {path.name: path.read_bytes() for path in checkpoint.iterdir() if path.name != "lock"}


def test_new_files_are_used_again(folder):
    """GROUNDWIRE_RELEASE=0.2.0 with this test writes the files of that release."""
    vectors, judgements = folder / "vectors.sqlite3", folder / "judgements"
    CachedEmbedder(Lengths(), vectors).encode(TEXTS)
    JudgementCache(judgements).write(cache_key(REQUEST), FIELDS)
    seen: list[object] = []
    with pytest.raises(BulkStopped):
        ground_file(
            *(folder / "in.jsonl", folder / "out.jsonl"),
            **{**LIMITS, "on_progress": seen.append, "should_stop": lambda: len(seen) >= 2},
        )
    checkpoint, target = folder / "out.jsonl.groundwire", stored.folder_to_write()
    if target is not None:
        (target / "vectors.sql").write_text(stored.dump_sqlite(str(vectors)), encoding="utf-8")
        for source in (judgements, checkpoint):
            shutil.copytree(source, target / source.name, dirs_exist_ok=True)
        set_header(target / checkpoint.name, path="in.jsonl")
    kept = finished_partitions(checkpoint)
    assert kept + len(ground(folder)) == len(ground(folder, resume=False))


@pytest.mark.parametrize("version", stored.RELEASES)
def test_vectors_of_a_release_are_found(version, tmp_path):
    """No text is embedded again."""
    path = tmp_path / "vectors.sqlite3"
    stored.restore_sqlite((stored.ROOT / version / "vectors.sql").read_text(encoding="utf-8"), str(path))
    inner = Lengths()
    embedder = CachedEmbedder(inner, path)
    np.testing.assert_array_equal(embedder.encode(TEXTS), np.float32(Lengths().encode(TEXTS)))
    assert (inner.asked, embedder.hits, embedder.corrupt, embedder.failures) == ([], len(TEXTS), 0, 0)


@pytest.mark.parametrize("version", stored.RELEASES)
def test_judgements_of_a_release_are_found(version, tmp_path):
    """Nobody pays again for the same request."""
    shutil.copytree(stored.ROOT / version / "judgements", tmp_path / "judgements")
    for path in (tmp_path / "judgements").rglob("*.json"):
        # Git keeps no mode, and a file that others may write is not trusted.
        path.chmod(0o600)
    assert JudgementCache(tmp_path / "judgements").read(cache_key(REQUEST)) == FIELDS


def finished_partitions(checkpoint: Path) -> int:
    """Return the number of partitions that a checkpoint has."""
    return len((checkpoint / "partitions.jsonl").read_bytes().splitlines())


def set_header(checkpoint: Path, path: Path | str, **changes: str) -> None:
    """Set the path of the input in the header of a checkpoint, and other fields."""
    header = json.loads((checkpoint / "header.json").read_bytes())
    (source,) = header["inputs"]
    source["path"] = str(path)
    (checkpoint / "header.json").write_text(json.dumps(header | changes, indent=1) + "\n", encoding="utf-8")


def copy_checkpoint(version: str, folder: Path, engine: str) -> Path:
    """Copy the checkpoint of a release to *folder* as if *engine* had started it there, and return its folder."""
    target = folder / "out.jsonl.groundwire"
    shutil.copytree(stored.ROOT / version / target.name, target)
    set_header(target, folder / "in.jsonl", engine=engine, arrow=pa.__version__)
    return target


@pytest.mark.parametrize("version", stored.RELEASES)
def test_a_checkpoint_of_a_release_has_the_form_of_today(version, folder):
    """With the versions of today in its header, the run resumes: finished partitions are not made again."""
    kept = finished_partitions(copy_checkpoint(version, folder, __version__))
    assert kept > 0
    made = ground(folder)
    assert [row["number"] for row in read(folder / "out.jsonl")] == list(range(len(ROWS)))
    assert kept + len(made) == len(ground(folder, resume=False))


@pytest.mark.parametrize("version", stored.RELEASES)
@pytest.mark.parametrize("engine", ["0.0.1", "99.0.0"], ids=["of-the-past", "of-the-future"])
def test_a_checkpoint_of_another_version_is_refused_untouched(version, engine, folder):
    """Rows of two versions never end up in one output; a fresh start is one option away."""
    target = copy_checkpoint(version, folder, engine)
    before = contents(target)
    with pytest.raises(BulkError, match=rf"a different version: groundwire {engine} with pyarrow") as caught:
        ground(folder)
    assert "starts over" in str(caught.value.hint)
    assert contents(target) == before
    ground(folder, resume=False)
    assert [row["number"] for row in read(folder / "out.jsonl")] == list(range(len(ROWS)))
