"""For which hosts requests may be meant: names that other sites point here are refused."""

import re
from collections.abc import Sequence
from ipaddress import AddressValueError, IPv4Address, IPv6Address, ip_address

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["LOOPBACK", "Hosts", "KnownHosts", "host_named", "host_of"]

LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""The hosts that are this machine itself."""

# A zone (%eth0) is known to one machine alone, and browsers send none.
_HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]{2,45})\]|([A-Za-z0-9._-]{1,253}))(?::([0-9]{1,5}))?", re.ASCII)


def host_of(header: str) -> str | None:
    """
    Return the host that the field `Host` of a request names, in one spelling; None if it is malformed.

    Names are in lower case, IPv6 addresses compressed and without brackets.
    """
    parts = _HOST.fullmatch(header)
    if parts is None or not 1 <= int(parts[3] or 80) <= 65535:
        return None
    try:
        return parts[2].lower() if parts[1] is None else str(IPv6Address(parts[1]))
    except AddressValueError:
        return None


def host_named(name: str) -> str:
    """
    Return a host of the settings as `host_of` spells it; IPv6 addresses may have brackets.

    Raises:
        ValueError: It is no host name and no address, or has a zone or a port.
    """
    if "%" in name:
        raise ValueError("an address with a zone (%) cannot be part of a URL")
    is_bare = ":" in name and not name.startswith("[")
    host = host_of(f"[{name}]" if is_bare else name)
    if host is None or (not is_bare and not name.endswith("]") and ":" in name):
        raise ValueError("a host is a name or an address, without scheme, port and path")
    return host


class Hosts:
    """
    The hosts that requests may be meant for.

    An address at which the connection came in counts as known: to reach it, no name was asked for.

    Args:
        names: Names and addresses; `*.example.com` for all names below one, `*` for any host.

    Raises:
        ValueError: One of *names* is none.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._is_any = "*" in names
        self._hosts = frozenset(host_named(name) for name in names if not name.startswith("*"))
        self._suffixes = tuple(f".{host_named(name[2:])}" for name in names if name.startswith("*."))

    def knows(self, scope: Scope) -> bool:
        """Tell whether the request of an ASGI *scope* is for one of them."""
        named = Headers(scope=scope).getlist("host")
        host = host_of(named[0]) if len(named) == 1 else None
        if self._is_any or host is None:
            return self._is_any
        local = scope.get("server") or ("", None)
        return host in self._hosts or host.endswith(self._suffixes) or _is_address(host, str(local[0]))


class KnownHosts:
    """Middleware that refuses requests for other *hosts* with 400."""

    def __init__(self, app: ASGIApp, hosts: Hosts) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http" or self._hosts.knows(scope):
            await self._app(scope, receive, send)
        else:
            await PlainTextResponse("The request is for another host.", status_code=400)(scope, receive, send)


def _is_address(host: str, local: str) -> bool:
    """Tell whether *host* is the address *local*, and no name."""
    try:
        return _plain(host) == _plain(local)
    except ValueError:
        return False


def _plain(address: str) -> IPv4Address | IPv6Address:
    parsed = ip_address(address)
    return parsed.ipv4_mapped or parsed if isinstance(parsed, IPv6Address) else parsed
