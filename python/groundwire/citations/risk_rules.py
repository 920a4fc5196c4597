"""
The rules of risk: limits, levels, what is counted, and the one table of conditions.

A row of the table says to which level it leads, who finds it, and when it holds. `decide` reads
it (ruling B5): high if any row of high risk holds; else moderate if any of moderate risk does;
else low if all of low risk do; else moderate. Source: citation-risk, "判定標準".
docs/reference/codes.md prints the table, and a test compares the two.

`1 - 0.7 > 0.3` is true in floats (ruling B4), so a share is two integers here, and a limit is the
decimal number that was written.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from groundwire.judge.protocol import HallucinationType, JudgeDecision
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
"""Limits, and the scores of judges, have this many parts: 12 digits, as reported floats have (ruling B4)."""

FORCED_ACCEPT_WITHIN_PRINTED = 3
"""`iteration >= max_iterations - 3`, "接近迭代限制時" (ruling B13)."""

_QUESTION_TYPES = ("factual", "open")
_SOURCE_QUALITIES = ("poor", "ordinary", "good")


class Share(NamedTuple):
    """*part* of *whole*, exactly; *whole* is positive."""

    part: int
    whole: int

    @classmethod
    def of(cls, value: float) -> "Share":
        """Return a float from 0 to 1 as the decimal number of 12 digits that it stands for."""
        return cls(round(value * SCALE), SCALE)

    def is_above(self, limit: float) -> bool:
        """Tell whether it is more than *limit*."""
        return self.part * SCALE > round(limit * SCALE) * self.whole

    def is_below(self, limit: float) -> bool:
        """Tell whether it is less than *limit*."""
        return self.part * SCALE < round(limit * SCALE) * self.whole

    def rounded(self) -> float:
        """Return it as a float of 12 digits (ruling B4)."""
        return round(self.part / self.whole, 12)


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskThresholds:
    """
    Where the bands of risk begin. The defaults are the printed ones.

    Attributes:
        moderate_above: A score above it is a moderate risk, 0.0 to 1.0; also the judge's.
        high_above: A score above it is a high one.
        high_uncited: So many long claims without a citation are a high risk; fewer, and
            at least one, a moderate one.
        high_share_below: A share of citations below it is a high risk, 0.0 to 1.0,
        high_share_claims: if there are at least so many claims.
        low_share_from: The least share of citations of a low risk, 0.0 to 1.0.
        confidence_from: The least confidence of a judge whose low risk is believed, 0.0
            to 1.0 (ruling B11).
        weak_from: The least score of a claim that its source supports in part, 0.0 to 1.0.
        forced_accept_within: With so many iterations left, or fewer, an answer is accepted
            whatever its risk; 0 is the last iteration alone (ruling B13). The policy
            "spec" takes 3, as printed.

    Raises:
        ValueError: A number is out of its range, or the bands are not in order.
        TypeError: A value is no number.
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
        Return what *settings* say for a type of question and a quality of sources; None says what is printed.

        The shift for the quality moves both bands, and neither below 0 or above 1.

        Raises:
            ValueError: There is no such type or quality.
        """
        _known("question_type", question_type, _QUESTION_TYPES)
        _known("source_quality", source_quality, _SOURCE_QUALITIES)
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
                _check_count(field.name, value, least=0 if field.name == "forced_accept_within" else 1)
            else:
                _check_share(field.name, value)
        if self.moderate_above > self.high_above:
            got = f"{self.moderate_above} and {self.high_above}"
            raise ValueError(f"moderate_above must be at most high_above, got {got}")


def _known(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}")


def _check_count(name: str, value: object, *, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} must be an int, got {type(value).__name__}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}, got {value}")


def _check_share(name: str, value: object) -> None:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError(f"{name} must be a number, got {type(value).__name__}")
    if not 0.0 <= value <= 1.0:
        raise ValueError(f"{name} must be from 0 to 1, got {value}")


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


class RiskReasonCode(StrEnum):
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


class Policy(StrEnum):
    """Which rules read an answer, and which share decides (ruling B3)."""

    COVERAGE = "coverage"
    SPEC = "spec"


class JudgeInputs(NamedTuple):
    """
    What a judge said, as numbers and codes.

    Attributes:
        risk: Its score of hallucination.
        confidence: How sure it is; None if it does not say.
        types: Of which types its issues are; void ones do not count (ruling B12).
        decision: What it would do next; None if it does not say.
    """

    risk: Share
    confidence: Share | None
    types: frozenset[HallucinationType]
    decision: JudgeDecision | None


class Facts(NamedTuple):
    """
    What the table is asked about: counts, and what a judge said.

    Attributes:
        policy: Which rules counted.
        is_empty: Whether the answer has nothing but white space.
        total_claims: Sentences that are claims.
        cited: Of `policy` "spec" the distinct valid ids; of "coverage" the claims that
            have a valid citation (ruling B3).
        invalid: Distinct ids that are cited and are none.
        uncited: Long claims without a citation, all of them (ruling B6).
        share: The share of citations that decides; above 1 if there are more ids than claims.
        score: The risk as the rules see it: what that share lacks to one, and none without
            claims (ruling B7).
        read: Claims whose cited passages were read.
        unsupported: Of these, those that their passages do not support.
        misattributed: Those that another source supports better.
        contradicted: Those that their passages contradict.
        unread: Claims, and citations outside of any claim, whose cited passages could not be read (ruling B15).
        has_text: Whether any of the results has a text.
        judge: What the judge said; None without a judgement.
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
        """Return what the rules count, with the share and the score that follow from it."""
        whole = total_claims or 1
        lacking = total_claims - cited if total_claims > cited else 0
        return cls(policy, is_empty, total_claims, cited, invalid, uncited, Share(cited, whole), Share(lacking, whole))


class _Layer(StrEnum):
    """Who finds what a row is about."""

    RULES = "rules"
    SUPPORT = "support"
    JUDGE = "judge"


_Holds = Callable[[Facts, RiskThresholds], bool]
_SaidHolds = Callable[[JudgeInputs, RiskThresholds], bool]

_CLEAR_FAULTS = frozenset({HallucinationType.UNSUPPORTED_CLAIM, HallucinationType.CONTRADICTION})


class Condition(NamedTuple):
    """
    One row.

    Attributes:
        level: The level that it leads to; of "low" all rows have to hold.
        reason: Its stable code.
        layer: Who finds it. A judge's rows are left out where there is no judgement, and
            those of support with the policy "spec", whose rules have none.
        words: When it holds, in words; `{name}` is a threshold.
        holds: When it holds.
    """

    level: RiskLevel
    reason: RiskReasonCode
    layer: _Layer
    words: str
    holds: _Holds


def _of_judge(holds: _SaidHolds) -> _Holds:
    return lambda facts, limits: facts.judge is not None and holds(facts.judge, limits)


def _is_moderate(score: Share, limits: RiskThresholds) -> bool:
    return score.is_above(limits.moderate_above) and not score.is_above(limits.high_above)


def _is_unsure(said: JudgeInputs, limits: RiskThresholds) -> bool:
    return said.confidence is not None and said.confidence.is_below(limits.confidence_from)


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
        "an id is cited that no result has",
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
        "the share of citations is below {high_share_below}, of at least {high_share_claims} claims",
        lambda facts, limits: (
            facts.total_claims >= limits.high_share_claims and facts.share.is_below(limits.high_share_below)
        ),
    ),
    Condition(
        _HIGH,
        RiskReasonCode.JUDGE_HIGH,
        _JUDGE,
        "the judge's risk is above {high_above}",
        _of_judge(lambda said, limits: said.risk.is_above(limits.high_above)),
    ),
    Condition(
        _HIGH,
        RiskReasonCode.JUDGE_FOUND_UNSUPPORTED,
        _JUDGE,
        "the judge names a claim that is unsupported or contradicted",
        _of_judge(lambda said, _limits: bool(said.types & _CLEAR_FAULTS)),
    ),
    Condition(
        _MODERATE,
        RiskReasonCode.SCORE_MODERATE,
        _RULES,
        "the score is above {moderate_above}, and at most {high_above}",
        lambda facts, limits: _is_moderate(facts.score, limits),
    ),
    Condition(
        _MODERATE,
        RiskReasonCode.SOME_UNCITED,
        _RULES,
        "a long claim has no citation, and fewer than {high_uncited} have none",
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
        "the cited passage has another number, date or negation, or a judge quotes what contradicts a claim",
        lambda facts, _limits: facts.contradicted > 0,
    ),
    Condition(
        _MODERATE,
        RiskReasonCode.MISATTRIBUTED,
        _SUPPORT,
        "another source supports a claim, and the cited one does not",
        lambda facts, _limits: facts.misattributed > 0,
    ),
    Condition(
        _MODERATE,
        RiskReasonCode.MUCH_UNSUPPORTED,
        _SUPPORT,
        "of the claims whose passages were read, a share above {moderate_above} is unsupported",
        lambda facts, limits: (
            facts.unsupported > 0 and Share(facts.unsupported, facts.read).is_above(limits.moderate_above)
        ),
    ),
    Condition(
        _MODERATE,
        RiskReasonCode.JUDGE_MODERATE,
        _JUDGE,
        "the judge's risk is above {moderate_above}, and at most {high_above}",
        _of_judge(lambda said, limits: _is_moderate(said.risk, limits)),
    ),
    Condition(
        _MODERATE,
        RiskReasonCode.JUDGE_FOUND_FAULTS,
        _JUDGE,
        "the judge names another fault",
        _of_judge(lambda said, _limits: bool(said.types - _CLEAR_FAULTS)),
    ),
    Condition(
        _MODERATE,
        RiskReasonCode.JUDGE_WANTS_MORE,
        _JUDGE,
        "the judge would go on searching",
        _of_judge(lambda said, _limits: said.decision in {JudgeDecision.CONTINUE, JudgeDecision.REFINE_SEARCH}),
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
        _LOW, RiskReasonCode.NONE_INVALID, _RULES, "every cited id is one", lambda facts, _limits: not facts.invalid
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
        _of_judge(lambda said, limits: not said.risk.is_above(limits.moderate_above)),
    ),
)

REASONS: dict[RiskReasonCode, str] = {row.reason: row.words for row in CONDITIONS} | {
    RiskReasonCode.NEITHER: "nothing speaks for high or moderate risk, and not everything for low risk: it is moderate",
    RiskReasonCode.EMPTY_ANSWER: "the answer is empty",
    RiskReasonCode.NO_CLAIMS: "no sentence is long enough to be a claim",
    RiskReasonCode.NEAR_LIMIT: "accepted in spite of its risk, as no iterations are left to do better in",
    RiskReasonCode.JUDGE_FAILED: "there is no judgement, although a judge was asked; the level is that of the rules",
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
    Return the level of *facts*, and the codes of what decided, in the order of the table.

    Of a high or moderate risk these are all rows of both levels that hold; of a low one
    all rows of it (ruling B5).
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
