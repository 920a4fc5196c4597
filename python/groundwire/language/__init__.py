"""
Reads the meaning of texts once for all four systems (ruling R1).

One tokeniser, one reader of numbers, units, dates, times, names and negations, and one comparison of two readings, all
in Rust. Words are in the TOML files of `lexicons`, one for each language. This package decides nothing about support,
risk or tiers.

`values` reads the numbers and dates of a text, and `questions` finds questions.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from groundwire._engine import LanguageReader, ReadPassages

__all__ = [
    "LANGUAGES",
    "AssessmentRow",
    "CountsRow",
    "ReadPassages",
    "SupportRow",
    "Term",
    "detect_language",
    "one_of",
    "read_passages",
    "read_section",
    "read_terms",
    "reader",
    "source_language",
    "terms_of_rows",
    "word_list",
    "words_of",
]

LANGUAGES = ("en", "de", "fr", "es", "ru", "ar", "zh", "ja")
"""The languages that have a lexicon, by their ISO 639-1 codes."""

_SAMPLE_CHARS = 1_500
"""The length of the text that is read to detect its language."""

_FOLDER = Path(__file__).parent / "lexicons"


_Span = tuple[int, int]

AssessmentRow = tuple[str, list[_Span], tuple[str, _Span, _Span] | None, _Span, int, int]
"""The assessment of a passage for a claim: see `ReadPassages.assess`."""

CountsRow = tuple[float, float, float, int, int, _Span]
"""The counts of a claim's terms in a passage: see `ReadPassages.support`."""

SupportRow = tuple[CountsRow, AssessmentRow | None]
"""The counts, with the assessment of the passage; None if it shares too little with the claim to be compared."""


class Term(NamedTuple):
    """
    A word, a phrase, or a typed value.

    Attributes:
        kind: The kind: "content", "name", "number", "date", "negation", "modal" and so on.
        start: The offset of its first character in the text.
        end: The offset after its last character.
        stem: A number that forms of one word, and equal values, share; valid only in this process.
        form: Its case-folded words; a part of a contraction is written out.
        clause: The number of its clause, from 0 over the whole text.
    """

    kind: str
    start: int
    end: int
    stem: int
    form: str
    clause: int


def words_of(text: str, spans: Iterable[tuple[int, int]]) -> tuple[str, ...]:
    """Return the words at *spans* of *text* in text order, each once regardless of case."""
    words = [text[start:end] for start, end in sorted(spans)]
    return tuple({word.casefold(): word for word in reversed(words) if word.strip()}.values())[::-1]


@cache
def reader() -> LanguageReader:
    """Return the reader of this process. A lexicon is loaded with the first text in its language."""
    return LanguageReader(str(_FOLDER))


def read_terms(text: str, *, language: str | None = None) -> list[Term]:
    """
    Return the terms of *text*, left to right. Takes linear time.

    Args:
        text: The text.
        language: The language of the text, one of `LANGUAGES`; None to detect it.

    Raises:
        ValueError: The language is unknown.
    """
    return terms_of_rows(reader().terms(text, language=language))


def terms_of_rows(rows: Iterable[tuple[str, int, int, int, str, int]]) -> list[Term]:
    """Return the terms of the reader's *rows*."""
    # `Term._make` would be a Python call for each row.
    return list(map(_make_term, rows))


_make_term: Callable[[Iterable[object]], Term] = partial(tuple.__new__, Term)


def read_section(language: str, name: str) -> dict[str, Any]:
    """
    Return the section *name* of the lexicon of *language*, with its subsections.

    Other sections, most of a file, are not parsed.

    Raises:
        FileNotFoundError: The language has no lexicon.
        KeyError: The lexicon has no such section.
    """
    import tomllib

    text = (_FOLDER / f"{language}.toml").read_text(encoding="utf-8")
    headers = [*re.finditer(r"^\[{1,2}([a-z_]+)[\].]", text, re.MULTILINE)]
    ends = [*(header.start() for header in headers[1:]), len(text)]
    pieces = [text[header.start() : end] for header, end in zip(headers, ends, strict=True) if header[1] == name]
    tables: dict[str, Any] = tomllib.loads("".join(pieces))[name]
    return tables


@cache
def word_list(language: str, section: str, name: str) -> frozenset[str]:
    """
    Return the words and phrases of the list *name* in a section of the lexicon of *language*, from all its groups.

    Empty if the section has no such list. Raises as `read_section`.
    """
    lists = _section(language, section).get(name, "")
    return frozenset(word.replace("_", " ") for word in (lists if isinstance(lists, str) else " ".join(lists)).split())


def one_of(words: Iterable[str]) -> str:
    """Return a regular expression for any of *words*, the longest first, without a group around it."""
    return "|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word))))


_section = lru_cache(maxsize=64)(read_section)


def detect_language(text: str) -> str:
    """Return the language of *text*, one of `LANGUAGES`; "en" if it cannot be detected."""
    return reader().detect(text)


def source_language(text: str) -> str:
    """Return the result of `detect_language`, cached for recent texts."""
    return _language_of(text[:_SAMPLE_CHARS])


_language_of = lru_cache(maxsize=64)(detect_language)


def read_passages(texts: "list[str | None]", *, language: str | None = None) -> ReadPassages:
    """
    Read *texts* once, to compare claims with them.

    Args:
        texts: The passages; None for a passage without a text.
        language: The language of the passages, one of `LANGUAGES`; None to detect it in the longest.

    Raises:
        ValueError: The language is unknown.
    """
    return reader().passages(texts, language=language)
