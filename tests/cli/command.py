"""How the tests start the real command, and what a run leaves."""

import json
import os
import sys
from collections.abc import Mapping
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
