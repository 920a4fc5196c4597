"""`groundwire cite`: are these answers supported by what they cite?"""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli import ERROR, FOUND, PASS
from groundwire.cli.inputs import check_stdin_once
from groundwire.cli.options import FormatName, NoProgress, Output, Reader, Score, support_score
from groundwire.cli.output import check_target, write_file
from groundwire.cli.problems import CommandError, choose, complain, quiet_events, warn
from groundwire.cli.progress import progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from groundwire.citations import RiskMonitor
    from groundwire.cli.circumstances import Circumstances
    from groundwire.cli.publish import ReportFormat
    from groundwire.report.cite import Case, CiteReport

Answer = Annotated[
    str | None, typer.Argument(metavar="ANSWER", help="The answer, plain or Markdown, UTF-8; - for standard input.")
]
Results = Annotated[
    str | None,
    typer.Option(
        "--results", "-r", metavar="FILE", help='What it was given: a JSON list, or {"results": […]}; - as above.'
    ),
]
Question = Annotated[str | None, typer.Option("--question", metavar="TEXT", help="What was asked; the judge reads it.")]
BatchFile = Annotated[
    str | None,
    typer.Option(
        "--batch",
        metavar="FILE",
        help='Many answers in the place of one: a JSON object a line with "answer", "results", and if you like '
        '"question" and "id"; - as above.',
    ),
]
Iteration = Annotated[
    int | None,
    typer.Option(
        "--iteration", metavar="N", help="The round of searching and answering, from 1; needs --max-iterations."
    ),
]
MaxIterations = Annotated[
    int | None,
    typer.Option("--max-iterations", metavar="M", help="The last round, whose answer is accepted by force if need be."),
]
QuestionTypeName = Annotated[
    str | None,
    typer.Option(
        "--question-type",
        metavar="factual|open",
        help="Which limits of risk hold, see RiskSettings.  [default: factual]",
    ),
]
SourceQualityName = Annotated[
    str | None,
    typer.Option("--source-quality", metavar="poor|ordinary|good", help="What moves them.  [default: ordinary]"),
]
PolicyName = Annotated[
    str,
    typer.Option("--policy", metavar="coverage|spec", help="The rules: as people read, or as printed."),
]
JudgeWhen = Annotated[
    str | None,
    typer.Option(
        "--judge",
        metavar="auto|never|always|moderate_only",
        help="When a language model is asked; auto: unless the rules already say high.  "
        "[default: never, or auto if a model is named]",
    ),
]
Model = Annotated[
    str | None, typer.Option("--model", metavar="NAME", help="The model that judges.  [default: by the environment]")
]
BaseUrl = Annotated[
    str | None,
    typer.Option("--base-url", metavar="URL", help="Its server, which speaks OpenAI's protocol.  [default: as above]"),
]
MonitorFile = Annotated[
    str | None,
    typer.Option(
        "--monitor", metavar="FILE", help="Write counts of all answers: .json, or .prom for Prometheus' text format."
    ),
]

_MONITOR_SUFFIXES = (".json", ".prom")


def cite(
    *,
    answer: Answer = None,
    results: Results = None,
    question: Question = None,
    batch: BatchFile = None,
    iteration: Iteration = None,
    max_iterations: MaxIterations = None,
    question_type: QuestionTypeName = None,
    source_quality: SourceQualityName = None,
    policy: PolicyName = "coverage",
    reader: Reader = None,
    judge: JudgeWhen = None,
    model: Model = None,
    base_url: BaseUrl = None,
    score: Score = None,
    report_format: FormatName = None,
    output: Output = "-",
    monitor: MonitorFile = None,
    no_progress: NoProgress = False,
) -> int:
    """
    Say how risky an answer is that cites its sources, and which claims they support.

    Exit code 0: every answer is accepted. 1: at least one is to be refined or
    rejected, or is accepted by force. 2: usage or input error, also in one line
    of a batch.
    """
    from groundwire.citations import RiskMonitor
    from groundwire.cli.cases import BATCH_LINE
    from groundwire.cli.circumstances import circumstances_of, risk_settings
    from groundwire.cli.judging import JudgeOptions, judging, warn_of_failures
    from groundwire.cli.publish import format_of, publish
    from groundwire.cli.readers import reader_in
    from groundwire.report.cite import build_cite_report
    from groundwire.report.cite.model import POLICIES
    from groundwire.report.labels import totals_text

    rules = choose("--policy", policy, POLICIES)
    chosen_format = format_of(report_format, output)
    inputs = _inputs(answer, results, question, batch)
    _check_targets(output, monitor, inputs if score is None else [*inputs, score])
    circumstances = circumstances_of(iteration, max_iterations, question_type, source_quality)
    settings, chosen, scorer = risk_settings(), support_score(score), reader_in(reader)
    counts = RiskMonitor()
    with quiet_events(), judging(JudgeOptions(judge, model, base_url)) as asked:
        cases, problems = _read(answer, results, question, batch, circumstances)
        complain(problems, hint=BATCH_LINE)
        with progress(len(cases), label="assessing answers", enabled=not no_progress) as advance:
            report = build_cite_report(
                cases,
                policy=rules,
                settings=settings,
                **asked._asdict(),
                score=chosen,
                reader=scorer,
                monitor=counts,
                on_progress=advance,
            )
    publish(partial(_rendered, report, cases), partial(_print, report), chosen_format, output)
    warn_of_failures(report)
    _warn_of_force(report)
    if monitor is not None:
        _write_counts(counts, monitor)
    if batch is not None:
        typer.echo(totals_text(report), err=True)
    return ERROR if problems else FOUND if report.summary.rejected or report.summary.forced else PASS


def _inputs(answer: str | None, results: str | None, question: str | None, batch: str | None) -> list[str]:
    """
    Return the files that are read.

    Raises:
        CommandError: Neither one answer with its results is named nor a batch, or both are.
    """
    if batch is not None:
        for name, value in (("an ANSWER", answer), ("--results", results), ("--question", question)):
            if value is not None:
                raise CommandError(f"--batch takes no {name.removeprefix('an ')}", hint="its lines have all of it")
        return [batch]
    if answer is None or results is None:
        missing = "ANSWER" if answer is None else "--results"
        raise CommandError(f"no {missing} is given", hint="`groundwire cite ANSWER --results FILE`, or --batch FILE")
    check_stdin_once([answer, results])
    return [answer, results]


def _check_targets(output: str, monitor: str | None, inputs: list[str]) -> None:
    check_target(output, inputs)
    if monitor is None:
        return
    check_target(monitor, inputs)
    if Path(monitor).suffix.lower() not in _MONITOR_SUFFIXES:
        raise CommandError(f"--monitor must name a file that ends in {' or '.join(_MONITOR_SUFFIXES)}")
    if Path(monitor) == Path(output):
        raise CommandError("--monitor needs a file of its own")


def _read(
    answer: str | None,
    results: str | None,
    question: str | None,
    batch: str | None,
    circumstances: "Circumstances",
) -> "tuple[Sequence[Case], list[str]]":
    """
    Return the answers, and what is wrong with the lines that are none.

    Raises:
        CommandError: There is nothing to assess.
    """
    from groundwire.cli.cases import BATCH_LINE, read_batch, read_case

    if batch is None:
        return [read_case(answer or "", results or "", question, circumstances)], []
    cases, problems = read_batch(batch, circumstances)
    if not cases and not problems:
        raise CommandError(f"`{batch}` holds no answers", hint=BATCH_LINE)
    return cases, problems


def _warn_of_force(report: "CiteReport") -> None:
    """Say how many answers are accepted in spite of their risk."""
    from groundwire.report.labels import plural

    if forced := report.summary.forced:
        warn(f"{plural(forced, 'answer')} accepted by force, near the limit of iterations, in spite of the risk")


def _write_counts(counts: "RiskMonitor", path: str) -> None:
    text = counts.as_prometheus() if path.lower().endswith(".prom") else f"{counts.as_json()}\n"
    # Counts alone, for a collector that is often another user's.
    write_file(path, text, is_private=False)


def _rendered(report: "CiteReport", cases: "Sequence[Case]", report_format: "ReportFormat") -> str:
    """Return *report* as str; only the writer that is used is imported."""
    if report_format == "json":
        from groundwire.report.rendering import render_json

        return render_json(report)
    if report_format == "jsonl":
        from groundwire.report.rendering import render_jsonl

        return render_jsonl(report.answers)
    if report_format == "markdown":
        from groundwire.report.markdown.cite import render_markdown

        return render_markdown(report)
    if report_format == "html":
        from groundwire.report.rendering import render_html

        return render_html(report, cases)
    from groundwire.report.text.cite import render_plain

    return render_plain(report)


def _print(report: "CiteReport", console: "Console") -> None:
    from groundwire.report.terminal.cite import print_report

    print_report(report, console)
