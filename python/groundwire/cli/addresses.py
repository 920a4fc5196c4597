"""The addresses that servers listen on, for the commands that start one. Needs the extra `review`."""

import socket

from groundwire.cli.app import CommandError
from groundwire.cli.inputs import error_reason
from groundwire.http_server.requests import HostNames, normalize_host
from groundwire.http_server.server import bind

__all__ = ["checked_hosts", "listen", "url_of"]


def checked_hosts(listening: str, *others: str) -> list[str]:
    """
    Return *listening* in its normal form, and *others*.

    Raises:
        CommandError: One of them is not a host.
    """
    try:
        host = normalize_host(listening)
    except ValueError as error:
        raise CommandError(f"--host: {error}") from None
    try:
        HostNames(others)
    except ValueError as error:
        raise CommandError(f"--allow-host: {error}") from None
    return [host, *others]


def listen(host: str, port: int) -> socket.socket:
    """
    Return a socket that listens on this address; port 0 selects any free port.

    Raises:
        CommandError: The address is in use, or not an address of this machine.
    """
    try:
        return bind(host, port)
    except OSError as error:
        raise CommandError(
            f"cannot listen on {host} port {port}: {error_reason(error)}", hint="use --port 0 for any free port"
        ) from None


def url_of(host: str, listening: socket.socket) -> str:
    """Return the URL of a socket that listens on *host*."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{listening.getsockname()[1]}/"
