"""`groundwire bulk`: checks quotes in files of rows against their sources."""

import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from groundwire.cli.app import CommandError, value_errors, warn, warn_skipped
from groundwire.cli.commands import FOUND, INTERRUPTED, PASS, TERMINATED, print_error
from groundwire.cli.options import (
    COUNT,
    FILE,
    FOLDER,
    Choice,
    PathName,
    allow_empty_option,
    input_format_option,
    min_score_option,
    mode_option,
    no_progress_option,
    quote_score,
    quote_score_option,
    threshold_option,
)
from groundwire.cli.output import check_target, stop_signals, write_file, write_stdout
from groundwire.thresholds import FUZZY_THRESHOLD

if TYPE_CHECKING:
    from groundwire.bulk import BulkProgress, BulkSummary

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_TOO_LARGE = 1 << 62


class Size(click.ParamType[int]):
    """A number of bytes, such as 512M or 2G."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return a size such as `512M` in bytes."""
        if isinstance(value, int):
            return value
        found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMG]?)(?:i?B)?", value.strip(), re.IGNORECASE)
        size = float(found[1]) * _UNITS[found[2].upper()] if found else 0.0
        if not 1 <= size < _TOO_LARGE:
            raise CommandError(
                f"--memory-limit `{value}` is not a size", hint="use a size such as 512M or 2G, or a number of bytes"
            )
        return int(size)


@click.command()
@click.argument(
    "in_path",
    type=PathName("IN"),
    help="The rows: a file, a folder or a pattern, local or a URL; .parquet, .arrow, .jsonl or .csv, the last two also "
    "compressed (.gz, .zst).",
)
@click.argument(
    "out_path",
    type=PathName("OUT"),
    help="The output, rows with their results: a file, or a folder of partitions, local or s3://.",
)
@input_format_option("parquet", "arrow", "jsonl", "csv", reads="IN")
@mode_option
@threshold_option
@click.option(
    "--policy",
    type=Choice(("literal", "guarded")),
    default="literal",
    help="The rule that decides: literal compares strings; guarded reports differences and accepts none that changes "
    "the meaning.",
)
@quote_score_option
@click.option("--quote-column", metavar="NAME", default="quote", help="The column with the quotes, or lists of quotes.")
@click.option(
    "--source-column",
    metavar="NAME",
    default="source",
    help="The column with the texts of the sources, or with their ids if --sources is given.",
)
@click.option("--sources", type=FILE, help="The sources by id: a file with the columns `id` and `text`.")
@click.option(
    "--documents",
    type=FOLDER,
    help="The folder of documents (PDF, DOCX, HTML, ...); the source column has their paths below it.",
)
@click.option("--workers", type=COUNT, help="The number of engine threads.  [default: all processors]")
@click.option(
    "--memory-limit",
    type=Size(),
    metavar="SIZE",
    default="768M",
    help="The maximum memory for rows and sources together, such as 512M or 2G.",
)
@click.option(
    "--resume/--no-resume",
    default=True,
    help="Resume a run that ended early, or start over and replace OUT.",
)
@click.option(
    "--work-dir",
    type=FOLDER,
    help="The folder for an output that is uploaded to a URL.  [default: the current folder]",
)
@min_score_option("The minimum share of grounded quotes.", default=1.0)
@allow_empty_option
@click.option("--summary", type=FILE, help="Write the summary to this file as well: .json or .html.")
@no_progress_option
def bulk(
    *,
    in_path: str,
    out_path: str,
    input_format: str | None,
    mode: Literal["substring", "fuzzy"] | None,
    threshold: float | None,
    policy: Literal["literal", "guarded"],
    score: str | None,
    quote_column: str,
    source_column: str,
    sources: str | None,
    documents: str | None,
    workers: int | None,
    memory_limit: int,
    resume: bool,
    work_dir: str | None,
    min_score: float,
    allow_empty: bool,
    summary: str | None,
    no_progress: bool,
) -> int:
    """
    Check quotes in files of rows, of any size.

    If a run ends early for any reason, the same command resumes it.

    Exit code 0: the share of grounded quotes is at least --min-score, by default all.
    1: it is lower. 2: usage or input error, or no quotes at all. 143 or 130: a signal
    stopped the run.
    """
    try:
        from groundwire.bulk.job import ground_file
    except ImportError as error:
        raise CommandError(str(error)) from None
    from groundwire.bulk.inputs import skipped_inputs
    from groundwire.errors import BulkStopped
    from groundwire.report.bulk import shortfall_line

    if threshold is not None and policy == "literal" and mode != "fuzzy":
        warn("--threshold has no effect in substring mode")
    scored_by = quote_score(score, policy, threshold)
    if summary is not None:
        _check_summary(summary, in_path, out_path)
    with stop_signals() as signal, bulk_progress(enabled=not no_progress) as on_progress, value_errors():
        try:
            found = ground_file(
                in_path,
                out_path,
                quote=quote_column,
                source=source_column,
                sources=sources,
                documents=documents,
                mode=mode or "substring",
                threshold=FUZZY_THRESHOLD if threshold is None else threshold,
                policy=policy,
                score=scored_by,
                resume=resume,
                work_dir=work_dir,
                workers=workers,
                memory_bytes=memory_limit,
                format=input_format,
                on_progress=on_progress,
                should_stop=signal.is_set,
            )
        except BulkStopped as stopped:
            warn(str(stopped))
            return TERMINATED if signal.is_termination else INTERRUPTED
    _publish(found, summary)
    warn_skipped(skipped_inputs(in_path))
    if found.rate is None and min_score and not allow_empty:
        raise CommandError(f"`{in_path}` contains no quotes", hint="add --allow-empty to pass without quotes")
    if found.rate is None or found.rate >= min_score:
        return PASS
    print_error(shortfall_line(found, min_score))
    return FOUND


def _publish(found: "BulkSummary", summary: str | None) -> None:
    from groundwire.bulk.inputs import redact_url
    from groundwire.report.bulk import render_page, render_text

    if summary is not None and redact_url(summary).lower().endswith(".json"):
        from groundwire.report.rendering import render_json

        _write(summary, render_json(found))
    elif summary is not None:
        _write(summary, render_page(found))
    write_stdout(render_text(found))


def _write(summary: str, text: str) -> None:
    if "://" in summary:
        from groundwire.bulk.writers import upload_text

        upload_text(summary, text)
    else:
        write_file(summary, text)


def _check_summary(summary: str, in_path: str, out_path: str) -> None:
    from groundwire.bulk.inputs import redact_url

    if Path(redact_url(summary)).suffix.lower() not in (".json", ".html", ".htm"):
        raise CommandError(f"--summary `{redact_url(summary)}` must end in .json or .html")
    if "://" not in summary:
        check_target(summary, [in_path])
    if Path(summary).absolute() == Path(out_path).absolute():
        raise CommandError("--summary and OUT must be different files")


@contextmanager
def bulk_progress(*, enabled: bool) -> "Iterator[Callable[[BulkProgress], None]]":
    """
    Show a progress bar and yield the function that advances it.

    The bar is on standard error and disappears when the work ends. Without a terminal there, or if *enabled* is
    false, nothing is shown.
    """
    if not (enabled and sys.stderr is not None and sys.stderr.isatty()):
        yield lambda _: None
        return
    started = time.monotonic()
    with ExitStack() as stack:
        show = _open_bar(stack)

        def advance(progress: "BulkProgress") -> None:
            rate = (progress.rows - progress.rows_before) / max(time.monotonic() - started, 1e-9)
            show(progress.share, f"{progress.rows:,} rows, {rate:,.0f} a second")

        yield advance


def _open_bar(stack: ExitStack) -> Callable[[float, str], None]:
    """Show the bar until *stack* closes; return a function that sets its share and its label."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), TaskProgressColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    bar = stack.enter_context(Progress(*columns, console=Console(stderr=True), transient=True))
    task = bar.add_task("reading the first rows", total=1.0)
    return lambda share, words: bar.update(task, completed=share, description=words)
