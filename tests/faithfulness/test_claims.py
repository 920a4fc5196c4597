"""Claims of a persona: the specified table, and every other field by the same rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import effort
from faithfulness.test_personas import PERSONAS, Person
from groundwire.faithfulness import ClaimExtractor, ClaimKind, FieldPolicy, PersonaClaim, PersonaError


def extract(persona: object) -> list[PersonaClaim]:
    """Return the claims of a persona, with the default policies."""
    return ClaimExtractor().extract(persona)


def texts(persona: object) -> list[str]:
    """Return their texts."""
    return [claim.text for claim in extract(persona)]


@pytest.mark.parametrize(
    ("persona", "text", "kind", "value", "cue"),
    [
        ({"name": "Sarah Chen"}, "Person is named Sarah Chen", "name", "Sarah Chen", "name"),
        ({"age": 34}, "Person is 34 years old", "number", "34", "age"),
        (
            {"occupation": "Marketing Manager"},
            "Occupation is Marketing Manager",
            "attribute",
            "Marketing Manager",
            "occupation",
        ),
        (
            {"goals": ["Increase team efficiency"]},
            "Goal: Increase team efficiency",
            "item",
            "Increase team efficiency",
            "goal",
        ),
        (
            {"quote": "I need quick solutions"},
            "Person said: I need quick solutions",
            "quote",
            "I need quick solutions",
            "",
        ),
    ],
)
def test_the_printed_table(persona, text, kind, value, cue):
    """Source: faithfulness, "Claim Extraction"."""
    (claim,) = extract(persona)
    assert (claim.text, claim.kind, claim.value, claim.cue, claim.policy) == (text, kind, value, cue, "check")


@pytest.mark.parametrize(
    ("persona", "text", "kind"),
    [
        pytest.param({"demographics": {"age": 34}}, "Person is 34 years old", "number", id="wrapped"),
        pytest.param({"age": 34.0}, "Person is 34 years old", "number", id="whole-float"),
        pytest.param({"age": "34"}, "Person is 34 years old", "number", id="digits"),
        pytest.param({"age": "30-35"}, "Age is 30-35", "number", id="range"),
        pytest.param({"age": "mid-thirties"}, "Age is mid-thirties", "attribute", id="range-in-words"),
        pytest.param({"children": [{"age": 5}]}, "Child age is 5", "number", id="not-the-persons-age"),
        pytest.param({"fullName": "Ann Lee"}, "Person is named Ann Lee", "name", id="camel-case"),
        pytest.param({"first_name": "Ann"}, "First name is Ann", "name", id="first-name"),
        pytest.param({"company": {"name": "TechCorp"}}, "Company name is TechCorp", "name", id="not-the-persons-name"),
        pytest.param({"file_name": "a.png"}, "File name is a.png", "attribute", id="nobodys-name"),
        pytest.param({"painPoints": ["Meetings"]}, "Pain point: Meetings", "item", id="list"),
        pytest.param({"skills": [7]}, "Skill: 7", "number", id="number-in-a-list"),
        pytest.param({"hobbies": ["chess"]}, "Hobby: chess", "item", id="ies"),
        pytest.param({"movies": ["Alien"]}, "Movie: Alien", "item", id="irregular"),
        pytest.param({"interests": "chess, tea"}, "Interests: chess, tea", "attribute", id="plural-with-one-text"),
        pytest.param({"marital_status": "single"}, "Marital status is single", "attribute", id="no-plural"),
        pytest.param({"is_remote": True}, "Is remote: yes", "flag", id="true"),
        pytest.param({"is_remote": False}, "Is remote: no", "flag", id="false"),
        pytest.param({"has_pets": "No"}, "Has pets: no", "flag", id="no-in-words"),
        pytest.param({"street": "123 Lytton Ave"}, "Street is 123 Lytton Ave", "attribute", id="no-unit"),
        pytest.param({"adoption": "67% use it"}, "Adoption is 67% use it", "attribute", id="a-share-of-somebody"),
        pytest.param({"adoption": "67 %"}, "Adoption is 67 %", "number", id="per-cent"),
        pytest.param({"salary": "$80,000 to $100,000"}, "Salary is $80,000 to $100,000", "number", id="money"),
        pytest.param({"tenure": "5 years"}, "Tenure is 5 years", "number", id="unit"),
        pytest.param({"share": 0.25}, "Share is 0.25", "number", id="float"),
        pytest.param({"joined": "2021-03-04"}, "Joined is 2021-03-04", "date", id="iso-date"),
        pytest.param({"joined": "March 2021"}, "Joined is March 2021", "date", id="month"),
        pytest.param({"joined": "4 March 2021"}, "Joined is 4 March 2021", "date", id="day"),
        pytest.param({"birthday": "5 May"}, "Birthday is 5 May", "date", id="day-of-a-month"),
        pytest.param({"club": "Marching 5"}, "Club is Marching 5", "attribute", id="begins-like-a-month"),
        pytest.param({"phone": "01 23 45"}, "Phone is 01 23 45", "attribute", id="no-number"),
        pytest.param({"key_quotes": ["“Oh well”"]}, "Person said: “Oh well”", "quote", id="quotes"),
        pytest.param({"UX_role": "Lead"}, "UX role is Lead", "attribute", id="abbreviation"),
        pytest.param({"职业": "经理"}, "职业 is 经理", "attribute", id="chinese"),
        pytest.param({"city": "  New\n York "}, "City is New York", "attribute", id="white-space"),
    ],
)
def test_other_fields_make_claims_of_the_same_form(persona, text, kind):
    """Each has label and value; fields in wrappers such as `demographics` are the person's own."""
    (claim,) = extract(persona)
    assert (claim.text, claim.kind.value) == (text, kind)


@pytest.mark.parametrize(
    ("persona", "paths"),
    [
        ({"background": {"education": [{"degree": "BSc"}, {"degree": "MSc", "year": 2012}]}},
         ["background.education[0].degree", "background.education[1].degree", "background.education[1].year"]),
        ({"skills": {"C++": 5, 'a"b': 1, "plain-word": 2}}, ['skills["C++"]', 'skills["a\\"b"]', "skills.plain-word"]),
        ({"a b": {"": "x"}}, ['["a b"][""]']),
        ({"matrix": [["x", "y"], [["z"]]]}, ["matrix[0][0]", "matrix[0][1]", "matrix[1][0][0]"]),
    ],
)  # fmt: skip
def test_paths_lead_to_the_value(persona, paths):
    """Nested fields have paths in order, and no two are equal."""
    assert [claim.path for claim in extract(persona)] == paths


@pytest.mark.parametrize("value", [None, "", "  \n", [], {}, [None, ""], {"a": {}}])
def test_empty_values_make_no_claim(value):
    """Empty values are left out."""
    assert extract({"goals": value}) == []


@pytest.mark.parametrize(
    ("prose", "statements"),
    [
        pytest.param(
            "Sarah leads a team of five and prefers email. She hates meetings, but she attends them; they are long.",
            ["Sarah leads a team of five.", "Sarah prefers email.", "She hates meetings.", "She attends them.",
             "They are long."],
            id="shared-subject-and-own-subject",
        ),
        pytest.param("They won 3 - 2 in May. They lost 3 - 4.", ["They won 3 - 2 in May.", "They lost 3 - 4."],
                     id="a-score-is-no-list"),
        pytest.param("- They won 3 - 2.\n- They left.", ["They won 3 - 2.", "They left."], id="a-score-in-a-list"),
        pytest.param("1. They won. 2 - 0 it was.", ["They won.", "2 - 0 it was."], id="a-score-behind-a-sentence"),
        pytest.param("She writes plans and reports every week.", ["She writes plans and reports every week."],
                     id="nouns"),
        pytest.param("She never drinks and smokes a lot.", ["She never drinks and smokes a lot."],
                     id="denied-for-both"),
        pytest.param("Nothing helps at night and keeps her calm.", ["Nothing helps at night and keeps her calm."],
                     id="nothing-is-no-name"),
        pytest.param("She owns a canoe and can’t swim.", ["She owns a canoe.", "She can’t swim."], id="a-denied-verb"),
        pytest.param("She often travels far and prefers trains.", ["She often travels far.", "She prefers trains."],
                     id="the-adverb-is-the-firsts"),
        pytest.param("Her plans of growth and moves to Rome failed.", ["Her plans of growth and moves to Rome failed."],
                     id="behind-a-preposition"),
        pytest.param("She has two dogs and a cat and loves hiking.",
                     ["She has two dogs and a cat.", "She loves hiking."], id="the-cat-has-no-verb"),
        pytest.param("She has a brother who lives in Rome and works at night.",
                     ["She has a brother who lives in Rome and works at night."], id="whose-verb-it-is-is-not-known"),
        pytest.param("Ann is a nurse who lives in Rome and works at night.",
                     ["Ann is a nurse who lives in Rome.", "Ann works at night."], id="both-are-the-same-person"),
        pytest.param("He was born in Korea, moved to Boston at 12, and never studied law.",
                     ["He was born in Korea.", "He moved to Boston at 12.", "He never studied law."],
                     id="verbs-in-a-row"),
        pytest.param("He doesn't trust banks and keeps his savings at home.",
                     ["He doesn't trust banks.", "He keeps his savings at home."], id="a-contracted-verb"),
        pytest.param("They use Slack, Notion and Figma daily.", ["They use Slack, Notion and Figma daily."],
                     id="nouns-in-a-row"),
        pytest.param("Ann prefers email.", ["Ann prefers email."], id="three-words"),
        pytest.param("He works late. Does he like it?", ["He works late."], id="questions-state-nothing"),
        pytest.param("- Works from home.\n- Owns 2 dogs.\n* * *", ["Works from home.", "Owns 2 dogs."], id="bullets"),
        pytest.param("“I like it and sell it,” he says and goes on with that.",
                     ["“I like it and sell it,” he says and goes on with that."], id="speech-stays-whole"),
        pytest.param("Dr. Lee has 3.5 jobs. 她喜欢茶。她住在北京。",
                     ["Dr. Lee has 3.5 jobs.", "她喜欢茶。", "她住在北京。"], id="real-sentence-boundaries"),
    ],
)  # fmt: skip
def test_prose_is_split_into_statements(prose, statements):
    """Prose is split into sentences, then into clauses that stand alone, with their shared subject."""
    found = extract({"bio": prose})
    assert [claim.text for claim in found] == [claim.value for claim in found] == statements
    assert {(claim.kind, claim.cue, claim.path) for claim in found} == {(ClaimKind.STATEMENT, "", "bio")}


def test_prose_of_other_fields_keeps_their_label():
    """`Slow tools.` alone would not show that they are a frustration."""
    (claim, _) = extract({"frustration": "Slow tools, all of them. No time."})
    assert (claim.text, claim.value) == ("Frustration: Slow tools, all of them.", "Slow tools, all of them.")


def test_a_list_item_of_one_sentence_is_one_claim():
    """Each item of a list is one claim; an item of several sentences is prose."""
    assert texts({"goals": ["Sell more and hire people who work well.", "Rest."]}) == [
        "Goal: Sell more and hire people who work well.",
        "Goal: Rest.",
    ]
    assert texts({"goals": ["Sell more. Rest."]}) == ["Goal: Sell more.", "Goal: Rest."]


def test_a_quote_is_never_split():
    """The evidence engine searches it as written, without the marks around it."""
    (claim,) = extract({"quote": "“I like it. I sell it!”"})
    assert (claim.text, claim.value) == ("Person said: “I like it. I sell it!”", "I like it. I sell it!")


def test_one_persona_at_a_time():
    """Several are read by read_personas."""
    with pytest.raises(ValueError, match="extract takes one persona, got 2; use extract_plain"):
        extract([{"age": 1}, {"age": 2}])
    assert texts([{"age": 1}]) == texts({"personas": [{"age": 1}]}) == texts('{"age": 1}') == ["Person is 1 years old"]
    assert texts(Person("Ann", None, frozenset({"tea"}))) == ["Person is named Ann", "Tool: tea", "Salary is 80000"]
    with pytest.raises(PersonaError):
        extract({"age": float("nan")})


def test_a_claim_shows_no_text():
    """Its repr may end up in a log."""
    (claim,) = extract({"secret words": "of somebody"})
    assert repr(claim) == ("PersonaClaim(kind=<ClaimKind.ATTRIBUTE: 'attribute'>, policy=<FieldPolicy.CHECK: 'check'>)")
    assert claim.policy is FieldPolicy.CHECK


@pytest.mark.parametrize(
    "piece",
    ["a", " ", "and ", "she is and ", "She works; ", ", ", "1", "1,", "-", "- ", ".", "?", '"', "“", "\n", "\x00",
     "\ud800", "_", "A", "s", "1 000 ", "$", "Jan "],
    ids=ascii,
)  # fmt: skip
def test_repeated_fragments_take_linear_time(piece):
    """A hundred thousand repetitions as a value, an item and a key give claims in linear time."""
    text = piece * effort(20_000, 100_000)
    for persona in ({"bio": text}, {"goals": [text]}, {text: "x"}, {"age": text[:60]}):
        for claim in extract(persona):
            assert claim.text
            assert claim.value.strip()


@given(PERSONAS)
def test_no_claim_is_empty(persona):
    """For any persona, texts and values are not empty, and order and number are stable."""
    found = extract(persona)
    assert found == extract(persona)
    assert all(claim.text.strip() and claim.value.strip() for claim in found)
    assert {claim.policy for claim in found} <= {FieldPolicy.CHECK}


@given(st.dictionaries(st.text(min_size=1), st.integers(), max_size=8))
def test_every_number_makes_one_claim(persona):
    """Its value is the number, at a path of its own."""
    everything = ClaimExtractor(policies={"**": "check"}).extract(persona)
    assert [claim.value for claim in everything] == [str(number) for number in persona.values()]
    assert len({claim.path for claim in everything}) == len(persona)
