"""The levels of risk, and the codes of what leads to them."""

from enum import StrEnum

__all__ = ["LEVELS", "Reason", "RiskLevel"]


class RiskLevel(StrEnum):
    """How risky an answer is."""

    LOW = "low"
    MODERATE = "moderate"
    HIGH = "high"
    NOT_ASSESSED = "not_assessed"


LEVELS: dict[RiskLevel, str] = {
    RiskLevel.LOW: "claims are cited, and nothing speaks against them",
    RiskLevel.MODERATE: "some claims lack support, or it is not known whether they have it",
    RiskLevel.HIGH: "claims lack support, or citations name what is not there",
    RiskLevel.NOT_ASSESSED: "the answer is empty, or has no sentence that is long enough to be a claim",
}


class Reason(StrEnum):
    """Why a level is what it is."""

    SCORE_HIGH = "score_high"
    INVALID_CITATION = "invalid_citation"
    MANY_UNCITED = "many_uncited"
    FEW_CITED = "few_cited"
    JUDGE_HIGH = "judge_high"
    JUDGE_FOUND_UNSUPPORTED = "judge_found_unsupported"
    SCORE_MODERATE = "score_moderate"
    SOME_UNCITED = "some_uncited"
    UNREAD = "unread"
    CONTRADICTED = "contradicted"
    MISATTRIBUTED = "misattributed"
    MUCH_UNSUPPORTED = "much_unsupported"
    JUDGE_MODERATE = "judge_moderate"
    JUDGE_FOUND_FAULTS = "judge_found_faults"
    JUDGE_WANTS_MORE = "judge_wants_more"
    JUDGE_UNSURE = "judge_unsure"
    SCORE_LOW = "score_low"
    NONE_INVALID = "none_invalid"
    NONE_UNCITED = "none_uncited"
    MOSTLY_CITED = "mostly_cited"
    JUDGE_LOW = "judge_low"
    NEITHER = "neither"
    EMPTY_ANSWER = "empty_answer"
    NO_CLAIMS = "no_claims"
    NEAR_LIMIT = "near_limit"
    JUDGE_FAILED = "judge_failed"
