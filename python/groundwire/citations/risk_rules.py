"""
Defines the rules of risk: limits, levels, inputs, and the one table of conditions.

Each row of the table has a level, a layer and a condition. `decide` reads it (ruling B5): the risk is high if any
condition for high risk holds; else moderate if any for moderate risk holds; else low if all for low risk hold; else
moderate. Source: citation-risk, "判定標準". docs/reference/codes.md repeats the table, and a test compares the two.

`1 - 0.7 > 0.3` is true in floats (ruling B4), so a share here is two integers, and a limit is the decimal number as
written.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from groundwire.evidence.schema import check_count
from groundwire.judge.protocol import HallucinationType, JudgeDecision
from groundwire.labels import check_choice
from groundwire.support_score import WEAK_FROM
from groundwire.thresholds import HIGH_RISK_ABOVE, MIN_JUDGE_CONFIDENCE, MODERATE_RISK_ABOVE

if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from groundwire.settings import RiskSettings

    QuestionType: TypeAlias = Literal["factual", "open"]
    SourceQuality: TypeAlias = Literal["poor", "ordinary", "good"]

__all__ = [
    "CONDITIONS",
    "FORCED_ACCEPT_WITHIN_PRINTED",
    "LEVELS",
    "REASONS",
    "SCALE",
    "Condition",
    "Facts",
    "JudgeInputs",
    "Policy",
    "RiskLevel",
    "RiskReasonCode",
    "RiskThresholds",
    "Share",
    "decide",
]

SCALE = 10**12
"""Denominator of limits and of judges' scores: 12 digits, as in reported floats (ruling B4)."""

FORCED_ACCEPT_WITHIN_PRINTED = 3
"""`iteration >= max_iterations - 3`, "接近迭代限制時" (ruling B13)."""

_QUESTION_TYPES = ("factual", "open")
_SOURCE_QUALITIES = ("poor", "ordinary", "good")


class Share(NamedTuple):
    """Holds the exact fraction *part* / *whole*; *whole* is positive."""

    part: int
    whole: int

    @classmethod
    def of(cls, value: float) -> "Share":
        """Return a float from 0 to 1 as a decimal number of 12 digits."""
        return cls(round(value * SCALE), SCALE)

    def is_above(self, limit: float) -> bool:
        """Tell whether the share is above *limit*."""
        return self.part * SCALE > round(limit * SCALE) * self.whole

    def is_below(self, limit: float) -> bool:
        """Tell whether the share is below *limit*."""
        return self.part * SCALE < round(limit * SCALE) * self.whole

    def rounded(self) -> float:
        """Return the share as a float of 12 digits (ruling B4)."""
        return round(self.part / self.whole, 12)


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskThresholds:
    """
    Holds the limits of the risk levels. The defaults are those of the specification.

    Attributes:
        moderate_above: A score above this is a moderate risk, 0.0 to 1.0; also for the judge's score.
        high_above: A score above this is a high risk.
        high_uncited: This many long claims without a citation are a high risk. Fewer,
            but at least one, are a moderate risk.
        high_share_below: A share of citations below this is a high risk, 0.0 to 1.0,
            if there are at least `high_share_claims` claims.
        high_share_claims: Minimum number of claims for `high_share_below`.
        low_share_from: Minimum share of citations for a low risk, 0.0 to 1.0.
        confidence_from: Minimum confidence of a judge whose low risk counts, 0.0 to 1.0
            (ruling B11).
        weak_from: Minimum score of a claim with partial support, 0.0 to 1.0.
        forced_accept_within: With at most this many iterations left, an answer is
            accepted whatever its risk; 0 means only in the last iteration (ruling B13).
            The policy "spec" uses 3, as specified.

    Raises:
        ValueError: A number is out of range, or the limits are not in order.
        TypeError: A value is not a number.
    """

    moderate_above: float = MODERATE_RISK_ABOVE
    high_above: float = HIGH_RISK_ABOVE
    high_uncited: int = 3
    high_share_below: float = 0.3
    high_share_claims: int = 3
    low_share_from: float = 0.7
    confidence_from: float = MIN_JUDGE_CONFIDENCE
    weak_from: float = WEAK_FROM
    forced_accept_within: int = 0

    @classmethod
    def of(
        cls,
        settings: "RiskSettings | None",
        *,
        question_type: "QuestionType" = "factual",
        source_quality: "SourceQuality" = "ordinary",
    ) -> "RiskThresholds":
        """
        Return the limits of *settings* for a type of question and a quality of sources; None for the defaults.

        The shift for the quality moves both limits, within 0 and 1.

        Raises:
            TypeError, ValueError: The type or quality is not a str, or is unknown.
        """
        check_choice("question_type", question_type, _QUESTION_TYPES)
        check_choice("source_quality", source_quality, _SOURCE_QUALITIES)
        if settings is None:
            return cls()
        bands = {
            "factual": (settings.citation_risk_factual_moderate_above, settings.citation_risk_factual_high_above),
            "open": (settings.citation_risk_open_moderate_above, settings.citation_risk_open_high_above),
        }
        shifts = {
            "poor": settings.citation_risk_poor_sources_shift,
            "ordinary": 0.0,
            "good": settings.citation_risk_good_sources_shift,
        }
        shift = shifts[source_quality]
        # Rounded, so that 0.3 - 0.1 is 0.2 (ruling B4).
        moderate, high = (round(min(max(band + shift, 0.0), 1.0), 12) for band in bands[question_type])
        return cls(
            moderate_above=moderate,
            high_above=high,
            confidence_from=settings.citation_risk_confidence_from,
            forced_accept_within=settings.citation_risk_forced_accept_within,
        )

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.type is int:
                check_count(field.name, value, least=0 if field.name == "forced_accept_within" else 1)
            else:
                _check_share(field.name, value)
        if self.moderate_above > self.high_above:
            got = f"{self.moderate_above} and {self.high_above}"
            raise ValueError(f"moderate_above must be at most high_above, got {got}")


def _check_share(name: str, value: object) -> None:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError(f"{name} must be a number, got {type(value).__name__}")
    if not 0.0 <= value <= 1.0:
        raise ValueError(f"{name} must be from 0 to 1, got {value}")


class RiskLevel(StrEnum):
    """Names the level of risk of an answer."""

    LOW = "low"
    MODERATE = "moderate"
    HIGH = "high"
    NOT_ASSESSED = "not_assessed"


LEVELS: dict[RiskLevel, str] = {
    RiskLevel.LOW: "claims have citations, and no check found a problem",
    RiskLevel.MODERATE: "some claims lack support, or their support is unknown",
    RiskLevel.HIGH: "claims lack support, or citations name no existing result",
    RiskLevel.NOT_ASSESSED: "the answer is empty, or no sentence is long enough to be a claim",
}


class RiskReasonCode(StrEnum):
    """Names a reason for a level."""

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


class Policy(StrEnum):
    """Selects the rules that read an answer, and the deciding share (ruling B3)."""

    COVERAGE = "coverage"
    SPEC = "spec"


class JudgeInputs(NamedTuple):
    """
    Holds a judge's result as numbers and codes.

    Attributes:
        risk: Score of hallucination.
        confidence: Confidence of the judge; None if not given.
        types: Types of its issues, without void ones (ruling B12).
        decision: The next step that it recommends; None if not given.
    """

    risk: Share
    confidence: Share | None
    types: frozenset[HallucinationType]
    decision: JudgeDecision | None


class Facts(NamedTuple):
    """
    Holds the inputs of the table: counts, and the judge's result.

    Attributes:
        policy: The rules that counted.
        is_empty: Whether the answer has only white space.
        total_claims: Number of claims.
        cited: For the policy "spec", the number of distinct valid ids; for "coverage",
            of claims with a valid citation (ruling B3).
        invalid: Number of distinct cited ids that belong to no result.
        uncited: Number of long claims without a citation (ruling B6).
        share: The deciding share of citations; above 1 if there are more ids than claims.
        score: Risk according to the rules: one minus that share; 0 without claims
            (ruling B7).
        read: Number of claims whose cited passages were read.
        unsupported: Number of these that their passages do not support.
        misattributed: Number of these that another source supports better.
        contradicted: Number of these that their passages contradict.
        unread: Number of claims, and of citations outside of claims, whose passages could not be read (ruling B15).
        has_text: Whether any result has a text.
        judge: The judge's result; None without a judgement.
    """

    policy: Policy
    is_empty: bool
    total_claims: int
    cited: int
    invalid: int
    uncited: int
    share: Share
    score: Share
    read: int = 0
    unsupported: int = 0
    misattributed: int = 0
    contradicted: int = 0
    unread: int = 0
    has_text: bool = True
    judge: JudgeInputs | None = None

    @classmethod
    def of(
        cls, policy: Policy, *, is_empty: bool, total_claims: int, cited: int, invalid: int, uncited: int
    ) -> "Facts":
        """Return the counts of the rules, with the share and the score that follow from them."""
        whole = total_claims or 1
        lacking = total_claims - cited if total_claims > cited else 0
        return cls(policy, is_empty, total_claims, cited, invalid, uncited, Share(cited, whole), Share(lacking, whole))


class _Layer(StrEnum):
    """Names the layer that evaluates a row."""

    RULES = "rules"
    SUPPORT = "support"
    JUDGE = "judge"


_Holds = Callable[[Facts, RiskThresholds], bool]
_JudgeHolds = Callable[[JudgeInputs, RiskThresholds], bool]

_CLEAR_FAULTS = frozenset({HallucinationType.UNSUPPORTED_CLAIM, HallucinationType.CONTRADICTION})


class Condition(NamedTuple):
    """
    Holds one row of the table.

    Attributes:
        level: The resulting level; for "low", all rows must hold.
        reason: Stable code.
        layer: Layer that evaluates the row. Rows of the judge are skipped without a
            judgement, and rows of support with the policy "spec".
        words: The condition in words; `{name}` is a threshold.
        holds: The condition.
    """

    level: RiskLevel
    reason: RiskReasonCode
    layer: _Layer
    words: str
    holds: _Holds


def _of_judge(holds: _JudgeHolds) -> _Holds:
    return lambda facts, limits: facts.judge is not None and holds(facts.judge, limits)


def _is_moderate(score: Share, limits: RiskThresholds) -> bool:
    return score.is_above(limits.moderate_above) and not score.is_above(limits.high_above)


def _is_unsure(judge: JudgeInputs, limits: RiskThresholds) -> bool:
    return judge.confidence is not None and judge.confidence.is_below(limits.confidence_from)


_HIGH, _MODERATE, _LOW = RiskLevel.HIGH, RiskLevel.MODERATE, RiskLevel.LOW
_RULES, _SUPPORT, _JUDGE = _Layer.RULES, _Layer.SUPPORT, _Layer.JUDGE

CONDITIONS: tuple[Condition, ...] = (
    Condition(
        _HIGH,
        RiskReasonCode.SCORE_HIGH,
        _RULES,
        "the score is above {high_above}",
        lambda facts, limits: facts.score.is_above(limits.high_above),
    ),
    Condition(
        _HIGH,
        RiskReasonCode.INVALID_CITATION,
        _RULES,
        "a cited id belongs to no result",
        lambda facts, _limits: facts.invalid > 0,
    ),
    Condition(
        _HIGH,
        RiskReasonCode.MANY_UNCITED,
        _RULES,
        "at least {high_uncited} long claims have no citation",
        lambda facts, limits: facts.uncited >= limits.high_uncited,
    ),
    Condition(
        _HIGH,
        RiskReasonCode.FEW_CITED,
        _RULES,
        "the share of citations is below {high_share_below}, with at least {high_share_claims} claims",
        lambda facts, limits: (
            facts.total_claims >= limits.high_share_claims and facts.share.is_below(limits.high_share_below)
        ),
    ),
    Condition(
        _HIGH,
        RiskReasonCode.JUDGE_HIGH,
        _JUDGE,
        "the judge's risk is above {high_above}",
        _of_judge(lambda judge, limits: judge.risk.is_above(limits.high_above)),
    ),
    Condition(
        _HIGH,
        RiskReasonCode.JUDGE_FOUND_UNSUPPORTED,
        _JUDGE,
        "the judge names an unsupported or contradicted claim",
        _of_judge(lambda judge, _limits: bool(judge.types & _CLEAR_FAULTS)),
    ),
    Condition(
        _MODERATE,
        RiskReasonCode.SCORE_MODERATE,
        _RULES,
        "the score is above {moderate_above} and at most {high_above}",
        lambda facts, limits: _is_moderate(facts.score, limits),
    ),
    Condition(
        _MODERATE,
        RiskReasonCode.SOME_UNCITED,
        _RULES,
        "at least one and fewer than {high_uncited} long claims have no citation",
        lambda facts, limits: 0 < facts.uncited < limits.high_uncited,
    ),
    Condition(
        _MODERATE,
        RiskReasonCode.UNREAD,
        _SUPPORT,
        "a cited passage has no text, or there are no words to compare",
        lambda facts, _limits: facts.unread > 0 and facts.total_claims > 0,
    ),
    Condition(
        _MODERATE,
        RiskReasonCode.CONTRADICTED,
        _SUPPORT,
        "a cited passage differs in a number, a date or a negation, or a judge quotes a contradiction",
        lambda facts, _limits: facts.contradicted > 0,
    ),
    Condition(
        _MODERATE,
        RiskReasonCode.MISATTRIBUTED,
        _SUPPORT,
        "the cited source does not support a claim, but another one does",
        lambda facts, _limits: facts.misattributed > 0,
    ),
    Condition(
        _MODERATE,
        RiskReasonCode.MUCH_UNSUPPORTED,
        _SUPPORT,
        "more than {moderate_above} of the claims whose passages were read are unsupported",
        lambda facts, limits: (
            facts.unsupported > 0 and Share(facts.unsupported, facts.read).is_above(limits.moderate_above)
        ),
    ),
    Condition(
        _MODERATE,
        RiskReasonCode.JUDGE_MODERATE,
        _JUDGE,
        "the judge's risk is above {moderate_above} and at most {high_above}",
        _of_judge(lambda judge, limits: _is_moderate(judge.risk, limits)),
    ),
    Condition(
        _MODERATE,
        RiskReasonCode.JUDGE_FOUND_FAULTS,
        _JUDGE,
        "the judge names another problem",
        _of_judge(lambda judge, _limits: bool(judge.types - _CLEAR_FAULTS)),
    ),
    Condition(
        _MODERATE,
        RiskReasonCode.JUDGE_WANTS_MORE,
        _JUDGE,
        "the judge recommends another search",
        _of_judge(lambda judge, _limits: judge.decision in {JudgeDecision.CONTINUE, JudgeDecision.REFINE_SEARCH}),
    ),
    Condition(
        _MODERATE,
        RiskReasonCode.JUDGE_UNSURE,
        _JUDGE,
        "the judge's confidence is below {confidence_from}",
        _of_judge(_is_unsure),
    ),
    Condition(
        _LOW,
        RiskReasonCode.SCORE_LOW,
        _RULES,
        "the score is at most {moderate_above}",
        lambda facts, limits: not facts.score.is_above(limits.moderate_above),
    ),
    Condition(
        _LOW,
        RiskReasonCode.NONE_INVALID,
        _RULES,
        "every cited id belongs to a result",
        lambda facts, _limits: not facts.invalid,
    ),
    Condition(
        _LOW,
        RiskReasonCode.NONE_UNCITED,
        _RULES,
        "every long claim has a citation",
        lambda facts, _limits: not facts.uncited,
    ),
    Condition(
        _LOW,
        RiskReasonCode.MOSTLY_CITED,
        _RULES,
        "the share of citations is at least {low_share_from}",
        lambda facts, limits: not facts.share.is_below(limits.low_share_from),
    ),
    Condition(
        _LOW,
        RiskReasonCode.JUDGE_LOW,
        _JUDGE,
        "the judge's risk is at most {moderate_above}",
        _of_judge(lambda judge, limits: not judge.risk.is_above(limits.moderate_above)),
    ),
)

REASONS: dict[RiskReasonCode, str] = {row.reason: row.words for row in CONDITIONS} | {
    RiskReasonCode.NEITHER: "no condition for high or moderate risk holds, but not all for low risk do either",
    RiskReasonCode.EMPTY_ANSWER: "the answer is empty",
    RiskReasonCode.NO_CLAIMS: "no sentence is long enough to be a claim",
    RiskReasonCode.NEAR_LIMIT: "accepted despite its risk, because no iterations are left",
    RiskReasonCode.JUDGE_FAILED: "the judge returned no usable judgement, so the level comes from the rules alone",
}


_LAYERS = {
    (policy, has_judge): {
        _Layer.RULES,
        *([_Layer.SUPPORT] if policy is Policy.COVERAGE else []),
        *([_Layer.JUDGE] if has_judge else []),
    }
    for policy in Policy
    for has_judge in (False, True)
}
_RISKS = {key: [row for row in CONDITIONS if row.level is not _LOW and row.layer in _LAYERS[key]] for key in _LAYERS}
_LOWS = {key: [row for row in CONDITIONS if row.level is _LOW and row.layer in _LAYERS[key]] for key in _LAYERS}


def decide(facts: Facts, limits: RiskThresholds) -> tuple[RiskLevel, tuple[RiskReasonCode, ...]]:
    """
    Return the level of *facts*, and the codes of the deciding rows, in the order of the table.

    For a high or moderate risk, these are all rows of both levels that hold; for a low
    risk, all of its rows (ruling B5).
    """
    rows = (facts.policy, facts.judge is not None)
    risks = [row for row in _RISKS[rows] if row.holds(facts, limits)]
    if risks:
        return risks[0].level, tuple([row.reason for row in risks])
    if not facts.total_claims:
        return RiskLevel.NOT_ASSESSED, (RiskReasonCode.EMPTY_ANSWER if facts.is_empty else RiskReasonCode.NO_CLAIMS,)
    if all(row.holds(facts, limits) for row in _LOWS[rows]):
        return _LOW, tuple([row.reason for row in _LOWS[rows]])
    return _MODERATE, (RiskReasonCode.NEITHER,)
