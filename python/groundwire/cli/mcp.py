"""`groundwire mcp`: serves the checks to agents over the Model Context Protocol."""

from contextlib import ExitStack

import click

from groundwire.cli.app import CommandError
from groundwire.cli.commands import PASS
from groundwire.cli.options import COUNT, DATABASE, FOLDER


@click.command()
@click.option("--root", "roots", type=FOLDER, multiple=True, required=True, help="A folder with sources; repeatable.")
@click.option("--database", type=DATABASE, help="The memory that the agent may offer facts to, with its review queue.")
@click.option("--http", "address", metavar="[HOST:]PORT", help="Serve over HTTP; without it, over standard input.")
@click.option("--max-file-bytes", type=COUNT, help="The maximum size of a source.  [default: 33554432]")
def mcp(*, roots: tuple[str, ...], database: str | None, address: str | None, max_file_bytes: int | None) -> int:
    """
    Serve the checks to an agent (Model Context Protocol).

    The agent can check quotes and answers against the files below --root,
    and nothing else. With --database, it can offer facts to memory.
    """
    try:
        from groundwire.mcp.server import MAX_FILE_BYTES, create_server
    except ImportError as error:
        raise CommandError(
            f"mcp needs a library that is not installed: {error.name}", hint="pip install 'groundwire[mcp]'"
        ) from None
    host, port = ("", 0) if address is None else _address(address)
    with ExitStack() as stack:
        store = queue = None
        if database is not None:
            from groundwire.cli.stores import open_or_create_store
            from groundwire.review import ReviewQueue

            store = stack.enter_context(open_or_create_store(database))
            queue = stack.enter_context(ReviewQueue(store=store))
        try:
            server = create_server(roots, store=store, queue=queue, max_file_bytes=max_file_bytes or MAX_FILE_BYTES)
        except (ValueError, OSError) as error:
            raise CommandError(f"--root: {error}") from None
        if address is None:
            server.run()
            return PASS
        try:
            server.run("streamable-http", host=host, port=port)
        except SystemExit:
            # The server has logged the reason.
            raise CommandError(f"cannot listen on {host} port {port}", hint="use another port") from None
    return PASS


def _address(text: str) -> tuple[str, int]:
    """Return the host and the port of an address; the host is this machine unless one is given."""
    host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdecimal() and len(port) <= 5 and 0 < int(port) < 65_536):
        raise CommandError("--http must be a port, or a host and a port, such as 8000 or 0.0.0.0:8000")
    return host.strip("[]") or "127.0.0.1", int(port)
