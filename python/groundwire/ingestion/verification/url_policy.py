"""
Decides which URLs may be requested: strict parsing, hosts and addresses (ruling C12).

A URL is parsed once, and no module parses it again, so the checked host is the requested one. Ambiguous forms are
refused and never repaired: user names, backslashes, white space, numbers that are disguised addresses (`127.1`,
`0x7f000001`, `017700000001`), and letters that fold into another host name (`①②⑦.0.0.1`, `127。0。0。1`).

The list of addresses is our own, because `ipaddress.is_global` differs between patch releases of Python. It refuses the
special-purpose addresses of the IANA IPv4 and IPv6 registries, tunnels to IPv4, and the metadata addresses of clouds.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from groundwire.ingestion.verification.protocol import VerificationLookupError, VerificationReason

__all__ = ["HostPolicy", "ParsedUrl", "is_public", "join_url", "parse_url"]

# Longer URLs are refused.
_MAX_URL_CHARS = 4096
# The maximum length of a host name (RFC 1035).
_MAX_HOST_CHARS = 253
_DEFAULT_PORTS = {"http": 80, "https": 443}
_MAX_PORT = 65535
_URL = re.compile(r"(https?)://([^/?#]*)([^#]*)(?:#.*)?", re.IGNORECASE | re.DOTALL)
_HAS_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_NEVER = re.compile(r"[\x00-\x20\x7f-\xa0\\\u2028\u2029\ud800-\udfff]")
_IPV6 = re.compile(r"\[([0-9A-Fa-f:.]+)\](?::([0-9]{0,5}))?")
_NAME = re.compile(r"([^:@%\[\]]+)(?::([0-9]{0,5}))?")
_LABELS = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9_-]{1,63}(?<!-))*")
# The last part of a host that some programs read as a number, so that the host must be an IPv4 address.
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_PRIVATE_IPV4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carriers; Alibaba's metadata
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # Azure's hosts
        "169.254.0.0/16",  # link-local; metadata of most clouds
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocols; Oracle's metadata
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # AMT
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "192.175.48.0/24",  # AS112
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)
# Contains all assigned addresses, but no loopback, link-local, private, mapped or multicast addresses.
_GIVEN_OUT_IPV6 = IPv6Network("2000::/3")
_PRIVATE_IPV6 = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocols: Teredo, benchmarks, ORCHID
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4
        "2620:4f:8000::/48",  # AS112
        "3ffe::/16",  # returned
        "3fff::/20",  # documentation
    )
)
# Networks without IPv4 reach IPv4 hosts through this prefix: the embedded address decides (RFC 6052).
_NAT64 = IPv6Network("64:ff9b::/96")
# The last 64 bits of ISATAP addresses begin with this, and end with an IPv4 address (RFC 5214).
_ISATAP = frozenset({0x00005EFE, 0x02005EFE})
_PUBLIC_PORTS = frozenset({80, 443})
# No public server has a name in these domains, or a name without a dot. Resolving them would reveal facts about the
# local network.
_PRIVATE_NAMES = frozenset(
    {
        "arpa", "corp", "example", "home", "internal", "intranet", "invalid", "lan", "local", "localdomain",
        "localhost", "onion", "private", "test",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ParsedUrl:
    """
    The target of a request.

    Attributes:
        scheme: `http` or `https`.
        host: A lower-case ASCII name, or an address in its canonical form, without brackets.
        port: 1 to 65535.
        target: Path and query in ASCII, from the first `/`.
    """

    scheme: str
    host: str
    port: int
    target: str

    @property
    def authority(self) -> str:
        """The host and port as in the header `Host`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"


def parse_url(url: str) -> ParsedUrl:
    """
    Parse *url* without its fragment.

    Raises:
        VerificationLookupError: `url_refused`, for anything but a plain http or https URL.
    """
    match = _URL.fullmatch(url)
    if match is None or len(url) > _MAX_URL_CHARS or _NEVER.search(url):
        raise _refused()
    scheme = match[1].lower()
    host, port = parse_authority(match[2])
    return ParsedUrl(scheme, host, _DEFAULT_PORTS[scheme] if port is None else port, _target(match[3]))


def parse_authority(authority: str) -> tuple[str, int | None]:
    """
    Parse `host`, `host:port` or `[address]:port`; a missing port is None.

    Raises:
        VerificationLookupError: `url_refused`.
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


def join_url(base: ParsedUrl, reference: str) -> ParsedUrl:
    """
    Return the target of *reference*, the header `Location` of a response from *base*.

    Raises:
        VerificationLookupError: `url_refused`.
    """
    from urllib.parse import urljoin

    # `urljoin` silently drops line breaks and tabs, and reads `http:/host` as a path.
    if _NEVER.search(reference) or reference.startswith("///"):
        raise _refused()
    if _HAS_SCHEME.match(reference):
        return parse_url(reference)
    try:
        return parse_url(urljoin(f"{base.scheme}://{base.authority}{base.target}", reference))
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
    """Return an international name in ASCII, if decoding returns the same name."""
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
    # Printable ASCII is unchanged, `%` above all.
    return target if target.isascii() else quote(target, safe="".join(map(chr, range(0x21, 0x7F))))


def _refused() -> VerificationLookupError:
    return VerificationLookupError(VerificationReason.URL_REFUSED)


def is_public(address: str) -> bool:
    """
    Return whether *address*, an IPv4 or IPv6 address in digits, may be requested.

    Other texts may not, nor IPv6 addresses with a zone.
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return _is_public_ipv4(parsed) if isinstance(parsed, IPv4Address) else _is_public_ipv6(parsed)


def _is_public_ipv4(address: IPv4Address) -> bool:
    return not any(address in network for network in _PRIVATE_IPV4)


def _is_public_ipv6(address: IPv6Address) -> bool:
    if address.scope_id is not None:
        return False
    if address in _NAT64:
        return _is_public_ipv4(IPv4Address(int(address) & 0xFFFFFFFF))
    if address not in _GIVEN_OUT_IPV6 or any(address in network for network in _PRIVATE_IPV6):
        return False
    return int(address) >> 32 & 0xFFFFFFFF not in _ISATAP


class HostPolicy:
    """
    The hosts and addresses that may be requested.

    Args:
        allow_hosts: `host` or `host:port` that may have any address, on this port or on any. Names are compared as
            written, so `localhost` does not allow `127.0.0.1`.
        ports: The ports of all other hosts.

    Raises:
        ValueError: An entry of *allow_hosts* has another form.
    """

    def __init__(self, allow_hosts: Iterable[str] = (), *, ports: Iterable[int] = _PUBLIC_PORTS) -> None:
        self._allowed = {_read_entry(number, entry) for number, entry in enumerate(allow_hosts)}
        self._ports = frozenset(ports)

    def allows(self, host: str, port: int) -> bool:
        """Return whether *host* may have any address."""
        return (host, port) in self._allowed or (host, None) in self._allowed

    def check(self, location: ParsedUrl) -> None:
        """
        Raise if *location* may not be requested, before its address is resolved.

        Raises:
            VerificationLookupError: `url_refused` for the port, `address_refused` for the host.
        """
        if self.allows(location.host, location.port):
            return
        if location.port not in self._ports:
            raise VerificationLookupError(VerificationReason.URL_REFUSED)
        last = location.host.rpartition(".")[2]
        is_name = ":" not in location.host and not last.isdigit()
        if is_name and ("." not in location.host or last in _PRIVATE_NAMES):
            raise VerificationLookupError(VerificationReason.ADDRESS_REFUSED)

    def check_addresses(self, host: str, port: int, addresses: Iterable[str]) -> None:
        """
        Raise an error unless every one of *addresses* may be requested for *host*.

        Raises:
            VerificationLookupError: `address_refused`, also for a single private address among public ones.
        """
        if not self.allows(host, port) and not all(map(is_public, addresses)):
            raise VerificationLookupError(VerificationReason.ADDRESS_REFUSED)


def _read_entry(number: int, entry: str) -> tuple[str, int | None]:
    try:
        # An IPv6 address needs brackets only before a port.
        return parse_authority(f"[{entry}]" if entry.count(":") > 1 and not entry.startswith("[") else entry)
    except VerificationLookupError:
        raise ValueError(f"allow_hosts[{number}] must be `host`, `host:port` or `[address]:port`") from None
