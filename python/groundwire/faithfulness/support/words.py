"""
A text as words: stems that are compared, clauses, and where a denial stands.

Rules for English; of other languages words are compared as they are, of scripts
without spaces pairs of characters, and nothing is taken for a denial there.
"""

from collections.abc import Sequence, Set
from functools import cache, lru_cache
from typing import NamedTuple

from groundwire._engine import WordReader
from groundwire.citations.support_words import COMMON_WORDS, FAILING
from groundwire.evidence.lexicons import load_lexicon
from groundwire.faithfulness.fields import singular

__all__ = [
    "LIGHT_STEMS",
    "Word",
    "denials_in",
    "described",
    "is_content",
    "is_name_like",
    "is_said_of_person",
    "read_words",
    "stem_of",
]

_CLAUSE_WORDS = frozenset({"but", "because", "although", "though", "whereas", "so", "however", "since"})
_STEM_CHARS = 7
_ENDINGS = ("ement", "ingly", "edly", "ing", "ers", "ied", "ies", "ed", "er", "es", "ly", "e", "y", "s", "i")
# What a person does, and no things: he lives there, she leaves at six.
_VERBS = {"lives": "live", "leaves": "leave"}
_SHORT = """
a about all also am an and any are as at be been but by can did do does etc for from get gets got had has have he her
hers him his how i if in into is it its just let lot lots may me mine my nor not now of off on one or our out own per
she so some than that the their them then they this to too under until up us via was we were what when who why will
with you your being who's i'm i've it's that's there's she's he's we're they're person somebody persons
"""
_STOPPED = frozenset((*COMMON_WORDS, *_SHORT.split()))
# They deny as a negation does: who rarely does something, or has stopped, is not somebody who does it.
_SELDOM = frozenset({"rarely", "seldom", "neither", "stopped", "quit"})
_SOFTENING = frozenset({"only", "just", "least", "more", "less", "fewer", "until", "sure"})
_LIGHT = "use uses used using go goes going went take takes took taking make works work working keep keeps kept"
_SUBJECTS = """
i i'm i've we we've we're she he they she's he's they're
"""
_PERSONS = frozenset(_SUBJECTS.split())
_COUNTS = frozenset({"one", "two", "three", "four", "five", "six"})
# What is not thought or minded is not denied by it.
_OPINIONS = frozenset({"think", "know", "mind", "say", "mean", "believe"})
_REACH_WORDS = 4


class Word(NamedTuple):
    """
    A word and its place.

    Attributes:
        text: It in small letters, apostrophes straight.
        stem: What is compared.
        start, end: Its span.
        clause: How many ends of clauses stand before it.
    """

    text: str
    stem: str
    start: int
    end: int
    clause: int


def read_words(text: str) -> list[Word]:
    """Return the words of *text*, from left to right; of scripts without spaces pairs of characters."""
    return _READER.read(text)


def described(written: str, is_pair: bool) -> tuple[str, str, int]:
    """
    Return what a word is in small letters, its stem, and what it does but `IS_FILED`.

    Args:
        written: The word as it is written.
        is_pair: Whether it is a pair of characters, which is compared as it is.
    """
    lower = written if is_pair else written.lower().replace("’", "'")
    stem = written if is_pair else _stem(written, lower)
    roles = WordReader.DENIES if _denies(lower) else 0
    if lower in _SOFTENING or lower in _OPINIONS:
        roles |= WordReader.SOFTENS
    if lower in _CLAUSE_WORDS:
        roles |= WordReader.BEGINS_CLAUSE
    return lower, stem, roles


def _stem(written: str, lower: str) -> str:
    # IT is no `it`, and US no `us`.
    return written if len(written) <= 2 and written.isupper() and lower != "i" else stem_of(lower)


@lru_cache(maxsize=65_536)
def stem_of(word: str) -> str:
    """Return what *word*, in small letters, is compared by: its beginning, endings of forms left out."""
    plain = _VERBS.get(word) or singular(word.removesuffix("'s").replace("-", ""))
    for ending in _ENDINGS:
        if plain.endswith(ending) and len(plain) - len(ending) >= 3:
            plain = plain[: -len(ending)]
            break
    if len(plain) > 3 and plain[-1] == plain[-2] and plain[-1] not in "aeiouls":
        plain = plain[:-1]
    return plain[:_STEM_CHARS]


_READER = WordReader(Word, described)

LIGHT_STEMS = frozenset(map(stem_of, _LIGHT.split()))
"""Verbs that say little beside what stands with them: `uses maps`, `goes to a site`."""


def is_said_of_person(words: Sequence[Word], place: int, names: Set[str] = frozenset()) -> bool:
    """
    Tell whether a word is what the person is or has: `I'm a vegetarian`, `we've got one son`.

    Its clause begins with a pronoun or one of the *names*, which are stems, and has nothing
    but little words before it.
    """
    before = [word for word in words[:place] if word.clause == words[place].clause]
    is_plain = not any(is_content(word) for word in before[1:] if not word.text.isdigit() and word.text not in _COUNTS)
    is_own = bool(before) and (before[0].text in _PERSONS or before[0].stem in names)
    return is_own and is_plain and "my" not in (word.text for word in before)


def is_content(word: Word) -> bool:
    """Tell whether a word says something by itself: no article, pronoun, auxiliary or denial."""
    return word.text not in _STOPPED and (len(word.text) > 2 or not word.stem.islower()) and not _denies(word.text)


def is_name_like(text: str, word: Word) -> bool:
    """Tell whether a word of *text* is written as a name, or has a digit in it, and does not begin a sentence."""
    written = text[word.start : word.end]
    if written.isalpha() and not written[0].isupper():
        return False
    before = text[: word.start].rstrip(" \"'“‘(")
    begins = not before or before[-1] in ".!?:\n"
    return any(map(str.isdigit, written)) or (not begins and written[:1].isupper() and word.text != "i")


def denials_in(words: Sequence[Word]) -> dict[int, range]:
    """
    Return the places of denials, each with those of the words that it may deny.

    These are the four behind it in its clause. `not only`, `not least` and `I do not think that` deny nothing.
    """
    found = {}
    for place, word in enumerate(words):
        if not _denies(word.text):
            continue
        end = place + 1
        while end < len(words) and end - place <= _REACH_WORDS and words[end].clause == word.clause:
            end += 1
        following = words[place + 1].text if place + 1 < end else ""
        if following not in _SOFTENING and following not in _OPINIONS:
            found[place] = range(place + 1, end)
    return found


@lru_cache(maxsize=65_536)
def _denies(word: str) -> bool:
    return word in _negations() or word.endswith("n't")


@cache
def _negations() -> frozenset[str]:
    lexicon = load_lexicon("en")
    negations = {word for word, (category, *_) in lexicon.meanings.items() if category == "negation"}
    denying = {word for word, parts in lexicon.contractions.items() if "not" in parts}
    return frozenset((negations - {"nothing"}) | denying | FAILING | _SELDOM)
