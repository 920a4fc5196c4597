"""Checks the hosts that requests name, and reads the headers of a trusted proxy."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address, ip_address

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from groundwire.memory.records import USER_ID_MAX_CHARS, check_text
from groundwire.review.web.credentials import Principal, PrincipalRole

__all__ = [
    "LOOPBACK",
    "HostNames",
    "KnownHosts",
    "TrustedProxy",
    "client_address",
    "host_from_header",
    "is_secure",
    "normalize_host",
    "principal_from_header",
]

LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""The names and addresses of this machine itself."""

# A zone (%eth0) has a meaning on one machine only, and browsers send none.
_HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]{2,45})\]|([A-Za-z0-9._-]{1,253}))(?::([0-9]{1,5}))?", re.ASCII)


def host_from_header(header: str) -> str | None:
    """
    Return the host of the header `Host` in one spelling; None if it is malformed.

    Names are in lower case, IPv6 addresses compressed and without brackets.
    """
    parts = _HOST.fullmatch(header)
    if parts is None or not 1 <= int(parts[3] or 80) <= 65535:
        return None
    try:
        return parts[2].lower() if parts[1] is None else str(IPv6Address(parts[1]))
    except AddressValueError:
        return None


def normalize_host(name: str) -> str:
    """
    Return a host of the settings in the spelling of `host_from_header`; IPv6 addresses may have brackets.

    Raises:
        ValueError: It is neither a host name nor an address, or has a zone or a port.
    """
    if "%" in name:
        raise ValueError("an address with a zone (%) cannot be part of a URL")
    is_bare = ":" in name and not name.startswith("[")
    host = host_from_header(f"[{name}]" if is_bare else name)
    if host is None or (not is_bare and not name.endswith("]") and ":" in name):
        raise ValueError("a host is a name or an address, without scheme, port and path")
    return host


class HostNames:
    """
    The hosts that requests may name.

    The address at which the connection arrived is always allowed, because no name leads to it.

    Args:
        names: Names and addresses; `*.example.com` for all names below one, `*` for any host.

    Raises:
        ValueError: One of *names* is not a host.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._is_any = "*" in names
        self._hosts = frozenset(normalize_host(name) for name in names if not name.startswith("*"))
        self._suffixes = tuple(f".{normalize_host(name[2:])}" for name in names if name.startswith("*."))

    def knows(self, scope: Scope) -> bool:
        """Return whether the request of an ASGI *scope* is for one of these hosts."""
        named = Headers(scope=scope).getlist("host")
        host = host_from_header(named[0]) if len(named) == 1 else None
        if self._is_any or host is None:
            return self._is_any
        local = scope.get("server") or ("", None)
        return host in self._hosts or host.endswith(self._suffixes) or _is_address(host, str(local[0]))


class KnownHosts:
    """Middleware that refuses requests for other *hosts* with 400."""

    def __init__(self, app: ASGIApp, hosts: HostNames) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http" or self._hosts.knows(scope):
            await self._app(scope, receive, send)
        else:
            await PlainTextResponse("The request is for another host.", status_code=400)(scope, receive, send)


def _is_address(host: str, local: str) -> bool:
    """Return whether *host* is the address *local*, and not a name."""
    try:
        return _plain(host) == _plain(local)
    except ValueError:
        return False


def _plain(address: str) -> IPv4Address | IPv6Address:
    parsed = ip_address(address)
    return parsed.ipv4_mapped or parsed if isinstance(parsed, IPv6Address) else parsed


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustedProxy:
    """
    A proxy whose headers count: `X-Forwarded-For`, `X-Forwarded-Proto`, and the one with the user's name.

    It must remove these headers from requests if it does not set them itself.

    Attributes:
        addresses: The IP addresses from which it connects.
        user_header: The header with the name of the person who has signed in with it; None for none.
        reviewers: The names of reviewers.
    """

    addresses: Collection[str]
    user_header: str | None = None
    reviewers: Collection[str] = ()

    def __post_init__(self) -> None:
        if not self.addresses or isinstance(self.addresses, str):
            raise ValueError("a trusted proxy needs the addresses from which it connects")


def principal_from_header(request: HTTPConnection, proxy: TrustedProxy | None) -> Principal | None:
    """Return the principal that the proxy names; None if it names nobody or several, or is not the trusted one."""
    if proxy is None or proxy.user_header is None or not _is_from(request, proxy):
        return None
    names = request.headers.getlist(proxy.user_header)
    if len(names) != 1:
        return None
    try:
        # Proxies send names in UTF-8, and Starlette decodes headers as Latin-1.
        name = names[0].encode("latin-1").decode("utf-8").strip()
        check_text(name, "the name", max_chars=USER_ID_MAX_CHARS)
    except ValueError:
        return None
    return Principal(name, PrincipalRole.REVIEWER if name in proxy.reviewers else PrincipalRole.USER)


def client_address(request: HTTPConnection, proxy: TrustedProxy | None) -> str:
    """Return the address of the client, for limits only: it gives no rights."""
    if proxy is not None and _is_from(request, proxy):
        # The proxy adds the last entry; it only received those before it.
        forwarded = ",".join(request.headers.getlist("x-forwarded-for")).rpartition(",")[2].strip()
        if forwarded:
            return forwarded[:64]
    return _peer(request)


def is_secure(request: HTTPConnection, proxy: TrustedProxy | None) -> bool:
    """Return whether cookies need encryption: always, except for plain connections within this machine."""
    scheme = request.url.scheme
    if proxy is not None and _is_from(request, proxy):
        scheme = request.headers.get("x-forwarded-proto", scheme).strip().lower()
    return scheme == "https" or host_from_header(request.headers.get("host", "")) not in LOOPBACK


def _is_from(request: HTTPConnection, proxy: TrustedProxy) -> bool:
    return _peer(request) in proxy.addresses


def _peer(request: HTTPConnection) -> str:
    return request.client.host if request.client is not None else ""
