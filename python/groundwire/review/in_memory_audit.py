"""The audit of the queue in memory."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any

from groundwire.memory import Anchor
from groundwire.memory.anchor import check_anchor
from groundwire.memory.chain import REVIEW_AUDIT
from groundwire.memory.hashes import Hasher
from groundwire.review.entries import entry_of, fields_of
from groundwire.review.items import Item, digest_of
from groundwire.review.records import ReviewEntry
from groundwire.review.storage import Deed, EntryFilters

__all__ = ["MemoryAudit"]


class MemoryAudit:
    """
    What was done, bound entry by entry when somebody asks for it: items are never changed, only replaced.

    What is bound holds no text any more, and no name.
    """

    def __init__(self, hasher: Hasher, person_hash: Callable[[str], str]) -> None:
        self._hasher = hasher
        self._person_hash = person_hash
        self._done: list[tuple[Item | None, Item | None, Deed]] = []
        self._bound: list[tuple[tuple[Any, ...], str]] = []
        self._numbers: defaultdict[str, list[int]] = defaultdict(list)

    @property
    def length(self) -> int:
        """How many entries there are."""
        return len(self._bound) + len(self._done)

    def append(self, before: Item | None, after: Item | None, deed: Deed) -> None:
        """Add an entry; an item that comes from nothing is new, one that becomes nothing is erased."""
        self._done.append((before, after, deed))

    def bind(self) -> None:
        """Bind what was done since the last time."""
        for before, after, deed in self._done:
            item = after or before
            assert item is not None, "something was done to an item"
            fields = fields_of(
                item,
                deed,
                user_hash=self._person_hash(item.user_id),
                actor_hash=None if deed.actor is None else self._person_hash(deed.actor),
                before_hash=None if before is None else digest_of(before, self._hasher),
                after_hash=None if after is None else digest_of(after, self._hasher),
            )
            row = (len(self._bound) + 1, *fields)
            self._bound.append((row, self._hasher.link(self._bound[-1][1] if self._bound else "", row)))
            self._numbers[item.queue_id].append(len(self._bound))
        self._done.clear()

    def anchor(self) -> Anchor:
        """Return how far the audit goes."""
        self.bind()
        last = (self.length, self._bound[-1][1]) if self._bound else (0, "")
        return Anchor(key_check=self._hasher.check(), last={REVIEW_AUDIT.table: last})

    def anchor_faults(self, anchor: Anchor) -> list[str]:
        """
        Return how the audit differs from *anchor*; empty if it does not.

        Raises:
            ValueError: The anchor belongs to another queue.
        """
        self.bind()
        check_anchor(anchor, self._hasher, {REVIEW_AUDIT.table})
        sequence, link = anchor.last[REVIEW_AUDIT.table]
        if sequence > self.length:
            return [f"the audit ends with entry {self.length}, and the anchor has entry {sequence}"]
        is_same = sequence == 0 or self._bound[sequence - 1][1] == link
        return [] if is_same else [f"entry {sequence} of the audit is another one than the anchor has"]

    def entries(self, filters: EntryFilters, limit: int | None, names: Mapping[str, str]) -> list[ReviewEntry]:
        """Return entries, as `Items` says."""
        self.bind()
        numbers: Iterable[int] = range(filters.after + 1, self.length + 1)
        if filters.queue_id is not None:
            numbers = (number for number in self._numbers.get(filters.queue_id, ()) if number > filters.after)
        rows = (self._bound[number - 1] for number in numbers)
        wanted = (
            (row, link)
            for row, link in rows
            if filters.user_hash in (None, row[4])
            and filters.actor_hash in (None, row[6])
            and filters.action in (None, row[2])
        )
        return [entry_of(row, link, names.get(row[6])) for row, link in islice(wanted, limit)]
