"""
What a text says, read once for all four systems (ruling R1).

One tokeniser, one reader of numbers, units, dates, times, names and negations, and one comparison of
two readings, in Rust. All words are in the TOML files of `lexicons`, one for each language. This
package decides nothing about support, risk or tiers.
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
"""The languages that have a lexicon, by their codes of ISO 639-1."""

_SAMPLE_CHARS = 1_500
"""The reader looks at no more of a text for its language."""

_FOLDER = Path(__file__).parent / "lexicons"


_Span = tuple[int, int]

AssessmentRow = tuple[str, list[_Span], tuple[str, _Span, _Span] | None, _Span, int, int]
"""What a passage has of a claim: see `ReadPassages.assess`."""

CountsRow = tuple[float, float, float, int, int, _Span]
"""How much a passage has of a claim: see `ReadPassages.support`."""

SupportRow = tuple[CountsRow, AssessmentRow | None]
"""The same, and what it has of the claim; None where it has too little of it to be compared word by word."""


class Term(NamedTuple):
    """
    A word, a phrase, or a typed value.

    Attributes:
        kind: What it is: "content", "name", "number", "date", "negation", "modal" and so on.
        start: Its first character, as an offset in the text.
        end: The offset behind its last character.
        stem: Shared by the forms of one word, and by values that are the same; in this process only.
        form: Its folded words, a part of a contraction written out.
        clause: The clause that it is in, counted from 0 over the whole text.
    """

    kind: str
    start: int
    end: int
    stem: int
    form: str
    clause: int


def words_of(text: str, spans: Iterable[tuple[int, int]]) -> tuple[str, ...]:
    """Return the words at *spans* of *text*, in their order there, each once whatever its case."""
    words = [text[start:end] for start, end in sorted(spans)]
    return tuple({word.casefold(): word for word in reversed(words) if word.strip()}.values())[::-1]


@cache
def reader() -> LanguageReader:
    """Return the reader of this process. A lexicon is loaded when a text in its language is first read."""
    return LanguageReader(str(_FOLDER))


def read_terms(text: str, *, language: str | None = None) -> list[Term]:
    """
    Return the terms of *text*, left to right. Takes time in proportion to its length.

    Args:
        text: The text.
        language: Its language, one of `LANGUAGES`; None to detect it.

    Raises:
        ValueError: There is no such language.
    """
    return terms_of_rows(reader().terms(text, language=language))


def terms_of_rows(rows: Iterable[tuple[str, int, int, int, str, int]]) -> list[Term]:
    """Return what the reader's *rows* say."""
    # `Term._make` is a call of Python for each of them.
    return list(map(_make_term, rows))


_make_term: Callable[[Iterable[object]], Term] = partial(tuple.__new__, Term)


def read_section(language: str, name: str) -> dict[str, Any]:
    """
    Return the section *name* of the lexicon of *language*, with its subsections.

    The other sections, most of a file, are not parsed.

    Raises:
        FileNotFoundError: There is no such lexicon.
        KeyError: It has no such section.
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
    Return the words and phrases of the list *name* in a section of the lexicon of *language*, of all its groups.

    Raises as `read_section`; none for a list that the section does not have.
    """
    lists = _section(language, section).get(name, "")
    return frozenset(word.replace("_", " ") for word in (lists if isinstance(lists, str) else " ".join(lists)).split())


def one_of(words: Iterable[str]) -> str:
    """Return a regular expression for any of *words*: the longest first, without a group around it."""
    return "|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word))))


_section = lru_cache(maxsize=64)(read_section)


def detect_language(text: str) -> str:
    """Return the language of *text*, one of `LANGUAGES`; "en" for a text that does not show it."""
    return reader().detect(text)


def source_language(text: str) -> str:
    """Return what `detect_language` does, and keep it for the texts that were asked for last."""
    return _language_of(text[:_SAMPLE_CHARS])


_language_of = lru_cache(maxsize=64)(detect_language)


def read_passages(texts: "list[str | None]", *, language: str | None = None) -> ReadPassages:
    """
    Read *texts* once, for claims to be compared with.

    Args:
        texts: The passages; None for one without a text.
        language: Their language, one of `LANGUAGES`; None to detect it from the longest.

    Raises:
        ValueError: There is no such language.
    """
    return reader().passages(texts, language=language)
