"""What is kept of a run: its header, its parts, and what was counted."""

import re
from typing import Annotated

import msgspec

from groundwire.bulk.inputs import Fingerprint

__all__ = ["Counts", "Header", "Manifest", "PartRecord", "SourceCounts"]

# These files may have been edited: what is read from them is checked where it is more than a figure.
_Place = Annotated[int, msgspec.Meta(ge=0)]
_Limit = Annotated[int, msgspec.Meta(ge=1)]


class Counts(msgspec.Struct, kw_only=True):
    """
    What was counted.

    Attributes:
        rows: Rows.
        quotes: Quotes; more or fewer than rows where a row has a list of them.
        grounded: Quotes that are grounded, or accepted by the guarded policy.
        kinds, statuses, reasons, errors: How many quotes have each.
        problems: Lines that are no rows.
    """

    rows: int = 0
    quotes: int = 0
    grounded: int = 0
    problems: int = 0
    kinds: dict[str, int] = {}
    statuses: dict[str, int] = {}
    reasons: dict[str, int] = {}
    errors: dict[str, int] = {}


class SourceCounts(msgspec.Struct, array_like=True):
    """The quotes of one source, and how many of them are grounded."""

    quotes: int
    grounded: int


class PartRecord(msgspec.Struct, kw_only=True):
    """
    A finished part.

    Attributes:
        number: Its place in the output, from 0.
        file: The place of its file among the inputs.
        first, items: What of that file it has: rows, or lines with those that are no rows.
        name: The name of its file.
        size_bytes, sha256: Of its file.
        seconds: How long grounding and writing it took.
        counts: What is in it.
        sources: The same for each of its sources; None if it has too many.

    Raises:
        ValueError: The name is not that of such a part: it could be that of any file.
    """

    number: _Place
    file: _Place
    first: _Place
    items: _Place
    name: str
    size_bytes: int
    sha256: str
    seconds: float
    counts: Counts
    sources: dict[str, SourceCounts] | None

    def __post_init__(self) -> None:
        if not re.fullmatch(rf"part-{self.number:06}(\.[a-z]+)+", self.name):
            raise ValueError("a part has the name of something else")


class Header(msgspec.Struct, kw_only=True, frozen=True):
    """
    What has to be the same for a run to be gone on with.

    Attributes:
        engine: Version of groundwire.
        arrow: Version of pyarrow, which cuts the input.
        inputs: Which files, as they were.
        forms: What each of them is read as.
        sources: The table of sources, if there is one.
        rule: What decides.
        output: What is written: format, packing, and whether one file or a folder.
        part_rows, part_bytes: Where parts end.
    """

    engine: str
    arrow: str
    inputs: list[Fingerprint]
    forms: list[str]
    sources: Fingerprint | None
    rule: dict[str, str | float]
    output: dict[str, str | None]
    part_rows: _Limit
    part_bytes: _Limit

    def differences(self, other: "Header") -> list[str]:
        """Return in words what differs; sizes of parts are taken from who began."""
        found = []
        if self.inputs != other.inputs:
            found.append("the input has changed")
        elif self.forms != other.forms:
            found.append("the input is read as another format")
        if self.sources != other.sources:
            found.append("the table of sources has changed")
        options = [name for name in self.rule if self.rule[name] != other.rule.get(name)]
        if options:
            found.append(f"other options: {', '.join(options)}")
        if self.output != other.output:
            found.append("another format of the output")
        if (self.engine, self.arrow) != (other.engine, other.arrow):
            found.append(f"another version: groundwire {other.engine} with pyarrow {other.arrow}")
        return found


class Manifest(msgspec.Struct, kw_only=True):
    """A finished run: its header, its parts without what was counted by source, the output's size, the summary."""

    header: Header
    parts: list[PartRecord]
    size_bytes: int
    summary: msgspec.Raw
