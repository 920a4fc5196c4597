"""
The conditions of risk, as one table.

A row says to which level it leads, who finds it, and when it holds. `decide` reads the
table (ruling B5): high if any row of high risk holds; else moderate if any of moderate
risk does; else low if all of low risk do; else moderate. Source: citation-risk,
"判定標準". docs/citations.md prints the table, and a test compares the two.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from groundwire.citations.facts import Facts, Policy, Said
from groundwire.citations.levels import Reason, RiskLevel
from groundwire.citations.thresholds import RiskThresholds, Share
from groundwire.judgement import Decision, HallucinationType

__all__ = ["CONDITIONS", "REASONS", "Condition", "Layer", "decide"]


class Layer(StrEnum):
    """Who finds what a row is about."""

    RULES = "rules"
    SUPPORT = "support"
    JUDGE = "judge"


_Holds = Callable[[Facts, RiskThresholds], bool]
_SaidHolds = Callable[[Said, RiskThresholds], bool]

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
    reason: Reason
    layer: Layer
    words: str
    holds: _Holds


def _of_judge(holds: _SaidHolds) -> _Holds:
    return lambda facts, limits: facts.judge is not None and holds(facts.judge, limits)


def _is_moderate(score: Share, limits: RiskThresholds) -> bool:
    return score.is_above(limits.moderate_above) and not score.is_above(limits.high_above)


def _is_unsure(said: Said, limits: RiskThresholds) -> bool:
    return said.confidence is not None and said.confidence.is_below(limits.confidence_from)


_HIGH, _MODERATE, _LOW = RiskLevel.HIGH, RiskLevel.MODERATE, RiskLevel.LOW
_RULES, _SUPPORT, _JUDGE = Layer.RULES, Layer.SUPPORT, Layer.JUDGE

CONDITIONS: tuple[Condition, ...] = (
    Condition(
        _HIGH,
        Reason.SCORE_HIGH,
        _RULES,
        "the score is above {high_above}",
        lambda facts, limits: facts.score.is_above(limits.high_above),
    ),
    Condition(
        _HIGH,
        Reason.INVALID_CITATION,
        _RULES,
        "an id is cited that no result has",
        lambda facts, _limits: facts.invalid > 0,
    ),
    Condition(
        _HIGH,
        Reason.MANY_UNCITED,
        _RULES,
        "at least {high_uncited} long claims have no citation",
        lambda facts, limits: facts.uncited >= limits.high_uncited,
    ),
    Condition(
        _HIGH,
        Reason.FEW_CITED,
        _RULES,
        "the share of citations is below {high_share_below}, of at least {high_share_claims} claims",
        lambda facts, limits: (
            facts.total_claims >= limits.high_share_claims and facts.share.is_below(limits.high_share_below)
        ),
    ),
    Condition(
        _HIGH,
        Reason.JUDGE_HIGH,
        _JUDGE,
        "the judge's risk is above {high_above}",
        _of_judge(lambda said, limits: said.risk.is_above(limits.high_above)),
    ),
    Condition(
        _HIGH,
        Reason.JUDGE_FOUND_UNSUPPORTED,
        _JUDGE,
        "the judge names a claim that is unsupported or contradicted",
        _of_judge(lambda said, _limits: bool(said.types & _CLEAR_FAULTS)),
    ),
    Condition(
        _MODERATE,
        Reason.SCORE_MODERATE,
        _RULES,
        "the score is above {moderate_above}, and at most {high_above}",
        lambda facts, limits: _is_moderate(facts.score, limits),
    ),
    Condition(
        _MODERATE,
        Reason.SOME_UNCITED,
        _RULES,
        "a long claim has no citation, and fewer than {high_uncited} have none",
        lambda facts, limits: 0 < facts.uncited < limits.high_uncited,
    ),
    Condition(
        _MODERATE,
        Reason.UNREAD,
        _SUPPORT,
        "a cited passage has no text, or there are no words to compare",
        lambda facts, _limits: facts.unread > 0 and facts.total_claims > 0,
    ),
    Condition(
        _MODERATE,
        Reason.CONTRADICTED,
        _SUPPORT,
        "the cited passage has another number, date or negation, or a judge quotes what contradicts a claim",
        lambda facts, _limits: facts.contradicted > 0,
    ),
    Condition(
        _MODERATE,
        Reason.MISATTRIBUTED,
        _SUPPORT,
        "another source supports a claim, and the cited one does not",
        lambda facts, _limits: facts.misattributed > 0,
    ),
    Condition(
        _MODERATE,
        Reason.MUCH_UNSUPPORTED,
        _SUPPORT,
        "of the claims whose passages were read, a share above {moderate_above} is unsupported",
        lambda facts, limits: (
            facts.unsupported > 0 and Share(facts.unsupported, facts.read).is_above(limits.moderate_above)
        ),
    ),
    Condition(
        _MODERATE,
        Reason.JUDGE_MODERATE,
        _JUDGE,
        "the judge's risk is above {moderate_above}, and at most {high_above}",
        _of_judge(lambda said, limits: _is_moderate(said.risk, limits)),
    ),
    Condition(
        _MODERATE,
        Reason.JUDGE_FOUND_FAULTS,
        _JUDGE,
        "the judge names another fault",
        _of_judge(lambda said, _limits: bool(said.types - _CLEAR_FAULTS)),
    ),
    Condition(
        _MODERATE,
        Reason.JUDGE_WANTS_MORE,
        _JUDGE,
        "the judge would go on searching",
        _of_judge(lambda said, _limits: said.decision in {Decision.CONTINUE, Decision.REFINE_SEARCH}),
    ),
    Condition(
        _MODERATE,
        Reason.JUDGE_UNSURE,
        _JUDGE,
        "the judge's confidence is below {confidence_from}",
        _of_judge(_is_unsure),
    ),
    Condition(
        _LOW,
        Reason.SCORE_LOW,
        _RULES,
        "the score is at most {moderate_above}",
        lambda facts, limits: not facts.score.is_above(limits.moderate_above),
    ),
    Condition(_LOW, Reason.NONE_INVALID, _RULES, "every cited id is one", lambda facts, _limits: not facts.invalid),
    Condition(
        _LOW, Reason.NONE_UNCITED, _RULES, "every long claim has a citation", lambda facts, _limits: not facts.uncited
    ),
    Condition(
        _LOW,
        Reason.MOSTLY_CITED,
        _RULES,
        "the share of citations is at least {low_share_from}",
        lambda facts, limits: not facts.share.is_below(limits.low_share_from),
    ),
    Condition(
        _LOW,
        Reason.JUDGE_LOW,
        _JUDGE,
        "the judge's risk is at most {moderate_above}",
        _of_judge(lambda said, limits: not said.risk.is_above(limits.moderate_above)),
    ),
)

REASONS: dict[Reason, str] = {row.reason: row.words for row in CONDITIONS} | {
    Reason.NEITHER: "nothing speaks for high or moderate risk, and not everything for low risk: it is moderate",
    Reason.EMPTY_ANSWER: "the answer is empty",
    Reason.NO_CLAIMS: "no sentence is long enough to be a claim",
    Reason.NEAR_LIMIT: "accepted in spite of its risk, as no iterations are left to do better in",
    Reason.JUDGE_FAILED: "there is no judgement, although a judge was asked; the level is that of the rules",
}


_LAYERS = {
    (policy, has_judge): {
        Layer.RULES,
        *([Layer.SUPPORT] if policy is Policy.COVERAGE else []),
        *([Layer.JUDGE] if has_judge else []),
    }
    for policy in Policy
    for has_judge in (False, True)
}
_RISKS = {key: [row for row in CONDITIONS if row.level is not _LOW and row.layer in _LAYERS[key]] for key in _LAYERS}
_LOWS = {key: [row for row in CONDITIONS if row.level is _LOW and row.layer in _LAYERS[key]] for key in _LAYERS}


def decide(facts: Facts, limits: RiskThresholds) -> tuple[RiskLevel, tuple[Reason, ...]]:
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
        return RiskLevel.NOT_ASSESSED, (Reason.EMPTY_ANSWER if facts.is_empty else Reason.NO_CLAIMS,)
    if all(row.holds(facts, limits) for row in _LOWS[rows]):
        return _LOW, tuple([row.reason for row in _LOWS[rows]])
    return _MODERATE, (Reason.NEITHER,)
