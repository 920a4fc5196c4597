"""
Questions beside the judgement of an answer: numbered items as data, and a form with a row for each.

Every row of an answer has the number of its item, so that none can be left out, told twice or
mixed up without being noticed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from groundwire.judge.failures import FailureCode, JudgeError
from groundwire.judge.forms import Form, Json, object_schema, read_share, read_text, share_schema, text_schema
from groundwire.judgement import Usage

__all__ = [
    "QUESTION_LIMITS",
    "Filled",
    "Question",
    "QuestionJudge",
    "consistency_question",
    "statements_question",
]

_Row = TypeVar("_Row")

QUESTION_LIMITS = {"statement": 300, "statements": 40, "reason": 200}
"""The most characters of a statement and of a reason, and the most statements of a text, that a model is asked for."""

# Servers that do not hold the model to a schema let it write more. That is no fault, as long as it is soon checked.
_MAX_STATEMENTS = 10 * QUESTION_LIMITS["statements"]
_MAX_STATEMENT_CHARS = 10 * QUESTION_LIMITS["statement"]


@dataclass(frozen=True, slots=True)
class Question(Generic[_Row]):
    """
    What a model is asked of several items at once.

    Attributes:
        conversation: The name of its prompt.
        items: The items, numbered from 1, each a mapping of str.
        form: How the answer is to be written: what it says of each item, in their order.
    """

    conversation: str
    items: tuple[Mapping[str, object], ...]
    form: Form[tuple[_Row, ...]]


@dataclass(frozen=True, slots=True)
class Filled(Generic[_Row]):
    """
    What came of questions.

    Attributes:
        answers: That to each, in their order; None where there is none.
        error: Why one failed: a code of `FAILURES`. None if all were answered.
        usage: What all of them took.
    """

    answers: tuple[tuple[_Row, ...] | None, ...]
    error: str | None
    usage: Usage


class QuestionJudge(Protocol):
    """Whoever answers such questions; `LLMJudge` does."""

    @property
    def model(self) -> str:
        """Its name."""

    def fill_in(self, questions: Sequence[Question[_Row]]) -> Filled[_Row]:
        """Answer *questions*; whatever goes wrong, there is a result that says so."""


def statements_question(texts: Sequence[str]) -> Question[tuple[str, ...]]:
    """Ask what each of *texts* states, one thing at a time."""
    return Question(
        "statements",
        _numbered([{"text": text} for text in texts]),
        _form("statements", len(texts), "statements", _statements_schema, _read_statements),
    )


def consistency_question(pairs: Sequence[tuple[str, str]]) -> Question[float]:
    """Ask of each (context, claim) how far the claim follows from the context, 0.0 to 1.0."""
    items = _numbered([{"passage": context, "claim": claim} for context, claim in pairs])
    return Question(
        "consistency",
        items,
        _form("consistency", len(pairs), "consistency", share_schema, read_share, with_reason=True),
    )


def _numbered(items: Sequence[Mapping[str, str]]) -> tuple[Mapping[str, object], ...]:
    return tuple({"number": number, **item} for number, item in enumerate(items, start=1))


def _form(
    name: str,
    count: int,
    field: str,
    field_schema: Callable[[bool], Json],
    read_field: Callable[[object], _Row],
    *,
    with_reason: bool = False,
) -> Form[tuple[_Row, ...]]:
    """Return the form with a row for each of *count* items: its number, perhaps a reason, and *field*."""

    def schema(with_limits: bool) -> Json:
        reason = {"reason": text_schema(QUESTION_LIMITS["reason"], with_limits)} if with_reason else {}
        row = object_schema({"number": {"type": "integer"}, **reason, field: field_schema(with_limits)})
        answers: Json = {"type": "array", "items": row}
        return object_schema({"answers": answers | {"minItems": count, "maxItems": count} if with_limits else answers})

    def read(fields: Json) -> tuple[_Row, ...]:
        rows = fields.get("answers")
        if fields.keys() != {"answers"} or not isinstance(rows, list) or len(rows) != count:
            raise JudgeError(FailureCode.WRONG_SCHEMA)
        wanted = {"number", field} | ({"reason"} if with_reason else set())
        told: dict[object, _Row] = {}
        for row in rows:
            if not isinstance(row, dict) or row.keys() != wanted:
                raise JudgeError(FailureCode.WRONG_SCHEMA)
            if with_reason:
                read_text(row["reason"])
            if not isinstance(row["number"], float):
                raise JudgeError(FailureCode.WRONG_SCHEMA)
            told[row["number"]] = read_field(row[field])
        if told.keys() != {float(number) for number in range(1, count + 1)}:
            raise JudgeError(FailureCode.WRONG_SCHEMA)
        return tuple(told[float(number)] for number in range(1, count + 1))

    return Form(name, schema, read)


def _statements_schema(with_limits: bool) -> Json:
    statements: Json = {"type": "array", "items": text_schema(QUESTION_LIMITS["statement"], with_limits)}
    return statements | {"maxItems": QUESTION_LIMITS["statements"]} if with_limits else statements


def _read_statements(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > _MAX_STATEMENTS:
        raise JudgeError(FailureCode.WRONG_SCHEMA)
    statements = tuple(map(read_text, value))
    if any(len(statement) > _MAX_STATEMENT_CHARS for statement in statements):
        raise JudgeError(FailureCode.WRONG_SCHEMA)
    return statements
