"""What the conditions of risk are asked about: counts of an answer, and what a judge said of it."""

from enum import StrEnum
from typing import NamedTuple

from groundwire.citations.thresholds import Share
from groundwire.judgement import Decision, HallucinationType

__all__ = ["Facts", "Policy", "Said"]


class Policy(StrEnum):
    """Which rules read an answer, and which share decides (ruling B3)."""

    COVERAGE = "coverage"
    SPEC = "spec"


class Said(NamedTuple):
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
    decision: Decision | None


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
    judge: Said | None = None

    @classmethod
    def of(
        cls, policy: Policy, *, is_empty: bool, total_claims: int, cited: int, invalid: int, uncited: int
    ) -> "Facts":
        """Return what the rules count, with the share and the score that follow from it."""
        whole = total_claims or 1
        lacking = total_claims - cited if total_claims > cited else 0
        return cls(policy, is_empty, total_claims, cited, invalid, uncited, Share(cited, whole), Share(lacking, whole))
