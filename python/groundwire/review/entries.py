"""The audit's entries as they are bound, and as callers see them."""

from collections.abc import Sequence
from typing import Any

from groundwire.memory.records import as_time, check_types
from groundwire.review.items import Item
from groundwire.review.records import ReviewAction, ReviewEntry
from groundwire.review.storage import Deed

__all__ = ["entry_of", "fields_of"]


def fields_of(
    item: Item, deed: Deed, *, user_hash: str, actor_hash: str | None, before_hash: str | None, after_hash: str | None
) -> tuple[object, ...]:
    """Return the values of the fields of `REVIEW_AUDIT`."""
    said = (deed.time, str(deed.action), item.queue_id)
    return (*said, user_hash, item.content_hash, actor_hash, before_hash, after_hash, deed.reason)


def entry_of(row: Sequence[Any], link: str, actor: str | None) -> ReviewEntry:
    """
    Return the entry of a number and those values.

    Raises:
        TypeError, ValueError, OverflowError: They are not what `fields_of` returns.
    """
    check_types((*row, link, actor))
    sequence, time, action, queue_id, user_hash, content_hash, _, before_hash, after_hash, reason = row
    return ReviewEntry(
        sequence=sequence,
        time=as_time(time),
        action=ReviewAction(action),
        queue_id=queue_id,
        user_hash=user_hash,
        content_hash=content_hash,
        actor=actor,
        before_hash=before_hash,
        after_hash=after_hash,
        reason=reason,
        link=link,
    )
