"""Rates against the threshold, and the threshold that is recommended."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.calibration import CalibrationStatus, Rate, calibrate
from groundwire.calibration.curve import THRESHOLDS, false_quotes_needed

SCORES = st.floats(0, 1)
ROWS = st.lists(st.tuples(st.one_of(SCORES, st.sampled_from(THRESHOLDS)), st.booleans()))


def at(calibration, threshold):
    """The point of a threshold."""
    (point,) = (point for point in calibration.points if point.threshold == threshold)
    return point


def test_rates_are_counted_apart_for_true_and_false_quotes():
    """A score that equals the threshold is accepted."""
    scores, labels = [1.0, 0.85, 0.84, 0.9, 0.85, 0.2], [True, True, True, False, False, False]
    point = at(calibrate(scores, labels, policy="p"), 0.85)
    assert (point.false_accepts, point.false_rejects) == (Rate(2, 3), Rate(1, 3))


@given(ROWS, st.sampled_from([0.0, 0.01, 0.3, 1.0]))
def test_recommendation_is_the_lowest_that_is_good_enough(rows, allowed):
    """Held to a count of its own; rates fall and rise with the threshold, and there are all thresholds."""
    scores, labels = [score for score, _ in rows], [label for _, label in rows]
    calibration = calibrate(scores, labels, policy="p", max_false_accept=allowed)
    false = [score for score, label in rows if not label]

    def is_good(threshold):
        return sum(score >= threshold for score in false) <= allowed * len(false)

    good = [threshold for threshold in THRESHOLDS if is_good(threshold)]
    expected = (
        CalibrationStatus.NO_FALSE_QUOTES
        if not false
        else CalibrationStatus.REACHED
        if good
        else CalibrationStatus.NOT_REACHED
    )
    assert calibration.outcome is expected
    recommended = calibration.recommended
    assert (recommended and recommended.threshold) == (good[0] if expected is CalibrationStatus.REACHED else None)
    accepts = [point.false_accepts.count for point in calibration.points]
    rejects = [point.false_rejects.count for point in calibration.points]
    assert accepts == sorted(accepts, reverse=True)
    assert rejects == sorted(rejects)
    assert [point.threshold for point in calibration.points] == list(THRESHOLDS)


@pytest.mark.parametrize(("needed", "allowed"), [(381, 0.01), (765, 0.005), (35, 0.1), (0, 1.0), (None, 0.0)])
def test_sample_that_shows_a_rate_is_the_smallest(needed, allowed):
    """With one quote fewer the interval goes on beyond what is allowed."""
    assert false_quotes_needed(allowed) == needed
    if needed:
        assert Rate(0, needed).interval[1] <= allowed < Rate(0, needed - 1).interval[1]
        shown = calibrate([0.0] * needed, [False] * needed, policy="p", max_false_accept=allowed)
        doubted = calibrate([0.0] * (needed - 1), [False] * (needed - 1), policy="p", max_false_accept=allowed)
        assert (shown.is_shown, doubted.is_shown) == (True, False)


@pytest.mark.parametrize("allowed", [-0.1, 1.1, float("nan")])
def test_share_outside_its_range_is_refused(allowed):
    """0 to 1."""
    with pytest.raises(ValueError, match=r"^max_false_accept must be between 0 and 1, got "):
        calibrate([], [], policy="p", max_false_accept=allowed)


@given(st.integers(0, 500), st.integers(1, 500))
def test_interval_holds_the_share(count, extra):
    """And lies within 0 to 1."""
    rate = Rate(count, count + extra)
    low, high = rate.interval
    assert 0 <= low <= rate.share <= high <= 1
