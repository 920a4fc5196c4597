"""The configuration: the document's fields and defaults, and what is refused."""

import pytest

from groundwire.ingestion.config import GroundedIngestionConfig


def test_the_defaults_are_those_of_the_document():
    """Jaccard at 0.92; what is cited has to say so (ruling C19)."""
    config = GroundedIngestionConfig()
    assert (config.dedup_method, config.dedup_threshold) == ("jaccard", 0.92)
    assert (config.verify_claim_relevance, config.auto_approve_ai_synthesis) == (True, True)


def test_the_printed_example_is_a_configuration():
    """Ruling C18: with all of the fields that the document names."""
    config = GroundedIngestionConfig(
        dedup_method="vector", dedup_threshold=0.95, verify_claim_relevance=True, auto_approve_ai_synthesis=False
    )
    assert (config.dedup_method, config.dedup_threshold) == ("vector", 0.95)
    assert (config.verify_claim_relevance, config.auto_approve_ai_synthesis) == (True, False)


@pytest.mark.parametrize("method", ["jaccard", "minhash", "vector"])
def test_there_are_three_methods(method):
    """Ruling C18: all of them can be asked for."""
    assert GroundedIngestionConfig(dedup_method=method).dedup_method == method


@pytest.mark.parametrize(
    ("fields", "error", "message"),
    [
        pytest.param({"dedup_method": "simhash"}, ValueError, 'jaccard, minhash, vector; got "simhash"', id="method"),
        pytest.param({"dedup_method": None}, ValueError, "got NoneType", id="no-method"),
        pytest.param({"dedup_threshold": 0.0}, ValueError, "above 0 and at most 1, got 0.0", id="zero"),
        pytest.param({"dedup_threshold": 1.01}, ValueError, "above 0 and at most 1, got 1.01", id="above-1"),
        pytest.param({"dedup_threshold": float("nan")}, ValueError, "above 0 and at most 1, got nan", id="nan"),
        pytest.param({"dedup_threshold": "0.9"}, TypeError, "must be a number, got str", id="threshold-type"),
        pytest.param({"dedup_threshold": True}, TypeError, "must be a number, got bool", id="threshold-bool"),
        pytest.param({"verify_claim_relevance": "no"}, TypeError, "must be a bool, got str", id="flag"),
        pytest.param({"lexicons": ["xx"]}, ValueError, "lexicons must be of en, zh", id="lexicon"),
        pytest.param({"max_claim_chars": 0}, ValueError, "must be above 0, got 0 and 60.0", id="no-length"),
        pytest.param({"max_claim_chars": 1e6}, TypeError, "max_claim_chars must be an int, got", id="length-type"),
        pytest.param({"check_timeout_s": -1}, ValueError, "must be above 0, got 20000 and -1", id="no-time"),
        pytest.param({"check_timeout_s": float("nan")}, ValueError, "got 20000 and nan", id="nan-time"),
        pytest.param({"check_timeout_s": "1"}, TypeError, "check_timeout_s must be a number, got str", id="time-type"),
        pytest.param({"dedup": "vector"}, TypeError, "unexpected keyword", id="misspelt"),
    ],
)
def test_what_is_out_of_range_is_refused(fields, error, message):
    """When it is made, and not when the first claim comes."""
    with pytest.raises(error, match=message):
        GroundedIngestionConfig(**fields)
