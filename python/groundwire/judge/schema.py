"""
The fields of a judgement: as a JSON schema for servers, and read from a model's object.

Source: citation-risk, "LLM 評估輸出格式"; `issues` by ruling B12.
"""

from groundwire.judge.failures import FailureCode, JudgeError
from groundwire.judge.forms import Form, Json, object_schema, read_share, read_text, share_schema, text_schema
from groundwire.judgement import Decision, HallucinationType, Issue, Judgement

__all__ = ["JUDGEMENT", "LIMITS", "judgement_schema", "read_judgement"]

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


def judgement_schema(*, with_limits: bool) -> Json:
    """
    Return the JSON schema of a judgement, without references, every field required.

    Args:
        with_limits: Whether it has ranges and lengths, which not every server takes.
    """
    issue = object_schema(
        {
            "type": {"type": "string", "enum": [each.value for each in HallucinationType]},
            "claim": _string("claim", with_limits),
            "evidence": {"anyOf": [_string("evidence", with_limits), {"type": "null"}]},
        }
    )
    share = share_schema(with_limits)
    properties: dict[str, Json] = {
        "reasoning": _string("reasoning", with_limits),
        "issues": {"type": "array", "items": issue} | ({"maxItems": LIMITS["issues"]} if with_limits else {}),
        "hallucination_notes": _string("hallucination_notes", with_limits),
        "hallucination_risk": share,
        "score": share,
        "confidence": share,
        "decision": {"type": "string", "enum": [each.value for each in Decision]},
    }
    return object_schema({name: properties[name] for name in _FIELDS})


def _string(name: str, with_limits: bool) -> Json:
    return text_schema(LIMITS[name], with_limits)


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
        score=read_share(fields["score"]),
        reasoning=read_text(fields["reasoning"]),
        confidence=read_share(fields["confidence"]),
        decision=Decision(_one_of(fields["decision"], Decision)),
        hallucination_risk=read_share(fields["hallucination_risk"]),
        hallucination_notes=read_text(fields["hallucination_notes"]),
        issues=tuple(map(_issue, issues)),
    )


def _issue(value: object) -> Issue:
    if not isinstance(value, dict) or value.keys() != set(_ISSUE_FIELDS):
        raise JudgeError(FailureCode.WRONG_SCHEMA)
    evidence = None if value["evidence"] is None else read_text(value["evidence"]).strip()
    if evidence is not None and len(evidence) > _MAX_EVIDENCE_CHARS:
        raise JudgeError(FailureCode.WRONG_SCHEMA)
    kind = HallucinationType(_one_of(value["type"], HallucinationType))
    return Issue(type=kind, claim=read_text(value["claim"]), evidence=evidence or None)


def _one_of(value: object, allowed: type[Decision] | type[HallucinationType]) -> str:
    text = read_text(value)
    if text not in {each.value for each in allowed}:
        raise JudgeError(FailureCode.WRONG_SCHEMA)
    return text


JUDGEMENT: Form[Judgement] = Form(
    "judgement", lambda with_limits: judgement_schema(with_limits=with_limits), read_judgement
)
"""The form of a judgement."""
