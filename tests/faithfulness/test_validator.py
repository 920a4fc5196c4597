"""From a persona to its score: the document's examples, the rulings, and invariants."""

import json
import warnings
from dataclasses import FrozenInstanceError, dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import PersonaError, SourceDataError
from groundwire.faithfulness import (
    COMPOSITE_POLICIES,
    ClaimStatus,
    FaithfulnessValidator,
    Layer,
    MatchKind,
    PreparedSources,
    SupportLevel,
)
from groundwire.faithfulness.search import source_batches
from groundwire.faithfulness.source_data.reading import SourceData

INTERVIEW = """\
Interviewer: Who are you?
Sarah: I'm 34 and I work as a marketing manager. I want to increase the efficiency of my team.
Interviewer: And what do you need?
Sarah: I need quick solutions. I hate checking emails.
"""
PERSONA = {
    "id": "7",
    "name": "Sarah Chen",
    "age": 34,
    "occupation": "Marketing Manager",
    "goals": ["Increase team efficiency"],
    "quote": "I need quick solutions",
    "company": "TechCorp",
}
CLAIMS = [
    "Sarah likes email.",
    "She leads a team of five.",
    "She drinks coffee in the morning.",
    "She never eats meat.",
    "She prefers calls to email.",
    "Her favorite tool is Slack.",
]
SENTENCES = [
    "I hate email.",
    "I like email.",
    "I lead a team of five.",
    "I lead a team of eight.",
    "In the morning I drink coffee.",
    "I don't drink coffee in the morning.",
    "I eat meat.",
    "I never eat meat.",
    "I prefer email to calls.",
    "I use Slack.",
]


def validate(persona: object, source_data: object, **settings):
    """Return the result of one persona."""
    return FaithfulnessValidator(**settings).validate(persona=persona, source_data=source_data)


def by_claim(result) -> dict:
    """Return the claims of a result by their sentences."""
    return {each.claim: each for each in result.claim_details}


def test_the_documents_call_and_its_fields():
    """faithfulness.md, "Python API": names and sums are as specified; no source has `Works at TechCorp`."""
    result = validate(PERSONA, INTERVIEW, similarity_threshold=0.7)
    assert (result.total_claims, result.supported_claims, result.unsupported_claims) == (6, 5, 1)
    assert result.faithfulness_score == round(5 / 6, 12)
    assert result.hallucination_rate == round(1 / 6, 12)
    assert by_claim(result)["Company is TechCorp"].status == "UNSUPPORTED"
    age = by_claim(result)["Person is 34 years old"]
    assert (age.status, age.confidence, age.level) == ("SUPPORTED", 0.9, "STRONG")


@pytest.mark.parametrize("key", ["name", "Name", "fullName", "Full Name", "first-name", "firstname"])
def test_the_own_name_is_recognised_in_any_spelling_of_its_field(key):
    """Speakers do not use their own names, so a statement does not have to contain them."""
    result = validate({key: "Ann Chen", "bio": "Ann leads a team of five people."}, "P1: I lead a team of five people.")
    assert by_claim(result)["Ann leads a team of five people."].status is ClaimStatus.SUPPORTED


def test_the_name_of_something_else_is_not_the_own_name():
    """A statement about Acme is not supported by one about Globex, whatever the fields of the persona."""
    persona = {"name": "Ann", "company": {"name": "Acme"}, "bio": "She works at Acme as a nurse."}
    result = validate(persona, "Ann: I work at Globex as a nurse.")
    assert by_claim(result)["She works at Acme as a nurse."].status is ClaimStatus.UNSUPPORTED


def test_a_preference_and_its_opposite():
    """faithfulness.md, "HHEM": `prefers email communication` against `I hate checking emails`; ruling D9."""
    result = validate({"bio": "User prefers email communication."}, "Interview transcript: 'I hate checking emails'")
    (claim,) = result.claim_details
    assert claim.contradicted
    assert (claim.status, claim.confidence, claim.level) == (ClaimStatus.UNSUPPORTED, 0.0, SupportLevel.UNSUPPORTED)
    assert claim.layer is Layer.CONTRADICTION
    (said,) = claim.contradictions
    assert said.unit.text[said.start : said.end] == "hate checking emails"
    assert said.kind is MatchKind.PREFERENCE
    assert result.hallucination_rate == 1.0


@pytest.mark.parametrize(
    ("persona", "source", "kind"),
    [
        pytest.param({"preferred_channel": "email"}, "Ann: I can't stand email.", MatchKind.PREFERENCE, id="field"),
        pytest.param({"dislikes": ["meetings"]}, "Ann: I really enjoy meetings!", MatchKind.PREFERENCE, id="dislikes"),
        pytest.param({"tools": ["Slack"]}, "Ann: We do not use Slack.", MatchKind.NEGATION, id="item-denied"),
        pytest.param({"age": 34}, "Ann: I am 41 years old.", MatchKind.OTHER_NUMBER, id="age-said"),
        pytest.param({"age": 34}, {"age": 41}, MatchKind.OTHER_NUMBER, id="age-in-a-field"),
        pytest.param({"joined": "March 2021"}, {"joined": "April 2021"}, MatchKind.OTHER_DATE, id="date"),
        pytest.param({"is_remote": True}, {"is_remote": "no"}, MatchKind.OTHER_FLAG, id="flag"),
        pytest.param(
            {"bio": "She prefers long meetings."}, "Ann: I prefer short meetings.", MatchKind.OPPOSITE, id="opposite"
        ),
        pytest.param(
            {"bio": "She leads a team of five nurses."},
            "Ann: I lead a team of nine nurses.",
            MatchKind.OTHER_NUMBER,
            id="number-in-prose",
        ),
    ],
)
def test_contradictions(persona, source, kind):
    """Ruling D9: each kind is found, shown and counted."""
    (claim,) = validate(persona, source).claim_details
    assert [each.kind for each in claim.contradictions][:1] == [kind]
    assert claim.status is ClaimStatus.UNSUPPORTED


@pytest.mark.parametrize(
    ("persona", "source"),
    [
        pytest.param({"likes": ["email"]}, "Ann: I hate long emails.", id="something-narrower"),
        pytest.param({"likes": ["email"]}, "Ann: I hate email at night.", id="a-part-of-the-time"),
        pytest.param({"likes": ["email"]}, "Ann: My boss hates email.", id="somebody-else"),
        pytest.param({"likes": ["email"]}, "Interviewer: I hate email, and you?\nAnn: Hm.", id="who-asks"),
        pytest.param({"likes": ["email"]}, "Ann: Do I hate email?", id="a-question"),
        pytest.param({"likes": ["tools"]}, "Ann: I hate meetings. Tools like Slack are fine.", id="like-compares"),
        pytest.param({"age": 34}, "age,city\n41,Rome\n29,Paris\n", id="several-people"),
        pytest.param({"age": 34}, "Ann: My daughter is 6 years old.", id="another-persons-age"),
        pytest.param({"tools": ["Slack"]}, "Ann: I don't think Slack is bad.", id="not-thought"),
        pytest.param({"bio": "She drinks coffee."}, "Ann: My husband never drinks coffee.", id="a-husbands-habit"),
        pytest.param({"bio": "She drinks coffee."}, "Ann: I never drink coffee at night.", id="a-denial-of-a-part"),
        pytest.param(
            {"bio": "She wasted 900 euros last year on frames that did not fit."},
            "Ann: Last year I threw away frames for 900 euros.",
            id="denied-of-the-frames",
        ),
        pytest.param(
            {"bio": "The old parking machine rejects one coin in five."},
            "Ann: The parking machine is old. It refuses one coin in five.",
            id="both-refuse",
        ),
    ],
)
def test_differences_that_are_no_contradictions(persona, source):
    """The source is about something else."""
    (claim,) = validate(persona, source).claim_details
    assert not claim.contradicted


def test_nothing_outweighs_a_contradiction():
    """Ruling D9: this holds for any number of supporting sources."""
    sources = [(f"interview {place}", "Ann: I like email.") for place in range(9)]
    (claim,) = validate({"likes": ["email"]}, [*sources, ("last", "Bob: I hate email.")]).claim_details
    assert claim.contradicted
    assert claim.contradicting_sources == ("last",)
    assert len(claim.near_misses) >= 8


def test_another_value_is_another_person_where_somebody_has_the_claimed_one():
    """D9 with D10: 34 in one interview and 41 in another is no contradiction."""
    result = validate({"age": 34}, [("one", "Ann: I am 34 years old."), ("two", "Bob: I am 41 years old.")])
    (claim,) = result.claim_details
    assert claim.status is ClaimStatus.SUPPORTED
    assert not claim.contradicted
    assert (claim.sources, result.sources) == (("one",), ("one", "two"))


def test_words_without_a_counterpart_are_named():
    """Ruling D13: a near miss lists the words that it lacks; a supporting passage lists none."""
    source = "Ann: I repair old clocks in my cellar on Sundays."
    persona = {
        "bio": "She repairs old clocks in her cellar on Sundays. She repairs old clocks and violins for museums."
    }
    lacking, supported = validate(persona, [("ann.txt", source)]).claim_details
    assert supported.evidence[0].missing == ()
    assert lacking.status is ClaimStatus.UNSUPPORTED
    assert lacking.near_misses[0].missing == ("violins", "museums")


def test_contradictions_come_first_then_the_least_supported():
    """The order does not depend on that of the persona."""
    result = validate({**PERSONA, "likes": ["email"]}, INTERVIEW)
    assert result.claim_details[0].contradicted
    confidences = [each.confidence for each in result.claim_details if not each.contradicted]
    assert confidences == sorted(confidences)
    turned = validate(dict(reversed({**PERSONA, "likes": ["email"]}.items())), INTERVIEW)
    assert by_claim(turned) == by_claim(result)


def test_the_threshold_decides_the_status_and_not_the_level():
    """Ruling D2."""
    strict, lenient = (validate({"name": "Sarah Chen"}, INTERVIEW, similarity_threshold=limit) for limit in (0.8, 0.7))
    assert [each.status.value for each in strict.claim_details] == ["UNSUPPORTED"]
    assert [each.status.value for each in lenient.claim_details] == ["SUPPORTED"]
    assert strict.claim_details[0].level is lenient.claim_details[0].level is SupportLevel.MODERATE
    assert strict.weak_rate == 1.0


def test_no_claims_no_score():
    """Ruling D4."""
    result = validate({"id": "7"}, INTERVIEW)
    assert (result.faithfulness_score, result.hallucination_rate, result.weak_rate) == (None, None, None)
    assert result.note == "the persona has no claim that can be checked"


def test_synthetic_names_are_listed_and_do_not_count():
    """Ruling D7: synthetic names are excluded from the score."""
    result = validate(PERSONA, INTERVIEW, policies=COMPOSITE_POLICIES)
    assert [claim.value for claim in result.synthetic] == ["Sarah Chen"]
    assert result.total_claims == 5


def test_many_personas_and_prepared_sources():
    """Each persona has one result, in order, equal to that of a single call."""
    personas = {"personas": [PERSONA, {"age": 41}, {}]}
    prepared = PreparedSources(INTERVIEW)
    results = FaithfulnessValidator().validate_many(personas=personas, source_data=prepared)
    assert [each.total_claims for each in results] == [6, 1, 0]
    assert results == [validate(persona, prepared) for persona in personas["personas"]]


def test_several_files_and_a_dataclass(tmp_path: Path):
    """Ruling D10: support counts per source, with locators."""

    @dataclass
    class Persona:
        tool: str

    (tmp_path / "a.csv").write_text("person,tool\nAnn,Slack\nBob,Jira\n", encoding="utf-8")
    (tmp_path / "b.json").write_text(json.dumps([{"tool": "Slack"}]), encoding="utf-8")
    (tmp_path / "c.txt").write_text("Ann: Nothing.\nBob: Nothing.\n", encoding="utf-8")
    result = validate(Persona("Slack"), tmp_path)
    (claim,) = result.claim_details
    assert (claim.sources, result.sources) == (("a.csv", "b.json"), ("a.csv", "b.json", "c.txt"))
    assert claim.evidence[0].unit.locator.row == 1


def test_long_sources_are_read_in_parts(monkeypatch):
    """Results of the parts are merged, and another value counts only if all parts have it."""
    monkeypatch.setattr("groundwire.faithfulness.search.PART_CHARS", 60)
    source = "\n\n".join(["Ann: I am 41 years old.", *["Ann: Well, that is how it is here."] * 9, "Ann: I like email."])
    assert len(list(source_batches(SourceData(source).units()))) >= 4
    found = by_claim(validate({"age": 34, "likes": ["email"]}, source))
    assert found["Person is 34 years old"].contradicted
    assert found["Like: email"].status is ClaimStatus.SUPPORTED
    assert not by_claim(validate({"age": 41}, source))["Person is 41 years old"].contradicted


@given(st.lists(st.sampled_from(CLAIMS), max_size=6), st.lists(st.sampled_from(SENTENCES), max_size=6))
def test_the_rates_add_up(claims, sentences):
    """Ruling D3: every score is a share."""
    result = validate({"bio": " ".join(claims)}, "Ann: Hello.\n" + "".join(f"Ann: {each}\n" for each in sentences))
    rates = result.rates
    assert rates.supported_claims + rates.weak_claims + rates.hallucinated_claims == result.total_claims
    if result.total_claims:
        parts = result.faithfulness_score + result.weak_rate + result.hallucination_rate
        assert parts == pytest.approx(1.0, abs=1e-9)
    for claim in result.claim_details:
        assert 0.0 <= claim.confidence <= 1.0
        assert claim.level is SupportLevel.of(claim.confidence)
        assert not (claim.contradicted and claim.evidence)
        assert all(each.score >= result.threshold for each in claim.evidence)


@given(st.sampled_from(CLAIMS), st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=5), st.data())
def test_a_contradicting_unit_contradicts_among_others(claim, sentences, data):
    """A contradicting unit never raises a claim's status, and its neighbours do not save the claim."""
    contradicting = data.draw(st.sampled_from(SENTENCES))

    def result(lines):
        return validate({"facts": [claim]}, "".join(f"Ann: {line}\n" for line in ["Hello.", *lines])).claim_details[0]

    alone, among = result([contradicting]), result([*sentences, contradicting])
    if alone.contradicted and alone.contradictions[0].kind is not MatchKind.OTHER_NUMBER:
        assert among.contradicted
        assert among.status is ClaimStatus.UNSUPPORTED


@pytest.mark.filterwarnings("ignore:.* has no text to compare")
@given(st.text(max_size=200), st.text(max_size=400))
def test_any_text_has_a_result(value, text):
    """For any persona and source there is a score, spans are inside their units, and nothing raises."""
    result = validate({"bio": value, "likes": [value], "age": value}, [("source", text)])
    for claim in result.claim_details:
        for each in (*claim.evidence, *claim.near_misses, *claim.contradictions):
            assert 0 <= each.start <= each.end <= len(each.unit.text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("I hate " + "email and " * 20_000, id="a-row-of-things"),
        pytest.param("not " * 50_000, id="denials"),
        pytest.param("prefer " * 30_000, id="verbs"),
        pytest.param("I am 34 " * 20_000, id="numbers"),
        pytest.param("email, " * 30_000, id="clauses"),
        pytest.param("邮件" * 50_000, id="no-spaces"),
        pytest.param("a" * 300_000, id="one-word"),
    ],
)
def test_hostile_texts_take_no_longer(text):
    """This holds for sources and claims; the time limit is that of the run."""
    persona = {"bio": text[:20_000], "likes": [text[:20_000], "email"], "age": 34}
    result = validate(persona, [("source", text)])
    assert result.total_claims >= 3


@pytest.mark.parametrize(
    ("persona", "source", "error"),
    [
        ("{", INTERVIEW, PersonaError),
        (PERSONA, ("broken.json", '{"a": '), SourceDataError),
        ([PERSONA, PERSONA], INTERVIEW, ValueError),
        (PERSONA, [], ValueError),
        (PERSONA, 7, TypeError),
        (7, INTERVIEW, TypeError),
    ],
)
def test_broken_input_is_an_error(persona, source, error):
    """The message contains none of it."""
    with pytest.raises(error) as raised:
        validate(persona, [source] if isinstance(source, tuple) else source)
    assert "Sarah" not in str(raised.value)


@pytest.mark.parametrize("settings", [{"similarity_threshold": 1.5}, {"similarity_threshold": float("nan")}])
def test_thresholds_are_shares(settings):
    """From 0 to 1."""
    with pytest.raises(ValueError, match="similarity_threshold must be between 0 and 1"):
        FaithfulnessValidator(**settings)


def test_a_model_is_named():
    """Anything else is a TypeError."""
    with pytest.raises(TypeError, match="embedding_model must be a str or None, got int"):
        FaithfulnessValidator(7)


def test_results_hold_no_text_in_their_repr_and_do_not_change():
    """Logs must not contain personas."""
    result = validate({**PERSONA, "likes": ["email"]}, INTERVIEW)
    assert not any(word in repr(result) for word in ("Sarah", "TechCorp", "email", "solutions"))
    with pytest.raises(FrozenInstanceError):
        result.threshold = 1.0


@pytest.mark.parametrize("given_as", [PreparedSources, list], ids=["prepared", "as-they-are"])
def test_an_empty_source_is_reported(given_as):
    """An empty file is usually a mistake, and the other sources still count."""
    sources = given_as([("empty.txt", " \n"), ("full.txt", "Ann is 34 years old."), ("bare.csv", "")])
    with pytest.warns(RuntimeWarning, match="has no text to compare"):
        result = FaithfulnessValidator().validate(persona={"age": 34}, source_data=sources)
    told = "has no text to compare claims with"
    assert result.warnings == (f'"empty.txt" {told}', f'"bare.csv" {told}')
    assert result.faithfulness_score == 1.0


def test_no_warning_without_a_model():
    """No model was requested."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        validate(PERSONA, INTERVIEW)
