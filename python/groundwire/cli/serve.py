"""`groundwire serve`: serves the checks over HTTP."""

import os
import stat
import sys
import threading
from pathlib import Path
from time import monotonic

import click

from groundwire.cli.app import CommandError, warn
from groundwire.cli.commands import PASS
from groundwire.cli.inputs import STDIN, display_name, read_text
from groundwire.cli.options import COUNT, FILE, Number

TOKEN_VARIABLE = "GROUNDWIRE_SERVE_TOKEN"
"""The environment variable with the token. An option would show it to other users of the machine."""

_MIB = 1 << 20
_IDLE_S = 2.0
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


@click.command()
@click.option("--host", metavar="ADDRESS", default="127.0.0.1", help="The address to listen on.")
@click.option("--port", type=Number(0, 65535), default=8766, help="The port to listen on; 0 for any free one.")
@click.option(
    "--allow-host", "names", metavar="HOST", multiple=True, help="Accept requests for this host name; repeatable."
)
@click.option(
    "--token-file",
    type=FILE,
    help=f"A file with the token that requests have to send, - for standard input; {TOKEN_VARIABLE} sets it too.",
)
@click.option("--max-body-mib", type=COUNT, default=8, help="The largest body of a request, in MiB.")
@click.option("--source-memory-mib", type=COUNT, default=512, help="The memory for kept sources, in MiB.")
@click.option("--max-requests", type=COUNT, default=64, help="The most requests in progress; others are refused.")
@click.option("--deadline", type=COUNT, default=30, help="The most seconds of work on a request.")
def serve(
    *,
    host: str,
    port: int,
    names: tuple[str, ...],
    token_file: str | None,
    max_body_mib: int,
    source_memory_mib: int,
    max_requests: int,
    deadline: int,
) -> None:
    """
    Serve the checks over HTTP, as JSON.

    It listens on this machine only. Any other address needs a token.
    /v1/openapi.json describes the requests.
    """
    try:
        from groundwire.cli.addresses import checked_hosts, listen, url_of
        from groundwire.http_server import server
        from groundwire.http_server.requests import LOOPBACK
        from groundwire.server import ServiceLimits, create_app
    except ImportError as error:
        raise CommandError(
            f"serve needs {error.name}, which is not installed", hint="pip install 'groundwire[review]'"
        ) from None
    host, *others = checked_hosts(host, *names)
    token = _token(token_file)
    if host not in LOOPBACK:
        _check_address(host, token)
    limits = ServiceLimits(
        body_bytes=max_body_mib * _MIB,
        sources_bytes=source_memory_mib * _MIB,
        requests_at_once=max_requests,
        deadline_s=deadline,
    )
    try:
        app = create_app(token=token, hosts=(host, *LOOPBACK, *others), limits=limits)
    except ValueError as error:
        raise CommandError(str(error)) from None
    with listen(host, port) as listening:

        def started() -> None:
            print(f"groundwire: {url_of(host, listening)} (Ctrl-C stops it)", flush=True)

        server.serve(app, listening, started=started)
    _leave_work()


def _leave_work() -> None:
    """End the process if it would wait for work on requests, which cannot be stopped and whose clients are gone."""
    from groundwire.server.service import THREADS

    until = monotonic() + _IDLE_S
    for thread in threading.enumerate():
        if thread.name.startswith(THREADS):
            thread.join(max(0.0, until - monotonic()))
            if thread.is_alive():
                sys.stdout.flush()
                os._exit(PASS)


def _check_address(host: str, token: str | None) -> None:
    """
    Check an address that other machines can reach.

    Raises:
        CommandError: There is no token.
    """
    if token is None:
        raise CommandError(
            f"{host} is reachable from other machines, so a token is required",
            hint=f"set {TOKEN_VARIABLE}, or name a file with --token-file",
        )
    warn(f"{host} is reachable from other machines: put a TLS proxy in front, because the token is sent as it is")


def _token(file: str | None) -> str | None:
    """
    Return the token from the environment or from *file*; None without either.

    Raises:
        CommandError: Both are given, or the file cannot be read or has no token.
    """
    token = os.environ.get(TOKEN_VARIABLE)
    if file is None:
        return token
    if token is not None:
        raise CommandError(f"--token-file and {TOKEN_VARIABLE} are both given; use one of them")
    text = read_text(file).rstrip("\r\n")
    if not text:
        raise CommandError(f"`{display_name(file)}` is empty")
    if file != STDIN and sys.platform != "win32" and Path(file).stat().st_mode & _OTHERS:
        warn(f"other users of this machine may read or change `{file}`; `chmod 600` prevents this")
    return text
