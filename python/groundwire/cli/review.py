"""`groundwire review`: what waits for a person, and what became of it."""

from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from groundwire.cli import FOUND, PASS
from groundwire.cli.options import Database, Output
from groundwire.cli.output import STDOUT, check_target, write_file, write_stdout
from groundwire.cli.problems import CommandError, choose, complain
from groundwire.cli.review_serve import serve
from groundwire.cli.review_token import token
from groundwire.cli.stores import open_store, read_anchor

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from groundwire.review import DecisionOutcome, ReviewQueue

T = TypeVar("T")

review = typer.Typer(rich_markup_mode=None, add_completion=False)

Claim = Annotated[str, typer.Argument(metavar="ID", help="The claim, as `list` names it.")]
Claims = Annotated[list[str], typer.Argument(metavar="ID", help="The claims, as `list` names them.")]
Person = Annotated[str, typer.Option("--as", metavar="NAME", help="Who you are: an owner of claims, or a reviewer.")]
Everybody = Annotated[
    bool, typer.Option("--reviewer", help="You are a reviewer: you see and decide about everybody's claims.")
]
FormatName = Annotated[str, typer.Option("--format", "-f", metavar="text|json", help="Form of what is printed.")]

_LISTED = ("pending", "stored", "rejected", "expired")
# So many entries of the audit are read at a time.
_BATCH = 1_000


@review.callback()
def _review() -> None:
    """Decide about claims that wait for a person."""


review.command("serve")(serve)
review.command("token")(token)


@review.command("list")
def list_claims(
    database: Database,
    *,
    person: Person = "local",
    everybody: Everybody = False,
    state: Annotated[
        str, typer.Option("--state", metavar="|".join(_LISTED), help="What waits, or what became of it.")
    ] = "pending",
    user: Annotated[str | None, typer.Option("--user", metavar="NAME", help="Whose claims.")] = None,
    memory_type: Annotated[str | None, typer.Option("--type", metavar="TYPE", help="Of this type.")] = None,
    source: Annotated[str | None, typer.Option("--source", metavar="SOURCE", help="From this source.")] = None,
    check: Annotated[
        str | None, typer.Option("--check", metavar="NAME", help="That failed this check: hedge_words_detected, ...")
    ] = None,
    assigned_to: Annotated[
        str | None, typer.Option("--assigned-to", metavar="NAME", help="That this person was asked to decide about.")
    ] = None,
    after: Annotated[
        int, typer.Option("--after", metavar="PLACE", help="Only those behind this place: the next page.")
    ] = 0,
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="How many at most.")] = 20,
    report_format: FormatName = "text",
) -> int:
    """List claims, in the order in which they came."""
    from groundwire.cli.review_text import list_json, list_text

    if limit < 1:
        raise CommandError(f"--limit must be at least 1, got {limit}")
    filters: dict[str, Any] = {
        "user_id": user,
        "memory_type": memory_type,
        "source": source,
        "failed_check": check,
        "assigned_to": assigned_to,
    }
    chosen, form = choose("--state", state, _LISTED), choose("--format", report_format, ("text", "json"))

    async def look(queue: "ReviewQueue") -> str:
        from groundwire.review import QueueState

        page = await queue.excerpts(person, state=QueueState(chosen), after=after, limit=limit, **filters)
        counts = await queue.counts(person, **filters)
        is_full = len(page) == limit
        if form == "json":
            return list_json(page, counts, is_full=is_full)
        is_chosen = everybody or any(value is not None for value in filters.values())
        return list_text(page, counts, is_full=is_full, only_of=None if is_chosen else person)

    write_stdout(_with_queue(database, person, everybody, look))
    return PASS


@review.command("show")
def show(
    database: Database,
    claim: Claim,
    *,
    person: Person = "local",
    everybody: Everybody = False,
    report_format: FormatName = "text",
) -> int:
    """Show a claim with its evidence, what the checks said, and what it contradicts."""
    from groundwire.cli.review_text import claim_json, claim_text

    form = choose("--format", report_format, ("text", "json"))

    async def look(queue: "ReviewQueue") -> str:
        pending, conflict = await queue.get_by_id(claim, person), await queue.conflict(claim, person)
        return (claim_json if form == "json" else claim_text)(pending, conflict)

    write_stdout(_with_queue(database, person, everybody, look))
    return PASS


@review.command("approve")
def approve(
    database: Database,
    claims: Claims,
    *,
    person: Person = "local",
    everybody: Everybody = False,
    content: Annotated[
        str | None, typer.Option("--content", metavar="TEXT", help="What the claim shall say instead; for one claim.")
    ] = None,
    confirm_hidden: Annotated[
        bool,
        typer.Option("--confirm-hidden", help="Store the hidden characters that `show` spells out; for one claim."),
    ] = False,
) -> int:
    """Store claims as memories. Exit code 1: at least one was not."""
    if content is None and not confirm_hidden:
        return _told(
            _with_queue(database, person, everybody, lambda queue: queue.approve_many(claims, person)), "stored"
        )
    if len(claims) != 1:
        raise CommandError(f"{'--content' if content is not None else '--confirm-hidden'} is for one claim")

    async def approve_one(queue: "ReviewQueue") -> "list[DecisionOutcome]":
        from groundwire.review import DecisionOutcome

        memory_id = await queue.approve(claims[0], person, content=content, confirm_hidden=confirm_hidden)
        return [DecisionOutcome(claims[0], memory_id)]

    return _told(_with_queue(database, person, everybody, approve_one), "stored")


@review.command("reject")
def reject(
    database: Database,
    claims: Claims,
    *,
    person: Person = "local",
    everybody: Everybody = False,
    reason: Annotated[str | None, typer.Option("--reason", metavar="TEXT", help="Why; kept with the claim.")] = None,
) -> int:
    """Discard claims. Exit code 1: at least one was not."""
    return _told(
        _with_queue(database, person, everybody, lambda queue: queue.reject_many(claims, person, reason)), "rejected"
    )


@review.command("verify-audit")
def verify_audit(
    database: Database,
    *,
    anchor_file: Annotated[
        str | None,
        typer.Option(
            "--anchor",
            metavar="FILE",
            help="What the last verification noted outside of the database: made if it is missing, and advanced.",
        ),
    ] = None,
) -> int:
    """
    Check that nothing was changed behind the queue's back: audits, claims, memories, tokens and the schema.

    Without --anchor FILE an audit that was cut off at its end, together with what
    it says, is not noticed, nor one that was rewritten with the key. Exit code 1:
    something was changed.
    """
    if anchor_file is not None:
        check_target(anchor_file, [database])
    before = None if anchor_file is None else read_anchor(anchor_file)
    try:
        said = _with_queue(database, "", False, lambda queue: queue.verify(before))
    except ValueError as error:
        raise CommandError(f"--anchor: {error}", hint="it was not changed; name the anchor of this database") from None
    if said.anchor is None:
        complain(said.errors, hint="a backup from before it shows what was changed")
        return FOUND
    sequence, link = said.anchor.last["review_audit"]
    write_stdout(f"the audit is whole: {sequence} entries{f', the last is bound by {link}' if sequence else ''}\n")
    if anchor_file is not None:
        write_file(anchor_file, said.anchor.as_json())
        write_stdout(f"the anchor {anchor_file} is {'made' if before is None else 'advanced'}\n")
    return PASS


@review.command("export")
def export(database: Database, *, output: Output = "-") -> int:
    """Write the audit as JSON lines, an entry each. They hold names of people and no text of a claim."""
    import json

    check_target(output, [database])

    async def lines(queue: "ReviewQueue") -> str:
        written, after = [], 0
        while entries := await queue.audit_trail(after=after, limit=_BATCH):
            written += [f"{json.dumps(entry.as_json(), ensure_ascii=False)}\n" for entry in entries]
            after = entries[-1].sequence
        return "".join(written)

    text = _with_queue(database, "", False, lines)
    if output == STDOUT:
        write_stdout(text)
    else:
        write_file(output, text)
    return PASS


def _with_queue(
    database: str, person: str, everybody: bool, work: "Callable[[ReviewQueue], Coroutine[Any, Any, T]]"
) -> T:
    """Return what *work* says of the queue in *database*. Whoever can open it may say that they are a reviewer."""
    import asyncio

    with _open(database, (person,) if everybody else ()) as queue:
        return asyncio.run(work(queue))


@contextmanager
def _open(database: str, reviewers: tuple[str, ...]) -> "Iterator[ReviewQueue]":
    """Give the queue at *database*; raises as `open_store`."""
    from groundwire.review import ReviewQueue

    with open_store(database) as store, ReviewQueue(store=store, reviewers=reviewers) as queue:
        yield queue


def _told(outcomes: "list[DecisionOutcome]", done: str) -> int:
    """Say what became of each claim, and return the exit code."""
    write_stdout("".join(f"{one.queue_id} {done}\n" for one in outcomes if one.error is None))
    problems = [f"{one.queue_id}: {one.error}" for one in outcomes if one.error is not None]
    complain(problems, hint="`groundwire review list` shows what waits")
    return FOUND if problems else PASS
