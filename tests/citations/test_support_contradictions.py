"""A number, a date or a denial that the source has otherwise."""

import pytest

from groundwire.citations.support import ContradictionKind, support_of
from groundwire.citations.support_contradictions import ReadClaim, ReadPassage

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
    pytest.param("It followed 4,200 patients over six years.", TRIAL, "number", "six", "five", id="number in words"),
    pytest.param("The vaccine prevented severe illness in 78% of patients.", TRIAL, "number", "78", "87", id="percent"),
    pytest.param("The trial was started in March 2018 in Oslo.", TRIAL, "date", "2018", "2019", id="year"),
    pytest.param("The trial was started in May 2019 in Oslo.", TRIAL, "date", "May", "March", id="month"),
    pytest.param(
        "The vaccine did not prevent severe illness in patients.", TRIAL, "negation", "not", "prevented", id="denied"
    ),
    pytest.param(
        "Side effects did increase with the age of patients.", TRIAL, "negation", "increase", "not", id="affirmed"
    ),
    pytest.param("Side effects failed to increase severe illness.", TRIAL, None, "", "", id="both deny"),
    pytest.param(
        "The company decreased its prices in June.", TRIAL, "negation", "decreased", "increased", id="opposite"
    ),
    pytest.param("Die Studie begann im März 2020 in Oslo.", STUDY_DE, "date", "2020", "2019", id="German year"),
    pytest.param(
        "Der Impfstoff senkte die Zahl der schweren Erkrankungen um 78 Prozent.",
        STUDY_DE,
        "number",
        "78",
        "87",
        id="German number",
    ),
    pytest.param(
        "Le médicament réduit la mortalité de 21 pour cent chez les patients âgés.",
        STUDY_FR,
        "number",
        "21",
        "12",
        id="French number",
    ),
    pytest.param("疫苗使重症病例减少了78%。", STUDY_ZH, "number", "78", "87", id="Chinese number"),
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
    found = ReadClaim("The trial was started in March 2017.").contradiction(
        ReadPassage(TRIAL), start, start + len("trial was started")
    )
    assert TRIAL[found.passage_start : found.passage_end] == "2019"


@pytest.mark.parametrize("span", [(0, 0), (0, 10**7), (50, 60)], ids=str)
def test_only_so_much_is_read(span):
    """A stretch of any length in a text of any length takes bounded time."""
    text = "The trial followed 4,200 patients over five years, not six. " * 20_000
    claim = ReadClaim("The trial followed 4,200 patients over five years, not six. " * 1000)
    assert claim.contradiction(ReadPassage(text), *span) is None
