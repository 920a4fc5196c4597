"""The language layer: terms of a text, and sections of its lexicons."""

import tomllib
from importlib.resources import files

import pytest

from groundwire._engine import ClaimIndex
from groundwire.language import LANGUAGES, one_of, read_passages, read_section, read_terms, reader, word_list

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
    """Cutting by headers takes exactly the section."""
    assert read_section(language, name) == LEXICONS[language][name]


def test_a_missing_section_is_an_error():
    """It is not replaced with an empty one, and a plain key is no section."""
    for name in ("nothing", "frequent"):
        with pytest.raises(KeyError):
            read_section("en", name)


READ_BY_PYTHON = ("ages", "answers", "clauses", "decisions", "elisions", "fields", "statements")


@pytest.mark.parametrize(("language", "name"), [each for each in SECTIONS if each[1] in READ_BY_PYTHON])
def test_a_section_of_word_lists_names_its_origin(language, name):
    """The licence of the words has to be known."""
    assert read_section(language, name)["origin"] == "own collection"


def test_a_word_list_has_words_and_phrases():
    """Groups are merged, and `_` is the blank of a phrase; no list is empty, and no missing section is accepted."""
    assert {"no longer", "rejected"} <= word_list("en", "decisions", "ended")
    assert {"hardly", "seldom"} <= word_list("en", "polarity", "near_negations")
    assert word_list("de", "answers", "passages") == frozenset()
    with pytest.raises(KeyError):
        word_list("ar", "decisions", "ended")


def test_the_longest_of_several_words_is_tried_first():
    """Signs in words are escaped."""
    assert one_of(["cat", "c.t", "cats"]) == r"cats|c\.t|cat"


def test_terms_have_kinds_places_and_forms():
    """Offsets are those of the text, and contractions are expanded."""
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
    """The message lists the languages with one."""
    with pytest.raises(ValueError, match="language must be one of en, de"):
        read_terms("moi", language="fi")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("born in the 1950s", (1950.0, 1959.0)),
        ("in his early fifties", (50.0, 53.0)),
        ("her late 40s", (47.0, 49.0)),
        ("a pause of 40s", (40.0, 40.0)),
    ],
)
def test_a_decade_is_a_range_of_years(text, expected):
    """Its part counts, if it is named; `40s` alone means seconds."""
    ((kind, _, _, low, high, *_),) = reader().values(text, language="en")
    assert (kind, low, high) == ("number", *expected)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("We like pears.", "content"),
        ("They do not like pears.", "content"),
        ("It tastes like pears.", "preposition"),
        ("She was like, fine.", "preposition"),
    ],
)
def test_like_is_a_verb_behind_a_subject(text, kind):
    """Elsewhere it is a comparison."""
    assert next(term.kind for term in read_terms(text, language="en") if term.form == "like") == kind


def test_a_quotation_mark_in_front_of_a_capital_is_no_part_of_the_word():
    """`'I` is the pronoun, and `'s` after a space a clitic."""
    assert [term.form for term in read_terms("He wrote: 'I know.'", language="en")][-2:] == ["i", "know"]


@pytest.mark.parametrize(
    ("claim", "passage", "status"),
    [
        ("She waters the plants every evening.", "Every evening I water the plants.", "supported"),
        ("She waters the plants.", "Every evening I water the plants.", "supported"),
        ("He has never been there, that is a pity.", "I've never been there, but that is a pity.", "supported"),
        ("He cooks well for guests.", "I cook badly for guests.", "unsupported"),
        ("Fewer than 30 guests came.", "< 30 guests came.", "supported"),
        ("Rune praised Oda.", "Oda praised Rune.", "unsupported"),
    ],
)
def test_statements_of_a_passage(claim, passage, status):
    """Times move freely, negations on both sides cancel, adverbs and roles count (ruling D13)."""
    assert read_passages([passage], language="en").assess(claim)[0][0] == status


def test_claims_are_counted_together_as_each_alone():
    """
    Each claim is compared with each passage; a passage without text has no row, and one with little in common is
    not assessed.
    """
    passages = read_passages(["The ferry was late.", None, "Ana bakes bread."], language="en")
    claims = ["The ferry was not late.", "Ana bakes.", "Nobody came."]
    found = passages.support(claims)
    assert found == [passages.support([claim])[0] for claim in claims]
    assessed = [[row and row[-1] for row in rows] for rows in found]
    assert [[row and row[0] for row in rows] for rows in assessed] == [
        ["contradicted", None, None],
        [None, None, "supported"],
        [None, None, None],
    ]
    assert assessed[0][0] == passages.assess(claims[0], places=[0])[0]


@pytest.mark.parametrize("ask", ["assess", "carriers"])
def test_a_passage_that_is_not_there_is_refused(ask):
    """Passages are numbered from 0."""
    with pytest.raises(ValueError, match="no passage has this index"):
        getattr(read_passages(["The ferry was late."], language="en"), ask)("The ferry.", places=[1])


def test_an_index_counts_behind_labels():
    """Speakers count as words, and all spans are those of the text."""
    said = "Rain fell. The ferry was late on 3 May."
    index = ClaimIndex(reader(), [f"Nora: {said}", "Owls hoot."], language="en", labels=[6, 0])
    ((place, _, row, *_),) = index.nearest("The ferry was late on 5 May.", 9)
    conflict = row[2]
    assert (place, said[slice(*row[3])], said[slice(*conflict[2])]) == (0, "The ferry was late on 3 May.", "3 May")
    terms = index.terms(0, *row[3])
    assert [said[start:end] for _, start, end, *_ in terms] == ["The", "ferry", "was", "late", "on", "3 May"]
    assert index.stems(0, *row[3]) == [term[3] for term in terms]
    assert [said[start:end] for _, start, end, *_ in index.values()[0]] == ["3 May"]
    with pytest.raises(IndexError, match="no text has this index"):
        index.stems(2, 0, 1)
    with pytest.raises(ValueError, match="texts and labels must have the same length"):
        ClaimIndex(reader(), ["Owls hoot."], labels=[])


def test_an_index_finds_the_texts_about_a_claim():
    """The best come first, with their shared words; texts without any are left out (ruling R1)."""
    texts = ["The ferry to Malmö was late.", "Nobody took the ferry.", "Ana bakes bread.", "The ferry was not late."]
    index = ClaimIndex(reader(), texts, language="en")
    found = index.nearest("The ferry was late.", 9)
    assert {place for place, *_ in found} == {0, 1, 3}
    assert [place for place, share, *_ in found if share == 1.0] == [0, 3]
    by_place = {place: (row[0], is_denied) for place, _, row, is_denied, *_ in found}
    assert by_place[0] == ("supported", False)
    assert by_place[3] == ("contradicted", True)
    assert len(index) == 4
    assert index.nearest("The ferry was late.", 1)[0][0] == 0
    assert index.nearest("Owls hoot.", 9) == []
