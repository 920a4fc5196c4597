"""RiskMonitor: four figures, exact across threads and merges, as JSON and as Prometheus text."""

import json
import math
import pickle
import threading
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families

from citations.reports import judgement_with, report_with
from groundwire.citations import RiskCounts, RiskMonitor, assess_risk

ASSESSMENTS = [
    assess_risk(report_with()),
    assess_risk(report_with(cited=5, uncited=2)),
    assess_risk(report_with(cited=0, invalid=2), judgement_with(0.9), iteration=1, max_iterations=1),
    assess_risk(report_with(total_claims=3, cited=1), judgement_with(None)),
    assess_risk(report_with(total_claims=0, cited=0)),
]


def monitor_of(assessments) -> RiskMonitor:
    """Return a monitor with these counts."""
    monitor = RiskMonitor()
    for assessment in assessments:
        monitor.record(assessment)
    return monitor


def samples_of(monitor: RiskMonitor) -> dict[tuple[str, ...], float]:
    """Return the samples that Prometheus' own parser reads, by name and labels."""
    families = text_string_to_metric_families(monitor.as_prometheus())
    return {
        (sample.name.removeprefix("groundwire_"), *sample.labels.values()): sample.value
        for family in families
        for sample in family.samples
    }


def test_the_four_figures():
    """Mean score, share of high risk, rates of invalid citations and of uncited claims."""
    counts = monitor_of(ASSESSMENTS).counts
    assert counts.mean_score == round((0 + 0.5 + 1 + 0.666666666667 + 0) / 5, 12)
    assert counts.high_risk_share == 2 / 5
    assert counts.invalid_citation_rate == round(2 / 7, 12)
    assert counts.uncited_claim_rate == round(2 / 33, 12)


def test_without_answers_there_are_no_figures():
    """There is no division by zero: the figures are None, null or NaN."""
    monitor = RiskMonitor()
    counts = monitor.counts
    figures = ["mean_score", "high_risk_share", "invalid_citation_rate", "uncited_claim_rate"]
    assert [getattr(counts, figure) for figure in figures] == [None] * 4
    assert [json.loads(monitor.as_json())[figure] for figure in figures] == [None] * 4
    assert all(math.isnan(samples_of(monitor)[(figure,)]) for figure in figures)


def test_everything_is_counted_once():
    """Levels, actions and judgements each add up to the answers."""
    counts = monitor_of(ASSESSMENTS).counts
    assert (counts.low, counts.moderate, counts.high, counts.not_assessed) == (1, 1, 2, 1)
    assert (counts.accept, counts.refine_search, counts.reject, counts.forced) == (3, 1, 1, 1)
    assert (counts.judge_not_run, counts.judge_ok, counts.judge_error) == (3, 1, 1)
    assert (counts.answers_with_invalid, counts.answers_with_uncited, counts.claims) == (1, 1, 33)


chosen = st.lists(st.sampled_from(ASSESSMENTS), max_size=12)


@given(chosen, chosen)
def test_merging_is_recording_all(some, others):
    """The result is exact in either order, for monitors and for counts from another process."""
    together = monitor_of(some + others).counts
    monitor = monitor_of(some)
    monitor.merge(monitor_of(others))
    sent = RiskMonitor(pickle.loads(pickle.dumps(monitor_of(others).counts)))
    sent.merge(monitor_of(some).counts)
    assert monitor.counts == sent.counts == together


@given(chosen)
def test_the_sum_of_the_scores_is_exact(some):
    """The sum keeps all twelve digits."""
    total = sum(Fraction(str(assessment.score)) for assessment in some)
    assert Fraction(monitor_of(some).counts.score_parts, 10**12) == total


def test_a_monitor_can_be_merged_with_itself():
    """Its counts double, and there is no deadlock."""
    monitor = monitor_of(ASSESSMENTS)
    monitor.merge(monitor)
    assert monitor.counts == monitor_of(ASSESSMENTS * 2).counts


def test_threads_lose_nothing():
    """Eight threads record and merge at the same time."""
    monitor, other = RiskMonitor(), RiskMonitor()

    def work() -> None:
        for assessment in ASSESSMENTS * 40:
            other.record(assessment)
            monitor.merge(RiskCounts.of(assessment))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = monitor_of(ASSESSMENTS * 320).counts
    assert monitor.counts == expected
    assert other.counts == expected


def test_json_has_figures_and_counts():
    """Every count has its name, and the figures follow from the counts."""
    monitor = monitor_of(ASSESSMENTS)
    read = json.loads(monitor.as_json())
    assert read["answers"] == 5
    assert read["mean_score"] == monitor.counts.mean_score
    assert {name: read[name] for name in RiskCounts.__slots__} == {
        name: getattr(monitor.counts, name) for name in RiskCounts.__slots__
    }


def test_prometheus_reads_figures_and_counts():
    """Its own parser finds every sample, with its labels and value."""
    monitor = monitor_of(ASSESSMENTS)
    counts = monitor.counts
    assert samples_of(monitor) == {
        ("answers_total", "low"): 1,
        ("answers_total", "moderate"): 1,
        ("answers_total", "high"): 2,
        ("answers_total", "not_assessed"): 1,
        ("actions_total", "accept"): 3,
        ("actions_total", "refine_search"): 1,
        ("actions_total", "reject"): 1,
        ("judgements_total", "not_run"): 3,
        ("judgements_total", "ok"): 1,
        ("judgements_total", "error"): 1,
        ("risk_score_sum",): 2.166666666667,
        ("risk_score_count",): 5,
        ("forced_total",): 1,
        ("claims_total",): 33,
        ("uncited_claims_total",): 2,
        ("unread_claims_total",): 0,
        ("valid_citations_total",): 5,
        ("invalid_citations_total",): 2,
        ("answers_with_invalid_total",): 1,
        ("answers_with_uncited_total",): 1,
        ("mean_score",): counts.mean_score,
        ("high_risk_share",): counts.high_risk_share,
        ("invalid_citation_rate",): counts.invalid_citation_rate,
        ("uncited_claim_rate",): counts.uncited_claim_rate,
    }


def test_every_metric_has_its_help_and_its_type():
    """Each metric has one HELP and one TYPE line before its samples, and every line has its end."""
    text = monitor_of(ASSESSMENTS).as_prometheus()
    assert text.endswith("\n")
    families = {family.name: (family.type, family.documentation) for family in text_string_to_metric_families(text)}
    assert {kind for kind, _ in families.values()} == {"counter", "gauge", "summary"}
    assert all(words.endswith(".") or "0 to 1" in words for _, words in families.values())
    assert text.count("# HELP ") == text.count("# TYPE ") == len(families)


def test_counts_are_added_to_counts_only():
    """Another type is refused."""
    with pytest.raises(TypeError, match="unsupported operand"):
        RiskCounts() + 1
