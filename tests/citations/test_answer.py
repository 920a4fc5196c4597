"""assess_answer: when a judge is called, and what its failure changes (rulings B10, B11)."""

import asyncio

import pytest

from citations.reports import judgement_with
from groundwire.citations import RiskLevel, aassess_answer, assess_answer, assess_citations
from groundwire.judge.protocol import Judge, Judgement, JudgeStatus

RESULTS = [{"id": "1", "text": "The old dog sleeps on the warm red sofa."}]
ANSWERS = {
    "low": "The old dog sleeps on the warm red sofa [1].",
    "moderate": "The old dog sleeps on the warm red sofa [1]. The cat sleeps in the barn.",
    "high": "The old dog sleeps on the warm red sofa [9].",
    "not_assessed": "Yes [1].",
    "empty": " ",
}


class ScriptedJudge:
    """Returns or raises what the test sets, and counts its calls."""

    def __init__(self, said):
        self.said = said
        self.asked = []

    def judge(self, question, answer, results):
        self.asked.append((question, answer, results))
        if isinstance(self.said, BaseException):
            raise self.said
        return self.said

    async def ajudge(self, question, answer, results):
        await asyncio.sleep(0)
        return self.judge(question, answer, results)


def assess_now(*arguments, **options):
    """Assess synchronously."""
    return assess_answer(*arguments, **options)


def assess_later(*arguments, **options):
    """Assess asynchronously."""
    return asyncio.run(aassess_answer(*arguments, **options))


both_ways = pytest.mark.parametrize("assess", [assess_now, assess_later])


def test_the_answers_have_the_levels_that_they_are_called_by():
    """The tests below rely on these levels."""
    levels = {name: assess_citations(answer, RESULTS).level.value for name, answer in ANSWERS.items()}
    assert levels == {name: name for name in ANSWERS} | {"empty": "not_assessed"}
    assert isinstance(ScriptedJudge(None), Judge)


@both_ways
@pytest.mark.parametrize(
    ("when", "asked"),
    [
        ("auto", {"low", "moderate", "not_assessed"}),
        ("always", {*ANSWERS}),
        ("moderate_only", {"moderate"}),
        ("never", set()),
    ],
)
@pytest.mark.parametrize("name", ANSWERS)
def test_the_judge_is_called_when_it_can_change_the_result(assess, when, asked, name):
    """Ruling B10: once, with the caller's input; by default not if the rules already find a high risk."""
    judge = ScriptedJudge(judgement_with(0.1))
    assessment = assess("Who sleeps?", ANSWERS[name], RESULTS, judge=judge, when=when)
    assert judge.asked == [("Who sleeps?", ANSWERS[name], RESULTS)] * (name in asked)
    assert assessment.judge_status is (JudgeStatus.OK if name in asked else JudgeStatus.NOT_RUN)


@both_ways
@pytest.mark.parametrize("name", ANSWERS)
@pytest.mark.parametrize(
    ("said", "error"),
    [
        pytest.param(RuntimeError("private words"), "bad_judge", id="raises"),
        pytest.param(TimeoutError("private words"), "timeout", id="time-out"),
        pytest.param(ConnectionError("private words"), "bad_judge", id="unreachable"),
        pytest.param(None, "bad_judge", id="nothing"),
        pytest.param({"hallucination_risk": 0.0}, "bad_judge", id="a-dict"),
        pytest.param(Judgement(status=JudgeStatus.ERROR, error="rate_limited"), "rate_limited", id="says-so"),
    ],
)
def test_a_judge_that_fails_changes_nothing_but_the_status(assess, name, said, error):
    """Ruling B11: rules only, `judge_status` "error", never a lower level; a code reports the error."""
    alone = assess("Who sleeps?", ANSWERS[name], RESULTS)
    together = assess("Who sleeps?", ANSWERS[name], RESULTS, judge=ScriptedJudge(said), when="always")
    assert (together.level, together.score, together.action) == (alone.level, alone.score, alone.action)
    assert (together.judge_status, together.judgement.error) == (JudgeStatus.ERROR, error)
    assert "private" not in repr(together.judgement)


@both_ways
@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_an_interruption_ends_the_assessment(assess, stop):
    """An interruption is no failed judgement."""
    with pytest.raises(stop):
        assess("Who sleeps?", ANSWERS["low"], RESULTS, judge=ScriptedJudge(stop()))


def test_a_cancelled_task_is_cancelled():
    """A cancellation is no failed judgement."""

    async def cancel() -> None:
        judge = ScriptedJudge(asyncio.CancelledError())
        await aassess_answer("Who sleeps?", ANSWERS["low"], RESULTS, judge=judge)

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancel())


@both_ways
def test_a_judge_turns_a_low_risk_into_a_high_one(assess):
    """Rulings B10, B11: the judge finds what the rules cannot see, and the answer is rejected."""
    assessment = assess("Who sleeps?", ANSWERS["low"], RESULTS, judge=ScriptedJudge(judgement_with(0.7)))
    assert (assessment.level, assessment.score, assessment.accepted) == (RiskLevel.HIGH, 0.7, False)
    assert assessment.report.level is RiskLevel.LOW


@both_ways
def test_the_iterations_go_through(assess):
    """Ruling B13: the answer of the last iteration is accepted by force."""
    assessment = assess("Who sleeps?", ANSWERS["high"], RESULTS, iteration=3, max_iterations=3)
    assert (assessment.level, assessment.forced) == (RiskLevel.HIGH, True)


@both_ways
def test_the_policy_goes_through(assess):
    """Ruling B3: the policy "spec" decides by the specified rules."""
    assert assess("Who sleeps?", ANSWERS["low"], RESULTS, policy="spec").report.policy == "spec"


@both_ways
@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"question": None}, TypeError, "question must be a str, got NoneType"),
        ({"judge": "a judge"}, TypeError, "judge must have the method a?judge, got str"),
        ({"when": "sometimes"}, ValueError, 'when must be one of "auto", .*, got "sometimes"'),
        ({"when": None}, TypeError, "when must be one of .*, got NoneType"),
        ({"when": "always"}, ValueError, 'when="always" needs a judge'),
        ({"iteration": 1}, ValueError, "iteration and max_iterations belong together; max_iterations is missing"),
    ],
)
def test_a_wrong_argument_is_refused_before_the_judge_is_called(assess, options, error, message):
    """The error comes before the judge is called and costs anything."""
    judge = ScriptedJudge(judgement_with())
    given = {"question": "Who sleeps?", "answer": ANSWERS["low"], "results": RESULTS}
    if options != {"when": "always"}:
        given["judge"] = judge
    given |= options
    with pytest.raises(error, match=f"^{message}$"):
        assess(given.pop("question"), given.pop("answer"), given.pop("results"), **given)
    assert judge.asked == []
