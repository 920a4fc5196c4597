"""How many claims may wait, for how long, and who may decide about them."""

from collections.abc import Collection
from dataclasses import dataclass

__all__ = ["Rules", "make_rules"]

_MICROSECONDS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """
    The settings of a queue; times in microseconds.

    Attributes:
        per_user_limit: How many claims of one user may wait.
        total_limit: How many of all users together.
        lease: How long storing an approved claim may take before somebody else may try.
        ttl: How long a claim waits before it expires; None for ever.
        ask_again_after: How long after a rejection the same claim is not asked again.
        reviewers: Who may see and decide about claims of others.
        require_distinct_reviewer: Whether nobody decides about their own (ruling C15).
    """

    per_user_limit: int
    total_limit: int
    lease: int
    ttl: int | None
    ask_again_after: int
    reviewers: frozenset[str]
    require_distinct_reviewer: bool

    def may_see_all(self, person: str) -> bool:
        """Tell whether *person* may see the claims of everybody."""
        return person in self.reviewers

    def may_see(self, person: str, owner: str) -> bool:
        """Tell whether *person* may see a claim of *owner*."""
        return person == owner or person in self.reviewers

    def may_decide(self, person: str, owner: str) -> bool:
        """Tell whether *person*, who may see it, may decide about a claim of *owner*."""
        return person != owner or not self.require_distinct_reviewer


def make_rules(
    *,
    per_user_limit: int,
    total_limit: int,
    lease_s: float,
    ttl_s: float | None,
    ask_again_after_s: float,
    reviewers: Collection[str],
    require_distinct_reviewer: bool,
) -> Rules:
    """
    Return the settings, checked.

    Raises:
        ValueError: A limit or time is out of its range, or distinct reviewers are required and there are none.
        TypeError: *reviewers* is one str, or holds something else than str.
    """
    for name, limit in (("per_user_limit", per_user_limit), ("total_limit", total_limit)):
        if not 1 <= limit <= 2**31 - 1:
            raise ValueError(f"{name} must be 1 to {2**31 - 1}, got {limit}")
    if isinstance(reviewers, str) or not all(isinstance(reviewer, str) for reviewer in reviewers):
        raise TypeError("reviewers must be a collection of str")
    if require_distinct_reviewer and not reviewers:
        raise ValueError("require_distinct_reviewer needs reviewers, or nobody could decide")
    return Rules(
        per_user_limit=per_user_limit,
        total_limit=total_limit,
        lease=_time("lease_s", lease_s, least=0.001),
        ttl=None if ttl_s is None else _time("ttl_s", ttl_s, least=0.001),
        ask_again_after=_time("ask_again_after_s", ask_again_after_s, least=0.0),
        reviewers=frozenset(reviewers),
        require_distinct_reviewer=require_distinct_reviewer,
    )


def _time(name: str, seconds: float, *, least: float) -> int:
    """The microseconds; up to a hundred years, which leaves room in the databases' numbers."""
    # Written so that NaN, which compares false with everything, is refused too.
    if not least <= seconds <= 3_155_760_000:
        raise ValueError(f"{name} must be {least:g} to 3155760000 seconds, got {seconds:g}")
    return round(seconds * _MICROSECONDS)
