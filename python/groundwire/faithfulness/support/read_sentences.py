"""A sentence with its words, as the rules for contradictions read it."""

from collections.abc import Sequence, Set

from groundwire.faithfulness.support.cues import others_as_subjects
from groundwire.faithfulness.support.equivalents import equivalents_of
from groundwire.faithfulness.support.evidence import Evidence, Layer, MatchKind
from groundwire.faithfulness.support.sentences import Sentence
from groundwire.faithfulness.support.words import Word, stem_of

__all__ = ["ReadSentence", "is_about_others"]


class ReadSentence:
    """A sentence, its text, its words, and their stems with those of who speaks."""

    __slots__ = ("sentence", "stems", "text", "words")

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.text = sentence.text
        self.words = sentence.words
        self.stems = sentence.stems

    def evidence(self, start: int, end: int, kind: MatchKind) -> Evidence:
        """Return what contradicts a claim at this span of the sentence."""
        offset = self.sentence.start
        return Evidence(self.sentence.unit, offset + start, offset + end, 0.0, Layer.CONTRADICTION, kind)


def is_about_others(text: str, words: Sequence[Word], told: Set[str], own: Set[str]) -> bool:
    """
    Tell whether one of the stems *told* stands in a clause whose subject is somebody else: `my sister enjoys it`.

    Args:
        text, words: A sentence and its words.
        told: What is looked for.
        own: Others that the claim speaks of itself, as `others_in` has them.
    """
    allowed = frozenset(stem for other in own for stem in equivalents_of(other.split()[-1]))
    for start, end in others_as_subjects(text):
        if stem_of(text[start:end].lower().split()[-1]) in allowed:
            continue
        clause = next((word.clause for word in words if word.start >= end), -1)
        if any(word.clause == clause and word.start >= end and word.stem in told for word in words):
            return True
    return False
