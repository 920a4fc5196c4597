"""validate_evidence_schema: a mapping of domain to list of str, or a clear error (ruling A13)."""

from types import MappingProxyType

import pytest

from groundwire.evidence import EvidenceSchemaError, validate_evidence_schema


def test_the_order_is_that_of_the_model():
    """Ruling A13: domains and quotes keep the order of the model."""
    evidence = validate_evidence_schema({"b": ["2", "1"], "a": []})
    assert list(evidence.items()) == [("b", ["2", "1"]), ("a", [])]


def test_duplicates_keep_their_first_place():
    """Ruling A13: a repeated quote of a domain is kept once, at its first position."""
    assert validate_evidence_schema({"a": ["x", "y", "x"], "b": ["x"]}) == {"a": ["x", "y"], "b": ["x"]}


def test_quotes_are_not_touched():
    """White space and blank quotes stay: grounding counts them (ruling A6)."""
    assert validate_evidence_schema({"a": [" x ", "", "\ud800"]}) == {"a": [" x ", "", "\ud800"]}


def test_any_mapping_is_accepted():
    """Ruling A13: a mapping that is no dict is accepted."""
    assert validate_evidence_schema(MappingProxyType({"a": ["x"]})) == {"a": ["x"]}


def test_the_result_is_new():
    """A change of the result does not change the caller's mapping."""
    given = {"a": ["x"]}
    validate_evidence_schema(given)["a"].append("y")
    assert given == {"a": ["x"]}


@pytest.mark.parametrize(
    ("obj", "message"),
    [
        pytest.param([], "evidence must be a mapping of domain to list of str, got list", id="list"),
        pytest.param(None, "evidence must be a mapping of domain to list of str, got NoneType", id="null"),
        pytest.param("{}", "evidence must be a mapping of domain to list of str, got str", id="text"),
        pytest.param(b"{}", "evidence must be a mapping of domain to list of str, got bytes", id="bytes"),
        pytest.param({1: []}, "every domain of evidence must be a str, got int", id="domain-is-a-number"),
        pytest.param({"PHQ8_Sleep": {}}, 'evidence["PHQ8_Sleep"] must be a list of str, got dict', id="dict"),
        pytest.param({"PHQ8_Sleep": "q"}, 'evidence["PHQ8_Sleep"] must be a list of str, got str', id="bare-quote"),
        pytest.param({"PHQ8_Sleep": None}, 'evidence["PHQ8_Sleep"] must be a list of str, got NoneType', id="none"),
        pytest.param({"a": [], "b": ("q",)}, 'evidence["b"] must be a list of str, got tuple', id="tuple"),
        pytest.param({"a": ["q", 5]}, 'evidence["a"][1] must be a str, got int', id="number-among-quotes"),
        pytest.param({"a": [["q"]]}, 'evidence["a"][0] must be a str, got list', id="list-among-quotes"),
        pytest.param({"a": [b"q"]}, 'evidence["a"][0] must be a str, got bytes', id="bytes-among-quotes"),
    ],
)
def test_anything_else_is_refused_by_domain_and_type(obj, message):
    """Ruling A13: the error names the domain and the type found."""
    with pytest.raises(EvidenceSchemaError) as caught:
        validate_evidence_schema(obj)
    assert str(caught.value) == message


def test_a_domain_that_may_be_text_is_not_named():
    """Ruling A13: the error shows only the length of a sentence that is a key."""
    with pytest.raises(EvidenceSchemaError) as caught:
        validate_evidence_schema({"I feel zyxwhale": 1})
    assert str(caught.value) == "evidence[<a name of 15 characters>] must be a list of str, got int"


def test_the_error_is_a_value_error():
    """Callers that catch ValueError catch it."""
    assert issubclass(EvidenceSchemaError, ValueError)
