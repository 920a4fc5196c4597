"""`groundwire memory`: lists memories with their evidence, and sends them back to review if a source is wrong."""

import json
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

import click

from groundwire.cli.app import CommandError, CommandGroup, value_errors
from groundwire.cli.commands import FOUND, PASS
from groundwire.cli.options import (
    DATABASE,
    Choice,
    format_option,
    limit_option,
    output_option,
    person_option,
    type_filter_option,
    user_filter_option,
)
from groundwire.cli.output import check_outputs, publish_pieces, write_stdout
from groundwire.cli.stores import open_store
from groundwire.labels import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundwire.memory import AuditEvent, MemoryStatus, MemoryStore, Revocation, StoredMemory
    from groundwire.memory.export import ExportFormat

_WIDTH = 80

_database_option = click.option(
    "--database", type=DATABASE, required=True, help="The memory: an SQLite file, sqlite:///… or postgresql://…"
)
_status_option = click.option(
    "--status", type=Choice(("active", "review", "all")), default="all", help="Restrict to one status."
)
_cites_option = click.option(
    "--cites", metavar="SOURCE", help="Restrict to memories that cite this source, in any spelling, such as adr-3."
)
_id_argument = click.argument("memory_id", metavar="ID", help="The id of the memory; `list` shows it.")


@click.group(cls=CommandGroup)
def memory() -> None:
    """List, show and revoke memories."""


@memory.command("list")
@_database_option
@user_filter_option
@_status_option
@_cites_option
@type_filter_option
@click.option("--cursor", metavar="ID", help="Continue after this memory, for the next page.")
@limit_option
@format_option("text", "json")
def list_memories(
    *,
    database: str,
    user: str | None,
    status: Literal["active", "review", "all"],
    cites: str | None,
    memory_type: str | None,
    cursor: str | None,
    limit: int,
    report_format: str,
) -> int:
    """List memories in the order of storage."""
    with _open(database) as store:
        page = store.find(
            user,
            status=_known(status),
            source_id=_source(cites),
            memory_type=memory_type,
            after=cursor,
            limit=limit + 1,
        )
    following = page[limit - 1].id if len(page) > limit else None
    write_stdout((_list_json if report_format == "json" else _list_text)(page[:limit], following))
    return PASS


@memory.command()
@_id_argument
@_database_option
@user_filter_option
@format_option("text", "json")
def show(*, memory_id: str, database: str, user: str | None, report_format: str) -> int:
    """Show a memory with its evidence, sources, status and audit."""
    with _open(database) as store:
        found, audit = _get(store, memory_id, user), store.audit(memory_id)
    write_stdout((_memory_json if report_format == "json" else _memory_text)(found, audit))
    return PASS


@memory.command()
@click.argument("source", metavar="SOURCE", help="The source, in any spelling, such as adr-3, a commit id or a URL.")
@_database_option
@click.option(
    "--reason",
    metavar="LABEL",
    default="source_refuted",
    help="The reason, for the audit log: one word without spaces.",
)
@person_option
@format_option("text", "json")
def revoke(*, source: str, database: str, reason: str, person: str, report_format: str) -> int:
    """
    Send all memories that rest on a source back to review.

    Exit code 0: memories went back to review, or are already in review. 1: no memory
    rests on the source. 2: usage or input error.
    """
    wanted = _source(source) or ""
    with _open(database) as store:
        revocation = store.revoke_source(wanted, time=datetime.now(UTC), reason=reason, actor=person)
        if report_format == "json":
            write_stdout(_revocation_json(revocation))
        else:
            write_stdout(_revocation_text(revocation, [store.get(each, None) for each in revocation]))
    return PASS if revocation or revocation.already_in_review else FOUND


@memory.command()
@click.argument(
    "memory_id", metavar="[ID]", required=False, help="The memory to send back; without it, list those in review."
)
@_database_option
@click.option(
    "--reason", metavar="LABEL", default="requested", help="The reason, for the audit log: one word without spaces."
)
@person_option
@user_filter_option
@click.option("--cursor", metavar="ID", help="Continue after this memory, for the next page.")
@limit_option
@format_option("text", "json")
def review(
    *,
    memory_id: str | None,
    database: str,
    reason: str,
    person: str,
    user: str | None,
    cursor: str | None,
    limit: int,
    report_format: str,
) -> int:
    """
    List the memories in review, or send one memory back to review.

    `groundwire review approve` and `reject` decide on them. Exit code 1: the memory
    is already in review.
    """
    with _open(database) as store:
        if memory_id is None:
            write_stdout(_in_review(store, user, cursor, limit, report_format))
            return PASS
        owner = _get(store, memory_id, user).user_id
        is_sent = store.send_to_review(memory_id, owner, time=datetime.now(UTC), reason=reason, actor=person)
    if report_format == "json":
        write_stdout(_json({"memory": memory_id, "status": "sent_to_review" if is_sent else "already_in_review"}))
    else:
        write_stdout(f"{memory_id} {'sent to review' if is_sent else 'is already in review'}\n")
    return PASS if is_sent else FOUND


@memory.command()
@_database_option
@user_filter_option
@_status_option
@_cites_option
@type_filter_option
@format_option("jsonl", "csv", default="jsonl")
@output_option()
def export(
    *,
    database: str,
    user: str | None,
    status: Literal["active", "review", "all"],
    cites: str | None,
    memory_type: str | None,
    report_format: "ExportFormat",
    outputs: tuple[str, ...],
) -> int:
    """
    Print memories with evidence, sources, hashes and audit.

    JSON lines keep each text as it is. CSV puts an apostrophe before a text that a
    spreadsheet would run as a formula.
    """
    from groundwire.memory.export import export_text

    check_outputs(outputs, [database], ("jsonl", "csv"))
    source = _source(cites)
    with _open(database) as store:

        def pieces(chosen: str) -> "Iterator[str]":
            # The suffixes of outputs are checked above.
            file_format: ExportFormat = "csv" if chosen == "csv" else "jsonl"
            return export_text(
                store, file_format, user, status=_known(status), memory_type=memory_type, source_id=source
            )

        publish_pieces(pieces, report_format, outputs)
    return PASS


def _known(status: Literal["active", "review", "all"]) -> "MemoryStatus | None":
    """Return the status of an option; None for all."""
    from groundwire.memory import MemoryStatus

    return None if status == "all" else MemoryStatus(status)


def _in_review(store: "MemoryStore", user: str | None, cursor: str | None, limit: int, report_format: str) -> str:
    """Return a page of the memories in review, each with the event that sent it there."""
    with store.snapshot():
        page = store.find(user, status=_known("review"), after=cursor, limit=limit + 1)
        sent = [_sent_event(store.audit(each.id)) for each in page[:limit]]
    following = page[limit - 1].id if len(page) > limit else None
    if report_format == "json":
        from groundwire.memory.export import memory_fields

        rows = [{**memory_fields(each), "sent": _event(event)} for each, event in zip(page, sent, strict=False)]
        return _json({"memories": rows, "next": following})
    return _review_text(page[:limit], sent, following)


@contextmanager
def _open(database: str) -> "Iterator[MemoryStore]":
    """
    Yield the store at *database*, and close it at the end.

    Raises:
        CommandError: As `open_store`, with the name of the option; or the store refuses a value.
        MemoryStoreError: As `open_store`.
    """
    try:
        opened = open_store(database)
    except CommandError as error:
        raise CommandError(f"--database: {error}", hint=error.hint) from None
    with opened as store, value_errors():
        yield store


def _get(store: "MemoryStore", memory_id: str, user: str | None) -> "StoredMemory":
    """
    Return one memory.

    Raises:
        CommandError: No memory has this id.
    """
    from groundwire.errors import MemoryNotFoundError

    try:
        return store.get(memory_id, user)
    except (MemoryNotFoundError, ValueError):
        raise CommandError("no memory has this id", hint="`groundwire memory list` shows the ids") from None


def _source(text: str | None) -> str | None:
    """
    Return *text* as a source.

    Raises:
        CommandError: It is empty, or has characters that no source may have.
    """
    from groundwire.memory.records import check_text

    try:
        if text is not None:
            check_text(text.strip(), "the source")
    except ValueError as error:
        raise CommandError(str(error)) from None
    return text


def _list_text(page: "Sequence[StoredMemory]", following: str | None) -> str:
    """Return one line for each memory, and the cursor of the next page."""
    from groundwire.report.terminal import aligned
    from groundwire.sanitize import one_line

    rows: list[tuple[str, ...]] = [
        (
            each.id,
            each.status.value,
            one_line(each.user_id, limit=24),
            each.memory_type,
            each.confidence,
            one_line(", ".join(each.source_ids), limit=40),
            one_line(each.content, limit=_WIDTH),
        )
        for each in page
    ]
    lines = aligned(rows) or ["no memories"]
    if following is not None:
        lines.append(f"next page: --cursor {following}")
    return "".join(f"{line}\n" for line in lines)


def _review_text(page: "Sequence[StoredMemory]", sent: "Sequence[AuditEvent | None]", following: str | None) -> str:
    """Return one line for each memory in review, and the commands that decide."""
    from groundwire.report.terminal import aligned
    from groundwire.sanitize import one_line

    rows: list[tuple[str, ...]] = [
        (
            each.id,
            one_line(each.user_id, limit=24),
            "" if event is None else _moment(event.time),
            "" if event is None else event.reason or "",
            one_line(", ".join(each.source_ids), limit=40),
            one_line(each.content, limit=_WIDTH),
        )
        for each, event in zip(page, sent, strict=True)
    ]
    lines = aligned(rows) or ["no memories in review"]
    if following is not None:
        lines.append(f"next page: --cursor {following}")
    if rows:
        lines.append("decide: groundwire review list DATABASE, then groundwire review approve|reject DATABASE ID")
    return "".join(f"{line}\n" for line in lines)


def _sent_event(audit: "Sequence[AuditEvent]") -> "AuditEvent | None":
    """Return the last event that sent a memory to review; None for one that was stored there."""
    return next((event for event in reversed(audit) if event.action == "sent_to_review"), None)


def _event(event: "AuditEvent | None") -> dict[str, Any] | None:
    if event is None:
        return None
    return {"time": event.time.isoformat(), "action": event.action, "reason": event.reason, "actor": event.actor}


def _list_json(page: "Sequence[StoredMemory]", following: str | None) -> str:
    """Return a page as JSON; `next` is the value for `--cursor`, or null."""
    from groundwire.memory.export import memory_fields

    return _json({"memories": [memory_fields(each) for each in page], "next": following})


def _memory_text(found: "StoredMemory", audit: "Sequence[AuditEvent]") -> str:
    """Return a memory, its evidence and its audit entries as text, one fact per line."""
    from groundwire.memory import source_identity
    from groundwire.report.terminal import aligned
    from groundwire.sanitize import one_line, sanitize

    horizon = found.validity_horizon
    facts = [
        ("id", found.id),
        ("status", found.status.value),
        ("user", found.user_id),
        ("type", found.memory_type),
        ("from", found.source),
        ("confidence", found.confidence),
        ("captured", _moment(found.capture_time)),
        ("valid until", "" if horizon is None else _moment(horizon)),
        *(("rests on", source_identity(each)) for each in found.source_ids),
        *(("derived from", parent) for parent in found.parents),
        ("metadata", json.dumps(dict(found.metadata), ensure_ascii=False) if found.metadata else ""),
        *(
            (
                _moment(entry.time),
                " ".join(filter(None, (entry.action.value, entry.reason, entry.actor and f"by {entry.actor}"))),
            )
            for entry in audit
        ),
    ]
    rows: list[tuple[str, ...]] = [(name, one_line(value)) for name, value in facts if value]
    return "".join(f"{line}\n" for line in [sanitize(found.content), "", *aligned(rows)])


def _memory_json(found: "StoredMemory", audit: "Sequence[AuditEvent]") -> str:
    """Return it as JSON."""
    from groundwire.memory.export import memory_fields

    return _json({**memory_fields(found), "audit": [_event(entry) for entry in audit]})


def _revocation_text(revocation: "Revocation", memories: "Sequence[StoredMemory]") -> str:
    """Return the memories that went back to review, one per line, or a line that says none did."""
    from groundwire.report.terminal import aligned
    from groundwire.sanitize import one_line

    name, already = one_line(revocation.source, limit=_WIDTH), revocation.already_in_review
    if not revocation and not already:
        return f"{name}: no memory rests on this source\n"
    lines = []
    if memories:
        lines.append(f"{name}: {_count(len(memories))} sent back to review")
        rows: list[tuple[str, ...]] = [(each.id, one_line(each.content, limit=_WIDTH)) for each in memories]
        lines += aligned(rows)
    if already:
        lines.append(f"{name}: {_count(len(already))} already in review: {', '.join(already)}")
    return "".join(f"{line}\n" for line in lines)


def _revocation_json(revocation: "Revocation") -> str:
    """Return it as JSON."""
    return _json(
        {
            "source": revocation.source,
            "status": revocation.status,
            "memories": list(revocation),
            "already_in_review": list(revocation.already_in_review),
        }
    )


def _count(memories: int) -> str:
    return plural(memories, "memory", "memories")


def _moment(time: datetime) -> str:
    return f"{time:%Y-%m-%d %H:%M:%S} UTC"


def _json(value: dict[str, object]) -> str:
    from groundwire.memory.export import EXPORT_VERSION

    return f"{json.dumps({'schema_version': EXPORT_VERSION, **value}, indent=2, ensure_ascii=False)}\n"
