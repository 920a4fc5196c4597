"""`groundwire validate`: compares the claims of personas with the research behind them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from groundwire.cli.app import CommandError, mute_log_events, report_errors, warn, warn_skipped
from groundwire.cli.commands import ERROR, FOUND, PASS
from groundwire.cli.inputs import STDIN, check_exists, check_stdin_once, display_name, error_reason, read_text
from groundwire.cli.options import (
    DATABASE,
    FILE,
    SHARE,
    Choice,
    PathName,
    allow_empty_option,
    base_url_option,
    format_option,
    min_score_option,
    model_option,
    no_progress_option,
    output_option,
    reader_option,
    score_option,
    support_score,
)
from groundwire.cli.output import REPORT_FORMATS, Presentation, check_outputs, progress, publish
from groundwire.files import list_folder

if TYPE_CHECKING:
    from groundwire.cli.factories import RequestedModels
    from groundwire.faithfulness import FieldPolicies
    from groundwire.faithfulness.personas import Persona
    from groundwire.faithfulness.results import ClaimReview, FaithfulnessResult
    from groundwire.report.faithfulness import FaithfulnessReport
    from groundwire.support_score import SupportScore

_FORMATS = (*REPORT_FORMATS, "junit")
_CLAIMS_OF_USER = 10_000
_PERSONA_FILES = "a file of personas is JSON or YAML: one persona, a list, or a list under `personas`"


class ValidationRules(NamedTuple):
    """The rules beside the models; None for the package's default."""

    threshold: float | None
    min_score: float
    policies: "FieldPolicies | None"
    score: "SupportScore | None"


class _Validate(click.Command):
    """A command whose `--hhem` takes a value only after `=`; click would take the next word as well."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse *args*, with the value of a bare `--hhem` added."""
        return super().parse_args(ctx, ["--hhem=auto" if each == "--hhem" else each for each in args])


@click.command(cls=_Validate)
@click.argument(
    "personas",
    type=PathName("[PERSONAS]"),
    required=False,
    help='JSON or YAML: one persona, a list, or {"personas": […]}, UTF-8; - for standard input.',
)
@click.option(
    "--faithfulness", is_flag=True, help="Compare the claims of the personas with the sources: the only check so far."
)
@click.option(
    "--source",
    "-s",
    "sources",
    type=FILE,
    multiple=True,
    help="The research: text, Markdown, CSV, JSON, a transcript, or a folder of these; - for standard input; "
    "repeatable.",
)
@click.option("--verbose", "-v", is_flag=True, help="Show every claim, with all its evidence.")
@click.option(
    "--hhem",
    type=Choice(("auto", "require")),
    metavar="[=require]",
    help="Score claims with the local classifier; with =require, fail if it cannot run instead of going on without.",
)
@reader_option
@click.option("--embedder", metavar="NAME", help="Find passages of similar meaning with this embedder.")
@click.option(
    "--judge",
    type=Choice(("support", "statements", "both")),
    help="The task of a language model: judge whether sources support claims, extract statements from prose, or both.  "
    "[default: both if --model or --base-url is given, else none]",
)
@model_option
@base_url_option
@score_option
@click.option("--threshold", type=SHARE, help="The minimum confidence of a supported claim.  [default: 0.6]")
@min_score_option("The minimum faithfulness score of a persona.", default=0.0)
@allow_empty_option
@click.option(
    "--field-policies", type=FILE, help="A TOML file whose table `policies` marks fields as check, skip or synthetic."
)
@click.option(
    "--review",
    type=DATABASE,
    help="Send weak and contradicted claims to the review queue in this database, an SQLite file or "
    "postgresql://…, and show the decisions on earlier ones.",
)
@click.option("--user", metavar="NAME", default="local", help="The user who owns the claims in the review queue.")
@format_option(*_FORMATS)
@output_option("--report")
@no_progress_option
def validate(
    *,
    personas: str | None,
    faithfulness: bool,
    sources: tuple[str, ...],
    verbose: bool,
    hhem: Literal["auto", "require"] | None,
    reader: str | None,
    embedder: str | None,
    judge: Literal["support", "statements", "both"] | None,
    model: str | None,
    base_url: str | None,
    score: str | None,
    threshold: float | None,
    min_score: float,
    allow_empty: bool,
    field_policies: str | None,
    review: str | None,
    user: str,
    report_format: str,
    outputs: tuple[str, ...],
    no_progress: bool,
) -> int:
    """
    Compare the claims of personas with the research behind them.

    Exit code 0: every persona reaches --min-score, by default 0. 1: at least one does
    not. 2: usage or input error, including a persona without claims.
    """
    from groundwire.cli.factories import ModelOptions, open_models

    path = _inputs(personas, sources, faithfulness=faithfulness)
    inputs = [path, *sources, *(each for each in (field_policies, review, score) if each is not None)]
    check_outputs(outputs, inputs, _FORMATS)
    options = ModelOptions(hhem, reader, embedder, judge, model, base_url)
    with mute_log_events(), _reading_errors(), open_models(options) as requested:
        rules = ValidationRules(threshold, min_score, _read_policy_file(field_policies), support_score(score))
        read = _read_persona_file(path)
        queue = None if review is None else (review, user)
        made = _compare(read, sources, _source_list(sources), requested, rules, queue, shows=not no_progress)
    shown = Presentation("faithfulness", made, made.personas, options={"verbose": verbose})
    publish(shown, report_format, outputs)
    for warning in dict.fromkeys(each for persona in made.personas for each in persona.warnings):
        warn(warning)
    empty = [f"persona {each.number} has no claims" for each in made.personas if not each.total_claims]
    if empty and not allow_empty:
        report_errors(empty, hint="add --allow-empty to pass without claims")
        return ERROR
    return FOUND if made.summary.failed else PASS


def _inputs(personas: str | None, sources: "Sequence[str]", *, faithfulness: bool) -> str:
    """
    Return the file of personas.

    Raises:
        CommandError: The personas, the sources or the check are missing.
    """
    if personas is None:
        raise CommandError("missing PERSONAS", hint="`groundwire validate PERSONAS --faithfulness --source FILE`")
    if not faithfulness:
        raise CommandError(
            "missing --faithfulness", hint="it is the only check so far, and compares the personas with --source"
        )
    if not sources:
        raise CommandError("missing --source", hint="--source FILE names the research behind the personas")
    check_stdin_once([personas, *sources])
    for number, each in enumerate(sources):
        if each in sources[:number]:
            raise CommandError(f"`{each}` is given twice")
    return personas


def _compare(
    personas: "Sequence[Persona]",
    paths: "Sequence[str]",
    sources: "Sequence[object]",
    models: "RequestedModels",
    rules: ValidationRules,
    queue: tuple[str, str] | None,
    *,
    shows: bool,
) -> "FaithfulnessReport":
    """Return the report on *personas*, including the models that did not run."""
    from warnings import catch_warnings, simplefilter

    from groundwire.faithfulness import FaithfulnessValidator
    from groundwire.report.faithfulness import build_faithfulness_report

    with (
        FaithfulnessValidator(
            similarity_threshold=rules.threshold,
            policies=rules.policies,
            score=rules.score,
            **models.arguments(),
        ) as validator,
        progress(_total_bytes(paths), label="reading sources", enabled=shows) as advance,
        catch_warnings(),
    ):
        simplefilter("ignore", RuntimeWarning)
        results = validator.validate_many(personas=personas, source_data=sources, on_progress=advance)
    reviews = None if queue is None else _review(personas, results, sources, *queue)
    return build_faithfulness_report(
        personas, results, threshold=validator.threshold, min_score=rules.min_score, reviews=reviews
    )


def _review(
    personas: "Sequence[Persona]",
    results: "Sequence[FaithfulnessResult]",
    sources: "Sequence[object]",
    database: str,
    user: str,
) -> "list[tuple[ClaimReview | None, ...]]":
    """Send new claims to the review queue in *database*, and return the decisions on all claims."""
    import asyncio

    from groundwire.cli.stores import open_or_create_store
    from groundwire.review import ReviewQueue, review_persona_claims

    with open_or_create_store(database) as store, ReviewQueue(store=store, per_user_limit=_CLAIMS_OF_USER) as queue:
        return asyncio.run(review_persona_claims(queue, personas, results, source_data=sources, user_id=user))


def _read_persona_file(path: str) -> "list[Persona]":
    """
    Return the personas of a file, or of standard input for `-`.

    Raises:
        CommandError: It cannot be read, or contains no personas. The message gives line and column, never text.
    """
    from groundwire.errors import PersonaError
    from groundwire.faithfulness import read_personas
    from groundwire.faithfulness.personas import parsed_personas

    name = display_name(path)
    text = read_text(path)
    try:
        parsed = parsed_personas(text, Path(path).suffix)
        personas = read_personas(parsed if isinstance(parsed, dict | list) else [parsed])
    except PersonaError as error:
        raise CommandError(f"`{name}`: {error}", hint=_PERSONA_FILES) from None
    except ImportError as error:
        what, _, command = str(error).partition(": ")
        raise CommandError(f"`{name}`: {what}", hint=command) from None
    if not personas:
        raise CommandError(f"`{name}` contains no personas")
    return personas


def _read_policy_file(path: str | None) -> "FieldPolicies | None":
    """
    Return the policies in a file; None without a file.

    Raises:
        CommandError: It cannot be read, or contains no policies.
    """
    from groundwire.faithfulness.fields import parsed_policies

    if path is None:
        return None
    check_exists(path)
    try:
        # Read it once, because it may be a pipe.
        return parsed_policies(read_text(f"./{path}" if path == STDIN else path))
    except (TypeError, ValueError) as error:
        raise CommandError(f"`{path}`: {error}") from None


def _source_list(paths: Sequence[str]) -> list[object]:
    """
    Return the sources for `SourceData`; warn of skipped files in folders.

    Raises:
        CommandError: A source is missing, or two have the same name.
    """
    from groundwire.faithfulness import SourceData

    for path in paths:
        if path != STDIN:
            check_exists(path)
    sources: list[object] = [(display_name(path), read_text(path)) if path == STDIN else Path(path) for path in paths]
    try:
        reasons = SourceData(sources).skip_reasons
    except ValueError as error:
        raise CommandError(f"--source: {error}") from None
    warn_skipped(reasons.items())
    return sources


def _total_bytes(paths: Sequence[str]) -> int:
    """Return the size of all sources in bytes."""
    total = 0
    for path in map(Path, paths):
        files = [each.path for each in list_folder(path).files] if path.is_dir() else [path]
        total += sum(file.stat().st_size for file in files if file.is_file())
    return total


@contextmanager
def _reading_errors() -> Iterator[None]:
    """
    Turn read errors into messages.

    Raises:
        CommandError: A file cannot be read. The message names it.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        name = "a source" if error.filename is None else f"`{error.filename}`"
        raise CommandError(f"cannot read {name}: {error_reason(error)}") from None
