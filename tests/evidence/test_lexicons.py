"""The word lists: what every file holds, and that all of it is told."""

import tomllib
import unicodedata
from collections.abc import Iterator
from importlib.resources import files

import pytest

from groundwire.evidence.lexicons import LANGUAGES, Lexicon, latin_language, load_lexicon
from groundwire.evidence.wording.readings import Languages, Reading

SHARED = {"language", "origin", "names_by_case", "decimal_mark", "negations", "interjections", "modals", "limiters"} | {
    "conditions",
    "prefixes",
    "suffixes",
    "opposites",
    "months",
    "days",
    "units",
    "scales",
    "singles",
    "numbers",
    "names",
}
SPACED = {"words", "contractions", "capitalised_dates", "clock", "joiners", "minus"}
UNSPACED = {"idioms", "digits", "number_prefixes"}


def tables_of(language: str) -> dict:
    """The file of a language as it is written."""
    return tomllib.loads(files("groundwire.evidence.lexicons").joinpath(f"{language}.toml").read_text(encoding="utf-8"))


def strings(value: object) -> Iterator[str]:
    """All entries at any depth."""
    if isinstance(value, str):
        yield from value.split()
    elif isinstance(value, dict):
        yield from value
        for part in value.values():
            yield from strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings(part)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_file_has_all_categories_and_no_other(language):
    """A category that nobody reads would look as if it meant something."""
    kinds = UNSPACED if language in ("zh", "ja") else SPACED
    assert set(tables_of(language)) - {"compounds", "ordinal_points"} == SHARED | kinds


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_file_names_its_origin(language):
    """Whoever ships the lists knows whose they are."""
    tables = tables_of(language)
    assert (tables["language"], tables["origin"]) == (language, "own list")


@pytest.mark.parametrize("language", LANGUAGES)
def test_entries_are_folded(language):
    """Words are looked up in NFKC and small letters, so others would never be found."""
    tables = tables_of(language)
    entries = [entry for name, value in tables.items() if name != "origin" for entry in strings(value)]
    assert [entry for entry in entries if unicodedata.normalize("NFKC", entry).lower() != entry] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_list_has_an_entry_twice(language):
    """A second entry is a slip in the list: one of the two says nothing."""
    tables = tables_of(language)
    lists = {name: value.split() for name, value in tables.items() if isinstance(value, str) and name != "origin"}
    lists |= {name: list(strings(tables[name])) for name in ("months", "days", "units")}
    lists |= {name: list(strings(value)) for name, value in tables["names"].items()}
    lists["opposites"] = [tuple(sorted(pair)) for pair in tables["opposites"]]
    twice = {name: {entry for entry in entries if entries.count(entry) > 1} for name, entries in lists.items()}
    assert {name: entries for name, entries in twice.items() if entries} == {}


def read(language: str, entry: str, *, after_number: bool = False) -> Reading:
    """What an entry means where its language is spoken."""
    languages = Languages("")
    unspaced = load_lexicon(language if language in ("zh", "ja") else "zh")
    languages._latin, languages._unspaced = load_lexicon(language), unspaced
    return languages.read(entry.split(), after_number=after_number)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entry_is_told(language):
    """Every word of a category changes the reading of a text, unless one of an earlier category has it."""
    lexicon: Lexicon = load_lexicon(language)
    silent = [entry for entry in lexicon.meanings if read(language, entry, after_number=True).is_blank()]
    assert silent == []


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("the man and the woman have gone to their house", "en"),
        ("der mann und die frau sind nach hause gegangen", "de"),
        ("les enfants sont avec leur mère dans la maison", "fr"),
        ("los niños están con su madre en la casa", "es"),
        ("", "en"),
    ],
)
def test_frequent_words_tell_the_language(words, expected):
    """Latin letters alone do not say whether "once" is a number."""
    assert latin_language(set(words.split())) == expected


def test_an_unknown_language_has_no_lists():
    """A misspelt language does not fall back to another."""
    with pytest.raises(FileNotFoundError):
        load_lexicon("xx")
