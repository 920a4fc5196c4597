"""Run programs in a child process with limits on memory and time, which bound the cost of an attack."""

import resource
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

__all__ = ["DEADLINE_S", "MEMORY_BYTES", "Done", "run_groundwire", "run_limited", "run_python"]

DEADLINE_S = 120.0
"""Nothing here takes a tenth of this; what does not end by itself ends with it."""

MEMORY_BYTES = 3 << 30
"""The address space of a command that reads hostile files."""


class Done(NamedTuple):
    """Holds the exit code of a process, and what it printed to both streams."""

    code: int
    out: str
    error: str


def run_limited(command: list[str], *, memory_bytes: int, deadline_s: float = DEADLINE_S, **options) -> Done:
    """Run *command* with *memory_bytes* of address space for each of its processes; AssertionError if it hangs."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    options.setdefault("stdin", subprocess.DEVNULL)
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=limit,
        **options,
    )
    try:
        out, error = process.communicate(timeout=deadline_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise AssertionError(f"still running after {deadline_s:g} s") from None
    return Done(process.returncode, out.decode("utf-8", "replace"), error.decode("utf-8", "replace"))


def run_python(program: str, *arguments: str | Path, memory_bytes: int, **options) -> Done:
    """Run a program of Python, as `run_limited` does."""
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return run_limited(command, memory_bytes=memory_bytes, **options)


def run_groundwire(*arguments: str | Path, **options) -> Done:
    """Run the command with `MEMORY_BYTES` of address space, as `run_limited` does."""
    return run_limited([sys.executable, "-m", "groundwire", *map(str, arguments)], memory_bytes=MEMORY_BYTES, **options)
