"""Arguments and options that commands share, each with its help text."""

from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli.problems import CommandError

if TYPE_CHECKING:
    from groundwire.support_score import SupportScore

Transcripts = Annotated[
    list[str], typer.Argument(metavar="TRANSCRIPT", help="Texts to look in, UTF-8; - for standard input.")
]
Quotes = Annotated[
    str,
    typer.Option(
        "--quotes",
        "-q",
        metavar="FILE",
        help="Quotes to look for: JSON, JSON lines, CSV with a header, or one a line; - for standard input.",
    ),
]
QuotesFormatName = Annotated[
    str | None,
    typer.Option(
        "--quotes-format", metavar="json|jsonl|csv|text", help="Read the quotes as this, whatever they look like."
    ),
]
PolicyName = Annotated[
    str | None,
    typer.Option(
        "--policy",
        metavar="guarded|literal",
        help="The rule that decides: guarded says what differs and accepts nothing that touches the meaning; "
        "literal compares strings.  [default: guarded, with --mode literal]",
    ),
]
ModeName = Annotated[
    str | None,
    typer.Option(
        "--mode",
        metavar="substring|fuzzy",
        help="How strings are compared, which is the literal policy: accept a quote that is in the normalised text, "
        "or also one that is nearly so.  [default: substring]",
    ),
]
Threshold = Annotated[
    float | None,
    typer.Option(
        "--threshold", metavar="0-1", help="Lowest score of a quote that is near, or of fuzzy mode.  [default: 0.85]"
    ),
]
Speakers = Annotated[
    list[str] | None,
    typer.Option("--speaker", metavar="NAME", help="Only what this speaker says may be quoted; may be given again."),
]
SingleSpeaker = Annotated[
    bool, typer.Option("--single-speaker", help="Accept no quote that has words of several speakers.")
]
MinChars = Annotated[
    int | None, typer.Option("--min-chars", metavar="N", help="Fewest characters of an accepted quote.  [default: 1]")
]
MinWords = Annotated[
    int | None, typer.Option("--min-words", metavar="N", help="Fewest words of an accepted quote.  [default: 1]")
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
Database = Annotated[
    str, typer.Argument(metavar="DATABASE", help="Where the queue is: a file, sqlite:///... or postgresql://...")
]
AllowEmpty = Annotated[bool, typer.Option("--allow-empty", help="Pass when there are no quotes at all.")]
Score = Annotated[
    str | None,
    typer.Option(
        "--score",
        metavar="FILE",
        help="A score of support fitted on labels of one's own, which `groundwire calibrate` writes.  "
        "[default: the shipped one]",
    ),
]
Workers = Annotated[int, typer.Option("--workers", metavar="N", help="Threads of the engine.")]
Reader = Annotated[
    str | None,
    typer.Option(
        "--reader",
        metavar="FOLDER",
        help="Let the classifier in this folder (ONNX) read passages: it may find what is said in other words.",
    ),
]
NoProgress = Annotated[bool, typer.Option("--no-progress", help="Show no progress bar.")]


def check_workers(workers: int) -> None:
    """
    Check that there is a worker.

    Raises:
        CommandError: *workers* is below 1.
    """
    if workers < 1:
        raise CommandError(f"--workers must be at least 1, got {workers}")


def support_score(path: str | None) -> "SupportScore | None":
    """
    Return the score of support in a file; None without one.

    Raises:
        CommandError: It cannot be read, or holds something else.
    """
    if path is None:
        return None
    from groundwire.support_score import SupportScore, SupportScoreError

    try:
        return SupportScore.load(path)
    except OSError as error:
        raise CommandError(f"cannot read `{path}`: {error.strerror or error}") from None
    except (SupportScoreError, ValueError) as error:
        raise CommandError(
            f"`{path}` is no score of support: {error}", hint="`groundwire calibrate --fit` writes one"
        ) from None


def threshold_of(threshold: float | None) -> float:
    """
    Return *threshold*, or the default for None.

    Raises:
        CommandError: It is outside 0-1 or not a number.
    """
    from groundwire.report.check import DEFAULT_THRESHOLD

    if threshold is None:
        return DEFAULT_THRESHOLD
    # Written so that NaN, which compares false with everything, is refused too.
    if not 0.0 <= threshold <= 1.0:
        raise CommandError(f"--threshold must be between 0 and 1, got {threshold:g}")
    return threshold
