"""Reads the content of requests to the page: forms, filters and places in lists."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from starlette.requests import Request

from groundwire.http_server.requests import HttpLimits, media_type, read_body
from groundwire.http_server.responses import HttpProblem
from groundwire.memory.records import USER_ID_MAX_CHARS, check_text
from groundwire.review.reader import QueueSnapshot
from groundwire.review.records import ClaimExcerpt, QueueFilter, QueueState
from groundwire.review.web.rate_limiter import RequestLimits

__all__ = [
    "CHOICE_MAX",
    "LISTED",
    "ItemListQuery",
    "check_field",
    "check_size",
    "read_choice",
    "read_filters",
    "read_form",
    "read_place",
]

# The maximum number of form fields beside selected claims.
_FIELDS_MAX = 20

CHOICE_MAX = 100
"""The maximum number of claims in one batch of decisions."""


def check_size(content: str | None, limits: RequestLimits) -> None:
    """
    Check the size of a claim's text.

    Raises:
        HttpProblem: It is larger than allowed.
    """
    size = 0 if content is None else len(content.encode("utf-8", "surrogatepass"))
    if size > limits.content_bytes:
        words = f"The text has {size:,} bytes; {limits.content_bytes:,} are allowed."
        raise HttpProblem(422, "invalid", words, field="content")


def check_field(text: str, name: str, *, max_chars: int | None = USER_ID_MAX_CHARS) -> None:
    """
    Check that databases can keep the text of a field.

    Raises:
        HttpProblem: They cannot; it names the field.
    """
    try:
        check_text(text, name, max_chars=max_chars)
    except ValueError as error:
        raise HttpProblem(422, "invalid", str(error), field=name) from None


async def read_form(request: Request, limits: HttpLimits) -> Mapping[str, str]:
    """
    Return the fields of a form, each once.

    Raises:
        HttpProblem: As `read_body`, or it is not a form of our pages.
    """
    return _fields(await _pairs(request, limits, _FIELDS_MAX))


async def read_choice(request: Request, limits: HttpLimits, name: str) -> tuple[Mapping[str, str], list[str]]:
    """Return the fields of a form, as `read_form`, and separately all values of *name*, at most `CHOICE_MAX`."""
    pairs = await _pairs(request, limits, _FIELDS_MAX + CHOICE_MAX)
    chosen = [value for field, value in pairs if field == name]
    if len(chosen) > CHOICE_MAX:
        raise _not_read()
    return _fields([pair for pair in pairs if pair[0] != name]), chosen


async def _pairs(request: Request, limits: HttpLimits, most: int) -> list[tuple[str, str]]:
    if media_type(request) != "application/x-www-form-urlencoded":
        raise HttpProblem(415, "not_a_form", "Only the page's own forms are accepted.")
    body = await read_body(request, limits)
    try:
        # In a thread, because a body full of escapes takes tens of milliseconds.
        return await asyncio.to_thread(
            parse_qsl,
            body.decode("ascii"),
            keep_blank_values=True,
            strict_parsing=bool(body),
            errors="strict",
            max_num_fields=most,
        )
    except ValueError:
        raise _not_read() from None


def _fields(pairs: Sequence[tuple[str, str]]) -> Mapping[str, str]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise _not_read()
    return fields


def _not_read() -> HttpProblem:
    return HttpProblem(400, "bad_form", "The form cannot be read.")


LISTED = (QueueState.PENDING, QueueState.STORED, QueueState.REJECTED, QueueState.EXPIRED)
"""The states that claims are listed by."""

_TEXTS = ("user_id", "memory_type", "source", "failed_check", "assigned_to")
_PLACE_MAX = 2**63 - 1


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ItemListQuery(QueueFilter):
    """The filters of a list as a query of an address."""

    @property
    def is_narrow(self) -> bool:
        """Whether any filter besides the state is set."""
        return any(getattr(self, name) is not None for name in _TEXTS)

    @property
    def texts(self) -> Mapping[str, str | None]:
        """All filters except the state."""
        return {name: getattr(self, name) for name in _TEXTS}

    def query(self, **more: str | int | None) -> str:
        """Return the query of an address with these filters, changed by *more*; empty for the default list."""
        values: dict[str, str | int | None] = {"state": str(self.state), **self.texts, **more}
        kept = {
            name: str(value)
            for name, value in values.items()
            if value is not None and (name, value) != ("state", "pending")
        }
        return f"?{urlencode(kept)}" if kept else ""

    def page(
        self, snapshot: QueueSnapshot, viewer: str, *, after: int = 0, limit: int, newest_first: bool = False
    ) -> list[ClaimExcerpt]:
        """Return the excerpts of claims that *viewer* may see."""
        return snapshot.excerpts(
            viewer, state=self.state, after=after, limit=limit, newest_first=newest_first, **self.texts
        )

    def neighbour(self, snapshot: QueueSnapshot, viewer: str, place: int, *, backwards: bool = False) -> str | None:
        """Return the id of the claim next to *place*, or None."""
        return snapshot.neighbour(viewer, place, state=self.state, backwards=backwards, **self.texts)

    def counts(self, snapshot: QueueSnapshot, viewer: str) -> Mapping[QueueState, int]:
        """Return the number of claims in each state."""
        return snapshot.counts(viewer, **self.texts)


def read_filters(params: Mapping[str, str]) -> ItemListQuery:
    """
    Return the filters in an address; empty fields count as missing.

    Raises:
        HttpProblem: A field has an impossible value.
    """
    state = params.get("state") or QueueState.PENDING
    if state not in LISTED:
        raise HttpProblem(422, "invalid", f"state must be one of {', '.join(LISTED)}", field="state")
    texts = {name: params.get(name) or None for name in _TEXTS}
    for name, text in texts.items():
        if text is not None:
            check_field(text, name)
    return ItemListQuery(state=QueueState(state), **texts)


def read_place(params: Mapping[str, str]) -> int:
    """
    Return the place in an address after which a page starts; 0 for the first page.

    Raises:
        HttpProblem: It is not a place.
    """
    text = params.get("after") or "0"
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= _PLACE_MAX):
        raise HttpProblem(422, "invalid", "after must be the place of a claim", field="after")
    return int(text)
