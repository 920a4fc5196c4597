"""Compute the differences between a quote and a passage as the engine aligns them; read labelled sentences."""

import tomllib
from collections.abc import Collection
from pathlib import Path

from groundwire import Source
from groundwire.evidence.differences import Difference, classify


def differences_between(
    quote: str,
    passage: str,
    *,
    before: str = "",
    after: str = "",
    language: str | None = None,
    marks: Collection[str] = ("angle",),
) -> list[Difference]:
    """Return the differences between *quote* and *passage*, which is between *before* and *after* in its source."""
    text = before + passage + after
    start, end = len(before), len(before) + len(passage)
    alignment = Source(text, profile="typographic", marks=[*marks]).align(quote, start, end)
    return classify(quote, text, start, end, alignment.edits, language=language, marks=tuple(marks))


def kinds_between(quote: str, passage: str, **options: object) -> list[str]:
    """Return the kinds of the differences between two texts, left to right."""
    return [each.kind.value for each in differences_between(quote, passage, **options)]


def labelled_quotes() -> list[tuple[str, str, str, str]]:
    """Return (language, passage, quote, label) of each labelled quote; the label is "altered" or "harmless"."""
    tables = tomllib.loads((Path(__file__).parent / "labelled_edits.toml").read_text(encoding="utf-8"))
    return [
        (passage["language"], passage["text"], quote, label)
        for passage in tables["passage"]
        for label in ("altered", "harmless")
        for quote in passage[label]
    ]
