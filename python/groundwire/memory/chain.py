"""Tables that are only added to, each row bound by its hash to the row before it."""

from collections.abc import Sequence

from groundwire.memory.hashes import Hasher
from groundwire.memory.protocol import Database

__all__ = ["MEMORY_AUDIT", "REVIEW_AUDIT", "Chain", "Last"]

Last = tuple[int, str]
"""Number and link of the last row; 0 and an empty link if there is none."""

# How many rows are checked at a time.
_BATCH = 10_000


class Chain:
    """
    One such table, with the columns `sequence`, *fields* and `link`.

    Parameters:
        table: Its name.
        fields: The columns that a row says something in.

    Attributes:
        columns: The columns that are bound, as SQL.
        last_row: What selects number and link of the last row.
    """

    def __init__(self, table: str, fields: tuple[str, ...]) -> None:
        self.fields = fields
        self.columns = ", ".join(("sequence", *fields))
        marks = ", ".join("?" * (len(fields) + 2))
        self._insert = f"INSERT INTO {table} ({self.columns}, link) VALUES ({marks})"
        self.last_row = f"SELECT sequence, link FROM {table} ORDER BY sequence DESC LIMIT 1"
        self._from = f"SELECT {self.columns}, link FROM {table} WHERE sequence >= ? ORDER BY sequence LIMIT ?"

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
            link = hasher.link(link, row)
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
        while True:
            rows = database.execute(self._from, (expected, _BATCH))
            for *fields, written in rows:
                link = hasher.link(link, fields)
                if fields[0] != expected or link != written:
                    return expected
                expected += 1
            if len(rows) < _BATCH:
                return None


MEMORY_AUDIT = Chain(
    "memory_audit",
    ("time", "action", "memory_id", "user_hash", "content_hash", "actor_hash", "reason", "source_hash"),
)
"""What was done to memories."""

REVIEW_AUDIT = Chain(
    "review_audit",
    ("time", "action", "queue_id", "user_hash", "content_hash", "actor_hash", "before_hash", "after_hash", "reason"),
)
"""What was done to claims that wait for review, or did."""
