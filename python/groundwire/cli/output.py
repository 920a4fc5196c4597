"""Writing: to standard output, or to a file that is either whole or not there."""

import os
import sys
from pathlib import Path

from groundwire.cli.inputs import STDIN
from groundwire.cli.problems import CommandError
from groundwire.private_files import open_private, take_place_of

STDOUT = "-"


def check_target(path: str, inputs: list[str]) -> None:
    """
    Check before the work that *path* can become the output.

    Raises:
        CommandError: It is a directory, its directory is missing, or it is one
            of the *inputs*, which would be overwritten.
    """
    target = Path(path)
    if path == STDOUT:
        return
    if target.is_dir():
        raise CommandError(f"cannot write `{path}`: it is a directory")
    if not target.parent.is_dir():
        raise CommandError(f"cannot write `{path}`: there is no directory `{target.parent}`")
    for source in inputs:
        if source != STDIN and target.is_file() and Path(source).exists() and target.samefile(source):
            raise CommandError(f"cannot write `{path}`: it is one of the inputs")


def write_stdout(text: str) -> None:
    """
    Write *text* to standard output, as UTF-8 unless it is a terminal of another encoding.

    Raises:
        BrokenPipeError: The reader went away.
        CommandError: It cannot be written for another reason.
    """
    if sys.stdout is None:
        raise CommandError("cannot write `<stdout>`: it is closed")
    try:
        sys.stdout.flush()
        encoding = sys.stdout.encoding if sys.stdout.isatty() else "utf-8"
        sys.stdout.buffer.write(text.encode(encoding, "backslashreplace"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _unwritable("<stdout>", error) from None


def write_file(path: str, text: str, *, is_private: bool = True) -> None:
    """
    Write *text* to *path* as UTF-8, atomically: a reader sees the old file or the new one.

    A symbolic link stays one; its target is replaced. Devices and pipes are
    written to as they are.

    Args:
        path: The file. One that exists keeps its mode.
        text: What it shall hold.
        is_private: Whether a new file has mode 0600, for the text may quote what is private; else it has the mode
            that new files have here.

    Raises:
        CommandError: It cannot be written. Nothing is left behind.
    """
    content = text.encode("utf-8", "backslashreplace")
    target = Path(os.path.realpath(path))
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(content)
        else:
            _replace(target, content, is_private)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _unwritable(path, error) from None


def _replace(target: Path, content: bytes, is_private: bool) -> None:
    """Write *content* beside *target*, then put it in its place with its permissions."""
    beside = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with open_private(beside, "xb") if is_private else beside.open("xb") as file:
            file.write(content)
        take_place_of(target, beside)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _unwritable(path: str, error: OSError) -> CommandError:
    """Return the error for a *path* that cannot be written."""
    return CommandError(f"cannot write `{path}`: {(error.strerror or type(error).__name__).lower()}")
