"""`groundwire calibrate`: which threshold suits these labelled quotes?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli import FOUND, PASS
from groundwire.cli.inputs import STDIN, decode, display_name, read_bytes
from groundwire.cli.options import NoProgress, Output, Workers, check_workers
from groundwire.cli.output import STDOUT, check_target, write_file, write_stdout
from groundwire.cli.problems import CommandError, choose
from groundwire.cli.progress import progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.calibration import Calibration, LabelledPairs

FORMATS = ("text", "json", "markdown")
_BY_SUFFIX = {".json": "json", ".md": "markdown"}

Labelled = Annotated[
    str,
    typer.Argument(
        metavar="LABELLED.jsonl",
        help='One object a line: "quote", "label" (true: it is in the source) and "source" (the text) or '
        '"source_path" (a file, from the folder of LABELLED.jsonl); - for standard input.',
    ),
]
MaxFalseAccept = Annotated[
    float,
    typer.Option("--max-false-accept", metavar="0-1", help="Share of the false quotes that may be accepted."),
]
PolicyNames = Annotated[
    list[str] | None, typer.Option("--policy", metavar="NAME", help="Only this policy; may be given again.")
]
FormatName = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="text|json|markdown",
        help="Form of the tables.  [default: by the suffix of --output, else text]",
    ),
]
Plot = Annotated[str | None, typer.Option("--plot", metavar="FILE.svg", help="Draw the rates into this file.")]


def calibrate(
    *,
    labelled: Labelled,
    max_false_accept: MaxFalseAccept = 0.01,
    policy: PolicyNames = None,
    report_format: FormatName = None,
    output: Output = "-",
    plot: Plot = None,
    workers: Workers = 1,
    no_progress: NoProgress = False,
) -> int:
    """
    Recommend a threshold: how often does each accept false quotes and reject true ones?

    Exit code 0: every policy has a threshold that accepts few enough false quotes.
    1: one has none. 2: usage or input error.
    """
    from groundwire.calibration import available_policies, score_pairs
    from groundwire.calibration import calibrate as calibrated
    from groundwire.calibration.curve import Outcome

    # Written so that NaN, which compares false with everything, is refused too.
    if not 0.0 <= max_false_accept <= 1.0:
        raise CommandError(f"--max-false-accept must be between 0 and 1, got {max_false_accept:g}")
    policies = [choose("--policy", name, available_policies()) for name in policy or available_policies()]
    chosen_format = _format_of(report_format, output)
    check_workers(workers)
    check_target(output, [labelled])
    if plot is not None:
        check_target(plot, [labelled])
        if plot == STDOUT or Path(plot) == Path(output):
            raise CommandError("--plot needs a file of its own")
    pairs = _read(labelled)
    with progress(len(policies) * len(pairs.quotes), enabled=not no_progress) as advance:
        calibrations = [
            calibrated(
                score_pairs(pairs, name, workers=workers, on_progress=advance),
                pairs.labels,
                policy=name,
                max_false_accept=max_false_accept,
            )
            for name in dict.fromkeys(policies)
        ]
    _publish(calibrations, chosen_format, output, plot)
    return PASS if all(each.outcome is Outcome.REACHED for each in calibrations) else FOUND


def _format_of(name: str | None, output: str) -> str:
    if name is not None:
        return choose("--format", name, FORMATS)
    return _BY_SUFFIX.get(Path(output).suffix.lower(), "text")


def _read(labelled: str) -> "LabelledPairs":
    """
    Return the labelled quotes.

    Raises:
        CommandError: A file cannot be read, or a line is no labelled quote.
    """
    from groundwire.calibration import PairError, read_pairs

    name = display_name(labelled)
    folder = Path() if labelled == STDIN else Path(labelled).parent
    content, _ = decode(read_bytes(labelled), name)

    def read_source(path: str) -> str:
        place = str(folder / path)
        try:
            # Standard input is no source: `-` is a file of that name here.
            return decode(read_bytes(f"./{place}" if place == STDIN else place), place)[0]
        except ValueError:
            raise CommandError("no file can have the name in source_path") from None

    try:
        return read_pairs(content, read_source)
    except PairError as error:
        is_file = error.__cause__ is not None
        raise CommandError(f"`{name}`, {error}", hint=None if is_file else _SCHEMA) from None


_SCHEMA = '{"quote": "…", "source": "…", "label": true}, one a line; or "source_path" in the place of "source"'


def _publish(calibrations: "Sequence[Calibration]", report_format: str, output: str, plot: str | None) -> None:
    """Write the tables to *output* and the picture to *plot*."""
    from groundwire.calibration import draw, render_json, render_markdown, render_text

    render = {"text": render_text, "json": render_json, "markdown": render_markdown}[report_format]
    if plot is not None:
        write_file(plot, draw(calibrations))
    if output == STDOUT:
        write_stdout(render(calibrations))
    else:
        write_file(output, render(calibrations))
