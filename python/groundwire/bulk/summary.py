"""What a run found, added up."""

from collections.abc import Sequence

import msgspec

from groundwire.bulk.counting import merged
from groundwire.bulk.records import Counts, Header, PartRecord, SourceCounts

__all__ = ["BulkSummary", "PartTime", "SourceRate", "summary_of"]

_SLOWEST = 10


class SourceRate(msgspec.Struct, kw_only=True):
    """The quotes of one source, called by its id or a hash of its text, and how many are grounded."""

    source: str
    quotes: int
    grounded: int

    @property
    def rate(self) -> float:
        """The share of the quotes that are grounded, 0.0 to 1.0."""
        return self.grounded / self.quotes if self.quotes else 0.0


class PartTime(msgspec.Struct, kw_only=True):
    """A part, by the file of the input, the first of its rows there, from 0, and how long it took."""

    number: int
    file: str
    first: int
    rows: int
    seconds: float


class BulkSummary(msgspec.Struct, kw_only=True):
    """
    What `ground_file` found.

    Attributes:
        output: Where the rows are, with their results.
        files: Files of the input.
        parts: Parts of the output.
        rule: What decided.
        engine: The version of groundwire.
        counts: Rows, quotes, and how many of them are what.
        rate: The share of quotes that are grounded, lines that are no rows counted as quotes that
            are not; None where there are none.
        sources: Quotes by source, the lowest rates first; None where there are too many sources.
        slowest: The parts that took longest for each of their rows.
        busy_seconds: The time that threads spent on all parts together.
    """

    output: str
    files: int
    parts: int
    rule: dict[str, str | float]
    engine: str
    counts: Counts
    rate: float | None
    sources: list[SourceRate] | None
    slowest: list[PartTime]
    busy_seconds: float


def summary_of(
    output: str, header: Header, records: Sequence[PartRecord], by_source: dict[str, SourceCounts] | None
) -> BulkSummary:
    """Return the sums over the parts of a run, and *by_source*, which are sums already."""
    counts = merged(record.counts for record in records)
    asked = counts.quotes + counts.problems
    timed = sorted(records, key=lambda record: -record.seconds / max(record.counts.rows, 1))
    return BulkSummary(
        output=output,
        files=len(header.inputs),
        parts=len(records),
        rule=header.rule,
        engine=header.engine,
        counts=counts,
        rate=counts.grounded / asked if asked else None,
        sources=None if by_source is None else _rates(by_source),
        slowest=[_time(record, header) for record in timed[:_SLOWEST]],
        busy_seconds=sum(record.seconds for record in records),
    )


def _rates(by_source: dict[str, SourceCounts]) -> list[SourceRate]:
    rates = [SourceRate(source=name, quotes=each.quotes, grounded=each.grounded) for name, each in by_source.items()]
    return sorted(rates, key=lambda each: (each.rate, each.source))


def _time(record: PartRecord, header: Header) -> PartTime:
    return PartTime(
        number=record.number,
        file=header.inputs[record.file].path,
        first=record.first,
        rows=record.counts.rows,
        seconds=round(record.seconds, 6),
    )
