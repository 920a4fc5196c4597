"""
Checks whether a claim contradicts a memory.

They contradict each other if they differ only in negations, numbers, dates or names (ruling C2), unless they are about
different people, or if they have the same words in other roles (ruling C17). The language layer reads both texts and
finds their differences (ruling R1).
"""

import re
from collections import Counter
from collections.abc import Sequence

from groundwire.evidence import MEANING, DifferenceKind
from groundwire.language import Term, detect_language, read_passages, read_terms, reader, word_list

__all__ = ["ConflictDetector", "ContentCache"]

MAX_COMPARED_CHARS = 5_000
"""Longer texts are not compared."""

# A copy in other words is a duplicate; one with another number, negation or name is not.
_MEANING_KINDS = MEANING - {DifferenceKind.WORDING, DifferenceKind.UNREAD}
# The share of the longer text's words that both have if only their roles differ, 0.0 to 1.0 (ruling C17).
_MIN_SHARED_WORDS = 0.92
# The maximum number of words replaced by their opposites in a contradiction.
_MAX_OPPOSITES = 2
_YEAR_DIGITS = 4
# Signs that separate parts in any order: lists, and joined clauses.
_PART_BOUNDARIES = re.compile(r"[,;:.!?()\[\]\u2014\u2013/，；：。！？、（）]|\s[-&]\s")
_AMOUNT_KINDS = frozenset({"number", "date", "time", "reference"})
_TIME_KINDS = frozenset({"date", "time", "reference"})
_NEGATION_KINDS = frozenset({"negation", "denial"})
_IGNORED_KINDS = frozenset({"article", "clitic", "filler", "auxiliary"})
# Kinds of terms that may precede the subject of a sentence: `Since 2019, the ...`.
_KINDS_BEFORE_SUBJECT = _AMOUNT_KINDS | {
    "article",
    "preposition",
    "conjunction",
    "order",
    "cause",
    "condition",
    "bound",
    "title",
}
# The maximum number of texts in the cache of a batch.
_MAX_CACHED_TEXTS = 4_096
# Longer texts are not cached.
_MAX_CACHED_CHARS = 2_000


class ConflictDetector:
    """
    Finds the memories that a claim contradicts.

    Args:
        content: The claim.
        cache: The contents of texts that were read for other claims.
    """

    __slots__ = ("_cache", "_content")

    def __init__(self, content: str, cache: "ContentCache | None" = None) -> None:
        self._content = content
        self._cache = ContentCache() if cache is None else cache

    def contradicts(self, memory: str, *, is_same: bool) -> bool:
        """
        Return whether the claim contradicts *memory*.

        Args:
            memory: The memory.
            is_same: Whether the two are as similar as duplicates; then the same words in other roles are a
                contradiction too. If a text has more than `MAX_COMPARED_CHARS` characters, two such texts contradict
                each other unless they are equal.
        """
        if memory == self._content:
            return False
        if max(len(memory), len(self._content)) > MAX_COMPARED_CHARS:
            return is_same
        theirs = self._cache.of(memory)
        ours = self._cache.of(self._content, theirs.language)
        if is_same and ours.changes_roles(theirs):
            return True
        if is_same and ours.row == theirs.row:
            return False
        if not is_same and not ours.may_contradict(theirs):
            return False
        rows = reader().differences(self._content, memory, 0, len(memory), language=theirs.language)
        # Nearly the same words with another meaning are not a duplicate (ruling R1).
        if is_same or all(DifferenceKind(kind) not in _MEANING_KINDS for kind, *_ in rows):
            return any(map(_excludes, rows))
        pairs = ((self._content, memory), (memory, self._content))
        found = {_status(text, other, theirs.language) for text, other in pairs}
        # A value in another unit is the same value.
        if "supported" in found:
            return False
        return "contradicted" in found or ours.contradicts(theirs, [row for row in rows if row[0] in _MEANING_KINDS])


def _excludes(row: tuple[str, int, int, int, int]) -> bool:
    """Return whether a difference is a contradiction, which a longer form of a name is not."""
    kind, start, end, other_start, other_end = row
    is_more = kind == DifferenceKind.NAME and (start == end or other_start == other_end)
    return DifferenceKind(kind) in _MEANING_KINDS and not is_more


class ContentCache:
    """
    The contents of texts for one batch, so that each text is read once.

    One claim has many similar memories, and similar claims share them.
    """

    __slots__ = ("_read",)

    def __init__(self) -> None:
        self._read: dict[tuple[str, str | None], TextContent] = {}

    def of(self, text: str, language: str | None = None) -> "TextContent":
        """Return the content of *text*, read in *language* or the detected one."""
        found = self._read.get((text, language))
        if found is None:
            found = TextContent(text, language or detect_language(text))
            if len(self._read) >= _MAX_CACHED_TEXTS:
                self._read.clear()
            if len(text) <= _MAX_CACHED_CHARS:
                self._read[text, language] = self._read[text, found.language] = found
        return found


class TextContent:
    """The content of a text: amounts, negations and names, the words around them, and its words with their roles."""

    __slots__ = (
        "_parts",
        "_row",
        "_terms",
        "amounts",
        "helpers",
        "language",
        "names",
        "negations",
        "row",
        "subject",
        "words",
    )

    def __init__(self, text: str, language: str) -> None:
        self.language = language
        marks, joiners = (word_list(language, "statements", name) for name in ("years", "joiners"))
        self._terms = terms = [_with_plain_year(term, marks) for term in read_terms(text, language=language)]
        self.amounts = Counter(term.stem for term in terms if term.kind in _AMOUNT_KINDS)
        self.negations = Counter(term.stem for term in terms if term.kind in _NEGATION_KINDS)
        self.names = Counter(term.stem for term in terms if term.kind == "name")
        self.helpers = Counter(term.stem for term in terms if term.kind == "auxiliary")
        apart = _AMOUNT_KINDS | _NEGATION_KINDS | _IGNORED_KINDS | {"name"}
        self.words = Counter(term.stem for term in terms if term.kind not in apart)
        self.subject = _subject(terms)
        self.row = Counter(term.stem for term in terms if term.kind != "article" and term.form not in joiners)
        self._row, self._parts = _row(text, terms, joiners)

    def changes_roles(self, memory: "TextContent") -> bool:
        """
        Return whether both have nearly the same words, some of them in other roles: Alice reports to Bob.

        The parts of a list and joined clauses have no roles towards each other (ruling C17).
        """
        row, other = self._row, memory._row
        shared = Counter(row) & Counter(other)
        if row == other or shared.total() < _MIN_SHARED_WORDS * max(len(row), len(other)):
            return False
        places, other_places = _only(row, shared), _only(other, shared)
        kept, other_kept = [row[place] for place in places], [other[place] for place in other_places]
        if kept == other_kept:
            return False
        # The common beginning and end are not part of a list: `uses A and B for C`.
        begin = _common(kept, other_kept)
        end = len(kept) - min(_common(kept[::-1], other_kept[::-1]), len(kept) - begin)
        return self._parts_of(places[begin:end]) != memory._parts_of(other_places[begin:end])

    def _parts_of(self, places: Sequence[int]) -> list[tuple[int, ...]]:
        """Return the words in *places* by the parts of the text, in an order independent of the parts' own."""
        found: dict[int, list[int]] = {}
        for place in places:
            found.setdefault(self._parts[place], []).append(self._row[place])
        return sorted(map(tuple, found.values()))

    def may_contradict(self, memory: "TextContent") -> bool:
        """
        Return whether the words around amounts, negations and names match, apart from opposites, without a full
        comparison.
        """
        added, dropped, names, other_names = self._differences(memory)
        if added.total() != dropped.total() or added.total() > _MAX_OPPOSITES:
            return False
        # A negation adds or removes a form of do; another tense is another statement.
        if self.helpers - memory.helpers and memory.helpers - self.helpers:
            return False
        # A date, number or name in only one of them adds a detail, and is not a contradiction.
        is_replaced = (names and other_names) or (self.amounts - memory.amounts and memory.amounts - self.amounts)
        return bool(added or is_replaced or self.negations != memory.negations)

    def _differences(self, memory: "TextContent") -> tuple[Counter[int], Counter[int], Counter[int], Counter[int]]:
        """Return the words and names that only this, and only *memory*, has."""
        added, dropped = self.words - memory.words, memory.words - self.words
        # A name at the start of a sentence may not be recognised.
        names, other_names = self.names - memory.names - dropped, memory.names - self.names - added
        return added - memory.names, dropped - self.names, names, other_names

    def _differs_in_values(self, memory: "TextContent") -> bool:
        return self.amounts != memory.amounts or self.negations != memory.negations

    def contradicts(self, memory: "TextContent", rows: Sequence[tuple[str, int, int, int, int]]) -> bool:
        """
        Return whether both differ only in amounts, negations, names or opposites.

        Args:
            memory: The memory.
            rows: The differences in meaning, as `LanguageReader.differences` returns them.
        """
        added, dropped, *_ = self._differences(memory)
        is_opposite = False
        changed, other_changed = Counter[int](), Counter[int]()
        for kind, start, end, other_start, other_end in rows:
            ours, theirs = self._stems(start, end), memory._stems(other_start, other_end)
            changed, other_changed = changed + ours, other_changed + theirs
            negations = (ours & self.negations) | (theirs & memory.negations)
            if kind == DifferenceKind.NEGATION and ours and theirs and not negations:
                added, dropped, is_opposite = added - ours, dropped - theirs, True
        if added or dropped or self._is_about_another(memory, is_opposite):
            return False
        # One value may be written in two ways.
        return (
            is_opposite
            or self.negations != memory.negations
            or any(
                (one - other) & changed and (other - one) & other_changed
                for one, other in ((self.amounts, memory.amounts), (self.names, memory.names))
            )
        )

    def _stems(self, start: int, end: int) -> Counter[int]:
        return Counter(term.stem for term in self._terms if start <= term.start and term.end <= end)

    def _is_about_another(self, memory: "TextContent", is_opposite: bool) -> bool:
        """
        Return whether both have different facts about different people: Lisa joined in 2021, Tom joined in 2019.

        If only the names differ, one may replace the other: Alice leads the launch, Bob leads it.
        """
        if not self.subject or not memory.subject or self.subject & memory.subject:
            return False
        others, other_others = (
            {name: count for name, count in one.names.items() if name not in one.subject} for one in (self, memory)
        )
        return is_opposite or others != other_others or self._differs_in_values(memory)


def _status(text: str, claim: str, language: str) -> str | None:
    """Return whether *text* supports *claim*: "supported", "unsupported" or "contradicted"."""
    [found] = read_passages([text], language=language).assess(claim)
    return found and found[0]


def _subject(terms: Sequence[Term]) -> frozenset[int]:
    """Return the names at the start of a text, before its other words."""
    found = []
    for term in terms:
        if term.kind == "name":
            found.append(term.stem)
        elif found or term.kind not in _KINDS_BEFORE_SUBJECT:
            break
    return frozenset(found)


def _row(text: str, terms: Sequence[Term], joiners: frozenset[str]) -> tuple[list[int], list[int]]:
    """
    Return the stems of the *terms* with roles, and the number of the part of each.

    Articles and *joiners* have no role, nor has the only time of a text with its preposition: In 2019 she left.
    """
    row, parts, part, end = [], [], 0, 0
    times = [place for place, term in enumerate(terms) if term.kind in _TIME_KINDS]
    free = range(0)
    if len(times) == 1:
        [time] = times
        free = range(time - (time > 0 and terms[time - 1].kind == "preposition"), time + 1)
    for place, term in enumerate(terms):
        part += _PART_BOUNDARIES.search(text, end, max(end, term.start)) is not None
        end = max(end, term.end)
        if term.form in joiners:
            part += 1
        elif term.kind != "article" and place not in free:
            row.append(term.stem)
            parts.append(part)
    return row, parts


def _only(row: Sequence[int], shared: Counter[int]) -> list[int]:
    """Return the indices of the words in *row* that the other text has too."""
    left = shared.copy()
    places = []
    for place, word in enumerate(row):
        if left[word] > 0:
            left[word] -= 1
            places.append(place)
    return places


def _common(words: Sequence[int], others: Sequence[int]) -> int:
    """Return the length of the common beginning."""
    count = 0
    for word, other in zip(words, others, strict=False):
        if word != other:
            break
        count += 1
    return count


def _with_plain_year(term: Term, marks: frozenset[str]) -> Term:
    """Return *term*; a year without a following word for year."""
    if term.kind not in _AMOUNT_KINDS or len(term.form) < _YEAR_DIGITS or not term.form[:_YEAR_DIGITS].isdecimal():
        return term
    year, *others = term.form.split()
    return term._replace(stem=int(year)) if len(year) == _YEAR_DIGITS and marks.issuperset(others) else term
