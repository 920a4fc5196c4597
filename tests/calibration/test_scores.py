"""Scores are the highest thresholds at which a policy accepts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.calibration import LabelledPairs, available_policies, score_pairs
from groundwire.evidence import QuotePolicy, assess_quotes, validate_evidence_grounding

QUOTES = ["I can’t  sleep", "I cannot sleep at night", "the captain", " ", "I take 50 mg"]
SOURCES = ["Max: I can't sleep at night. I take 15 mg.", "The captain said no."]


@given(st.lists(st.tuples(st.sampled_from(QUOTES), st.integers(0, 1))), st.sampled_from([0.5, 0.7, 0.85, 0.9, 1.0]))
def test_fuzzy_score_is_what_the_literal_rule_compares(rows, threshold):
    """A quote is grounded by `validate_evidence_grounding` exactly from its score down."""
    quotes, at = [quote for quote, _ in rows], [source for _, source in rows]
    pairs = LabelledPairs(quotes, SOURCES, at, [True] * len(rows))
    for score, quote, source in zip(score_pairs(pairs, "fuzzy"), quotes, at, strict=True):
        grounded, _ = validate_evidence_grounding(
            {"d": [quote]}, SOURCES[source], mode="fuzzy", fuzzy_threshold=threshold, log_rejections=False
        )
        assert (score >= threshold) == bool(grounded["d"])


def test_progress_counts_every_quote():
    """So many steps as there are quotes."""
    done = []
    score_pairs(LabelledPairs(QUOTES, SOURCES, [0, 1, 1, 0, 0], [True] * 5), "fuzzy", on_progress=done.append)
    assert sum(done) == 5


GUARDED = {
    "i can’t  sleep at night": 1.0,
    "I can't sleep … 15 mg": 1.0,
    "I take 50 mg": 0.0,
    "never said by anybody": 0.0,
}


def test_guarded_scores_come_from_its_verdicts():
    """What is accepted as it is has 1.0, in parts too, and what is not accepted 0.0."""
    pairs = LabelledPairs([*GUARDED], SOURCES[:1], [0] * len(GUARDED), [True] * len(GUARDED))
    assert dict(zip(GUARDED, score_pairs(pairs, "guarded"), strict=True)) == GUARDED
    assert available_policies() == ["fuzzy", "guarded"]


@pytest.mark.parametrize(
    "quote", [*GUARDED, *QUOTES, "I cant sleep at nigth", "I can sleep at night", "The captain sad"]
)
def test_a_guarded_score_is_the_highest_threshold_that_accepts(quote):
    """A quote is accepted exactly from its score down."""
    for source in SOURCES:
        score = score_pairs(LabelledPairs([quote], [source], [0], [True]), "guarded")[0]
        for threshold in (0.5, 0.7, 0.85, 0.9, score, 1.0):
            if threshold:
                verdict = assess_quotes([quote], source, policy=QuotePolicy(threshold=threshold))[0]
                assert verdict.accepted == (score >= threshold)


def test_unknown_policy_is_named_with_those_there_are():
    """No guess at what was meant."""
    with pytest.raises(ValueError, match=r"^policy must be one of fuzzy"):
        score_pairs(LabelledPairs(), "fuzy")
