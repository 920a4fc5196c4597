"""The records of a run: its header, its partitions with their counts, and its summary."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.types as types

from groundwire.bulk.inputs import InputFingerprint
from groundwire.bulk.policies import RowPolicy
from groundwire.labels import is_label

__all__ = [
    "BulkSummary",
    "JobHeader",
    "JobManifest",
    "PartitionRecord",
    "PartitionTiming",
    "RowCounts",
    "SourceCounter",
    "SourceCounts",
    "SourceRate",
    "count_rows",
    "count_sources",
    "summarize",
]

# With more sources, individual rates are of little use.
_MAX_SOURCES = 4096
_HASH_HEX_DIGITS = 12
_SLOWEST = 10

# These files may have been edited, so numbers that select something are checked.
_Index = Annotated[int, msgspec.Meta(ge=0)]
_Limit = Annotated[int, msgspec.Meta(ge=1)]


class RowCounts(msgspec.Struct, kw_only=True):
    """
    Counts of rows and quotes.

    Attributes:
        rows: Rows.
        quotes: Quotes; more or fewer than rows if a row has a list of them.
        grounded: Quotes that are grounded, or accepted by the guarded policy.
        malformed: Number of malformed lines.
        kinds, statuses, reasons, errors: The number of quotes with each value.
    """

    rows: int = 0
    quotes: int = 0
    grounded: int = 0
    malformed: int = 0
    kinds: dict[str, int] = {}
    statuses: dict[str, int] = {}
    reasons: dict[str, int] = {}
    errors: dict[str, int] = {}


class SourceCounts(msgspec.Struct, array_like=True):
    """The number of quotes of one source, and how many of them are grounded."""

    quotes: int
    grounded: int


class PartitionRecord(msgspec.Struct, kw_only=True):
    """
    A finished partition.

    Attributes:
        number: The position in the output, from 0.
        file: The index of the input file.
        first, items: The range of the input file: rows, or lines including malformed ones.
        name: The name of the partition's file.
        size_bytes, sha256: The size and hash of that file.
        seconds: The time for grounding and writing.
        counts: Counts of the partition.
        sources: Counts by source; None if there are too many sources.

    Raises:
        ValueError: The name is not that of a partition; it could name any file.
    """

    number: _Index
    file: _Index
    first: _Index
    items: _Index
    name: str
    size_bytes: int
    sha256: str
    seconds: float
    counts: RowCounts
    sources: dict[str, SourceCounts] | None

    def __post_init__(self) -> None:
        if not re.fullmatch(rf"part-{self.number:06}(\.[a-z]+)+", self.name):
            raise ValueError("the name is not that of a partition")


class JobHeader(msgspec.Struct, kw_only=True, frozen=True):
    """
    The conditions under which a run can be resumed.

    Attributes:
        engine: The version of groundwire.
        arrow: The version of pyarrow, which reads the input.
        inputs: The fingerprints of the input files.
        encodings: The encoding of each input file.
        sources: The fingerprint of the table of sources, if there is one.
        policy: The options of the policy.
        output: Format and compression of the output, and whether it is one file or a folder.
        partition_rows, partition_bytes: The limits of a partition.
    """

    engine: str
    arrow: str
    inputs: list[InputFingerprint]
    encodings: list[str]
    sources: InputFingerprint | None
    policy: dict[str, str | float]
    output: dict[str, str | None]
    partition_rows: _Limit
    partition_bytes: _Limit

    def differences(self, other: "JobHeader") -> list[str]:
        """Return what differs in words; the limits of partitions may differ, because those of the first run count."""
        found = []
        if self.inputs != other.inputs:
            found.append("a different input")
        elif self.encodings != other.encodings:
            found.append("a different format of the input")
        if self.sources != other.sources:
            found.append("a different table of sources")
        options = [name for name in self.policy if self.policy[name] != other.policy.get(name)]
        if options:
            noun = "a different option" if len(options) == 1 else "different options"
            found.append(f"{noun}: {', '.join(options)}")
        if self.output != other.output:
            found.append("a different format of the output")
        if (self.engine, self.arrow) != (other.engine, other.arrow):
            found.append(f"a different version: groundwire {self.engine} with pyarrow {self.arrow}")
        return found


class JobManifest(msgspec.Struct, kw_only=True):
    """A finished run: its header, its partitions without counts by source, the output's size, and the summary."""

    header: JobHeader
    partitions: list[PartitionRecord]
    size_bytes: int
    summary: msgspec.Raw


class SourceRate(msgspec.Struct, kw_only=True):
    """The quotes of one source, named by its id or a hash of its text, and how many are grounded."""

    source: str
    quotes: int
    grounded: int

    @property
    def rate(self) -> float:
        """The share of grounded quotes, 0.0 to 1.0."""
        return self.grounded / self.quotes if self.quotes else 0.0


class PartitionTiming(msgspec.Struct, kw_only=True):
    """The time that a partition took, with its input file, its first row there, from 0, and its number of rows."""

    number: int
    file: str
    first: int
    rows: int
    seconds: float


class BulkSummary(msgspec.Struct, kw_only=True):
    """
    The result of `ground_file`.

    Attributes:
        schema_version: The version of these fields in JSON.
        output: The place of the rows with their results.
        files: The number of input files.
        partitions: The number of partitions of the output.
        policy: The options of the policy.
        engine: The version of groundwire.
        counts: Counts of all rows.
        rate: The share of grounded quotes; a malformed line counts as a quote that is not grounded. None if there
            are no quotes.
        sources: Rates by source, the lowest first; None if there are too many sources.
        slowest: The partitions with the longest time per row.
        busy_seconds: The time that all threads spent on partitions.
    """

    schema_version: Literal["1"] = "1"
    output: str
    files: int
    partitions: int
    policy: dict[str, str | float]
    engine: str
    counts: RowCounts
    rate: float | None
    sources: list[SourceRate] | None
    slowest: list[PartitionTiming]
    busy_seconds: float


def summarize(
    output: str, header: JobHeader, records: Sequence[PartitionRecord], by_source: dict[str, SourceCounts] | None
) -> BulkSummary:
    """Return the summary of a run; *by_source* is summed already."""
    counts = _sum_counts(record.counts for record in records)
    total = counts.quotes + counts.malformed
    slowest_first = sorted(records, key=lambda record: -record.seconds / max(record.counts.rows, 1))
    return BulkSummary(
        output=output,
        files=len(header.inputs),
        partitions=len(records),
        policy=header.policy,
        engine=header.engine,
        counts=counts,
        rate=counts.grounded / total if total else None,
        sources=None if by_source is None else _rates(by_source),
        slowest=[_timing(record, header) for record in slowest_first[:_SLOWEST]],
        busy_seconds=sum(record.seconds for record in records),
    )


def _rates(by_source: dict[str, SourceCounts]) -> list[SourceRate]:
    rates = [SourceRate(source=name, quotes=each.quotes, grounded=each.grounded) for name, each in by_source.items()]
    return sorted(rates, key=lambda each: (each.rate, each.source))


def _timing(record: PartitionRecord, header: JobHeader) -> PartitionTiming:
    return PartitionTiming(
        number=record.number,
        file=header.inputs[record.file].path,
        first=record.first,
        rows=record.counts.rows,
        seconds=round(record.seconds, 6),
    )


def count_rows(table: pa.Table, *, malformed: int) -> RowCounts:
    """Return the counts of rows with their results."""
    grounded = _flatten(table, "grounded")
    has_verdicts = "status" in table.schema.names
    return RowCounts(
        rows=len(table),
        quotes=len(grounded),
        grounded=pc.sum(grounded).as_py() or 0,
        malformed=malformed,
        kinds=_count_values(_flatten(table, "kind")),
        statuses=_count_values(_flatten(table, "status")) if has_verdicts else {},
        reasons=_count_values(pc.list_flatten(_flatten(table, "reasons"))) if has_verdicts else {},
        errors=_count_values(_flatten(table, "error")),
    )


def _flatten(table: pa.Table, name: str) -> pa.Array:
    """Return one value for each quote."""
    column = table.column(name).combine_chunks()
    kind = table.schema.field("grounded").type
    return pc.list_flatten(column) if types.is_list(kind) or types.is_large_list(kind) else column


def _count_values(column: pa.Array) -> dict[str, int]:
    """Return the number of times that each value occurs, by name."""
    counted = pc.value_counts(pc.drop_null(column))
    return dict(sorted((str(each["values"]), int(each["counts"])) for each in counted.to_pylist()))


def _sum_counts(counts: Iterable[RowCounts]) -> RowCounts:
    total = RowCounts()
    sums: dict[str, Counter[str]] = {name: Counter() for name in ("kinds", "statuses", "reasons", "errors")}
    for each in counts:
        for name in ("rows", "quotes", "grounded", "malformed"):
            setattr(total, name, getattr(total, name) + getattr(each, name))
        for name, values in sums.items():
            values.update(getattr(each, name))
    for name, values in sums.items():
        setattr(total, name, dict(sorted(values.items())))
    return total


def count_sources(table: pa.Table, policy: RowPolicy, *, are_ids: bool) -> dict[str, SourceCounts] | None:
    """Return the counts by source, named by its id or the hash of its text; None if there are too many sources."""
    column = table.column(policy.source).combine_chunks()
    column = column if isinstance(column, pa.Array) else column.chunk(0)
    if not types.is_dictionary(column.type):
        column = column.dictionary_encode()
    indices, grounded = column.indices, table.column("grounded").combine_chunks()
    if types.is_list(grounded.type) or types.is_large_list(grounded.type):
        indices, grounded = indices.take(pc.list_parent_indices(grounded)), pc.list_flatten(grounded)
    rows = pa.table({"index": indices, "grounded": pc.cast(grounded, pa.int64())}).group_by("index")
    counted = rows.aggregate([("grounded", "sum"), ("grounded", "count")])
    if len(counted) > _MAX_SOURCES:
        return None
    columns = (counted.column(name).to_pylist() for name in ("index", "grounded_count", "grounded_sum"))
    return {
        _source_name(column.dictionary[index], are_ids=are_ids): SourceCounts(quotes, grounded)
        for index, quotes, grounded in zip(*columns, strict=True)
        if index is not None
    }


def _source_name(value: pa.Scalar, *, are_ids: bool) -> str:
    """Return the id of a source if it may be shown, or else a hash."""
    if are_ids and is_label(name := str(value.as_py())):
        return name
    content = str(value.as_py()).encode() if types.is_integer(value.type) else value.as_buffer()
    return f"sha256:{hashlib.sha256(content).hexdigest()[:_HASH_HEX_DIGITS]}"


class SourceCounter:
    """Counts quotes by source over all partitions; it keeps the sums alone."""

    def __init__(self) -> None:
        self._total: dict[str, SourceCounts] | None = {}

    def add(self, counts: dict[str, SourceCounts] | None) -> None:
        """Add the counts of a partition; None stands for too many sources."""
        if self._total is None or counts is None:
            self._total = None
            return
        for name, each in counts.items():
            known = self._total.setdefault(name, SourceCounts(0, 0))
            known.quotes += each.quotes
            known.grounded += each.grounded
        if len(self._total) > _MAX_SOURCES:
            self._total = None

    def total(self) -> dict[str, SourceCounts] | None:
        """Return the sums by source; None if there are too many sources."""
        return None if self._total is None else dict(sorted(self._total.items()))
