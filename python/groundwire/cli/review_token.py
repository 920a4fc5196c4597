"""`groundwire review token`: who may use the review page."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli.options import Database
from groundwire.cli.output import write_stdout
from groundwire.cli.problems import CommandError
from groundwire.cli.stores import open_store

if TYPE_CHECKING:
    from groundwire.review.web import TokenInfo


def token(
    database: Database,
    *,
    person: Annotated[
        str | None, typer.Option("--person", metavar="NAME", help="Make a token for them: claims go by this name.")
    ] = None,
    reviewer: Annotated[
        bool, typer.Option("--reviewer", help="They may see and decide about everybody's claims.")
    ] = False,
    days: Annotated[
        float | None, typer.Option("--days", metavar="N", help="How long it is good.  [default: until it is revoked]")
    ] = None,
    list_all: Annotated[bool, typer.Option("--list", help="List what was made, without the tokens.")] = False,
    revoke: Annotated[
        str | None, typer.Option("--revoke", metavar="ID", help="End this one, and who signed in with it.")
    ] = None,
) -> None:
    """Make, list or revoke tokens for the review page."""
    if [person is not None, list_all, revoke is not None].count(True) != 1:
        raise CommandError("give one of --person, --list and --revoke")
    if person is None and (reviewer or days is not None):
        raise CommandError("--reviewer and --days belong to --person")
    from groundwire.errors import NotFound
    from groundwire.review.web import PrincipalRole, TokenStore

    with open_store(database) as store:
        tokens = TokenStore(store)
        try:
            if person is not None:
                role = PrincipalRole.REVIEWER if reviewer else PrincipalRole.USER
                token_id, made = tokens.issue(person, role, valid_for_s=None if days is None else days * 86_400)
                write_stdout(f"{made}\n")
                typer.echo(f"its id is {token_id}; it is not shown again", err=True)
            elif revoke is not None:
                tokens.revoke(revoke)
            else:
                write_stdout("".join(_lines(tokens.issued())))
        except NotFound:
            raise CommandError("there is no token of this id", hint="--list has them") from None
        except ValueError as error:
            raise CommandError(str(error)) from None


def _lines(tokens: Sequence["TokenInfo"]) -> Iterator[str]:
    from groundwire.sanitize import one_line

    for one in tokens:
        end = f"revoked {_day(one.revoked_at)}" if one.revoked_at else f"until {_day(one.expires_at)}"
        yield f"{one.token_id}  {one.role:<8}  made {_day(one.created_at)}  {end}  {one_line(one.person)}\n"


def _day(time: datetime | None) -> str:
    return "it is revoked" if time is None else f"{time:%Y-%m-%d %H:%M}"
