"""
One request to a server that speaks OpenAI's protocol, and what came of it.

The SDK sends it; retries, formats and deadlines are ours. A response is cut off where
it is too long, redirects are not followed (they would take the texts to another
server), and every failure becomes a code: what the SDK raises may hold what was sent.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from groundwire.judge.failures import FailureCode, JudgeError
from groundwire.judge.redaction import Redactor, secrets_of
from groundwire.judge.responses import Completion, failure_of_status, read_completion
from groundwire.telemetry import quiet_http

TYPE_CHECKING = False
if TYPE_CHECKING:
    import httpx2

__all__ = ["MAX_RESPONSE_BYTES", "ChatClient", "Request", "require_packages"]

# A judgement of the longest that is asked for takes 20,000 bytes; what a model thinks aloud may take far more.
MAX_RESPONSE_BYTES = 4 << 20
_READ_HEADERS = frozenset({"content-type", "content-length", "transfer-encoding", "retry-after", "retry-after-ms"})


def require_packages() -> None:
    """
    Load what a judge needs.

    Raises:
        ImportError: It is not installed.
    """
    try:
        import httpx2  # noqa: F401
        import jinja2  # noqa: F401
        import openai  # noqa: F401
    except ImportError as error:
        raise ImportError(f"a judge needs {error.name}: pip install 'groundwire[judge]'", name=error.name) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is sent: the model, the messages, how the answer is to be written, and the caller's own parameters."""

    model: str
    messages: Sequence[Mapping[str, str]]
    response_format: Mapping[str, object] | None
    parameters: Mapping[str, object]

    def body(self) -> dict[str, object]:
        """Return the body of the request."""
        body: dict[str, object] = {**self.parameters, "model": self.model, "messages": list(self.messages)}
        return body if self.response_format is None else body | {"response_format": self.response_format}


class ChatClient:
    """
    The connections to one server. They belong to the event loop that first uses them.

    What the server writes comes back without the key and the password of the address.

    Args:
        base_url: The address up to `/chat/completions`, without it.
        api_key: None for a server that asks for none; no header is sent then.

    Attributes:
        redactor: Takes the secrets out of what is read from a completion.
    """

    def __init__(self, base_url: str, api_key: str | None) -> None:
        import httpx2
        import openai

        self._openai = openai
        self.redactor = Redactor(secrets_of(base_url, api_key))
        self._response_type = httpx2.Response
        http = openai.DefaultAsyncHttpxClient(follow_redirects=False, event_hooks={"response": [_cap()]})
        # The SDK insists on a key; without one, the header that it makes of it is left out again.
        self._headers = {"Accept-Encoding": "identity"} | ({} if api_key else {"Authorization": openai.Omit()})
        self._client = openai.AsyncOpenAI(base_url=base_url, api_key=api_key or "none", max_retries=0, http_client=http)

    async def complete(self, request: Request, *, timeout_s: float) -> Completion:
        """
        Send *request* and return what the model wrote.

        Args:
            request: What is sent.
            timeout_s: For connecting, and for each wait for the next bytes.

        Raises:
            JudgeError: There is no completion.
        """
        found = read_completion(*await self.post("/chat/completions", request.body(), timeout_s=timeout_s))
        return replace(found, text=self.redactor.text(found.text))

    async def post(self, path: str, body: Mapping[str, object], *, timeout_s: float) -> tuple[int, bytes]:
        """
        Send *body* to *path* of the server; return status and content of a response that is no error.

        Raises:
            JudgeError: There is no response, or an error.
        """
        try:
            with quiet_http():
                response = await self._client.post(
                    path,
                    body=body,
                    cast_to=self._response_type,
                    options={"timeout": timeout_s, "headers": self._headers},
                )
        except JudgeError:
            raise
        except Exception as error:
            failure = self._failure(error)
        else:
            return response.status_code, response.content
        # Out here the new exception has no context: the SDK's may hold the texts.
        raise failure

    def _failure(self, error: Exception) -> JudgeError:
        if isinstance(error, self._openai.APIStatusError):
            return failure_of_status(error.status_code, error.response.headers, error.response.content)
        if isinstance(error, self._openai.APITimeoutError):
            return JudgeError(FailureCode.TIMEOUT)
        if isinstance(error, self._openai.APIConnectionError):
            return JudgeError(FailureCode.UNREACHABLE)
        return JudgeError(FailureCode.BAD_RESPONSE)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.close()


def _cap() -> "Callable[[httpx2.Response], Awaitable[None]]":
    """Return the hook that drops what is not read of a response, and ends it where it is too long."""
    import httpx2

    class Capped(httpx2.AsyncByteStream):
        def __init__(self, stream: "httpx2.AsyncByteStream") -> None:
            self._stream = stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            read_bytes = 0
            async for chunk in self._stream:
                read_bytes += len(chunk)
                if read_bytes > MAX_RESPONSE_BYTES:
                    raise JudgeError(FailureCode.BAD_RESPONSE)
                yield chunk

        async def aclose(self) -> None:
            await self._stream.aclose()

    async def cap(response: "httpx2.Response") -> None:
        # A few compressed bytes may become any number, and none were asked for.
        if response.headers.get("Content-Encoding", "identity") != "identity":
            raise JudgeError(FailureCode.BAD_RESPONSE)
        # The SDK logs others, such as the id of the request, and a server may write the key there.
        read = [(name, value) for name, value in response.headers.items() if name in _READ_HEADERS]
        response.headers = httpx2.Headers(read)
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = Capped(response.stream)

    return cap
