"""The fields of a judgement: the schema for servers, and the reader."""

import json

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import LLMError
from groundwire.judge import HallucinationType, JudgeDecision, JudgeIssue
from groundwire.judge.schemas import JUDGEMENT, LIMITS, json_schema
from judge.cases import FIELDS

ISSUE = {"type": "contradiction", "claim": "opened in 1932", "evidence": "opened in 1931"}
PRINTED = {"score", "reasoning", "confidence", "decision", "hallucination_risk", "hallucination_notes", "issues"}

SHARES = st.floats(min_value=0, max_value=1)
ISSUES = st.fixed_dictionaries(
    {
        "type": st.sampled_from([each.value for each in HallucinationType]),
        "claim": st.text(max_size=20),
        "evidence": st.none() | st.text(max_size=20),
    }
)
JUDGEMENTS = st.fixed_dictionaries(
    {
        "score": SHARES,
        "reasoning": st.text(max_size=20),
        "confidence": SHARES,
        "decision": st.sampled_from([each.value for each in JudgeDecision]),
        "hallucination_risk": SHARES,
        "hallucination_notes": st.text(max_size=20),
        "issues": st.lists(ISSUES, max_size=3),
    }
)


def objects(schema: object):
    """Return every object schema inside a schema."""
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for inner in schema.values():
            yield from objects(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from objects(inner)


@pytest.mark.parametrize("with_limits", [False, True])
def test_the_schema_has_the_printed_fields_and_is_strict(with_limits):
    """
    It has the specification's names, and issues (B12); all are required, others are forbidden, as strict servers
    need.
    """
    schema = json_schema(JUDGEMENT.model, with_limits=with_limits)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["properties"].keys() == PRINTED
    for each in objects(schema):
        assert each["required"] == list(each["properties"])
        assert each["additionalProperties"] is False
    assert ("maxLength" in json.dumps(schema)) is with_limits


@given(JUDGEMENTS)
def test_what_the_schema_allows_is_read(fields):
    """Values are unchanged; a blank quote counts as none."""
    jsonschema.validate(fields, json_schema(JUDGEMENT.model, with_limits=True))
    judgement = JUDGEMENT.read(fields)
    names = PRINTED - {"issues"}
    assert {name: getattr(judgement, name) for name in names} == {name: fields[name] for name in names}
    assert [(each.type, each.claim, each.evidence, each.grounded) for each in judgement.issues] == [
        (each["type"], each["claim"], (each["evidence"] or "").strip() or None, None) for each in fields["issues"]
    ]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"score": 1.0000001}, id="above-one"),
        pytest.param({"hallucination_risk": -0.1}, id="below-zero"),
        pytest.param({"confidence": float("nan")}, id="nan"),
        pytest.param({"confidence": float("inf")}, id="infinite"),
        pytest.param({"score": True}, id="bool"),
        pytest.param({"score": "0.5"}, id="number-as-text"),
        pytest.param({"score": None}, id="null"),
        pytest.param({"reasoning": 3.0}, id="number-for-text"),
        pytest.param({"reasoning": None}, id="null-for-text"),
        pytest.param({"decision": "accept"}, id="other-decision"),
        pytest.param({"decision": "SYNTHESIZE"}, id="decision-in-capitals"),
        pytest.param({"decision": ["synthesize"]}, id="decision-in-a-list"),
        pytest.param({"issues": None}, id="no-issues"),
        pytest.param({"issues": {}}, id="issues-as-object"),
        pytest.param({"issues": ["contradiction"]}, id="issue-as-text"),
        pytest.param({"issues": [{**ISSUE, "type": "other"}]}, id="other-type"),
        pytest.param({"issues": [{**ISSUE, "more": 1}]}, id="issue-with-more"),
        pytest.param({"issues": [{"type": "contradiction", "claim": "x"}]}, id="issue-with-less"),
        pytest.param({"issues": [{**ISSUE, "evidence": ["x"]}]}, id="evidence-as-list"),
        pytest.param({"issues": [{**ISSUE, "evidence": "x" * 3001}]}, id="evidence-without-end"),
        pytest.param({"issues": [ISSUE] * 201}, id="issues-without-end"),
        pytest.param({"more": 1.0}, id="another-field"),
    ],
)
def test_what_the_schema_does_not_allow_is_refused(change):
    """Nothing is converted, clamped or filled in."""
    with pytest.raises(LLMError) as caught:
        JUDGEMENT.read(FIELDS | change)
    assert caught.value.code == "wrong_schema"


@pytest.mark.parametrize("name", sorted(PRINTED))
def test_every_field_has_to_be_there(name):
    """A judgement with a missing number is refused."""
    with pytest.raises(LLMError):
        JUDGEMENT.read({key: value for key, value in FIELDS.items() if key != name})


def test_what_is_a_little_longer_than_asked_is_no_fault():
    """Servers without a schema let the model write more."""
    long = {**ISSUE, "claim": "x" * (LIMITS["claim"] + 1), "evidence": "x" * (LIMITS["evidence"] + 1)}
    issues = JUDGEMENT.read(FIELDS | {"issues": [long] * (LIMITS["issues"] + 1)}).issues
    assert issues[0] == JudgeIssue(type=HallucinationType.CONTRADICTION, claim=long["claim"], evidence=long["evidence"])
