"""Logs, figures and errors contain no text of answers, questions or results (rulings A15, B11)."""

import logging
import traceback

import pytest

from citations.test_answer import ScriptedJudge
from groundwire.citations import HallucinationType, RiskMonitor, assess_answer, assess_citations, detect_hallucination
from groundwire.judge.protocol import JudgeIssue, Judgement

MARKERS = ("zyxwhale", "borogroves", "qorvexin", "slithytove")
ANSWER = "The zyxwhale swims around the borogroves, and nobody has ever seen it there [zyx-9] [qor-1]. "
RESULTS = [{"id": "qor-1", "content": "qorvexin slithytove"}]
QUESTION = "Where is the zyxwhale?"
ISSUE = JudgeIssue(type=HallucinationType.UNSUPPORTED_CLAIM, claim="zyxwhale", evidence="qorvexin", grounded=True)
JUDGES = {
    "none": None,
    "judgement": ScriptedJudge(
        Judgement(
            hallucination_risk=0.7,
            reasoning="zyxwhale",
            hallucination_notes="borogroves",
            issues=(ISSUE,),
            confidence=0.9,
        )
    ),
    "raises": ScriptedJudge(RuntimeError("zyxwhale in the borogroves")),
    "no-judgement": ScriptedJudge("qorvexin"),
}


def assert_no_marker(text: str) -> None:
    """Fail without showing the text, which the failure's own output would contain."""
    assert [marker for marker in (*MARKERS, "zyx", "qor") if marker in text.lower()] == []


@pytest.mark.parametrize("judge", JUDGES.values(), ids=JUDGES.keys())
@pytest.mark.parametrize("policy", ["coverage", "spec"])
@pytest.mark.parametrize("answer", [ANSWER, ANSWER * 4, "zyxwhale", ""], ids=["one", "four", "no-claim", "empty"])
def test_no_text_is_logged_or_counted(caplog, judge, policy, answer):
    """Log records and both exports of the monitor have counts, scores and codes only."""
    caplog.set_level(0)
    monitor = RiskMonitor()
    for iteration in (1, 9):
        options = {"policy": policy, "iteration": iteration, "max_iterations": 9}
        when = "auto" if judge is None else "always"
        monitor.record(assess_answer(QUESTION, answer, RESULTS, judge=judge, when=when, **options))
    shown = [repr(vars(record)) + logging.Formatter().format(record) for record in caplog.records]
    assert len(shown) >= 2
    assert_no_marker("".join(shown) + monitor.as_json() + monitor.as_prometheus())


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda: detect_hallucination([ANSWER], RESULTS), id="literal-answer"),
        pytest.param(lambda: detect_hallucination(ANSWER, [ANSWER]), id="literal-result"),
        pytest.param(lambda: assess_citations([ANSWER], RESULTS), id="answer"),
        pytest.param(lambda: assess_citations(ANSWER, ANSWER), id="results"),
        pytest.param(lambda: assess_citations(ANSWER, [ANSWER]), id="result"),
        pytest.param(lambda: assess_citations(ANSWER, RESULTS, policy=QUESTION), id="policy"),
        pytest.param(lambda: assess_answer([QUESTION], ANSWER, RESULTS), id="question"),
        pytest.param(lambda: assess_answer(QUESTION, ANSWER, RESULTS, when=QUESTION), id="when"),
        pytest.param(lambda: assess_answer(QUESTION, ANSWER, RESULTS, judge=ANSWER), id="judge"),
    ],
)
def test_no_text_is_in_an_error(call):
    """The error names a misplaced argument and does not show it."""
    with pytest.raises((TypeError, ValueError)) as caught:
        call()
    assert_no_marker(f"{caught.value!r}{caught.value.args}{traceback.format_exception_only(caught.value)}")
