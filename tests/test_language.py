"""The face of the language layer: terms of a text, and sections of its lexicons."""

import tomllib
from importlib.resources import files

import pytest

from groundwire.language import LANGUAGES, read_section, read_terms

LEXICONS = {
    language: tomllib.loads(
        files("groundwire.language").joinpath("lexicons", f"{language}.toml").read_text(encoding="utf-8")
    )
    for language in LANGUAGES
}
SECTIONS = [(language, name) for language in LANGUAGES for name in LEXICONS[language]]


@pytest.mark.parametrize(
    ("language", "name"), [each for each in SECTIONS if isinstance(LEXICONS[each[0]][each[1]], dict)]
)
def test_a_section_alone_is_that_of_the_whole_file(language, name):
    """The cut by headers takes all of a section, and nothing else."""
    assert read_section(language, name) == LEXICONS[language][name]


def test_a_section_that_is_not_there_is_an_error():
    """No empty section in its place, and a plain key is none."""
    for name in ("nothing", "frequent"):
        with pytest.raises(KeyError):
            read_section("en", name)


def test_terms_have_kinds_places_and_forms():
    """Offsets are those of the text, and a contraction is written out."""
    text = "Dr. Weber doesn't keep 15 minutes"
    found = [(term.kind, text[term.start : term.end], term.form) for term in read_terms(text)]
    assert found[0] == ("title", "Dr", "dr")
    assert found[1] == ("name", "Weber", "weber")
    assert found[3][0] == "negation"
    assert found[3][2] == "not"
    assert found[-1][:2] == ("number", "15 minutes")


def test_forms_of_one_word_and_equal_values_share_the_stem():
    """Two dozen is 24."""
    walks, walked, dozen = (read_terms(text)[-1].stem for text in ("she walks", "she walked", "it has two dozen"))
    assert walks == walked
    assert dozen == read_terms("it has 24")[-1].stem != walks


def test_a_language_without_a_lexicon_is_refused():
    """The message names those that have one."""
    with pytest.raises(ValueError, match="language must be one of en, de"):
        read_terms("moi", language="fi")
