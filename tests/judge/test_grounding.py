"""The quotes of any judge are checked (ruling B12)."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.judge import HallucinationType, JudgeIssue, Judgement, aevaluate_results, evaluate_results
from groundwire.judge.protocol import ground_issues
from judge.cases import ANSWER, QUESTION, RESULTS, written
from judge.scripted_server import writes

KIND = HallucinationType.CONTRADICTION


def issue(evidence: str | None, grounded: bool | None = None) -> JudgeIssue:
    """Return an issue with this quote."""
    return JudgeIssue(type=KIND, claim="opened in 1932", evidence=evidence, grounded=grounded)


@pytest.mark.parametrize(
    ("evidence", "is_grounded"),
    [
        pytest.param("The bridge was opened in 1931 by the mayor.", True, id="a-sentence"),
        pytest.param("the bridge was  opened in 1931", True, id="case-and-space"),
        pytest.param("painted grey", True, id="of-another-source"),
        pytest.param("Bridges", True, id="a-title"),
        pytest.param("The bridge was opened in 1932 by the mayor.", False, id="another-number"),
        pytest.param("The bridge was not opened in 1931 by the mayor.", False, id="a-negation-more"),
        pytest.param("It collapsed in the first winter.", False, id="made-up"),
        pytest.param("painted grey by the mayor", False, id="of-two-sources"),
        pytest.param("...", False, id="no-words"),
        pytest.param("rid", False, id="part-of-a-word"),
    ],
)
def test_an_issue_with_an_absent_quote_is_void(evidence, is_grounded):
    """Ruling B12: the engine searches the sources; void issues are kept separately, and counted."""
    judged = ground_issues(Judgement(score=0.5, issues=(issue(evidence),)), RESULTS)
    found = issue(evidence, is_grounded)
    assert (judged.issues, judged.void_issues) == (((found,), ()) if is_grounded else ((), (found,)))
    assert judged.score == 0.5


def test_an_issue_without_a_quote_stays():
    """A claim that no source mentions cannot be quoted."""
    judged = ground_issues(Judgement(issues=(issue(None), issue("made up"), issue("painted grey"))), RESULTS)
    assert judged.issues == (issue(None), issue("painted grey", True))
    assert judged.void_issues == (issue("made up", False),)


def test_without_texts_every_quote_is_absent():
    """Results with ids alone prove nothing."""
    assert ground_issues(Judgement(issues=(issue("x"),)), [{"id": "1"}]).void_issues == (issue("x", False),)


def test_quotes_are_searched_once():
    """Repeated quotes are searched once."""
    once = ground_issues(Judgement(issues=(issue("made up"), issue("painted grey"))), RESULTS)
    assert ground_issues(once, []) == once


def test_a_model_s_issues_are_checked(serve, judge_of):
    """The quotes in a model's judgement have been checked."""
    quotes = ["painted grey", "painted blue", None]
    issues = [{"type": "contradiction", "claim": "grey", "evidence": quote} for quote in quotes]
    judged = judge_of(serve(writes(written(issues=issues)))).judge(QUESTION, ANSWER, RESULTS)
    assert [each.grounded for each in judged.issues] == [True, None]
    assert [each.evidence for each in judged.void_issues] == ["painted blue"]


TEXTS = st.text(st.sampled_from('ab1. \n"…[]<>\ud800\u200bé中'), max_size=20)


@given(st.lists(st.none() | TEXTS, max_size=4), st.lists(TEXTS, max_size=3))
def test_every_issue_is_kept_or_void_whatever_the_texts_are(quotes, texts):
    """No issue is lost, and none with a quote is unchecked."""
    results = [{"id": str(place), "content": text} for place, text in enumerate(texts)]
    judged = ground_issues(Judgement(issues=tuple(map(issue, quotes))), results)
    assert sorted([str(each.evidence) for each in (*judged.issues, *judged.void_issues)]) == sorted(map(str, quotes))
    assert {each.grounded for each in judged.void_issues} <= {False}
    assert all(each.grounded is (None if each.evidence is None else True) for each in judged.issues)


class Own:
    """A custom judge."""

    def __init__(self, judged):
        self._judged = judged

    def judge(self, _question, _answer, _results):
        if isinstance(self._judged, Exception):
            raise self._judged
        return self._judged

    async def ajudge(self, *case):
        return self.judge(*case)


def ask(way, judge):
    """Call it in either way."""
    if way == "sync":
        return evaluate_results(QUESTION, ANSWER, RESULTS, judge=judge)
    return asyncio.run(aevaluate_results(QUESTION, ANSWER, RESULTS, judge=judge))


@pytest.mark.parametrize("way", ["sync", "async"])
def test_the_quotes_of_any_judge_are_checked(way):
    """Ruling B12 holds for custom judges too."""
    judged = ask(way, Own(Judgement(score=1.0, issues=(issue("painted blue"), issue("painted grey")))))
    assert (judged.issues, judged.void_issues) == ((issue("painted grey", True),), (issue("painted blue", False),))


@pytest.mark.parametrize("way", ["sync", "async"])
@pytest.mark.parametrize("judged", [ValueError("zyxwhale"), TypeError(), None, "good", {"score": 1.0}], ids=repr)
def test_a_judge_that_raises_or_returns_another_type_has_failed(way, judged):
    """Ruling B11: an error in a judge is visible, and no reason to trust the answer."""
    result = ask(way, Own(judged))
    assert (result.status, result.error, result.score) == ("error", "bad_judge", None)
    assert "zyxwhale" not in repr(result)


@pytest.mark.parametrize("way", ["sync", "async"])
@pytest.mark.parametrize(
    "issues",
    [
        pytest.param(None, id="none"),
        pytest.param([{"type": "contradiction", "claim": "zyxwhale"}], id="dict"),
        pytest.param((JudgeIssue(type="zyxwhale", claim="x"),), id="type"),
        pytest.param((JudgeIssue(type=["x"], claim="x"),), id="unhashable-type"),
        pytest.param((JudgeIssue(type=KIND, claim=None, evidence="painted grey"),), id="claim"),
        pytest.param((JudgeIssue(type=KIND, claim="x", evidence=5),), id="evidence"),
    ],
)
def test_a_judgement_with_malformed_issues_has_failed(way, issues):
    """Ruling B11: it raises no error, and none of its values counts."""
    result = ask(way, Own(Judgement(score=1.0, hallucination_risk=0.0, issues=issues)))
    assert (result.status, result.error, result.score, result.issues) == ("error", "bad_judge", None, ())
    assert "zyxwhale" not in repr(result)


@pytest.mark.parametrize("way", ["sync", "async"])
def test_an_object_that_is_not_a_judge_is_a_type_error(way):
    """A function is no judge."""
    with pytest.raises(TypeError, match="judge must have the methods judge and ajudge, got str"):
        ask(way, "judge")


@pytest.mark.parametrize("way", ["sync", "async"])
def test_our_own_judge_is_called_directly(serve, judge_of, way):
    """`evaluate_results` adds nothing to our own judge."""
    judge = judge_of(serve(writes(written())))
    assert ask(way, judge) == judge.judge(QUESTION, ANSWER, RESULTS)
