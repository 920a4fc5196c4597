"""Verbatim words of claims in units, by the evidence engine."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from faithfulness.test_personas import PERSONAS
from groundwire.faithfulness import ClaimExtractor, FaithfulnessValidator, SourceData
from groundwire.faithfulness.support.verbatim import VerbatimIndex

INTERVIEW = """\
Interviewer: Do you like e-mail?
Joon: I don’t need quick solutions, I need good ones. I hate
checking it 15 times a day.
Interviewer: What is your job?
Joon: My job is Marketing Manager. I lead the growth team.
Park is a place.
"""


def found(persona: dict, *sources: str) -> list[tuple[str, float, str]]:
    """Return kind, score and words of the evidence for the first claim."""
    index = VerbatimIndex(SourceData(list(sources)).units())
    (evidence, *_) = index.evidence(ClaimExtractor().extract(persona))
    return [(each.kind.value, each.score, each.unit.text[each.start : each.end]) for each in evidence]


@pytest.mark.parametrize(
    ("persona", "evidence"),
    [
        pytest.param({"quote": "I hate checking it 15 times a day."},
                     [("quote", 1.0, "I hate\nchecking it 15 times a day.")], id="over-two-lines"),
        pytest.param({"quote": "“i don't need quick solutions”"},
                     [("quote", 1.0, "I don’t need quick solutions")], id="typography-and-case"),
        pytest.param({"quote": "I hate checking it 50 times a day"},
                     [("altered", 0.0, "I hate\nchecking it 15 times a day")], id="another-number"),
        pytest.param({"quote": "I need quick solutions"}, [("altered", 0.0, "I don’t need quick solutions")],
                     id="without-its-negation"),
        pytest.param({"quote": "I hate chekcing it 15 times a day"},
                     [("quote", 0.9, "I hate\nchecking it 15 times a day")], id="a-slip"),
        pytest.param({"quote": "I like it very much, as it is"}, [], id="never-said"),
        pytest.param({"quote": "Do you like e-mail?"}, [], id="the-interviewers-words"),
        pytest.param({"quote": "need quick solutions"}, [("quote", 0.3, "need quick solutions")], id="behind-a-denial"),
        pytest.param({"duties": ["need quick solutions"]}, [("words", 0.3, "need quick solutions")],
                     id="words-behind-a-denial"),
        pytest.param({"occupation": "marketing manager"}, [("words", 0.9, "Marketing Manager")], id="with-its-cue"),
        pytest.param({"city": "Park"}, [("words", 0.5, "Park")], id="a-word-without-its-cue-is-weak"),
        pytest.param({"duties": ["lead the growth team"]}, [("words", 1.0, "lead the growth team")], id="many-words"),
        pytest.param({"bio": "Lead the growth team."}, [("words", 1.0, "lead the growth team")], id="a-statement"),
        pytest.param({"city": "Par"}, [], id="part-of-a-word"),
        pytest.param({"age": 15}, [], id="numbers-are-the-other-layers"),
        pytest.param({"name": "a day. What is"}, [], id="across-turns"),
        pytest.param({"note": "!?"}, [], id="no-words"),
    ],
)  # fmt: skip
def test_words_in_an_interview(persona, evidence):
    """Ruling D7: quotes follow the guarded rules, other texts match verbatim."""
    assert found(persona, INTERVIEW) == evidence


def test_all_claims_at_once():
    """Each claim has its list, in order; the unit has the location."""
    index = VerbatimIndex(SourceData([("a", INTERVIEW), ("b", "x,y\n1,2\n3,4\n")]).units())
    claims = ClaimExtractor().extract(
        {"quote": "I need good ones", "age": 5, "job": "Marketing Manager", "said": "I hate checking it"}
    )
    evidence = index.evidence(claims)
    assert [len(each) for each in evidence] == [1, 0, 1, 1]
    assert str(evidence[3][0].unit.locator) == "a, line 2, turn 2 (Joon)"


def test_no_units():
    """There is no evidence."""
    assert VerbatimIndex([]).evidence(ClaimExtractor().extract({"quote": "so", "job": "Cook"})) == [[], []]


@settings(max_examples=examples(30))
@given(PERSONAS, st.lists(st.text(max_size=100), min_size=1, max_size=3))
def test_spans_are_inside(persona, texts):
    """This holds for any persona and sources."""
    index = VerbatimIndex(SourceData([("texts", "\n".join(texts)), INTERVIEW]).units())
    claims = ClaimExtractor().extract(persona)
    found = index.evidence(claims)
    assert len(found) == len(claims)
    for each in (each for evidence in found for each in evidence):
        assert 0 < each.score <= 1
        assert 0 <= each.start < each.end <= len(each.unit.text)


@pytest.mark.parametrize(
    ("quote", "said", "kind", "differences"),
    [
        pytest.param(
            "We lost 40 customers last year",
            "We lost 14 customers last year.",
            "altered",
            [("number", "14", "40")],
            id="number",
        ),
        pytest.param(
            "I do not trust the dashboard", "I do trust the dashboard.", "altered", [("negation", "", "not ")], id="not"
        ),
    ],
)
def test_a_quote_whose_meaning_was_changed_is_altered(quote, said, kind, differences):
    """The differences have spans in the unit; the quote is no support (ruling D7)."""
    index = VerbatimIndex(SourceData(f"Bo: It rained all week.\nAnn: {said}\nBo: I see.").units())
    ((evidence,),) = index.evidence(ClaimExtractor().extract({"quote": quote}))
    text = evidence.unit.text
    assert (evidence.kind, evidence.score, text) == (kind, 0.0, said)
    assert [(each.kind, each.source_text, each.quote_text) for each in evidence.differences] == differences
    assert all(text[slice(*each.source_span)] == each.source_text for each in evidence.differences)


def test_an_altered_quote_is_hallucinated_unless_another_place_has_it():
    """The nearest passage is shown unless another unit has the quote."""
    persona = {"quote": "We lost 40 customers last year"}
    ours, theirs = "Ann: We lost 14 customers last year.\nBo: Oh.", "Cy: We lost 40 customers last year.\nBo: Oh."
    validator = FaithfulnessValidator()
    (claim,) = validator.validate(persona=persona, source_data=ours).claim_details
    assert (claim.status, claim.level, claim.confidence) == ("UNSUPPORTED", "UNSUPPORTED", 0.0)
    assert [each.kind for each in claim.near_misses] == ["altered"]
    (claim,) = validator.validate(persona=persona, source_data=[("a", ours), ("b", theirs)]).claim_details
    assert (claim.status, claim.near_misses) == ("SUPPORTED", ())
