"""
Connects judge and embedder to a server with OpenAI's protocol.

OpenAI's SDK sends requests and retries temporary failures. This module adds one deadline for all attempts, a limit on
the length of responses, failure codes (exceptions of the SDK may contain the texts), and one event loop in a thread, in
which all callers share connections and the limit of concurrent requests.
"""

import asyncio
import math
import os
import threading
import time
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from importlib import import_module
from typing import Any, TypeVar
from urllib.parse import urlsplit

from groundwire.errors import LLMError, LLMFailureCode
from groundwire.sanitize.redaction import Redactor, secrets_of
from groundwire.telemetry import quiet_http

TYPE_CHECKING = False
if TYPE_CHECKING:
    import httpx2
    from openai.types.chat import ChatCompletion

__all__ = ["Completion", "Connection", "OpenAIClient", "check_model", "require_packages"]

_Result = TypeVar("_Result")

# The longest judgement takes 20,000 bytes; a model that writes its thoughts may need far more.
_MAX_RESPONSE_BYTES = 4 << 20

_OPENAI = "https://api.openai.com/v1"


def check_model(model: object) -> None:
    """
    Refuse a model without a name.

    Raises:
        TypeError, ValueError: *model* is not a str, or is empty.
    """
    if not isinstance(model, str):
        raise TypeError(f"model must be a str, got {type(model).__name__}")
    if not model:
        raise ValueError("model must not be empty")


def require_packages(user: str, *more: str) -> None:
    """
    Import the packages that *user* needs: those of this module, and *more*.

    Raises:
        ImportError: A package is not installed; the message names the extra that installs it.
    """
    for name in ("anyio", "httpx2", "openai", *more):
        try:
            import_module(name)
        except ImportError as error:
            message = f"{user} needs {error.name}: pip install 'groundwire[judge]'"
            raise ImportError(message, name=error.name) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """
    Holds a model's answer.

    Attributes:
        text: The text, without the secrets of the connection.
        fault: Reason why the text is unusable: REFUSED, TRUNCATED or EMPTY; otherwise None.
        prompt_tokens: Number reported by the server; None if it reports none.
        completion_tokens: Number reported by the server; None if it reports none.
    """

    text: str
    fault: LLMFailureCode | None
    prompt_tokens: int | None
    completion_tokens: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Server:
    """Holds an address, its key, and the limits of requests. The repr shows neither address nor key."""

    address: str = field(repr=False)
    key: str | None = field(repr=False)
    timeout_s: float
    max_retries: int
    max_concurrency: int

    def __post_init__(self) -> None:
        if not 0 < self.timeout_s < math.inf:
            raise ValueError(f"timeout_s must be a finite number above 0, got {self.timeout_s}")
        if self.max_retries < 0:
            raise ValueError(f"max_retries must be at least 0, got {self.max_retries}")
        if self.max_concurrency < 1:
            raise ValueError(f"concurrency must be at least 1, got {self.max_concurrency}")


class OpenAIClient:
    """
    A client of one server, for callers in any thread or event loop.

    Its own event loop starts with the first task, and again in a forked process.

    Args:
        user: User of the client, for messages: "judge" or "embedder".
        base_url: Address without the path of a request; None for `OPENAI_BASE_URL`, or else OpenAI's.
        api_key: Key; None for `OPENAI_API_KEY`. Without a key, no header is sent.
        timeout_s: Deadline of `Connection.within_deadline`, in seconds.
        max_retries: Number of retries by the SDK.
        max_concurrency: Number of tasks that may hold `Connection.turns` at once.

    Raises:
        ValueError: A number is out of range, the address is invalid or does not use http or https, the key cannot
            be sent, or OpenAI would be called without a key. No message shows key or address, which may contain a
            password.
    """

    def __init__(
        self,
        user: str,
        *,
        base_url: str | None,
        api_key: str | None,
        timeout_s: float,
        max_retries: int,
        max_concurrency: int = 1,
    ) -> None:
        self.address = _address(base_url)
        self._server = _Server(
            address=self.address,
            key=_key(api_key, self.address),
            timeout_s=timeout_s,
            max_retries=max_retries,
            max_concurrency=max_concurrency,
        )
        self._closed_message = f"this {user} is closed"
        self._lock = threading.Lock()
        self._portal: _Portal | None = None
        self._is_closed = False

    def submit(self, task: "Callable[[Connection], Coroutine[Any, Any, _Result]]") -> "Future[_Result]":
        """
        Run *task* in the event loop. Cancelling the future cancels it.

        Raises:
            RuntimeError: The client is closed.
        """
        with self._lock:
            if self._is_closed:
                raise RuntimeError(self._closed_message)
            # A forked process has its parent's loop and connections, but no thread that runs them.
            if self._portal is None or self._portal.process != os.getpid():
                self._portal = _Portal(Connection(self._server))
                weakref.finalize(self, self._portal.stop)
            return self._portal.submit(task)

    def run(self, task: "Callable[[Connection], Coroutine[Any, Any, _Result]]") -> _Result:
        """
        Return the result of *task*; an interrupted wait cancels it.

        Raises:
            RuntimeError: The client is closed, or was closed while the task ran.
        """
        future = self.submit(task)
        try:
            return future.result()
        except CancelledError:
            raise RuntimeError(self._closed_message) from None
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """Cancel running tasks, close the connections and end the thread. Later tasks are refused."""
        with self._lock:
            portal, self._portal, self._is_closed = self._portal, None, True
        if portal is not None:
            portal.stop()


def _address(base_url: str | None) -> str:
    address = base_url or os.environ.get("OPENAI_BASE_URL") or _OPENAI
    if not _is_usable(address):
        raise ValueError("base_url must be an address that begins with http:// or https://, with a valid host and port")
    return address


def _is_usable(address: str) -> bool:
    import httpx2

    try:
        parts = urlsplit(address)
        # Both raise errors whose messages have parts of the address.
        return bool(httpx2.URL(address).host) and parts.scheme in ("http", "https") and parts.port != 0
    except (ValueError, httpx2.InvalidURL):
        return False


def _key(api_key: str | None, address: str) -> str | None:
    key = api_key or os.environ.get("OPENAI_API_KEY") or None
    # No other key can be sent. One from a file often has the line end of the file.
    if key is not None and not (key.isascii() and key.isprintable()):
        raise ValueError("api_key must consist of printable ASCII characters, without a line end")
    # OpenAI would refuse the request, but only after receiving the texts.
    if key is None and urlsplit(address).hostname == urlsplit(_OPENAI).hostname:
        raise ValueError(
            "no key for OpenAI: give api_key, or set OPENAI_API_KEY; or give the base_url of another server"
        )
    return key


class _Portal:
    """
    Runs an event loop in its own thread, with the connection that belongs to it.

    anyio's blocking portal is a context manager whose exit waits forever for the missing thread of a forked process.
    This portal has no reference to its client, which it would keep alive.

    Attributes:
        process: The process whose thread runs the loop.
    """

    def __init__(self, connection: "Connection") -> None:
        self.process = os.getpid()
        self._connection = connection
        self._loop = asyncio.new_event_loop()
        self._stopped = asyncio.Event()
        # The loop's own executor could only be shut down by a new thread, which Python refuses at its exit.
        self._executor = ThreadPoolExecutor(max_workers=4, thread_name_prefix="groundwire-openai")
        self._loop.set_default_executor(self._executor)
        self._thread = threading.Thread(target=self._run, name="groundwire-openai", daemon=True)
        self._thread.start()

    def submit(self, task: "Callable[[Connection], Coroutine[Any, Any, _Result]]") -> "Future[_Result]":
        """Run *task* in the loop."""
        return asyncio.run_coroutine_threadsafe(task(self._connection), self._loop)

    def _run(self) -> None:
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        await self._stopped.wait()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._connection.aclose()
        self._executor.shutdown()

    def stop(self) -> None:
        """Cancel all tasks and end the thread, if it is a thread of this process and still runs."""
        if self.process != os.getpid() or not self._thread.is_alive():
            return
        self._loop.call_soon_threadsafe(self._stopped.set)
        # If no other reference to the client is left, its last task stops the portal in the portal's own thread.
        if threading.current_thread() is not self._thread:
            self._thread.join()


_on_send: ContextVar[Callable[[], None]] = ContextVar("_on_send")


class Connection:
    """
    The SDK's client of one server, in one event loop.

    Attributes:
        redactor: Removes the key and the password of the address from responses.
        turns: Semaphore that a task holds while it sends requests.
    """

    def __init__(self, server: _Server) -> None:
        import openai

        self._openai = openai
        self._timeout_s = server.timeout_s
        self.redactor = Redactor(secrets_of(server.address, server.key))
        self.turns = asyncio.Semaphore(server.max_concurrency)
        self._sdk = openai.AsyncOpenAI(
            base_url=server.address,
            # The SDK requires a key. Without one, the header is removed from each request.
            api_key=server.key or "none",
            max_retries=server.max_retries,
            # The deadline of the task replaces the SDK's timeouts.
            timeout=None,
            http_client=openai.DefaultAsyncHttpxClient(
                follow_redirects=False, event_hooks={"request": [_count_request], "response": [_response_hook()]}
            ),
        )
        self._headers = {"Accept-Encoding": "identity"} | ({} if server.key else {"Authorization": openai.Omit()})

    async def within_deadline(self, work: Awaitable[_Result]) -> _Result:
        """
        Return the result of *work*, however many requests it takes.

        Raises:
            LLMError: TIMEOUT, if it takes longer than `timeout_s`.
        """
        import anyio

        with anyio.move_on_after(self._timeout_s):
            return await work
        raise LLMError(LLMFailureCode.TIMEOUT)

    async def complete(
        self,
        model: str,
        messages: Sequence[Mapping[str, str]],
        response_format: Mapping[str, object] | None,
        parameters: Mapping[str, object],
        *,
        on_send: Callable[[], None],
    ) -> Completion:
        """
        Return a completion by *model*.

        Args:
            model: Name of the model.
            messages: The conversation so far.
            response_format: Format that the server enforces; None for free text.
            parameters: Further members of the request's body.
            on_send: Called for each attempt.

        Raises:
            LLMError: The server returned no completion.
        """
        _on_send.set(on_send)
        format_: Any = self._openai.omit if response_format is None else response_format
        given: Any = messages
        found = await self._answer(
            self._sdk.chat.completions.create(
                model=model,
                messages=given,
                response_format=format_,
                extra_body=dict(parameters),
                extra_headers=self._headers,
            )
        )
        return _completion(found, self.redactor)

    async def embed(self, model: str, texts: Sequence[str]) -> bytes:
        """
        Return the body of the response with the vectors of *texts*, because the SDK does not check vectors.

        Raises:
            LLMError: The server returned no response or an error.
        """
        _on_send.set(lambda: None)
        create = self._sdk.embeddings.with_raw_response.create
        response = await self._answer(
            create(model=model, input=list(texts), encoding_format="float", extra_headers=self._headers)
        )
        return response.content

    async def _answer(self, request: Awaitable[_Result]) -> _Result:
        try:
            with quiet_http():
                return await request
        except LLMError:
            raise
        except Exception as error:
            code = self._code(error)
        # Raised outside of the handler, so that it does not carry the SDK's exception, which may contain the texts.
        raise LLMError(code)

    def _code(self, error: Exception) -> LLMFailureCode:
        if isinstance(error, self._openai.APIStatusError):
            return _code_of_status(error.status_code, error.response.content)
        if isinstance(error, self._openai.APITimeoutError):
            return LLMFailureCode.TIMEOUT
        if isinstance(error, self._openai.APIConnectionError):
            return LLMFailureCode.UNREACHABLE
        return LLMFailureCode.BAD_RESPONSE

    async def aclose(self) -> None:
        """Close the connections."""
        await self._sdk.close()


_OK = 200
_CODES = {
    401: LLMFailureCode.UNAUTHORIZED,
    403: LLMFailureCode.UNAUTHORIZED,
    404: LLMFailureCode.NOT_FOUND,
    408: LLMFailureCode.TIMEOUT,
    409: LLMFailureCode.SERVER_ERROR,
    413: LLMFailureCode.TOO_LONG,
    425: LLMFailureCode.SERVER_ERROR,
    429: LLMFailureCode.RATE_LIMITED,
}
# Phrases of servers for a prompt with more tokens than the model can read.
_TOO_LONG = (b"context_length", b"context length", b"context size", b"context window", b"too many tokens", b"too long")
_READ_OF_ERROR_BYTES = 10_000


def _code_of_status(status: int, content: bytes) -> LLMFailureCode:
    """Return the failure code of an HTTP error."""
    code = _CODES.get(status)
    if code is not None:
        return code
    if status >= 500:
        return LLMFailureCode.SERVER_ERROR
    if status < 400:
        return LLMFailureCode.BAD_RESPONSE
    message = content[:_READ_OF_ERROR_BYTES].lower()
    is_too_long = any(words in message for words in _TOO_LONG)
    return LLMFailureCode.TOO_LONG if is_too_long else LLMFailureCode.REJECTED


def _completion(found: "ChatCompletion", redactor: Redactor) -> Completion:
    """Read the SDK's object and check the types of its fields, which the SDK does not check."""
    answer: tuple[object, object, object] | None = None
    with suppress(AttributeError, LookupError, TypeError):
        choice = found.choices[0]
        answer = choice.message.content, choice.message.refusal, getattr(choice, "finish_reason", None)
    if answer is None:
        raise LLMError(LLMFailureCode.BAD_RESPONSE)
    content, refusal, finish_reason = answer
    text = content if isinstance(content, str) else ""
    usage = getattr(found, "usage", None)
    return Completion(
        text=redactor.text(text),
        fault=LLMFailureCode.REFUSED if refusal else _fault(finish_reason, text),
        prompt_tokens=_token_count(usage, "prompt_tokens"),
        completion_tokens=_token_count(usage, "completion_tokens"),
    )


def _fault(finish_reason: object, text: str) -> LLMFailureCode | None:
    if finish_reason == "content_filter":
        return LLMFailureCode.REFUSED
    if finish_reason == "length":
        return LLMFailureCode.TRUNCATED
    return None if text.strip() else LLMFailureCode.EMPTY


def _token_count(usage: object, name: str) -> int | None:
    value = getattr(usage, name, None)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


async def _count_request(_request: "httpx2.Request") -> None:
    _on_send.get()()


def _response_hook() -> "Callable[[httpx2.Response], Awaitable[None]]":
    """Return the hook that drops headers, refuses a wait beyond the deadline, and ends a response that is too long."""
    import httpx2

    class Capped(httpx2.AsyncByteStream):
        def __init__(self, stream: "httpx2.AsyncByteStream") -> None:
            self._stream = stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            read_bytes = 0
            async for chunk in self._stream:
                read_bytes += len(chunk)
                if read_bytes > _MAX_RESPONSE_BYTES:
                    raise LLMError(LLMFailureCode.BAD_RESPONSE)
                yield chunk

        async def aclose(self) -> None:
            await self._stream.aclose()

    async def restrict(response: "httpx2.Response") -> None:
        # Compressed content was not requested, and could expand without limit. Other successes have no content.
        is_compressed = response.headers.get("Content-Encoding", "identity") != "identity"
        if is_compressed or (response.is_success and response.status_code != _OK):
            raise LLMError(LLMFailureCode.BAD_RESPONSE)
        response.headers = httpx2.Headers(_kept_headers(response.headers))
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = Capped(response.stream)

    return restrict


def _kept_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return only the headers that the SDK needs, because it logs the others, and a server may repeat the key there."""
    import anyio

    kept = {name: headers[name] for name in ("retry-after", "retry-after-ms") if name in headers}
    remaining_s = anyio.current_effective_deadline() - anyio.current_time()
    if _retry_after_s(headers) >= remaining_s:
        kept["x-should-retry"] = "false"
    return kept | {"content-type": "application/json"}


def _retry_after_s(headers: Mapping[str, str]) -> float:
    """Return the wait that a server requests, in seconds; 0.0 if it requests none."""
    for name, unit_s in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        try:
            wait_s = float(headers.get(name, "")) * unit_s
        except ValueError:
            continue
        return wait_s if math.isfinite(wait_s) else 0.0
    try:
        return parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - time.time()
    except (ValueError, TypeError, OverflowError):
        return 0.0
