"""Builds the requests of a judgement, and reads the object in the model's output."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from groundwire.errors import LLMError, LLMFailureCode, ModelOutputError
from groundwire.judge.delimiting import to_data
from groundwire.judge.prompts import Message, PromptTemplates
from groundwire.judge.protocol import UsageCounter
from groundwire.judge.schemas import FORMATS, JudgeTask, ResponseSchema, response_formats
from groundwire.model_output import ModelObject, extract_json_object, is_copied, is_prompt_echo
from groundwire.openai_client import Completion, Connection
from groundwire.search_results import SearchResults, read_results

__all__ = ["JudgeAnswer", "JudgeConversation", "JudgePrompt", "JudgeRequest", "ResponseFormats"]

_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """
    The first request of an exchange.

    Attributes:
        messages: The messages.
        texts: The texts in the messages.
        is_critique: Whether the model answers in free text, which a second request converts to the schema.
    """

    messages: list[Message]
    texts: tuple[str, ...]
    is_critique: bool = False


@dataclass(frozen=True, slots=True)
class JudgePrompt:
    """
    Builds requests.

    Args:
        templates: The prompts.
        model: The model that judges.
        formatter_model: The model that converts a critique to the schema; None for a single step.
        max_chars: The maximum number of characters of all texts together, and of a critique.
    """

    templates: PromptTemplates
    model: str
    formatter_model: str | None
    max_chars: int

    def judgement_request(self, question: str, answer: str, results: SearchResults) -> JudgeRequest:
        """
        Return the request for a judgement of *answer*.

        Raises:
            TypeError: An argument has the wrong type.
            LLMError: TOO_LONG or BAD_PROMPT; no request is possible.
        """
        for name, value in (("question", question), ("answer", answer)):
            if not isinstance(value, str):
                raise TypeError(f"{name} must be a str, got {type(value).__name__}")
        advice = _passages(results)
        texts = (question, answer, *(text for fields in advice for text in fields.values()))
        self._check_length(texts)
        data = {"question": to_data(question), "expert_advice": to_data(advice), "candidate_answer": to_data(answer)}
        name = "one_step" if self.formatter_model is None else "critique"
        return JudgeRequest(self.templates.messages(name, data), texts, self.formatter_model is not None)

    def task_request(self, task: JudgeTask[Any]) -> JudgeRequest:
        """
        Return the request for the answer to *task*.

        Raises:
            LLMError: TOO_LONG or BAD_PROMPT; no request is possible.
        """
        texts = tuple(value for item in task.items for value in item.values() if isinstance(value, str))
        self._check_length(texts)
        return JudgeRequest(self.templates.messages(task.conversation, {"items": to_data(list(task.items))}), texts)

    def format_messages(self, critique: str) -> list[Message]:
        """Return the messages that ask for *critique* in the schema. Raises LLMError like the other methods."""
        self._check_length([critique])
        return self.templates.messages("format", {"notes": to_data(critique)})

    def _check_length(self, texts: Sequence[str]) -> None:
        if sum(map(len, texts)) > self.max_chars:
            raise LLMError(LLMFailureCode.TOO_LONG)


def _passages(results: SearchResults) -> list[dict[str, str]]:
    """Return the id, parent id, title and passage of each result. No other field is sent."""
    read = read_results(results)
    rows = zip(read.ids, read.parent_ids, read.titles, read.passages, strict=True)
    named = (dict(zip(("id", "parent_id", "title", "text"), row, strict=True)) for row in rows)
    return [{name: value for name, value in fields.items() if value} for fields in named]


class ResponseFormats:
    """
    The response formats that each model's server accepts, as far as known.

    A server that does not support a strict format answers 400. Only the first judgement has to try.
    """

    def __init__(self) -> None:
        self._first: dict[str, int] = {}

    def of(self, model: str) -> range:
        """Return the indices of the formats to try."""
        return range(self._first.get(model, 0), FORMATS)

    def accept(self, model: str, place: int) -> None:
        """Record that the server accepted the format at *place*."""
        self._first[model] = max(place, self._first.get(model, 0))


@dataclass(frozen=True, slots=True)
class JudgeAnswer(Generic[_Read]):
    """
    A model's answer.

    Attributes:
        value: The parsed value.
        members: The object as the model wrote it; empty for a cached answer.
        repaired: Whether the JSON had to be repaired.
        cached: Whether the answer comes from the cache.
    """

    value: _Read
    members: dict[str, object]
    repaired: bool = False
    cached: bool = False


class JudgeConversation:
    """
    Exchanges the messages of one judgement with the models.

    Args:
        connection: The connection to the server.
        prompt: Builds the second request, and names the models.
        formats: The accepted formats, shared by all conversations with the server.
        parameters: Further fields of each request.
        counter: Counts calls and tokens.
    """

    def __init__(
        self,
        connection: Connection,
        prompt: JudgePrompt,
        formats: ResponseFormats,
        *,
        parameters: Mapping[str, object],
        counter: UsageCounter,
    ) -> None:
        self._connection = connection
        self._prompt = prompt
        self._formats = formats
        self._parameters = parameters
        self._counter = counter

    async def answer(self, request: JudgeRequest, schema: ResponseSchema[_Read]) -> JudgeAnswer[_Read]:
        """
        Return the answer to *request*, in one step or in two.

        Raises:
            LLMError: The exchange failed.
        """
        model, messages = self._prompt.model, request.messages
        if request.is_critique:
            critique = await self._write(model, messages, None)
            model, messages = self._prompt.formatter_model or model, self._prompt.format_messages(critique)
        found = _read_object(await self._write(model, messages, schema))
        # JSON escapes can hide a secret in the text.
        members = self._connection.redactor.value(found.members)
        value = schema.read(members)
        if is_copied(found.written, request.texts):
            raise LLMError(LLMFailureCode.PROMPT_ECHO)
        return JudgeAnswer(value, members, found.repaired)

    async def _write(self, model: str, messages: Sequence[Message], schema: ResponseSchema[Any] | None) -> str:
        if schema is None:
            completion = await self._send(model, messages, None)
        else:
            completion = await self._send_with_schema(model, messages, schema)
        if completion.fault is not None:
            raise LLMError(completion.fault)
        if is_prompt_echo(completion.text, [message["content"] for message in messages]):
            raise LLMError(LLMFailureCode.PROMPT_ECHO)
        return completion.text

    async def _send_with_schema(
        self, model: str, messages: Sequence[Message], schema: ResponseSchema[Any]
    ) -> Completion:
        formats = response_formats(schema)
        places = self._formats.of(model)
        for place in places:
            try:
                completion = await self._send(model, messages, formats[place])
            except LLMError as failure:
                if failure.code is not LLMFailureCode.REJECTED or place == places[-1]:
                    raise
            else:
                self._formats.accept(model, place)
                return completion
        raise AssertionError("the last format returns or raises")

    async def _send(
        self, model: str, messages: Sequence[Message], response_format: Mapping[str, object] | None
    ) -> Completion:
        completion = await self._connection.complete(
            model, messages, response_format, self._parameters, on_send=self._counter.add_call
        )
        # A completion costs its tokens even if it is useless.
        self._counter.add_tokens(model, completion.prompt_tokens, completion.completion_tokens)
        return completion


def _read_object(written: str) -> ModelObject:
    """
    Return the single object in a model's output.

    Raises:
        LLMError: TRUNCATED if the output is cut off; NOT_JSON if it has no object, several, or a broken one.
    """
    try:
        return extract_json_object(written)
    except ModelOutputError as error:
        code = LLMFailureCode.TRUNCATED if error.truncated else LLMFailureCode.NOT_JSON
    raise LLMError(code)
