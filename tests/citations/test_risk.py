"""Levels, actions, judges and the iteration limit (rulings B4, B5, B7, B10 to B13)."""

import logging
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.reports import facts_with, judgement_with, report_of, report_with
from groundwire import telemetry
from groundwire.citations import (
    CONDITIONS,
    Action,
    FoundBy,
    HallucinationType,
    RiskAssessment,
    RiskLevel,
    RiskReasonCode,
    RiskThresholds,
    assess_citations,
    assess_risk,
)
from groundwire.citations.risk_rules import Share, decide
from groundwire.judge.protocol import JudgeDecision, JudgeIssue, Judgement, JudgeStatus, ground_issues
from groundwire.settings import RiskSettings
from log_fields import fields_of

LEVELS = [RiskLevel.LOW, RiskLevel.MODERATE, RiskLevel.HIGH]
UNREADABLE = [
    pytest.param(judgement_with(None), id="no-risk"),
    pytest.param(judgement_with(1.5), id="above-one"),
    pytest.param(judgement_with(-0.1), id="below-zero"),
    pytest.param(judgement_with(float("nan")), id="nan"),
    pytest.param(judgement_with("0.1"), id="text"),
    pytest.param(judgement_with(0.1, confidence=2.0), id="confidence-above-one"),
    pytest.param(judgement_with(0.1, decision="accept"), id="no-such-decision"),
    pytest.param(judgement_with(0.1, decision=["continue"]), id="a-list-as-decision"),
    pytest.param(judgement_with(0.1, "lie"), id="no-such-type"),
    pytest.param(judgement_with(0.1, ("contradiction",)), id="a-tuple-as-type"),
    pytest.param(judgement_with(0.1, issues=None), id="no-issues"),
    pytest.param(judgement_with(0.1, status="fine"), id="no-such-status"),
    pytest.param(judgement_with(0.1, issues=["contradiction"]), id="text-as-issue"),
    pytest.param(Judgement(status=JudgeStatus.ERROR, error="timeout"), id="timeout"),
]


@pytest.mark.parametrize(
    ("counts", "level", "reasons"),
    [
        pytest.param({}, "low", ["score_low", "none_invalid", "none_uncited", "mostly_cited"], id="all-cited"),
        pytest.param({"cited": 7}, "low", ["score_low", "none_invalid", "none_uncited", "mostly_cited"], id="0.3"),
        pytest.param({"cited": 6}, "moderate", ["score_moderate"], id="0.4"),
        pytest.param({"cited": 4}, "moderate", ["score_moderate"], id="0.6"),
        pytest.param({"cited": 3}, "high", ["score_high"], id="0.7"),
        pytest.param({"cited": 2}, "high", ["score_high", "few_cited"], id="share-of-0.2"),
        pytest.param({"total_claims": 2, "cited": 0}, "high", ["score_high"], id="few-cited-of-two"),
        pytest.param({"invalid": 1}, "high", ["invalid_citation"], id="one-invalid"),
        pytest.param({"uncited": 1}, "moderate", ["some_uncited"], id="one-uncited"),
        pytest.param({"uncited": 2}, "moderate", ["some_uncited"], id="two-uncited"),
        pytest.param({"uncited": 3}, "high", ["many_uncited"], id="three-uncited"),
        pytest.param({"contradicted": 1, "read": 9}, "moderate", ["contradicted"], id="contradicted"),
        pytest.param({"misattributed": 1, "read": 9}, "moderate", ["misattributed"], id="misattributed"),
        pytest.param({"unsupported": 4, "read": 10}, "moderate", ["much_unsupported"], id="unsupported"),
        pytest.param(
            {"unsupported": 3, "read": 10},
            "low",
            ["score_low", "none_invalid", "none_uncited", "mostly_cited"],
            id="unsupported-0.3",
        ),
        pytest.param(
            {"cited": 6, "invalid": 1, "uncited": 1},
            "high",
            ["invalid_citation", "score_moderate", "some_uncited"],
            id="those-that-decide-first",
        ),
        pytest.param({"total_claims": 0, "cited": 0}, "not_assessed", ["no_claims"], id="no-claims"),
        pytest.param(
            {"total_claims": 0, "cited": 0, "is_empty": True}, "not_assessed", ["empty_answer"], id="empty-answer"
        ),
        pytest.param({"total_claims": 0, "cited": 0, "invalid": 1}, "high", ["invalid_citation"], id="invalid-alone"),
    ],
)
def test_the_level_follows_from_the_table(counts, level, reasons):
    """Rulings B5, B7: any high, any moderate, all low; reasons in the order of the table."""
    assert decide(facts_with(**counts), RiskThresholds()) == (level, tuple(reasons))


def test_what_is_neither_is_moderate():
    """Ruling B5: no condition of high or moderate risk holds, but not all of low risk do."""
    limits = RiskThresholds(low_share_from=0.9)
    assert decide(facts_with(cited=8), limits) == (RiskLevel.MODERATE, (RiskReasonCode.NEITHER,))


facts = st.builds(
    facts_with,
    policy=st.sampled_from(["coverage", "spec"]),
    total_claims=st.integers(1, 40),
    cited=st.integers(0, 40),
    invalid=st.integers(0, 2),
    uncited=st.integers(0, 4),
)


@given(facts)
def test_the_rules_are_the_printed_ones(some_facts):
    """Rulings B4, B5: the level is that of the specified conditions, computed with fractions."""
    share = Fraction(some_facts.cited, some_facts.total_claims)
    score = 1 - min(share, Fraction(1))
    if (
        score > Fraction(6, 10)
        or some_facts.invalid > 0
        or some_facts.uncited >= 3
        or (share < Fraction(3, 10) and some_facts.total_claims >= 3)
    ):
        expected = RiskLevel.HIGH
    elif score > Fraction(3, 10) or some_facts.uncited in (1, 2):
        expected = RiskLevel.MODERATE
    else:
        expected = RiskLevel.LOW if share >= Fraction(7, 10) else RiskLevel.MODERATE
    assert decide(some_facts, RiskThresholds())[0] is expected


@given(st.integers(0, 1000), st.integers(1, 1000), st.integers(0, 100))
def test_shares_are_compared_exactly(part, whole, hundredths):
    """Ruling B4: the limit is the written decimal number, not the closest float."""
    share, limit = Share(part, whole), Fraction(hundredths, 100)
    assert share.is_above(hundredths / 100) == (Fraction(part, whole) > limit)
    assert share.is_below(hundredths / 100) == (Fraction(part, whole) < limit)


@pytest.mark.parametrize("risk", [0.3, 0.1 + 0.2])
def test_a_judges_risk_is_the_decimal_number_that_it_wrote(risk):
    """Ruling B4: 0.3 is no moderate risk, and neither is a float sum of 0.3."""
    assert assess_risk(report_with(), judgement_with(risk)).level is RiskLevel.LOW


@pytest.mark.parametrize(
    ("judgement", "level", "reason"),
    [
        pytest.param(judgement_with(0.3), "low", "judge_low", id="0.3"),
        pytest.param(judgement_with(0.31), "moderate", "judge_moderate", id="0.31"),
        pytest.param(judgement_with(0.6), "moderate", "judge_moderate", id="0.6"),
        pytest.param(judgement_with(0.61), "high", "judge_high", id="0.61"),
        pytest.param(
            judgement_with(0.0, HallucinationType.UNSUPPORTED_CLAIM),
            "high",
            "judge_found_unsupported",
            id="unsupported",
        ),
        pytest.param(
            judgement_with(0.0, HallucinationType.CONTRADICTION), "high", "judge_found_unsupported", id="contradiction"
        ),
        pytest.param(
            judgement_with(0.0, HallucinationType.OVER_EXTRAPOLATION), "moderate", "judge_found_faults", id="too-far"
        ),
        pytest.param(
            judgement_with(0.0, HallucinationType.UNCITED_CLAIM), "moderate", "judge_found_faults", id="uncited"
        ),
        pytest.param(judgement_with(decision=JudgeDecision.SYNTHESIZE), "low", "judge_low", id="synthesize"),
        pytest.param(judgement_with(decision=JudgeDecision.CONTINUE), "moderate", "judge_wants_more", id="continue"),
        pytest.param(judgement_with(decision=JudgeDecision.REFINE_SEARCH), "moderate", "judge_wants_more", id="refine"),
        pytest.param(judgement_with(confidence=0.5), "low", "judge_low", id="sure"),
        pytest.param(judgement_with(confidence=0.49), "moderate", "judge_unsure", id="unsure"),
        pytest.param(judgement_with(0.9, confidence=0.0), "high", "judge_high", id="unsure-of-a-high-risk"),
    ],
)
def test_a_judge_can_raise_the_level(judgement, level, reason):
    """Rulings B5, B11, B12: risk, issues and decision count; confidence can only lead to review."""
    assessment = assess_risk(report_with(), judgement)
    assert (assessment.level, assessment.judge_status) == (level, JudgeStatus.OK)
    assert reason in assessment.reasons


def test_a_void_issue_counts_for_nothing():
    """Ruling B12: an issue is set aside if no source contains the judge's quote."""
    void = JudgeIssue(type=HallucinationType.CONTRADICTION, claim="a", evidence="b", grounded=False)
    unchecked = JudgeIssue(type=HallucinationType.CONTRADICTION, claim="a", evidence="b")
    assert assess_risk(report_with(), judgement_with(void_issues=(void,))).level is RiskLevel.LOW
    assert assess_risk(report_with(), judgement_with(issues=(void,))).level is RiskLevel.LOW
    assert assess_risk(report_with(), judgement_with(issues=(void,))).findings == ()
    assert assess_risk(report_with(), judgement_with(issues=(unchecked,))).level is RiskLevel.HIGH


@pytest.mark.parametrize(("rules", "judge", "combined"), [(4, 0.2, 0.6), (9, 0.35, 0.35), (0, 0.0, 1.0)])
def test_the_combined_risk_is_the_higher_one(rules, judge, combined):
    """Ruling B11: max(rules, judge)."""
    assert assess_risk(report_with(cited=rules), judgement_with(judge)).score == combined


judgements = st.builds(
    judgement_with,
    st.none() | st.floats(-1, 2) | st.just(float("nan")),
    confidence=st.none() | st.floats(0, 1),
    decision=st.none() | st.sampled_from(JudgeDecision),
    status=st.sampled_from([JudgeStatus.OK, JudgeStatus.ERROR, JudgeStatus.NOT_RUN]),
)


@given(facts, judgements)
def test_no_judge_lowers_a_level(some_facts, judgement):
    """Ruling B11: level and score are those of the rules or higher, and no answer becomes accepted."""
    report = report_of(some_facts)
    alone, together = assess_risk(report), assess_risk(report, judgement)
    assert LEVELS.index(together.level) >= LEVELS.index(alone.level)
    assert together.score >= alone.score
    assert alone.accepted or not together.accepted


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_confidence_moves_toward_review_alone(risk, less, more):
    """Ruling B11: a less confident judge never lowers the level."""
    less, more = sorted([less, more])
    unsure, sure = (assess_risk(report_with(), judgement_with(risk, confidence=value)) for value in (less, more))
    assert LEVELS.index(unsure.level) >= LEVELS.index(sure.level)


@pytest.mark.parametrize("judgement", UNREADABLE)
@pytest.mark.parametrize("cited", [10, 5, 0])
def test_a_failed_judgement_leaves_the_level_to_the_rules(judgement, cited):
    """Ruling B11: `judge_status` is "error", level and score are the rules', and a reason says so."""
    alone, together = assess_risk(report_with(cited=cited)), assess_risk(report_with(cited=cited), judgement)
    assert (together.level, together.score, together.action) == (alone.level, alone.score, alone.action)
    assert together.judge_status is JudgeStatus.ERROR
    assert together.reasons == (*alone.reasons, RiskReasonCode.JUDGE_FAILED)


def test_without_a_judgement_the_status_is_not_run():
    """Ruling B11: the status shows it."""
    assert assess_risk(report_with()).judge_status is JudgeStatus.NOT_RUN


@pytest.mark.parametrize(
    ("counts", "action"),
    [
        ({}, Action.ACCEPT),
        ({"cited": 5}, Action.REFINE_SEARCH),
        ({"cited": 0}, Action.REJECT),
        ({"total_claims": 0, "cited": 0}, Action.ACCEPT),
        ({"total_claims": 0, "cited": 0, "is_empty": True}, Action.REFINE_SEARCH),
        ({"total_claims": 0, "cited": 0, "is_empty": True, "policy": "spec"}, Action.ACCEPT),
    ],
)
def test_the_action_follows_from_the_level(counts, action):
    """Low is accepted, moderate refined, high rejected; an empty answer is not accepted (B7)."""
    assessment = assess_risk(report_with(**counts))
    assert (assessment.action, assessment.accepted) == (action, action is Action.ACCEPT)
    assert not assessment.forced


@pytest.mark.parametrize("policy", ["coverage", "spec"])
@pytest.mark.parametrize("cited", [5, 0])
@pytest.mark.parametrize("iteration", range(1, 9))
def test_near_the_limit_an_answer_is_accepted_by_force(policy, cited, iteration):
    """
    Rulings B13, B18: guarded only in the last of eight iterations, specified from the fifth on and only above 0.6.
    The level stays.
    """
    report = report_with(policy, cited=cited)
    assessment = assess_risk(report, iteration=iteration, max_iterations=8)
    is_near = iteration >= 5 and report.score > 0.6 if policy == "spec" else iteration == 8
    assert (assessment.forced, assessment.accepted, assessment.level) == (is_near, is_near, report.level)
    assert (RiskReasonCode.NEAR_LIMIT in assessment.reasons) == is_near


def test_as_printed_the_first_of_four_is_forced():
    """Ruling B13: `iteration >= max_iterations - 3`."""
    assert assess_risk(report_with("spec", cited=0), iteration=1, max_iterations=4).forced


@pytest.mark.parametrize(
    ("counts", "is_forced"),
    [
        pytest.param({"cited": 3}, True, id="score-0.7"),
        pytest.param({"cited": 4}, False, id="score-0.6"),
        pytest.param({"invalid": 1}, False, id="invalid-id-at-score-0"),
        pytest.param({"uncited": 3}, False, id="uncited-at-score-0"),
    ],
)
@pytest.mark.parametrize("judgement", [None, judgement_with(0.9)])
def test_the_printed_policy_forces_scores_above_0_6_only(counts, is_forced, judgement):
    """Ruling B18: no other reason for a high risk, and no result of a judge, leads to acceptance."""
    assessment = assess_risk(report_with("spec", **counts), judgement, iteration=8, max_iterations=8)
    assert (assessment.forced, assessment.accepted) == (is_forced, is_forced)


def test_the_number_of_forced_iterations_is_a_setting():
    """Ruling B13: `forced_accept_within` sets it; an iteration beyond the limit counts as the last."""
    report, settings = report_with(cited=0), RiskThresholds(forced_accept_within=2)
    forced = [
        assess_risk(report, iteration=iteration, max_iterations=8, settings=settings).forced
        for iteration in (5, 6, 8, 9)
    ]
    assert forced == [False, True, True, True]


def test_what_is_accepted_anyway_is_not_forced():
    """Ruling B13: in the last iteration a low risk is accepted as usual."""
    assert not assess_risk(report_with(), iteration=8, max_iterations=8).forced


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"iteration": 1}, ValueError, "iteration and max_iterations belong together; max_iterations is missing"),
        ({"max_iterations": 1}, ValueError, "iteration and max_iterations belong together; iteration is missing"),
        ({"iteration": -1, "max_iterations": 2}, ValueError, "iteration must be at least 0, got -1"),
        ({"iteration": True, "max_iterations": 2}, TypeError, "iteration must be an int, got bool"),
        ({"iteration": 1, "max_iterations": 2.0}, TypeError, "max_iterations must be an int, got float"),
        ({"report": {}}, TypeError, "report must be a CitationReport, got dict"),
        ({"judgement": 0.3}, TypeError, "judgement must be a Judgement or None, got float"),
        ({"settings": 0.3}, TypeError, "settings must be a RiskThresholds or None, got float"),
    ],
)
def test_a_wrong_argument_is_refused(arguments, error, message):
    """The message names the argument."""
    with pytest.raises(error, match=f"^{message}$"):
        assess_risk(**{"report": report_with(), **arguments})


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"moderate_above": 1.5}, ValueError, "moderate_above must be from 0 to 1, got 1.5"),
        ({"high_above": float("nan")}, ValueError, "high_above must be from 0 to 1, got nan"),
        ({"high_above": "0.6"}, TypeError, "high_above must be a number, got str"),
        ({"moderate_above": 0.7}, ValueError, "moderate_above must be at most high_above, got 0.7 and 0.6"),
        ({"weak_from": 1.7}, ValueError, "weak_from must be from 0 to 1, got 1.7"),
        ({"high_uncited": 0}, ValueError, "high_uncited must be at least 1, got 0"),
        ({"high_share_claims": 3.0}, TypeError, "high_share_claims must be an int, got float"),
        ({"forced_accept_within": -1}, ValueError, "forced_accept_within must be at least 0, got -1"),
    ],
)
def test_an_invalid_threshold_is_refused(options, error, message):
    """The message names the threshold."""
    with pytest.raises(error, match=f"^{message}$"):
        RiskThresholds(**options)


@pytest.mark.usefixtures("bare_environment")
@pytest.mark.parametrize("question_type", ["factual", "open"])
@pytest.mark.parametrize("source_quality", ["poor", "ordinary", "good"])
def test_the_printed_bands_are_everybodys_default(question_type, source_quality):
    """The specification says that they may differ, but not how."""
    for settings in (RiskSettings(), None):
        found = RiskThresholds.of(settings, question_type=question_type, source_quality=source_quality)
        assert found == RiskThresholds()


@pytest.mark.usefixtures("bare_environment")
def test_bands_differ_by_question_and_sources():
    """Ruling B4: bands depend on the type of question and the quality of sources; shifted bands stay in range."""
    settings = RiskSettings(
        citation_risk_open_moderate_above=0.5,
        citation_risk_open_high_above=0.8,
        citation_risk_poor_sources_shift=-0.1,
        citation_risk_good_sources_shift=0.3,
        citation_risk_confidence_from=0.7,
        citation_risk_forced_accept_within=1,
    )
    factual = RiskThresholds.of(settings, source_quality="poor")
    assert (factual.moderate_above, factual.high_above) == (0.2, 0.5)
    opened = RiskThresholds.of(settings, question_type="open", source_quality="good")
    assert (opened.moderate_above, opened.high_above) == (0.8, 1.0)
    assert (factual.confidence_from, factual.forced_accept_within) == (0.7, 1)
    report = assess_citations("The cat sleeps in the barn. The dog sleeps in the barn [1].", [{"id": "1"}])
    assert assess_risk(report).level is RiskLevel.MODERATE
    assert assess_risk(report, settings=opened).level is RiskLevel.MODERATE
    assert RiskReasonCode.SCORE_MODERATE not in assess_risk(report, settings=opened).reasons


@pytest.mark.usefixtures("bare_environment")
@pytest.mark.parametrize("option", ["question_type", "source_quality"])
def test_an_unknown_type_or_quality_is_refused(option):
    """The error lists the known ones."""
    for settings in (RiskSettings(), None):
        with pytest.raises(ValueError, match=f"^{option} must be one of "):
            RiskThresholds.of(settings, **{option: "private words"})


def test_the_report_has_the_findings_of_rules_and_judge():
    """Each finding has its type and the way it was found."""
    report = assess_citations("The old dog sleeps on the red sofa [9].", [{"id": "1"}])
    assessment = assess_risk(report, judgement_with(0.1, HallucinationType.OVER_EXTRAPOLATION))
    assert [(finding.type, finding.found_by) for finding in assessment.findings] == [
        (HallucinationType.INVALID_CITATION, FoundBy.NO_SUCH_ID),
        (HallucinationType.OVER_EXTRAPOLATION, FoundBy.JUDGE),
    ]
    assert assess_risk(report).findings == report.findings


def test_every_row_of_the_table_decides_somewhere():
    """Each row of high or moderate risk leads to its level alone."""
    risen = {
        RiskReasonCode.SCORE_HIGH: facts_with(cited=3),
        RiskReasonCode.INVALID_CITATION: facts_with(invalid=1),
        RiskReasonCode.MANY_UNCITED: facts_with(uncited=3),
        RiskReasonCode.FEW_CITED: facts_with(cited=2),
        RiskReasonCode.SCORE_MODERATE: facts_with(cited=5),
        RiskReasonCode.SOME_UNCITED: facts_with(uncited=1),
        RiskReasonCode.UNREAD: facts_with(unread=1),
        RiskReasonCode.CONTRADICTED: facts_with(contradicted=1),
        RiskReasonCode.MISATTRIBUTED: facts_with(misattributed=1),
        RiskReasonCode.MUCH_UNSUPPORTED: facts_with(unsupported=1, read=1),
    }
    rows = [row for row in CONDITIONS if row.level is not RiskLevel.LOW and row.layer != "judge"]
    assert [row.reason for row in rows] == [*risen]
    for row in rows:
        level, reasons = decide(risen[row.reason], RiskThresholds())
        assert (level, row.reason in reasons) == (row.level, True)


def test_an_assessment_is_logged_as_counts(caplog):
    """
    Ruling B13: a forced acceptance is a warning, everything else information; records have counts, scores and codes
    only.
    """
    caplog.set_level(logging.INFO, logger=telemetry.CITATIONS_LOGGER_NAME)
    assess_risk(report_with(cited=5, uncited=2))
    assess_risk(report_with(cited=0, invalid=2), judgement_with(0.9), iteration=3, max_iterations=3)
    assert [(record.getMessage(), record.levelname) for record in caplog.records] == [
        ("citation_risk_assessed", "INFO"),
        ("citation_risk_assessed", "WARNING"),
    ]
    assert fields_of(caplog.records[1]) == {
        "policy": "coverage",
        "risk_score": 1.0,
        "risk_level": "high",
        "action": "accept",
        "forced": True,
        "judge_status": "ok",
        "reasons": ["score_high", "invalid_citation", "few_cited", "judge_high", "near_limit"],
        "total_claims": 10,
        "valid_citation_count": 1,
        "invalid_citation_count": 2,
        "uncited_count": 0,
    }


def test_nothing_is_logged_below_the_level_of_the_logger(caplog):
    """Each event respects the logger's level."""
    caplog.set_level(logging.WARNING, logger=telemetry.CITATIONS_LOGGER_NAME)
    assert isinstance(assess_risk(report_with()), RiskAssessment)
    assert caplog.records == []


FERRY = "The ferry to the island leaves the old harbour at nine."
TRAIN = "The train to the coast runs on every day of the week [2]."
TIMETABLE = [{"id": "1", "text": "The ferry to the island leaves the new pier at nine."}, {"id": "2", "text": TRAIN}]


def judged(words, evidence="leaves the new pier", kind=HallucinationType.CONTRADICTION, answer=None):
    """Return the assessment of an answer of two claims, with an issue of a judge."""
    report = assess_citations(answer or f"{FERRY[:-1]} [1]. {TRAIN}", TIMETABLE)
    judgement = ground_issues(
        judgement_with(0.1, issues=(JudgeIssue(type=kind, claim=words, evidence=evidence),)), TIMETABLE
    )
    return assess_risk(report, judgement)


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(f"{FERRY[:-1]} [1].", id="as-written"),
        pytest.param(FERRY, id="without-the-citation"),
        pytest.param("leaves the old harbour at nine", id="a-part"),
        pytest.param("“The Ferry to the  island leaves the old harbour at nine”", id="typography"),
        pytest.param("The ferry to the island leaves the old harbor at nine", id="a-slip"),
    ],
)
def test_a_contradiction_that_the_judge_proves_reaches_the_claim(words):
    """Ruling B17: only the claim that the judge means becomes contradicted; the finding has its span."""
    assessment = judged(words)
    first, second = assessment.report.claims
    assert (first.status, second.status) == ("contradicted", "supported")
    assert [(each.type, each.found_by, each.start, each.end) for each in assessment.findings] == [
        ("contradiction", "judge", first.start, first.end)
    ]
    assert (assessment.report.level, assessment.level, assessment.action) == ("moderate", "high", "reject")
    assert assess_risk(assessment.report).action == "refine_search"


@pytest.mark.parametrize(
    ("words", "evidence", "kind"),
    [
        pytest.param(FERRY, "leaves the old pier", HallucinationType.CONTRADICTION, id="quote-in-no-source"),
        pytest.param(FERRY, None, HallucinationType.CONTRADICTION, id="no-quote"),
        pytest.param(FERRY, "the new pier", HallucinationType.OVER_EXTRAPOLATION, id="another-fault"),
        pytest.param(
            "The king of the island is asleep", "the new pier", HallucinationType.CONTRADICTION, id="no-claim"
        ),
        pytest.param("harbo", "the new pier", HallucinationType.CONTRADICTION, id="part-of-a-word"),
        pytest.param("...", "the new pier", HallucinationType.CONTRADICTION, id="no-words"),
    ],
)
def test_nothing_less_than_a_proof_changes_a_claim(words, evidence, kind):
    """Rulings B12, B17: only a contradiction counts whose claim is in the answer and whose quote is in a source."""
    assert "contradicted" not in [claim.status for claim in judged(words, evidence, kind).report.claims]


def test_the_printed_policy_shows_the_contradicted_claim_too():
    """Rulings B3, B17: the claim is contradicted; the level by the rules stays the specified one."""
    report = assess_citations(f"{FERRY[:-1]} [1].", TIMETABLE, policy="spec")
    issue = JudgeIssue(type=HallucinationType.CONTRADICTION, claim=FERRY, evidence="the new pier", grounded=True)
    assessment = assess_risk(report, judgement_with(0.1, issues=(issue,)))
    assert (assessment.report.claims[0].status, assessment.report.level, assessment.level) == (
        "contradicted",
        "low",
        "high",
    )
