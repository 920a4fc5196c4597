"""A run that is killed at any moment can be resumed, and its output is that of an undisturbed run."""

import contextlib
import json
import multiprocessing
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

import pytest

from bulk.corpora import json_lines, read, rows, write_parquet
from effort import effort
from groundwire.cli import main
from groundwire.cli.commands import TERMINATED

KILLS = int(os.environ.get("GROUNDWIRE_BULK_KILLS", effort(8, 60)))
ROWS = 800
# So small that each row group, or a few lines, become a part.
MEMORY = "16K"


def command(arguments: list[str]) -> None:
    """Run the command in a child process."""
    sys.exit(main(arguments))


@pytest.fixture(scope="module")
def processes():
    """Return a launcher whose processes have everything loaded, so that a hundred of them start quickly."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(
        ["groundwire.cli.bulk", "groundwire.bulk.job", "groundwire.report.bulk", "pyarrow.parquet"]
    )
    return context


def start(processes, source: Path, target: Path):
    """Start a process that grounds *source*."""
    arguments = ["bulk", str(source), str(target), "--memory-limit", MEMORY, "--workers", "2", "--min-score", "0"]
    process = processes.Process(target=command, args=(arguments,))
    process.start()
    return process


def journal_lines(target: Path) -> int:
    """Return the number of finished parts."""
    try:
        return (target.with_name(f"{target.name}.groundwire") / "partitions.jsonl").read_bytes().count(b"\n")
    except FileNotFoundError:
        return 0


def wait_for_parts(process, target: Path, wanted: int) -> None:
    """Wait until *wanted* parts are finished, or the process has ended."""
    while process.is_alive() and journal_lines(target) < wanted:
        time.sleep(0.0005)


def without_times(manifest: Path) -> dict:
    """Return a manifest without its times."""
    told = json.loads(manifest.read_bytes())
    for part in told["partitions"]:
        del part["seconds"]
    del told["summary"]["busy_seconds"], told["summary"]["slowest"]
    return told


@pytest.fixture
def folder(tmp_path: Path):
    """Return a folder, in memory if possible, because each part waits for the disk."""
    memory = Path("/dev/shm")
    made = Path(tempfile.mkdtemp(dir=memory)) if memory.is_dir() else tmp_path
    yield made
    if made != tmp_path:
        shutil.rmtree(made)


def make_source(folder: Path, suffix: str) -> Path:
    """Return a file of rows that becomes dozens of parts."""
    path = folder / f"in{suffix}"
    if suffix == ".parquet":
        return write_parquet(path, rows(ROWS))
    path.write_bytes(json_lines(rows(ROWS)).replace(b"\n", b"\nbroken\n", 3))
    return path


@pytest.mark.parametrize(("suffix", "number"), [(".parquet", signal.SIGKILL), (".jsonl", signal.SIGTERM)])
def test_killed_at_random_moments(processes, folder, suffix, number):
    """After each signal the same command resumes; the bytes are those of an undisturbed run."""
    source = make_source(folder, suffix)
    (folder / "undisturbed").mkdir()
    target, undisturbed = folder / f"out{source.suffix}", folder / "undisturbed" / f"out{source.suffix}"
    process = start(processes, source, undisturbed)
    process.join()
    assert process.exitcode == 0
    chance = random.Random(int(number))
    killed = 0
    codes = set()
    while killed < KILLS:
        process = start(processes, source, target)
        wait_for_parts(process, target, journal_lines(target) + chance.randrange(6))
        # Signals also come when nothing is written: at the start, inside a part, or during the final merge.
        time.sleep(chance.random() * 0.03)
        if process.is_alive():
            # It may have ended just now, and the server of forks has collected it.
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, number)
            killed += 1
        process.join()
        codes.add(process.exitcode)
        if target.exists() and killed < KILLS:
            # The run finished; the next one starts over.
            assert target.read_bytes() == undisturbed.read_bytes()
            for path in folder.glob("out.*"):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
    process = start(processes, source, target)
    process.join()
    assert process.exitcode == 0
    assert target.read_bytes() == undisturbed.read_bytes()
    assert (
        without_times(folder / f"{target.name}.manifest.json")["partitions"]
        == (without_times(undisturbed.with_name(f"{target.name}.manifest.json"))["partitions"])
    )
    assert {path.name for path in folder.glob("out.*")} == {path.name for path in undisturbed.parent.iterdir()}
    assert [row["number"] for row in read(target)] == list(range(ROWS))
    assert codes <= {0, -number, TERMINATED}
    assert {-number, TERMINATED} & codes
