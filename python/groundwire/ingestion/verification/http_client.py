"""
An HTTP client for untrusted URLs (ruling C12).

Every redirect is parsed, checked and resolved like the first URL. Credentials go only to the host that they were given
for.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from groundwire.ingestion.verification.protocol import (
    VERIFICATION_TIMEOUT_S,
    VerificationLookupError,
    VerificationReason,
)
from groundwire.ingestion.verification.url_policy import HostPolicy, ParsedUrl, join_url, parse_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Coroutine

    from groundwire.ingestion.verification.http_exchange import HttpExchange, RawHttpResponse

__all__ = ["GuardedHttpClient", "HttpResponse"]

MAX_REDIRECTS = 5
"""The maximum number of redirects (ruling C12)."""

MAX_BYTES = 256 * 1024
"""The maximum size of a body."""

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
# Statuses of servers that do not support HEAD: not allowed, not implemented, and similar.
_ASK_AGAIN = frozenset({400, 403, 404, 405, 410, 501})


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """
    The response at the end of the redirects.

    Attributes:
        status: The status code.
        location: Its URL.
        body: The content; empty if it was not read.
    """

    status: int
    location: ParsedUrl
    body: bytes = b""


class GuardedHttpClient:
    """
    Sends requests to public web servers, with limits of time and size.

    Args:
        allow_hosts: `host` or `host:port` that may be requested even if they are not public.
        timeout_s: The timeout of a request including its redirects, in seconds.
        exchange: Sends single requests; by default with the limits of this module.
    """

    def __init__(
        self,
        *,
        allow_hosts: Iterable[str] = (),
        timeout_s: float = VERIFICATION_TIMEOUT_S,
        exchange: "HttpExchange | None" = None,
    ) -> None:
        self._host_policy = HostPolicy(allow_hosts)
        self._timeout_s = timeout_s
        self._exchange = exchange

    async def probe(self, url: str) -> HttpResponse:
        """
        Request *url* by HEAD, or by GET if the server does not support HEAD. The body is not read.

        Raises:
            VerificationLookupError: The request failed; the code has the reason.
        """
        return await self._in_time(self._probe(url))

    async def read(self, url: str, *, headers: Sequence[tuple[str, str]] = ()) -> HttpResponse:
        """
        Return the content of *url*, at most `MAX_BYTES`.

        Args:
            url: The URL.
            headers: Headers for the host of *url*; they are not sent to other hosts of redirects.

        Raises:
            VerificationLookupError: The request failed; the code has the reason.
        """
        return await self._in_time(self._follow("GET", parse_url(url), headers, read=True))

    async def get(self, url: str, *, headers: Sequence[tuple[str, str]] = ()) -> HttpResponse:
        """
        Request *url* by GET. The body is not read.

        Args:
            url: The URL.
            headers: As in `read`.

        Raises:
            VerificationLookupError: The request failed; the code has the reason.
        """
        return await self._in_time(self._follow("GET", parse_url(url), headers))

    async def _probe(self, url: str) -> HttpResponse:
        answer = await self._follow("HEAD", parse_url(url))
        return await self._follow("GET", answer.location) if answer.status in _ASK_AGAIN else answer

    async def _follow(
        self, method: str, location: ParsedUrl, headers: Sequence[tuple[str, str]] = (), *, read: bool = False
    ) -> HttpResponse:
        first = location
        for _ in range(MAX_REDIRECTS + 1):
            own = headers if (location.scheme, location.authority) == (first.scheme, first.authority) else ()
            response = await self._send(method, location, own, read)
            if response.status not in _REDIRECTS or response.redirect is None:
                return HttpResponse(response.status, location, response.body)
            location = join_url(location, response.redirect)
        raise VerificationLookupError(VerificationReason.TOO_MANY_REDIRECTS)

    async def _send(
        self, method: str, location: ParsedUrl, headers: Sequence[tuple[str, str]], read: bool
    ) -> "RawHttpResponse":
        from groundwire._engine import __version__

        if self._exchange is None:
            try:
                from groundwire.ingestion.verification.http_exchange import HttpExchange
            except ModuleNotFoundError:
                raise VerificationLookupError(VerificationReason.HTTP_MISSING) from None
            self._exchange = HttpExchange(self._host_policy, timeout_s=self._timeout_s, max_bytes=MAX_BYTES)
        plain = [("User-Agent", f"groundwire/{__version__}"), ("Accept-Encoding", "identity"), ("Connection", "close")]
        return await self._exchange.send(method, location, [*plain, *headers], read=read)

    async def _in_time(self, work: "Coroutine[object, object, HttpResponse]") -> HttpResponse:
        from asyncio import timeout

        try:
            async with timeout(self._timeout_s):
                return await work
        except TimeoutError:
            raise VerificationLookupError(VerificationReason.TIMED_OUT) from None
