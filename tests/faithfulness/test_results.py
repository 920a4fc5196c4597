"""Levels, statuses and rates: rulings D1 to D4 and D9."""

import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.faithfulness import ClaimStatus, SupportLevel, rates_of
from groundwire.faithfulness.results import NO_CLAIMS, status_of

SHARES = st.floats(0, 1)
CLAIMS = st.lists(st.tuples(SHARES, st.booleans()), max_size=40)


@pytest.mark.parametrize(
    ("score", "level"),
    [
        pytest.param(0, "UNSUPPORTED", id="nothing"),
        pytest.param(math.nextafter(0.4, 0), "UNSUPPORTED", id="just-below-0.4"),
        pytest.param(0.4, "WEAK", id="0.4-is-weak"),
        pytest.param(math.nextafter(0.6, 0), "WEAK", id="just-below-0.6"),
        pytest.param(0.6, "MODERATE", id="0.6-is-moderate"),
        pytest.param(0.8, "MODERATE", id="0.8-is-still-moderate"),
        pytest.param(Fraction(4, 5), "MODERATE", id="four-fifths"),
        pytest.param(math.nextafter(0.8, 1), "STRONG", id="just-above-0.8"),
        pytest.param(1, "STRONG", id="all"),
    ],
)
def test_each_boundary_belongs_to_one_level(score, level):
    """Ruling D1: unsupported [0, .4), weak [.4, .6), moderate [.6, .8], strong (.8, 1]."""
    assert SupportLevel.of(score) is SupportLevel[level]
    assert SupportLevel.of(score) == level


@pytest.mark.parametrize("score", [-0.001, 1.001, math.nan, math.inf])
def test_a_score_out_of_range_has_no_level(score):
    """This includes NaN, which would be below no limit."""
    with pytest.raises(ValueError, match="score must be between 0 and 1, got"):
        SupportLevel.of(score)


@pytest.mark.parametrize("score", [True, "0.5", None, Decimal("0.5")])
def test_a_score_that_is_not_a_number_has_no_level(score):
    """The error names the type."""
    with pytest.raises(TypeError, match=f"score must be a number, got {type(score).__name__}"):
        SupportLevel.of(score)


@pytest.mark.parametrize(
    ("confidence", "threshold", "contradicted", "status"),
    [
        pytest.param(0.6, 0.6, False, "SUPPORTED", id="the-threshold-itself"),
        pytest.param(0.65, 0.7, False, "UNSUPPORTED", id="moderate-below-the-threshold"),
        pytest.param(0.3, 0.2, False, "SUPPORTED", id="a-low-threshold"),
        pytest.param(1.0, 0.6, True, "UNSUPPORTED", id="contradicted"),
    ],
)
def test_the_threshold_decides_on_the_status(confidence, threshold, contradicted, status):
    """Ruling D2; and ruling D9: no similarity outweighs a contradiction."""
    assert status_of(confidence, threshold=threshold, contradicted=contradicted) == status


def test_the_threshold_is_that_of_moderate_where_none_is_given():
    """Ruling D2: 0.6."""
    assert status_of(0.6) is ClaimStatus.SUPPORTED
    assert status_of(math.nextafter(0.6, 0)) is ClaimStatus.UNSUPPORTED


def test_the_printed_example_adds_up():
    """Ruling D2: 10 of 12 are 0.833, and 2 of 12 are the printed 0.167."""
    rates = rates_of([(0.92, False)] * 10 + [(0.23, False)] * 2, threshold=0.7)
    assert (rates.total_claims, rates.supported_claims, rates.unsupported_claims) == (12, 10, 2)
    assert round(rates.faithfulness_score, 3) == 0.833
    assert round(rates.hallucination_rate, 3) == 0.167
    assert rates.weak_rate == 0


@pytest.mark.parametrize(
    ("threshold", "expected"),
    [
        pytest.param(0.7, (1, 2, 2), id="between-0.4-and-the-threshold-is-weak"),
        pytest.param(0.3, (3, 0, 2), id="below-a-low-threshold-is-hallucinated"),
    ],
)
def test_weak_claims_are_neither(threshold, expected):
    """Ruling D3: a claim is hallucinated if it is contradicted, or below min(.4, threshold)."""
    claims = [(0.9, False), (0.5, False), (0.4, False), (0.1, False), (0.9, True)]
    rates = rates_of(claims, threshold=threshold)
    assert (rates.supported_claims, rates.weak_claims, rates.hallucinated_claims) == expected


def test_without_claims_there_is_no_score():
    """Ruling D4: the score is None with a note, not 0 or 1."""
    rates = rates_of([])
    assert rates.faithfulness_score is rates.weak_rate is rates.hallucination_rate is None
    assert rates.note == NO_CLAIMS
    assert rates_of([(1, False)]).note is None


def test_a_confidence_that_is_nan_is_refused():
    """Scores are never NaN."""
    with pytest.raises(ValueError, match="confidence must be between 0 and 1, got nan"):
        rates_of([(math.nan, False)])


@given(CLAIMS, SHARES)
def test_the_three_rates_add_up(claims, threshold):
    """Ruling D3: every claim is one of the three, and the score is the share of the supported."""
    rates = rates_of(claims, threshold=threshold)
    assert rates.supported_claims + rates.unsupported_claims == rates.total_claims == len(claims)
    assert rates.supported_claims == sum(
        confidence >= threshold and not contradicted for confidence, contradicted in claims
    )
    if claims:
        total = rates.faithfulness_score + rates.weak_rate + rates.hallucination_rate
        assert math.isclose(total, 1, abs_tol=1e-9)


@given(CLAIMS)
def test_at_the_default_threshold_levels_and_counts_agree(claims):
    """Score = (STRONG + MODERATE) / total and rate = UNSUPPORTED / total, as specified, without contradictions."""
    plain = [(confidence, False) for confidence, _ in claims]
    levels = [SupportLevel.of(confidence) for confidence, _ in plain]
    rates = rates_of(plain)
    assert rates.supported_claims == levels.count("STRONG") + levels.count("MODERATE")
    assert rates.weak_claims == levels.count("WEAK")
    assert rates.hallucinated_claims == levels.count("UNSUPPORTED")
