"""The citation report has the facts of the rules, the judge and the results."""

import pytest

from groundwire.citations import RiskMonitor, assess_answer, assess_citations
from groundwire.judge.protocol import Judgement, JudgeStatus
from groundwire.report.cite import Case, build_cite_report
from groundwire.settings import RiskSettings
from report.samples_cite import ANSWER, CASE, RESULTS, Judge

TEXT = "The mill burned down in the winter of 1887."
GOOD = Case("The mill burned down in the winter of 1887 [1].", [{"id": "1", "text": TEXT}], id="good")
BAD = Case("The mill burned down in the winter of 1887 [8].", [{"id": "1"}], line=7)


@pytest.mark.parametrize("policy", ["coverage", "spec"])
def test_the_report_has_the_result_of_the_rules(policy):
    """Level, shares, claims and citations are those of `assess_citations`."""
    (answer,) = build_cite_report([CASE], policy=policy).answers
    rules = assess_citations(ANSWER, RESULTS, policy=policy)
    for name in ("level", "score", "note", "citation_coverage", "citation_ratio", "total_claims"):
        assert getattr(answer, name) == getattr(rules, name)
    assert answer.valid_citations == tuple(rules.valid_citations)
    assert answer.invalid_citations == tuple(rules.invalid_citations)
    assert [each.code for each in answer.reasons] == list(rules.reasons)
    assert [(each.text, each.status, each.support) for each in answer.claims] == [
        (each.text, each.status, each.support) for each in rules.claims
    ]
    assert [(each.id, each.start, each.status) for each in answer.citations] == [
        (each.id, each.start, each.status) for each in rules.citations
    ]
    assert [each.found_by for each in answer.findings] == [each.found_by for each in rules.findings]


def test_reasons_have_their_limits_in_words():
    """No `{name}` is left in the texts."""
    (answer,) = build_cite_report([CASE]).answers
    assert answer.reasons
    assert not any("{" in each.words for each in answer.reasons)


def test_claims_are_numbered_and_placed():
    """A claim's text is the answer from start to end, and its line is the one that an editor shows."""
    (answer,) = build_cite_report([CASE]).answers
    assert [each.number for each in answer.claims] == list(range(1, len(answer.claims) + 1))
    assert all(ANSWER[each.start : each.end] == each.text for each in answer.claims)
    first = answer.claims[0]
    assert (first.line, first.column) == (3, 1)
    assert {number for each in answer.citations for number in each.claims} <= {each.number for each in answer.claims}


def test_sources_are_the_results():
    """In their order, with the length of their passages, and whether an id of theirs is cited."""
    (answer,) = build_cite_report([CASE]).answers
    rows = [(each.id, each.parent_id, each.title, each.is_cited) for each in answer.sources]
    assert rows == [
        ("1", None, "Annals <i>", True),
        ("2", "museum", None, True),
        ("3", "museum", None, True),
        ("4", None, "A result without a text", False),
    ]
    assert [each.chars for each in answer.sources] == [84, 1402, 50, None]
    assert [(each.code, each.count) for each in answer.anomalies] == [("number_as_id", 1)]


def test_answers_keep_their_order_and_names():
    """Names are an id, a file or a line; concurrency changes nothing."""
    cases = [GOOD, BAD, CASE._replace(name="a.md")] * 5
    one, four = (build_cite_report(cases, workers=workers) for workers in (1, 4))
    assert one == four
    assert [each.name for each in one.answers[:3]] == ["good", "line 7", "a.md"]
    assert [each.number for each in one.answers] == list(range(1, 16))


def test_summary_counts_answers_and_claims():
    """Accepted or not, by level, and the figures of the monitor."""
    monitor = RiskMonitor()
    steps = []
    report = build_cite_report([GOOD, BAD], monitor=monitor, on_progress=steps.append)
    summary = report.summary
    assert (summary.answers, summary.accepted, summary.rejected, summary.low, summary.high) == (2, 1, 1, 1, 1)
    assert (summary.claims, summary.uncited, summary.supported) == (2, 1, 1)
    assert summary.invalid_citation_rate == monitor.counts.invalid_citation_rate == 0.5
    assert monitor.counts.answers == 2
    assert steps == [1, 1]


def test_the_judgement_is_in_the_report():
    """Its judgement is in the report, and the level is that of `assess_answer`."""
    judge = Judge()
    report = build_cite_report([GOOD._replace(question="Why?")], judge=judge, when="auto", model="m")
    (answer,) = report.answers
    assert judge.asked == [("Why?", GOOD.answer)]
    assert (report.settings.judge, report.settings.model) == ("auto", "m")
    assert answer.level == assess_answer("Why?", GOOD.answer, GOOD.results, judge=judge).level == "high"
    assert answer.judge_status is JudgeStatus.OK
    assert answer.judgement.hallucination_risk == 0.7
    assert [(each.type, each.claim, each.evidence) for each in answer.judgement.issues] == [
        ("contradiction", "three", "four million")
    ]
    assert answer.judgement.usage.calls == 2
    assert [each.found_by for each in answer.findings] == ["judge"]


def test_a_failed_judgement_is_reported():
    """The level is that of the rules, and the code says why."""
    judge = Judge(Judgement(status=JudgeStatus.ERROR, error="timeout"))
    (answer,) = build_cite_report([GOOD], judge=judge).answers
    assert (answer.level, answer.judge_status, answer.judgement.error) == ("low", "error", "timeout")


def test_without_a_judge_the_settings_name_none():
    """The settings say that no judge was called."""
    report = build_cite_report([GOOD], when="auto")
    assert (report.settings.judge, report.settings.model, report.answers[0].judgement) == ("never", None, None)


def test_rounds_and_limits_are_those_of_each_answer():
    """The limits depend on the type and quality; a forced acceptance is shown beside its level, and counted."""
    settings = RiskSettings(citation_risk_open_high_above=0.9, citation_risk_good_sources_shift=0.05, _env_file=None)
    cases = [
        BAD._replace(iteration=5, max_iterations=5),
        BAD._replace(iteration=4, max_iterations=5),
        BAD._replace(question_type="open", source_quality="good"),
    ]
    report = build_cite_report(cases, settings=settings)
    assert [(each.level, each.accepted, each.forced) for each in report.answers] == [
        ("high", True, True),
        ("high", False, False),
        ("high", False, False),
    ]
    assert [(each.moderate_above, each.high_above) for each in report.answers] == [(0.3, 0.6), (0.3, 0.6), (0.35, 0.95)]
    assert report.answers[2].reasons[0].words == "The risk score is 1.00; a score above 0.95 is a high risk."
    assert (report.summary.accepted, report.summary.forced, report.summary.rejected) == (1, 1, 2)


def test_unknown_type_of_question_is_refused():
    """No default limits apply."""
    with pytest.raises(ValueError, match='question_type must be one of "factual", "open"'):
        build_cite_report([GOOD._replace(question_type="fact")])


def test_unknown_policy_is_refused_without_answers_too():
    """The error also comes for an empty batch."""
    with pytest.raises(ValueError, match="policy must be"):
        build_cite_report([], policy="covrage")


def test_an_interrupt_leaves_the_rest_undone():
    """Answers that have not started are not assessed."""
    judge = Judge()

    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_cite_report([GOOD] * 1000, judge=judge, when="always", workers=2, on_progress=stop)
    assert len(judge.asked) < 1000
