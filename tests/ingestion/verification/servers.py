"""A real HTTP server on loopback that counts its clients, and a resolver and a dialler that never leave the machine."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from ipaddress import ip_address

import httpcore2

from groundwire.ingestion.verification.http_client import GuardedHttpClient
from groundwire.ingestion.verification.http_exchange import HttpExchange, Resolver, resolve_host
from groundwire.ingestion.verification.url_policy import HostPolicy
from waits import PATIENCE_S

__all__ = [
    "HOST",
    "PUBLIC",
    "Dialler",
    "Request",
    "Server",
    "answer",
    "client_for",
    "client_of",
    "redirect",
    "serve",
    "url_of",
]

# A public address that the dialler of tests never dials.
PUBLIC = "93.184.215.14"

HOST = "pages.test"
"""The name under which `client_of` may ask a server."""


@dataclass(frozen=True)
class Request:
    """Holds the method, the target, and all lines of the head that a client sent."""

    method: str
    target: str
    head: str


@dataclass
class Server:
    """Records its input: every connection counts as a contact, with or without a request."""

    port: int = 0
    contacts: int = 0
    requests: list[Request] = field(default_factory=list)

    @property
    def methods(self) -> list[str]:
        """Return the methods of all requests, in order."""
        return [request.method for request in self.requests]


Handler = Callable[[Request], Iterable[bytes]]


def answer(status: int, body: bytes = b"", **headers: str) -> list[bytes]:
    """Return a complete answer."""
    lines = [f"HTTP/1.1 {status} Words", f"Content-Length: {len(body)}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return ["\r\n".join([*lines, "", ""]).encode("utf-8") + body]


def redirect(target: str, status: int = 302, **headers: str) -> list[bytes]:
    """Return a redirect to *target*."""
    return answer(status, Location=target, **headers)


@contextmanager
def serve(handler: Handler, *, tls: ssl.SSLContext | None = None, address: str = "127.0.0.1") -> Iterator[Server]:
    """Serve on a free port until the block ends; each connection is one request."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.create_server((address, 0), family=family) as listener:
        server = Server(port=listener.getsockname()[1])
        stopped = threading.Event()
        listener.settimeout(0.05)

        def accept() -> None:
            while not stopped.is_set():
                try:
                    connection, _ = listener.accept()
                except TimeoutError:
                    continue
                except OSError:
                    return
                server.contacts += 1
                threading.Thread(target=_talk, args=(connection, server, handler, tls, stopped), daemon=True).start()

        thread = threading.Thread(target=accept)
        thread.start()
        try:
            yield server
        finally:
            stopped.set()
            with suppress(OSError):
                # This wakes the thread at once, if the system allows it.
                listener.shutdown(socket.SHUT_RDWR)
            thread.join()


def _talk(
    connection: socket.socket, server: Server, handler: Handler, tls: ssl.SSLContext | None, stopped: threading.Event
) -> None:
    try:
        with connection, tls.wrap_socket(connection, server_side=True) if tls else connection as stream:
            stream.settimeout(PATIENCE_S)
            head = b""
            while b"\r\n\r\n" not in head:
                more = stream.recv(65536)
                if not more:
                    return
                head += more
            lines = head.decode("latin-1")
            method, target, _ = lines.split(" ", 2)
            request = Request(method, target, lines)
            server.requests.append(request)
            for piece in handler(request):
                if stopped.is_set():
                    return
                stream.sendall(piece)
    except OSError:
        pass  # the client went away, which is what many tests are about


class Dialler(httpcore2.AsyncNetworkBackend):
    """Records the dialled addresses; connects to loopback only, so that no test leaves the machine."""

    def __init__(self) -> None:
        self.dialled: list[str] = []
        self._real = httpcore2.AnyIOBackend()

    async def connect_tcp(self, host, port, timeout=None, local_address=None, socket_options=None):
        """Connect to addresses of test servers; other addresses do not answer."""
        self.dialled.append(host)
        if not ip_address(host).is_loopback:
            raise httpcore2.ConnectError("not in tests")
        return await self._real.connect_tcp(host, port, timeout, local_address, socket_options)


def resolver_of(names: Mapping[str, Sequence[Sequence[str]]]):
    """
    Return a resolver that knows *names*, and addresses in digits as the system reads them.

    A name has one answer for each look-up in turn; the last one stays.
    """
    left = {name: list(answers) for name, answers in names.items()}

    async def look_up(host: str, port: int) -> Sequence[str]:
        if host in left:
            return left[host].pop(0) if len(left[host]) > 1 else left[host][0]
        return await resolve_host(host, port) if host[-1:].isdigit() or ":" in host else []

    return look_up


def client_for(
    *ports: int,
    allow_hosts: Sequence[str] = (),
    names: Mapping[str, Sequence[Sequence[str]]] | None = None,
    dialler: Dialler | None = None,
    resolver: Resolver | None = None,
    timeout_s: float = PATIENCE_S,
    max_bytes: int = 1000,
    ssl_context: ssl.SSLContext | None = None,
) -> GuardedHttpClient:
    """
    Return a client for which *ports* count as web ports; only its checks of names and addresses protect a test
    server.
    """
    exchange = HttpExchange(
        HostPolicy(allow_hosts, ports={80, 443, *ports}),
        timeout_s=timeout_s,
        max_bytes=max_bytes,
        resolver=resolver or resolver_of(names or {}),
        dialler=dialler or Dialler(),
        ssl_context=ssl_context,
    )
    return GuardedHttpClient(timeout_s=timeout_s, exchange=exchange)


def client_of(server: Server, **options) -> GuardedHttpClient:
    """Return a client that may request *server* under the name `HOST`."""
    return client_for(allow_hosts=[f"{HOST}:{server.port}"], names={HOST: [["127.0.0.1"]]}, **options)


def url_of(server: Server, target: str = "/page") -> str:
    """Return the URL of *target* under the name `HOST`."""
    return f"http://{HOST}:{server.port}{target}"
