"""A pseudo-terminal to run the command on, as a person would."""

import contextlib
import errno
import fcntl
import io
import os
import pty
import re
import struct
import termios
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

from cli.command import run_with_streams

CONTROL_SEQUENCE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def run_on_terminal(*args: str, cwd: Path, columns: int = 100, env: Mapping[str, str] | None = None) -> tuple[int, str]:
    """Return the exit code and everything that reached the terminal, output and errors together."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    parts: list[bytes] = []
    # A terminal's buffer is small, so the test has to read while the command writes.
    reader = threading.Thread(target=lambda: parts.extend(iter(lambda: _read(ours), b"")))
    reader.start()
    try:
        with _standard_descriptors(theirs):
            streams = [_stream(number, env) for number in range(3)]
            code = run_with_streams(streams, *args, cwd=cwd, env={"TERM": "xterm-256color", **(env or {})})
    finally:
        os.close(theirs)
        reader.join()
        os.close(ours)
    return code, b"".join(parts).decode("utf-8").replace("\r\n", "\n")


def _stream(number: int, env: Mapping[str, str] | None) -> io.TextIOWrapper:
    """Return the standard stream *number* with the encoding of *env*, as an interpreter creates it."""
    encoding = (env or {}).get("PYTHONIOENCODING", "utf-8")
    return io.TextIOWrapper(io.FileIO(number, "w" if number else "r", closefd=False), encoding, write_through=True)


@contextlib.contextmanager
def _standard_descriptors(terminal: int) -> Iterator[None]:
    """Make *terminal* the standard input and output of the process, with its width."""
    kept = [os.dup(number) for number in range(3)]
    try:
        for number in range(3):
            os.dup2(terminal, number)
        yield
    finally:
        for number, descriptor in enumerate(kept):
            os.dup2(descriptor, number)
            os.close(descriptor)


def _read(descriptor: int) -> bytes:
    """Return the next bytes; none after the other end is closed."""
    try:
        return os.read(descriptor, 65536)
    except OSError as error:
        if error.errno == errno.EIO:
            return b""
        raise
