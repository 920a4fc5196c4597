"""A finished report in the form that was asked for, put where it was asked for."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from groundwire.cli.output import STDOUT, write_file, write_stdout
from groundwire.cli.problems import choose
from groundwire.report import CheckReport, TranscriptFile

ReportFormat: TypeAlias = Literal["text", "json", "jsonl", "markdown", "html"]
FORMATS: tuple[ReportFormat, ...] = get_args(ReportFormat)

_BY_SUFFIX: dict[str, ReportFormat] = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".md": "markdown",
    ".htm": "html",
    ".html": "html",
}


def format_of(name: str | None, output: str) -> ReportFormat:
    """
    Return the format called *name*, or else the one that the suffix of *output* suggests.

    Raises:
        CommandError: There is no such format.
    """
    if name is not None:
        return choose("--format", name, FORMATS)
    return _BY_SUFFIX.get(Path(output).suffix.lower(), "text")


def publish(
    report: CheckReport, transcripts: Sequence[TranscriptFile], report_format: ReportFormat, output: str
) -> None:
    """
    Write *report* to the file *output*, or to standard output for `-`.

    On a terminal, text is a table with colour; anywhere else it is plain.
    """
    if output != STDOUT:
        write_file(output, render(report, transcripts, report_format))
    elif not (report_format == "text" and _print_in_colour(report)):
        write_stdout(render(report, transcripts, report_format))


def render(report: CheckReport, transcripts: Sequence[TranscriptFile], report_format: ReportFormat) -> str:
    """Return *report* as str; only the writer that is used is imported."""
    if report_format == "json":
        from groundwire.report.json import render_json

        return render_json(report)
    if report_format == "jsonl":
        from groundwire.report.json import render_jsonl

        return render_jsonl(report)
    if report_format == "markdown":
        from groundwire.report.markdown import render_markdown

        return render_markdown(report)
    if report_format == "html":
        from groundwire.report.html import render_html

        return render_html(report, [transcript.text for transcript in transcripts])
    from groundwire.report.plain import render_plain

    return render_plain(report)


def _print_in_colour(report: CheckReport) -> bool:
    """Print *report* as a table if standard output is a terminal with room for one; say whether it was."""
    if os.environ.get("TERM") == "dumb" or sys.stdout is None or not sys.stdout.isatty():
        return False
    from rich.console import Console

    from groundwire.report.terminal import MIN_WIDTH, print_report

    # NO_COLOR asks for no colour; without any control sequence there is also
    # no bold or dim that a terminal might show as one.
    console = Console(
        color_system=None if os.environ.get("NO_COLOR") else "auto", highlight=False, markup=False, emoji=False
    )
    if console.width < MIN_WIDTH or not (console.encoding or "").startswith("utf"):
        return False
    print_report(report, console)
    return True
