"""Who uses the page, and what they may see."""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Person", "Role"]


class Role(StrEnum):
    """What somebody may see and decide about."""

    USER = "user"
    REVIEWER = "reviewer"


@dataclass(frozen=True, slots=True)
class Person:
    """
    Somebody whose name is certain.

    Attributes:
        name: By which claims are theirs: the queue's `user_id`.
        role: A user sees and decides about their own claims, a reviewer about everybody's.
            None: whatever the queue's settings say of this name.
    """

    name: str
    role: Role | None = None
