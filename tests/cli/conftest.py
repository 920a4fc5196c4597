"""Run the real command and look at what comes out."""

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
    """A function that runs `groundwire` with arguments in an empty directory, inside this process."""

    def run_command(*args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Result:
        return run_here(*args, cwd=tmp_path, stdin=stdin, env=env)

    return run_command


@pytest.fixture
def run_process(tmp_path: Path) -> Callable[..., Result]:
    """The same in a process of its own: for tests of what only a process has."""

    def run_command(*args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Result:
        return run_in_process(*args, cwd=tmp_path, stdin=stdin, env=env)

    return run_command


@pytest.fixture
def interrupted_at(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The steps of work that was told of; Ctrl-C comes with the first of them."""
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
    """Progress bars that appear with the first step, however short the work is."""
    monkeypatch.setattr("groundwire.cli.output._DELAY_S", 0.0)


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
        *("--adr-dir", str(MEMORY / "adrs"), "--issue-list", str(MEMORY / "issues.txt")),
    ]
