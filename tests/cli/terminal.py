"""A pseudo-terminal to run the command on, as a person would."""

import errno
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from collections.abc import Mapping
from pathlib import Path

from cli.command import COMMAND, environment

CONTROL_SEQUENCE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def run_on_terminal(*args: str, cwd: Path, columns: int = 100, env: Mapping[str, str] | None = None) -> tuple[int, str]:
    """Return exit code and everything that the terminal got, output and errors together."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    child = subprocess.Popen(
        [*COMMAND, *args],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=cwd,
        env=environment({"TERM": "xterm-256color", **(env or {})}),
    )
    os.close(theirs)
    screen = b"".join(iter(lambda: _read(ours), b""))
    os.close(ours)
    return child.wait(timeout=60), screen.decode("utf-8").replace("\r\n", "\n")


def _read(descriptor: int) -> bytes:
    """Return the next bytes, or none once the child has closed its end."""
    try:
        return os.read(descriptor, 65536)
    except OSError as error:
        if error.errno == errno.EIO:
            return b""
        raise
