"""`groundwire bulk`: are the quotes of these files of rows in their sources?"""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli import FOUND, INTERRUPTED, PASS, TERMINATED
from groundwire.cli.options import AllowEmpty, NoProgress, Threshold
from groundwire.cli.output import check_target, write_file, write_stdout
from groundwire.cli.problems import CommandError, choose, warn, warn_skipped

if TYPE_CHECKING:
    from groundwire.bulk import BulkSummary

Input = Annotated[
    str,
    typer.Argument(
        metavar="IN",
        help="Rows: a file, a folder or a pattern, local or a URL; .parquet, .arrow, .jsonl or .csv, these two "
        "also with .gz or .zst.",
    ),
]
Output = Annotated[
    str,
    typer.Argument(
        metavar="OUT", help="The rows with their results: a file, or a folder of partitions, local or s3://."
    ),
]
ModeName = Annotated[
    str,
    typer.Option(
        "--mode",
        metavar="substring|fuzzy",
        help="The literal policy accepts a quote that is in the normalised text, or also one that is similar.",
    ),
]
PolicyName = Annotated[
    str,
    typer.Option(
        "--policy",
        metavar="literal|guarded",
        help="literal compares strings; guarded names differences, and accepts none that change the meaning.",
    ),
]
QuoteColumn = Annotated[str, typer.Option("--quote-column", metavar="NAME", help="Quotes, or lists of them.")]
SourceColumn = Annotated[
    str, typer.Option("--source-column", metavar="NAME", help="Texts of the sources, or ids with --sources.")
]
SourcesFile = Annotated[
    str | None,
    typer.Option("--sources", metavar="FILE", help="The sources by id: a file with the columns `id` and `text`."),
]
Workers = Annotated[int | None, typer.Option("--workers", metavar="N", help="Threads.  [default: all processors]")]
MemoryLimit = Annotated[
    str, typer.Option("--memory-limit", metavar="SIZE", help="The memory for rows and sources together: 512M, 2G.")
]
Resume = Annotated[
    bool,
    typer.Option("--resume/--no-resume", help="Resume a run that ended early, or start over and replace OUT."),
]
WorkDir = Annotated[
    str | None,
    typer.Option(
        "--work-dir",
        metavar="FOLDER",
        help="Where an output for a URL is made before it is uploaded.  [default: the current folder]",
    ),
]
FormatName = Annotated[
    str | None,
    typer.Option("--format", metavar="parquet|arrow|jsonl|csv", help="The format of IN, whatever the names say."),
]
FailUnder = Annotated[
    float, typer.Option("--fail-under", metavar="0-1", help="The minimum share of grounded quotes that passes.")
]
SummaryFile = Annotated[
    str | None, typer.Option("--summary", metavar="FILE", help="Write the summary to this file too: .json or .html.")
]

_DEFAULT_THRESHOLD = 0.85
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def bulk(
    *,
    in_path: Input,
    out_path: Output,
    mode: ModeName = "substring",
    threshold: Threshold = None,
    policy: PolicyName = "literal",
    quote_column: QuoteColumn = "quote",
    source_column: SourceColumn = "source",
    sources: SourcesFile = None,
    workers: Workers = None,
    memory_limit: MemoryLimit = "768M",
    resume: Resume = True,
    work_dir: WorkDir = None,
    input_format: FormatName = None,
    fail_under: FailUnder = 1.0,
    allow_empty: AllowEmpty = False,
    summary: SummaryFile = None,
    no_progress: NoProgress = False,
) -> int:
    """
    Decide for each row of files of any size whether its quote is in its source.

    If a run ends early for any reason, the same command resumes it.

    Exit code 0: the share of grounded quotes is at least --fail-under, by default all.
    1: it is lower. 2: usage or input error, or no quotes at all. 143 or 130: a signal
    stopped the run.
    """
    try:
        from groundwire.bulk.job import ground_file
    except ImportError as error:
        raise CommandError(str(error)) from None
    from groundwire.bulk.inputs import skipped_inputs
    from groundwire.bulk.policies import MODES, POLICIES
    from groundwire.cli.bulk_progress import bulk_progress
    from groundwire.cli.stopping import stopping
    from groundwire.errors import BulkStopped
    from groundwire.report.bulk import shortfall_line

    chosen_policy = choose("--policy", policy, POLICIES)
    chosen_mode = choose("--mode", mode, MODES)
    if threshold is not None and chosen_policy == "literal" and chosen_mode == "substring":
        warn("--threshold has no effect in substring mode")
    least = _share("--fail-under", fail_under)
    if summary is not None:
        _check_summary(summary, in_path, out_path)
    with stopping() as signal, bulk_progress(enabled=not no_progress) as on_progress:
        try:
            found = ground_file(
                in_path,
                out_path,
                quote=quote_column,
                source=source_column,
                sources=sources,
                mode=chosen_mode,
                threshold=_DEFAULT_THRESHOLD if threshold is None else _share("--threshold", threshold),
                policy=chosen_policy,
                resume=resume,
                work_dir=work_dir,
                workers=workers,
                memory_bytes=_bytes("--memory-limit", memory_limit),
                format=input_format,
                on_progress=on_progress,
                should_stop=signal.has_come,
            )
        except BulkStopped as stopped:
            warn(str(stopped))
            return TERMINATED if signal.is_termination else INTERRUPTED
        except ValueError as error:
            # Messages of groundwire are for users; subclasses from other libraries are unexpected errors.
            if type(error) is not ValueError:
                raise
            raise CommandError(str(error)) from None
    _publish(found, summary)
    warn_skipped(skipped_inputs(in_path))
    if found.rate is None and least and not allow_empty:
        raise CommandError(f"`{in_path}` holds no quotes", hint="--allow-empty makes that a pass")
    if found.rate is None or found.rate >= least:
        return PASS
    typer.echo(shortfall_line(found, least), err=True)
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
        raise CommandError("--summary needs a file of its own")


def _share(option: str, value: float) -> float:
    # Written so that NaN, which compares false with everything, is refused too.
    if not 0.0 <= value <= 1.0:
        raise CommandError(f"{option} must be between 0 and 1, got {value:g}")
    return value


def _bytes(option: str, text: str) -> int:
    """
    Return how many bytes `512M` are.

    Raises:
        CommandError: It is no size.
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMG]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    size = int(float(found[1]) * _UNITS[found[2].upper()]) if found else 0
    if size < 1:
        raise CommandError(f"{option} `{text}` is no size", hint="512M, 2G, or a number of bytes")
    return size
