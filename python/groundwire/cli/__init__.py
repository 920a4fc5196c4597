"""
The `groundwire` command.

`main` turns every outcome of a command into an exit code: 0 pass, 1 something
is not grounded, 2 usage or input error, 130 interrupted, 141 standard output
was closed, 143 terminated. Nothing but the standard library is imported before `main` runs, and each command
imports its own module only.

`commands` lists the commands, and each has a module of its name. `app` runs them, and `options` has the options that
they share. `inputs`, `sources`, `quotes`, `answers` and `claims` read files. `factories` builds models and verifiers,
`stores` opens databases, and `output` writes reports.
"""

import contextlib
import os
import sys
from collections.abc import Sequence

from groundwire.cli.commands import COMPLETION_VARIABLE, ERROR, INTERRUPTED, OUTPUT_CLOSED, PASS, overview


def main(argv: Sequence[str] | None = None) -> int:
    """
    Run the command that *argv* names and return its exit code.

    Args:
        argv: Arguments without the program's name; those of the process when None.
    """
    try:
        code = _run(sys.argv[1:] if argv is None else argv)
        # Flush here, where a closed pipe can still be handled.
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        _say("error: interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _discard_stdout()
        return OUTPUT_CLOSED
    return code


def _run(argv: Sequence[str]) -> int:
    """Run a command, and report an error on one line without a traceback."""
    if [*argv] in (["--help"], ["-h"]) and COMPLETION_VARIABLE not in os.environ:
        # Click takes three times as long to load as the interpreter to start, and this needs no parser.
        print(overview())
        return PASS
    import click

    from groundwire.cli.app import run, usage_problem
    from groundwire.errors import GroundwireError

    try:
        return run(argv)
    except click.ClickException as error:
        return _fail(*usage_problem(error))
    except GroundwireError as error:
        return _fail(str(error), getattr(error, "hint", None))
    except BrokenPipeError:
        raise
    except MemoryError:
        return _fail(
            "not enough memory", "check less input at a time; `groundwire bulk` reads large files in partitions"
        )
    except Exception as error:
        if os.environ.get("GROUNDWIRE_TRACEBACK"):
            raise
        # The message stays out: the exception of a library might quote private text.
        return _fail(
            f"unexpected {type(error).__name__} inside groundwire",
            "set GROUNDWIRE_TRACEBACK=1 to see the traceback, which may contain private text",
        )


def _fail(message: str, hint: str | None = None) -> int:
    """Write *message* and *hint* to standard error, each on one line."""
    from groundwire.sanitize import one_line

    _say(f"error: {one_line(message)}")
    if hint is not None:
        _say(f"hint: {one_line(hint)}")
    return ERROR


def _say(line: str) -> None:
    """Write *line* to standard error, unless that is closed."""
    # With `file=None`, print would write to standard output.
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            print(line, file=sys.stderr, flush=True)


def _discard_stdout() -> None:
    """Redirect standard output to the null device, so that the interpreter does not complain at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
