"""`groundwire cite`: assesses the risk of answers that cite their sources."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from groundwire.cli.app import CommandError, mute_log_events, report_errors, setting_errors, warn
from groundwire.cli.commands import ERROR, FOUND, PASS, print_error
from groundwire.cli.inputs import check_stdin_once
from groundwire.cli.options import (
    FILE,
    Choice,
    Number,
    PathName,
    base_url_option,
    format_option,
    model_option,
    no_progress_option,
    output_option,
    reader_option,
    score_option,
    support_score,
)
from groundwire.cli.output import (
    CI_FORMATS,
    REPORT_FORMATS,
    Presentation,
    check_outputs,
    check_separate,
    check_target,
    ci_writers,
    progress,
    publish,
    write_file,
)
from groundwire.files import MAX_SETTINGS_BYTES, read_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.citations import RiskMonitor
    from groundwire.cli.answers import IterationContext
    from groundwire.report.cite import Case, CiteReport
    from groundwire.report.cite.model import QuestionType, SourceQuality, When
    from groundwire.report.findings import ReportFinding
    from groundwire.settings import RiskSettings

_FORMATS = (*REPORT_FORMATS, *CI_FORMATS)
_METRICS_SUFFIXES = (".json", ".prom")
_SETTINGS_PREFIX = "QUANTITATIVE_CITATION_RISK_"


@click.command()
@click.argument(
    "answer",
    type=PathName("[ANSWER]"),
    required=False,
    help="The answer, plain or Markdown, UTF-8; - for standard input.",
)
@click.option(
    "--results",
    "-r",
    type=FILE,
    help='The search results that the answer uses: a JSON list, or {"results": […]}; - for standard input.',
)
@click.option("--question", metavar="TEXT", help="The question that was asked, for the judge.")
@click.option(
    "--answers",
    type=FILE,
    help='A batch instead of one answer: JSON lines with "answer", "results", and optionally "question" and "id"; '
    "- for standard input.",
)
@click.option(
    "--iteration", type=Number(0), help="The round of searching and answering, from 1; needs --max-iterations."
)
@click.option("--max-iterations", type=Number(0), help="The last round, whose answer is accepted even at high risk.")
@click.option(
    "--question-type",
    type=Choice(("factual", "open")),
    default="factual",
    help="Selects the risk thresholds; see RiskSettings.",
)
@click.option(
    "--source-quality",
    type=Choice(("poor", "ordinary", "good")),
    default="ordinary",
    help="Shifts the risk thresholds.",
)
@click.option(
    "--policy",
    type=Choice(("coverage", "spec")),
    default="coverage",
    help="The rules: coverage counts the claims that have a valid citation; spec follows the specification literally.",
)
@reader_option
@click.option(
    "--judge",
    "when",
    type=Choice(("never", "auto", "always", "moderate_only")),
    help="When a language model judges; auto: only if the rules do not already find a high risk.  "
    "[default: auto if --model or --base-url is given, else never]",
)
@model_option
@base_url_option
@score_option
@format_option(*_FORMATS)
@output_option()
@click.option("--metrics", type=FILE, help="Write metrics of all answers to this file: .json, or .prom for Prometheus.")
@no_progress_option
def cite(
    *,
    answer: str | None,
    results: str | None,
    question: str | None,
    answers: str | None,
    iteration: int | None,
    max_iterations: int | None,
    question_type: "QuestionType",
    source_quality: "SourceQuality",
    policy: str,
    reader: str | None,
    when: "When | None",
    model: str | None,
    base_url: str | None,
    score: str | None,
    report_format: str,
    outputs: tuple[str, ...],
    metrics: str | None,
    no_progress: bool,
) -> int:
    """
    Assess the risk of an answer that cites its sources.

    The report also says which claims its sources support.

    Exit code 0: every answer is accepted. 1: at least one needs a better search, is
    rejected, or is accepted by force. 2: usage or input error, including an invalid
    line of a batch.
    """
    from groundwire.citations import RiskMonitor
    from groundwire.cli.answers import BATCH_LINE, IterationContext
    from groundwire.cli.factories import JudgeOptions, open_judge, open_reader, warn_of_failed_judgements
    from groundwire.report.cite import build_cite_report
    from groundwire.report.labels.cite import totals_text

    inputs = _inputs(answer, results, question, answers)
    _check_targets(outputs, metrics, inputs if score is None else [*inputs, score])
    context = IterationContext(iteration, max_iterations, question_type, source_quality)
    settings, chosen, scorer = _risk_settings(), support_score(score), open_reader(reader)
    counts = RiskMonitor()
    with mute_log_events(), open_judge(JudgeOptions(when, model, base_url)) as judge:
        cases, problems = _read(answer, results, question, answers, context)
        report_errors(problems, hint=BATCH_LINE)
        with progress(len(cases), label="assessing answers", enabled=not no_progress) as advance:
            report = build_cite_report(
                cases,
                policy=policy,
                settings=settings,
                **judge._asdict(),
                score=chosen,
                reader=scorer,
                monitor=counts,
                on_progress=advance,
            )
    writers = ci_writers(lambda: _findings(report), "groundwire.cite")
    publish(Presentation("cite", report, report.answers, cases, writers=writers), report_format, outputs)
    warn_of_failed_judgements(report)
    _warn_of_force(report)
    if metrics is not None:
        _write_counts(counts, metrics)
    if answers is not None:
        print_error(totals_text(report))
    return ERROR if problems else FOUND if report.summary.rejected or report.summary.forced else PASS


def _findings(report: "CiteReport") -> "list[ReportFinding]":
    from groundwire.report.findings import cite_findings

    return cite_findings(report)


def _inputs(answer: str | None, results: str | None, question: str | None, answers: str | None) -> list[str]:
    """
    Return the files that are read.

    Raises:
        CommandError: Neither an answer with its results nor a batch is given, or both are given.
    """
    if answers is not None:
        for name, value in (("ANSWER", answer), ("--results", results), ("--question", question)):
            if value is not None:
                raise CommandError(
                    f"--answers cannot be combined with {name}",
                    hint="each line of its file has an answer, its results and its question",
                )
        return [answers]
    if answer is None or results is None:
        missing = "ANSWER" if answer is None else "--results"
        raise CommandError(f"missing {missing}", hint="`groundwire cite ANSWER --results FILE`, or --answers FILE")
    check_stdin_once([answer, results])
    return [answer, results]


def _check_targets(outputs: "Sequence[str]", metrics: str | None, inputs: list[str]) -> None:
    check_outputs(outputs, inputs, _FORMATS)
    if metrics is None:
        return
    check_target(metrics, inputs)
    if Path(metrics).suffix.lower() not in _METRICS_SUFFIXES:
        raise CommandError(f"--metrics must name a file that ends in {' or '.join(_METRICS_SUFFIXES)}")
    check_separate("--metrics", metrics, outputs)


def _read(
    answer: str | None,
    results: str | None,
    question: str | None,
    answers: str | None,
    context: "IterationContext",
) -> "tuple[Sequence[Case], list[str]]":
    """
    Return the answers, and one error for each invalid line.

    Raises:
        CommandError: There is nothing to assess.
    """
    from groundwire.cli.answers import BATCH_LINE, read_batch, read_case

    if answers is None:
        return [read_case(answer or "", results or "", question, context)], []
    cases, problems = read_batch(answers, context)
    if not cases and not problems:
        raise CommandError(f"`{answers}` contains no answers", hint=BATCH_LINE)
    return cases, problems


def _warn_of_force(report: "CiteReport") -> None:
    """Warn of answers that are accepted despite their risk."""
    from groundwire.labels import plural

    if forced := report.summary.forced:
        warn(f"{plural(forced, 'answer')} accepted despite the risk, because the iteration limit is near")


def _write_counts(counts: "RiskMonitor", path: str) -> None:
    text = counts.as_prometheus() if path.lower().endswith(".prom") else f"{counts.as_json()}\n"
    # The file has only counts, for a collector that often runs as another user.
    write_file(path, text, is_private=False)


def _risk_settings() -> "RiskSettings | None":
    """
    Return the risk thresholds from the environment or `.env`; None if neither sets one.

    Without one, the slow library that reads settings is not loaded.

    Raises:
        CommandError: A value is out of range, or the extra `pydantic` is not installed. Names the setting and the
            rule, never the value.
    """
    if not any(name.upper().startswith(_SETTINGS_PREFIX) for name in os.environ) and not _is_in_dotenv():
        return None
    try:
        from groundwire.settings import RiskSettings
    except ImportError as error:
        raise CommandError(str(error)) from None
    try:
        return RiskSettings()
    except (OSError, ValueError) as error:
        raise CommandError(f"cannot read the risk thresholds: {setting_errors(error)}") from None


def _is_in_dotenv() -> bool:
    try:
        return _SETTINGS_PREFIX.encode() in read_file(".env", MAX_SETTINGS_BYTES).upper()
    except (FileNotFoundError, IsADirectoryError):
        return False
    except OSError:
        # Reading the settings reports the error.
        return True
