"""
Does a claim contradict a memory?

It does if they differ in negations, numbers, dates or names alone (ruling C2), unless they are
about different people; and if they have the same words in other roles (ruling C17). The language
layer reads both texts, and says what differs (ruling R1).
"""

import re
from collections import Counter
from collections.abc import Sequence

from groundwire.evidence import MEANING, DifferenceKind
from groundwire.language import Term, detect_language, read_passages, read_terms, reader, word_list

__all__ = ["Conflicts", "StatementCache"]

MAX_COMPARED_CHARS = 5_000
"""The maximum length, in characters, of two texts that are compared for a conflict."""
# A copy in other words is still a copy; one with another number, negation or name is none.
_TYPED = MEANING - {DifferenceKind.WORDING, DifferenceKind.UNREAD}
_NEARLY_ALL = 0.92
_MOST_OPPOSITES = 2
_YEAR_DIGITS = 4
# Signs between which parts of a sentence may change places and say the same: lists, and joined clauses.
_SIGNS = re.compile(r"[,;:.!?()\[\]\u2014\u2013/，；：。！？、（）]|\s[-&]\s")
_AMOUNTS = frozenset({"number", "date", "time", "reference"})
_TIMES = frozenset({"date", "time", "reference"})
_DENIALS = frozenset({"negation", "denial"})
_SAYING_NOTHING = frozenset({"article", "clitic", "filler", "auxiliary"})
# What may be in front of the subject of a sentence: `Since 2019, the ...`.
_BEFORE_SUBJECTS = _AMOUNTS | {"article", "preposition", "conjunction", "order", "cause", "condition", "bound", "title"}
# What is kept of a batch: so many texts, and none that is longer.
_MOST_KEPT = 4_096
_KEPT_CHARS = 2_000


class Conflicts:
    """
    A claim, and which memories it contradicts.

    Args:
        content: The claim.
        statements: What was read for other claims, so that each memory is read once for all of them.
    """

    __slots__ = ("_content", "_statements")

    def __init__(self, content: str, statements: "StatementCache | None" = None) -> None:
        self._content = content
        self._statements = StatementCache() if statements is None else statements

    def has_with(self, memory: str, *, is_same: bool) -> bool:
        """
        Say whether the claim contradicts *memory*.

        Args:
            memory: The memory.
            is_same: Whether the two are as similar as duplicates; then other roles of the same
                words contradict, too. Texts of more than `MAX_COMPARED_CHARS` characters are not read:
                of these, only what is as similar and not the very same contradicts.
        """
        if memory == self._content:
            return False
        if max(len(memory), len(self._content)) > MAX_COMPARED_CHARS:
            return is_same
        theirs = self._statements.of(memory)
        ours = self._statements.of(self._content, theirs.language)
        if is_same and ours.changes_roles(theirs):
            return True
        if is_same and ours.row == theirs.row:
            return False
        if not is_same and not ours.may_contradict(theirs):
            return False
        rows = reader().differences(self._content, memory, 0, len(memory), language=theirs.language)
        # Nearly the same words that say something else are no duplicate (ruling R1).
        if is_same or all(DifferenceKind(kind) not in _TYPED for kind, *_ in rows):
            return any(map(_excludes, rows))
        pairs = ((self._content, memory), (memory, self._content))
        found = {_status(text, other, theirs.language) for text, other in pairs}
        # A value in another unit is the same value.
        if "supported" in found:
            return False
        return "contradicted" in found or ours.contradicts(theirs, [row for row in rows if row[0] in _TYPED])


def _excludes(row: tuple[str, int, int, int, int]) -> bool:
    """Whether a difference makes two texts say different things: more of a name is more, and excludes nothing."""
    kind, start, end, other_start, other_end = row
    is_more = kind == DifferenceKind.NAME and (start == end or other_start == other_end)
    return DifferenceKind(kind) in _TYPED and not is_more


class StatementCache:
    """
    What texts say, each read once as long as there is room.

    One claim has many similar memories, and similar claims have the same ones. Lives as long as one batch.
    """

    __slots__ = ("_read",)

    def __init__(self) -> None:
        self._read: dict[tuple[str, str | None], _Statement] = {}

    def of(self, text: str, language: str | None = None) -> "_Statement":
        """Return what *text* says, in *language* or that which it shows."""
        found = self._read.get((text, language))
        if found is None:
            found = _Statement(text, language or detect_language(text))
            if len(self._read) >= _MOST_KEPT:
                self._read.clear()
            if len(text) <= _KEPT_CHARS:
                self._read[text, language] = self._read[text, found.language] = found
        return found


class _Statement:
    """What a text says, apart: its amounts, denials and names, the words around them, and all with roles in a row."""

    __slots__ = (
        "_parts",
        "_row",
        "_terms",
        "amounts",
        "denials",
        "helpers",
        "language",
        "names",
        "row",
        "subject",
        "words",
    )

    def __init__(self, text: str, language: str) -> None:
        self.language = language
        marks, joiners = (word_list(language, "statements", name) for name in ("years", "joiners"))
        self._terms = terms = [_with_plain_year(term, marks) for term in read_terms(text, language=language)]
        self.amounts = Counter(term.stem for term in terms if term.kind in _AMOUNTS)
        self.denials = Counter(term.stem for term in terms if term.kind in _DENIALS)
        self.names = Counter(term.stem for term in terms if term.kind == "name")
        self.helpers = Counter(term.stem for term in terms if term.kind == "auxiliary")
        apart = _AMOUNTS | _DENIALS | _SAYING_NOTHING | {"name"}
        self.words = Counter(term.stem for term in terms if term.kind not in apart)
        self.subject = _subject(terms)
        self.row = Counter(term.stem for term in terms if term.kind != "article" and term.form not in joiners)
        self._row, self._parts = _row(text, terms, joiners)

    def changes_roles(self, memory: "_Statement") -> bool:
        """
        Say whether both have the same words, or nearly, and some of them in other roles: Alice reports to Bob.

        Parts of a list, and clauses that are joined, have no roles towards each other (ruling C17).
        """
        row, other = self._row, memory._row
        shared = Counter(row) & Counter(other)
        if row == other or shared.total() < _NEARLY_ALL * max(len(row), len(other)):
            return False
        places, other_places = _only(row, shared), _only(other, shared)
        kept, other_kept = [row[place] for place in places], [other[place] for place in other_places]
        if kept == other_kept:
            return False
        # What both texts begin and end with is no part of a list: `uses A and B for C`.
        begin = _common(kept, other_kept)
        end = len(kept) - min(_common(kept[::-1], other_kept[::-1]), len(kept) - begin)
        return self._parts_of(places[begin:end]) != memory._parts_of(other_places[begin:end])

    def _parts_of(self, places: Sequence[int]) -> list[tuple[int, ...]]:
        """Return the words in *places* by the parts that they are in, in an order that does not depend on theirs."""
        found: dict[int, list[int]] = {}
        for place in places:
            found.setdefault(self._parts[place], []).append(self._row[place])
        return sorted(map(tuple, found.values()))

    def may_contradict(self, memory: "_Statement") -> bool:
        """Say, without a comparison, whether the words around what can be wrong are the same, but for opposites."""
        added, dropped, names, other_names = self._differences(memory)
        if added.total() != dropped.total() or added.total() > _MOST_OPPOSITES:
            return False
        # A form of do comes and goes with a negation; another tense says something else.
        if self.helpers - memory.helpers and memory.helpers - self.helpers:
            return False
        # What only one of them dates, counts or names is more, and no contradiction.
        is_replaced = (names and other_names) or (self.amounts - memory.amounts and memory.amounts - self.amounts)
        return bool(added or is_replaced or self.denials != memory.denials)

    def _differences(self, memory: "_Statement") -> tuple[Counter[int], Counter[int], Counter[int], Counter[int]]:
        """Return the words that only this and only *memory* has, and the names."""
        added, dropped = self.words - memory.words, memory.words - self.words
        # A name in one text need not be seen as one in the other, where it begins a sentence.
        names, other_names = self.names - memory.names - dropped, memory.names - self.names - added
        return added - memory.names, dropped - self.names, names, other_names

    def _differs_in_values(self, memory: "_Statement") -> bool:
        return self.amounts != memory.amounts or self.denials != memory.denials

    def contradicts(self, memory: "_Statement", rows: Sequence[tuple[str, int, int, int, int]]) -> bool:
        """
        Say whether only what can be wrong differs.

        Args:
            memory: The memory.
            rows: What differs in meaning, as `LanguageReader.differences` returns it.
        """
        added, dropped, *_ = self._differences(memory)
        is_opposite = False
        changed, other_changed = Counter[int](), Counter[int]()
        for kind, start, end, other_start, other_end in rows:
            ours, theirs = self._stems(start, end), memory._stems(other_start, other_end)
            changed, other_changed = changed + ours, other_changed + theirs
            denials = (ours & self.denials) | (theirs & memory.denials)
            if kind == DifferenceKind.NEGATION and ours and theirs and not denials:
                added, dropped, is_opposite = added - ours, dropped - theirs, True
        if added or dropped or self._is_about_another(memory, is_opposite):
            return False
        # Two ways to write one value are no difference.
        return (
            is_opposite
            or self.denials != memory.denials
            or any(
                (one - other) & changed and (other - one) & other_changed
                for one, other in ((self.amounts, memory.amounts), (self.names, memory.names))
            )
        )

    def _stems(self, start: int, end: int) -> Counter[int]:
        return Counter(term.stem for term in self._terms if start <= term.start and term.end <= end)

    def _is_about_another(self, memory: "_Statement", is_opposite: bool) -> bool:
        """
        Whether both say different things of different people: Lisa joined in 2021, Tom joined in 2019.

        Where the names alone differ, one may replace the other: Alice leads the launch, Bob leads it.
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
    """Return the names that are first in a text, in front of any word that says something of them."""
    found = []
    for term in terms:
        if term.kind == "name":
            found.append(term.stem)
        elif found or term.kind not in _BEFORE_SUBJECTS:
            break
    return frozenset(found)


def _row(text: str, terms: Sequence[Term], joiners: frozenset[str]) -> tuple[list[int], list[int]]:
    """
    Return the stems of *terms* that have roles, and the number of the part that each is in.

    Articles and *joiners* have none, nor has the only time of a text with its preposition: In 2019 she left.
    """
    row, parts, part, end = [], [], 0, 0
    times = [place for place, term in enumerate(terms) if term.kind in _TIMES]
    free = range(0)
    if len(times) == 1:
        [time] = times
        free = range(time - (time > 0 and terms[time - 1].kind == "preposition"), time + 1)
    for place, term in enumerate(terms):
        part += _SIGNS.search(text, end, max(end, term.start)) is not None
        end = max(end, term.end)
        if term.form in joiners:
            part += 1
        elif term.kind != "article" and place not in free:
            row.append(term.stem)
            parts.append(part)
    return row, parts


def _only(row: Sequence[int], shared: Counter[int]) -> list[int]:
    """Return the places of *row* without the words that the other text lacks."""
    left = shared.copy()
    places = []
    for place, word in enumerate(row):
        if left[word] > 0:
            left[word] -= 1
            places.append(place)
    return places


def _common(words: Sequence[int], others: Sequence[int]) -> int:
    """Return how many words both begin with."""
    count = 0
    for word, other in zip(words, others, strict=False):
        if word != other:
            break
        count += 1
    return count


def _with_plain_year(term: Term, marks: frozenset[str]) -> Term:
    """Return *term*, a year without the word for a year behind it."""
    if term.kind not in _AMOUNTS or len(term.form) < _YEAR_DIGITS or not term.form[:_YEAR_DIGITS].isdecimal():
        return term
    year, *others = term.form.split()
    return term._replace(stem=int(year)) if len(year) == _YEAR_DIGITS and marks.issuperset(others) else term
