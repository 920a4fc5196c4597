"""
A language model as judge.

Source: citation-risk, "LLM-as-a-Judge 檢測" and "兩階段提示方法", with rulings B11, B12 and B14.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from groundwire import telemetry
from groundwire.judge.cache import JudgementCache, cache_key
from groundwire.judge.client import ChatClient, require_packages
from groundwire.judge.conversation import Conversation, Formats
from groundwire.judge.evaluate import ground_issues
from groundwire.judge.examination import Case, Examination
from groundwire.judge.failures import JudgeError
from groundwire.judge.forms import Form, response_formats
from groundwire.judge.options import DEFAULT_PARAMETERS, check_options
from groundwire.judge.questions import Filled, Question
from groundwire.judge.retries import Timing
from groundwire.judge.schema import JUDGEMENT, read_judgement
from groundwire.judge.server import server_address, server_key
from groundwire.judge.templates import Prompts
from groundwire.judge.usage import Price, Tally
from groundwire.judge.worker import Running, Worker
from groundwire.judgement import Judgement, JudgeStatus, SearchResults, Usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.settings import JudgeSettings

__all__ = ["LLMJudge"]

_Row = TypeVar("_Row")
_Read = TypeVar("_Read")


class LLMJudge:
    """
    A model behind a server that speaks OpenAI's protocol.

    Safe to share between threads and event loops: all of them share its connections and
    its limit of judgements under way. Close it, or use it in a `with` or `async with`.

    Args:
        model: The model that judges.
        formatter_model: The model that puts its notes into a form, if there are two steps;
            None for the same one.
        base_url: The server's address up to `/chat/completions`; None for `OPENAI_BASE_URL`,
            else OpenAI's.
        api_key: None for `OPENAI_API_KEY`. Servers of one's own mostly need none.
        two_step: Whether the model first writes a free critique, and the form is made of
            that; else it fills in the form at once.
        timeout_s: For one judgement: both steps, and all that is sent again. Waiting for a turn
            does not count.
        max_retries: How often each request is sent again after 429, 5xx or a broken connection.
        concurrency: Judgements under way at once.
        cache: A folder to keep judgements in; None for none. Its files hold private text.
        prices: What models cost; where one that is used has none, the cost is None.
        prompts: A folder of templates that replace ours; None for ours.
        parameters: What else goes into each request.
        max_chars: The most characters of question, answer and sources together.
        timing: The time, for tests.

    Raises:
        ImportError: The extra `judge` is not installed.
        ValueError, TypeError: An argument is out of its range, or of another type.
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
        timeout_s: float = 60.0,
        max_retries: int = 3,
        concurrency: int = 4,
        cache: str | Path | None = None,
        prices: Mapping[str, Price] | None = None,
        prompts: str | Path | None = None,
        parameters: Mapping[str, object] = DEFAULT_PARAMETERS,
        max_chars: int = 200_000,
        timing: Timing | None = None,
    ) -> None:
        require_packages()
        check_options(
            model=model, timeout_s=timeout_s, max_retries=max_retries, max_chars=max_chars, parameters=parameters
        )
        self.model = model
        self._address = server_address(base_url)
        self._timeout_s = timeout_s
        self._max_retries = max_retries
        self._parameters = dict(parameters)
        self._cache = None if cache is None else JudgementCache(cache)
        self._prices = dict(prices or {})
        self._timing = timing or Timing()
        formatter = (formatter_model or model) if two_step else None
        self._examination = Examination(Prompts(prompts), model, formatter, max_chars)
        self._formats = Formats()
        key = server_key(api_key, self._address)
        # A partial would show the key in its repr.
        self._worker = Worker(concurrency=concurrency, connect=lambda: ChatClient(self._address, key))

    @classmethod
    def from_settings(cls, settings: "JudgeSettings | None" = None) -> Self:
        """
        Return the judge that the environment describes (`groundwire.settings.JudgeSettings`).

        Raises:
            ValueError: It names no model; and as the class.
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
        """Name of the set of templates, and a hash of them."""
        return self._examination.prompts.version

    def __repr__(self) -> str:
        return f"LLMJudge({self.model!r}, prompts={self.prompt_version!r})"

    def judge(self, question: str, answer: str, results: SearchResults) -> Judgement:
        """
        Return what the model says of *answer*; its quotes are checked against *results*.

        Whatever the model or the network does, there is a judgement, and its `status` and
        `error` say whether it is one.

        Raises:
            TypeError: An argument is of another type.
            RuntimeError: The judge is closed.
        """
        return self._worker.run(partial(self._examine, question, answer, results))

    async def ajudge(self, question: str, answer: str, results: SearchResults) -> Judgement:
        """Return what `judge` does, without blocking the caller's loop. Cancelling it cancels the request."""
        return await asyncio.wrap_future(self._worker.submit(partial(self._examine, question, answer, results)))

    async def _examine(self, question: str, answer: str, results: SearchResults, running: Running) -> Judgement:
        """Judge, in the worker's loop; what keeps the processor or the disk busy goes to other threads."""
        tally = Tally(self._prices)
        try:
            case = await asyncio.to_thread(self._examination.prepare, question, answer, results)
            key = self._cache_key(case, JUDGEMENT)
            judgement = await asyncio.to_thread(self._cached, key, JUDGEMENT)
            if judgement is not None:
                judgement = replace(judgement, usage=Usage(cached=True))
            else:
                async with running.turns:
                    conversation = self._conversation(running.client, tally)
                    found = await self._examination.carry_out(case, conversation)
                judgement = replace(read_judgement(found.members), repaired=found.repaired)
                await asyncio.to_thread(self._keep, key, found.members)
        except JudgeError as failure:
            telemetry.judge_failed(code=telemetry.Label(failure.code), calls=tally.usage().calls)
            judgement = Judgement(status=JudgeStatus.ERROR, error=failure.code)
        usage = replace(tally.usage(), cached=judgement.usage.cached)
        judgement = replace(judgement, model=self.model, prompt_version=self.prompt_version, usage=usage)
        return await asyncio.to_thread(ground_issues, judgement, results)

    def fill_in(self, questions: Sequence[Question[_Row]]) -> Filled[_Row]:
        """
        Return what the model answers to *questions*, several of them at once.

        The first failure ends those that are not answered yet: with a server that is not to be
        had, no time is spent on the rest. Whatever goes wrong, there is a result that says so.

        Raises:
            RuntimeError: The judge is closed.
        """
        return self._worker.run(partial(self._fill_in_all, questions))

    async def _fill_in_all(self, questions: Sequence[Question[_Row]], running: Running) -> Filled[_Row]:
        tally = Tally(self._prices)
        tasks = [asyncio.create_task(self._fill_in(each, running, tally)) for each in questions]
        try:
            if tasks:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        finally:
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
        failures = [each for each in ended if isinstance(each, Exception)]
        for failure in failures:
            if not isinstance(failure, JudgeError):
                raise failure
        code = failures[0].code if failures and isinstance(failures[0], JudgeError) else None
        if code is not None:
            telemetry.judge_failed(code=telemetry.Label(code), calls=tally.usage().calls)
        answers = tuple(None if isinstance(each, BaseException) else each for each in ended)
        return Filled(answers, code, tally.usage())

    async def _fill_in(self, question: Question[_Row], running: Running, tally: Tally) -> tuple[_Row, ...]:
        case = await asyncio.to_thread(self._examination.prepare_question, question)
        key = self._cache_key(case, question.form)
        kept = await asyncio.to_thread(self._cached, key, question.form)
        if kept is not None:
            return kept
        async with running.turns:
            found = await self._examination.fill_in(case, question.form, self._conversation(running.client, tally))
        await asyncio.to_thread(self._keep, key, found.members)
        return question.form.read(found.members)

    def _conversation(self, client: ChatClient, tally: Tally) -> Conversation:
        return Conversation(
            client,
            self._formats,
            parameters=self._parameters,
            max_retries=self._max_retries,
            tally=tally,
            timing=self._timing,
            timeout_s=self._timeout_s,
        )

    def _cache_key(self, case: Case, form: Form[Any]) -> str:
        return cache_key(
            {
                "messages": case.messages,
                "models": [self.model, self._examination.formatter_model],
                "server": self._address,
                "parameters": self._parameters,
                "prompts": self.prompt_version,
                "format": response_formats(form)[0],
            }
        )

    def _cached(self, key: str, form: Form[_Read]) -> _Read | None:
        return None if self._cache is None else self._cache.read_form(key, form)

    def _keep(self, key: str, fields: dict[str, object]) -> None:
        if self._cache is not None:
            self._cache.write(key, fields)

    def close(self) -> None:
        """Close the connections and end the thread. Judgements under way are cancelled, later ones refused."""
        self._worker.close()

    async def aclose(self) -> None:
        """Do what `close` does, without blocking."""
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
