"""Which claims somebody wants to see, as the address of a page says it, and what leads to the next ones."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from groundwire.memory.records import USER_ID_MAX_CHARS, Textless, check_text
from groundwire.review.reader import QueueSnapshot
from groundwire.review.records import ClaimExcerpt, QueueState
from groundwire.review.web.problems import Problem

__all__ = ["LISTED", "ClaimFilters", "read_filters", "read_place"]

LISTED = (QueueState.PENDING, QueueState.STORED, QueueState.REJECTED, QueueState.EXPIRED)
"""The states that claims are listed by."""

_TEXTS = ("user_id", "memory_type", "source", "failed_check", "assigned_to")
_PLACE_MAX = 2**63 - 1


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ClaimFilters(Textless):
    """As the arguments of `ReviewQueue.find`; None is all of them."""

    state: QueueState = QueueState.PENDING
    user_id: str | None = None
    memory_type: str | None = None
    source: str | None = None
    failed_check: str | None = None
    assigned_to: str | None = None

    @property
    def is_narrow(self) -> bool:
        """Whether some claims of the state are left out."""
        return any(getattr(self, name) is not None for name in _TEXTS)

    @property
    def texts(self) -> Mapping[str, str | None]:
        """All but the state."""
        return {name: getattr(self, name) for name in _TEXTS}

    def query(self, **more: str | int | None) -> str:
        """Return the part of an address that says this, with *more* in it or instead of it; empty for the usual."""
        said: dict[str, str | int | None] = {"state": str(self.state), **self.texts, **more}
        kept = {name: str(value) for name, value in said.items() if value is not None and value != "pending"}
        return f"?{urlencode(kept)}" if kept else ""

    def page(
        self, snapshot: QueueSnapshot, viewer: str, *, after: int = 0, limit: int, newest_first: bool = False
    ) -> list[ClaimExcerpt]:
        """Return the beginnings of claims that *viewer* may see."""
        return snapshot.excerpts(
            viewer, state=self.state, after=after, limit=limit, newest_first=newest_first, **self.texts
        )

    def neighbour(self, snapshot: QueueSnapshot, viewer: str, place: int, *, backwards: bool = False) -> str | None:
        """Return the id of the claim next to *place*; None if there is none."""
        return snapshot.neighbour(viewer, place, state=self.state, backwards=backwards, **self.texts)

    def counts(self, snapshot: QueueSnapshot, viewer: str) -> Mapping[QueueState, int]:
        """Return how many claims there are in each state."""
        return snapshot.counts(viewer, **self.texts)


def read_filters(said: Mapping[str, str]) -> ClaimFilters:
    """
    Return the filters of an address; an empty field is none.

    Raises:
        Problem: A field is none that there can be.
    """
    state = said.get("state") or QueueState.PENDING
    if state not in LISTED:
        raise Problem(422, "invalid", f"state must be one of {', '.join(LISTED)}", field="state")
    texts = {name: said.get(name) or None for name in _TEXTS}
    for name, text in texts.items():
        try:
            if text is not None:
                check_text(text, name, max_chars=USER_ID_MAX_CHARS)
        except ValueError as error:
            raise Problem(422, "invalid", str(error), field=name) from None
    return ClaimFilters(state=QueueState(state), **texts)


def read_place(said: Mapping[str, str]) -> int:
    """
    Return behind which place an address asks; 0 for the beginning.

    Raises:
        Problem: It is no such number.
    """
    text = said.get("after") or "0"
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= _PLACE_MAX):
        raise Problem(422, "invalid", "after must be the place of a claim", field="after")
    return int(text)
