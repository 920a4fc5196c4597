"""Does a claim contradict a memory? Two texts that differ in negations, numbers, dates or names alone do (ruling C2)."""

from collections import Counter

from groundwire.evidence.wording.comparison import READ_CHARS
from groundwire.evidence.wording.names import bare_name, is_name
from groundwire.evidence.wording.readings import Languages, Reading
from groundwire.evidence.wording.tokens import Token, is_unspaced, tokenize

__all__ = ["Conflicts"]

# With a negation come and go forms of do, and endings: does not use, uses.
_CARRIERS = frozenset({"do", "does", "did"})
_ARTICLES = frozenset({"a", "an", "the"})
_STEM_CHARS, _ENDING_CHARS = 3, 3


class Conflicts:
    """A claim, and which memories it contradicts."""

    __slots__ = ("_claim", "_content")

    def __init__(self, content: str) -> None:
        self._content = content
        self._claim: _Statement | None = None

    def has_with(self, memory: str, *, unread: bool) -> bool:
        """
        Say whether the claim contradicts *memory*.

        Texts of more than `READ_CHARS` characters are not read; what is then said of a
        memory that is not the very same is *unread*.
        """
        if memory == self._content:
            return False
        if max(len(memory), len(self._content)) > READ_CHARS:
            return unread
        if self._claim is None:
            self._claim = _Statement(self._content)
        return self._claim.contradicts(_Statement(memory))


class _Statement:
    """What a text says, apart: its amounts, dates and units, its negations, its names, and the words around them."""

    __slots__ = ("amounts", "languages", "names", "negations", "words")

    def __init__(self, text: str) -> None:
        tokens = tokenize(text, 0, len(text), ())
        self.languages = Languages(text)
        names = [token for token in tokens if self._is_name(text, token)]
        self.names = Counter(bare_name(token.text) for token in names)
        reading = self.languages.read([token.text for token in tokens])
        self.amounts = _amounts(reading)
        self.negations = reading.negations
        self.words = Counter(bare_name(word) for word in (*reading.others, *reading.modals) if word not in _ARTICLES)
        self.words -= self.names

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
        return is_told_apart and _are_forms(added, dropped)

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


def _amounts(reading: Reading) -> list[str]:
    """Everything that is counted or dated, in an order that does not depend on the words'."""
    return sorted(str(value) for value in (*reading.numbers, *reading.units, *reading.dates))


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
