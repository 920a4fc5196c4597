"""
Does a claim contradict a memory?

It does if they differ in negations, numbers, dates or names alone (ruling C2), unless they are
about different people; and if they have the same words in other roles (ruling C17).
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

from groundwire.evidence.lexicons import LANGUAGES, load_lexicon
from groundwire.evidence.wording.comparison import READ_CHARS
from groundwire.evidence.wording.names import bare_name, is_name
from groundwire.evidence.wording.readings import Languages, Reading
from groundwire.evidence.wording.tokens import Token, is_unspaced, tokenize

__all__ = ["Conflicts"]

# With a negation come and go forms of do, and endings: does not use, uses.
_CARRIERS = frozenset({"do", "does", "did"})
_ARTICLES = frozenset({"a", "an", "the"})
_EDGES = ".,;:!?()[]{}'\"`*_"
_STEM_CHARS, _ENDING_CHARS = 3, 3
# What may stand before the subject of a sentence: `Since 2019, the ...`.
_BEFORE_SUBJECTS = _ARTICLES | {"in", "on", "at", "since", "from", "by", "until", "during", "of", "as", "per", "for"}
# Between these, parts of a sentence may change places and say the same: lists, and clauses joined by `and`.
_JOINTS = re.compile(r"[,;:.!?()\[\]—–/]|\s[-&]\s|\b(?:and|or)\b", re.IGNORECASE)
_NEARLY_ALL = 0.92


class Conflicts:
    """A claim, and which memories it contradicts."""

    __slots__ = ("_claim", "_content", "_words")

    def __init__(self, content: str) -> None:
        self._content = content
        self._words = set(content.split())
        self._claim: _Statement | None = None

    def has_with(self, memory: str, *, is_same: bool) -> bool:
        """
        Say whether the claim contradicts *memory*.

        Args:
            memory: The memory.
            is_same: Whether the two are as similar as duplicates; then other roles of the same
                words contradict, too. Texts of more than `READ_CHARS` characters are not read:
                of these, only what is as similar and not the very same contradicts.
        """
        if memory == self._content:
            return False
        if max(len(memory), len(self._content)) > READ_CHARS:
            return is_same
        if is_same and _changes_roles(self._content, memory):
            return True
        if not self._may_contradict(memory):
            return False
        if self._claim is None:
            self._claim = _Statement(self._content)
        return self._claim.contradicts(_Statement(memory))

    def _may_contradict(self, memory: str) -> bool:
        """Say, without reading, whether no plain word of either is missing in the other."""
        words = set(memory.split())
        added, dropped = self._words - words, words - self._words
        return _has_forms(added, dropped) and _has_forms(dropped, added)


class _Statement:
    """What a text says, apart: its amounts, dates and units, its negations, its names, and the words around them."""

    __slots__ = ("amounts", "languages", "names", "negations", "subject", "words")

    def __init__(self, text: str) -> None:
        tokens = tokenize(text, 0, len(text), ())
        self.languages = Languages(text)
        names = [token for token in tokens if self._is_name(text, token)]
        self.names = Counter(bare_name(token.text) for token in names)
        # A month that is another word in small letters keeps its capital: May.
        dates = self.languages.latin.capitalised_dates
        words = [t.text.capitalize() if t.text in dates and text[t.start].isupper() else t.text for t in tokens]
        reading = self.languages.read(words)
        self.amounts = _amounts(reading)
        self.negations = reading.negations
        self.words = Counter(bare_name(word) for word in (*reading.others, *reading.modals) if word not in _ARTICLES)
        self.words -= self.names
        self.subject = self._subject(tokens, {token.start for token in names})

    def _subject(self, tokens: Sequence[Token], names: set[int]) -> frozenset[str]:
        """Return the names that stand first in the text, before any word that says something of them."""
        found = []
        for token in tokens:
            if token.start in names:
                found.append(bare_name(token.text))
            elif found or not self._may_precede(token):
                break
        return frozenset(found)

    def _may_precede(self, token: Token) -> bool:
        lexicon = self.languages.of(token.text)
        is_date = lexicon.meanings.get(token.text, ("",))[0] in ("date", "number")
        return token.text in _BEFORE_SUBJECTS or token.text[0].isdigit() or is_date or token.text in lexicon.titles

    def _is_name(self, text: str, token: Token) -> bool:
        return not is_unspaced(token.text[0]) and is_name(text, token, self.languages.of(token.text))

    def contradicts(self, memory: "_Statement") -> bool:
        """Say whether just what can be wrong differs, and the words around it do not."""
        added, dropped = self.words - memory.words, memory.words - self.words
        # What is a name in one text need not be seen as one in the other, where it begins a sentence.
        names, other_names = self.names - memory.names - dropped, memory.names - self.names - added
        added, dropped = added - memory.names, dropped - self.names
        is_opposite = self._take_opposites(added, dropped)
        is_told_apart = (
            is_opposite
            or self.amounts != memory.amounts
            or self.negations != memory.negations
            or bool(names or other_names)
        )
        return is_told_apart and _are_forms(added, dropped) and not self._is_about_another(memory, is_opposite)

    def _is_about_another(self, memory: "_Statement", is_opposite: bool) -> bool:
        """
        Whether both say different things of different people: Lisa joined in 2021, Tom joined in 2019.

        Where the names alone differ, one may replace the other: Alice leads the launch, Bob leads it.
        """
        if not self.subject or not memory.subject or self.subject & memory.subject:
            return False
        others, other_others = (
            Counter({name: count for name, count in one.names.items() if name not in one.subject})
            for one in (self, memory)
        )
        return (
            is_opposite
            or self.amounts != memory.amounts
            or self.negations != memory.negations
            or others != other_others
        )

    def _take_opposites(self, added: Counter[str], dropped: Counter[str]) -> bool:
        """Take pairs of opposites out of both; say whether there were any."""
        pairs = [(word, other) for word in added for other in dropped if self._are_opposites(word, other)]
        for word, other in pairs:
            del added[word], dropped[other]
        return bool(pairs)

    def _are_opposites(self, word: str, other: str) -> bool:
        lexicon = self.languages.of(word)
        prefixed = {prefix + stem for prefix in lexicon.prefixes for stem in (word, other)}
        return other in lexicon.opposites.get(word, ()) or word in prefixed or other in prefixed


def _changes_roles(text: str, other: str) -> bool:
    """
    Whether both have the same words, or nearly, and some of them in other roles: Alice reports to Bob (ruling C17).

    Parts of a list, and clauses that are joined, have no roles towards each other.
    """
    words, other_words = _in_order(text), _in_order(other)
    shared = Counter(words) & Counter(other_words)
    size = max(len(words), len(other_words))
    if words == other_words or sum(shared.values()) < _NEARLY_ALL * size:
        return False
    kept, other_kept = _only(words, shared), _only(other_words, shared)
    return kept != other_kept and _parts(text, other, shared) != _parts(other, text, shared)


def _in_order(text: str) -> list[str]:
    tokens = tokenize(text, 0, len(text), ())
    return [token.text for token in tokens if token.text not in _ARTICLES and token.text not in ("and", "or")]


def _only(words: Sequence[str], shared: Counter[str]) -> list[str]:
    """Return *words* without those that the other text lacks."""
    left = shared.copy()
    kept = []
    for word in words:
        if left[word] > 0:
            left[word] -= 1
            kept.append(word)
    return kept


def _parts(text: str, other: str, shared: Counter[str]) -> list[tuple[str, ...]]:
    """
    Return the parts of *text* between its joints, in an order that does not depend on theirs.

    What both texts begin and end with is no part of a list: `uses A and B for C`.
    """
    parts = [_only(_in_order(part), shared) for part in _JOINTS.split(text)]
    other_words = _only(_in_order(other), shared)
    flat = [word for part in parts for word in part]
    begin = _common(flat, other_words)
    end = min(_common(flat[::-1], other_words[::-1]), len(flat) - begin)
    kept = range(begin, len(flat) - end)
    place, found = 0, []
    for part in parts:
        found.append(tuple(word for at, word in enumerate(part, start=place) if at in kept))
        place += len(part)
    return sorted(part for part in found if part)


def _common(words: Sequence[str], others: Sequence[str]) -> int:
    """Return how many words both begin with."""
    count = 0
    for word, other in zip(words, others, strict=False):
        if word != other:
            break
        count += 1
    return count


def _amounts(reading: Reading) -> list[str]:
    """Everything that is counted or dated, in an order that does not depend on the words'."""
    return sorted(str(value) for value in (*reading.numbers, *reading.units, *reading.dates))


def _has_forms(words: set[str], others: set[str]) -> bool:
    """Whether each of *words* that says nothing by itself may be a form, or the opposite, of one of *others*."""
    telling = _telling_words()
    plain = {word.strip(_EDGES) for word in words}
    plain = {word for word in plain if word.isascii() and word.isalpha() and word.islower() and word not in telling}
    if not plain - _CARRIERS - _ARTICLES:
        return True
    folded = {other.strip(_EDGES).lower() for other in others}
    return all(
        any(_is_form(word, other) or word.endswith(other) or other.endswith(word) for other in folded if other)
        or word in folded
        for word in plain - _CARRIERS - _ARTICLES
    )


@cache
def _telling_words() -> frozenset[str]:
    """The words that mean something by themselves, in small letters, of every language that verdicts know."""
    lexicons = [load_lexicon(language) for language in LANGUAGES]
    groups = [group for lexicon in lexicons for group in (lexicon.telling_in_rows, lexicon.opposites, lexicon.digits)]
    return frozenset(word.lower() for group in groups for word in group)


def _are_forms(added: Counter[str], dropped: Counter[str]) -> bool:
    """Whether the words that only one text has are forms of the other's, or come with a negation."""
    left = [word for word in added.elements() if word not in _CARRIERS]
    right = [word for word in dropped.elements() if word not in _CARRIERS]
    if len(left) != len(right):
        return False
    for word in left:
        form = next((other for other in right if _is_form(word, other)), None)
        if form is None:
            return False
        right.remove(form)
    return True


def _is_form(word: str, other: str) -> bool:
    """Whether both begin alike and differ in a short ending: prefer, prefers; use, used."""
    stem = 0
    while stem < min(len(word), len(other)) and word[stem] == other[stem]:
        stem += 1
    return stem >= _STEM_CHARS and max(len(word), len(other)) - stem <= _ENDING_CHARS
