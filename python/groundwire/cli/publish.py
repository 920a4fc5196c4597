"""A finished report in the form that was asked for, put where it was asked for."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar, get_args

from groundwire.cli.output import STDOUT, write_file, write_stdout
from groundwire.cli.problems import choose

if TYPE_CHECKING:
    from rich.console import Console

ReportFormat: TypeAlias = Literal["text", "json", "jsonl", "markdown", "html"]
FORMATS: tuple[ReportFormat, ...] = get_args(ReportFormat)
_Format = TypeVar("_Format", bound=str)

BY_SUFFIX: dict[str, ReportFormat] = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".md": "markdown",
    ".htm": "html",
    ".html": "html",
}

# Below this width the columns leave no room for text; the plain report reads better.
_MIN_WIDTH = 60


def format_of(name: str | None, output: str) -> ReportFormat:
    """
    Return the format called *name*, or else the one that the suffix of *output* suggests.

    Raises:
        CommandError: There is no such format.
    """
    if name is not None:
        return choose("--format", name, FORMATS)
    return BY_SUFFIX.get(Path(output).suffix.lower(), "text")


def publish(
    render: Callable[[_Format], str],
    print_on: "Callable[[Console], None]",
    report_format: _Format,
    output: str,
) -> None:
    """
    Write a report to the file *output*, or to standard output for `-`.

    On a terminal, text is a table with colour; anywhere else it is plain.

    Args:
        render: Returns the report in a form.
        print_on: Prints it as a table.
        report_format: The form that was asked for.
        output: Where it goes.
    """
    if output != STDOUT:
        write_file(output, render(report_format))
    elif not (report_format == "text" and _print_in_colour(print_on)):
        write_stdout(render(report_format))


def _print_in_colour(print_on: "Callable[[Console], None]") -> bool:
    """Print a report as a table if standard output is a terminal with room for one; say whether it was."""
    if os.environ.get("TERM") == "dumb" or sys.stdout is None or not sys.stdout.isatty():
        return False
    from rich.console import Console

    # NO_COLOR asks for no colour; without any control sequence there is also
    # no bold or dim that a terminal might show as one.
    console = Console(
        color_system=None if os.environ.get("NO_COLOR") else "auto", highlight=False, markup=False, emoji=False
    )
    if console.width < _MIN_WIDTH or not (console.encoding or "").startswith("utf"):
        return False
    print_on(console)
    return True
