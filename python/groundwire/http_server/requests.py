"""Checks the hosts, heads and origins of requests, and reads their bodies, as JSON too."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address, ip_address
from typing import TypeVar
from urllib.parse import urlsplit

import msgspec
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.types import Scope

from groundwire.http_server.responses import HttpProblem

__all__ = [
    "LOOPBACK",
    "HostNames",
    "HttpLimits",
    "check_head",
    "check_origin",
    "decode_json",
    "host_from_header",
    "media_type",
    "normalize_host",
    "read_body",
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


_LENGTH_DIGITS_MAX = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpLimits:
    """
    The limits of one request.

    Attributes:
        head_bytes: The size of all header fields of a request together.
        head_fields: The number of header fields.
        query_bytes: The length of the query of an address.
        body_bytes: The size of a body.
        body_timeout_s: Seconds in which a body has to arrive.

    Raises:
        ValueError: A limit is not positive.
    """

    head_bytes: int = 16 * 1024
    head_fields: int = 100
    query_bytes: int = 4 * 1024
    body_bytes: int = 256 * 1024
    body_timeout_s: float = 10.0

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} must be positive")


def check_head(request: Request, limits: HttpLimits) -> None:
    """
    Check the size of a request's head before anything else is read.

    Raises:
        HttpProblem: It is too large.
    """
    if len(request.scope["query_string"]) > limits.query_bytes:
        raise HttpProblem(414, "too_long", f"The query is longer than {limits.query_bytes:,} bytes.")
    fields = request.scope["headers"]
    if len(fields) > limits.head_fields or sum(len(name) + len(value) for name, value in fields) > limits.head_bytes:
        words = f"The request has more than {limits.head_fields} header fields, or {limits.head_bytes:,} bytes of them."
        raise HttpProblem(431, "head_too_large", words)


def check_origin(request: Request) -> None:
    """
    Check that a form was not sent by another site.

    All browsers name the origin of a form. A client that does not is no browser, so no site can make it send another
    person's cookies.

    Raises:
        HttpProblem: Another site has sent it.
    """
    fetched = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    if fetched is not None:
        is_own = fetched in ("same-origin", "none")
    else:
        is_own = origin is None or _host_of(origin) == request.headers.get("host", "").lower()
    if not is_own:
        raise HttpProblem(403, "other_site", "The form comes from another site.")


def _host_of(origin: str) -> str | None:
    """Return host and port of an origin in lower case; None if it is malformed."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


async def read_body(request: Request, limits: HttpLimits) -> bytes:
    """
    Return the body of *request*.

    Raises:
        HttpProblem: It is too large, too slow, or incomplete.
    """
    declared = request.headers.get("content-length", "0")
    if not (declared.isascii() and declared.isdigit()):
        # Some servers do not check it.
        raise HttpProblem(400, "bad_length", "The request needs a Content-Length.")
    if len(declared) > _LENGTH_DIGITS_MAX or int(declared) > limits.body_bytes:
        raise _too_large(limits)
    parts, size = [], 0
    try:
        async with asyncio.timeout(limits.body_timeout_s):
            async for part in request.stream():
                size += len(part)
                if size > limits.body_bytes:
                    raise _too_large(limits)
                parts.append(part)
    except TimeoutError:
        raise HttpProblem(408, "too_slow", "The request took too long to arrive.") from None
    except ClientDisconnect:
        raise HttpProblem(400, "broken_off", "The request is incomplete.") from None
    return b"".join(parts)


def _too_large(limits: HttpLimits) -> HttpProblem:
    return HttpProblem(413, "too_large", f"The request is larger than {limits.body_bytes:,} bytes.")


T = TypeVar("T", bound=msgspec.Struct)

_FIELD = re.compile(r" - at `\$\.?([A-Za-z_][A-Za-z0-9_.\[\]]*)`$")
_NAMED = re.compile(r"^Object (?:missing required field|contains unknown field) `([A-Za-z_][A-Za-z0-9_]{0,63})`")


def decode_json(request: Request, body: bytes, kind: type[T]) -> T:
    """
    Return the *body* of a request as JSON of a type; an empty body counts as an empty object.

    Raises:
        HttpProblem: The body is not JSON, or not of this type; it names the field.
    """
    # Pages of other sites can send this media type only after a preflight request, which is refused.
    if body and media_type(request) != "application/json":
        raise HttpProblem(415, "not_json", "The body must be application/json.")
    try:
        return msgspec.json.decode(body or b"{}", type=kind)
    except msgspec.ValidationError as error:
        field, words = _field(str(error))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise HttpProblem(400, "bad_json", "The body is not JSON.") from None
    raise HttpProblem(422, "invalid", f"{field or 'the body'}: {words}", field=field)


def _field(message: str) -> tuple[str | None, str]:
    """Return the field of an error and its description, without repeating unknown names."""
    place = _FIELD.search(message)
    words = message[: place.start()] if place else message
    named = _NAMED.match(words)
    if words.startswith("Object contains unknown field"):
        return (named[1] if named else None), "unknown field"
    if named:
        return named[1], "is missing"
    # The message of an enumeration repeats the value.
    if words.startswith("Invalid "):
        words = "is not an allowed value"
    return (place[1] if place else None), words


def media_type(request: Request) -> str:
    """Return the media type of a request's body, in lower case and without parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()
