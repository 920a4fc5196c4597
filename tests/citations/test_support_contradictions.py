"""A number, a date or a denial that the source has otherwise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.citations.support import ContradictionKind, support_of
from groundwire.citations.support_contradictions import ReadClaim, ReadPassage
from groundwire.citations.support_telling import telling_words
from groundwire.evidence.lexicons import load_lexicon
from groundwire.evidence.wording.readings import Languages
from oracles.support import sentences_around_naive

TRIAL = (
    "The trial was started in March 2019 in Oslo. It followed 4,200 patients over five years, and the vaccine "
    "prevented severe illness in 87 percent of them. Side effects did not increase with age. The company increased "
    "its prices in June."
)
STUDY_DE = (
    "Die Studie begann im März 2019 in Oslo. Der Impfstoff senkte die Zahl der schweren Erkrankungen um 87 Prozent."
)
STUDY_FR = "Le médicament réduit la mortalité de 12 pour cent chez les patients âgés."
STUDY_ZH = "该试验于2019年3月开始，疫苗使重症病例减少了87%。副作用没有随年龄增加。"

PLANTED = [
    pytest.param("It followed 2,400 patients over five years.", TRIAL, "number", "2,400", "4,200", id="number"),
    pytest.param(
        "It followed 4,200 patients over six years.", TRIAL, "number", "six years", "five years", id="number in words"
    ),
    pytest.param(
        "The vaccine prevented severe illness in 78% of patients.", TRIAL, "number", "78%", "87 percent", id="percent"
    ),
    pytest.param("The trial was started in March 2018 in Oslo.", TRIAL, "date", "March 2018", "March 2019", id="year"),
    pytest.param("The trial was started in May 2019 in Oslo.", TRIAL, "date", "May 2019", "March 2019", id="month"),
    pytest.param(
        "The company did not increase its prices in June.", TRIAL, "negation", "not", "increased", id="denied"
    ),
    pytest.param("Side effects did increase with age.", TRIAL, "negation", "increase", "not", id="affirmed"),
    pytest.param("Side effects failed to increase severe illness.", TRIAL, None, "", "", id="both deny"),
    pytest.param(
        "The company decreased its prices in June.", TRIAL, "negation", "decreased", "increased", id="opposite"
    ),
    pytest.param(
        "Die Studie begann im März 2020 in Oslo.", STUDY_DE, "date", "März 2020", "März 2019", id="German year"
    ),
    pytest.param(
        "Der Impfstoff senkte die Zahl der schweren Erkrankungen um 78 Prozent.",
        STUDY_DE,
        "number",
        "78 Prozent",
        "87 Prozent",
        id="German number",
    ),
    pytest.param(
        "Le médicament réduit la mortalité de 21 pour cent chez les patients âgés.",
        STUDY_FR,
        "number",
        "21 pour cent",
        "12 pour cent",
        id="French number",
    ),
    pytest.param("疫苗使重症病例减少了78%。", STUDY_ZH, "number", "78%", "87%", id="Chinese number"),
    pytest.param("副作用随年龄增加。", STUDY_ZH, "negation", None, None, id="Chinese denial"),
]


@pytest.mark.parametrize(("claim", "passage", "kind", "written", "meant"), PLANTED)
def test_planted_contradictions_are_found(claim, passage, kind, written, meant):
    """What was changed in a supported claim is found, with its place on both sides."""
    found = support_of(claim, [passage]).passages[0].contradiction
    assert (found and found.kind) == kind
    if found is not None and written is not None:
        assert claim[found.claim_start : found.claim_end] == written
        assert passage[found.passage_start : found.passage_end] == meant


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        pytest.param("It followed 4200 patients over 5 years.", TRIAL, id="another way to write it"),
        pytest.param("About 4,000 patients were followed over five years.", TRIAL, id="a round number"),
        pytest.param("More than 4,000 patients were followed over five years.", TRIAL, id="a bound"),
        pytest.param("The side effects did not increase with age.", TRIAL, id="both deny"),
        pytest.param("No increase of side effects with age was seen.", TRIAL, id="denied in other words"),
        pytest.param("The vaccine not only prevented severe illness in patients.", TRIAL, id="not only"),
        pytest.param("The garden has 17 kinds of roses and no tulips.", TRIAL, id="another matter"),
        pytest.param("It followed 4,200 patients [17] over five years.", TRIAL, id="a reference is no number"),
        pytest.param("The study started in 2019, and 87 percent were spared severe illness.", TRIAL, id="paraphrase"),
        pytest.param("疫苗使重症病例减少了87%。", STUDY_ZH, id="Chinese, the same"),
    ],
)
def test_what_agrees_contradicts_nothing(claim, passage):
    """The same value in other words, a round number, and what is not comparable."""
    assert support_of(claim, [passage]).contradictions == (None,)


def test_a_contradiction_halves_the_score():
    """The source speaks of the same, and says otherwise."""
    right, wrong = (
        support_of(f"Side effects did {word}increase with age.", [TRIAL]).passages[0] for word in ("not ", "")
    )
    assert wrong.contradiction.kind is ContradictionKind.NEGATION
    assert wrong.score == pytest.approx(right.score / 2)


def test_the_sentence_around_is_read():
    """The number may stand outside the stretch that the claim's words cover."""
    start = TRIAL.index("trial")
    stretch = ReadPassage(TRIAL), start, start + len("trial was started")
    (found,) = ReadClaim("The trial was started in March 2017.").contradictions([stretch])
    assert TRIAL[found.passage_start : found.passage_end] == "2019"


@pytest.mark.parametrize("span", [(0, 0), (0, 10**7), (50, 60)], ids=str)
def test_only_so_much_is_read(span):
    """A stretch of any length in a text of any length takes bounded time."""
    text = "The trial followed 4,200 patients over five years, not six. " * 20_000
    claim = ReadClaim("The trial followed 4,200 patients over five years, not six. " * 1000)
    assert claim.contradictions([(ReadPassage(text), *span)]) == [None]


WORDS = [
    *("trial", "vaccine", "prevented", "illness", "increase", "increased", "decreased", "company", "patients"),
    *("marches", "not", "no", "never", "didn't", "can’t", "cannot", "fails", "only", "without", "nicht"),
    *("keine", "ne", "pas", "n’est", "4,200", "87", "%", "2019", "March", "may", "May", "five"),
    *("two hundred and five", "3.5", "million", "mg", "$", "p.m.", "-5", ".", ".", ",", ";", "\n", "(", ")"),
    *("“", "”", "…", "[1]", "Ka-27", "don`t", "<laughs>", "snake_case", "\x01", "\x1f", "Müller", "für"),
    *("Größe", "ﬁnal", "ŉot", "İstanbul", "ＭＡＲＣＨ", "co\xadoperate", "na\u0308ive", "nicht.", "x²", "donʼt"),
    *("疫苗", "减少了", "不", "三月", "87%。", "не", "увеличилось", "من", "لا", "\u304b\u3099", "🙂"),
]
ANY_SENTENCES = st.one_of(
    st.lists(st.sampled_from(WORDS[:12]), min_size=3, max_size=14).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=40).map("".join),
    st.text(max_size=60),
)


@given(st.data())
def test_what_is_ruled_out_is_not_there(data):
    """The engine leaves out only what reading would not find, and means the same sentences."""
    passage = data.draw(ANY_SENTENCES)
    claim = data.draw(st.one_of(ANY_SENTENCES, st.just(passage)))
    for word in data.draw(st.lists(st.sampled_from(WORDS), max_size=2)):
        place = data.draw(st.integers(0, len(claim)))
        claim = f"{claim[:place]} {word} {claim[place:]}"
    start = data.draw(st.integers(0, len(passage)))
    end = data.draw(st.integers(start, len(passage)))
    around = sentences_around_naive(passage, start, end)
    expected = ReadClaim(claim).read(ReadPassage(passage), *around)
    assert ReadClaim(claim).contradictions([(ReadPassage(passage), start, end)]) == [expected]
    found = telling_words(Languages(claim).latin).sentences_to_read(claim, [(passage, start, end)])
    assert found in ([around], [None])


def test_most_pairs_are_not_read():
    """Plain sentences that deny nothing and count nothing are ruled out, and so is another matter."""
    words = telling_words(load_lexicon("en"))
    plain, other = "The tower stands beside the river.", "The tower was never sold, they say, in the old village"
    stretches = [(text, 0, len(text)) for text in (plain, other, TRIAL)]
    assert words.sentences_to_read("The tower stands beside the lake and the river.", stretches) == [None] * 3
    assert words.sentences_to_read("The tower of the village was sold.", stretches) == [None, (0, len(other)), None]
    # Two words have no two neighbours in common.
    assert words.sentences_to_read("The tower was sold.", stretches) == [None] * 3


@pytest.mark.parametrize("span", [(10**9, 10**9), (5, 2), (2**63, 2**64 - 1)], ids=str)
def test_a_stretch_beyond_the_passage_is_none_of_it(span):
    """Offsets that no text has are no fault, whatever they are."""
    found = telling_words(load_lexicon("en")).sentences_to_read("It was not so.", [("It was so.", *span)])
    assert found in ([None], [(0, 10)])


@pytest.mark.parametrize("stretches", [["text"], [("text", -1, 2)], [(b"text", 0, 1)], None], ids=repr)
def test_stretches_of_another_type_are_refused(stretches):
    """The message names types, not texts."""
    with pytest.raises((TypeError, OverflowError)) as caught:
        telling_words(load_lexicon("en")).sentences_to_read("A claim.", stretches)
    assert "text" not in str(caught.value).replace("context", "")
