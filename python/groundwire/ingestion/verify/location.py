"""
A URL, read strictly and once.

What is checked is what is dialled: nothing behind this module reads a URL again. Forms
that programs read in different ways are refused, none is repaired: user names, backslashes,
white space, numbers that are addresses in disguise (`127.1`, `0x7f000001`, `017700000001`),
and letters that only fold into a host's name (`①②⑦.0.0.1`, `127。0。0。1`).
"""

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address

from groundwire.ingestion.verify.failures import LookUpError
from groundwire.ingestion.verify.results import VerificationReason

__all__ = ["Location", "join", "parse", "parse_authority"]

_MAX_URL_CHARS = 4096
_MAX_HOST_CHARS = 253
_PORTS = {"http": 80, "https": 443}
_MAX_PORT = 65535
_URL = re.compile(r"(https?)://([^/?#]*)([^#]*)(?:#.*)?", re.IGNORECASE | re.DOTALL)
_HAS_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_NEVER = re.compile(r"[\x00-\x20\x7f-\xa0\\\u2028\u2029\ud800-\udfff]")
_IPV6 = re.compile(r"\[([0-9A-Fa-f:.]+)\](?::([0-9]{0,5}))?")
_NAME = re.compile(r"([^:@%\[\]]+)(?::([0-9]{0,5}))?")
_LABELS = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9_-]{1,63}(?<!-))*")
# The last part of a host that some programs take for a number: then all of it is an IPv4 address.
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")


@dataclass(frozen=True, slots=True)
class Location:
    """
    Where a request goes.

    Attributes:
        scheme: `http` or `https`.
        host: A name in ASCII and small letters, or an address in its canonical form, without brackets.
        port: 1 to 65535.
        target: Path and query in ASCII, from the first `/`.
    """

    scheme: str
    host: str
    port: int
    target: str

    @property
    def authority(self) -> str:
        """Host and port as the header `Host` has them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


def parse(url: str) -> Location:
    """
    Read *url*; its fragment is dropped.

    Raises:
        LookUpError: `url_refused`, for whatever is not plainly http or https.
    """
    match = _URL.fullmatch(url)
    if match is None or len(url) > _MAX_URL_CHARS or _NEVER.search(url):
        raise _refused()
    scheme = match[1].lower()
    host, port = parse_authority(match[2])
    return Location(scheme, host, _PORTS[scheme] if port is None else port, _target(match[3]))


def parse_authority(authority: str) -> tuple[str, int | None]:
    """
    Read `host`, `host:port` or `[address]:port`; the port is None where none is said.

    Raises:
        LookUpError: `url_refused`.
    """
    if match := _IPV6.fullmatch(authority):
        try:
            host = IPv6Address(match[1]).compressed
        except ValueError:
            raise _refused() from None
    elif match := _NAME.fullmatch(authority):
        host = _host(match[1])
    else:
        raise _refused()
    port = int(match[2]) if match[2] else None
    if port is not None and not 1 <= port <= _MAX_PORT:
        raise _refused()
    return host, port


def join(base: Location, reference: str) -> Location:
    """
    Return where *reference*, the header `Location` of an answer from *base*, leads.

    Raises:
        LookUpError: `url_refused`.
    """
    from urllib.parse import urljoin

    # `urljoin` drops line breaks and tabs without a word, and takes `http:/host` for a path.
    if _NEVER.search(reference) or reference.startswith("///"):
        raise _refused()
    if _HAS_SCHEME.match(reference):
        return parse(reference)
    try:
        return parse(urljoin(f"{base.scheme}://{base.authority}{base.target}", reference))
    except ValueError:
        raise _refused() from None


def _host(name: str) -> str:
    """Return the name of a host in ASCII."""
    name = name.lower().removesuffix(".")
    if len(name) > _MAX_HOST_CHARS:
        raise _refused()
    if not name.isascii():
        name = _in_ascii(name)
    if not _LABELS.fullmatch(name):
        raise _refused()
    if _NUMBER.fullmatch(name.rpartition(".")[2]):
        try:
            return str(IPv4Address(name))
        except ValueError:
            raise _refused() from None
    return name


def _in_ascii(name: str) -> str:
    """Return an international name in ASCII, if it is written in the one way that comes back from there."""
    try:
        encoded = name.encode("idna")
        if encoded.decode("idna") == name:
            return encoded.decode("ascii")
    except UnicodeError:
        pass
    raise _refused()


def _target(rest: str) -> str:
    from urllib.parse import quote

    target = rest if rest.startswith("/") else f"/{rest}"
    # Everything that ASCII can print stays as it is written; `%` above all.
    return target if target.isascii() else quote(target, safe="".join(map(chr, range(0x21, 0x7F))))


def _refused() -> LookUpError:
    return LookUpError(VerificationReason.URL_REFUSED)
