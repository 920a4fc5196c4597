"""The commands of `groundwire`, its exit codes, the overview that `groundwire --help` prints, and standard error."""

import contextlib
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

PASS = 0
FOUND = 1
ERROR = 2
INTERRUPTED = 130
OUTPUT_CLOSED = 141
TERMINATED = 143

COMPLETION_VARIABLE = "_GROUNDWIRE_COMPLETE"
"""The shell sets it to bash_source, zsh_source or fish_source to get its script, which sets it to get completions."""

# To add a command, write `groundwire/cli/NAME.py` with a click command `NAME`, and put its name and the first
# sentence of its docstring here. The module imports nothing heavy at the top.
COMMANDS = {
    "check": "Check that quotes appear in their sources.",
    "cite": "Assess the risk of an answer that cites its sources.",
    "ingest": "Decide which claims may be remembered, and store them.",
    "validate": "Compare the claims of personas with the research behind them.",
    "bulk": "Check quotes in files of rows, of any size.",
    "memory": "List, show and revoke memories.",
    "review": "Decide on claims that wait for review.",
    "serve": "Serve the checks over HTTP, as JSON.",
    "mcp": "Serve the checks to an agent (Model Context Protocol).",
    "calibrate": "Recommend a threshold from labelled quotes or claims.",
    "schema": "Print the JSON Schema of a command's JSON report.",
    "bench": "Measure groundwire against other engines on this machine.",
}

_OVERVIEW = """\
Usage: groundwire [OPTIONS] COMMAND [ARGS]...

  Check that what a language model says is grounded in its sources.

Options:
  --version   Print the version and stop.
  -h, --help  Show this message and exit.

Commands:
"""


def overview() -> str:
    """Return the help of `groundwire` itself, with one line for each command."""
    width = max(map(len, COMMANDS))
    return _OVERVIEW + "\n".join(f"  {name:<{width}}  {text}" for name, text in COMMANDS.items())


def print_error(line: str) -> None:
    """Write *line* to standard error; a closed or full one changes no result."""
    # With `file=None`, print would write to standard output.
    if sys.stderr is not None:
        try:
            print(line, file=sys.stderr, flush=True)
        except (OSError, ValueError):
            discard(sys.stderr)


def discard(stream: "TextIO") -> None:
    """Redirect *stream*, which cannot be written, to the null device, so that the interpreter does not fail at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
