"""Assertions for users' tests: the inputs that pass, and the messages of failures."""

import json
import subprocess
import sys
from types import SimpleNamespace

import pytest

from cli.command import environment
from groundwire import Source, read_document, read_transcript
from groundwire.citations import RiskThresholds
from groundwire.evidence import QuotePolicy
from groundwire.testing import assert_cited, assert_faithful, assert_grounded, take_counts

TEXT = "Anna: I can’t  sleep at night.\nBen: Take 15 mg of it. If needed."


@pytest.mark.parametrize(
    "source", [TEXT, Source(TEXT), read_transcript(TEXT), ["other", TEXT], [Source("other"), TEXT]]
)
@pytest.mark.parametrize("quotes", ["I can't sleep", ["take 15 mg", "at night"]])
def test_quotes_that_are_there_pass(quotes, source):
    """One or several quotes are in a text, a source, a transcript or several of them."""
    assert_grounded(quotes, source)


def test_a_failure_shows_the_words_of_the_source():
    """Differences are marked, and the location is named; grounded quotes are not listed."""
    with pytest.raises(AssertionError) as failure:
        assert_grounded(["Take 50 mg of it", "at night", "I feel hopeless", ""], Source(TEXT, name="interview"))
    assert str(failure.value) == (
        "3 of 4 quotes not grounded\n"
        "\n"
        "#1 altered: The passage says 15 mg; the quote says 50 mg.\n"
        "   quote:  Take 50 mg of it\n"
        "   source: Take [-15 mg-]{+50 mg+} of it\n"
        "           at interview:2:6, characters 36 to 52, score 0.937\n"
        "\n"
        "#3 absent: No passage is similar enough (best 0.41, threshold 0.85): “sleep”\n"
        "   quote:  I feel hopeless\n"
        "\n"
        "#4 blank: Normalisation leaves nothing of the quote, or only punctuation.\n"
        "   quote:  (empty)"
    )


@pytest.mark.parametrize(
    ("options", "passes"),
    [
        ({}, False),
        ({"policy": "literal"}, False),
        ({"policy": "literal", "mode": "fuzzy"}, True),
        ({"policy": "literal", "mode": "fuzzy", "threshold": 0.95}, False),
    ],
)
def test_the_policy_decides(options, passes):
    """Only fuzzy mode accepts another number, as elsewhere."""
    if passes:
        assert_grounded("Take 50 mg of it", TEXT, **options)
    else:
        with pytest.raises(AssertionError, match="1 of 1 quote not grounded"):
            assert_grounded("Take 50 mg of it", TEXT, **options)


def test_a_custom_policy():
    """Its rules decide: here, the quote has too few words."""
    with pytest.raises(AssertionError, match="the policy requires at least 3 words"):
        assert_grounded("at night", TEXT, policy=QuotePolicy(min_words=3))


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (([], TEXT), ValueError, "there are no quotes"),
        (([1], TEXT), TypeError, r"quotes\[0\] must be a str, got int"),
        ((["a"], [b"a"]), TypeError, "source 1 must be a str, a Path, a Source, a Transcript or a Document, got bytes"),
    ],
)
def test_invalid_arguments_are_not_failures_of_quotes(arguments, error, words):
    """An empty list would always pass."""
    with pytest.raises(error, match=words):
        assert_grounded(*arguments)


def test_pytest_shows_the_failure_and_not_our_frames(tmp_path):
    """The report of a test run shows only the test."""
    test = tmp_path / "test_mine.py"
    test.write_text(
        "from groundwire.testing import assert_grounded\ndef test_it():\n    assert_grounded('no such', 'text')\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)]
    shown = subprocess.run(command, capture_output=True, text=True, env=environment(), cwd=tmp_path).stdout
    assert "AssertionError: 1 of 1 quote not grounded" in shown
    assert "python/groundwire/testing.py" not in shown


def test_a_source_may_be_a_file(tmp_path):
    """A Path is read as UTF-8, without a byte order mark, and named in failures."""
    path = tmp_path / "interview.txt"
    path.write_text(TEXT, encoding="utf-8-sig")
    assert_grounded(["Take 15 mg of it", "Anna"], path)
    assert_grounded("I can't sleep", ["other", path])
    with pytest.raises(AssertionError, match=r"at interview\.txt:2:6"):
        assert_grounded("Take 50 mg of it", path)
    path.write_bytes(b"caf\xe9")
    with pytest.raises(ValueError, match=r"^interview\.txt is not UTF-8: invalid byte at offset 3$"):
        assert_grounded("caf", path)


@pytest.mark.parametrize("policy", ["guarded", "literal"])
def test_files_of_one_name_are_different_sources(tmp_path, policy):
    """Interviews are often in a folder each; a failure says which of them it means."""
    for person in ("anna", "ben"):
        (tmp_path / person).mkdir()
        (tmp_path / person / "interview.txt").write_text(f"I can't sleep, {person} said.", encoding="utf-8")
    files = [tmp_path / "anna" / "interview.txt", tmp_path / "ben" / "interview.txt"]
    assert_grounded(["anna said", "ben said"], files, policy=policy)
    with pytest.raises(AssertionError, match=r"at interview\.txt \(source 2\):1:1"):
        assert_grounded("I can sleep, ben said.", files, policy=policy)


def test_a_source_may_be_a_document(tmp_path):
    """A Path of a document and a Document have places in it; an answer may be one too."""
    path = tmp_path / "notes.html"
    path.write_text("<html><body><h1>Talk</h1><p>Take 15 mg of it every morning.</p></body></html>", encoding="utf-8")
    for source in (path, read_document(path)):
        assert_grounded("Take 15 mg of it", source)
        assert_cited("Take 15 mg of it every morning [1].", [source])
        with pytest.raises(AssertionError, match=r"Take \[-15 mg-\]\{\+50 mg\+\} of it\n +at notes\.html"):
            assert_grounded("Take 50 mg of it", source)
        assert_faithful({"quote": "Take 15 mg of it"}, [source])


@pytest.mark.parametrize("answer", ["I don't know.", "Take 15 mg of it [1]."])
def test_an_answer_without_claims_fails(answer):
    """Nothing was checked, so the assertion cannot pass."""
    with pytest.raises(AssertionError, match=r"^the answer has no claims to check$"):
        assert_cited(answer, FERRY)


def test_assertions_count_statuses():
    """The pytest plugin takes the counts once; they hold no text."""
    take_counts()
    assert_grounded(["I can't sleep", "at night"], TEXT)
    with pytest.raises(AssertionError):
        assert_grounded("Take 50 mg of it", TEXT)
    assert_cited(ANSWER, FERRY)
    assert take_counts() == {
        "assertions: passed": 2,
        "assertions: failed": 1,
        "quotes: exact": 1,
        "quotes: normalized": 1,
        "quotes: altered": 1,
        "claims: supported": 1,
    }
    assert take_counts() == {}


FERRY = "The ferry to the island leaves the old harbour at nine in the morning."
ANSWER = f"{FERRY[:-1]} [1]."


@pytest.mark.parametrize("form", ["str", "Path", "Source", "results", "by-id", "documents"])
def test_an_answer_that_rests_on_its_sources_passes(tmp_path, form):
    """Texts by number or by id, and results as they are."""
    path = tmp_path / "ferry.txt"
    path.write_text(FERRY, encoding="utf-8")
    forms = {
        "str": FERRY,
        "Path": [path],
        "Source": [Source(FERRY), "Another text."],
        "results": [{"id": "1", "text": FERRY}],
        "by-id": {"1": path},
        "documents": [SimpleNamespace(page_content=FERRY, metadata={"id": "1"})],
    }
    assert_cited(ANSWER, forms[form])
    answer = tmp_path / "answer.md"
    answer.write_text(ANSWER, encoding="utf-8")
    assert_cited(answer, forms[form])


@pytest.mark.parametrize(
    ("answer", "results", "words"),
    [
        (ANSWER.replace("[1]", "[7]"), FERRY, "high risk\nreasons: score_high, invalid_citation"),
        (ANSWER.replace("at nine", "at 11"), FERRY.replace("nine", "9"), "#1 contradicted"),
        (FERRY, FERRY, "#1 uncited"),
        (ANSWER, "Bread is baked from flour, water and salt.", "#1 unsupported"),
        (ANSWER, [{"id": "1", "texts": FERRY}], "cited results have no text; their keys: id, texts"),
        ("", FERRY, "not_assessed risk"),
    ],
)
def test_an_answer_that_does_not_fails_with_its_claims(answer, results, words):
    """Rulings B5, B15: it shows the level, the reasons, and the claims with their citations."""
    with pytest.raises(AssertionError, match=words):
        assert_cited(answer, results)


def test_the_limits_of_risk_are_a_setting():
    """A low risk for one user may be too high for another."""
    answer = f"{ANSWER} It is blue and white all over."
    with pytest.raises(AssertionError, match="moderate risk"):
        assert_cited(answer, FERRY)
    assert_cited(answer, FERRY, settings=RiskThresholds(moderate_above=0.5, low_share_from=0.5))


PERSONA = {"name": "Anna", "pain_points": ["cannot sleep at night"]}
INTERVIEW = "Interviewer: How are you?\nAnna: I cannot sleep at night, and it makes me tired."


def test_a_persona_that_rests_on_its_interviews_passes(tmp_path):
    """The persona as a mapping or a file, the source as a str, a Path or a Source."""
    path, persona = tmp_path / "interview.txt", tmp_path / "persona.json"
    path.write_text(INTERVIEW, encoding="utf-8")
    persona.write_text(json.dumps(PERSONA), encoding="utf-8")
    for source in (INTERVIEW, path, Source(INTERVIEW)):
        assert_faithful(PERSONA, source)
    assert_faithful(persona, [path])


def test_a_persona_that_does_not_fails_with_its_claims():
    """Only unsupported claims are listed; without claims a persona cannot pass."""
    persona = PERSONA | {"goals": ["sail around the world with three cats"]}
    with pytest.raises(AssertionError, match="sail around the world") as failure:
        assert_faithful(persona, INTERVIEW)
    assert "sleep" not in str(failure.value)
    assert_faithful(persona, INTERVIEW, min_score=0.5)
    with pytest.raises(AssertionError, match="no claims to check"):
        assert_faithful({"id": "7"}, INTERVIEW)
