"""Values of claims in units: with their cue, as ranges, and as statistics of columns (ruling D7)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import effort, examples
from faithfulness.test_personas import PERSONAS
from groundwire.faithfulness import ClaimExtractor, SourceData, SupportLevel
from groundwire.faithfulness.support.cues import FieldCue, FieldWords
from groundwire.faithfulness.support.evidence import MATCH_KINDS, MAX_EVIDENCE, Layer, MatchKind
from groundwire.faithfulness.support.values import ValueIndex
from groundwire.language.values import PartDate, only_amount, read_values

SURVEY = """\
participant,age,job,tool,remote
Ann Lee,34,Marketing Manager,Slack,yes
Bob,36,Cook,Jira,no
Eve,32,Cook,Slack,yes
"""
INTERVIEW = """\
Interviewer: How old are you, and where do you work?
Joon: I'm 34, and I've been working as a cook for five years. It takes 40 minutes to get there.
Interviewer: And your team?
Joon: There are seven people in my team. We started on 4 March 2021. Some of us are in our thirties.
My daughter is 9 years old. I'm not 50 years old.
"""


def found(persona: dict, *sources: str) -> list[tuple[str, float]]:
    """Return kind and score of the best evidence for the first claim of a persona, and of equally good ones."""
    index = ValueIndex(SourceData(list(sources)).units())
    (claim, *_) = ClaimExtractor().extract(persona)
    evidence = index.evidence(claim)
    return [(each.kind.value, each.score) for each in evidence if each.score == evidence[0].score]


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("I'm 34 years old", [(34, 34, "year", "34 years old")]),
        ("a 34-year-old", [(34, 34, "year", "34-year-old")]),
        ("30-35", [(30, 35, "", "30-35")]),
        ("30 to 35 hours", [(30, 35, "h", "30 to 35 hours")]),
        ("between 30 and 35 people", [(30, 35, "", "between 30 and 35")]),
        ("30 and 35", [(30, 30, "", "30"), (35, 35, "", "35")]),
        ("$80,000 to $100,000", [(80_000, 100_000, "$", "$80,000 to $100,000")]),
        ("$80k", [(80_000, 80_000, "$", "$80k")]),
        ("2.5 million", [(2_500_000, 2_500_000, "", "2.5 million")]),
        ("12 % and 3 percent", [(12, 12, "%", "12 %"), (3, 3, "%", "3 percent")]),
        ("thirty-four", [(34, 34, "", "thirty-four")]),
        ("two hundred and five", [(205, 205, "", "two hundred and five")]),
        ("mid-thirties", [(34, 36, "", "thirties")]),
        ("in her late 30s", [(37, 39, "", "30s")]),
        ("the 1990s", [(1990, 1999, "", "1990s")]),
        ("30s of silence", [(30, 30, "s", "30s")]),
        ("one of us", []),
        ("the first of them", []),
        ("٣٤ years", [(34, 34, "year", "٣٤ years")]),
    ],
)
def test_amounts_of_a_text(text, amounts):
    """Numbers in digits and words, ranges and decades have units and spans."""
    read = [
        (each.low, each.high, each.unit, text[each.start : each.end])
        for each in read_values(text, language="en").amounts
    ]
    assert read == amounts


@pytest.mark.parametrize("text", ["over 30", "more than 30", "at least 30", "up to 30 euros", "< 30"])
def test_a_limit_is_no_number(text):
    """A person over 30 is not 30."""
    assert [each.is_bound for each in read_values(text, language="en").amounts] == [True]


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("34", True), ("in her mid-thirties", True), ("about 5 years", True), ("40 hours a week", True),
     ("5 and 6", False), ("12 %", True), ("67% use it", False),
     ("works 5 days", False), ("123 old mill road 5", False), ("none", False)],
)  # fmt: skip
def test_a_value_that_is_an_amount(text, is_one):
    """It has at most a unit and a word such as `about`."""
    assert (only_amount(text) is not None) == is_one


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("since 2021-03-04", [(2021, 3, 4)]),
        ("4 March 2021, 4th of March", [(2021, 3, 4), (None, 3, 4)]),
        ("March 4th, 2021", [(2021, 3, 4)]),
        ("Sept. 2020 and 2019", [(2020, 9, None), (2019, None, None)]),
        ("they may march", []),
    ],
)
def test_dates_of_a_text(text, dates):
    """Each date is as precise as its text."""
    assert [tuple(each.date) for each in read_values(text, language="en").dates] == dates


def test_dates_that_agree():
    """The shared parts must be equal; a less precise date does not state a more precise one."""
    day, month, other = PartDate(2021, 3, 4), PartDate(2021, 3, None), PartDate(2021, 4, None)
    assert day.agrees(month)
    assert day.includes(month)
    assert month.agrees(day)
    assert not month.includes(day)
    assert not day.agrees(other)
    assert not PartDate(2021, None, None).agrees(PartDate(None, 3, 4))


@pytest.mark.parametrize(
    ("cue", "name", "is_named"),
    [
        ("age", "age", True),
        ("age", "Age (years)", True),
        ("age", "wage", False),
        ("occupation", "job_title", True),
        ("goal", "goals", True),
        ("pain point", "pain points", True),
        ("education degree", "degree", True),
        ("shoe size", "size", False),
        ("first name", "name", True),
        ("", "age", False),
    ],
)
def test_a_field_about_the_same(cue, name, is_named):
    """The field's words, or one of the same group, must match."""
    assert FieldCue(cue).is_named(name) == is_named


@pytest.mark.parametrize(
    ("persona", "best"),
    [
        pytest.param({"age": 34}, ("number", 1.0), id="a-row-has-it"),
        pytest.param({"age": "mid-thirties"}, ("range", 0.75), id="a-row-in-the-range"),
        pytest.param({"age": "30-35"}, ("range", 0.75), id="a-range-in-digits"),
        pytest.param({"age": 33}, None, id="no-row-and-no-mean"),
        pytest.param({"occupation": "marketing manager"}, ("field", 1.0), id="another-name-of-the-field"),
        pytest.param({"tools": ["Slack"]}, ("field", 1.0), id="an-item"),
        pytest.param({"city": "Slack"}, None, id="the-value-of-another-field"),
        pytest.param({"is_remote": True}, ("field", 1.0), id="a-flag"),
        pytest.param({"name": "Ann Lee"}, ("field", 1.0), id="a-name"),
        pytest.param({"name": "Bob Stone"}, ("field", 0.7), id="only-the-first-name"),
        pytest.param({"bio": "67% use Slack, they say."}, ("share", 0.75), id="a-share"),
        pytest.param({"bio": "66.7% use Slack, they say."}, ("share", 0.75), id="a-share-with-a-decimal"),
        pytest.param({"bio": "66.3% use Slack, they say."}, None, id="a-share-with-another-decimal"),
        pytest.param({"bio": "So 2 of them use Slack."}, ("count", 0.75), id="a-count"),
        pytest.param({"bio": "So 60% use Slack at work."}, None, id="another-share"),
        pytest.param({"shoe_size": 34}, None, id="the-number-of-another-column"),
    ],
)
def test_values_of_a_table(persona, best):
    """Ruling D7: the value is under the field's name."""
    assert found(persona, SURVEY)[:1] == ([best] if best else [])


@pytest.mark.parametrize(
    ("column", "age", "kinds"),
    [
        ("30\n40\n37\n", 36, {"mean"}),
        ("30\n40\n37\n", 37, {"number", "median"}),
        ("30\n40\n37\n", 35.7, {"mean"}),
        ("30\n40\n37\n", "35,7", {"mean"}),
        ("30\n40\n37\n", "36,1", set()),
        ("1100\n1300\n", "1,200", {"mean", "median"}),
        ("30\n40\n37\n", "mid-thirties", {"mean"}),
        ("30\n40\n37\n", 38, set()),
    ],
)
def test_an_age_that_is_an_average(column, age, kinds):
    """Ruling D7: the mean or the median of the column, rounded as the claim is."""
    index = ValueIndex(SourceData(f"age,id\n{column.replace(chr(10), ',x' + chr(10))}").units())
    (claim,) = ClaimExtractor().extract({"age": age})
    evidence = index.evidence(claim)
    assert {each.kind.value for each in evidence} == kinds
    assert all(each.unit.summary is not None for each in evidence if each.kind in ("mean", "median"))


def test_the_most_frequent_value_of_a_column():
    """A persona may represent many people; each row with the value is evidence too."""
    index = ValueIndex(SourceData(SURVEY).units())
    (claim,) = ClaimExtractor().extract({"job": "Cook"})
    assert [(each.kind, each.score) for each in index.evidence(claim)] == [
        ("field", 1.0),
        ("field", 1.0),
        ("share", 0.7),
    ]


@pytest.mark.parametrize(
    ("persona", "best"),
    [
        pytest.param({"age": 34}, ("number", 0.9), id="i-am-34"),
        pytest.param({"age": "thirty-four"}, ("number", 0.9), id="in-words"),
        pytest.param({"age": 40}, None, id="minutes-are-no-age"),
        pytest.param({"age": 50}, ("number", 0.3), id="behind-a-negation"),
        pytest.param({"age": 9}, ("number", 0.45), id="the-age-of-somebody-else"),
        pytest.param({"children": [{"age": 9}]}, ("number", 0.9), id="the-age-of-the-child"),
        pytest.param({"children": [{"age": 34}]}, ("number", 0.45), id="not-the-childs"),
        pytest.param({"experience_years": 5}, ("number", 0.9), id="five-in-words"),
        pytest.param({"team_size": 7}, ("number", 0.9), id="seven-people"),
        pytest.param({"commute": "40 minutes"}, ("number", 0.45), id="without-its-cue-it-is-weak"),
        pytest.param({"commute": "40 hours"}, None, id="another-unit"),
        pytest.param({"started": "2021-03-04"}, ("date", 0.9), id="a-date"),
        pytest.param({"started": "March 2021"}, ("date", 0.9), id="as-much-of-a-date-as-is-claimed"),
        pytest.param({"started": "March 2022"}, None, id="another-year"),
        pytest.param({"name": "Joon"}, ("speaker", 1.0), id="the-speaker"),
        pytest.param({"name": "Joon Park"}, ("speaker", 0.7), id="the-speakers-first-name"),
        pytest.param({"full_name": "Joon"}, ("speaker", 1.0), id="the-speaker-by-the-full-name"),
        pytest.param({"manager": {"name": "Joon"}}, ("speaker", 0.45), id="a-speaker-is-not-the-manager"),
        pytest.param({"company_name": "Joon"}, ("speaker", 0.45), id="a-speaker-is-not-the-company"),
        pytest.param({"name": "Sarah"}, None, id="nobody"),
    ],
)
def test_values_of_an_interview(persona, best):
    """It is in a sentence about the field, or weak."""
    assert found(persona, INTERVIEW)[:1] == ([best] if best else [])


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("Ann: I joined on 5 March 2021.", 0.9),
        ("Ann: I never joined on 5 March 2021.", 0.3),
        ("Ann: I did not join then, but the 5 March 2021 was fine.", 0.45),
    ],
)
def test_a_negated_date_supports_nothing(text, score):
    """It is like a negated number (ruling D9)."""
    assert found({"joined": "2021-03-05"}, text)[:1] == [("date", score)]


def test_a_value_without_its_cue_supports_nothing():
    """Its level is weak at best (rulings D1, D7)."""
    (best, *_) = found({"commute": "40 minutes"}, INTERVIEW)
    assert SupportLevel.of(best[1]) is SupportLevel.WEAK


def test_a_number_in_the_name_of_a_column_says_nothing():
    """`age 34` is a question, and its answers are something else."""
    assert found({"age": 34}, "age 34,job\nyes,x\nno,y\n") == []


def test_evidence_has_its_place():
    """The span is in the unit, and the unit has its location in the source."""
    index = ValueIndex(SourceData([("i.txt", INTERVIEW)]).units())
    (claim,) = ClaimExtractor().extract({"age": 34})
    (best, *_) = index.evidence(claim)
    assert best.unit.text[best.start : best.end] == "34"
    assert (best.layer, str(best.unit.locator)) == (Layer.VALUES, "i.txt, line 2, turn 2 (Joon)")


def test_each_source_keeps_its_best():
    """A result can count the interviews that say it (ruling D10)."""
    sources = [(f"s{number}", "I'm 34. " + "Age: 34 is old. " * 5) for number in range(12)]
    index = ValueIndex(SourceData(sources).units())
    (claim,) = ClaimExtractor().extract({"age": 34})
    evidence = index.evidence(claim)
    assert len({each.unit.locator.source for each in evidence}) == 12
    assert MAX_EVIDENCE <= len(evidence) <= MAX_EVIDENCE + 12


WORDS = st.sampled_from(
    ["team", "Team size", "of 12", "we", "people", ". ", "; ", "? Yes, ", "\n", "experience", "years"]
)


@settings(max_examples=examples(200))
@given(st.lists(WORDS, min_size=1, max_size=12).map(" ".join), st.data())
def test_skipped_sentences_are_not_about_the_field(text, data):
    """The word index skips no sentence that the rule would accept."""
    unit = next(iter(SourceData(text).units()), None)
    if unit is None:
        return
    start = data.draw(st.integers(0, len(unit.text)))
    end = data.draw(st.integers(start, len(unit.text)))
    words = FieldWords([unit])
    for cue in map(FieldCue, ("team size", "years of experience", "people")):
        assert words.is_near(cue, unit, start, end) == cue.is_near(unit.text, start, end)


@settings(max_examples=examples(30))
@given(PERSONAS, st.lists(st.text(max_size=200), min_size=1, max_size=3))
def test_scores_are_shares_and_spans_are_inside(persona, texts):
    """This holds for any persona and sources."""
    index = ValueIndex(SourceData([("texts", "\n".join(texts)), SURVEY, INTERVIEW]).units())
    for claim in ClaimExtractor().extract(persona):
        for each in index.evidence(claim):
            assert 0 < each.score <= 1
            assert 0 <= each.start <= each.end <= len(each.unit.text)


@pytest.mark.parametrize(
    "piece", ["1 ", "34 ", "1-", "one ", "and one ", "mid", "$", "1,000", "1.", "March ", "2021 ", "30s "]
)
def test_repeated_fragments_take_linear_time(piece):
    """The time is linear in the number of repetitions."""
    index = ValueIndex(SourceData([piece * effort(5_000, 20_000) + "."]).units())
    for persona in ({"age": 34}, {"age": "30s"}, {"joined": "March 2021"}, {"share": 1}):
        (claim,) = ClaimExtractor().extract(persona)
        assert all(0 < each.score <= 1 for each in index.evidence(claim))


def test_every_kind_is_explained():
    """Reports show the texts."""
    assert MATCH_KINDS.keys() == set(MatchKind)
