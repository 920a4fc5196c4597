"""Run the real command in a process of its own and look at what comes out."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from cli.command import COMMAND, Result, environment

MEMORY = Path(__file__).resolve().parents[2] / "examples" / "memory"


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Result]:
    """A function that runs `groundwire` with arguments in an empty directory."""

    def run_command(*args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Result:
        done = subprocess.run(
            [*COMMAND, *args], input=stdin, capture_output=True, cwd=tmp_path, env=environment(env), timeout=60
        )
        return Result(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))

    return run_command


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, object], Path]:
    """A function that writes a file: bytes and str as they are, anything else as JSON."""

    def write_file(name: str, content: object) -> Path:
        path = tmp_path / name
        if not isinstance(content, bytes | str):
            content = json.dumps(content)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    return write_file


@pytest.fixture
def interview(write: Callable[[str, object], Path]) -> str:
    """The name of a small transcript in the working directory."""
    write(
        "interview.txt",
        "Ellie: How do you sleep?\nMax: I can’t sleep at night.\nMax: Work is fine <laughter> really.\n",
    )
    return "interview.txt"


@pytest.fixture(scope="session")
def sample_repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository that the sample's claims cite."""
    folder = tmp_path_factory.mktemp("sample") / "repository"
    subprocess.run([sys.executable, str(MEMORY / "make_repository.py"), str(folder)], check=True)
    return folder


@pytest.fixture
def sample(sample_repository: Path) -> list[str]:
    """The options of `groundwire ingest` that validate the sample's claims."""
    return [
        *("--file", str(MEMORY / "claims.jsonl"), "--repo", str(sample_repository)),
        *("--adr", str(MEMORY / "adrs"), "--issues", str(MEMORY / "issues.txt")),
    ]
