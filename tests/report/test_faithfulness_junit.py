"""JUnit XML with a suite for each persona and a case for each claim, for CI systems."""

from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from groundwire.report.rendering import render_junit
from groundwire.sanitize import sanitize
from report.junit import read_junit
from report.samples_faithfulness import HOSTILE, faithfulness_report

REPORT = faithfulness_report()
ROOT = read_junit(render_junit(REPORT))


def test_every_persona_is_a_suite_and_every_claim_a_case():
    """Failed, skipped or passed."""
    counts = [{name: suite.get(name) for name in ("tests", "failures", "skipped", "errors")} for suite in ROOT]
    assert counts == [
        {"tests": "9", "failures": "4", "skipped": "1", "errors": "0"},
        {"tests": "2", "failures": "0", "skipped": "0", "errors": "0"},
        {"tests": "1", "failures": "0", "skipped": "1", "errors": "0"},
    ]
    assert [suite.get("name") for suite in ROOT] == ["Sarah Chen", "second", sanitize(HOSTILE)]


def test_a_failure_says_why():
    """It has the verdict, the rule, the location and the words of the source."""
    case = ROOT[0].find("testcase[@name='Sarah leads a team of nine designers.']")
    failure = case.find("failure")
    assert failure.get("type") == "contradicted"
    assert (
        failure.get("message")
        == "contradicted: The source says “five”; the claim says “Sarah leads a team of nine designers”."
    )
    assert "sarah.txt, line 2, turn 2 (Sarah): I'm 34" in failure.text
    assert "[[five]]" in failure.text
    types = [case.get("type") for case in ROOT.iter("failure")]
    assert types == ["contradicted", "contradicted", "unsupported", "weak"]


def test_supported_claims_pass():
    """A passed case has no message."""
    case = ROOT[0].find("testcase[@name='Person is 34 years old']")
    assert (len(case), case.get("classname")) == (0, "groundwire.faithfulness.age")


def test_figures_are_properties_and_output():
    """Readers of the suite see them."""
    properties = {each.get("name"): each.get("value") for each in ROOT[0].find("properties")}
    assert properties["threshold"] == "0.6"
    assert (properties["faithfulness_score"], properties["min_score"]) == ("0.500", "0.6")
    assert properties["backend"] == "lexical"
    assert ROOT[0].find("system-out").text.startswith("4 of 8 claims supported (50.0 %), below the minimum score\n")


def test_times_are_constant():
    """The bytes are always the same."""
    assert {(suite.get("time"), suite.get("timestamp")) for suite in ROOT} == {("0", "1970-01-01T00:00:00")}


def test_hostile_text_stays_text():
    """No text becomes an element, a section or the end of one."""
    text = render_junit(REPORT)
    assert "]]>" not in text
    assert "<script" not in text
    assert ROOT[2].get("name") == sanitize(HOSTILE)


@settings(max_examples=examples(80))
@given(st.text(min_size=1, max_size=40))
def test_any_text_is_well_formed_and_valid(text):
    """Surrogates, controls and noncharacters, which XML forbids, are spelled out."""
    personas = [{"name": text, "motto": f"I say {text} twice", f"k{text}": "x"}]
    root = read_junit(render_junit(faithfulness_report(personas, [("a", f"Ann: I say {text} twice.")])))
    assert len(root) == 1


def test_no_personas_are_no_suites():
    """The document is valid."""
    assert len(read_junit(render_junit(faithfulness_report([])))) == 0


@pytest.mark.parametrize(
    "broken",
    [
        "<testsuites/><x/>",
        "<testsuite/>",
        '<testsuites><testsuite name="x"/></testsuites>',
        "<testsuites><testcase/></testsuites>",
    ],
)
def test_the_reader_of_these_tests_is_strict(broken):
    """It refuses invalid documents."""
    with pytest.raises((AssertionError, ElementTree.ParseError)):
        read_junit(broken)
