"""
What a sentence says otherwise than a claim, in German, Spanish, French and Chinese.

Fewer rules than for English, from lists: a denial on one side alone, the opposite of a
word, liked and disliked. Negations are those of the evidence lexicons.
"""

import re
from collections.abc import Iterator, Sequence, Set

from groundwire.citations.support_words import COMMON_WORDS
from groundwire.evidence.lexicons import Lexicon
from groundwire.evidence.wording.readings import Languages
from groundwire.faithfulness.support.evidence import Evidence, MatchKind
from groundwire.faithfulness.support.filing import ABROAD
from groundwire.faithfulness.support.lexical import LexicalIndex, Topic
from groundwire.faithfulness.support.opposites import LANGUAGES, Opposites, is_telling_abroad, opposites_of
from groundwire.faithfulness.support.read_sentences import ReadSentence
from groundwire.faithfulness.support.words import Word, read_words, stem_of

__all__ = ["contradictions_abroad"]

_SAME_MATTER = 0.75
_HAN = re.compile("[\u3400-\u9fff]")
# n'aime is two words.
_ELISION = re.compile(r"(?<![^\W_])([cdjlmnst]|qu)['’]", re.IGNORECASE)
_PRONOUNS = ("我们", "他们", "她们", "我", "他", "她", "你")
_SHARE_FROM = 0.2
_COMMON = frozenset(COMMON_WORDS)


def contradictions_abroad(topic: Topic, index: LexicalIndex) -> Iterator[Evidence]:
    """Yield what sentences say otherwise, one thing each; nothing in English and in languages without lists."""
    if not _may_be_abroad(topic.text):
        return
    # Chinese has no spaces around its words, and is read wherever there is any.
    is_telling = bool(_HAN.search(topic.text)) or any(is_telling_abroad(word.text) for word in topic.words)
    # Of `mag` and `hasse` neither is in the other sentence, so less is in common.
    for near in index.nearest(topic, share_from=_SHARE_FROM):
        # Only a word of the lists tells something else.
        if is_telling or near.roles & ABROAD:
            yield from _contradiction(topic, ReadSentence(index.sentences[near.place]))


def _may_be_abroad(text: str) -> bool:
    lexicon = _lexicon_of(text)
    words = text.lower().split()
    return lexicon.language in LANGUAGES[1:] or not any(word in lexicon.words for word in words)


def _contradiction(topic: Topic, read: ReadSentence) -> Iterator[Evidence]:
    lexicon = _lexicon_of(f"{topic.text} {read.sentence.unit.text}")
    if lexicon.language not in LANGUAGES[1:]:
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

    __slots__ = ("content", "found", "is_denied", "sign", "words")

    def __init__(self, text: str, lexicon: Lexicon, lists: Opposites) -> None:
        negations, stances = lexicon.negations, lists.liking | lists.disliking
        self.found: dict[str, int] = {}
        if lexicon.language == "zh":
            text = self._without(
                text, sorted({*stances, *negations, *lists.words, *_PRONOUNS}, key=lambda each: (-len(each), each))
            )
        elif lexicon.language == "fr":
            text = _ELISION.sub(lambda match: f"{match[1]} ", text)
        self.words = read_words(text)
        for word in self.words:
            self.found.setdefault(word.text, word.start)
        self.is_denied = not negations.isdisjoint(self.found)
        self.content = {
            word.stem
            for word in self.words
            if word.text not in negations and word.text not in stances and _is_telling(word, lexicon)
        }
        liked = {word in lists.liking for word in self.found if word in stances}
        # Denied it is turned round; told both ways it is neither.
        self.sign = next(iter(liked)) != self.is_denied if len(liked) == 1 else None

    def _without(self, text: str, words: Sequence[str]) -> str:
        """Note where *words* stand, which have no spaces around them, and put spaces in their place."""
        for word in words:
            place = text.find(word)
            if place >= 0:
                self.found[word] = place
                text = text.replace(word, " " * len(word))
        return text


def _kind(ours: _Side, theirs: _Side, shared: Set[str], lists: Opposites) -> MatchKind | None:
    if ours.sign is not None and theirs.sign is not None:
        is_same = ours.content <= theirs.content
        return MatchKind.PREFERENCE if is_same and ours.sign != theirs.sign else None
    opposite = _opposite(ours, theirs, lists)
    if opposite is not None and not ours.is_denied and not theirs.is_denied:
        rest = ours.content - {stem_of(opposite)}
        return MatchKind.OPPOSITE if rest and rest <= theirs.content else None
    is_same = len(shared) >= _SAME_MATTER * len(ours.content)
    return MatchKind.NEGATION if is_same and ours.is_denied != theirs.is_denied else None


def _opposite(ours: _Side, theirs: _Side, lists: Opposites) -> str | None:
    """The word of the claim whose opposite the other side has, and not itself."""
    said = theirs.found.keys()
    for word in ours.found:
        if word not in said and not lists.words.get(word, frozenset()).isdisjoint(said):
            return word
    return None


def _lexicon_of(text: str) -> Lexicon:
    if _HAN.search(text):
        return Languages(text).unspaced
    return Languages(text).latin


def _is_telling(word: Word, lexicon: Lexicon) -> bool:
    if _HAN.match(word.text):
        return len(word.text) > 1
    return len(word.text) > 2 and word.text not in _COMMON and word.text not in lexicon.words
