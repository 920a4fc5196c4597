"""Outputs for URLs are made on local disk and uploaded when they are finished: a whole output, or none."""

import contextlib
import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pyarrow.fs as pafs
import pyarrow.parquet as pq
import pytest

from bulk.corpora import rows, write_parquet
from bulk.object_store import BUCKET, holds_keys
from bulk.test_file_memory import FILE_BYTES, MOST_GROWTH_BYTES, PEAK
from cli.command import environment
from effort import effort
from groundwire.bulk import BulkError, BulkStopped, ground_file
from groundwire.bulk.writers import RemoteOutput, find_output
from groundwire.cli import main
from groundwire.cli.commands import TERMINATED

ROWS = rows(120)
# So small that a file becomes several parts.
SMALL = {"partition_rows": 30, "memory_bytes": 1 << 20, "workers": 2}
KILLS = effort(4, 20)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    """Return the current folder, where outputs are made."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def source(tmp_path) -> Path:
    """A file of rows."""
    return write_parquet(tmp_path / "in.parquet", ROWS)


def half(source: Path, target: str) -> None:
    """Start a run and stop it after one part."""
    seen: list[object] = []
    with pytest.raises(BulkStopped):
        ground_file(source, target, on_progress=seen.append, should_stop=lambda: bool(seen), **SMALL)


def test_a_server_that_ends_while_it_is_read(mortal, source):
    """Finished parts are kept; the error names the network, and not the file."""
    url = mortal.write("in.parquet", write_parquet(source, rows(2000)).read_bytes())
    with pytest.raises(BulkError, match=rf"cannot read `{BUCKET}/in.parquet` to its end: network connection"):
        ground_file(url, "out/", on_progress=lambda _: mortal.end(), **SMALL)
    kept = Path("out.groundwire/partitions.jsonl").read_bytes().count(b"\n")
    assert len(list(Path("out").iterdir())) == kept > 0


@pytest.mark.parametrize("name", ["out.parquet", "out/"])
def test_an_upload_that_fails_is_done_by_the_next_call(mortal, store, source, name):
    """The finished output stays on local disk, and no row is grounded again."""
    with pytest.raises(BulkError, match=r"cannot write `s3://.*`: network connection; the finished output") as error:
        ground_file(source, mortal.url(f"fails/{name}"), on_progress=lambda _: mortal.end(), **SMALL)
    assert error.value.hint == "the same call uploads it"
    assert not holds_keys(f"{error.value} {error.value.__cause__}")
    again: list[object] = []
    summary = ground_file(source, store.url(f"fails/{name}"), on_progress=again.append, **SMALL)
    assert (again, summary.counts.rows) == ([], len(ROWS))
    assert pq.read_table(f"{BUCKET}/fails/{name}", filesystem=store.filesystem).num_rows == len(ROWS)
    assert [path.name for path in Path().iterdir() if path.name.startswith("_")] == []
    store.delete("fails")


def test_a_url_that_cannot_be_written_is_found_before_the_work(store, source, folder):
    """No row is grounded for a bucket that does not exist, and nothing stays on local disk."""
    nowhere = store.url("out.parquet").replace(f"@{BUCKET}", "@elsewhere")
    seen: list[object] = []
    with pytest.raises(BulkError, match=r"cannot write `s3://elsewhere/out.parquet`: no such bucket"):
        ground_file(source, nowhere, on_progress=seen.append, **SMALL)
    assert seen == []
    assert [path.name for path in folder.iterdir()] == ["in.parquet"]


def test_a_stopped_run_is_resumed_from_local_disk(store, source):
    """Nothing is in the store before the output is finished."""
    half(source, store.url("stopped/out.parquet"))
    assert store.names("stopped") == []
    ground_file(source, "out.parquet", **SMALL)
    again: list[object] = []
    summary = ground_file(source, store.url("stopped/out.parquet"), on_progress=again.append, **SMALL)
    assert 0 < len(again) < summary.partitions
    assert store.read("stopped/out.parquet") == Path("out.parquet").read_bytes()


def test_another_option_is_not_resumed(store, source):
    """Starting over replaces the parts and the manifest."""
    half(source, store.url("other/out/"))
    with pytest.raises(BulkError, match="mode"):
        ground_file(source, store.url("other/out/"), mode="fuzzy", **SMALL)
    ground_file(source, store.url("other/out/"), **SMALL)
    assert len(store.names("other/out")) > 1
    with pytest.raises(BulkError, match="mode"):
        ground_file(source, store.url("other/out/"), mode="fuzzy", **SMALL)
    ground_file(source, store.url("other/out/"), mode="fuzzy", resume=False, partition_rows=1000)
    assert store.names("other/out") == ["part-000000.parquet"]
    assert json.loads(store.read("other/out.manifest.json"))["header"]["policy"]["mode"] == "fuzzy"


def test_two_runs_for_one_url(store, source):
    """The second one on this machine names the process of the first."""
    target = store.url("two/out.parquet")
    with (
        find_output(target).checkpoint.locked(),
        pytest.raises(
            BulkError, match=rf"another run \(process {os.getpid()}\) writes `s3://{BUCKET}/two/out.parquet`"
        ),
    ):
        ground_file(source, target)
    assert store.names("two") == []


def test_an_object_that_is_cut_off(folder, monkeypatch):
    """The error says how much has arrived, and the finished output stays on local disk."""
    made = find_output("made.jsonl").checkpoint
    made.output.write_bytes(b"a whole output")
    made.manifest.write_bytes(b"{}")
    monkeypatch.setattr(pafs, "copy_files", lambda path, to, **_: Path(to).write_bytes(Path(path).read_bytes()[:7]))
    remote = RemoteOutput(pafs.LocalFileSystem(), str(folder / "there.jsonl"), "s3://b/there.jsonl", is_folder=False)
    with pytest.raises(BulkError, match=r"there\.jsonl`: 7 of 14 bytes have arrived; the finished output is kept"):
        remote.upload(made)
    assert made.output.exists()


def test_the_folder_where_an_output_is_made(store, source, folder):
    """It can be chosen, must exist, and is for URLs only."""
    (folder / "work").mkdir()
    target = store.url("work/out.parquet")
    with pytest.raises(BulkStopped):
        ground_file(source, target, work_dir=folder / "work", should_stop=lambda: True, **SMALL)
    assert len(list((folder / "work").iterdir())) == 1
    ground_file(source, target, work_dir=folder / "work", **SMALL)
    assert list((folder / "work").iterdir()) == []
    with pytest.raises(BulkError, match="there is no folder"):
        ground_file(source, target, work_dir=folder / "none")
    with pytest.raises(ValueError, match="work_dir is for an output behind a URL"):
        ground_file(source, "out.parquet", work_dir=folder / "work")


UPLOADING = f"""
import sys
from groundwire.bulk.writers import RemoteOutput, find_output

{PEAK}

output = find_output(sys.argv[1])
with output.checkpoint.output.open("wb") as file:
    for _ in range({FILE_BYTES >> 20}):
        file.write(bytes(1 << 20))
output.checkpoint.manifest.write_bytes(b"{{}}")
before = peak()
output.remote.upload(output.checkpoint)
print(peak() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc: it tells the peak of memory")
def test_a_file_that_is_uploaded_is_never_in_memory_as_a_whole(store):
    """However slow the server is: this one takes longer than the disk."""
    command = [sys.executable, "-c", UPLOADING, store.url("large/out.parquet")]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=True)
    assert int(done.stdout) < MOST_GROWTH_BYTES
    assert store.filesystem.get_file_info(f"{BUCKET}/large/out.parquet").size == FILE_BYTES
    store.delete("large")


def command(arguments: list[str]) -> None:
    """Run the command in a child process."""
    sys.exit(main(arguments))


@pytest.mark.parametrize(("name", "number"), [("out.parquet", signal.SIGKILL), ("out/", signal.SIGTERM)])
def test_killed_at_random_moments(store, folder, name, number):
    """After each signal the same command resumes; every object is whole, and has the bytes of an undisturbed run."""
    given = rows(400)
    source = write_parquet(folder / "in.parquet", given)
    arguments = ["--memory-limit", "32K", "--workers", "2", "--min-score", "0"]
    assert main(["bulk", str(source), f"{folder}/{name}", *arguments]) == 0
    wanted = {
        str(path.relative_to(folder)): path.read_bytes() for path in folder.glob("out/*" if "/" in name else name)
    }
    place, target = f"killed-{number}", store.url(f"killed-{number}/{name}")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["groundwire.cli.bulk", "groundwire.bulk.job", "pyarrow.parquet", "pyarrow.fs"])
    chance, killed, codes = random.Random(int(number)), 0, set()
    while killed < KILLS:
        process = context.Process(target=command, args=(["bulk", str(source), target, *arguments],))
        process.start()
        process.join(0.2 + 1.5 * chance.random())
        if process.is_alive():
            # It may have ended just now, and the server of forks has collected it.
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, number)
            killed += 1
        process.join()
        codes.add(process.exitcode)
        assert all(store.read(f"{place}/{each}") == wanted[each] for each in store.names(place) if each in wanted)
        if f"{name.rstrip('/')}.manifest.json" in store.names(place) and killed < KILLS:
            # The run finished; the next one starts over.
            store.delete(place)
    assert main(["bulk", str(source), target, *arguments]) == 0
    found = {each: store.read(f"{place}/{each}") for each in store.names(place)}
    manifest = msgspec.json.decode(found.pop(f"{name.rstrip('/')}.manifest.json"))
    assert found == wanted
    assert sum(part["counts"]["rows"] for part in manifest["partitions"]) == len(given)
    assert codes <= {0, -number, TERMINATED}
    assert {-number, TERMINATED} & codes
