"""`groundwire review serve`: the review page, until it is told to stop."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli.options import Database
from groundwire.cli.problems import CommandError, warn
from groundwire.cli.stores import open_store

if TYPE_CHECKING:
    import socket

    from groundwire.memory import MemoryStore
    from groundwire.review import ReviewQueue
    from groundwire.review.web import TrustedProxy


def serve(
    database: Database,
    *,
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Listen there.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="N", help="On this port; 0 for any that is free.")] = 8765,
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", metavar="NAME", help="By what name browsers reach the page; may be given again."),
    ] = None,
    trust_proxy: Annotated[
        list[str] | None,
        typer.Option("--trust-proxy", metavar="ADDRESS", help="Believe the X-Forwarded headers of this proxy."),
    ] = None,
    user_header: Annotated[
        str | None,
        typer.Option("--user-header", metavar="NAME", help="Believe that proxy who has signed in, by this header."),
    ] = None,
    reviewer: Annotated[
        list[str] | None,
        typer.Option("--reviewer", metavar="NAME", help="Somebody the proxy names is a reviewer; may be given again."),
    ] = None,
    distinct_reviewer: Annotated[
        bool, typer.Option("--distinct-reviewer", help="Nobody decides about their own claims.")
    ] = False,
) -> None:
    """Serve the review page and its API."""
    _check_options(port, user_header, trust_proxy or (), reviewer or ())
    try:
        from groundwire.review.web import TokenAuthenticator, TokenStore, create_app, server
        from groundwire.review.web.hosts import LOOPBACK
    except ImportError as error:
        raise CommandError(
            f"the page needs {error.name}, which is not installed", hint="pip install 'groundwire[review]'"
        ) from None
    host, *others = _hosts(host, *(allow_host or ()))
    with open_store(database) as store:
        proxy = _proxy(trust_proxy or (), user_header, reviewer or ())
        if proxy is None and not TokenStore(store).issued():
            warn("nobody has a token yet: `groundwire review token DATABASE --person NAME` makes one")
        with _bind(host, port) as listening:
            port = listening.getsockname()[1]
            name = f"[{host}]" if ":" in host else host
            if host not in LOOPBACK and proxy is None:
                warn(
                    f"{host} is reachable from other machines: put a proxy with TLS in front, "
                    "or browsers keep nobody signed in"
                )

            def started() -> None:
                print(f"groundwire review: http://{name}:{port}/ (Ctrl-C stops it)", flush=True)

            app = create_app(
                _queue(store, proxy, distinct_reviewer=distinct_reviewer),
                auth=TokenAuthenticator(TokenStore(store)),
                proxy=proxy,
                hosts=(host, *LOOPBACK, *others),
            )
            server.serve(app, listening, started=started)


def _queue(store: "MemoryStore", proxy: "TrustedProxy | None", *, distinct_reviewer: bool) -> "ReviewQueue":
    from groundwire.review import ReviewQueue
    from groundwire.review.web import TokenStore

    reviewers = TokenStore(store).reviewers() | (frozenset() if proxy is None else frozenset(proxy.reviewers))
    try:
        return ReviewQueue(store=store, require_distinct_reviewer=distinct_reviewer, reviewers=reviewers)
    except ValueError:
        raise CommandError("--distinct-reviewer needs a reviewer, or nobody could decide") from None


def _check_options(port: int, user_header: str | None, proxies: Sequence[str], reviewers: Sequence[str]) -> None:
    if not 0 <= port <= 65535:
        raise CommandError(f"--port must be 0 to 65535, got {port}")
    if user_header is not None and not proxies:
        raise CommandError("--user-header needs --trust-proxy: anybody can send a header")
    if reviewers and user_header is None:
        raise CommandError(
            "--reviewer needs --user-header", hint="of people with tokens, `groundwire review token --reviewer` tells"
        )


def _hosts(listening: str, *others: str) -> list[str]:
    """Return *listening* as the page spells it, and *others*, all of them checked."""
    from groundwire.review.web.hosts import HostNames, normalize_host

    try:
        host = normalize_host(listening)
    except ValueError as error:
        raise CommandError(f"--host: {error}") from None
    try:
        HostNames(others)
    except ValueError as error:
        raise CommandError(f"--allow-host: {error}") from None
    return [host, *others]


def _proxy(addresses: Sequence[str], user_header: str | None, reviewers: Sequence[str]) -> "TrustedProxy | None":
    from groundwire.review.web import TrustedProxy

    if not addresses:
        return None
    return TrustedProxy(addresses=frozenset(addresses), user_header=user_header, reviewers=frozenset(reviewers))


def _bind(host: str, port: int) -> "socket.socket":
    from groundwire.review.web.server import bind

    try:
        return bind(host, port)
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise CommandError(f"cannot listen on {host} port {port}: {reason}", hint="--port 0 takes any") from None
