"""
What a sentence says otherwise than a claim, in German, Spanish, French and Chinese.

Fewer rules than for English, from lists: a denial on one side alone, the opposite of a
word, liked and disliked. Negations are those of the evidence lexicons.
"""

import re
from collections.abc import Iterator, Set

from groundwire.citations.support_words import COMMON_WORDS
from groundwire.evidence.lexicons import Lexicon
from groundwire.evidence.wording.readings import Languages
from groundwire.faithfulness.support.evidence import Evidence, MatchKind
from groundwire.faithfulness.support.lexical import Topic
from groundwire.faithfulness.support.opposites import LANGUAGES, Opposites, opposites_of
from groundwire.faithfulness.support.read_sentences import ReadSentence
from groundwire.faithfulness.support.words import Word, read_words

__all__ = ["contradictions_abroad"]

_SAME_MATTER = 0.75
_HAN = re.compile("[\u3400-\u9fff]")
# n'aime is two words.
_ELISION = re.compile(r"(?<![^\W_])([cdjlmnst]|qu)['’]", re.IGNORECASE)
_COMMON = frozenset(COMMON_WORDS)


def contradictions_abroad(topic: Topic, read: ReadSentence) -> Iterator[Evidence]:
    """Yield the first thing that the sentence says otherwise; nothing in English and in languages without lists."""
    lexicon = _lexicon_of(topic.text)
    if lexicon.language == "en" or lexicon.language not in LANGUAGES:
        return
    lists = opposites_of(lexicon.language)
    ours, theirs = _Side(topic.text, lexicon, lists), _Side(read.text, lexicon, lists)
    shared = ours.content & theirs.content
    if not shared:
        return
    place = next(word for word in theirs.words if word.stem in shared)
    kind = _kind(ours, theirs, shared, lists)
    if kind is not None:
        yield read.evidence(place.start, place.end, kind)


class _Side:
    """A text with its words of content, and its denials and stances."""

    __slots__ = ("content", "is_denied", "sign", "words")

    def __init__(self, text: str, lexicon: Lexicon, lists: Opposites) -> None:
        plain = _ELISION.sub(lambda match: f"{match[1]} ", text) if lexicon.language == "fr" else text
        self.words = read_words(plain)
        negations = lexicon.negations
        is_unspaced = lexicon.language == "zh"
        self.is_denied = (
            any(word in plain for word in negations)
            if is_unspaced
            else any(word.text in negations for word in self.words)
        )
        stances = lists.liking | lists.disliking
        self.content = {
            word.stem
            for word in self.words
            if word.text not in negations and word.text not in stances and _is_telling(word, lexicon)
        }
        liked = {word.text in lists.liking for word in self.words if word.text in stances}
        # Denied it is turned round; told both ways it is neither.
        self.sign = next(iter(liked)) != self.is_denied if len(liked) == 1 else None

    def texts(self) -> dict[str, Word]:
        return {word.text: word for word in self.words}


def _kind(ours: _Side, theirs: _Side, shared: Set[str], lists: Opposites) -> MatchKind | None:
    if ours.sign is not None and theirs.sign is not None:
        is_same = ours.content <= theirs.content
        return MatchKind.PREFERENCE if is_same and ours.sign != theirs.sign else None
    opposite = _opposite(ours, theirs, lists)
    if opposite is not None:
        rest = ours.content - {opposite.stem}
        is_same = bool(rest) and rest <= theirs.content and not ours.is_denied and not theirs.is_denied
        return MatchKind.OPPOSITE if is_same else None
    is_same = len(shared) >= _SAME_MATTER * len(ours.content)
    return MatchKind.NEGATION if is_same and ours.is_denied != theirs.is_denied else None


def _opposite(ours: _Side, theirs: _Side, lists: Opposites) -> Word | None:
    """The word of the claim whose opposite the other side has, and not itself."""
    said = theirs.texts()
    for text, word in ours.texts().items():
        if text not in said and not lists.words.get(text, frozenset()).isdisjoint(said):
            return word
    return None


def _lexicon_of(text: str) -> Lexicon:
    if _HAN.search(text):
        return Languages(text).unspaced
    return Languages(text).latin


def _is_telling(word: Word, lexicon: Lexicon) -> bool:
    if _HAN.match(word.text):
        return not any(character in lexicon.negations for character in word.text)
    return len(word.text) > 2 and word.text not in _COMMON and word.text not in lexicon.words
