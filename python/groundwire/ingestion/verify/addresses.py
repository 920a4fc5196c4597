"""
Which addresses are on the public internet.

The list is our own: `ipaddress.is_global` differs between patch releases of Python.
What is refused is what IANA's registries of special-purpose addresses list, whatever
is a tunnel to IPv4, and the addresses under which clouds serve their metadata.
Source: ruling C12; IANA IPv4 and IPv6 Special-Purpose Address Registries.
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

__all__ = ["is_public"]

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
# All that is given out lies here; loopback, link-local, private and mapped addresses and multicast do not.
_GIVEN_OUT_IPV6 = IPv6Network("2000::/3")
_PRIVATE_IPV6 = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocols: Teredo, benchmarks, ORCHID
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4
        "2620:4f:8000::/48",  # AS112
        "3ffe::/16",  # given back
        "3fff::/20",  # documentation
    )
)
# Networks without IPv4 reach IPv4 hosts through this prefix: the address inside decides (RFC 6052).
_NAT64 = IPv6Network("64:ff9b::/96")
# The last 64 bits of ISATAP's addresses begin so, and end with an IPv4 address (RFC 5214).
_ISATAP = frozenset({0x00005EFE, 0x02005EFE})


def is_public(address: str) -> bool:
    """
    Tell whether *address*, an IPv4 or IPv6 address in digits, may be dialled.

    Whatever is no such address may not; neither may IPv6 addresses with a zone.
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
