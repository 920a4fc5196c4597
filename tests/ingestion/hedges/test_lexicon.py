"""The lexicons of hedges: the content of every section, and that all of it is read."""

import re
import tomllib
import unicodedata
from importlib.resources import files

import pytest

from groundwire.ingestion.hedges import HedgeCategory
from groundwire.ingestion.hedges.lexicon import LANGUAGES, load_lexicon

NAMES = (*LANGUAGES, "scientific")


def tables_of(name: str) -> dict:
    """Return the hedges of a lexicon as written."""
    language, section = ("en", name) if name == "scientific" else (name, "hedging")
    path = files("groundwire.language").joinpath("lexicons", f"{language}.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))[section]


def test_every_section_is_a_lexicon_that_can_be_asked_for():
    """No section is unused."""
    folder = files("groundwire.language").joinpath("lexicons")
    written = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in folder.iterdir() if path.suffix == ".toml"}
    assert {language for language, tables in written.items() if "hedging" in tables} == set(LANGUAGES)
    assert [language for language, tables in written.items() if "scientific" in tables] == ["en"]


@pytest.mark.parametrize("name", NAMES)
def test_a_section_names_its_origin(name):
    """The licence of the words has to be known."""
    assert tables_of(name)["origin"].startswith("own collection")


@pytest.mark.parametrize("name", NAMES)
def test_a_section_has_known_keys_only(name):
    """A misspelt key would be a rule that is never applied."""
    tables = tables_of(name)
    assert set(tables) <= {"origin", "parts", "groups"}
    assert {key for group in tables["groups"] for key in group} <= {"category", "words", "only", "unless"}


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_language_has_all_printed_categories(name):
    """Each lexicon has all five categories, so each leads to every action."""
    categories = {entry.category for entry in load_lexicon(name)} - {None}
    assert categories == set(HedgeCategory) - {HedgeCategory.SCIENTIFIC}


@pytest.mark.parametrize("name", NAMES)
def test_words_are_written_as_they_are_searched(name):
    """They are folded, with single blanks and straight apostrophes; another spelling would never be found."""
    for entry in load_lexicon(name):
        words = entry.words
        assert words == unicodedata.normalize("NFKC", words.lower()).strip()
        assert not re.search(r"[{}\\*_\u2019]|\s\s|[^\S ]", words)


@pytest.mark.parametrize("name", NAMES)
def test_expressions_can_be_compiled_and_match_their_words(name):
    """All placeholders are filled in, and the text at a cue begins like a word of its group."""
    for entry in load_lexicon(name):
        if entry.context is not None:
            for expression in (*entry.context.only, *entry.context.unless):
                expression.matches(f"beside {entry.words} beside", len("beside "))
                assert re.compile(expression.left or "x")
                assert not re.search(r"<[a-z]+>|@", expression.left + expression.right)
