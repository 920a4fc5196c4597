"""Scores are the highest thresholds at which a policy accepts."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire import evidence
from groundwire.calibration import LabelledPairs, available_policies, score_pairs
from groundwire.evidence import validate_evidence_grounding

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


def test_guarded_scores_come_from_its_verdicts(monkeypatch):
    """What is accepted for its likeness has its score, what is accepted as it is 1.0, and what is not 0.0."""
    match = SimpleNamespace(score=0.9)
    verdicts = [
        SimpleNamespace(status="near", accepted=True, match=match),
        SimpleNamespace(status="elided", accepted=True, match=match),
        SimpleNamespace(status="altered", accepted=False, match=match),
        SimpleNamespace(status="absent", accepted=False, match=None),
    ]
    policies = []

    def assess_quotes(quotes, source, *, policy):
        policies.append(policy)
        assert (quotes, source.text) == (QUOTES[:4], SOURCES[0])
        return verdicts

    monkeypatch.setattr(evidence, "assess_quotes", assess_quotes, raising=False)
    monkeypatch.setattr(evidence, "QuotePolicy", lambda *, threshold: threshold, raising=False)
    monkeypatch.setattr(evidence, "__all__", [*evidence.__all__, "assess_quotes"])
    assert available_policies() == ["fuzzy", "guarded"]
    assert score_pairs(LabelledPairs(QUOTES[:4], SOURCES[:1], [0] * 4, [True] * 4), "guarded") == [0.9, 1.0, 0.0, 0.0]
    assert policies == [0.5]


def test_unknown_policy_is_named_with_those_there_are():
    """No guess at what was meant."""
    with pytest.raises(ValueError, match=r"^policy must be one of fuzzy"):
        score_pairs(LabelledPairs(), "fuzy")
