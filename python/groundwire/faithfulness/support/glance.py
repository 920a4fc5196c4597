"""Whether a sentence that is near a claim can say otherwise at all: what shows without reading it."""

from collections.abc import Set

from groundwire._engine import WordReader
from groundwire.faithfulness.support.filing import ENDS, Near
from groundwire.faithfulness.support.lexical import Topic
from groundwire.faithfulness.support.opposed import SAME_MATTER, denied_in
from groundwire.faithfulness.support.opposites import opposites_of
from groundwire.faithfulness.support.polarity import denied_places, is_past_only, opinions_in
from groundwire.faithfulness.support.words import LIGHT_STEMS

__all__ = ["Glance"]

_DENYING = WordReader.DENIES | ENDS
_NEVER = 1 << 32


class Glance:
    """
    How much of a claim a sentence must have for the rules to find anything.

    Args:
        topic: The claim.
        beside_amounts: Those of its stems that stand beside another number; None if none is looked for.
    """

    __slots__ = ("_denied_from", "_is_denied", "_other_from")

    def __init__(self, topic: Topic, *, beside_amounts: Set[str] | None) -> None:
        matter = topic.stems - LIGHT_STEMS or topic.stems
        is_past = any(is_past_only(topic.words, place) for place in range(len(topic.words)))
        self._is_denied = bool(denied_in(topic.words, topic.stems, with_past=False))
        self._denied_from = _NEVER if is_past else max(1.0, SAME_MATTER * len(matter))
        known = opposites_of("en").words
        has_opposites = any(word.text in known for word in topic.words) and not denied_places(topic.words)
        least = [_NEVER if beside_amounts is None else len(beside_amounts)]
        if has_opposites:
            least.append(len(topic.stems) - 1)
        if opinions_in(topic.words):
            least.append(0)
        self._other_from = min(least)

    def may_contradict(self, near: Near) -> bool:
        """Tell whether one of the rules may find anything in a sentence; it is read then."""
        is_denied = self._is_denied or near.roles & _DENYING
        return near.had >= self._other_from or bool(is_denied and near.had >= self._denied_from)
