"""Reads answers and the results they cite: a single answer, or a batch with one answer per line."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from groundwire.cli.app import CommandError
from groundwire.cli.inputs import decode, display_name, id_of, parse_json, read_content, read_text, str_of, type_name
from groundwire.file_kinds import is_json, json_kind
from groundwire.report.cite import Case
from groundwire.search_results import SearchResults

if TYPE_CHECKING:
    from groundwire.report.cite.model import QuestionType, SourceQuality

__all__ = ["BATCH_LINE", "AnswerBatch", "IterationContext", "read_batch", "read_case"]

BATCH_LINE = (
    'each line must be {"answer": "…", "results": […]}, and may have "question", "id", "iteration", "max_iterations", '
    '"question_type" and "source_quality"'
)

_RESULTS = 'results are JSON: a list of objects, an object with that list under "results", or one object per line'


class IterationContext(NamedTuple):
    """
    The context of an answer; `groundwire.report.cite.Case` has the same fields.

    Attributes:
        iteration: The round of searching and answering, from 1.
        max_iterations: The last round.
        question_type: "factual" or "open".
        source_quality: "poor", "ordinary" or "good".
    """

    iteration: int | None = None
    max_iterations: int | None = None
    question_type: "QuestionType" = "factual"
    source_quality: "SourceQuality" = "ordinary"


def _context_of(line: Mapping[str, object], otherwise: IterationContext, where: str) -> IterationContext:
    """
    Return the context in a line of a batch; *otherwise* supplies missing fields.

    Raises:
        CommandError: A value is unknown or has the wrong type, or a round has no limit.
    """
    from groundwire.report.cite.model import QUESTION_TYPES, SOURCE_QUALITIES

    given = {name: line[name] for name in IterationContext._fields if line.get(name) is not None}
    for name in ("iteration", "max_iterations"):
        value = given.get(name)
        if not isinstance(value, int | None) or isinstance(value, bool):
            raise CommandError(f'{where}: "{name}" must be an int, got {type_name(value)}')
    allowed: dict[str, tuple[str, ...]] = {"question_type": QUESTION_TYPES, "source_quality": SOURCE_QUALITIES}
    for name, values in allowed.items():
        if name in given and given[name] not in values:
            raise CommandError(f'{where}: "{name}" must be one of {", ".join(values)}')
    context = IterationContext(**{**otherwise._asdict(), **given})
    _check_iterations(context, where)
    return context


def _check_iterations(context: IterationContext, where: str | None = None) -> None:
    """
    Check that a round has a limit, and that neither is negative.

    Raises:
        CommandError: A round has no limit, or one of the two is negative.
    """
    from groundwire.citations.risk import check_iterations

    try:
        check_iterations(context.iteration, context.max_iterations)
    except ValueError as error:
        raise CommandError(str(error) if where is None else f"{where}: {error}") from None


class AnswerBatch(NamedTuple):
    """The answers of a batch, and one error for each invalid line."""

    cases: list[Case]
    problems: list[str]


def read_case(answer: str, results: str, question: str | None, context: IterationContext) -> Case:
    """
    Read an answer and its results from two files; one of them may be `-` for standard input.

    Raises:
        CommandError: A file cannot be read, the results are not a JSON list of objects, or the round has no limit.
    """
    _check_iterations(context)
    name = display_name(answer)
    text = read_text(answer)
    if (kind := json_kind(text)) == "jsonl" or (kind == "json" and is_json(text)):
        raise CommandError(
            f"`{name}` contains JSON, not the text of an answer", hint=f"use --answers for JSON lines: {BATCH_LINE}"
        )
    results_name = display_name(results)
    content = read_text(results)
    try:
        known = results_of(_parsed(content, results_name), results_name)
    except CommandError as error:
        raise CommandError(str(error), hint=_RESULTS) from None
    return Case(text, known, question, name=name, **context._asdict())


def read_batch(path: str, context: IterationContext) -> AnswerBatch:
    """
    Read a file with one answer per line, or standard input for `-`. Blank lines are skipped.

    Args:
        path: The file.
        context: The context of answers whose lines give none.

    Raises:
        CommandError: The file cannot be read.
    """
    name = display_name(path)
    cases, problems = [], []
    for number, line in enumerate(read_content(path).split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            cases.append(_case_of(line, number, f"{name}, line {number}", context))
        except CommandError as error:
            problems.append(str(error))
    return AnswerBatch(cases, problems)


def _parsed(content: str, name: str) -> object:
    """Return a JSON document, or JSON lines as a list."""
    if json_kind(content) != "jsonl" or is_json(content):
        return parse_json(content, name)
    lines = enumerate(content.split("\n"), start=1)
    return [parse_json(line, f"{name}, line {number}", of_line=True) for number, line in lines if line.strip()]


def results_of(value: object, where: str) -> SearchResults:
    """
    Return the results in a parsed JSON value: a list of objects, alone or under "results".

    Raises:
        CommandError: The value has another form. The message names its type and quotes nothing.
    """
    if isinstance(value, dict):
        if "results" not in value:
            raise CommandError(f'{where}: must be a list of results or an object with "results"; it has no "results"')
        value = value["results"]
    if not isinstance(value, list):
        raise CommandError(f"{where}: results must be a list of objects, got {type_name(value)}")
    for number, result in enumerate(value, start=1):
        if not isinstance(result, dict):
            raise CommandError(f"{where}: result {number} must be an object, got {type_name(result)}")
    return value


def _case_of(line: bytes, number: int, where: str, otherwise: IterationContext) -> Case:
    text, _ = decode(line, where)
    value = parse_json(text, where, of_line=True)
    if not isinstance(value, dict):
        raise CommandError(f"{where}: must be an object, got {type_name(value)}")
    for key in ("answer", "results"):
        if key not in value:
            raise CommandError(f'{where}: has no "{key}"')
    answer = value["answer"]
    if not isinstance(answer, str):
        raise CommandError(f'{where}: "answer" must be a str, got {type_name(answer)}')
    question, id_ = str_of(value, "question", where), id_of(value, where)
    results = results_of(value["results"], where)
    context = _context_of(value, otherwise, where)._asdict()
    return Case(answer, results, question, id=id_, line=number, **context)
