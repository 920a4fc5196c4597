"""Commands of `groundwire review` for the queue: lists, single claims, decisions and the audit log."""

import json
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar

import click

from groundwire.cli.app import CommandError, report_errors, value_errors
from groundwire.cli.commands import FOUND, PASS
from groundwire.cli.options import (
    FILE,
    Choice,
    Number,
    database_argument,
    format_option,
    limit_option,
    output_option,
    person_option,
    type_filter_option,
    user_filter_option,
)
from groundwire.cli.output import check_outputs, check_target, publish_text, write_file, write_stdout
from groundwire.cli.stores import open_store, read_anchor
from groundwire.labels import plural
from groundwire.report.terminal import aligned
from groundwire.sanitize import one_line, sanitize

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence

    from groundwire.review import ClaimConflict, ClaimExcerpt, DecisionOutcome, PendingMemory, QueueState, ReviewQueue

T = TypeVar("T")

# The number of audit entries per read.
_ENTRIES_PER_READ = 1_000
_WIDTH = 80
_SIGNS = {"same": "  ", "removed": "- ", "added": "+ "}

_claims_argument = click.argument(
    "claims", metavar="ID...", nargs=-1, required=True, help="The ids of the claims; `list` shows them."
)
_reviewer_option = click.option(
    "--reviewer",
    "is_reviewer",
    is_flag=True,
    help="Act as a reviewer, who sees and decides on the claims of all users.",
)


@click.command("list")
@database_argument
@person_option
@_reviewer_option
@click.option(
    "--state",
    type=Choice(("pending", "stored", "rejected", "expired")),
    default="pending",
    help="Restrict to one state.",
)
@user_filter_option
@type_filter_option
@click.option("--source", metavar="NAME", help="Restrict to one source.")
@click.option(
    "--failed-check", metavar="NAME", help="Restrict to claims that failed this check, such as hedge_words_detected."
)
@click.option("--assigned-to", metavar="NAME", help="Restrict to claims assigned to this person.")
@click.option(
    "--cursor", type=Number(0, metavar="PLACE"), default=0, help="Continue after this position, for the next page."
)
@limit_option
@format_option("text", "json")
def list_claims(
    *,
    database: str,
    person: str,
    is_reviewer: bool,
    state: str,
    user: str | None,
    memory_type: str | None,
    source: str | None,
    failed_check: str | None,
    assigned_to: str | None,
    cursor: int,
    limit: int,
    report_format: str,
) -> int:
    """List claims in the order of submission."""
    filters: dict[str, Any] = {
        "user_id": user,
        "memory_type": memory_type,
        "source": source,
        "failed_check": failed_check,
        "assigned_to": assigned_to,
    }

    async def look(queue: "ReviewQueue") -> str:
        from groundwire.review import QueueState

        page = await queue.excerpts(person, state=QueueState(state), after=cursor, limit=limit, **filters)
        counts = await queue.counts(person, **filters)
        is_full = len(page) == limit
        if report_format == "json":
            return list_json(page, counts, is_full=is_full)
        is_chosen = is_reviewer or any(value is not None for value in filters.values())
        return list_text(page, counts, is_full=is_full, only_of=None if is_chosen else person)

    write_stdout(_with_queue(database, person, is_reviewer, look))
    return PASS


@click.command()
@database_argument
@click.argument("claim", metavar="ID", help="The id of the claim; `list` shows it.")
@person_option
@_reviewer_option
@format_option("text", "json")
def show(*, database: str, claim: str, person: str, is_reviewer: bool, report_format: str) -> int:
    """
    Show a claim with its evidence and the memory it contradicts.

    Its failed checks are listed as well.
    """

    async def look(queue: "ReviewQueue") -> str:
        pending, conflict = await queue.get_by_id(claim, person), await queue.conflict(claim, person)
        return (claim_json if report_format == "json" else claim_text)(pending, conflict)

    write_stdout(_with_queue(database, person, is_reviewer, look))
    return PASS


@click.command()
@database_argument
@_claims_argument
@person_option
@_reviewer_option
@click.option("--edited-text", metavar="TEXT", help="Replace the text of the claim; only for a single claim.")
@click.option(
    "--confirm-hidden", is_flag=True, help="Store the hidden characters that `show` displays; only for a single claim."
)
def approve(
    *,
    database: str,
    claims: tuple[str, ...],
    person: str,
    is_reviewer: bool,
    edited_text: str | None,
    confirm_hidden: bool,
) -> int:
    """Store claims as memories. Exit code 1: at least one was not stored."""
    if edited_text is None and not confirm_hidden:
        return _exit_code(
            _with_queue(database, person, is_reviewer, lambda queue: queue.approve_many(claims, person)), "stored"
        )
    if len(claims) != 1:
        raise CommandError(f"{'--edited-text' if edited_text is not None else '--confirm-hidden'} needs a single claim")

    async def approve_one(queue: "ReviewQueue") -> "list[DecisionOutcome]":
        from groundwire.review import DecisionOutcome

        memory_id = await queue.approve(claims[0], person, content=edited_text, confirm_hidden=confirm_hidden)
        return [DecisionOutcome(claims[0], memory_id)]

    return _exit_code(_with_queue(database, person, is_reviewer, approve_one), "stored")


@click.command()
@database_argument
@_claims_argument
@person_option
@_reviewer_option
@click.option("--reason", metavar="TEXT", help="The reason, stored with the claim.")
def reject(*, database: str, claims: tuple[str, ...], person: str, is_reviewer: bool, reason: str | None) -> int:
    """Discard claims. Exit code 1: at least one was not discarded."""
    return _exit_code(
        _with_queue(database, person, is_reviewer, lambda queue: queue.reject_many(claims, person, reason)), "rejected"
    )


@click.command("verify-audit")
@database_argument
@click.option(
    "--anchor",
    "anchor_file",
    type=FILE,
    help="A file outside the database with the state of the last verification; created if missing, else updated.",
)
def verify_audit(*, database: str, anchor_file: str | None) -> int:
    """
    Check that only groundwire changed the audit logs.

    Claims, memories, tokens and the schema are checked as well.

    Without --anchor FILE, two changes go unnoticed: an end that was removed from an
    audit log together with its effects, and an audit log rewritten with the key.

    Exit code 0: no unauthorised change. 1: at least one. 2: usage or input error.
    """
    if anchor_file is not None:
        check_target(anchor_file, [database])
    before = None if anchor_file is None else read_anchor(anchor_file)
    with _open(database) as queue:
        try:
            result = _run(queue.verify(before))
        except ValueError as error:
            raise CommandError(
                f"--anchor: {error}", hint="the file was not changed; use the anchor of this database"
            ) from None
    if result.anchor is None:
        report_errors(result.errors, hint="compare with an earlier backup to see the changes")
        return FOUND
    sequence, link = result.anchor.last["review_audit"]
    write_stdout(
        f"the audit log is intact: {plural(sequence, 'entry', 'entries')}{f'; last hash {link}' if sequence else ''}\n"
    )
    if anchor_file is not None:
        write_file(anchor_file, result.anchor.as_json())
        write_stdout(f"anchor {anchor_file} {'created' if before is None else 'updated'}\n")
    return PASS


@click.command()
@database_argument
@output_option(help="Also write the results to this file; repeatable.")
def export(*, database: str, outputs: tuple[str, ...]) -> int:
    """
    Print the audit log as JSON lines.

    Entries contain names of people, but no text of claims.
    """
    check_outputs(outputs, [database])

    async def lines(queue: "ReviewQueue") -> str:
        written, after = [], 0
        while entries := await queue.audit_trail(after=after, limit=_ENTRIES_PER_READ):
            written += [f"{json.dumps(entry.as_json(), ensure_ascii=False)}\n" for entry in entries]
            after = entries[-1].sequence
        return "".join(written)

    text = _with_queue(database, "", False, lines)
    publish_text(lambda _: text, "jsonl", outputs)
    return PASS


def _with_queue(
    database: str, person: str, is_reviewer: bool, work: "Callable[[ReviewQueue], Coroutine[Any, Any, T]]"
) -> T:
    """
    Return the result of *work* on the queue in *database*. Whoever can open it may act as a reviewer.

    Raises:
        CommandError: As `open_store`, or the queue refuses a value.
    """
    with _open(database, (person,) if is_reviewer else ()) as queue, value_errors():
        return _run(work(queue))


def _run(work: "Coroutine[Any, Any, T]") -> T:
    import asyncio

    return asyncio.run(work)


@contextmanager
def _open(database: str, reviewers: tuple[str, ...] = ()) -> "Iterator[ReviewQueue]":
    """Yield the queue at *database*; raise as `open_store`."""
    from groundwire.review import ReviewQueue

    with open_store(database) as store, ReviewQueue(store=store, reviewers=reviewers) as queue:
        yield queue


def _exit_code(outcomes: "list[DecisionOutcome]", done: str) -> int:
    """Print the outcome of each claim, and return the exit code."""
    write_stdout("".join(f"{one.queue_id} {done}\n" for one in outcomes if one.error is None))
    problems = [f"{one.queue_id}: {one.error}" for one in outcomes if one.error is not None]
    report_errors(problems, hint="`groundwire review list` shows the pending claims")
    return FOUND if problems else PASS


def list_text(
    page: "Sequence[ClaimExcerpt]", counts: "Mapping[QueueState, int]", *, is_full: bool, only_of: str | None
) -> str:
    """Return the counts, one line for each claim, and a hint on the next page or on other people's claims."""
    from groundwire.review import COUNT_MAX

    totals = [f"{count}{'+' if count == COUNT_MAX else ''} {state}" for state, count in counts.items()]
    rows: list[tuple[str, ...]] = [
        (
            one.queue_id,
            f"{one.submitted_at:%Y-%m-%d %H:%M}",
            one_line(one.user_id, limit=24),
            one.memory_type,
            one.source,
            one_line(one.excerpt, limit=_WIDTH),
        )
        for one in page
    ]
    lines = [", ".join(totals) or "no claims that you can see", *aligned(rows)]
    if is_full:
        lines.append(f"next page: --cursor {page[-1].place}")
    if only_of is not None and not any(counts.values()):
        lines.append(
            f"showing only claims of {one_line(only_of)}; use --as NAME for another user, or --reviewer for all users"
        )
    return "".join(f"{line}\n" for line in lines)


def list_json(page: "Sequence[ClaimExcerpt]", counts: "Mapping[QueueState, int]", *, is_full: bool) -> str:
    """Return a page as JSON, with long claims shortened; `next` is the value for `--cursor`, or null."""
    page_of_claims = {
        "counts": {str(state): count for state, count in counts.items()},
        "claims": [asdict(one) for one in page],
        "next": page[-1].place if is_full else None,
    }
    return _json(page_of_claims)


def claim_text(pending: "PendingMemory", conflict: "ClaimConflict | None") -> str:
    """Return a claim and the facts about it, one per line."""
    rows: list[tuple[str, ...]] = [(name, one_line(value)) for name, value in _facts(pending) if value]
    lines = [sanitize(pending.content), "", *aligned(rows)]
    if conflict is not None:
        lines += ["", f"compared with {conflict.memory_id}:"]
        lines += [f"{_SIGNS[part.kind]}{one_line(part.words)}" for part in conflict.parts]
    return "".join(f"{line}\n" for line in lines)


def claim_json(pending: "PendingMemory", conflict: "ClaimConflict | None") -> str:
    """Return a claim as JSON."""
    compared = (
        None if conflict is None else {**conflict._asdict(), "parts": [part._asdict() for part in conflict.parts]}
    )
    return _json({**asdict(pending), "conflict": compared})


def _facts(pending: "PendingMemory") -> "Iterator[tuple[str, str]]":
    """Yield the facts about a claim, each with its label."""
    yield "id", pending.queue_id
    yield "state", pending.state
    yield "user", pending.user_id
    yield "type", pending.memory_type
    yield "source", pending.source
    yield "submitted", f"{pending.submitted_at:%Y-%m-%d %H:%M:%S} UTC"
    yield "expires", "" if pending.expires_at is None else f"{pending.expires_at:%Y-%m-%d %H:%M:%S} UTC"
    yield "why", pending.reason
    for name, checks in (("passed", pending.checks_passed), ("failed", pending.checks_failed)):
        yield from ((name, check) for check in checks)
    for cue in pending.hedges:
        yield "hedge", f"{cue.text} ({cue.category})"
    for cited in pending.citations:
        yield "cites", f"{cited.name}: {cited.status}, {cited.reason}"
    yield "confidence", pending.evidence.confidence.value
    yield from (("derived from", parent) for parent in pending.evidence.parents)
    yield "assigned to", pending.assigned_to or ""
    yield "original text", pending.original_content or ""
    yield "failure", pending.failure or ""
    yield "decided", "" if pending.decided_at is None else f"{pending.decided_at:%Y-%m-%d %H:%M:%S} UTC"
    yield "by", pending.reviewer or ""
    yield "reason", pending.decision_reason or ""
    yield "memory", pending.memory_id or ""


def _json(value: object) -> str:
    return f"{json.dumps(value, indent=2, ensure_ascii=False, default=_plain)}\n"


def _plain(value: object) -> object:
    """Return a value that JSON does not have in a form that it has."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    raise TypeError(f"{type(value).__name__} has no form in JSON")
