"""A run whose output is behind a URL is ended at any moment, and comes to what an undisturbed one here comes to."""

import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec
import pyarrow.parquet as pq
import pytest

from bulk.corpora import rows, write_parquet
from bulk.object_store import BUCKET, holds_keys
from bulk.test_file_memory import FILE_BYTES, MOST_GROWTH_BYTES, PEAK
from cli.command import environment
from effort import effort
from groundwire.bulk import BulkError, BulkStopped, ground_file
from groundwire.cli import TERMINATED, main

ROWS = rows(120)
# So little that a file becomes several parts.
SMALL = {"part_rows": 30, "memory_bytes": 1 << 20, "workers": 2}
KILLS = effort(4, 20)


def test_a_server_that_goes_while_it_is_read(mortal, tmp_path):
    """What is finished is kept; the error says that it is the way there, and not the file."""
    url = mortal.write("in.parquet", write_parquet(tmp_path / "in.parquet", rows(2000)).read_bytes())
    with pytest.raises(BulkError, match=rf"cannot read `{BUCKET}/in.parquet` to its end: network connection"):
        ground_file(url, tmp_path / "out/", on_progress=lambda _: mortal.end(), **SMALL)
    kept = (tmp_path / "out.groundwire" / "parts.jsonl").read_bytes().count(b"\n")
    assert len(list((tmp_path / "out").iterdir())) == kept > 0


def test_a_server_that_goes_while_it_is_written(mortal, tmp_path):
    """The error says how much is kept there."""
    source = write_parquet(tmp_path / "in.parquet", ROWS)
    with pytest.raises(
        BulkError, match=r"cannot write `s3://.*`: network connection; finished parts are kept: \d"
    ) as error:
        ground_file(source, mortal.url("out/"), on_progress=lambda _: mortal.end(), **SMALL)
    assert not holds_keys(f"{error.value} {error.value.__cause__}")


def half(source: Path, target: str) -> None:
    """Begin a run and stop it after a part."""
    seen: list[object] = []
    with pytest.raises(BulkStopped):
        ground_file(source, target, on_progress=seen.append, should_stop=lambda: bool(seen), **SMALL)


@pytest.mark.parametrize("harm", ["gone", "cut", "changed"])
def test_a_part_that_is_not_as_it_was_written_is_made_anew(store, tmp_path, harm):
    """One that is gone or shorter at once; one that has other bytes of the same length when it is put to the others."""
    source = write_parquet(tmp_path / "in.parquet", ROWS)
    ground_file(source, tmp_path / "out.parquet", **SMALL)
    half(source, store.url(f"{harm}/out.parquet"))
    name = next(name for name in store.names(harm) if "part-" in name)
    content = store.read(f"{harm}/{name}")
    if harm == "gone":
        store.filesystem.delete_file(f"{BUCKET}/{harm}/{name}")
    else:
        store.write(f"{harm}/{name}", content[:-1] if harm == "cut" else content[:-9] + b"x" * 9)
    if harm == "changed":
        with pytest.raises(BulkError, match=r"part \d of .* is not as it was written"):
            ground_file(source, store.url(f"{harm}/out.parquet"), **SMALL)
    ground_file(source, store.url(f"{harm}/out.parquet"), **SMALL)
    assert store.read(f"{harm}/out.parquet") == (tmp_path / "out.parquet").read_bytes()


def test_a_part_that_somebody_takes_away_at_the_end(store, tmp_path):
    """A folder is not called whole unless its parts are there."""
    source = write_parquet(tmp_path / "in.parquet", ROWS)
    target, taken = store.url("away/out/"), f"{BUCKET}/away/out/part-000000.parquet"
    done: list[object] = []

    def take_away(_: object) -> None:
        if not done:
            store.filesystem.delete_file(taken)
        done.append(_)

    with pytest.raises(BulkError, match="were changed by somebody else"):
        ground_file(source, target, on_progress=take_away, workers=1, part_rows=30, memory_bytes=1 << 20)
    assert "out.manifest.json" not in store.names("away")
    ground_file(source, target, **SMALL)
    assert pq.read_table(f"{BUCKET}/away/out", filesystem=store.filesystem).num_rows == len(ROWS)


def test_other_options_are_not_gone_on_with(store, tmp_path):
    """As here; starting over forgets the parts and their manifest, and replaces them."""
    source = write_parquet(tmp_path / "in.parquet", ROWS)
    half(source, store.url("other/out/"))
    with pytest.raises(BulkError, match="other options: mode"):
        ground_file(source, store.url("other/out/"), mode="fuzzy", **SMALL)
    ground_file(source, store.url("other/out/"), **SMALL)
    ground_file(source, store.url("other/out/"), mode="fuzzy", resume=False, part_rows=1000)
    assert store.names("other/out") == ["part-000000.parquet"]
    assert json.loads(store.read("other/out.manifest.json"))["header"]["rule"]["mode"] == "fuzzy"


SENDING = f"""
import sys
from groundwire.bulk.outputs import find_output

{PEAK}

space, _ = find_output(sys.argv[1])
with space.locked():
    aside = space.aside("output")
    with aside.open("wb") as file:
        for _ in range({FILE_BYTES >> 20}):
            file.write(bytes(1 << 20))
    before = peak()
    space.publish(aside)
    print(peak() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc: it tells the peak of memory")
def test_a_file_that_is_sent_is_never_in_memory_as_a_whole(store):
    """However slow the server is: this one takes longer than the disk."""
    command = [sys.executable, "-c", SENDING, store.url("large/out.parquet")]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=True)
    assert int(done.stdout) < MOST_GROWTH_BYTES
    assert store.filesystem.get_file_info(f"{BUCKET}/large/out.parquet").size == FILE_BYTES
    store.delete("large")


def command(arguments: list[str], folder: Path) -> None:
    """What a process does: the command, which leaves its temporary files in *folder* when it is killed."""
    tempfile.tempdir = str(folder)
    sys.exit(main(arguments))


@pytest.mark.parametrize(("name", "number"), [("out.parquet", signal.SIGKILL), ("out/", signal.SIGTERM)])
def test_killed_at_random_moments(store, tmp_path, tmp_path_factory, name, number):
    """After each signal the same command goes on; the bytes are those of an undisturbed run here."""
    given = rows(400)
    source = write_parquet(tmp_path / "in.parquet", given)
    arguments = ["--memory", "32K", "--workers", "2", "--fail-under", "0"]
    assert main(["bulk", str(source), f"{tmp_path}/{name}", *arguments]) == 0
    folder, target = f"killed-{number}", store.url(f"killed-{number}/{name}")
    scratch = tmp_path_factory.mktemp("scratch")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["groundwire.cli.bulk", "groundwire.bulk.job", "pyarrow.parquet", "pyarrow.fs"])
    chance, killed, codes = random.Random(int(number)), 0, set()
    while killed < KILLS:
        process = context.Process(target=command, args=(["bulk", str(source), target, *arguments], scratch))
        process.start()
        process.join(0.2 + 1.5 * chance.random())
        if process.is_alive():
            os.kill(process.pid, number)
            killed += 1
        process.join()
        codes.add(process.exitcode)
        if f"{name.rstrip('/')}.manifest.json" in store.names(folder) and killed < KILLS:
            # It came to its end; the next one begins anew.
            store.delete(folder)
    assert main(["bulk", str(source), target, *arguments]) == 0
    wanted = {
        str(path.relative_to(tmp_path)): path.read_bytes() for path in tmp_path.rglob("out*/*" if "/" in name else name)
    }
    found = {each: store.read(f"{folder}/{each}") for each in store.names(folder)}
    manifest = msgspec.json.decode(found.pop(f"{name.rstrip('/')}.manifest.json"))
    assert found == wanted
    assert sum(part["counts"]["rows"] for part in manifest["parts"]) == len(given)
    assert codes <= {0, -number, TERMINATED}
    assert {-number, TERMINATED} & codes
