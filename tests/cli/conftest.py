"""Fixtures that run the real command and capture its output."""

import contextlib
import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from cli.command import Result, run_here, run_in_process

MEMORY = Path(__file__).resolve().parents[2] / "examples" / "memory"


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Result]:
    """Return a function that runs `groundwire` with arguments in an empty directory, inside this process."""

    def run_command(*args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Result:
        return run_here(*args, cwd=tmp_path, stdin=stdin, env=env)

    return run_command


@pytest.fixture
def run_process(tmp_path: Path) -> Callable[..., Result]:
    """Return the same for a child process, for tests that need a real process."""

    def run_command(*args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Result:
        return run_in_process(*args, cwd=tmp_path, stdin=stdin, env=env)

    return run_command


@pytest.fixture
def interrupted_at(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the reported steps of work; Ctrl-C arrives with the first of them."""
    steps: list[int] = []

    def advance(done: int) -> None:
        steps.append(done)
        if len(steps) == 1:
            signal.raise_signal(signal.SIGINT)

    @contextlib.contextmanager
    def progress(*_: object, **__: object) -> Iterator[Callable[[int], None]]:
        yield advance

    monkeypatch.setattr("groundwire.cli.validate.progress", progress)
    return steps


@pytest.fixture
def bars_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show progress bars with the first step, however short the work is."""
    monkeypatch.setattr("groundwire.cli.output._DELAY_S", 0.0)


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, object], Path]:
    """Return a function that writes a file: bytes and str as they are, anything else as JSON."""

    def write_file(name: str, content: object) -> Path:
        path = tmp_path / name
        if not isinstance(content, bytes | str):
            content = json.dumps(content)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    return write_file


@pytest.fixture
def interview(write: Callable[[str, object], Path]) -> str:
    """Return the name of a small transcript in the working directory."""
    write(
        "interview.txt",
        "Ellie: How do you sleep?\nMax: I can’t sleep at night.\nMax: Work is fine <laughter> really.\n",
    )
    return "interview.txt"


@pytest.fixture(scope="session")
def sample_repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the repository that the sample's claims cite."""
    folder = tmp_path_factory.mktemp("sample") / "repository"
    subprocess.run([sys.executable, str(MEMORY / "make_repository.py"), str(folder)], check=True)
    return folder


@pytest.fixture
def sample(sample_repository: Path) -> list[str]:
    """Return the options of `groundwire ingest` that validate the sample's claims."""
    return [
        *("--file", str(MEMORY / "claims.jsonl"), "--repo", str(sample_repository)),
        *("--adr-dir", str(MEMORY / "adrs"), "--issue-list", str(MEMORY / "issues.txt")),
    ]
