"""What a proxy in front of the page says of those behind it, if that proxy is trusted."""

from collections.abc import Collection
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from groundwire.memory.records import USER_ID_MAX_CHARS, check_text
from groundwire.review.web.hosts import LOOPBACK, host_of
from groundwire.review.web.people import Person, Role

__all__ = ["TrustedProxy", "address_of", "is_secure", "person_named"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustedProxy:
    """
    A proxy whose headers count: `X-Forwarded-For`, `X-Forwarded-Proto`, and the one that names people.

    It has to remove from requests whatever it does not set itself.

    Attributes:
        addresses: From where it connects: IP addresses.
        user_header: In which header it names who has signed in with it; None for none.
        reviewers: Which of those names are reviewers'.
    """

    addresses: Collection[str]
    user_header: str | None = None
    reviewers: Collection[str] = ()

    def __post_init__(self) -> None:
        if not self.addresses or isinstance(self.addresses, str):
            raise ValueError("a trusted proxy needs the addresses from which it connects")


def person_named(request: HTTPConnection, proxy: TrustedProxy | None) -> Person | None:
    """Return whom the proxy names; None if it names nobody, somebody twice, or is not the trusted one."""
    if proxy is None or proxy.user_header is None or not _is_from(request, proxy):
        return None
    names = request.headers.getlist(proxy.user_header)
    if len(names) != 1:
        return None
    try:
        # The bytes of a header are UTF-8 here, as proxies send names; Starlette reads them as Latin-1.
        name = names[0].encode("latin-1").decode("utf-8").strip()
        check_text(name, "the name", max_chars=USER_ID_MAX_CHARS)
    except ValueError:
        return None
    return Person(name, Role.REVIEWER if name in proxy.reviewers else Role.USER)


def address_of(request: HTTPConnection, proxy: TrustedProxy | None) -> str:
    """Return from where a request comes: for limits, and for nothing that anybody may do."""
    if proxy is not None and _is_from(request, proxy):
        # The last entry is the proxy's own; those before it are what it was told.
        forwarded = ",".join(request.headers.getlist("x-forwarded-for")).rpartition(",")[2].strip()
        if forwarded:
            return forwarded[:64]
    return _peer(request)


def is_secure(request: HTTPConnection, proxy: TrustedProxy | None) -> bool:
    """Tell whether cookies can be kept to encrypted connections: always, except for a plain one within this machine."""
    scheme = request.url.scheme
    if proxy is not None and _is_from(request, proxy):
        scheme = request.headers.get("x-forwarded-proto", scheme).strip().lower()
    return scheme == "https" or host_of(request.headers.get("host", "")) not in LOOPBACK


def _is_from(request: HTTPConnection, proxy: TrustedProxy) -> bool:
    return _peer(request) in proxy.addresses


def _peer(request: HTTPConnection) -> str:
    return request.client.host if request.client is not None else ""
