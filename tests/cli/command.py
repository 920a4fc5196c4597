"""Run the real command in tests, and return its outcome."""

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple, TextIO

from groundwire.cli import main
from waits import PATIENCE_S

COMMAND = [sys.executable, "-m", "groundwire"]


class Result(NamedTuple):
    """Holds the exit code and the output of a run."""

    code: int
    stdout: str
    stderr: str

    @property
    def report(self) -> Any:
        """Return standard output as JSON."""
        return json.loads(self.stdout)


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return this process's environment without what changes output, and with *extra*."""
    dropped = {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "GROUNDWIRE_TRACEBACK", "TTY_COMPATIBLE"}
    return {name: value for name, value in os.environ.items() if name not in dropped} | dict(extra or {})


def run_in_process(*args: str, cwd: Path, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Result:
    """Run the command in a child process."""
    done = subprocess.run(
        [*COMMAND, *args], input=stdin, capture_output=True, cwd=cwd, env=environment(env), timeout=PATIENCE_S
    )
    return Result(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))


def run_here(*args: str, cwd: Path, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Result:
    """
    Run the command in this process, which costs milliseconds instead of an interpreter's start.

    Directory, environment and the three standard streams are the run's own, and are
    restored afterwards. The streams are files, because the command may ask for a descriptor.
    """
    with contextlib.ExitStack() as stack:
        files = [stack.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
        files[0].write(stdin)
        files[0].seek(0)
        streams = [io.TextIOWrapper(file, encoding="utf-8", write_through=True) for file in files]
        code = run_with_streams(streams, *args, cwd=cwd, env=env)
        output, errors = (_written(file) for file in files[1:])
        for stream in streams:
            stream.detach()
    return Result(code, output, errors)


def run_with_streams(streams: Sequence[TextIO], *args: str, cwd: Path, env: Mapping[str, str] | None = None) -> int:
    """Run the command in this process with these standard streams and return its exit code."""
    ours, folder = dict(os.environ), Path.cwd()
    standard = sys.stdin, sys.stdout, sys.stderr
    try:
        os.chdir(cwd)
        _replace_environment(environment(env))
        sys.stdin, sys.stdout, sys.stderr = streams
        return main([*args])
    finally:
        sys.stdin, sys.stdout, sys.stderr = standard
        _replace_environment(ours)
        os.chdir(folder)


def _replace_environment(wanted: Mapping[str, str]) -> None:
    """Make *wanted* the environment of this process."""
    os.environ.clear()
    os.environ.update(wanted)


def _written(file: IO[bytes]) -> str:
    """Return the whole content of *file*."""
    file.seek(0)
    return file.read().decode("utf-8")
