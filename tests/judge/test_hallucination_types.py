"""Each type of hallucination: the prompt asks the model for it, and its finding decides (citation-risk, B12)."""

import json

import pytest

from groundwire.citations import assess_answer
from groundwire.citations.literal import LONG_CHARS
from judge.cases import QUESTION, RESULTS, written
from judge.scripted_server import writes

# The rules find no problem, so the judge alone can raise the level.
ANSWER = "The bridge was opened in 1931 by the mayor [1]."


@pytest.fixture
def find(serve, judge_of):
    """Return a function that lets the model find one problem; it returns instructions, data and assessment."""

    def call(kind, evidence=None):
        issue = {"type": kind, "claim": "opened in 1931", "evidence": evidence}
        server = serve(writes(written(issues=[issue], hallucination_risk=0.1, score=0.9, decision="synthesize")))
        assessment = assess_answer(QUESTION, ANSWER, RESULTS, judge=judge_of(server))
        (finding,) = assessment.findings
        assert (finding.type, finding.found_by) == (kind, "judge")
        contents = server.contents(0)
        return contents["system"], contents["user"], assessment

    return call


def test_without_an_issue_the_level_is_low(serve, judge_of):
    """The other tests of this file start from this."""
    server = serve(writes(written(hallucination_risk=0.1, decision="synthesize")))
    assert assess_answer(QUESTION, ANSWER, RESULTS, judge=judge_of(server)).level == "low"


def test_the_judge_looks_for_claims_without_support(find):
    """The prompt asks to check every important claim; one that the sources lack is a high risk."""
    system, _, assessment = find("unsupported_claim")
    assert "unsupported_claim: the expert advice does not say it. Check every claim that matters." in system
    assert (assessment.level, assessment.reasons) == ("high", ("judge_found_unsupported",))


def test_the_judge_looks_for_contradictions(find):
    """Numbers, dates, names and negations count; one that is proved by the source's words is a high risk."""
    system, _, assessment = find("contradiction", evidence="painted grey since then")
    assert "contradiction: the expert advice says otherwise: another number, date or name, a negation." in system
    assert (assessment.level, assessment.reasons) == ("high", ("judge_found_unsupported",))
    assert assessment.judgement.issues[0].grounded is True


def test_the_judge_looks_for_overstatements(find):
    """A claim that goes beyond the sources is a moderate risk."""
    system, _, assessment = find("over_extrapolation")
    assert "over_extrapolation: it goes further than the expert advice does." in system
    assert (assessment.level, assessment.reasons) == ("moderate", ("judge_found_faults",))


def test_the_judge_checks_that_cited_sources_exist(find):
    """The prompt lists the existing ids, and says that a citation has to name one."""
    system, user, assessment = find("invalid_citation")
    assert "does each citation, such as [1], name an id of the expert advice" in system
    assert "invalid_citation: it cites an id that the expert advice does not have." in system
    sent = json.loads(next(line for line in user.splitlines() if line.startswith("[")))
    assert [source["id"] for source in sent] == ["1", "2"]
    assert (assessment.level, assessment.reasons) == ("moderate", ("judge_found_faults",))


def test_the_judge_marks_claims_without_a_citation(find):
    """The prompt asks for long sentences without a citation."""
    system, _, assessment = find("uncited_claim")
    rule = f"A sentence is long if it has more than {LONG_CHARS} characters."
    assert f"uncited_claim: a long sentence makes a claim and cites nothing. {rule}" in system
    assert (assessment.level, assessment.reasons) == ("moderate", ("judge_found_faults",))
