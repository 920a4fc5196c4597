"""`groundwire calibrate`: recommends a threshold, or fits a score of support, from labelled data."""

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from groundwire.cli.app import CommandError, choose, setting_errors, warn
from groundwire.cli.commands import FOUND, PASS
from groundwire.cli.inputs import STDIN, display_name, read_text
from groundwire.cli.options import (
    SHARE,
    PathName,
    format_option,
    no_progress_option,
    output_option,
    workers_option,
)
from groundwire.cli.output import check_outputs, check_separate, check_target, progress, publish_text, write_file

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from groundwire.calibration import Calibration, LabelledClaim, SupportFit
    from groundwire.support_score import ScoreSubject

_Labels = TypeVar("_Labels")

_FORMATS = ("text", "json", "markdown")
_NAME_CHARS = 200
_CLAIM_LINE = '{"claim": "…", "supported": true, "context": ["…"]}, or "context_path" in place of "context"'
_QUOTE_LINE = '{"quote": "…", "source": "…", "label": true}, or "source_path" in place of "source"'


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
    from groundwire.calibration import CalibrationStatus

    try:
        from groundwire.calibration.report import better_sentence
    except ImportError as error:
        hint = "pip install 'groundwire[numpy]'"
        raise CommandError(f"calibrate needs {error.name}, which is not installed", hint=hint) from None

    is_of_quotes = embedder is None and fit is None
    allowed = max_false_accept_rate if max_false_accept_rate is not None else 0.01 if is_of_quotes else 0.05
    if fit is not None:
        if labelled is not None or policies or embedder is not None:
            raise CommandError(
                "--fit cannot be combined with LABELLED, --policy or --embedder", hint="--fit LABELS names all labels"
            )
        _check_files(fit, outputs, plot, save)
        fitted = _fit(fit, allowed, is_shown=not no_progress)
        if save is not None:
            # The file holds only counts and coefficients.
            write_file(save, fitted.score.text(), is_private=False)
        _publish(fitted, report_format, outputs, plot)
        if not fitted.is_better:
            warn(better_sentence(fitted))
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
    taken = [*outputs]
    for name, target in (("--plot", plot), ("--save", save)):
        if target is not None:
            check_target(target, [labelled])
            check_separate(name, target, taken)
            taken.append(target)


def _calibrate_policies(
    names: "Sequence[str]", labelled: str, allowed: float, workers: int, *, is_shown: bool
) -> "list[Calibration]":
    from groundwire.calibration import POLICIES, read_quotes, score_quotes
    from groundwire.calibration import calibrate as calibrated

    policies = dict.fromkeys(choose("--policy", name, POLICIES) for name in names or POLICIES)
    quotes = _read(labelled, read_quotes, f"each line is {_QUOTE_LINE}")
    labels = [each.is_true for each in quotes]
    with progress(len(policies) * len(quotes), enabled=is_shown) as advance:
        return [
            calibrated(
                score_quotes(quotes, name, workers=workers, on_progress=advance),
                labels,
                policy=name,
                max_false_accept=allowed,
            )
            for name in policies
        ]


def _calibrate_embedder(name: str, labelled: str, allowed: float, save: str | None, *, is_shown: bool) -> "Calibration":
    from groundwire.calibration import read_claims
    from groundwire.embedding import EmbeddingError, embedder_named
    from groundwire.embedding.protocol import name_of
    from groundwire.errors import SourceDataError
    from groundwire.faithfulness.calibration import ScaleError, calibrate_claims, claim_cosines, save_scale, scale_of

    claims = _read(labelled, read_claims, f"each line is {_CLAIM_LINE}")
    try:
        chosen = embedder_named(name, folder=name if Path(name).is_dir() else None)
        with (
            chosen if isinstance(chosen, AbstractContextManager) else nullcontext(),
            progress(len(claims), enabled=is_shown) as advance,
        ):
            cosines = claim_cosines(claims, chosen, on_progress=advance)
    except (ImportError, EmbeddingError, SourceDataError) as error:
        raise CommandError(str(error)) from None
    except ValueError as error:
        raise CommandError(f"cannot create the embedder: {setting_errors(error)}") from None
    called = name_of(chosen)
    labels = [each.is_supported for each in claims]
    calibration = calibrate_claims(cosines, labels, name=called, max_false_accept=allowed)
    scale = scale_of(calibration, cosines, labels, called)
    if save is None:
        return calibration
    if scale is None:
        warn(f"`{save}` was not written, because no threshold is recommended")
        return calibration
    try:
        save_scale(scale, save)
    except (ScaleError, OSError) as error:
        raise CommandError(f"cannot write `{save}`: {error}") from None
    return calibration


def _fit(labels: str, allowed: float, *, is_shown: bool) -> "SupportFit":
    from groundwire.calibration import FitError, fit_support, label_subject, read_claims

    def read(content: str, read_source: "Callable[[str], str]") -> "tuple[ScoreSubject, list[LabelledClaim]]":
        subject = label_subject(content)
        return subject, read_claims(content, read_source, subject=subject)

    subject, claims = _read(labels, read, f"each line is {_CLAIM_LINE}; of quotes, {_QUOTE_LINE}")
    called = Path(labels).stem if labels != STDIN else "labels"
    try:
        with progress(len(claims), label=f"reading {subject}", enabled=is_shown) as advance:
            return fit_support(
                claims,
                name=called if called.isprintable() and len(called) <= _NAME_CHARS else "labels",
                subject=subject,
                max_false_accept=allowed,
                on_progress=advance,
            )
    except FitError as error:
        raise CommandError(f"`{display_name(labels)}` {error}") from None


def _read(labels: str, read: "Callable[[str, Callable[[str], str]], _Labels]", schema: str) -> "_Labels":
    """
    Return the labels of a file. Its paths are relative to its folder.

    Raises:
        CommandError: A file cannot be read, or a line is invalid. The hint is *schema*.
    """
    from groundwire.calibration import LabelError

    folder = Path() if labels == STDIN else Path(labels).parent

    def read_source(path: str) -> str:
        location = str(folder / path)
        try:
            # A source is never standard input, so `-` is the name of a file here.
            return read_text(f"./{location}" if location == STDIN else location)
        except ValueError:
            raise CommandError("the path is not a valid file name") from None

    content = read_text(labels)
    try:
        return read(content, read_source)
    except LabelError as error:
        # A cause is the error of a source file.
        hint = schema if error.__cause__ is None else getattr(error.__cause__, "hint", None)
        raise CommandError(f"`{display_name(labels)}`, {error}", hint=hint) from None


def _publish(
    result: "Sequence[Calibration] | SupportFit", report_format: str, outputs: "Sequence[str]", plot: str | None
) -> None:
    """Show the tables, write them to *outputs*, and draw *plot*."""
    from groundwire.calibration import render

    if plot is not None:
        write_file(plot, render(result, "svg"))
    publish_text(lambda chosen: render(result, chosen), report_format, outputs)
