"""Each example runs if its libraries are installed."""

import subprocess
import sys
from pathlib import Path

import pytest

from cli.command import environment
from libraries import need

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.mark.parametrize("name", ["pandas", "polars", "duckdb", "datasets", "daft", "ray"])
def test_example_runs(name, tmp_path):
    """It prints its findings and asserts that they are right."""
    need(name)
    # Their caches go to the test's temporary folder.
    kept = {"HOME": str(tmp_path), "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / f"bulk_{name}.py")], capture_output=True, text=True, env=environment(kept)
    )
    # Ray's own processes write to standard error, and no setting prevents it.
    assert (done.returncode, "" if name == "ray" else done.stderr) == (0, "")
    assert done.stdout


def test_the_corpus_is_the_same_each_time_and_is_grounded(tmp_path):
    """One command makes the corpus, one grounds it; three fifths of the quotes are in their sources."""
    for folder in ("once", "twice"):
        command = [sys.executable, str(EXAMPLES / "bulk_corpus.py"), str(tmp_path / folder), "--rows", "2000"]
        done = subprocess.run([*command, "--transcripts", "5"], capture_output=True, text=True, check=True)
        assert done.stdout == f"2,000 quotes of 5 transcripts in {tmp_path / folder}\n"
    for name in ("quotes.parquet", "transcripts.parquet"):
        assert (tmp_path / "once" / name).read_bytes() == (tmp_path / "twice" / name).read_bytes()
    command = [sys.executable, "-m", "groundwire", "bulk", str(tmp_path / "once" / "quotes.parquet")]
    command += [str(tmp_path / "out.parquet"), "--sources", str(tmp_path / "once" / "transcripts.parquet")]
    done = subprocess.run([*command, "--min-score", "0.5"], capture_output=True, text=True, env=environment())
    assert (done.returncode, done.stderr) == (0, "")
    assert 0.55 < int(done.stdout.split()[0].replace(",", "")) / 2000 < 0.65
