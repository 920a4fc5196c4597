"""Edits between a quote and a passage as the alignment would give them, by difflib; and the labelled sentences."""

import difflib
import re
import tomllib
from pathlib import Path

_PIECE = re.compile(r"[\u3005-\u3007\u3040-\u30ff\u3400-\u9fff]|\w+(?:['’´]\w+)*|[^\w\s]")


def edits_between(quote: str, passage: str, offset: int = 0) -> list[tuple[int, int, int, int]]:
    """Groups of words and marks that differ, case and curly apostrophes aside; *offset* is the passage's place."""
    ours, theirs = list(_PIECE.finditer(quote)), list(_PIECE.finditer(passage))
    matcher = difflib.SequenceMatcher(None, _folded(ours), _folded(theirs), autojunk=False)
    edits = []
    for what, i, j, k, m in matcher.get_opcodes():
        if what != "equal":
            quote_start, quote_end = _place(ours, i, j)
            start, end = _place(theirs, k, m)
            edits.append((quote_start, quote_end, start + offset, end + offset))
    return edits


def _folded(pieces: list[re.Match[str]]) -> list[str]:
    return [piece[0].lower().replace("’", "'") for piece in pieces]


def _place(pieces: list[re.Match[str]], first: int, end: int) -> tuple[int, int]:
    """From the first of some pieces to the last; the end of the one before for none."""
    if first == end:
        place = pieces[first - 1].end() if first else 0
        return place, place
    return pieces[first].start(), pieces[end - 1].end()


def labelled_quotes() -> list[tuple[str, str, str, str]]:
    """(language, passage, quote, label) of each labelled quote; the label is "altered" or "harmless"."""
    tables = tomllib.loads((Path(__file__).parent / "labelled_edits.toml").read_text(encoding="utf-8"))
    return [
        (passage["language"], passage["text"], quote, label)
        for passage in tables["passage"]
        for label in ("altered", "harmless")
        for quote in passage[label]
    ]
