"""What is counted of a part."""

import hashlib
from collections import Counter
from collections.abc import Iterable

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.types as types

from groundwire.bulk.options import Rule
from groundwire.bulk.records import Counts, SourceCounts
from groundwire.labels import is_label

__all__ = ["SourceTally", "count", "count_sources", "merged"]

# A part with more sources has hardly a rate for each.
_MAX_SOURCES = 4096
_HASH_HEX_DIGITS = 12


def count(table: pa.Table, *, problems: int) -> Counts:
    """Return what is counted of rows with their results."""
    grounded = _flat(table, "grounded")
    return Counts(
        rows=len(table),
        quotes=len(grounded),
        grounded=pc.sum(grounded).as_py() or 0,
        problems=problems,
        kinds=_tally(_flat(table, "kind")),
        statuses=_tally(_flat(table, "status")) if "status" in table.schema.names else {},
        reasons=_tally(pc.list_flatten(_flat(table, "reasons"))) if "reasons" in table.schema.names else {},
        errors=_tally(_flat(table, "error")),
    )


def count_sources(table: pa.Table, rule: Rule, *, are_ids: bool) -> dict[str, SourceCounts] | None:
    """Return quotes and grounded ones by source: by its id, or the hash of its text. None for too many."""
    column = table.column(rule.source).combine_chunks()
    column = column if isinstance(column, pa.Array) else column.chunk(0)
    if not types.is_dictionary(column.type):
        column = column.dictionary_encode()
    places, grounded = column.indices, table.column("grounded").combine_chunks()
    if types.is_list(grounded.type) or types.is_large_list(grounded.type):
        places, grounded = places.take(pc.list_parent_indices(grounded)), pc.list_flatten(grounded)
    rows = pa.table({"place": places, "grounded": pc.cast(grounded, pa.int64())}).group_by("place")
    counted = rows.aggregate([("grounded", "sum"), ("grounded", "count")])
    if len(counted) > _MAX_SOURCES:
        return None
    found = zip(
        *(counted.column(name).to_pylist() for name in ("place", "grounded_count", "grounded_sum")), strict=True
    )
    known = ((place, quotes, sum_) for place, quotes, sum_ in found if place is not None)
    return {
        _name(column.dictionary[place], are_ids=are_ids): SourceCounts(quotes, sum_) for place, quotes, sum_ in known
    }


def _name(value: pa.Scalar, *, are_ids: bool) -> str:
    """Return what a source is called: its id if that may be shown, else a hash."""
    if are_ids and is_label(name := str(value.as_py())):
        return name
    content = str(value.as_py()).encode() if types.is_integer(value.type) else value.as_buffer()
    return f"sha256:{hashlib.sha256(content).hexdigest()[:_HASH_HEX_DIGITS]}"


def _flat(table: pa.Table, name: str) -> pa.Array:
    """Return one value for each quote."""
    column = table.column(name).combine_chunks()
    kind = table.schema.field("grounded").type
    return pc.list_flatten(column) if types.is_list(kind) or types.is_large_list(kind) else column


def _tally(column: pa.Array) -> dict[str, int]:
    """Return how often each value is there, by name."""
    counted = pc.value_counts(pc.drop_null(column))
    return dict(sorted((str(each["values"]), int(each["counts"])) for each in counted.to_pylist()))


def merged(counts: Iterable[Counts]) -> Counts:
    """Return the sums."""
    total = Counts()
    tallies: dict[str, Counter[str]] = {name: Counter() for name in ("kinds", "statuses", "reasons", "errors")}
    for each in counts:
        for name in ("rows", "quotes", "grounded", "problems"):
            setattr(total, name, getattr(total, name) + getattr(each, name))
        for name, tally in tallies.items():
            tally.update(getattr(each, name))
    for name, tally in tallies.items():
        setattr(total, name, dict(sorted(tally.items())))
    return total


class SourceTally:
    """Quotes by source, part by part: what is kept is the sums alone, however many parts there are."""

    def __init__(self) -> None:
        self._total: dict[str, SourceCounts] | None = {}

    def add(self, part: dict[str, SourceCounts] | None) -> None:
        """Add those of a part; None where it has too many sources."""
        if self._total is None or part is None:
            self._total = None
            return
        for name, counts in part.items():
            known = self._total.setdefault(name, SourceCounts(0, 0))
            known.quotes += counts.quotes
            known.grounded += counts.grounded
        if len(self._total) > _MAX_SOURCES:
            self._total = None

    def total(self) -> dict[str, SourceCounts] | None:
        """Return the sums by source, None if there are too many sources."""
        return None if self._total is None else dict(sorted(self._total.items()))
