"""What a hedge is called, what follows from it, and where it stands."""

from dataclasses import dataclass, field
from enum import Enum, StrEnum

__all__ = ["ACTIONS", "HedgeAction", "HedgeCategory", "HedgeCue", "HedgeResult"]


class HedgeAction(Enum):
    """What follows from the hedges of a claim; values as printed."""

    BLOCK = "block"
    REVIEW = "review"
    CONTINUE = "none"


class HedgeCategory(StrEnum):
    """The printed categories, and that of the opt-in `scientific` lexicon."""

    PERSONAL_SPECULATION = "personal_speculation"
    ADMITTED_UNCERTAINTY = "admitted_uncertainty"
    SUGGESTION = "suggestion"
    TECHNICAL_HEDGE = "technical_hedge"
    APPROXIMATION = "approximation"
    SCIENTIFIC = "scientific"


ACTIONS = {
    HedgeCategory.PERSONAL_SPECULATION: HedgeAction.BLOCK,
    HedgeCategory.ADMITTED_UNCERTAINTY: HedgeAction.BLOCK,
    HedgeCategory.SUGGESTION: HedgeAction.BLOCK,
    HedgeCategory.TECHNICAL_HEDGE: HedgeAction.REVIEW,
    HedgeCategory.APPROXIMATION: HedgeAction.REVIEW,
    HedgeCategory.SCIENTIFIC: HedgeAction.REVIEW,
}


@dataclass(frozen=True, slots=True)
class HedgeCue:
    """
    One hedge: `claim[start:end] == text`, in code points.

    Attributes:
        text: The words as the claim has them.
        start: Where they begin.
        end: Behind their last character.
        category: Which kind of hedge they are.
        language: Whose lexicon has them.
    """

    text: str
    start: int
    end: int
    category: HedgeCategory
    language: str

    @property
    def action(self) -> HedgeAction:
        """What this cue alone would lead to."""
        return ACTIONS[self.category]


@dataclass(frozen=True, slots=True)
class HedgeResult:
    """
    What the hedges of a claim lead to: BLOCK beats REVIEW beats CONTINUE.

    Two results are equal if the printed fields are.

    Attributes:
        is_speculative: Whether there is any hedge.
        action: What follows.
        hedge_words: The words of each cue as the claim has them, left to right.
        cues: The same with place and category.
    """

    is_speculative: bool
    action: HedgeAction
    hedge_words: list[str] = field(default_factory=list)
    cues: tuple[HedgeCue, ...] = field(default=(), compare=False)
