"""Checks the hosts that requests name."""

import re
from collections.abc import Sequence
from ipaddress import AddressValueError, IPv4Address, IPv6Address, ip_address

from starlette.datastructures import Headers
from starlette.types import Scope

__all__ = ["LOOPBACK", "HostNames", "host_from_header", "normalize_host"]

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
        TypeError: *names* is a str, each character of which would be a host.
    """

    def __init__(self, names: Sequence[str]) -> None:
        if isinstance(names, str):
            raise TypeError("hosts must be a sequence of str")
        self._is_any = "*" in names
        self._hosts = frozenset(normalize_host(name) for name in names if name != "*" and not name.startswith("*."))
        self._suffixes = tuple(f".{normalize_host(name[2:])}" for name in names if name.startswith("*."))

    def knows(self, scope: Scope) -> bool:
        """Return whether the request of an ASGI *scope* is for one of these hosts."""
        named = Headers(scope=scope).getlist("host")
        host = host_from_header(named[0]) if len(named) == 1 else None
        if self._is_any or host is None:
            return self._is_any
        local = scope.get("server") or ("", None)
        return host in self._hosts or host.endswith(self._suffixes) or _is_address(host, str(local[0]))


def _is_address(host: str, local: str) -> bool:
    """Return whether *host* is the address *local*, and not a name."""
    try:
        return _plain(host) == _plain(local)
    except ValueError:
        return False


def _plain(address: str) -> IPv4Address | IPv6Address:
    parsed = ip_address(address)
    return parsed.ipv4_mapped or parsed if isinstance(parsed, IPv6Address) else parsed
