"""Several questions about the queue as it is at one moment: one transaction instead of many."""

from collections.abc import Callable, Mapping, Sequence

from groundwire.review.items import Item, pending_of
from groundwire.review.records import PendingMemory, QueueState, ReviewEntry
from groundwire.review.rules import Rules
from groundwire.review.storage import EntryFilters, Filters, Items
from groundwire.review.transitions import visible

__all__ = ["Look", "view", "views"]


class Look:
    """
    The queue at one moment, to be asked within `QueueReader.look`. What can be asked and is refused is as there.

    Parameters:
        items: The queue within a transaction.
        now: The time, in microseconds since 1970.
        rules: The settings.
        filters_of: What a viewer's filters come to; None if they may not see any of it.
    """

    def __init__(self, items: Items, now: int, rules: Rules, filters_of: Callable[..., Filters | None]) -> None:
        self._items = items
        self._now = now
        self._rules = rules
        self._filters_of = filters_of

    def claim(self, queue_id: str, viewer: str) -> PendingMemory:
        """Return one claim; raises as `get_by_id`."""
        return view(self._items, visible(self._items, self._rules, queue_id, viewer), self._now)

    def find(
        self,
        viewer: str,
        *,
        state: QueueState = QueueState.PENDING,
        after: int = 0,
        newest_first: bool = False,
        limit: int = 50,
        **filters: str | None,
    ) -> list[PendingMemory]:
        """Return claims as `QueueReader.find` does."""
        asked = self._filters_of(viewer, state, **filters)
        if asked is None:
            return []
        page = self._items.page(asked, self._now, after=after, limit=limit, newest_first=newest_first)
        return views(self._items, page, self._now)

    def neighbour(
        self,
        viewer: str,
        place: int,
        *,
        state: QueueState = QueueState.PENDING,
        backwards: bool = False,
        **filters: str | None,
    ) -> str | None:
        """Return the id of the claim that comes next behind *place*, or before it; None if there is none."""
        asked = self._filters_of(viewer, state, **filters)
        if asked is None:
            return None
        page = self._items.page(asked, self._now, after=place, limit=1, newest_first=backwards)
        return page[0].queue_id if page else None

    def counts(self, viewer: str, **filters: str | None) -> Mapping[QueueState, int]:
        """Return how many claims there are as `QueueReader.counts` does."""
        listed = (state for state in QueueState if state is not QueueState.PROCESSING)
        asked = [self._filters_of(viewer, state, **filters) for state in listed]
        return {one.state: self._items.count(one) for one in asked if one is not None}

    def contradicted(self, claim: PendingMemory) -> str | None:
        """Return what the memory says that a claim contradicts or repeats; None if that is unknown or gone."""
        memory_id = claim.conflicting_memory_id
        return None if memory_id is None else self._items.text_of(memory_id, claim.user_id)

    def entries(self, claim: PendingMemory, limit: int) -> Sequence[ReviewEntry]:
        """Return what was done to a claim, first to last."""
        return self._items.entries(EntryFilters(queue_id=claim.queue_id), limit)


def view(items: Items, item: Item, now: int) -> PendingMemory:
    """Return *item* as callers see it."""
    return pending_of(item, items.details(item), items.names(item.people()), now)


def views(items: Items, page: Sequence[Item], now: int) -> list[PendingMemory]:
    """Return each item of *page* as callers see it."""
    names = items.names(one for item in page for one in item.people())
    return [pending_of(item, items.details(item), names, now) for item in page]
