"""Reads quotes with their known origin and the change that was made to them."""

import json
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from groundwire import normalize

__all__ = ["LabelledQuote", "RowError", "read_quotes", "survives"]


class RowError(ValueError):
    """Reports a line that is not a labelled quote: its number, and the expected content."""


@dataclass(frozen=True, slots=True)
class LabelledQuote:
    """
    A quote, the document it is to be looked for in, and the passage it was made from.

    Attributes:
        id: Its name in reports, which show no text.
        document: The name of the file to look in.
        quote: What is looked for.
        kind: What was done to the passage: "verbatim", "typo", "number-changed", …
        origin: The passage as (document, start, end), in code points.
    """

    id: str
    document: str
    quote: str
    kind: str
    origin: tuple[str, int, int]

    @property
    def has_origin_here(self) -> bool:
        """Whether the searched document contains the passage."""
        return self.origin[0] == self.document


def read_quotes(path: Path) -> dict[str, list[LabelledQuote]]:
    """
    Return the quotes of a JSONL file by document.

    Raises:
        RowError: A line has no `id`, `doc`, `quote`, `kind` or `origin` of the right type.
    """
    quotes = defaultdict(list)
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                row = _row(line, number)
                quotes[row.document].append(row)
    return dict(quotes)


def _row(line: str, number: int) -> LabelledQuote:
    try:
        row = json.loads(line)
        document, start, end = row["origin"]
        found = LabelledQuote(row["id"], row["doc"], row["quote"], row["kind"], (document, int(start), int(end)))
    except (ValueError, TypeError, KeyError) as error:
        raise RowError(f"line {number} is no labelled quote: {type(error).__name__}") from None
    if not all(isinstance(value, str) for value in (found.id, found.document, found.quote, found.kind, document)):
        raise RowError(f"line {number} is no labelled quote: id, doc, quote, kind and origin[0] must be strings")
    return found


def survives(row: LabelledQuote, passage: str) -> bool:
    """Return whether the edit of *passage* survives normalisation of both."""
    return normalize(row.quote, profile="typographic") != normalize(passage, profile="typographic")
