"""
Whether a field, or the words around a value, speak of what a claim speaks of.

`occupation` is `job` in a survey, and in an interview somebody works as something. The
groups below are own lists, of the fields that most personas have; any other field is
compared by its own words.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain

from groundwire._engine import Patterns
from groundwire.faithfulness.fields import cue_of, singular
from groundwire.language.values import unit_of

__all__ = ["Cue", "others_as_subjects", "others_in", "prefixes_of"]

_PREFIX_CHARS = 6
_WORD = re.compile(r"[^\W\d_]+")
_PREFIX = re.compile(r"([^\W\d_]{1,6})[^\W\d_]*")
_REACH_CHARS = 200
_LAST_END = re.compile(r".*[.!?\n。！？;]", re.DOTALL)
_UP_TO_END = re.compile(r"[^.!?\n。！？;]*")

_GROUPS = """
age aged old birthday turned
occupation job profession position role title work works working career employment
salary income wage wages earn earns earned earning earnings pay paid makes wealth
children child kid kids son sons daughter daughters
experience tenure worked working works career
team people report reports staff colleagues lead leads manage manages
location city country town region residence home live lives living based address
education degree study studied studies graduated university college school master bachelor diploma
company employer organisation organization firm works work
gender sex
hobbies hobby interest interests leisure
goal goals aim aims want wants objective objectives
tool tools software use uses using app apps
frustration frustrations pain challenge challenges problem problems
name participant respondent speaker interviewee person
married marital spouse wife husband partner
language languages speak speaks
nationality citizen citizenship born
"""
_BY_WORD: dict[str, frozenset[str]] = {}
for _line in _GROUPS.strip().splitlines():
    _members = frozenset(word[:_PREFIX_CHARS] for word in _line.split())
    for _word in _members:
        _BY_WORD[_word] = _BY_WORD.get(_word, frozenset()) | _members

# Words of a cue that say how something is counted or named, and not what.
_COUNTING = frozenset(
    {
        *("number", "count", "total", "of", "in", "at", "the", "is", "has", "level", "type", "size"),
        *("year", "years", "month", "months", "hour", "hours", "day", "days", "first", "last", "full"),
    }
)
_IS_AGE = re.compile(
    r"""(?:\bi\s(?:am|was)|\bi['’]?m|\b(?:are|were)\syou|\b(?:s?he|they)(?:\s(?:is|are|was|were)|['’](?:s|re))|\bturned|\baged?|[,(])\s
    (?:(?:now|already|just|about|around|almost)\s)?\Z""",
    re.IGNORECASE | re.VERBOSE,
)
# Whose age it is, if they stand in its sentence: not that of who speaks, or is spoken of. A manager may be who speaks.
_OTHERS = re.compile(
    r"""\b(?:daughter|son|child|children|kid|baby|mother|father|mom|mum|dad|parent|brother|sister|sibling|wife|husband|dog
    |cat)s?\b|\b(?:my|our|his|her|their)\s(?:\w{1,20}\s)?(?:partner|boss|manager|colleague|coworker|friend)s?\b""",
    re.IGNORECASE | re.VERBOSE,
)
_OTHER_WORDS = """
daughter son child children kid baby mother father mom mum dad parent brother sister sibling wife husband dog cat
partner boss manager colleague coworker friend
""".split()  # noqa: SIM905
_NO_SUBJECTS_BEHIND = frozenset({"with", "for", "of", "to", "from", "about", "by", "have", "has", "had", "got"})
_AFTER_AGE = re.compile(r"\s?(?:[.,;:!?)]|\Z|now\b|today\b|and\b|but\b)", re.IGNORECASE)


class Cue:
    """
    The words of a claim's field, to be found elsewhere.

    Attributes:
        text: They.
        is_age: Whether they are the age of the person.
        units: The symbols of what its numbers count, if it says so: `experience years`.
    """

    __slots__ = ("_own", "_words", "is_age", "text", "units")

    def __init__(self, cue: str) -> None:
        self.text = cue
        words = [word.lower() for word in _WORD.findall(cue)]
        told = [word for word in words if word not in _COUNTING] or words
        # Each word of the cue may be one of its group.
        self._words = [_BY_WORD.get(word[:_PREFIX_CHARS], frozenset()) | {word[:_PREFIX_CHARS]} for word in told]
        self._own = {word[:_PREFIX_CHARS] for word in told}
        is_age = words[-1:] == ["age"]
        self.is_age = is_age and len(told) == 1
        self.units = {"year"} if is_age else {unit_of(word) for word in words} - {""}

    def is_named(self, name: str) -> bool:
        """Tell whether the field or column *name* is about the same: it has a word for each of the cue's."""
        return self._is_in(_words_of_name(name))

    def is_near(self, text: str, start: int, end: int, *, in_own_words: bool = False) -> bool:
        """
        Tell whether the sentence around `text[start:end]` speaks of it.

        Args:
            text, start, end: The place.
            in_own_words: Whether other words of its group are not enough.
        """
        if not self._words:
            return False
        left = text[max(0, start - _REACH_CHARS) : start]
        last = _LAST_END.match(left)
        left = left[last.end() :] if last else left
        right = _UP_TO_END.match(text, end, end + _REACH_CHARS)
        words = prefixes_of(f"{left} {text[start:end]} {right[0] if right else ''}")
        if self.is_age:
            if others_in(f"{left} {right[0] if right else ''}"):
                return False
            if _IS_AGE.search(left) and _AFTER_AGE.match(text, end):
                return True
        return self._own <= words if in_own_words and not self.is_age else self._is_in(words)

    def found_in(self, index: Mapping[str, Sequence[int]], *, in_own_words: bool = False) -> frozenset[int] | None:
        """
        Return which texts may have it near any place, for texts filed by their `prefixes_of` words.

        None: all of them. *in_own_words* as in `is_near`.
        """
        if self.is_age:
            return None
        wanted: Iterable[Iterable[str]] = [[word] for word in self._own] if in_own_words else self._words
        groups = [frozenset(chain.from_iterable(index.get(word, ()) for word in group)) for group in wanted]
        return frozenset.intersection(*groups) if groups else frozenset()

    def _is_in(self, words: frozenset[str]) -> bool:
        return bool(self._words) and all(not group.isdisjoint(words) for group in self._words)


@lru_cache(maxsize=1024)
def _words_of_name(name: str) -> frozenset[str]:
    words = cue_of([name])
    return prefixes_of(words) | prefixes_of(singular(words))


def others_in(text: str) -> frozenset[str]:
    """Return the words of *text* for people and animals that are not who speaks: `daughter`, `my boss`."""
    return frozenset(match[0].lower() for match in _find_others(text))


def _find_others(text: str) -> Iterable[re.Match[str]]:
    return _OTHERS.finditer(text) if _others().find_all(text.lower()) else ()


@cache
def _others() -> Patterns:
    """The last words of `_OTHERS`, which are found sooner than it finds that there are none."""
    return Patterns([word + ending for word in _OTHER_WORDS for ending in ("", "s")], word_boundaries=True)


def others_as_subjects(text: str) -> list[tuple[int, int]]:
    """Return the spans of those that may be a subject: not of `with my sister`, and not of `my husband's`."""
    found = []
    for match in _find_others(text):
        before = text[: match.start()].lower().split()[-2:]
        is_behind = not _NO_SUBJECTS_BEHIND.isdisjoint(before) or text[match.end() : match.end() + 1] in ("'", "’")
        if not is_behind:
            found.append(match.span())
    return found


def prefixes_of(text: str) -> frozenset[str]:
    """Return the beginnings of the words of *text*, six letters each, by which words are compared."""
    return frozenset(_PREFIX.findall(text.lower()))
