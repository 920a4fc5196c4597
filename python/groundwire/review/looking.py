"""Several questions about the queue as it is at one moment: one transaction instead of many."""

from collections.abc import Callable, Mapping, Sequence

from groundwire.errors import NotFound
from groundwire.review.database import QueueTransaction
from groundwire.review.items import Excerpt, Item, listed_excerpt, pending_of
from groundwire.review.records import ClaimExcerpt, PendingMemory, QueueState, ReviewAction, ReviewEntry
from groundwire.review.rules import Rules
from groundwire.review.storage import EntryFilters, Filters
from groundwire.review.transitions import visible

__all__ = ["Look", "listed", "view", "views"]


class Look:
    """
    The queue at one moment, to be asked within `QueueReader.look`. What can be asked and is refused is as there.

    Parameters:
        items: The queue within a transaction.
        now: The time, in microseconds since 1970.
        rules: The settings.
        filters_of: What a viewer's filters come to; None if they may not see any of it.
    """

    def __init__(
        self, items: QueueTransaction, now: int, rules: Rules, filters_of: Callable[..., Filters | None]
    ) -> None:
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

    def excerpts(
        self,
        viewer: str,
        *,
        state: QueueState = QueueState.PENDING,
        after: int = 0,
        newest_first: bool = False,
        limit: int = 50,
        **filters: str | None,
    ) -> list[ClaimExcerpt]:
        """Return claims as `QueueReader.excerpts` does."""
        asked = self._filters_of(viewer, state, **filters)
        if asked is None:
            return []
        page = self._items.excerpts(asked, self._now, after=after, limit=limit, newest_first=newest_first)
        return listed(self._items, page, self._now)

    def excerpts_of(self, queue_ids: Sequence[str], viewer: str) -> dict[str, ClaimExcerpt]:
        """Return those of these claims that *viewer* may see, by their ids."""
        found = [one for one in self._items.excerpts_of(queue_ids) if self._rules.may_see(viewer, one.item.user_id)]
        return {one.queue_id: one for one in listed(self._items, found, self._now)}

    def contents(self, hashes: Mapping[str, str], viewer: str) -> dict[str, str]:
        """Return the texts of those claims that *viewer* may see and that still have these hashes, by their ids."""
        seen = self.excerpts_of(list(hashes), viewer)
        same = [queue_id for queue_id, one in seen.items() if one.content_hash == hashes[queue_id]]
        items = [visible(self._items, self._rules, queue_id, viewer) for queue_id in same]
        return {item.queue_id: item.content for item in items}

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
        page = self._items.excerpts(asked, self._now, after=place, limit=1, newest_first=backwards)
        return page[0].item.queue_id if page else None

    def counts(self, viewer: str, **filters: str | None) -> Mapping[QueueState, int]:
        """Return how many claims there are as `QueueReader.counts` does."""
        listed = (state for state in QueueState if state is not QueueState.PROCESSING)
        asked = [self._filters_of(viewer, state, **filters) for state in listed]
        return {one.state: self._items.count(one) for one in asked if one is not None}

    def contradicted(self, claim: PendingMemory) -> str | None:
        """Return what the memory says that a claim contradicts or repeats; None if that is unknown or gone."""
        memory_id = claim.conflicting_memory_id
        return None if memory_id is None else self._items.text_of(memory_id, claim.user_id)

    def excerpt(self, queue_id: str, viewer: str) -> ClaimExcerpt:
        """Return the beginning of one claim; raises as `get_by_id`."""
        found = self.excerpts_of([queue_id], viewer)
        if not found:
            raise NotFound("there is no such claim")
        return found[queue_id]

    def entries(self, claim: PendingMemory | ClaimExcerpt, limit: int, *, after: int = 0) -> Sequence[ReviewEntry]:
        """Return what was done to a claim, first to last, behind the entry *after*."""
        return self._items.entries(EntryFilters(queue_id=claim.queue_id, after=after), limit)

    def has_done(self, queue_id: str, person: str, action: ReviewAction) -> bool:
        """Tell whether *person*, who may see this claim, has done this to it."""
        if not self.excerpts_of([queue_id], person):
            return False
        filters = EntryFilters(queue_id=queue_id, action=action, actor_hash=self._items.person_hash(person))
        return bool(self._items.entries(filters, 1))


def view(items: QueueTransaction, item: Item, now: int) -> PendingMemory:
    """Return *item* as callers see it."""
    return pending_of(item, items.details(item), items.names(item.people()), now)


def listed(items: QueueTransaction, page: Sequence[Excerpt], now: int) -> list[ClaimExcerpt]:
    """Return each excerpt of *page* as callers see it."""
    names = items.names(one for excerpt in page for one in excerpt.item.people())
    return [listed_excerpt(excerpt, names, now) for excerpt in page]


def views(items: QueueTransaction, page: Sequence[Item], now: int) -> list[PendingMemory]:
    """Return each item of *page* as callers see it."""
    names = items.names(one for item in page for one in item.people())
    return [pending_of(item, items.details(item), names, now) for item in page]
