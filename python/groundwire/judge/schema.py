"""
The fields of a judgement: as a JSON schema for servers, and read from a model's object.

Source: citation-risk, "LLM 評估輸出格式"; `issues` by ruling B12.
"""

from groundwire.judge.failures import FailureCode, JudgeError
from groundwire.judgement import Decision, HallucinationType, Issue, Judgement

__all__ = ["LIMITS", "SCHEMA_NAME", "judgement_schema", "read_judgement"]

SCHEMA_NAME = "judgement"

LIMITS = {"reasoning": 2000, "hallucination_notes": 1000, "issues": 20, "claim": 300, "evidence": 300}
"""The most characters of a text, and the most issues, that a model is asked for."""

# Servers that do not hold the model to a schema let it write more. That is no fault, as long as it is soon checked.
_MAX_ISSUES = 10 * LIMITS["issues"]
_MAX_EVIDENCE_CHARS = 10 * LIMITS["evidence"]

# Models write in this order: what was found comes before the numbers that follow from it.
_FIELDS = (
    "reasoning",
    "issues",
    "hallucination_notes",
    "hallucination_risk",
    "score",
    "confidence",
    "decision",
)
_ISSUE_FIELDS = ("type", "claim", "evidence")

Json = dict[str, object]


def judgement_schema(*, with_limits: bool) -> Json:
    """
    Return the JSON schema of a judgement, without references, every field required.

    Args:
        with_limits: Whether it has ranges and lengths, which not every server takes.
    """
    issue = _object(
        {
            "type": {"type": "string", "enum": [each.value for each in HallucinationType]},
            "claim": _string("claim", with_limits),
            "evidence": {"anyOf": [_string("evidence", with_limits), {"type": "null"}]},
        },
        _ISSUE_FIELDS,
    )
    share: Json = {"type": "number", "minimum": 0, "maximum": 1} if with_limits else {"type": "number"}
    properties: dict[str, Json] = {
        "reasoning": _string("reasoning", with_limits),
        "issues": {"type": "array", "items": issue} | ({"maxItems": LIMITS["issues"]} if with_limits else {}),
        "hallucination_notes": _string("hallucination_notes", with_limits),
        "hallucination_risk": share,
        "score": share,
        "confidence": share,
        "decision": {"type": "string", "enum": [each.value for each in Decision]},
    }
    return _object(properties, _FIELDS)


def _object(properties: dict[str, Json], order: tuple[str, ...]) -> Json:
    ordered = {name: properties[name] for name in order}
    return {"type": "object", "properties": ordered, "required": list(order), "additionalProperties": False}


def _string(name: str, with_limits: bool) -> Json:
    return {"type": "string", "maxLength": LIMITS[name]} if with_limits else {"type": "string"}


def read_judgement(fields: Json) -> Judgement:
    """
    Return what a model's object says; its issues are not yet checked.

    Raises:
        JudgeError: WRONG_SCHEMA. Nothing is converted, cut or filled in.
    """
    if fields.keys() != set(_FIELDS):
        raise JudgeError(FailureCode.WRONG_SCHEMA)
    issues = fields["issues"]
    if not isinstance(issues, list) or len(issues) > _MAX_ISSUES:
        raise JudgeError(FailureCode.WRONG_SCHEMA)
    return Judgement(
        score=_share(fields["score"]),
        reasoning=_text(fields["reasoning"]),
        confidence=_share(fields["confidence"]),
        decision=Decision(_one_of(fields["decision"], Decision)),
        hallucination_risk=_share(fields["hallucination_risk"]),
        hallucination_notes=_text(fields["hallucination_notes"]),
        issues=tuple(map(_issue, issues)),
    )


def _issue(value: object) -> Issue:
    if not isinstance(value, dict) or value.keys() != set(_ISSUE_FIELDS):
        raise JudgeError(FailureCode.WRONG_SCHEMA)
    evidence = None if value["evidence"] is None else _text(value["evidence"]).strip()
    if evidence is not None and len(evidence) > _MAX_EVIDENCE_CHARS:
        raise JudgeError(FailureCode.WRONG_SCHEMA)
    kind = HallucinationType(_one_of(value["type"], HallucinationType))
    return Issue(type=kind, claim=_text(value["claim"]), evidence=evidence or None)


def _share(value: object) -> float:
    # Numbers are read as float, so what is none of them is a bool, a text or something else.
    if not isinstance(value, float) or not 0.0 <= value <= 1.0:
        raise JudgeError(FailureCode.WRONG_SCHEMA)
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise JudgeError(FailureCode.WRONG_SCHEMA)
    return value


def _one_of(value: object, allowed: type[Decision] | type[HallucinationType]) -> str:
    text = _text(value)
    if text not in {each.value for each in allowed}:
        raise JudgeError(FailureCode.WRONG_SCHEMA)
    return text
