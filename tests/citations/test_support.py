"""Support of claims by sources: scores, quotes, and claims that cannot be compared."""

import random
import subprocess
import sys
from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.citations import assess_citations
from groundwire.citations.risk_rules import RiskThresholds
from groundwire.citations.support import ContradictionKind, Passages, QuoteCheck, support_of
from groundwire.support_score import FEATURES, SupportScore

LIMITS = RiskThresholds()

TOWER = (
    "The Eiffel Tower is a wrought-iron lattice tower in Paris. It was completed in March 1889 after two years of "
    "work. The tower is 330 metres tall and weighs about 10,100 tonnes. Visitors are not allowed to climb the outer "
    "structure."
)
APIXABAN = (
    "Apixaban reduces the risk of stroke in patients with atrial fibrillation. The usual dose is 5 mg twice daily. "
    "Patients over 80 years of age with a low body weight should take 2.5 mg instead."
)
MUSHROOMS = "Chanterelles grow in forests from July to October and are best collected on dry days, with a small knife."

ANY_TEXT = st.text(st.characters(codec=None), max_size=80)


def sentences(text: str) -> list[str]:
    """Return the sentences of one of the passages above."""
    return [f"{sentence.rstrip('.')}." for sentence in text.split(". ")]


@pytest.mark.parametrize("passage", [TOWER, APIXABAN], ids=["tower", "apixaban"])
def test_a_passage_supports_its_own_sentences(passage):
    """The passage that contains a sentence supports it, and no other passage does."""
    for sentence in sentences(passage):
        support = support_of(sentence, [MUSHROOMS, passage])
        assert support.best == 1
        assert support.statuses == ("unsupported", "supported")
        assert support.scores[0] < LIMITS.weak_from <= support.scores[1]
        assert support.contradictions == (None, None)


def test_another_source_supports_a_claim_better():
    """A misattributed claim shows in the scores: the cited source supports nothing, the other one everything."""
    support = support_of("The usual dose of apixaban is 5 mg twice daily.", [TOWER, APIXABAN])
    assert support.statuses == ("unsupported", "supported")
    assert support.scores[1] > support.scores[0]


def test_passages_may_be_compared_one_by_one():
    """The result is the same whichever passages are compared first."""
    claims = ["The usual dose of apixaban is 10 mg twice daily.", "The tower is 330 metres tall."]
    texts = [TOWER, None, APIXABAN, MUSHROOMS]
    at_once = Passages(texts).support(claims)
    later = Passages(texts).support(claims, [[2], []])
    for one, other in zip(at_once, later, strict=True):
        assert [other.status(place) for place in (2, 0, 1, 3)] == [one.status(place) for place in (2, 0, 1, 3)]
        assert (other.passages, other.scores, other.contradictions) == (one.passages, one.scores, one.contradictions)
        assert other.missing(2) == one.missing(2)
    with pytest.raises(ValueError, match="no passage has this index"):
        Passages(texts).support(claims, [[4], []])
    with pytest.raises(ValueError, match="claims and places must have the same length"):
        Passages(texts).support(claims, [[0]])


def test_words_without_a_counterpart_are_listed():
    """Ruling D13: the words that the cited passage lacks are in the claim's order; a supported claim has none."""
    assert support_of("The usual dose of apixaban is 5 mg twice daily.", [APIXABAN]).missing(0) == ()
    answer = "The usual dose of apixaban is 5 mg twice daily, swallowed with honey by pilots [a]."
    (claim,) = assess_citations(answer, [{"id": "a", "content": APIXABAN}]).claims
    assert claim.status == "weak"
    assert [word for word in claim.missing if word in ("swallowed", "honey", "pilots")] == [
        "swallowed",
        "honey",
        "pilots",
    ]
    assert "apixaban" not in claim.missing


def test_a_score_is_the_probability_of_its_features():
    """The model is an intercept and a coefficient for each feature."""
    support = support_of("Visitors are allowed to climb the outer structure in Lyon.", [TOWER])
    passage = support.passages[0]
    assert (passage.names_missing, passage.numbers_missing, passage.status) == (1, 0, "unsupported")
    model = SupportScore.shipped()
    values = (passage.words, passage.phrases, passage.topics, log(2), 0.0, 1.0, 0.0, 0.0)
    odds = model.intercept + sum(one * other for one, other in zip(model.coefficients, values, strict=True))
    assert passage.score == pytest.approx(1 / (1 + exp(-odds)))


def test_each_feature_moves_the_score_in_its_direction():
    """More words, phrases and topics never lower a score; missing or contradicted terms never raise it."""
    coefficients = dict(zip(FEATURES, SupportScore.shipped().coefficients, strict=True))
    lowering = {"names", "numbers", "details", "contradicted"}
    assert all((value <= 0.0) == (name in lowering) for name, value in coefficients.items())


def test_a_contradiction_lowers_the_score():
    """The result has the span of the contradiction, which lowers the score."""
    claims = [f"Visitors are {denial}allowed to climb the outer structure." for denial in ("not ", "")]
    same, other = (support_of(claim, [TOWER]).passages[0] for claim in claims)
    assert (same.status, other.status) == ("supported", "contradicted")
    assert other.contradiction.kind is ContradictionKind.NEGATION
    assert other.score < same.score


def test_missing_names_and_numbers_lower_the_score():
    """The score is lower if the source lacks the claim's number and name; missing terms are counted."""
    claim = "The usual dose of Apixaban is {} mg twice daily in {}, says the label."
    right, wrong = (
        support_of(claim.format(*words), [APIXABAN + " So in Norway."]) for words in ((5, "Norway"), (7, "Sweden"))
    )
    assert (right.passages[0].names_missing, right.passages[0].numbers_missing) == (0, 0)
    assert (wrong.passages[0].names_missing, wrong.passages[0].numbers_missing) == (1, 1)
    assert wrong.scores[0] < right.scores[0]


def test_several_passages_carry_the_terms_of_a_claim():
    """The result lists the passages with each term; a term in no passage shows missing support."""
    claim = "Apixaban reduces the risk of stroke, and chanterelles grow in Norway."
    support = support_of(claim, [MUSHROOMS, None, APIXABAN])
    carried = {claim[each.start : each.end]: each.passages for each in support.carriers()}
    assert (carried["stroke"], carried["chanterelles"], carried["Norway"]) == ((2,), (0,), ())
    assert {each.passages for each in support.carriers([2])} == {(2,), ()}
    with pytest.raises(ValueError, match="no passage has this index"):
        support.carriers([3])


def test_quotes_are_looked_for():
    """A quote of three words or more is found in any typography."""
    claim = "The label says that “should take 2.5  mg instead” holds for the old, and 'never with grapefruit juice'."
    support = support_of(claim, [TOWER, APIXABAN])
    first, second = support.quotes
    assert claim[first.start : first.end] == "should take 2.5  mg instead"
    assert first.found_in == (1,)
    assert second == QuoteCheck(second.start, second.end, ())


def test_a_word_in_quotation_marks_is_no_quote():
    """Terms and titles in quotation marks are not quotes."""
    assert support_of("The “Eiffel Tower” is in Paris.", [TOWER]).quotes == ()


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        pytest.param("The tower is tall.", None, id="no text"),
        pytest.param("The tower is tall.", "", id="an empty text"),
        pytest.param("The tower is tall.", "– – –", id="no words"),
        pytest.param("It is so.", TOWER, id="no content in the claim"),
    ],
)
def test_without_anything_to_compare_there_is_no_score(claim, passage):
    """None means neither support nor its absence."""
    support = support_of(claim, [passage])
    assert (support.passages, support.best, support.scores, support.contradictions) == ((None,), None, (None,), (None,))


def test_no_passages():
    """Without sources there is no best one."""
    support = support_of("The tower is tall.", [])
    assert (support.passages, support.best) == ((), None)


def test_the_best_of_equals_is_the_first():
    """The first of equal passages wins."""
    assert support_of("The tower is 330 metres tall.", [MUSHROOMS, TOWER, TOWER]).best == 1


def test_the_span_is_the_place_in_the_passage():
    """A person can find the span, also in a long text."""
    filler = "Nothing of it is written in these many other sentences about gardens. " * 60
    text = filler + TOWER + filler
    passage = support_of("The tower weighs 10,100 tonnes and is 330 metres tall.", [text]).passages[0]
    assert text[passage.start : passage.end] == "tower is 330 metres tall and weighs about 10,100 tonnes"


def test_passages_are_prepared_once_for_many_claims():
    """Batch results equal those for one claim after the other."""
    claims = sentences(TOWER) + sentences(APIXABAN)
    passages = Passages([TOWER, None, APIXABAN])
    assert len(passages) == 3
    together, alone = passages.support(claims), [support_of(claim, passages) for claim in claims]
    assert [each.passages for each in together] == [each.passages for each in alone]


@given(claim=ANY_TEXT, passages=st.lists(st.none() | ANY_TEXT, max_size=3))
def test_no_text_raises(claim, passages):
    """For any text, scores are from 0 to 1 and spans lie inside the texts."""
    support = support_of(claim, passages)
    for passage, text in zip(support.passages, passages, strict=True):
        if passage is not None:
            assert 0.0 <= passage.score <= 1.0
            assert 0 <= passage.start <= passage.end <= len(text)
            assert min(passage.words, passage.phrases, passage.topics) >= 0.0
            assert max(passage.words, passage.phrases, passage.topics) <= 1.0


@pytest.mark.parametrize("bad", [3, "one text", [3], b"bytes"], ids=["int", "str", "list of int", "bytes"])
def test_passages_of_another_type_are_refused(bad):
    """The error names types and contains no text."""
    with pytest.raises(TypeError):
        support_of("The tower is tall.", bad)


@pytest.mark.parametrize("unit", ["not 5 mg, ", "“a b c” ", "no. ", "１ ", "不是"], ids=ascii)
def test_hostile_claims_and_passages(unit):
    """Very long sequences of relevant terms are read in part."""
    text = unit * (1_000_000 // len(unit))
    support = Passages([text, TOWER]).support([text, "The tower is 330 metres tall."])
    assert len(support) == 2


def test_shuffled_words_score_less_than_the_sentence():
    """Words that are adjacent in both texts count more."""
    sentence = sentences(TOWER)[2]
    words = sentence.split()
    random.Random(3).shuffle(words)
    assert support_of(" ".join(words), [TOWER]).scores[0] < support_of(sentence, [TOWER]).scores[0]


def test_support_loads_nothing_heavy():
    """It loads no judge, network, pydantic, numpy or parser of Markdown."""
    program = (
        # Measuring coverage loads some of these modules first.
        "import sys; before = {*sys.modules}; from groundwire.citations.support import support_of;"
        "support_of('The tower is 330 metres tall.', ['It is 330 metres tall.']);"
        "heavy = {'groundwire.openai_client', 'pydantic', 'numpy', 'ssl', 'socket', 'http', 'markdown_it'};"
        "print(*sorted(heavy & {*sys.modules} - before))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


@pytest.mark.parametrize(
    ("answer", "status", "better"),
    [
        pytest.param("The tower is 330 metres tall [t].", "supported", None, id="supported"),
        pytest.param("The tower is 230 metres tall [t].", "contradicted", None, id="another number"),
        pytest.param("The tower was completed in March 1887 [t].", "contradicted", None, id="another year"),
        pytest.param("Visitors are allowed to climb the outer structure [t].", "contradicted", None, id="not denied"),
        pytest.param("The usual dose of apixaban is 5 mg twice daily [t].", "misattributed", "a", id="another source"),
        pytest.param("Wolves have been seen near several northern villages [t].", "unsupported", None, id="no source"),
    ],
)
def test_claims_of_an_answer_have_the_status_of_their_support(answer, status, better):
    """The report has the statuses that the answer was made for."""
    (claim,) = assess_citations(answer, [{"id": "t", "text": TOWER}, {"id": "a", "text": APIXABAN}]).claims
    assert (claim.status, claim.better_source) == (status, better)


OVEN = "Heat the oven for twenty minutes before the bread goes in."


@pytest.mark.parametrize(
    "claim",
    [
        pytest.param(f"3. {OVEN}", id="number"),
        pytest.param(f"2) {OVEN}", id="number-and-bracket"),
        pytest.param(f"- {OVEN}", id="dash"),
        pytest.param(f"(b) {OVEN}", id="letter"),
        pytest.param(f"Step 4: {OVEN}", id="step"),
        pytest.param(f"1. **Step 4:** {OVEN}", id="step-in-a-list"),
        pytest.param(f"Passage 2: {OVEN}", id="passage"),
        pytest.param(f"{OVEN[:-1]} (sources 1 and 3).", id="sources"),
        pytest.param(f"{OVEN[:-1]} [7].", id="citation"),
        pytest.param(f"{OVEN[:-1]} [1, 2]【3】.", id="citations"),
    ],
)
def test_numbers_of_lists_steps_and_passages_do_not_count(claim):
    """Ruling B1: a bare claim has the same terms and the same score as inside an answer."""
    expected = support_of(OVEN, [OVEN])
    found = support_of(claim, [OVEN])
    assert found.scores == expected.scores
    assert found.passages[0].numbers_missing == 0
    passages = [{"id": id_, "text": OVEN} for id_ in "1237"]
    (read,) = assess_citations(claim if "[" in claim else f"{claim} [1]", passages).claims
    assert read.support == expected.scores[0]


@pytest.mark.parametrize(
    ("claim", "numbers"),
    [
        ("The oven reached 230 degrees in 12 minutes", 2),
        ("The report quotes sources 12 times in all", 1),
        ("3.5 million loaves are baked here in a year", 1),
        ("Chapter 2 tells how the bread is baked", 1),
    ],
)
def test_other_numbers_stay_numbers_of_the_claim(claim, numbers):
    """Only citation marks and names of passages are left out."""
    assert support_of(claim, [OVEN]).passages[0].numbers_missing == numbers


FERRY = "The ferry to Alsten was built in 1958 in Bergen. It carries forty cars."
CHAPEL = "The chapel on Alsten burned down in 1961. Nobody lives there in winter."


@pytest.mark.parametrize(
    ("claim", "is_supported"),
    [
        ("The ferry was built in 1958, and the chapel burned down in 1961.", True),
        ("The chapel burned down in 1961, and the ferry carries forty cars.", True),
        ("The ferry was built in 1959, and the chapel burned down in 1961.", False),
        ("The ferry was built in 1961, and the chapel burned down in 1958.", False),
        ("The ferry was built in 1958, because the chapel burned down in 1961.", False),
        ("The ferry was built in 1958, and Ada Berg burned down the chapel.", False),
        ("The ferry was built in 1958 and burned down in 1961.", False),
    ],
)
def test_several_passages_support_a_claim_clause_by_clause(claim, is_supported):
    """Ruling D13 for a claim with several sources: each clause has a passage with all its terms in their roles."""
    support = support_of(claim, [FERRY, CHAPEL, None])
    assert support.statuses[:2] == ("unsupported", "unsupported") or not is_supported
    assert support.is_supported_by_parts([0, 1, 2]) is is_supported
    assert support.is_supported_by_parts([0]) is False
    report = assess_citations(f"{claim} [1][2]", [{"id": "1", "text": FERRY}, {"id": "2", "text": CHAPEL}])
    assert (report.claims[0].status == "supported") is is_supported


def test_a_passage_of_another_type_is_named_by_its_place():
    """The error has the position of the passage, and nothing of its content."""
    with pytest.raises(TypeError, match=r"texts\[2\] must be a str or None, got int"):
        support_of("The ferry leaves at noon.", ["A passage.", None, 41958])
