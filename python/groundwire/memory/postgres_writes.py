"""Several statements that write, as one: a server spends more on taking a statement in than on writing a row."""

import re
from collections.abc import Iterable, Iterator, Sequence

__all__ = ["Write", "as_few"]

Write = tuple[str, Sequence[object]]
"""A statement and the values of its marks."""

# So many may be one: the databases' marks have an end, and plans are kept for each number of them.
_MOST = 16

_TABLE = re.compile(r"(INSERT INTO|UPDATE) (\w+) ")


def as_few(writes: Iterable[Write]) -> Iterator[Write]:
    """
    Yield statements that do what *writes* do one after the other, in their order.

    The parts of one statement (`WITH ... AS (INSERT ...)`) do not see what each other
    does. So it is made of those that read no other table, and none of them changes rows of a
    table that an earlier part writes to.
    """
    parts: list[Write] = []
    tables: set[str] = set()
    for statement, values in writes:
        found = _TABLE.match(statement)
        is_part = found is not None and "SELECT" not in statement
        if parts and not (
            is_part and found and (found[1] != "UPDATE" or found[2] not in tables) and len(parts) < _MOST
        ):
            yield _joined(parts)
            parts, tables = [], set()
        if is_part and found:
            parts.append((statement, values))
            tables.add(found[2])
        else:
            yield statement, values
    if parts:
        yield _joined(parts)


def _joined(parts: Sequence[Write]) -> Write:
    *first, last = (statement for statement, _ in parts)
    named = ", ".join(f"part_{number} AS ({statement})" for number, statement in enumerate(first))
    values = [value for _, given in parts for value in given]
    return (f"WITH {named} {last}" if first else last), values
