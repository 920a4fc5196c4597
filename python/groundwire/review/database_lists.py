"""
Which claims of a database a list has.

Claims of one type and source that failed the same checks are a group, and an index has the
claims of each group in their order. Types, sources and checks are few, so a filter chooses a
few groups, and its list is their stretches of that index put in order. A decision moves a
claim once in each index, however many checks it failed.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.memory.protocol import Database, Row
from groundwire.review.details import Details, failed_checks
from groundwire.review.items import COLUMNS, DETAILS_MAX_CHARS, EXCERPT_CHARS, Excerpt, Item
from groundwire.review.records import QueueState
from groundwire.review.storage import COUNT_MAX, Filters

__all__ = ["EXCERPT", "UNLEASED", "Lists", "Page", "ReadExcerpts", "checks_of", "group_of"]

# As `is_leased`.
UNLEASED = "(leased_until IS NULL OR leased_until <= ? OR 2 * leased_at - leased_until >= ?)"
_WAITING = f"{UNLEASED} AND (expires_at IS NULL OR expires_at > ?)"

# Excerpts that are kept in memory, of a few kilobytes each.
_READ_MAX = 1_000

# Columns that a list does not read as they are: texts without an end stay in the database.
_CUT = {
    "content": f"substr(review_items.content, 1, {EXCERPT_CHARS})",
    "details": f"CASE WHEN length(review_items.details) <= {DETAILS_MAX_CHARS} THEN review_items.details ELSE '' END",
    "original": "NULL",
    "reason": f"substr(review_items.reason, 1, {EXCERPT_CHARS})",
}
_CHECKS = "SELECT checks FROM review_groups WHERE review_groups.group_id = review_items.group_id AND failed_check = ''"
EXCERPT = ", ".join(
    (
        *(_CUT.get(name, f"review_items.{name}") for name in COLUMNS),
        *("length(review_items.content)", "review_items.original IS NOT NULL", f"({_CHECKS})"),
    )
)
"""The columns of an `Excerpt`: those of its item, cut, then length, whether it was edited, and the failed checks."""

# Of so many groups the stretches are put together. Where there are more, because labels are,
# claims are looked through in their order: the next one of so many groups is near.
_STRETCHES_MAX = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A part of a list: see `Items.page`."""

    after: int
    limit: int
    newest_first: bool


class ReadExcerpts:
    """The excerpts that were read last, by the digests of their items, so that long texts are read once."""

    def __init__(self) -> None:
        self._read: OrderedDict[str, Excerpt] = OrderedDict()

    def get(self, digest: str) -> Excerpt | None:
        """Return the excerpt of the item that has this digest; None if it was not read, or long ago."""
        return self._read.get(digest)

    def keep(self, digest: str, excerpt: Excerpt) -> Excerpt:
        """Keep and return *excerpt*."""
        self._read[digest] = excerpt
        if len(self._read) > _READ_MAX:
            self._read.popitem(last=False)
        return excerpt

    def clear(self) -> None:
        """Forget all: what is erased is not to stay in memory."""
        self._read.clear()


class Lists:
    """
    The lists within one transaction.

    Parameters:
        database: Where the claims are.
        filters: Which claims.
        assignee_hash: The hash of who was asked to decide about them, if that is a filter.
    """

    def __init__(self, database: Database, filters: Filters, assignee_hash: str | None) -> None:
        self._database = database
        self._filters = filters
        people = {"user_id": filters.user_id, "assignee_hash": assignee_hash}
        there = {f"{column} = ?": value for column, value in people.items() if value is not None}
        # The state stands in the statement, so that PostgreSQL has a plan for each: of one there may be few among many.
        self._conditions = [f"listed = '{QueueState(filters.state)}'", *there]
        self._values = list[object](there.values())
        labels = {"memory_type": filters.memory_type, "source": filters.source, "failed_check": filters.failed_check}
        self._has_labels = any(value is not None for value in labels.values())
        labels["failed_check"] = filters.failed_check or ""
        chosen = {f"{column} = ?": value for column, value in labels.items() if value is not None}
        self._groups = f"SELECT group_id FROM review_groups WHERE {' AND '.join(chosen)}"
        self._labels = list[object](chosen.values())

    def page(self, columns: str, page: Page, now: int) -> Sequence[Row]:
        """Return the *columns* of a page's items, as they are at the time *now*."""
        conditions, values = [*self._conditions], [*self._values]
        if page.after:
            conditions.append(f"place {'<' if page.newest_first else '>'} ?")
            values.append(page.after)
        if not self._filters.state.is_final:
            conditions.append(_WAITING)
            values += [now, now, now]
        order = f"ORDER BY place {'DESC' if page.newest_first else 'ASC'}"
        groups = self._few_groups()
        if groups is None:
            there, more = self._in_groups()
            statement = f"SELECT {columns} FROM review_items WHERE {' AND '.join(conditions)}{there} {order} LIMIT ?"
            return self._database.execute(statement, [*values, *more, page.limit])
        if not groups:
            return []
        stretch = f"SELECT place FROM review_items WHERE {' AND '.join([*conditions, 'group_id = ?'])} {order} LIMIT ?"
        stretches = " UNION ALL ".join([f"SELECT place FROM ({stretch}) AS stretch"] * len(groups))
        places = f"SELECT place FROM ({stretches}) AS stretches {order} LIMIT ?"
        given = [value for group in groups for value in (*values, group, page.limit)]
        statement = f"SELECT {columns} FROM review_items WHERE place IN ({places}) {order}"
        return self._database.execute(statement, [*given, page.limit])

    def count(self) -> int:
        """Return how many items there are, up to `COUNT_MAX`."""
        groups = self._few_groups()
        if groups is None:
            there, values = self._in_groups()
        elif groups:
            there, values = f" AND group_id IN ({', '.join('?' * len(groups))})", [*groups]
        else:
            return 0
        found = f"SELECT 1 FROM review_items WHERE {' AND '.join(self._conditions)}{there} LIMIT {COUNT_MAX}"
        return int(self._database.execute(f"SELECT count(*) FROM ({found}) AS found", [*self._values, *values])[0][0])

    def _few_groups(self) -> list[object] | None:
        """The groups whose stretches are the list; None if it is one stretch, or they are too many."""
        if not self._has_labels:
            return None
        statement = f"{self._groups} LIMIT {_STRETCHES_MAX + 1}"
        groups = [group_id for (group_id,) in self._database.execute(statement, self._labels)]
        return groups if len(groups) <= _STRETCHES_MAX else None

    def _in_groups(self) -> tuple[str, list[object]]:
        """The condition that looks through a stretch, and its values: as a truth value no index answers it."""
        return (f" AND (group_id IN ({self._groups})) IS TRUE", self._labels) if self._has_labels else ("", [])


def checks_of(failed: Sequence[str]) -> str:
    """Return the checks of a group as its rows have them: in their order, each after a space."""
    return " ".join(["", *sorted(failed)])


def group_of(database: Database, item: Item, details: Details) -> int:
    """Return the group of a new item, which is written down if it is the first of it."""
    failed = failed_checks(details)
    labels = (item.memory_type, item.source, checks_of(failed))
    known = (
        "SELECT group_id FROM review_groups WHERE failed_check = '' AND memory_type = ? AND source = ? AND checks = ?"
    )
    if rows := database.execute(known, labels):
        return int(rows[0][0])
    [(group_id,)] = database.execute("SELECT coalesce(max(group_id), 0) + 1 FROM review_groups")
    statement = "INSERT INTO review_groups (group_id, failed_check, memory_type, source, checks) VALUES (?, ?, ?, ?, ?)"
    database.write_many(statement, [(group_id, check, *labels) for check in ("", *failed)])
    return int(group_id)
