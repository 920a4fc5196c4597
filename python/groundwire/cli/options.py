"""Arguments and options that commands share, each with its help text."""

from typing import Annotated

import typer

from groundwire.cli.problems import CommandError, warn

Transcripts = Annotated[
    list[str], typer.Argument(metavar="TRANSCRIPT", help="Texts to look in, UTF-8; - for standard input.")
]
Quotes = Annotated[
    str,
    typer.Option(
        "--quotes", "-q", metavar="FILE", help="Quotes to look for: .json, .jsonl, or one a line; - for standard input."
    ),
]
QuotesFormatName = Annotated[
    str | None,
    typer.Option("--quotes-format", metavar="json|jsonl|text", help="Read the quotes as this, whatever the suffix."),
]
PolicyName = Annotated[
    str, typer.Option("--policy", metavar="literal", help="The rule that decides what counts as grounded.")
]
ModeName = Annotated[
    str,
    typer.Option(
        "--mode",
        metavar="substring|fuzzy",
        help="Accept a quote that is in the normalised text, or also one that is nearly so.",
    ),
]
Threshold = Annotated[
    float | None,
    typer.Option("--threshold", metavar="0-1", help="Lowest score that fuzzy mode accepts.  [default: 0.85]"),
]
FormatName = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="text|json|jsonl|markdown|html",
        help="Form of the report.  [default: by the suffix of --output, else text]",
    ),
]
Output = Annotated[
    str, typer.Option("--output", "-o", metavar="OUT", help="Write the report to this file; - for standard output.")
]
AllowEmpty = Annotated[bool, typer.Option("--allow-empty", help="Pass when there are no quotes at all.")]
Workers = Annotated[int, typer.Option("--workers", metavar="N", help="Threads of the engine.")]
NoProgress = Annotated[bool, typer.Option("--no-progress", help="Show no progress bar.")]


def check_workers(workers: int) -> None:
    """
    Check that there is a worker.

    Raises:
        CommandError: *workers* is below 1.
    """
    if workers < 1:
        raise CommandError(f"--workers must be at least 1, got {workers}")


def threshold_of(threshold: float | None, mode: str) -> float:
    """
    Return *threshold*, or the default for None; warn when *mode* has no use for it.

    Raises:
        CommandError: It is outside 0-1 or not a number.
    """
    from groundwire.report.model import DEFAULT_THRESHOLD

    if threshold is None:
        return DEFAULT_THRESHOLD
    # Written so that NaN, which compares false with everything, is refused too.
    if not 0.0 <= threshold <= 1.0:
        raise CommandError(f"--threshold must be between 0 and 1, got {threshold:g}")
    if mode != "fuzzy":
        warn(f"--threshold has no effect in {mode} mode")
    return threshold
