"""The lexicons of hedges: what every file holds, and that all of it is read."""

import re
import tomllib
import unicodedata
from importlib.resources import files

import pytest

from groundwire.ingestion.hedges.lexicon import LANGUAGES, load_lexicon
from groundwire.ingestion.hedges.results import HedgeCategory

NAMES = (*LANGUAGES, "scientific")


def tables_of(name: str) -> dict:
    """The file of a lexicon as it is written."""
    return tomllib.loads(files("groundwire.ingestion.lexicons").joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def test_every_file_is_a_lexicon_that_can_be_asked_for():
    """No file lies about that nobody reads."""
    folder = files("groundwire.ingestion.lexicons")
    assert {path.name for path in folder.iterdir() if path.name.endswith(".toml")} == {f"{name}.toml" for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_a_file_names_its_origin(name):
    """Whoever ships the words knows whose they are."""
    tables = tables_of(name)
    assert tables["language"] == ("en" if name == "scientific" else name)
    assert tables["origin"].startswith("own collection")


@pytest.mark.parametrize("name", NAMES)
def test_a_file_has_known_keys_only(name):
    """A misspelt key would be a rule that nobody applies."""
    tables = tables_of(name)
    assert set(tables) <= {"language", "origin", "parts", "groups"}
    assert {key for group in tables["groups"] for key in group} <= {"category", "words", "only", "unless"}


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_language_has_all_printed_categories(name):
    """Each lexicon knows all five categories, so each leads to every action."""
    categories = {entry.category for entry in load_lexicon(name)} - {None}
    assert categories == set(HedgeCategory) - {HedgeCategory.SCIENTIFIC}


@pytest.mark.parametrize("name", NAMES)
def test_words_are_written_as_they_are_searched(name):
    """Folded, with single blanks and straight apostrophes: another spelling would never be found."""
    for entry in load_lexicon(name):
        words = entry.words
        assert words == unicodedata.normalize("NFKC", words.lower()).strip()
        assert not re.search(r"[{}\\*_\u2019]|\s\s|[^\S ]", words)


@pytest.mark.parametrize("name", NAMES)
def test_expressions_can_be_compiled_and_match_their_words(name):
    """Parts are all filled in, and what stands at the cue begins as one of the group's words may."""
    for entry in load_lexicon(name):
        if entry.surroundings is not None:
            for expression in (*entry.surroundings.only, *entry.surroundings.unless):
                expression.matches(f"beside {entry.words} beside", len("beside "))
                assert re.compile(expression.left or "x")
                assert not re.search(r"<[a-z]+>|@", expression.left + expression.right)
