"""
Which hosts may be asked: those of the public internet on its two ports, and those that are allowed by name.

Source: ruling C12.
"""

from collections.abc import Iterable

from groundwire.ingestion.verify.addresses import is_public
from groundwire.ingestion.verify.failures import LookUpError
from groundwire.ingestion.verify.location import Location, parse_authority
from groundwire.ingestion.verify.results import VerificationReason

__all__ = ["Reach"]

_PORTS = frozenset({80, 443})
# Names that no public server has; a name without a dot is none either. Asking for their addresses would tell
# others about the network that we are in.
_PRIVATE_NAMES = frozenset(
    {
        "arpa", "corp", "example", "home", "internal", "intranet", "invalid", "lan", "local", "localdomain",
        "localhost", "onion", "private", "test",
    }
)  # fmt: skip


class Reach:
    """
    What may be reached.

    Args:
        allow_hosts: `host` or `host:port`: there any address may be dialled, on the port that
            is said, or on any. The name is compared as written, so that `localhost` does
            not allow `127.0.0.1`.
        ports: The ports of all other hosts.

    Raises:
        ValueError: An entry of *allow_hosts* is of another form.
    """

    def __init__(self, allow_hosts: Iterable[str] = (), *, ports: Iterable[int] = _PORTS) -> None:
        self._allowed = {_read_entry(number, entry) for number, entry in enumerate(allow_hosts)}
        self._ports = frozenset(ports)

    def allows(self, host: str, port: int) -> bool:
        """Tell whether *host* is in the list of those that may have any address."""
        return (host, port) in self._allowed or (host, None) in self._allowed

    def check(self, location: Location) -> None:
        """
        Raise for a location that may not be asked, before anybody looks up its address.

        Raises:
            LookUpError: `url_refused` for the port, `address_refused` for the host.
        """
        if self.allows(location.host, location.port):
            return
        if location.port not in self._ports:
            raise LookUpError(VerificationReason.URL_REFUSED)
        last = location.host.rpartition(".")[2]
        is_name = ":" not in location.host and not last.isdigit()
        if is_name and ("." not in location.host or last in _PRIVATE_NAMES):
            raise LookUpError(VerificationReason.ADDRESS_REFUSED)

    def check_addresses(self, host: str, port: int, addresses: Iterable[str]) -> None:
        """
        Raise unless every one of *addresses* may be dialled for *host*.

        Raises:
            LookUpError: `address_refused`: one private address among public ones is enough.
        """
        if not self.allows(host, port) and not all(map(is_public, addresses)):
            raise LookUpError(VerificationReason.ADDRESS_REFUSED)


def _read_entry(number: int, entry: str) -> tuple[str, int | None]:
    try:
        # An IPv6 address needs its brackets beside a port alone.
        return parse_authority(f"[{entry}]" if entry.count(":") > 1 and not entry.startswith("[") else entry)
    except LookUpError:
        raise ValueError(f"allow_hosts[{number}] must be `host`, `host:port` or `[address]:port`") from None
