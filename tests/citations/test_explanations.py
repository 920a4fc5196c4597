"""Explanations of risks and findings: sentences with the values that decided."""

import pytest

from groundwire.citations import (
    FINDING_EXPLANATIONS,
    FINDINGS,
    REASONS,
    RISK_EXPLANATIONS,
    FoundBy,
    RiskReasonCode,
    RiskThresholds,
    assess_citations,
    assess_risk,
    explain_finding,
    explain_risk,
)

RESULTS = [
    {"id": "1", "content": "In 2019 the city closed 15 bridges for repair. Trains to the coast stopped after a storm."},
    {"id": "2", "content": "The old mill was repaired after the flood of 1954."},
]


def findings_of(answer):
    """Return the sentences about the findings of the first claim."""
    (claim, *_) = assess_citations(answer, RESULTS).claims
    return [explain_finding(each, claim, RiskThresholds()) for each in claim.findings]


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        pytest.param(
            "The city closed 12 bridges in 2019 [1].", "The passage says 15; the claim says 12.", id="other-number"
        ),
        pytest.param(
            "The old mill was never repaired after the flood of 1954 [2].",
            "Only one of claim and passage is negated: the passage says “repaired”; the claim says “never”.",
            id="negated",
        ),
    ],
)
def test_a_contradiction_has_the_words_of_both_sides(answer, sentence):
    """The claim's record keeps the words that contradict each other."""
    assert findings_of(answer) == [sentence]


def test_a_claim_without_support_has_its_score_and_the_required_one():
    """The score is the best support by a cited passage."""
    (sentence,) = findings_of("The mayor loves purple elephants and dances all night [1].")
    assert sentence.startswith("No cited passage supports it (best support 0.")
    assert sentence.endswith("minimum for partial support 0.4).")


def test_a_claim_that_another_source_supports_names_that_source():
    """The claim cites the wrong result."""
    (sentence,) = findings_of("Trains to the coast stopped after a storm [2].")
    assert sentence.endswith("but “1” does.")


def test_reasons_have_counts_and_limits():
    """The sentences are in the order of the reasons."""
    assessment = assess_risk(assess_citations("Trains to the coast stopped after a storm [9].", RESULTS))
    sentences = dict(zip(assessment.reasons, explain_risk(assessment, RiskThresholds()), strict=True))
    assert sentences[RiskReasonCode.SCORE_HIGH] == "The risk score is 1.00; a score above 0.6 is a high risk."
    assert sentences[RiskReasonCode.INVALID_CITATION].startswith("Cited ids that belong to no result: 1.")


def test_a_finding_without_its_claim_has_its_meaning_as_a_sentence():
    """An issue of a judge may belong to no claim."""
    (claim,) = assess_citations("The city closed 12 bridges in 2019 [1].", RESULTS).claims
    assert explain_finding(claim.findings[0], None, RiskThresholds()) == "The cited passage has a different number."


def test_every_template_belongs_to_a_code():
    """The catalogues have no template that is never used."""
    assert set(RISK_EXPLANATIONS) <= set(REASONS)
    assert set(FINDING_EXPLANATIONS) <= set(FINDINGS) == set(FoundBy)
