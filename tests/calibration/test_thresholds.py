"""Scores of quotes, error rates at each threshold, and the recommended threshold."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.calibration import POLICIES, CalibrationStatus, LabelledQuote, Rate, calibrate, score_quotes
from groundwire.calibration.thresholds import THRESHOLDS
from groundwire.evidence import QuotePolicy, assess_quotes, validate_evidence_grounding

ROWS = st.lists(st.tuples(st.one_of(st.floats(0, 1), st.sampled_from(THRESHOLDS["quote"])), st.booleans()))
QUOTES = ["I can’t  sleep", "I cannot sleep at night", "the captain", " ", "I take 50 mg"]
SOURCES = ["Max: I can't sleep at night. I take 15 mg.", "The captain said no."]
GUARDED = {
    "i can’t  sleep at night": 1.0,
    "I can't sleep … 15 mg": 1.0,
    "I take 50 mg": 0.0,
    "never said by anybody": 0.0,
}


def labelled(quotes, source=SOURCES[0]):
    """Quotes with one source."""
    return [LabelledQuote(quote, source, True) for quote in quotes]


def test_false_and_true_quotes_are_counted_separately():
    """A score equal to the threshold is accepted."""
    scores, labels = [1.0, 0.85, 0.84, 0.9, 0.85, 0.2], [True, True, True, False, False, False]
    (point,) = (each for each in calibrate(scores, labels, policy="p").points if each.threshold == 0.85)
    assert (point.false_accepts, point.false_rejects) == (Rate(2, 3), Rate(1, 3))


@given(ROWS, st.sampled_from([0.0, 0.01, 0.3, 1.0]))
def test_the_lowest_threshold_that_is_good_enough_is_recommended(rows, allowed):
    """A naive count gives the same recommendation; rates are monotonic in the threshold."""
    scores, labels = [score for score, _ in rows], [label for _, label in rows]
    calibration = calibrate(scores, labels, policy="p", max_false_accept=allowed)
    false = [score for score, label in rows if not label]
    good = [
        threshold
        for threshold in THRESHOLDS["quote"]
        if sum(score >= threshold for score in false) <= Fraction(str(allowed)) * len(false)
    ]
    expected = CalibrationStatus.REACHED if good else CalibrationStatus.NOT_REACHED
    assert calibration.outcome is (expected if false else CalibrationStatus.NO_FALSE_QUOTES)
    recommended = calibration.recommended
    assert (recommended and recommended.threshold) == (good[0] if false and good else None)
    accepts = [point.false_accepts.count for point in calibration.points]
    rejects = [point.false_rejects.count for point in calibration.points]
    assert accepts == sorted(accepts, reverse=True)
    assert rejects == sorted(rejects)
    assert [point.threshold for point in calibration.points] == list(THRESHOLDS["quote"])


def test_a_share_that_is_just_allowed_is_allowed():
    """As fractions: 0.29 times 100 is less than 29 in binary."""
    for count in range(101):
        scores = [1.0] * count + [0.0] * (100 - count)
        found = calibrate(scores, [False] * 100, policy="x", max_false_accept=count / 100)
        assert found.recommended is not None, count
        assert found.recommended.threshold == 0.5


@pytest.mark.parametrize(("needed", "allowed"), [(381, 0.01), (765, 0.005), (35, 0.1), (0, 1.0), (None, 0.0)])
def test_the_sample_that_shows_a_rate_is_the_smallest(needed, allowed):
    """With one label fewer the interval exceeds the allowed share."""
    assert calibrate([], [], policy="p", max_false_accept=allowed).false_labels_needed == needed
    if needed:
        assert Rate(0, needed).interval[1] <= allowed < Rate(0, needed - 1).interval[1]
        shown = calibrate([0.0] * needed, [False] * needed, policy="p", max_false_accept=allowed)
        doubted = calibrate([0.0] * (needed - 1), [False] * (needed - 1), policy="p", max_false_accept=allowed)
        assert (shown.is_shown, doubted.is_shown) == (True, False)


@pytest.mark.parametrize("allowed", [-0.1, 1.1, float("nan")])
def test_an_allowed_share_outside_0_to_1_is_an_error(allowed):
    """The message names the parameter."""
    with pytest.raises(ValueError, match=r"^max_false_accept must be between 0 and 1, got "):
        calibrate([], [], policy="p", max_false_accept=allowed)


@given(st.integers(0, 500), st.integers(1, 500))
def test_an_interval_contains_the_share(count, extra):
    """It stays within 0 to 1."""
    rate = Rate(count, count + extra)
    low, high = rate.interval
    assert 0 <= low <= rate.share <= high <= 1


@given(st.lists(st.tuples(st.sampled_from(QUOTES), st.sampled_from(SOURCES))), st.sampled_from([0.5, 0.7, 0.85, 1.0]))
def test_a_fuzzy_score_agrees_with_the_literal_rule(rows, threshold):
    """`validate_evidence_grounding` grounds a quote exactly at thresholds up to its score."""
    quotes = [LabelledQuote(quote, source, True) for quote, source in rows]
    for score, (quote, source) in zip(score_quotes(quotes, "fuzzy"), rows, strict=True):
        grounded, _ = validate_evidence_grounding(
            {"d": [quote]}, source, mode="fuzzy", fuzzy_threshold=threshold, log_rejections=False
        )
        assert (score >= threshold) == bool(grounded["d"])


def test_progress_counts_every_quote():
    """The steps add up to the number of quotes."""
    done = []
    score_quotes(labelled(QUOTES) + labelled(QUOTES, SOURCES[1]), "fuzzy", on_progress=done.append)
    assert sum(done) == 2 * len(QUOTES)


def test_a_guarded_score_does_not_depend_on_similarity_alone():
    """Accepted forms of the same words score 1.0, a changed number 0.0."""
    assert dict(zip(GUARDED, score_quotes(labelled(GUARDED), "guarded"), strict=True)) == GUARDED


@pytest.mark.parametrize(
    "quote", [*GUARDED, *QUOTES, "I cant sleep at nigth", "I can sleep at night", "The captain sad"]
)
def test_a_guarded_score_is_the_highest_threshold_that_accepts(quote):
    """`assess_quotes` accepts a quote exactly at thresholds up to its score."""
    for source in SOURCES:
        score = score_quotes(labelled([quote], source), "guarded")[0]
        for threshold in (0.5, 0.7, 0.85, 0.9, score, 1.0):
            if threshold:
                verdict = assess_quotes([quote], source, policy=QuotePolicy(threshold=threshold))[0]
                assert verdict.accepted == (score >= threshold)


def test_an_unknown_policy_is_an_error_that_lists_the_known_ones():
    """There is no fallback."""
    assert POLICIES == ("fuzzy", "guarded")
    with pytest.raises(ValueError, match=r"^policy must be one of fuzzy, guarded$"):
        score_quotes([], "fuzy")
