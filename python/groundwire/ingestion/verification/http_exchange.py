"""
Sends one request to a checked address. The only module that loads the HTTP library.

httpcore2 is used without a client on top: it follows no redirects, keeps no cookies, reads no proxy from the
environment and decompresses nothing, so none of that has to be turned off.
"""

import ssl
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

import httpcore2

from groundwire.ingestion.verification.deadline import run_in_thread
from groundwire.ingestion.verification.protocol import VerificationLookupError, VerificationReason
from groundwire.ingestion.verification.url_policy import HostPolicy, ParsedUrl
from groundwire.telemetry import quiet_http

__all__ = ["HttpExchange", "RawHttpResponse", "Resolver", "resolve_host"]

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]

# The maximum number of addresses of a host that are tried.
_MAX_ADDRESSES = 4


async def resolve_host(host: str, port: int) -> list[str]:
    """Return the addresses of *host* from the system, each once; an empty list if there are none."""
    import socket

    try:
        found = await run_in_thread(lambda _: socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    except (OSError, UnicodeError):
        return []
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


@dataclass(frozen=True, slots=True)
class RawHttpResponse:
    """
    The response to one request.

    Attributes:
        status: The status code.
        redirect: The header `Location`; None unless there is exactly one.
        body: The content; empty if it was not read.
    """

    status: int
    redirect: str | None
    body: bytes


class GuardedNetworkBackend(httpcore2.AsyncNetworkBackend):
    """
    Connects only to addresses that it has checked.

    A name is resolved once for each connection, and the checked address is used. So a name that resolves to another
    address a moment later (DNS rebinding) changes nothing.
    """

    def __init__(self, host_policy: HostPolicy, resolver: Resolver, dialler: httpcore2.AsyncNetworkBackend) -> None:
        self._host_policy = host_policy
        self._resolver = resolver
        self._dialler = dialler
        self._opened: list[httpcore2.AsyncNetworkStream] = []

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """
        Connect to the first address of *host* that answers.

        Raises:
            VerificationLookupError: `host_not_found`, or `address_refused` if one of its addresses is not allowed.
            httpcore2.ConnectError: None of them answers.
        """
        addresses = await self._resolver(host, port)
        if not addresses:
            raise VerificationLookupError(VerificationReason.HOST_NOT_FOUND)
        self._host_policy.check_addresses(host, port, addresses)
        tried = addresses[:_MAX_ADDRESSES]
        share = None if timeout is None else timeout / len(tried)
        failure: Exception = httpcore2.ConnectError()
        for address in tried:
            try:
                stream = await self._dialler.connect_tcp(address, port, share, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
            else:
                self._opened.append(stream)
                return stream
        raise failure

    async def aclose(self) -> None:
        """Close all connections. If a TLS handshake is cancelled, the library leaves its connection open."""
        for stream in self._opened:
            await stream.aclose()

    async def connect_unix_socket(self, *_: Any, **__: Any) -> httpcore2.AsyncNetworkStream:
        """Refuse the connection: no URL leads to a Unix socket."""
        raise VerificationLookupError(VerificationReason.ADDRESS_REFUSED)


class HttpExchange:
    """
    Sends single requests, each over a connection of its own.

    Args:
        host_policy: The hosts and addresses that may be requested.
        timeout_s: The timeout of each step, in seconds.
        max_bytes: The maximum size of a body.
        resolver: Returns the addresses of a host.
        dialler: Opens connections to them.
        ssl_context: The trusted certificate authorities; those of the system by default.
    """

    def __init__(
        self,
        host_policy: HostPolicy,
        *,
        timeout_s: float,
        max_bytes: int,
        resolver: Resolver | None = None,
        dialler: httpcore2.AsyncNetworkBackend | None = None,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self._host_policy = host_policy
        self._resolver = resolver or resolve_host
        self._dialler = dialler or httpcore2.AnyIOBackend()
        self._ssl_context = ssl_context
        self._timeout_s = timeout_s
        self._max_bytes = max_bytes

    async def send(
        self, method: str, location: ParsedUrl, headers: Sequence[tuple[str, str]] = (), *, read: bool = False
    ) -> RawHttpResponse:
        """
        Send one request. The body is read only if *read* is true.

        Raises:
            VerificationLookupError: The request is refused or fails; `too_large` for a longer body.
        """
        self._host_policy.check(location)
        try:
            with quiet_http():
                return await self._send(method, location, headers, read)
        except httpcore2.TimeoutException:
            code = VerificationReason.TIMED_OUT
        except httpcore2.ConnectError as error:
            is_tls = bool(error.args) and isinstance(error.args[0], ssl.SSLError)
            code = VerificationReason.TLS_FAILED if is_tls else VerificationReason.CONNECTION_FAILED
        except httpcore2.ProtocolError:
            code = VerificationReason.PROTOCOL_FAILED
        except ssl.SSLError:
            code = VerificationReason.TLS_FAILED
        except (httpcore2.NetworkError, OSError):
            code = VerificationReason.CONNECTION_FAILED
        raise VerificationLookupError(code)

    async def _send(
        self, method: str, location: ParsedUrl, headers: Sequence[tuple[str, str]], read: bool
    ) -> RawHttpResponse:
        if self._ssl_context is None and location.scheme == "https":
            self._ssl_context = httpcore2.default_ssl_context()
        url = httpcore2.URL(scheme=location.scheme, host=location.host, port=location.port, target=location.target)
        timeouts = dict.fromkeys(("connect", "read", "write", "pool"), self._timeout_s)
        async with (
            aclosing(GuardedNetworkBackend(self._host_policy, self._resolver, self._dialler)) as backend,
            httpcore2.AsyncConnectionPool(ssl_context=self._ssl_context, network_backend=backend) as pool,
            pool.stream(
                method, url, headers=[("Host", location.authority), *headers], extensions={"timeout": timeouts}
            ) as response,
        ):
            body = await self._read(response) if read else b""
            return RawHttpResponse(response.status, _redirect(response.headers), body)

    async def _read(self, response: httpcore2.Response) -> bytes:
        body = bytearray()
        async for chunk in response.aiter_stream():
            body += chunk
            if len(body) > self._max_bytes:
                raise VerificationLookupError(VerificationReason.TOO_LARGE)
        return bytes(body)


def _redirect(headers: list[tuple[bytes, bytes]]) -> str | None:
    values = [value for name, value in headers if name.lower() == b"location"]
    try:
        return values[0].decode("utf-8") if len(values) == 1 else None
    except UnicodeDecodeError:
        return None
