"""Tables that are only added to, each row bound by its hash to the row before it."""

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.memory.hashes import Hasher
from groundwire.memory.protocol import Database

__all__ = ["MEMORY_AUDIT", "REVIEW_AUDIT", "Chain"]

# How many rows are checked at a time.
_BATCH = 10_000


@dataclass(frozen=True, slots=True)
class Chain:
    """
    One such table, with the columns `sequence`, *fields* and `link`.

    Attributes:
        table: Its name.
        fields: The columns that a row says something in.
    """

    table: str
    fields: tuple[str, ...]

    @property
    def columns(self) -> str:
        """The columns that are bound, as SQL."""
        return ", ".join(("sequence", *self.fields))

    def append(self, database: Database, hasher: Hasher, rows: Sequence[Sequence[object]]) -> int:
        """
        Write *rows* of fields, and return the number of the last row of all.

        There is one writer at a time, so numbers have no gap.
        """
        sequence, link = self.last(database)
        written = []
        for number, fields in enumerate(rows, sequence + 1):
            row = (number, *fields)
            link = hasher.link(link, row)
            written.append((*row, link))
        marks = ", ".join("?" * (len(self.fields) + 2))
        insert = f"INSERT INTO {self.table} ({self.columns}, link) VALUES ({marks})"
        if len(written) == 1:
            # Drivers take longer to begin with many.
            database.execute(insert, written[0])
        elif written:
            database.execute_many(insert, written)
        return sequence + len(written)

    def last(self, database: Database) -> tuple[int, str]:
        """Return number and link of the last row; 0 and an empty link if there is none."""
        rows = database.execute(f"SELECT sequence, link FROM {self.table} ORDER BY sequence DESC LIMIT 1")
        return (rows[0][0], rows[0][1]) if rows else (0, "")

    def broken(self, database: Database, hasher: Hasher) -> int | None:
        """
        Return the number of the first row that is missing or is not as it was written, or None.

        Rows that were cut off at the end are not noticed.
        """
        expected, link = 1, ""
        statement = (
            f"SELECT {self.columns}, link FROM {self.table} WHERE sequence >= ? ORDER BY sequence LIMIT {_BATCH}"
        )
        while True:
            rows = database.execute(statement, (expected,))
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
