"""`groundwire validate`: is what these personas claim in the research behind them?"""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, get_args

from groundwire.cli import ERROR, FOUND, PASS
from groundwire.cli.cite import BaseUrl, Model
from groundwire.cli.inputs import check_stdin_once
from groundwire.cli.options import NoProgress, Reader, Score, support_score
from groundwire.cli.output import STDOUT, check_target, write_file
from groundwire.cli.problems import CommandError, choose, complain, quiet_events, warn
from groundwire.cli.publish import BY_SUFFIX, publish
from groundwire.cli.validate_options import (
    AllowEmpty,
    EmbedderName,
    Faithfulness,
    FormatName,
    Hhem,
    JudgeTask,
    MinScore,
    Personas,
    Policies,
    Reports,
    Review,
    Sources,
    Threshold,
    User,
    Verbose,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from groundwire.cli.validate_models import AskedModels
    from groundwire.faithfulness import FieldPolicies
    from groundwire.faithfulness.personas import Persona
    from groundwire.faithfulness.results import ClaimReview, FaithfulnessResult
    from groundwire.report.faithfulness import FaithfulnessReport
    from groundwire.support_score import SupportScore

Format: TypeAlias = Literal["text", "json", "jsonl", "markdown", "html", "junit"]
FORMATS: tuple[Format, ...] = get_args(Format)
_CLAIMS_OF_USER = 10_000
_BY_SUFFIX: dict[str, Format] = {**BY_SUFFIX, ".xml": "junit"}


class Rules(NamedTuple):
    """What decides beside the models: None where the package's own does."""

    threshold: float | None
    min_score: float
    policies: "FieldPolicies | None"
    score: "SupportScore | None"


def validate(
    *,
    personas: Personas = None,
    faithfulness: Faithfulness = False,
    source: Sources = None,
    verbose: Verbose = False,
    hhem: Hhem = None,
    reader: Reader = None,
    embedder: EmbedderName = None,
    judge: JudgeTask = None,
    model: Model = None,
    base_url: BaseUrl = None,
    score: Score = None,
    threshold: Threshold = None,
    min_score: MinScore = 0.0,
    allow_empty: AllowEmpty = False,
    policies: Policies = None,
    review: Review = None,
    user: User = "local",
    report: Reports = None,
    report_format: FormatName = None,
    no_progress: NoProgress = False,
) -> int:
    """
    Say of personas which of their claims the research behind them supports.

    Exit code 0: every persona has the least score, which is 0 unless another is
    given. 1: at least one has not. 2: usage or input error, also a persona that
    claims nothing.
    """
    from groundwire.cli.validate_inputs import read_persona_file, read_policy_file, source_list, told_reading
    from groundwire.cli.validate_models import ModelOptions, models

    shown_as = choose("--format", report_format or "text", FORMATS)
    least = _share("--min-score", min_score)
    limit = None if threshold is None else _share("--threshold", threshold)
    path, sources = _inputs(personas, source, faithfulness=faithfulness)
    targets = _targets(report, [path, *sources, *(each for each in (policies, review, score) if each is not None)])
    with quiet_events(), told_reading(), models(ModelOptions(hhem, reader, embedder, judge, model, base_url)) as asked:
        rules = Rules(limit, least, read_policy_file(policies), support_score(score))
        read = read_persona_file(path)
        queue = None if review is None else (review, user)
        made = _compared(read, sources, source_list(sources), asked, rules, queue, shows=not no_progress)
    publish(partial(_rendered, made, verbose), partial(_print, made, verbose), shown_as, STDOUT)
    for target in targets:
        write_file(target, _rendered(made, verbose, _BY_SUFFIX.get(Path(target).suffix.lower(), "text")))
    for warning in dict.fromkeys(each for persona in made.personas for each in persona.warnings):
        warn(warning)
    empty = [f"persona {each.number} claims nothing" for each in made.personas if not each.total_claims]
    if empty and not allow_empty:
        complain(empty, hint="--allow-empty makes that a pass")
        return ERROR
    return FOUND if made.summary.failed else PASS


def _share(option: str, value: float) -> float:
    # Written so that NaN, which compares false with everything, is refused too.
    if not 0.0 <= value <= 1.0:
        raise CommandError(f"{option} must be between 0 and 1, got {value:g}")
    return value


def _inputs(personas: str | None, sources: list[str] | None, *, faithfulness: bool) -> tuple[str, list[str]]:
    """
    Return the file of personas and the sources.

    Raises:
        CommandError: One of them is missing, or no check is named.
    """
    if personas is None:
        raise CommandError("no PERSONAS is given", hint="`groundwire validate PERSONAS --faithfulness --source FILE`")
    if not faithfulness:
        raise CommandError(
            "no check is named: add --faithfulness", hint="--faithfulness compares the personas with --source"
        )
    if not sources:
        raise CommandError("no --source is given", hint="it is the research that the personas were made of")
    check_stdin_once([personas, *sources])
    for place, each in enumerate(sources):
        if each in sources[:place]:
            raise CommandError(f"`{each}` is given twice")
    return personas, sources


def _targets(reports: list[str] | None, inputs: list[str]) -> list[str]:
    """Return the files that are written, each checked before the work."""
    targets = reports or []
    for place, target in enumerate(targets):
        if target == STDOUT:
            raise CommandError("--report needs a file", hint="--format says what is shown on standard output")
        if target in targets[:place]:
            raise CommandError(f"`{target}` is given twice")
        check_target(target, inputs)
    return targets


def _compared(
    personas: "Sequence[Persona]",
    paths: "Sequence[str]",
    sources: "Sequence[object]",
    models: "AskedModels",
    rules: Rules,
    queue: tuple[str, str] | None,
    *,
    shows: bool,
) -> "FaithfulnessReport":
    """Return the report on *personas*; what did not run is in it, and told nowhere else."""
    from warnings import catch_warnings, simplefilter

    from groundwire.cli.progress import progress
    from groundwire.cli.validate_inputs import total_bytes
    from groundwire.faithfulness import FaithfulnessValidator
    from groundwire.report.faithfulness import build_faithfulness_report

    with (
        FaithfulnessValidator(
            similarity_threshold=rules.threshold,
            policies=rules.policies,
            score=rules.score,
            **models.arguments(),
        ) as validator,
        progress(total_bytes(paths), label="reading sources", enabled=shows) as advance,
        catch_warnings(),
    ):
        simplefilter("ignore", RuntimeWarning)
        results = validator.validate_many(personas=personas, source_data=sources, on_progress=advance)
    reviews = None if queue is None else _reviewed(personas, results, sources, *queue)
    return build_faithfulness_report(
        personas, results, threshold=validator.threshold, min_score=rules.min_score, reviews=reviews
    )


def _reviewed(
    personas: "Sequence[Persona]",
    results: "Sequence[FaithfulnessResult]",
    sources: "Sequence[object]",
    database: str,
    user: str,
) -> "list[tuple[ClaimReview | None, ...]]":
    """Return what the review queue in *database* says of claims, and send it those that it does not know."""
    import asyncio

    from groundwire.cli.stores import new_or_known_store
    from groundwire.review import ReviewQueue, review_persona_claims

    with new_or_known_store(database) as store, ReviewQueue(store=store, per_user_limit=_CLAIMS_OF_USER) as queue:
        return asyncio.run(review_persona_claims(queue, personas, results, source_data=sources, user_id=user))


def _rendered(report: "FaithfulnessReport", verbose: bool, report_format: Format) -> str:
    """Return *report* as str; only the writer that is used is imported."""
    if report_format == "json":
        from groundwire.report.rendering import render_json

        return render_json(report)
    if report_format == "jsonl":
        from groundwire.report.rendering import render_jsonl

        return render_jsonl(report.personas)
    if report_format == "markdown":
        from groundwire.report.markdown.faithfulness import render_markdown

        return render_markdown(report)
    if report_format == "html":
        from groundwire.report.rendering import render_html

        return render_html(report)
    if report_format == "junit":
        from groundwire.report.junit import render_junit

        return render_junit(report)
    from groundwire.report.text.faithfulness import render_plain

    return render_plain(report, verbose=verbose)


def _print(report: "FaithfulnessReport", verbose: bool, console: "Console") -> None:
    from groundwire.report.terminal.faithfulness import print_report

    print_report(report, console, verbose=verbose)
