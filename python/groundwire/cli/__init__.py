"""
The `groundwire` command.

`main` turns every outcome of a command into an exit code: 0 pass, 1 something
is not grounded, 2 usage or input error, 130 interrupted, 141 standard output
was closed, 143 terminated. Nothing but the standard library is imported before
`main` runs, and each command imports its own module only.

`commands` lists the commands, and each has a module of its name. `app` runs them, and `options` has the options that
they share. `inputs`, `sources`, `quotes`, `answers` and `claims` read files. `factories` builds models and verifiers,
`stores` opens databases, and `output` writes reports.
"""

import os
import sys
from collections.abc import Sequence

from groundwire.cli.commands import (
    COMPLETION_VARIABLE,
    ERROR,
    INTERRUPTED,
    OUTPUT_CLOSED,
    PASS,
    discard,
    overview,
    print_error,
)


def main(argv: Sequence[str] | None = None) -> int:
    """
    Run the command that *argv* names and return its exit code.

    Args:
        argv: Arguments without the program's name; those of the process when None.
    """
    try:
        return _flushed(_run(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt:
        print_error("error: interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        discard(sys.stdout)
        return OUTPUT_CLOSED


def _run(argv: Sequence[str]) -> int:
    """Run a command, and report an error on one line without a traceback."""
    try:
        if [*argv] in (["--help"], ["-h"]) and COMPLETION_VARIABLE not in os.environ:
            # Click takes three times as long to load as the interpreter to start, and this needs no parser.
            print(overview())
            return PASS
        from groundwire.cli.app import run

        return run(argv)
    except BrokenPipeError:
        raise
    except Exception as error:
        return _report(error)


def _flushed(code: int) -> int:
    """Flush standard output, where a closed pipe can still be handled; return *code*, or that of an error."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        discard(sys.stdout)
        # The command may have reported that standard output cannot be written.
        return code if code == ERROR else _report(error)
    return code


def _report(error: Exception) -> int:
    """Write *error* to standard error, and return the exit code."""
    from groundwire.errors import GroundwireError

    if isinstance(error, GroundwireError):
        return _fail(str(error), getattr(error, "hint", None))
    if isinstance(error, MemoryError):
        return _fail(
            "not enough memory", "check less input at a time; `groundwire bulk` reads large files in partitions"
        )
    if os.environ.get("GROUNDWIRE_TRACEBACK"):
        raise error
    if isinstance(error, OSError) and error.errno:
        reason = os.strerror(error.errno)
        name = f"`{error.filename}`: " if isinstance(error.filename, str) else ""
        return _fail(f"{name}{reason[:1].lower()}{reason[1:]}")
    # The message stays out: the exception of a library might quote private text.
    return _fail(
        f"unexpected {type(error).__name__} inside groundwire",
        "set GROUNDWIRE_TRACEBACK=1 to see the traceback, which may contain private text",
    )


def _fail(message: str, hint: str | None = None) -> int:
    """Write *message* and *hint* to standard error, each on one line."""
    from groundwire.sanitize import one_line

    print_error(f"error: {one_line(message)}")
    if hint is not None:
        print_error(f"hint: {one_line(hint)}")
    return ERROR
