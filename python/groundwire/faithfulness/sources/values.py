"""Data as JSON has it: a unit for each object with its short values, one for each long text; whole columns too."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from groundwire.faithfulness.sources.columns import Column
from groundwire.faithfulness.sources.units import Locator, Unit, record_units

__all__ = ["Columns", "value_units"]

_MAX_COLUMNS = 1_000
"""So many keys of a list of records are added up; records that have others are read like all, and not added up."""


def value_units(value: object, locator: Locator) -> Iterator[Unit]:
    """
    Yield the units of a parsed value, in order.

    An object is one unit with its values and its lists of values; objects inside of it
    are units of their own, before those of what encloses them is finished.

    Args:
        value: What json reads.
        locator: Where it stands; its path is the beginning of all paths.
    """
    values: list[tuple[str, str]] = []
    inner: list[tuple[object, str]] = []
    for name, part in _parts(value):
        if isinstance(part, Mapping) or (isinstance(part, list) and _has_containers(part)):
            inner.append((part, name))
        else:
            values += _values(name, part)
    yield from record_units(values, locator, are_columns=False, span_of=lambda _: (locator.start, locator.end))
    for part, name in inner:
        yield from value_units(part, replace(locator, path=_path(locator.path, name)))
    if isinstance(value, list):
        columns = Columns()
        for part in value:
            columns.add(part)
        yield from columns.units(locator.source)


def _parts(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping):
        yield from value.items()
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield f"[{place}]", part
    else:
        yield "", value


def _has_containers(values: Sequence[object]) -> bool:
    return any(isinstance(value, Mapping | list) for value in values)


def _values(name: str, part: object) -> Iterator[tuple[str, str]]:
    for value in part if isinstance(part, list) else [part]:
        if value is not None:
            yield name if not name.startswith("[") else "", as_text(value)


def as_text(value: object) -> str:
    """Return a value that is no container as people write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e15
    return str(int(value)) if is_whole else str(value)  # type: ignore[call-overload]


def _path(path: str | None, name: str) -> str:
    return f"{path}.{name}" if path and not name.startswith("[") else f"{path or ''}{name}"


class Columns:
    """Adds up the values of a list of records, key by key, as columns of a table."""

    def __init__(self) -> None:
        self._columns: dict[str, Column] = {}
        self._records = 0

    def add(self, record: object) -> None:
        """Count the values of one record that are neither objects nor lists."""
        self._records += 1
        if not isinstance(record, Mapping):
            return
        for name, value in record.items():
            if value is None or isinstance(value, Mapping | list):
                continue
            column = self._columns.get(name)
            if column is None and len(self._columns) < _MAX_COLUMNS:
                column = self._columns[name] = Column(name)
            if column is not None:
                column.add(as_text(value))

    def units(self, source: str) -> Iterator[Unit]:
        """Yield a unit for each column, where there are at least two records."""
        for column in self._columns.values() if self._records > 1 else ():
            summary = column.summary(self._records)
            yield Unit(summary.text(), Locator(source, 1, 0, 0, column=summary.name), summary=summary)
