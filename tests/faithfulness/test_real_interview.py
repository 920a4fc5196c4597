"""A real interview with facts about the speaker: the layers find true facts and reject edited ones."""

import json
import re

import pytest

from groundwire.faithfulness import (
    ClaimExtractor,
    MatchKind,
    SourceData,
    SupportEvidence,
    Unit,
    ValueIndex,
    VerbatimIndex,
)

SUPPORTED_FROM = 0.6
_WRONG = {"age": 41, "first_name": "Maria", "last_name": "Lopez", "city": "Chicago", "religion": "Buddhist"}


@pytest.fixture(scope="module")
def interview(shared_data) -> dict:
    """Return the interview with its facts."""
    path = shared_data / "sets" / "interview_with_facts.json"
    if not path.is_file():
        pytest.skip(f"no interview at {path}")
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def units(interview) -> list[Unit]:
    """Return its units."""
    return list(SourceData([("interview", "\n".join(interview["source"]))]).units())


@pytest.fixture(scope="module")
def layers(units) -> tuple[VerbatimIndex, ValueIndex]:
    """Return both layers over the interview."""
    return VerbatimIndex(units), ValueIndex(units)


def best(persona: dict, layers: tuple[VerbatimIndex, ValueIndex]) -> dict[str, SupportEvidence | None]:
    """Return the best evidence for each claim, by its path."""
    words, values = layers
    claims = ClaimExtractor().extract(persona)
    found = {}
    for claim, quoted in zip(claims, words.evidence(claims), strict=True):
        found[claim.path] = max(quoted + values.evidence(claim), key=lambda each: each.score, default=None)
    return found


def test_everything_said_is_in_a_turn(interview, units):
    """Two people speak, and no unit has another speaker's label in it."""
    assert {unit.locator.speaker for unit in units} == {"Interviewer", "Joon"}
    text = "\n".join(interview["source"])
    assert all(text[unit.locator.start : unit.locator.end] == unit.text for unit in units)
    assert [unit.locator.turn for unit in units] == sorted(unit.locator.turn for unit in units)


def test_facts_make_claims(interview):
    """Each field gives one claim."""
    claims = ClaimExtractor().extract(interview["scratch"])
    assert [claim.path for claim in claims] == list(interview["scratch"])


def test_facts_that_are_said_in_these_words_are_found(interview, layers):
    """Name, age and city are found; inferred facts need other layers."""
    found = best(interview["scratch"], layers)
    said = {path for path, evidence in found.items() if evidence is not None and evidence.score >= SUPPORTED_FROM}
    assert {"first_name", "age", "city"} <= said


def test_wrong_facts_are_not_found(interview, layers):
    """None of them reaches the threshold."""
    found = best(interview["scratch"] | _WRONG, layers)
    assert [path for path in _WRONG if found[path] is not None and found[path].score >= SUPPORTED_FROM] == []


def test_wrong_ages_are_not_found(layers):
    """Ages from 18 to 90 are tested, except those that somebody has."""
    found = {age: best({"age": age}, layers)["age"] for age in range(18, 91)}
    taken = [age for age, evidence in found.items() if evidence is not None and evidence.score >= SUPPORTED_FROM]
    assert taken == [30]


def test_sentences_are_quotes_and_edited_ones_are_not(units, layers):
    """Each sentence with a number or a negation is found; none with another number or without `not` is."""
    pattern = re.compile(r"\b(?:not|never|two|three|four|five|six|ten|[1-9]\d?)\b")
    said = [unit.text for unit in units if unit.locator.speaker == "Joon"]
    sentences = [each for text in said for each in re.split(r"(?<=[.?!])\s+", text) if 40 < len(each) < 400]
    chosen = [sentence for sentence in sentences if len(pattern.findall(sentence)) == 1]
    edited = [
        pattern.sub(lambda match: "" if match[0] in ("not", "never") else "seven", sentence) for sentence in chosen
    ]
    assert len(chosen) >= 30
    kinds = {
        quotes: {evidence and evidence.kind for evidence in best({"quotes": quotes}, layers).values()}
        for quotes in (tuple(chosen), tuple(edited))
    }
    assert not kinds[tuple(chosen)] & {None, MatchKind.ALTERED}
    assert kinds[tuple(edited)] <= {None, MatchKind.ALTERED}
