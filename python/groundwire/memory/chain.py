"""Tables that are only added to, each row bound by its hash to the row before it."""

from collections.abc import Sequence

from groundwire.memory.hashes import Hasher
from groundwire.memory.protocol import Database, Row

__all__ = ["ADMIN_AUDIT", "CHAINS", "MEMORY_AUDIT", "REVIEW_AUDIT", "Chain", "Last"]

Last = tuple[int, str]
"""Number and link of the last row; 0 and an empty link if there is none."""


class Chain:
    """
    One such table, with the columns `sequence`, *fields* and `link`.

    Parameters:
        table: Its name.
        fields: The columns that a row says something in.
        added: How many of the last *fields* a later schema added. Where all of them are NULL they
            are not bound: rows of the earlier schema keep their links.

    Attributes:
        table: Its name.
        columns: The columns that are bound, as SQL.
        last_row: What selects number and link of the last row.
    """

    def __init__(self, table: str, fields: tuple[str, ...], *, added: int = 0) -> None:
        self.table = table
        self.fields = fields
        self._added = added
        self._none = (None,) * added
        self.columns = ", ".join(("sequence", *fields))
        marks = ", ".join("?" * (len(fields) + 2))
        self._insert = f"INSERT INTO {table} ({self.columns}, link) VALUES ({marks})"
        self.last_row = f"SELECT sequence, link FROM {table} ORDER BY sequence DESC LIMIT 1"
        self._all = f"SELECT {self.columns}, link FROM {table} ORDER BY sequence"
        self._link = f"SELECT link FROM {table} WHERE sequence = ?"

    def append(
        self, database: Database, hasher: Hasher, rows: Sequence[Sequence[object]], last: Last | None = None
    ) -> Last:
        """
        Write *rows* of fields, and return what is last then; *last* is what is last before, if that is known.

        There is one writer at a time, so numbers have no gap.
        """
        sequence, link = self.last(database) if last is None else last
        written = []
        for number, fields in enumerate(rows, sequence + 1):
            row = (number, *fields)
            link = hasher.link(link, self._bound(row))
            written.append((*row, link))
        if len(written) == 1:
            # Drivers take longer to begin with many.
            database.write(self._insert, written[0])
        else:
            database.write_many(self._insert, written)
        return sequence + len(written), link

    def last(self, database: Database) -> Last:
        """Return number and link of the last row."""
        rows = database.execute(self.last_row)
        return (rows[0][0], rows[0][1]) if rows else (0, "")

    def broken(self, database: Database, hasher: Hasher) -> int | None:
        """
        Return the number of the first row that is missing or is not as it was written, or None.

        Rows that were cut off at the end are not noticed.
        """
        expected, link = 1, ""
        for row in database.stream(self._all):
            fields, written = row[:-1], row[-1]
            link = hasher.link(link, self._bound(fields))
            if fields[0] != expected or link != written:
                return expected
            expected += 1
        return None

    def link_at(self, database: Database, sequence: int) -> str | None:
        """Return the link of the row with this number; None if there is no such row, an empty one for number 0."""
        if sequence == 0:
            return ""
        rows = database.execute(self._link, (sequence,))
        return rows[0][0] if rows else None

    def _bound(self, row: Row) -> Row:
        """The part of a row, from its number on, that its link covers."""
        if not self._added or row[-self._added :] != self._none:
            return row
        return row[: -self._added]


MEMORY_AUDIT = Chain(
    "memory_audit",
    (
        *("time", "action", "memory_id", "user_hash", "content_hash", "actor_hash", "reason", "source_hash"),
        *("before_hash", "after_hash"),
    ),
    added=2,
)
"""What was done to memories."""

REVIEW_AUDIT = Chain(
    "review_audit",
    ("time", "action", "queue_id", "user_hash", "content_hash", "actor_hash", "before_hash", "after_hash", "reason"),
)
"""What was done to claims that wait for review, or did."""

ADMIN_AUDIT = Chain(
    "admin_audit",
    ("time", "action", "kind", "subject", "before_hash", "after_hash", "memory_sequence", "review_sequence"),
)
"""What was done to tokens and to the names of people, and that the database was sealed."""

CHAINS = (MEMORY_AUDIT, REVIEW_AUDIT, ADMIN_AUDIT)
