"""Kinds of differences between a passage and a quote (ruling A9)."""

import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evidence.differing import differences_between, kinds_between, labelled_quotes
from groundwire.evidence.differences import MEANING, Difference, DifferenceKind, classify


def test_a_difference_says_where_it_is_in_both_texts():
    """Spans are code points of the original texts, and cut out the shown words."""
    source = "Before. She took 15 mg of it."
    assert classify("She took 50 mg", source, 8, 22, [(9, 11, 17, 19)]) == [
        Difference(DifferenceKind.NUMBER, "50 mg", "15 mg", (9, 14), (17, 22))
    ]


@pytest.mark.parametrize(
    ("quote", "passage", "expected"),
    [
        ("she said so", "She said so", "case"),
        ("for  ever", "for ever", "whitespace"),
        ("5mg of it", "5 mg of it", "spelling"),
        ("well known", "well-known", "punctuation"),
        ("“so”", '"so"', "punctuation"),
        ("10000 people", "10,000 people", "spelling"),
        ("it was checked,, and", "it was checked, and", "punctuation"),
        ("there were 5, and", "there were 5 and", "punctuation"),
        ("there were (5) and", "there were 5: and", "punctuation"),
        ("in 1998. Then", "in 1998, Then", "punctuation"),
        ("the pateint", "the patient", "spelling"),
        ("the colour", "the color", "spelling"),
        ("15 people", "fifteen people", "spelling"),
        ("I cannot go", "I can't go", "spelling"),
        ("so um we go", "so we go", "filler"),
        ("so go", "so we go", "word_dropped"),
        ("a small dog", "a clever dog", "wording"),
        ("a dog", "a clever dog", "wording"),
        ("a clever dog", "a dog", "wording"),
        ("who saw it", "that saw it", "word_replaced"),
        ("50 people", "15 people", "number"),
        ("fifty people", "fifteen people", "number"),
        ("5 degrees", "-5 degrees", "number"),
        ("five degrees", "minus five degrees", "number"),
        ("it was five degrees", "it was minus five degrees", "number"),
        ("minus five degrees", "-5 degrees", "spelling"),
        ("BP > 90", "BP < 90", "quantifier"),
        ("1.5 of them", "15 of them", "number"),
        ("took .5 mg", "took 5 mg", "number"),
        ("took 0.5 mg", "took .5 mg", "spelling"),
        ("took -.5 mg", "took .5 mg", "number"),
        ("we saw it .. 5 of us", "we saw it . 5 of us", "punctuation"),
        ("twice a day", "once a day", "number"),
        ("a number of two", "a number of three", "number"),
        ("Louis XVI was", "Louis XIV was", "number"),
        ("5 g a day", "5 mg a day", "unit"),
        ("5 percentage points", "5 percent", "unit"),
        ("3 days", "3 hours", "unit"),
        ("on Tuesday", "on Monday", "date"),
        ("in 1998", "in 1999", "date"),
        ("in May 1998", "in May 1999", "date"),
        ("yesterday we", "tomorrow we", "date"),
        ("at 3 a.m. we", "at 3 p.m. we", "time"),
        ("in May we", "in March we", "date"),
        ("I can go", "I can't go", "negation"),
        ("I do know", "I do not know", "negation"),
        ("it is possible", "it is impossible", "negation"),
        ("it went on", "it went no", "negation"),
        ("with sugar", "without sugar", "negation"),
        ("it will decrease", "it will increase", "negation"),
        ("he is not able", "he is notable", "negation"),
        ("you may pay", "you shall pay", "modal"),
        ("two people", "at least two people", "quantifier"),
        ("you go", "only you go", "quantifier"),
        ("you go if it rains", "you go unless it rains", "condition"),
        ("we met Mary here", "we met Mark here", "name"),
        ("we met Mr. Gray here", "we met Mr. Brown here", "name"),
        ("then we saw Lima", "then we saw Oslo", "name"),
        ("we saw Baden-Lima then", "we saw Baden-Oslo then", "name"),
        ("we saw it - Chairs and all", "we saw it - Tables and all", "wording"),
        ("we saw it--Chairs and all", "we saw it--Tables and all", "name"),
    ],
)
def test_an_edit_has_its_kind(quote, passage, expected):
    """Each change has one kind; meaning takes precedence over form."""
    assert set(kinds_between(quote, passage)) == {expected}


@pytest.mark.parametrize(
    ("quote", "passage", "expected"),
    [
        pytest.param("ich gehe", "ich gehe nicht", "negation", id="de-not"),
        pytest.param("wir haben ein Haus", "wir haben kein Haus", "number", id="de-no"),
        pytest.param("es ist der dritte Mai", "es ist der dritte Juni", "date", id="de-month"),
        pytest.param("zwölf und die anderen", "elf und die anderen", "number", id="de-number"),
        pytest.param("es sind zehntausend Leute", "es sind 10.000 Leute", "spelling", id="de-thousands"),
        pytest.param("avec du sucre dans le thé", "sans du sucre dans le thé", "negation", id="fr-without"),
        pytest.param(
            "nous en avons 95 dans la maison",
            "nous en avons quatre-vingt-quinze dans la maison",
            "spelling",
            id="fr-95",
        ),
        pytest.param("el lunes no está en la casa", "el martes no está en la casa", "date", id="es-weekday"),
        pytest.param("los niños tienen once años", "los niños tienen doce años", "number", id="es-eleven"),
        pytest.param("мы это видели", "мы это не видели", "negation", id="ru-not"),
        pytest.param("в июне", "в июле", "date", id="ru-month"),
        pytest.param("пять рублей", "шесть рублей", "number", id="ru-number"),
        pytest.param("他去了", "他不去了", "negation", id="zh-not"),
        pytest.param("他去了", "他没有去了", "negation", id="zh-have-not"),
        pytest.param("三十人", "三十五人", "number", id="zh-number"),
        pytest.param("35人", "三十五人", "spelling", id="zh-digits"),
        pytest.param("星期一去", "星期二去", "date", id="zh-weekday"),
        pytest.param("之后去", "之前去", "wording", id="zh-opposite"),
        pytest.param("这很错", "这很不错", "wording", id="zh-not-bad"),
        pytest.param("我们去", "不过我们去", "word_dropped", id="zh-however-is-no-not"),
        pytest.param("食べます", "食べません", "negation", id="ja-polite-not"),
        pytest.param("行った", "行かなかった", "negation", id="ja-past-not"),
        pytest.param("明日行く", "昨日行く", "date", id="ja-day"),
        pytest.param("山本さん", "田中さん", "wording", id="ja-title"),
        pytest.param("3 كتب", "٣ كتب", "spelling", id="ar-digits"),
        pytest.param("يمكن أن", "لا يمكن أن", "negation", id="ar-not"),
        pytest.param("في يناير", "في مايو", "date", id="ar-month"),
    ],
)
def test_other_languages(quote, passage, expected):
    """These are negations, numbers and dates of each supported language."""
    assert kinds_between(quote, passage) == [expected]


@pytest.mark.parametrize(
    ("quote", "passage"),
    [
        ("I nevr go", "I never go"),
        ("I do nto go", "I do not go"),
        ("fourten of us", "fourteen of us"),
        ("we onyl go", "we only go"),
        ("we saw Garison there", "we saw Garrison there"),
        ("we saw O’Brein there", "we saw O’Brien there"),
        ("the isnot there", "the is not there"),
        ("on Mondday we", "on Monday we"),
    ],
)
def test_a_typo_that_makes_no_word_is_spelling(quote, passage):
    """A typo inside a number, a negation or a name changes nothing that a reader would believe."""
    assert set(kinds_between(quote, passage)) == {"spelling"}


def test_a_typo_that_makes_another_name_of_the_source_is_a_name():
    """Ruling A9: Kalix for Kalex is a typo if the source has no Kalix."""
    assert kinds_between("then Kalix spoke", "then Kalex spoke") == ["spelling"]
    assert kinds_between("then Kalix spoke", "then Kalex spoke", after=". Kalix did not.") == ["name"]


def test_a_word_that_the_quote_cuts_is_spelling():
    """Quotes may be cut by length; the rest of a word is a typo unless it is a word or part of a name."""
    assert kinds_between("then we saw the garde", "then we saw the gardener") == ["spelling"]
    assert kinds_between("ourteen people", "fourteen people") == ["spelling"]
    assert kinds_between("then we saw Bogu", "then we saw Bogumil") == ["name"]
    assert kinds_between("we can", "we can't") == ["negation"]


def test_a_name_at_the_beginning_of_a_sentence_needs_more_than_its_capital():
    """Every sentence begins with a capital."""
    assert kinds_between("Tables stand there", "Chairs stand there") == ["wording"]
    assert kinds_between("Mary stands there", "Peter stands there") == ["name"]


def test_german_nouns_are_no_names():
    """In German every noun has a capital, so only a title shows a name."""
    assert kinds_between("wir haben das Haus nicht", "wir haben das Auto nicht") == ["wording"]
    assert kinds_between("da ist Herr Weber nicht", "da ist Herr Krause nicht") == ["name"]


def test_function_words_that_moved_are_harmless_and_negations_that_moved_are_not():
    """The position of a negation decides what it negates."""
    assert kinds_between("we then went home", "then we went home") == ["word_added", "word_dropped"]
    assert "negation" in kinds_between("not all of us are here", "all of us are not here")


def test_words_that_changed_places_say_who_does_what():
    """Ruling A17: the same words in another order may mean the opposite."""
    assert set(kinds_between("the dog chased the cat", "the cat chased the dog")) == {"wording"}
    assert set(kinds_between("Mary then called Peter", "Peter then called Mary")) == {"name"}


def test_repeated_negations_count_once():
    """Speakers repeat themselves."""
    assert kinds_between("no no I go", "no I go") == ["filler"]
    assert kinds_between("I do I do not go", "I do not go") == ["filler"]


def test_a_gap_of_several_words_has_the_kind_that_touches_meaning_most():
    """A gap is one difference, and a dropped number decides its kind."""
    found = differences_between("we left", "we bought fifteen houses and left")
    assert [(each.kind.value, each.source_text.strip()) for each in found] == [("number", "bought fifteen houses and")]


def test_a_currency_may_stand_before_or_after_its_number():
    """$5 and 5 dollars are the same; 5 g and 3 mg are not 5 mg and 3 g."""
    assert set(kinds_between("it cost 1,200 dollars then", "it cost $1,200 then")) <= {"spelling", "punctuation"}
    assert kinds_between("take 5 g and 3 mg now", "take 5 mg and 3 g now") == ["unit", "unit"]


def test_the_article_one_is_no_number():
    """One is often an article or a pronoun; compared with another number it counts."""
    assert kinds_between("a dog", "one dog") == ["spelling"]
    assert kinds_between("two dogs", "one dog")[0] == "number"


def test_the_language_decides_what_a_point_means():
    """10.000 is ten thousand in German and ten in English, whether the language is detected or given."""
    assert kinds_between("10000 und die anderen", "10.000 und die anderen") == ["spelling"]
    assert kinds_between("10000 and the others", "10.000 and the others") == ["number"]
    assert kinds_between("10000", "10.000", language="de") == ["spelling"]
    assert kinds_between("10000", "10.000", language="en") == ["number"]


def test_labelled_sentences():
    """Nothing altered passes, and at most one in twenty-five harmless quotes is rejected."""
    missed, refused, harmless = [], [], 0
    for _, passage, quote, label in labelled_quotes():
        found = differences_between(quote, passage, before="Before that. ", after=" After that.")
        is_altered = any(difference.kind in MEANING for difference in found)
        harmless += label == "harmless"
        if is_altered != (label == "altered"):
            (missed if label == "altered" else refused).append(quote)
    assert missed == []
    assert len(refused) <= harmless / 25


TEXTS = st.text(st.sampled_from("aAnot 15.,-%'’<>不没三十ません لم15٣éß\u00ad\n\U0001f600½"), max_size=40) | st.text(
    max_size=40
)


@st.composite
def edited_texts(draw) -> tuple[str, str, int, int, list[tuple[int, int, int, int]]]:
    """Return quote and source, a passage of the source, and any edits between them, in any order."""
    quote, source = draw(TEXTS), draw(TEXTS)
    start, end = sorted([draw(st.integers(0, len(source))), draw(st.integers(0, len(source)))])
    spans = st.tuples(
        st.lists(st.integers(0, len(quote)), min_size=2, max_size=2).map(sorted),
        st.lists(st.integers(start, end), min_size=2, max_size=2).map(sorted),
    )
    return quote, source, start, end, [(*ours, *theirs) for ours, theirs in draw(st.lists(spans, max_size=4))]


@given(edited_texts())
@example(("1" * 2400, "2" * 2400, 0, 2400, [(0, 2400, 0, 2400)]))
@example(("一" * 2400, "億" * 2400, 0, 2400, [(0, 2400, 0, 2400)]))
@example(("\ud800 1", "\udfff 2", 0, 3, [(0, 3, 0, 3)]))
def test_differences_cut_the_texts_from_left_to_right(case):
    """For any texts nothing raises, each edit has a difference, and spans cut the shown words."""
    quote, source, start, end, edits = case
    found = classify(quote, source, start, end, edits)
    assert bool(found) >= bool(edits)
    assert [each.quote_span for each in found] == sorted(each.quote_span for each in found)
    for each in found:
        assert each.quote_text == quote[slice(*each.quote_span)]
        assert each.source_text == source[slice(*each.source_span)]
        assert 0 <= each.quote_span[0] <= each.quote_span[1] <= len(quote)
        assert 0 <= each.source_span[0] <= each.source_span[1] <= len(source)


@pytest.mark.parametrize(
    ("marks", "expected"),
    [
        ((), DifferenceKind.NEGATION),
        (("angle",), DifferenceKind.NEGATION),
        (("angle", "brackets"), DifferenceKind.PUNCTUATION),
    ],
)
def test_words_in_a_removed_tag_do_not_count(marks, expected):
    """A transcriber's note is not spoken text; if brackets are kept, they are text."""
    assert [each.kind for each in differences_between("I see it", "I see [not] it", marks=marks)] == [expected]


@pytest.mark.parametrize("text", ["我" * 1_000_000, "word " * 200_000, "1 " * 500_000, "A " * 500_000])
def test_a_difference_that_is_too_long_to_read_changes_the_meaning(text):
    """Its content is unknown, so it is not accepted; a difference in form needs no reading."""
    assert [each.kind for each in classify(text, "x", 0, 1, [(0, len(text), 0, 1)])] == [DifferenceKind.UNREAD]
    assert DifferenceKind.UNREAD in MEANING
    spaced = text + "\n"
    found = classify(spaced, text, 0, len(text), [(0, len(spaced), 0, len(text))])
    assert [each.kind for each in found] == [DifferenceKind.WHITESPACE]


@pytest.mark.parametrize(("pairs", "expected"), [(300, DifferenceKind.WORDING), (301, DifferenceKind.UNREAD)])
def test_texts_are_compared_up_to_600_words_that_differ(pairs, expected):
    """Many small differences cost as much as a large one, so their total is limited."""
    quote, source = "a cat " * pairs, "a dog " * pairs
    edits = [(start + 2, start + 5, start + 2, start + 5) for start in range(0, len(quote), 6)]
    assert {each.kind for each in classify(quote, source, 0, len(source), edits)} == {expected}


def test_the_types_load_nothing_heavy():
    """Importing the kinds loads no lists and patterns."""
    program = (
        # Measuring coverage reads TOML first.
        "import sys; before = {*sys.modules}\n"
        "import groundwire.evidence.differences\n"
        "print(*{'tomllib'} & {*sys.modules} - before)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []
