"""`groundwire calibrate`: recommends a threshold, or fits a score of support, from labelled data."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from groundwire.cli import FOUND, PASS
from groundwire.cli.app import CommandError, choose, setting_errors, warn
from groundwire.cli.inputs import STDIN, display_name, read_text
from groundwire.cli.options import (
    SHARE,
    PathName,
    format_option,
    no_progress_option,
    output_option,
    workers_option,
)
from groundwire.cli.output import STDOUT, check_outputs, check_target, progress, publish_text, write_file

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from groundwire.calibration import Calibration, Keys, LabelledPairs, SupportFit

_FORMATS = ("text", "json", "markdown")
_NAME_CHARS = 200


@click.command()
@click.argument(
    "labelled",
    type=PathName("[LABELLED.jsonl]"),
    required=False,
    help='JSON lines with "quote", "label" (true: the quote is in the source) and "source" (the text) or "source_path" '
    "(a file, relative to the folder of LABELLED.jsonl); - for standard input.",
)
@click.option(
    "--max-false-accept-rate",
    type=SHARE,
    help="The maximum share of false quotes, or claims, that may be accepted.  [default: 0.01, for claims 0.05]",
)
@click.option("--policy", "policies", metavar="NAME", multiple=True, help="Calibrate only this policy; repeatable.")
@click.option(
    "--embedder",
    metavar="NAME|FOLDER",
    help="Calibrate the cosines of this embedder on claims: a model of a server, a folder with a model, or local. "
    'Lines have "claim", "supported" and "context" or "context_path".',
)
@click.option(
    "--fit",
    type=PathName("LABELS.jsonl"),
    help="Fit a score of support to these claims or quotes. Lines of claims have "
    '"claim", "supported" and "context" (a passage or a list of passages) or "context_path"; lines of quotes have '
    '"quote", "label" and "source" or "source_path". "document" is optional. At least 50 lines of each label; '
    "- for standard input.",
)
@click.option(
    "--save",
    type=PathName("FILE.json"),
    help="With --fit: write the score to this file, for cite and validate (claims) or check and bulk (quotes). "
    "With --embedder: add the scale of its cosines to the file, under the name of the model.",
)
@format_option(*_FORMATS)
@output_option()
@click.option("--plot", type=PathName("FILE.svg"), help="Draw the rates in this file.")
@workers_option
@no_progress_option
def calibrate(
    *,
    labelled: str | None,
    max_false_accept_rate: float | None,
    policies: tuple[str, ...],
    embedder: str | None,
    fit: str | None,
    save: str | None,
    report_format: str,
    outputs: tuple[str, ...],
    plot: str | None,
    workers: int,
    no_progress: bool,
) -> int:
    """
    Recommend a threshold from labelled quotes or claims.

    The tables show how often each threshold accepts false quotes and rejects true
    ones. --fit fits a score of support instead.

    Exit code 0: every policy has a threshold that accepts few enough false quotes, or the
    fitted score improves on its baseline. 1: otherwise. 2: usage or input error.
    """
    from groundwire.calibration.curve import CalibrationStatus

    is_of_quotes = embedder is None and fit is None
    allowed = max_false_accept_rate if max_false_accept_rate is not None else 0.01 if is_of_quotes else 0.05
    if fit is not None:
        if labelled is not None or policies or embedder is not None:
            raise CommandError(
                "--fit cannot be combined with LABELLED, --policy or --embedder",
                hint="--fit LABELS names all labels",
            )
        _check_files(fit, outputs, plot, save)
        fitted = _fit(fit, allowed, is_shown=not no_progress)
        _publish_fit(fitted, report_format, outputs, plot, save)
        return PASS if fitted.is_better else FOUND
    if labelled is None:
        raise CommandError("missing LABELLED", hint="`groundwire calibrate LABELLED.jsonl`, or --fit LABELS.jsonl")
    _check_files(labelled, outputs, plot, save)
    if embedder is not None:
        if policies:
            raise CommandError(
                "--policy cannot be combined with --embedder", hint="a policy decides on quotes, an embedder on claims"
            )
        calibrations = [_calibrate_embedder(embedder, labelled, allowed, save, is_shown=not no_progress)]
    elif save is not None:
        raise CommandError("--save requires --fit or --embedder")
    else:
        calibrations = _calibrate_policies(policies, labelled, allowed, workers, is_shown=not no_progress)
    _publish(calibrations, report_format, outputs, plot)
    return PASS if all(each.outcome is CalibrationStatus.REACHED for each in calibrations) else FOUND


def _check_files(labelled: str, outputs: "Sequence[str]", plot: str | None, save: str | None) -> None:
    check_outputs(outputs, [labelled], _FORMATS)
    taken = {*map(Path, outputs)}
    for name, target in (("--plot", plot), ("--save", save)):
        if target is not None:
            check_target(target, [labelled])
            if target == STDOUT or Path(target) in taken:
                raise CommandError(f"{name} must name a separate file")
            taken.add(Path(target))


def _calibrate_policies(
    names: "Sequence[str]", labelled: str, allowed: float, workers: int, *, is_shown: bool
) -> "list[Calibration]":
    from groundwire.calibration import QUOTES, available_policies, score_pairs
    from groundwire.calibration import calibrate as calibrated

    policies = [choose("--policy", name, available_policies()) for name in names or available_policies()]
    pairs = _read(labelled, QUOTES)
    with progress(len(policies) * len(pairs.quotes), enabled=is_shown) as advance:
        return [
            calibrated(
                score_pairs(pairs, name, workers=workers, on_progress=advance),
                pairs.labels,
                policy=name,
                max_false_accept=allowed,
            )
            for name in dict.fromkeys(policies)
        ]


def _calibrate_embedder(name: str, labelled: str, allowed: float, save: str | None, *, is_shown: bool) -> "Calibration":
    from groundwire.calibration import CLAIMS
    from groundwire.embedding import EmbeddingError, embedder_named
    from groundwire.embedding.protocol import name_of
    from groundwire.errors import SourceDataError
    from groundwire.faithfulness.calibration import ScaleError, calibrate_claims, pair_cosines, save_scale, scale_of

    pairs = _read(labelled, CLAIMS)
    try:
        chosen = embedder_named(name, folder=name if Path(name).is_dir() else None)
        with progress(len(pairs.quotes), enabled=is_shown) as advance:
            cosines = pair_cosines(pairs, chosen, on_progress=advance)
    except (ImportError, EmbeddingError, SourceDataError) as error:
        raise CommandError(str(error)) from None
    except ValueError as error:
        raise CommandError(f"cannot create the embedder: {setting_errors(error)}") from None
    called = name_of(chosen)
    calibration = calibrate_claims(cosines, pairs.labels, name=called, max_false_accept=allowed)
    scale = scale_of(calibration, cosines, pairs.labels, called)
    if save is not None and scale is not None:
        try:
            save_scale(scale, save)
        except (ScaleError, OSError) as error:
            raise CommandError(f"cannot write `{save}`: {error}") from None
    return calibration


def _fit(labels: str, allowed: float, *, is_shown: bool) -> "SupportFit":
    from groundwire.calibration import CLAIMS, FitError, PairError, fit_support, label_keys, read_claims

    name, content = display_name(labels), read_text(labels)
    keys = label_keys(content)
    try:
        claims = read_claims(content, _source_reader(labels, keys.source_path), keys=keys)
    except PairError as error:
        hint = _schema(keys) if error.__cause__ is None else None
        raise CommandError(f"`{name}`, {error}", hint=hint) from None
    called = Path(labels).stem if labels != STDIN else "labels"
    try:
        with progress(len(claims), label=f"reading {keys.text}s", enabled=is_shown) as advance:
            return fit_support(
                claims,
                name=called if called.isprintable() and len(called) <= _NAME_CHARS else "labels",
                subject="claims" if keys is CLAIMS else "quotes",
                max_false_accept=allowed,
                on_progress=advance,
            )
    except FitError as error:
        raise CommandError(f"`{name}` {error}") from None


def _publish_fit(
    fit: "SupportFit", report_format: str, outputs: "Sequence[str]", plot: str | None, save: str | None
) -> None:
    from groundwire.calibration import draw, render_fit_json, render_fit_markdown, render_fit_text
    from groundwire.calibration.support_tables import verdict

    render = {"text": render_fit_text, "json": render_fit_json, "markdown": render_fit_markdown}
    if plot is not None:
        write_file(plot, draw(fit.errors))
    if save is not None:
        # The file has only counts and coefficients.
        write_file(save, fit.score.text(), is_private=False)
    publish_text(lambda chosen: render[chosen](fit), report_format, outputs)
    if not fit.is_better:
        warn(verdict(fit))


def _source_reader(labelled: str, key: str) -> "Callable[[str], str]":
    """Return the function that reads the sources named in a file, relative to the folder of that file."""
    folder = Path() if labelled == STDIN else Path(labelled).parent

    def read_source(path: str) -> str:
        location = str(folder / path)
        try:
            # A source is never standard input, so `-` is the name of a file here.
            return read_text(f"./{location}" if location == STDIN else location)
        except ValueError:
            raise CommandError(f"{key} is not a valid file name") from None

    return read_source


def _read(labelled: str, keys: "Keys") -> "LabelledPairs":
    """
    Return the labelled pairs in a file whose lines have these keys.

    Raises:
        CommandError: A file cannot be read, or a line is invalid.
    """
    from groundwire.calibration import PairError, read_pairs

    name = display_name(labelled)
    content = read_text(labelled)
    try:
        return read_pairs(content, _source_reader(labelled, keys.source_path), keys=keys)
    except PairError as error:
        # A cause is the error of a source file.
        hint = _schema(keys) if error.__cause__ is None else getattr(error.__cause__, "hint", None)
        raise CommandError(f"`{name}`, {error}", hint=hint) from None


def _schema(keys: "Keys") -> str:
    """Return the form of a line, for hints."""
    line = f'{{"{keys.text}": "…", "{keys.source}": "…", "{keys.label}": true}}'
    return f'each line is {line}; "{keys.source_path}" can replace "{keys.source}"'


def _publish(
    calibrations: "Sequence[Calibration]", report_format: str, outputs: "Sequence[str]", plot: str | None
) -> None:
    """Show the tables, write them to *outputs*, and draw *plot*."""
    from groundwire.calibration import draw, render_json, render_markdown, render_text

    render = {"text": render_text, "json": render_json, "markdown": render_markdown}
    if plot is not None:
        write_file(plot, draw(calibrations))
    publish_text(lambda chosen: render[chosen](calibrations), report_format, outputs)
