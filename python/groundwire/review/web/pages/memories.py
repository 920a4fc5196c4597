"""Shows memories: the list, and one memory with its evidence and audit; revokes sources; and exports."""

from asyncio import to_thread
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from starlette.responses import Response, StreamingResponse

from groundwire.errors import MemoryNotFoundError
from groundwire.http_server.responses import HttpProblem
from groundwire.memory import MemoryStatus, MemoryStore, StoredMemory, export_text, source_identity
from groundwire.memory.identity import source_identities
from groundwire.memory.records import Textless
from groundwire.review.items import EXCERPT_CHARS
from groundwire.review.web.auth import check_form
from groundwire.review.web.context import RequestContext, id_in_path
from groundwire.review.web.pages.layout import show
from groundwire.review.web.requests import check_field, read_form
from groundwire.review.web.view_models import MEMORY_STATUSES, metadata_text

if TYPE_CHECKING:
    from groundwire.memory.export import ExportFormat

__all__ = ["export", "memories", "memory", "revoke"]

_MEMORIES_PER_PAGE = 20
_SOURCE_MAX_CHARS = 2_000
_LINES_PER_WRITE = 200
_MEDIA_TYPES = {"jsonl": "application/x-ndjson", "csv": "text/csv; charset=utf-8"}
_TEXTS = ("cites", "memory_type", "user_id")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MemoryListQuery(Textless):
    """
    The filters of the list as a query of an address; None for a missing filter.

    Attributes:
        status: The status of the memories.
        cites: A source that they cite, in any spelling.
        memory_type: Their type.
        user_id: Their user.
    """

    status: MemoryStatus | None = None
    cites: str | None = None
    memory_type: str | None = None
    user_id: str | None = None

    @property
    def is_narrow(self) -> bool:
        """Whether any filter besides the status is set."""
        return any(getattr(self, name) is not None for name in _TEXTS)

    def query(self, **more: str | None) -> str:
        """Return the query of an address with these filters and *more*; empty for the whole list."""
        values = {"status": self.status, **{name: getattr(self, name) for name in _TEXTS}, **more}
        kept = {name: str(value) for name, value in values.items() if value is not None}
        return f"?{urlencode(kept)}" if kept else ""


async def memories(context: RequestContext) -> Response:
    """Show a page of the list: the visitor's memories, or those of all users for a reviewer."""
    filters = _filters(context)
    after = context.request.query_params.get("after") or None
    if after is not None:
        check_field(after, "after")
    found = await to_thread(_page, context.queue.store, _visible(context, filters), after)
    page = found[:_MEMORIES_PER_PAGE]
    tabs = [(None, "all"), *((status, MEMORY_STATUSES[status][1]) for status in MemoryStatus)]
    values = {
        "title": "Memories",
        "filters": filters,
        "tabs": [(status, label, replace(filters, status=status).query()) for status, label in tabs],
        "rows": [_row(context, each) for each in page],
        "statuses": MEMORY_STATUSES,
        "more": filters.query(after=page[-1].id) if len(found) > _MEMORIES_PER_PAGE else None,
        "is_first": after is None,
    }
    return show(context, "memories", values)


async def memory(context: RequestContext) -> Response:
    """Show one memory."""
    memory_id = str(context.request.path_params["memory_id"]).replace("~", "/")
    store, user_id = context.queue.store, None if context.is_reviewer else context.name
    try:
        found = await to_thread(store.get, memory_id, user_id)
    except (MemoryNotFoundError, ValueError):
        raise HttpProblem(404, "not_found", "This memory does not exist, or it is not yours.") from None
    # A claim has the id of its memory unless the queue had a claim of this id before.
    claim_id = await context.queue.snapshot(
        lambda snapshot: snapshot.claim_of_memory(memory_id, context.name), expire_overdue=False
    )
    values = {
        "title": "Memory",
        "memory": found,
        "is_own": found.user_id == context.name,
        "sources": source_identities(found.source_ids),
        "parents": [(parent, context.path("memory", memory_id=id_in_path(parent))) for parent in found.parents],
        "metadata": metadata_text(found.metadata),
        "history": await to_thread(store.audit, memory_id),
        "statuses": MEMORY_STATUSES,
        "claim_url": None if claim_id is None else context.path("claim", queue_id=id_in_path(claim_id)),
    }
    return show(context, "memory", values)


async def revoke(context: RequestContext) -> Response:
    """Send the memories that rest on a source back to review, after a confirmation. For reviewers."""
    form = await read_form(context.request, context.site.limits)
    check_form(context, form.get("form_key", ""))
    source = form.get("source", "").strip()
    check_field(source, "source", max_chars=_SOURCE_MAX_CHARS)
    store, revocation = context.queue.store, None
    if "confirmed" in form:
        time = context.queue.now()
        revocation = await to_thread(store.revoke_source, source, time=time, actor=context.name)
    name = source_identity(source)
    values = {
        "title": f"Revoke {name}?" if revocation is None else f"Revoked {name}",
        "source": source,
        "name": name,
        "revocation": revocation,
        "rows": [(each, context.path("memory", memory_id=id_in_path(each))) for each in revocation or ()],
    }
    return show(context, "revoke", values)


async def export(context: RequestContext) -> Response:
    """Send the memories of the filters as a file, piece by piece."""
    wanted = context.request.query_params.get("format") or "jsonl"
    if wanted not in _MEDIA_TYPES:
        raise HttpProblem(422, "invalid", f"format must be one of {', '.join(_MEDIA_TYPES)}", field="format")
    file_format: ExportFormat = "csv" if wanted == "csv" else "jsonl"
    filters = _visible(context, _filters(context))
    lines = export_text(
        context.queue.store,
        file_format,
        filters.user_id,
        status=filters.status,
        memory_type=filters.memory_type,
        source_id=filters.cites,
    )
    pieces = _pieces(lines)
    # A failure of the database is a page, and not the end of a file.
    first = await to_thread(next, pieces, "")
    headers = {"content-disposition": f'attachment; filename="memories.{file_format}"'}
    return StreamingResponse(chain([first], pieces), media_type=_MEDIA_TYPES[file_format], headers=headers)


def _filters(context: RequestContext) -> MemoryListQuery:
    """
    Return the filters in the address; empty fields count as missing.

    Raises:
        HttpProblem: A field has an impossible value.
    """
    params = context.request.query_params
    status = params.get("status") or None
    if status is not None and status not in list(MemoryStatus):
        raise HttpProblem(422, "invalid", f"status must be one of {', '.join(MemoryStatus)}", field="status")
    texts = {name: text for name in _TEXTS if (text := params.get(name))}
    for name, text in texts.items():
        check_field(text, name)
    return MemoryListQuery(status=None if status is None else MemoryStatus(status), **texts)


def _visible(context: RequestContext, filters: MemoryListQuery) -> MemoryListQuery:
    """Return the filters for what the visitor may see: only a reviewer sees the memories of others."""
    return filters if context.is_reviewer else replace(filters, user_id=context.name)


def _page(store: MemoryStore, filters: MemoryListQuery, after: str | None) -> list[StoredMemory]:
    return store.find(
        filters.user_id,
        status=filters.status,
        source_id=filters.cites,
        memory_type=filters.memory_type,
        after=after,
        limit=_MEMORIES_PER_PAGE + 1,
    )


def _row(context: RequestContext, found: StoredMemory) -> Mapping[str, Any]:
    """Return the values of a memory in the list."""
    excerpt = found.content[:EXCERPT_CHARS]
    return {
        "memory": found,
        "excerpt": excerpt if len(excerpt) == len(found.content) else f"{excerpt}…",
        "sources": source_identities(found.source_ids),
        "url": context.path("memory", memory_id=id_in_path(found.id)),
    }


def _pieces(lines: Iterator[str]) -> Iterator[str]:
    while batch := list(islice(lines, _LINES_PER_WRITE)):
        yield "".join(batch)
