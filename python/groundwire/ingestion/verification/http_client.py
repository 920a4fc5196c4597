"""
A client for URLs that a stranger wrote.

Source: ruling C12. Every redirect is read, checked and looked up as if it were the
first URL; credentials go to the host that they were given for, and to no other.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from groundwire.ingestion.verification.protocol import VerificationLookupError, VerificationReason
from groundwire.ingestion.verification.url_policy import HostPolicy, ParsedUrl, join_url, parse_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Coroutine

    from groundwire.ingestion.verification.http_exchange import HttpExchange, RawHttpResponse

__all__ = ["GuardedHttpClient", "HttpResponse"]

MAX_REDIRECTS = 5
MAX_BYTES = 256 * 1024
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
# What servers say to HEAD that might be no answer to GET: not allowed, not implemented, or not thought of.
_ASK_AGAIN = frozenset({400, 403, 404, 405, 410, 501})


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """
    The answer at the end of the redirects.

    Attributes:
        status: The status code.
        location: Where it came from.
        body: The content; empty where it was not read.
    """

    status: int
    location: ParsedUrl
    body: bytes = b""


class GuardedHttpClient:
    """
    Asks public web servers, with limits to time and size.

    Args:
        allow_hosts: `host` or `host:port` that may be asked wherever they are.
        timeout_s: How long a question may take, with its redirects, in seconds.
        exchange: Who sends the requests; one with the limits of this module by default.
    """

    def __init__(
        self, *, allow_hosts: Iterable[str] = (), timeout_s: float = 5.0, exchange: "HttpExchange | None" = None
    ) -> None:
        self._host_policy = HostPolicy(allow_hosts)
        self._timeout_s = timeout_s
        self._exchange = exchange

    async def probe(self, url: str) -> HttpResponse:
        """
        Ask whether *url* is there: by HEAD, and by GET where a server says no to that.

        No body is read.

        Raises:
            VerificationLookupError: There is no answer; its code says why.
        """
        return await self._in_time(self._probe(url))

    async def read(self, url: str, *, headers: Sequence[tuple[str, str]] = ()) -> HttpResponse:
        """
        Get what stands at *url*, 256 KiB at most.

        Args:
            url: What to ask for.
            headers: Sent to the host of *url*, and not to where it redirects.

        Raises:
            VerificationLookupError: There is no answer; its code says why.
        """
        return await self._in_time(self._follow("GET", parse_url(url), headers, read=True))

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
