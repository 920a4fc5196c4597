"""Questions and answers between a judge and its models, until there is a judgement or the time is over."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from groundwire.judge.client import ChatClient, Request
from groundwire.judge.failures import FailureCode, JudgeError
from groundwire.judge.forms import FORMATS, Form, response_formats
from groundwire.judge.responses import Completion
from groundwire.judge.retries import Deadline, Timing, with_retries
from groundwire.judge.templates import Message
from groundwire.judge.usage import Tally
from groundwire.model_output import ModelObject

__all__ = ["Conversation", "Formats"]


class Formats:
    """
    Which response format each model's server takes, as far as that is known.

    A server that takes none of the strict ones answers 400 to each; that is found out once.
    """

    def __init__(self) -> None:
        self._first: dict[str, int] = {}

    def of(self, model: str) -> range:
        """Return the places of the formats that are still worth trying."""
        return range(self._first.get(model, 0), FORMATS)

    def took(self, model: str, place: int) -> None:
        """Remember that the format at *place* was taken."""
        self._first[model] = max(place, self._first.get(model, 0))


class Conversation:
    """
    What is sent for one judgement: within one deadline, counted by one tally.

    Args:
        client: The server.
        formats: Shared by all conversations with it.
        parameters: Goes into every request.
        max_retries: For each request.
        tally: Counts.
        timing: The time.
        timeout_s: For all of it.
    """

    def __init__(
        self,
        client: ChatClient,
        formats: Formats,
        *,
        parameters: Mapping[str, object],
        max_retries: int,
        tally: Tally,
        timing: Timing,
        timeout_s: float,
    ) -> None:
        self._client = client
        self._formats = formats
        self._parameters = parameters
        self._max_retries = max_retries
        self._tally = tally
        self._timeout_s = timeout_s
        self._deadline = Deadline(timing, timing.clock() + timeout_s)

    def redacted(self, found: ModelObject) -> ModelObject:
        """Return *found* without the secrets of the connection: escapes of JSON can hide them in what was written."""
        return replace(found, members=self._client.redactor.value(found.members))

    async def ask(self, model: str, messages: Sequence[Message], *, form: Form[Any] | None) -> str:
        """
        Return what *model* writes.

        Args:
            model: Its name.
            messages: What it is told.
            form: What it has to fill in, as far as its server can hold it to that; None for
                free words.

        Raises:
            JudgeError: There is nothing to go on with.
        """
        try:
            # The deadline's clock is looked at between requests; this one ends a request that hangs.
            async with asyncio.timeout(self._deadline.remaining_s()):
                completion = await self._ask(model, messages, form)
        except TimeoutError:
            completion = None
        if completion is None:
            raise JudgeError(FailureCode.TIMEOUT)
        if completion.fault is not None:
            raise JudgeError(completion.fault)
        return completion.text

    async def _ask(self, model: str, messages: Sequence[Message], form: Form[Any] | None) -> Completion:
        if form is None:
            return await self._send(model, messages, None)
        formats = response_formats(form)
        places = self._formats.of(model)
        for place in places:
            try:
                completion = await self._send(model, messages, formats[place])
            except JudgeError as failure:
                if failure.code is not FailureCode.REJECTED or place == places[-1]:
                    raise
            else:
                self._formats.took(model, place)
                return completion
        raise AssertionError("the last format returns or raises")

    async def _send(
        self, model: str, messages: Sequence[Message], response_format: Mapping[str, object] | None
    ) -> Completion:
        request = Request(model=model, messages=messages, response_format=response_format, parameters=self._parameters)

        async def send(remaining_s: float) -> Completion:
            self._tally.add_call()
            return await self._client.complete(request, timeout_s=remaining_s)

        completion = await with_retries(send, max_retries=self._max_retries, deadline=self._deadline)
        # What is of no use has been paid for all the same.
        self._tally.add_tokens(model, completion.prompt_tokens, completion.completion_tokens)
        return completion
