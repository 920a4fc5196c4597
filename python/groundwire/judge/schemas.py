"""
Defines the objects that a model must return: a judgement, and answers to questions about numbered items.

Servers get a JSON schema of the Pydantic models here, and the same models parse the response: nothing in it is
converted, cut or filled in. Servers without schema support may let a model write more than requested, which is accepted
up to `_TOLERANCE` times the length. Source: citation-risk, "LLM 評估輸出格式"; `issues` by ruling B12.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Generic, Protocol, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, WithJsonSchema, create_model

from groundwire.errors import LLMError, LLMFailureCode
from groundwire.judge.protocol import HallucinationType, JudgeDecision, JudgeIssue, Judgement, TokenUsage

__all__ = [
    "FORMATS",
    "JUDGEMENT",
    "LIMITS",
    "JudgeTask",
    "ResponseSchema",
    "TaskJudge",
    "TaskResult",
    "consistency_task",
    "json_schema",
    "response_formats",
    "statements_task",
]

_Read = TypeVar("_Read")
_Value = TypeVar("_Value")

LIMITS = {
    "reasoning": 2000,
    "hallucination_notes": 1000,
    "issues": 20,
    "claim": 300,
    "evidence": 300,
    "statement": 300,
    "statements": 40,
    "reason": 200,
}
"""The maximum number of characters of a text, and of entries of a list, that the schema requests."""

_TOLERANCE = 10
_LIMIT_KEYWORDS = frozenset({"maxLength", "minimum", "maximum", "minItems", "maxItems"})


def _asked(name: str) -> Any:
    """Return the field options of a text that is limited only in the schema."""
    return Field(json_schema_extra={"maxLength": LIMITS[name]})


def _checked(name: str) -> Any:
    """Return a validator that rejects a text far longer than requested, because it is later searched in the sources."""

    def check(text: str) -> str:
        if len(text) > _TOLERANCE * LIMITS[name]:
            raise ValueError("too long")
        return text

    return AfterValidator(check)


def _listed(name: str) -> Any:
    """Return the field options of a list with a limit in the schema, and a higher one for parsing."""
    return Field(max_length=_TOLERANCE * LIMITS[name], json_schema_extra={"maxItems": LIMITS[name]})


class _Object(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


_Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class _Issue(_Object):
    type: Annotated[HallucinationType, Field(strict=False)]
    claim: Annotated[str, _asked("claim")]
    evidence: Annotated[str, _asked("evidence"), _checked("evidence")] | None


class _Judgement(_Object):
    # Models write fields in this order: findings come before the numbers that follow from them.
    reasoning: Annotated[str, _asked("reasoning")]
    issues: Annotated[list[_Issue], _listed("issues")]
    hallucination_notes: Annotated[str, _asked("hallucination_notes")]
    hallucination_risk: _Share
    score: _Share
    confidence: _Share
    decision: Annotated[JudgeDecision, Field(strict=False)]


class _Row(_Object):
    # Models write numbers in different forms; all are parsed as floats.
    number: Annotated[float, WithJsonSchema({"type": "integer"})]


class _ConsistencyRow(_Row):
    reason: Annotated[str, _asked("reason")]
    consistency: _Share


class _StatementsRow(_Row):
    statements: Annotated[list[Annotated[str, _asked("statement"), _checked("statement")]], _listed("statements")]


@lru_cache(maxsize=64)
def _answers_model(row: type[_Row], count: int) -> type[BaseModel]:
    """Return the model of an object with *count* rows."""
    rows: Any = Annotated[list[row], Field(min_length=count, max_length=count)]  # type: ignore[valid-type] # a type that is known at run time
    return create_model("Answers", __base__=_Object, answers=(rows, ...))


@dataclass(frozen=True, slots=True)
class ResponseSchema(Generic[_Read]):
    """
    The schema of an object that a model must return.

    Attributes:
        name: The name that servers see.
        model: The Pydantic model of the object.
        convert: Returns the value of an object of that model; raises LLMError if the object contradicts itself.
    """

    name: str
    model: type[BaseModel]
    convert: Callable[[Any], _Read]

    def read(self, members: Mapping[str, object]) -> _Read:
        """
        Return the value of a model's object.

        Raises:
            LLMError: WRONG_SCHEMA.
        """
        try:
            found = self.model.model_validate(members)
        except ValidationError:
            found = None
        if found is None:
            # Raised here, the new exception has no context: a ValidationError contains the values.
            raise LLMError(LLMFailureCode.WRONG_SCHEMA)
        return self.convert(found)


@lru_cache(maxsize=64)
def json_schema(model: type[BaseModel], *, with_limits: bool) -> dict[str, Any]:
    """
    Return the JSON schema of *model* without references: every field is required, and no other is allowed.

    Args:
        model: A model of this module. Its schema is cached, because creating it takes longer than the rest of a
            request.
        with_limits: Whether the schema has ranges and lengths, which not every server accepts.
    """
    schema = model.model_json_schema()
    dropped = {"$defs", "title"} | (set() if with_limits else _LIMIT_KEYWORDS)
    resolved: dict[str, Any] = _resolved(schema, schema.get("$defs", {}), dropped)
    return resolved


def _resolved(value: Any, definitions: Mapping[str, Any], dropped: set[str]) -> Any:
    if isinstance(value, list):
        return [_resolved(each, definitions, dropped) for each in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        return _resolved(definitions[value["$ref"].rpartition("/")[2]], definitions, dropped)
    return {name: _resolved(each, definitions, dropped) for name, each in value.items() if name not in dropped}


FORMATS = 4
"""The number of ways to request a schema."""


def response_formats(schema: ResponseSchema[Any]) -> tuple[Mapping[str, object] | None, ...]:
    """Return the ways to request *schema*, the strictest first; None for free text."""
    return (
        *(
            {
                "type": "json_schema",
                "json_schema": {
                    "name": schema.name,
                    "strict": True,
                    "schema": json_schema(schema.model, with_limits=with_limits),
                },
            }
            for with_limits in (True, False)
        ),
        {"type": "json_object"},
        None,
    )


def _read_judgement(found: _Judgement) -> Judgement:
    """Return the judgement, before the quotes of its issues are looked up."""
    issues = (
        JudgeIssue(type=each.type, claim=each.claim, evidence=(each.evidence or "").strip() or None)
        for each in found.issues
    )
    return Judgement(**found.model_dump(exclude={"issues"}), issues=tuple(issues))


JUDGEMENT: ResponseSchema[Judgement] = ResponseSchema("judgement", _Judgement, _read_judgement)
"""The schema of a judgement."""


@dataclass(frozen=True, slots=True)
class JudgeTask(Generic[_Value]):
    """
    A question about several items at once.

    Every row of the answer has the number of its item, so that missing, repeated or swapped rows are detected.

    Attributes:
        conversation: The name of its prompt.
        items: The items, numbered from 1, each a mapping of str.
        schema: The schema of the answer, which is parsed as one value for each item, in order.
    """

    conversation: str
    items: tuple[Mapping[str, object], ...]
    schema: ResponseSchema[tuple[_Value, ...]]


@dataclass(frozen=True, slots=True)
class TaskResult(Generic[_Value]):
    """
    The answers to several tasks.

    Attributes:
        answers: The answer to each task, in order; None for a task without an answer.
        error: The reason why a task failed: a code of `LLM_FAILURES`. None if all were answered.
        usage: The usage of all tasks.
    """

    answers: tuple[tuple[_Value, ...] | None, ...]
    error: str | None
    usage: TokenUsage


class TaskJudge(Protocol):
    """A judge that answers tasks; `LLMJudge` is one."""

    @property
    def model(self) -> str:
        """The name of the model."""

    def run_tasks(self, tasks: Sequence[JudgeTask[_Value]]) -> TaskResult[_Value]:
        """Answer *tasks*. Failures are reported in the result."""


def statements_task(texts: Sequence[str]) -> JudgeTask[tuple[str, ...]]:
    """Return the task of listing the statements of each of *texts*."""
    items = _numbered([{"text": text} for text in texts])
    return JudgeTask("statements", items, _rows("statements", _StatementsRow, len(items), tuple))


def consistency_task(pairs: Sequence[tuple[str, str]]) -> JudgeTask[float]:
    """
    Return the task of scoring how far each claim follows from its context, 0.0 to 1.0, for (context, claim) pairs.
    """
    items = _numbered([{"passage": context, "claim": claim} for context, claim in pairs])
    return JudgeTask("consistency", items, _rows("consistency", _ConsistencyRow, len(items), float))


def _numbered(items: Sequence[Mapping[str, str]]) -> tuple[Mapping[str, object], ...]:
    return tuple({"number": number, **item} for number, item in enumerate(items, start=1))


def _rows(
    name: str, row: type[_Row], count: int, value_of: Callable[[Any], _Value]
) -> ResponseSchema[tuple[_Value, ...]]:
    """Return the schema with a row for each of *count* items, whose values are in the field *name*."""

    def convert(found: Any) -> tuple[_Value, ...]:
        rows = sorted(found.answers, key=lambda each: each.number)
        if [each.number for each in rows] != list(range(1, count + 1)):
            raise LLMError(LLMFailureCode.WRONG_SCHEMA)
        return tuple(value_of(getattr(each, name)) for each in rows)

    return ResponseSchema(name, _answers_model(row, count), convert)
