"""
The built-in judge, a language model behind an OpenAI-compatible server.

Source: citation-risk, "LLM-as-a-Judge 檢測" and "兩階段提示方法", with rulings B11, B12 and B14.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from groundwire import telemetry
from groundwire.errors import LLMError
from groundwire.judge.cache import JudgementCache, cache_key
from groundwire.judge.conversation import JudgeAnswer, JudgeConversation, JudgePrompt, JudgeRequest, ResponseFormats
from groundwire.judge.prompts import PromptTemplates
from groundwire.judge.protocol import Judgement, JudgeStatus, TokenPrice, UsageCounter, ground_issues
from groundwire.judge.schemas import JUDGEMENT, JudgeTask, ResponseSchema, TaskResult, response_formats
from groundwire.openai_client import Connection, OpenAIClient, check_model, require_packages
from groundwire.search_results import SearchResults
from groundwire.thresholds import JUDGE_CONCURRENCY, JUDGE_TIMEOUT_S, MAX_RETRIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.settings import JudgeSettings

__all__ = ["DEFAULT_PARAMETERS", "LLMJudge"]

_Value = TypeVar("_Value")

DEFAULT_PARAMETERS: Mapping[str, object] = {"temperature": 0, "max_tokens": 4000}
"""The fields of each request in addition to the model, the messages and the response format."""

MAX_PROMPT_CHARS = 200_000
"""The maximum number of characters, at least 1, of question, answer and sources together: about 50,000 tokens."""

# A stream arrives in chunks, and a judgement is useful only as a whole.
_OWN_PARAMETERS = frozenset({"messages", "model", "n", "response_format", "stream"})


class LLMJudge:
    """
    A judge behind a server with OpenAI's protocol.

    Safe to share between threads and event loops, which share its connections and its limit of concurrent judgements.
    Close it, or use it in a `with` or `async with` statement.

    Args:
        model: The model that judges.
        formatter_model: The model that converts a critique to the schema, with two steps; None for the same one.
        base_url: The server's address up to `/chat/completions`; None for `OPENAI_BASE_URL`, else OpenAI's.
        api_key: The key; None for `OPENAI_API_KEY`. Most self-hosted servers need none.
        two_step: Whether the model first writes a free critique, which a second request converts to the schema; else it
            fills in the schema at once.
        timeout_s: The timeout of one judgement, in seconds, with both steps and all retries, but without waiting for a
            turn.
        max_retries: The maximum number of retries of each request after 429, 5xx or a broken connection.
        concurrency: The maximum number of concurrent judgements.
        cache: A folder for judgements, whose files contain private text; None for no cache.
        prices: The prices of models; the cost is None if a used model has no price.
        prompts: A folder of templates that replace built-in ones; None for the built-in ones.
        parameters: Further fields of each request.
        max_chars: The maximum number of characters of question, answer and sources together.

    Raises:
        ImportError: The extra `judge` is not installed.
        ValueError, TypeError: An argument is out of its range or has the wrong type.
        OSError: The folder of prompts cannot be read.
    """

    def __init__(
        self,
        model: str,
        *,
        formatter_model: str | None = None,
        base_url: str | None = None,
        api_key: str | None = None,
        two_step: bool = True,
        timeout_s: float = JUDGE_TIMEOUT_S,
        max_retries: int = MAX_RETRIES,
        concurrency: int = JUDGE_CONCURRENCY,
        cache: str | Path | None = None,
        prices: Mapping[str, TokenPrice] | None = None,
        prompts: str | Path | None = None,
        parameters: Mapping[str, object] = DEFAULT_PARAMETERS,
        max_chars: int = MAX_PROMPT_CHARS,
    ) -> None:
        require_packages("a judge", "jinja2")
        check_model(model)
        _check_options(max_chars, parameters)
        self.model = model
        self._parameters = dict(parameters)
        self._cache = None if cache is None else JudgementCache(cache)
        self._prices = dict(prices or {})
        formatter = (formatter_model or model) if two_step else None
        self._prompt = JudgePrompt(PromptTemplates(prompts), model, formatter, max_chars)
        self._formats = ResponseFormats()
        self._client = OpenAIClient(
            "judge",
            base_url=base_url,
            api_key=api_key,
            timeout_s=timeout_s,
            max_retries=max_retries,
            max_concurrency=concurrency,
        )

    @classmethod
    def from_settings(cls, settings: "JudgeSettings | None" = None) -> Self:
        """
        Return the judge that the environment configures (`groundwire.settings.JudgeSettings`).

        Raises:
            ValueError: No model is set; or as the class.
        """
        from groundwire.settings import JudgeSettings

        chosen = JudgeSettings() if settings is None else settings
        if chosen.judge_model is None:
            raise ValueError("no model: set QUANTITATIVE_JUDGE_MODEL")
        return cls(
            chosen.judge_model,
            formatter_model=chosen.judge_formatter_model,
            base_url=chosen.judge_base_url,
            api_key=None if chosen.judge_api_key is None else chosen.judge_api_key.get_secret_value(),
            two_step=chosen.judge_two_step,
            timeout_s=chosen.judge_timeout_s,
            max_retries=chosen.judge_max_retries,
            concurrency=chosen.judge_concurrency,
            cache=chosen.judge_cache,
            prompts=chosen.judge_prompts,
        )

    @property
    def prompt_version(self) -> str:
        """The name of the set of templates, and a hash of them."""
        return self._prompt.templates.version

    def __repr__(self) -> str:
        return f"LLMJudge({self.model!r}, prompts={self.prompt_version!r})"

    def judge(self, question: str, answer: str, results: SearchResults) -> Judgement:
        """
        Return the model's judgement of *answer*; its quotes are checked against *results*.

        Failures of the model or the network become failed judgements: see their `status` and `error`.

        Raises:
            TypeError: An argument has the wrong type.
            RuntimeError: The judge is closed.
        """
        return self._client.run(partial(self._judge, question, answer, results))

    async def ajudge(self, question: str, answer: str, results: SearchResults) -> Judgement:
        """Do the same as `judge` without blocking the caller's event loop. Cancelling it cancels the request."""
        return await asyncio.wrap_future(self._client.submit(partial(self._judge, question, answer, results)))

    async def _judge(self, question: str, answer: str, results: SearchResults, connection: Connection) -> Judgement:
        """Judge in the client's event loop. Work that keeps the processor or the disk busy goes to other threads."""
        counter = UsageCounter(self._prices)
        try:
            request = await asyncio.to_thread(self._prompt.judgement_request, question, answer, results)
            found = await self._answer(request, JUDGEMENT, connection, counter)
            judgement = replace(found.value, repaired=found.repaired, usage=counter.usage(cached=found.cached))
        except LLMError as failure:
            self._log(failure, counter)
            judgement = Judgement(status=JudgeStatus.ERROR, error=failure.code, usage=counter.usage())
        judgement = replace(judgement, model=self.model, prompt_version=self.prompt_version)
        return await asyncio.to_thread(ground_issues, judgement, results)

    def run_tasks(self, tasks: Sequence[JudgeTask[_Value]]) -> TaskResult[_Value]:
        """
        Return the model's answers to *tasks*, which run concurrently.

        The first failure ends the tasks that are not answered yet, so that an unreachable server costs no more time.
        Failures are reported in the result.

        Raises:
            RuntimeError: The judge is closed.
        """
        return self._client.run(partial(self._run_tasks, tasks))

    async def _run_tasks(self, tasks: Sequence[JudgeTask[_Value]], connection: Connection) -> TaskResult[_Value]:
        counter = UsageCounter(self._prices)
        running = [asyncio.create_task(self._run_task(each, connection, counter)) for each in tasks]
        try:
            if running:
                await asyncio.wait(running, return_when=asyncio.FIRST_EXCEPTION)
        finally:
            for task in running:
                task.cancel()
            ended = await asyncio.gather(*running, return_exceptions=True)
        failures = [each for each in ended if isinstance(each, LLMError)]
        for each in ended:
            if isinstance(each, Exception) and not isinstance(each, LLMError):
                raise each
        if failures:
            self._log(failures[0], counter)
        answers = tuple(None if isinstance(each, BaseException) else each for each in ended)
        return TaskResult(answers, failures[0].code if failures else None, counter.usage())

    async def _run_task(
        self, task: JudgeTask[_Value], connection: Connection, counter: UsageCounter
    ) -> tuple[_Value, ...]:
        request = await asyncio.to_thread(self._prompt.task_request, task)
        found = await self._answer(request, task.schema, connection, counter)
        return found.value

    async def _answer(
        self, request: JudgeRequest, schema: ResponseSchema[_Value], connection: Connection, counter: UsageCounter
    ) -> JudgeAnswer[_Value]:
        """Return the cached answer, or the model's answer, which is then cached."""
        conversation = JudgeConversation(
            connection, self._prompt, self._formats, parameters=self._parameters, counter=counter
        )
        if self._cache is None:
            return await self._ask(request, schema, connection, conversation)
        key = self._cache_key(request, schema)
        kept = await asyncio.to_thread(self._cache.read_answer, key, schema)
        if kept is not None:
            return JudgeAnswer(kept, {}, cached=True)
        answer = await self._ask(request, schema, connection, conversation)
        await asyncio.to_thread(self._cache.write, key, answer.members)
        return answer

    @staticmethod
    async def _ask(
        request: JudgeRequest, schema: ResponseSchema[_Value], connection: Connection, conversation: JudgeConversation
    ) -> JudgeAnswer[_Value]:
        """Return the model's answer. The timeout starts when the request may run."""
        async with connection.turns:
            return await connection.within_deadline(conversation.answer(request, schema))

    def _cache_key(self, request: JudgeRequest, schema: ResponseSchema[Any]) -> str:
        return cache_key(
            {
                "messages": request.messages,
                "models": [self.model, self._prompt.formatter_model],
                "server": self._client.address,
                "parameters": self._parameters,
                "prompts": self.prompt_version,
                "format": response_formats(schema)[0],
            }
        )

    @staticmethod
    def _log(failure: LLMError, counter: UsageCounter) -> None:
        telemetry.judge_failed(code=telemetry.Label(failure.code), calls=counter.usage().calls)

    def close(self) -> None:
        """Close the connections and end the thread. Running judgements are cancelled, later ones are refused."""
        self._client.close()

    async def aclose(self) -> None:
        """Do the same as `close` without blocking."""
        await asyncio.to_thread(self.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


def _check_options(max_chars: int, parameters: Mapping[str, object]) -> None:
    """
    Check the options.

    Raises:
        TypeError: The parameters are not a mapping, or JSON cannot represent them.
        ValueError: `max_chars` is out of its range, or the judge sets a parameter itself.
    """
    if max_chars < 1:
        raise ValueError(f"max_chars must be at least 1, got {max_chars}")
    if not isinstance(parameters, Mapping):
        raise TypeError(f"parameters must be a mapping, got {type(parameters).__name__}")
    # A value that JSON cannot represent fails here, not during a judgement.
    json.dumps(dict(parameters), allow_nan=False)
    own = sorted(_OWN_PARAMETERS & parameters.keys())
    if own:
        raise ValueError(f"parameters must not contain {', '.join(own)}: the judge sets it")
