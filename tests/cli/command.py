"""How the tests start the real command, and what a run leaves."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

COMMAND = [sys.executable, "-m", "groundwire"]


class Result(NamedTuple):
    """How a run ended."""

    code: int
    stdout: str
    stderr: str

    @property
    def report(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.stdout)


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return this process's environment without what changes output, and with *extra*."""
    dropped = {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "GROUNDWIRE_TRACEBACK", "TTY_COMPATIBLE"}
    return {name: value for name, value in os.environ.items() if name not in dropped} | dict(extra or {})


def interrupted(*args: str, cwd: Path, after_s: float) -> Result:
    """Return how a run ends that Ctrl-C hits after so many seconds; it has to be at work then."""
    child = subprocess.Popen(
        [*COMMAND, *args], cwd=cwd, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        try:
            child.wait(after_s)
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGINT)
        output, errors = child.communicate(timeout=60)
    finally:
        child.kill()
    return Result(child.returncode, output.decode("utf-8"), errors.decode("utf-8"))
