"""Formats of files of rows, by the ends of their names."""

from enum import StrEnum
from typing import NamedTuple

from groundwire.errors import BulkError
from groundwire.labels import closest

__all__ = ["Form", "Format", "form_of", "format_named"]


class Format(StrEnum):
    """What a file of rows is written as."""

    PARQUET = "parquet"
    ARROW = "arrow"
    JSONL = "jsonl"
    CSV = "csv"


class Form(NamedTuple):
    """A format, and what it is compressed with: "gzip", "zstd" or None. Parquet and Arrow compress inside."""

    format: Format
    compression: str | None = None

    @property
    def suffix(self) -> str:
        """The end of a name of such a file."""
        return f".{self.format}{_ENDS.get(self.compression or '', '')}"


_FORMATS = {
    **dict.fromkeys((".parquet", ".pq"), Format.PARQUET),
    **dict.fromkeys((".arrow", ".arrows", ".ipc", ".feather"), Format.ARROW),
    **dict.fromkeys((".jsonl", ".ndjson"), Format.JSONL),
    ".csv": Format.CSV,
}
_COMPRESSIONS = {".gz": "gzip", ".zst": "zstd", ".zstd": "zstd"}
_ENDS = {"gzip": ".gz", "zstd": ".zst"}


def form_of(name: str) -> Form | None:
    """Return the form that the end of *name* tells, None if it tells none."""
    stem, dot, end = name.lower().rpartition(".")
    compression = _COMPRESSIONS.get(f"{dot}{end}")
    if compression is not None:
        _, dot, end = stem.rpartition(".")
    found = _FORMATS.get(f"{dot}{end}")
    if found is None or (compression is not None and found in (Format.PARQUET, Format.ARROW)):
        return None
    return Form(found, compression)


def format_named(name: str) -> Format:
    """
    Return the format called *name*.

    Raises:
        BulkError: There is none.
    """
    if name not in list(Format):
        guess = closest(name, Format)
        allowed = ", ".join(Format)
        raise BulkError(
            f"there is no format `{name}`; formats: {allowed}", f"did you mean `{guess}`?" if guess else None
        )
    return Format(name)
