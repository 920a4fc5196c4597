"""
The word lists of the guarded layer, one TOML file for each language.

A list is one string of words between spaces, `_` for the space inside a
phrase; lists of lists are groups of words that mean the same, or pairs of
opposites. All entries are NFKC and lower case. A file is read when a quote in
its language first needs it.
"""

from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Mapping, Set
    from typing import Any

__all__ = ["LANGUAGES", "LATIN", "Lexicon", "latin_language", "load_lexicon"]

LATIN = ("en", "de", "fr", "es")
LANGUAGES = (*LATIN, "ru", "ar", "zh", "ja")


class Lexicon:
    """
    What the words of one language mean to a quote.

    `meanings` has one entry a word: its category ("number", "scale", "unit",
    "date", "negation", "modal") and the value by which two words are compared;
    of two categories of one word the first of that order is kept. A date
    that is another word in small letters (May) has its capital. `phrases` are
    the entries of several words, with a space between them.
    """

    __slots__ = (
        "capitalised_dates",
        "clock",
        "conditions",
        "contractions",
        "decimal_mark",
        "denials",
        "digits",
        "given_names",
        "has_capitals",
        "has_ordinal_points",
        "interjections",
        "joined",
        "joiners",
        "language",
        "limiter_beginnings",
        "limiters",
        "meanings",
        "minus",
        "names_by_case",
        "negations",
        "opposites",
        "phrases",
        "prefixes",
        "scales",
        "singles",
        "suffixes",
        "telling",
        "telling_in_rows",
        "terms",
        "titles",
        "titles_after",
        "words",
    )

    def __init__(self, tables: "Mapping[str, Any]") -> None:
        """Compile the tables of one file."""

        def words(name: str) -> frozenset[str]:
            return frozenset(tables.get(name, "").split())

        names = tables.get("names", {})
        self.language: str = tables["language"]
        self.names_by_case: bool = tables["names_by_case"]
        self.has_capitals = self.language not in ("ar", "zh", "ja")
        # Letters that are words of their own, written onto the next word.
        self.joined = "وف" if self.language == "ar" else ""
        self.decimal_mark: str = tables["decimal_mark"]
        self.has_ordinal_points: bool = tables.get("ordinal_points", False)
        self.minus: str = tables.get("minus", "")
        self.digits: str = tables.get("digits", "")
        self.contractions: dict[str, list[str]] = {
            word: parts.split() for word, parts in tables.get("contractions", {}).items()
        }
        self.words = words("words")
        self.negations = words("negations")
        self.limiters = frozenset(_entries(tables["limiters"]))
        self.interjections = words("interjections")
        self.joiners = words("joiners")
        self.singles = words("singles")
        self.capitalised_dates = words("capitalised_dates")
        self.clock = words("clock")
        self.titles = frozenset(names.get("titles", "").split())
        self.titles_after: tuple[str, ...] = tuple(names.get("titles_after", "").split())
        self.given_names = frozenset(names.get("given", "").split())
        self.prefixes = tuple(tables.get("prefixes", "").split())
        self.suffixes = tuple(tables.get("suffixes", "").split())
        self.opposites = _opposites(tables["opposites"])
        self.conditions = _entries(tables["conditions"])
        self.meanings = _meanings(tables)
        self.phrases = tuple(entry for entry in self.meanings if " " in entry)
        # What may deny alone, and the words that limiters begin with: no other word restricts.
        negations = {entry for entry, (category, _) in self.meanings.items() if category == "negation"}
        self.denials = frozenset(negations.union(self.contractions))
        self.limiter_beginnings = frozenset(entry.partition(" ")[0] for entry in self.limiters)
        # What may mean something alone, or in a row of several words.
        self.telling = frozenset({*self.meanings, *self.contractions, *self.capitalised_dates, self.minus})
        self.telling_in_rows = self.telling.union(*(phrase.split() for phrase in self.phrases))
        self.scales: dict[str, int] = tables["scales"]
        self.terms = _term_finder(tables, self.meanings) if "digits" in tables else None


def _entries(words: str) -> tuple[str, ...]:
    """The entries of a list, the longest first, so that a phrase wins over its beginning."""
    return tuple(sorted((entry.replace("_", " ") for entry in words.split()), key=lambda entry: (-len(entry), entry)))


def _groups(groups: "Iterable[str]") -> dict[str, str]:
    """Each word of each group to the group's first, which stands for it."""
    pairs = ((entries.split()[0], entry.replace("_", " ")) for entries in groups for entry in entries.split())
    return {entry: first for first, entry in pairs}


def _meanings(tables: "Mapping[str, Any]") -> dict[str, tuple[str, object]]:
    """All categories in one table; the later ones give way."""
    meanings: dict[str, tuple[str, object]] = {}
    capitalised = {date: date.capitalize() for date in tables.get("capitalised_dates", "").split()}
    compounds = _compounds(tables["numbers"], **tables["compounds"]) if "compounds" in tables else {}
    dates = _groups([*tables["months"], *tables["days"]])
    for category, entries in (
        ("number", tables["numbers"] | compounds),
        ("scale", tables["scales"]),
        ("unit", _groups(tables["units"])),
        ("date", {capitalised.get(date, date): first for date, first in dates.items()}),
        ("negation", dict.fromkeys(_entries(tables["negations"]), "not")),
        ("modal", {entry: entry.replace("ß", "ss") for entry in _entries(tables["modals"] + " " + tables["limiters"])}),
    ):
        for entry, value in entries.items():
            meanings.setdefault(entry, (category, value))
    return meanings


def _opposites(pairs: "Iterable[tuple[str, str]]") -> dict[str, set[str]]:
    """The opposites of each word, in the same inflected form where both are regular."""
    opposites: dict[str, set[str]] = {}
    for pair in pairs:
        for one, other in (pair, pair[::-1]):
            for ending in ("", "s", "d", "ed", "ing"):
                opposites.setdefault(one + ending, set()).add(other + ending)
            if one.endswith("e") and other.endswith("e"):
                opposites.setdefault(f"{one[:-1]}ing", set()).add(f"{other[:-1]}ing")
    return opposites


def _compounds(numbers: "Mapping[str, int]", ones: str, joiner: str, tens: str, scales: str) -> dict[str, int]:
    """The numbers that a language writes in one word, ones first: German 21 to 99, and whole hundreds and thousands."""
    below = {
        one + joiner + ten: 10 * decade + unit
        for decade, ten in enumerate(tens.split(), start=2)
        for unit, one in enumerate(ones.split(), start=1)
    }
    small = below | {word: value for word, value in numbers.items() if value >= 1} | {ones.split()[0]: 1}
    hundred, thousand = scales.split()
    whole = {word + hundred: 100 * value for word, value in small.items() if value < 10}
    return below | whole | {word + thousand: 1000 * value for word, value in (small | whole).items()}


def _term_finder(tables: "Mapping[str, Any]", meanings: "Iterable[str]") -> "re.Pattern[str]":
    """Find the terms of an unspaced language in a run of characters: idioms, entries and numerals, longest first."""
    import re

    idioms = tables["idioms"].split()
    numerals = f"{tables.get('number_prefixes', '')}?[{tables['digits']}{''.join(tables['scales'])}]+"
    terms = sorted({*idioms, *meanings} - set(tables["scales"]), key=len, reverse=True)
    # An idiom comes first even where an entry is as long.
    longest = sorted(terms, key=lambda term: (-len(term), term not in idioms))
    return re.compile("|".join(map(re.escape, longest)) + "|" + numerals)


@cache
def load_lexicon(language: str) -> Lexicon:
    """
    Return the lists of *language*, one of `LANGUAGES`; read once.

    Raises:
        FileNotFoundError: There is no such language.
    """
    import tomllib
    from importlib.resources import files

    return Lexicon(tomllib.loads(files(__name__).joinpath(f"{language}.toml").read_text(encoding="utf-8")))


def latin_language(words: "Set[str]") -> str:
    """
    Return the language of `LATIN` that most of *words* are frequent words of.

    Of equal ones, and without any, the first in that order: English.
    """
    return max(LATIN, key=lambda language: len(words & load_lexicon(language).words))
