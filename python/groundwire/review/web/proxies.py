"""Reads the headers of a trusted proxy: the client's address, the scheme, and the name of the user."""

from collections.abc import Collection
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from groundwire.http_server.hosts import LOOPBACK, host_from_header
from groundwire.memory.records import USER_ID_MAX_CHARS, check_text
from groundwire.review.web.credentials import Principal, PrincipalRole

__all__ = ["TrustedProxy", "client_address", "is_secure", "principal_from_header"]


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
        if isinstance(self.reviewers, str):
            # Each part of the text would be the name of a reviewer.
            raise TypeError("reviewers must be a collection of str")


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
