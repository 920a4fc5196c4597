"""Commands of `groundwire review` for the review page: serve it, and manage its tokens."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from ipaddress import ip_address
from typing import TYPE_CHECKING

import click

from groundwire.cli.app import CommandError, warn
from groundwire.cli.commands import print_error
from groundwire.cli.options import Number, database_argument
from groundwire.cli.output import write_stdout
from groundwire.cli.stores import open_store

if TYPE_CHECKING:
    from groundwire.memory import MemoryStore
    from groundwire.review import ReviewQueue
    from groundwire.review.web import TokenInfo, TrustedProxy


@click.command()
@database_argument
@click.option("--host", metavar="ADDRESS", default="127.0.0.1", help="The address to listen on.")
@click.option("--port", type=Number(0, 65535), default=8765, help="The port to listen on; 0 for any free one.")
@click.option(
    "--allow-host",
    "names",
    metavar="HOST",
    multiple=True,
    help="Accept requests for this host name; repeatable.",
)
@click.option(
    "--trusted-proxy",
    "proxies",
    metavar="ADDRESS",
    multiple=True,
    help="Trust the X-Forwarded headers of this proxy; repeatable.",
)
@click.option("--user-header", metavar="NAME", help="The header in which the trusted proxy names the signed-in user.")
@click.option(
    "--trusted-reviewer",
    "reviewers",
    metavar="NAME",
    multiple=True,
    help="Make this user of the proxy a reviewer; repeatable.",
)
@click.option("--require-distinct-reviewer", is_flag=True, help="Forbid decisions on one's own claims.")
def serve(
    *,
    database: str,
    host: str,
    port: int,
    names: tuple[str, ...],
    proxies: tuple[str, ...],
    user_header: str | None,
    reviewers: tuple[str, ...],
    require_distinct_reviewer: bool,
) -> None:
    """Serve the review page and its API."""
    _check_options(user_header, proxies, reviewers)
    try:
        from groundwire.cli.addresses import checked_hosts, listen, url_of
        from groundwire.http_server import server
        from groundwire.http_server.requests import LOOPBACK
        from groundwire.review.web import TokenAuthenticator, TokenStore, create_app
    except ImportError as error:
        raise CommandError(
            f"the page needs {error.name}, which is not installed", hint="pip install 'groundwire[review]'"
        ) from None
    host, *others = checked_hosts(host, *names)
    with open_store(database) as store:
        proxy = _proxy(proxies, user_header, reviewers)
        if proxy is None and not TokenStore(store).issued():
            warn("there are no tokens yet; `groundwire review token DATABASE --user NAME` creates one")
        with listen(host, port) as listening:
            if host not in LOOPBACK and proxy is None:
                warn(
                    f"{host} is reachable from other machines: put a TLS proxy in front, "
                    "because browsers stay signed in only over TLS"
                )

            def started() -> None:
                print(f"groundwire review: {url_of(host, listening)} (Ctrl-C stops it)", flush=True)

            app = create_app(
                _queue(store, proxy, require_distinct_reviewer=require_distinct_reviewer),
                auth=TokenAuthenticator(TokenStore(store)),
                proxy=proxy,
                hosts=(host, *LOOPBACK, *others),
            )
            server.serve(app, listening, started=started)


def _queue(store: "MemoryStore", proxy: "TrustedProxy | None", *, require_distinct_reviewer: bool) -> "ReviewQueue":
    from groundwire.review import ReviewQueue
    from groundwire.review.web import TokenStore

    reviewers = TokenStore(store).reviewers() | (frozenset() if proxy is None else frozenset(proxy.reviewers))
    try:
        return ReviewQueue(store=store, require_distinct_reviewer=require_distinct_reviewer, reviewers=reviewers)
    except ValueError:
        raise CommandError(
            "--require-distinct-reviewer needs at least one reviewer",
            hint="`groundwire review token DATABASE --user NAME --reviewer` creates a token for one",
        ) from None


def _check_options(user_header: str | None, proxies: Sequence[str], reviewers: Sequence[str]) -> None:
    if user_header is not None and not proxies:
        raise CommandError("--user-header requires --trusted-proxy, because anyone can send a header")
    if reviewers and user_header is None:
        raise CommandError(
            "--trusted-reviewer requires --user-header",
            hint="for people with tokens, use `groundwire review token --reviewer`",
        )


def _proxy(addresses: Sequence[str], user_header: str | None, reviewers: Sequence[str]) -> "TrustedProxy | None":
    from groundwire.review.web import TrustedProxy

    if not addresses:
        return None
    try:
        known = frozenset(str(ip_address(each)) for each in addresses)
    except ValueError:
        raise CommandError("--trusted-proxy must be the IP address from which the proxy connects") from None
    return TrustedProxy(addresses=known, user_header=user_header, reviewers=frozenset(reviewers))


@click.command()
@database_argument
@click.option(
    "--user", metavar="NAME", help="Create a token for this person, who owns the claims of the user of the same name."
)
@click.option(
    "--reviewer", is_flag=True, help="Make the person a reviewer, who sees and decides on the claims of all users."
)
@click.option(
    "--expires-in-days",
    type=float,
    metavar="N",
    help="The number of days until it expires.  [default: it does not expire]",
)
@click.option("--list", "list_all", is_flag=True, help="List all tokens, without their secrets.")
@click.option("--revoke", metavar="ID", help="Revoke this token and end its sessions.")
def token(
    *,
    database: str,
    user: str | None,
    reviewer: bool,
    expires_in_days: float | None,
    list_all: bool,
    revoke: str | None,
) -> None:
    """Create, list or revoke tokens for the review page."""
    if [user is not None, list_all, revoke is not None].count(True) != 1:
        raise CommandError("use exactly one of --user, --list and --revoke")
    if user is None and (reviewer or expires_in_days is not None):
        raise CommandError("--reviewer and --expires-in-days require --user")
    from groundwire.errors import NotFound
    from groundwire.review.web import PrincipalRole, TokenStore

    with open_store(database) as store:
        tokens = TokenStore(store)
        try:
            if user is not None:
                role = PrincipalRole.REVIEWER if reviewer else PrincipalRole.USER
                token_id, made = tokens.issue(
                    user, role, valid_for_s=None if expires_in_days is None else expires_in_days * 86_400
                )
                write_stdout(f"{made}\n")
                print_error(f"token id: {token_id}; the token is not shown again")
            elif revoke is not None:
                tokens.revoke(revoke)
            else:
                write_stdout("".join(_lines(tokens.issued())))
        except NotFound:
            raise CommandError("no token has this id", hint="--list shows the ids") from None
        except ValueError as error:
            raise CommandError(str(error)) from None


def _lines(tokens: Sequence["TokenInfo"]) -> Iterator[str]:
    from groundwire.sanitize import one_line

    for one in tokens:
        end = f"revoked {_day(one.revoked_at)}" if one.revoked_at else f"expires {_day(one.expires_at)}"
        yield f"{one.token_id}  {one.role:<8}  created {_day(one.created_at)}  {end}  {one_line(one.person)}\n"


def _day(time: datetime | None) -> str:
    return "never" if time is None else f"{time:%Y-%m-%d %H:%M}"
