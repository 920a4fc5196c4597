"""
Statements of what is cited, and whether one of them says what a claim says.

A text is cut into sentences and headings, and a claim has to stand in one of them: words
that are scattered over a page prove nothing. The rule is strict on purpose (ruling C19):
what it does not recognise goes to a person, with the passage that comes nearest.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from groundwire._engine import sentences
from groundwire.language import Term, one_of, read_terms, word_list

__all__ = ["LEAST_WORDS", "CitingClaim", "PassageTerms", "Statement", "assertions_of", "statements_of"]

LEAST_WORDS = 2
"""A claim with fewer words of content says nothing that a source could confirm."""

MAX_CLAIM_CHARS = 1_000
"""The maximum length, in characters, of a claim that is compared with what it cites."""

_MOST_STATEMENTS = 4_000
_FIRST_CHARS = 20
_MOST_LEFT_OUT = 1
"""So many words of a statement may stand between two that follow each other in the claim."""

_HEADING = re.compile(r"(#{1,6})[ \t]+")
_UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*$")
_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+")
_ITEM_OR_CELL = re.compile(r"[ \t]*(?:(?:[-*+•>]|\d{1,3}[.)])[ \t]+)*")
_CITED = "\ufffc"

# What gives a reason does not restrict what stands before it, unless it begins with a word that does.
_REASON = re.compile(r":\s|\s(?:because|so that|in order to)\s", re.IGNORECASE)


# A commit since when something holds is a source; one since when something was so would be another statement.
_SINCE = re.compile(rf"\bsince\s+(?:(?:the|commit|rev|revision)\s+){{0,2}}(?={_CITED})", re.IGNORECASE)
_PAST = re.compile(r"\b(?:was|were|had)\b", re.IGNORECASE)


_ADJUNCT = re.compile(r"\s+(?:in|on|at|for|during|within|when|where|while|as long as)\b", re.IGNORECASE)
_CLAUSES = re.compile(r",\s+(?:and|while|whereas)\s+", re.IGNORECASE)
_AMOUNTS = frozenset({"number", "date", "time"})
_DENIALS = frozenset({"negation", "denial"})
_LIMITS = frozenset({"limiter", "bound", "condition", "exception"})
_SAYING_NOTHING = frozenset({"article", "clitic", "filler"})


class Statement(NamedTuple):
    """
    A sentence or a heading of a text.

    Attributes:
        start: Its first character, as an offset in the text.
        end: The offset behind its last character.
        in_force: Whether it says what holds, and not what was weighed or was so before.
    """

    start: int
    end: int
    in_force: bool


def statements_of(text: str) -> list[Statement]:
    """
    Return the statements of *text* in their order, 4,000 at most.

    Markdown is read as far as its headings, lists and paragraphs go. A section on context or
    alternatives, with those below it, says nothing that holds; the first heading is the title. Time is linear.
    """
    found: list[Statement] = []
    level: int | None = None
    is_title = True
    for start, end, depth in _blocks(text):
        if depth:
            if level is None or depth <= level:
                level = depth if not is_title and _not_in_force().search(text, start, end) else None
            is_title = False
            found.append(Statement(start, end, level is None))
        else:
            for first, last in sentences(text[start:end]):
                found.append(Statement(start + first, start + last, level is None))
        if len(found) >= _MOST_STATEMENTS:
            return found[:_MOST_STATEMENTS]
    return found


def _blocks(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, level) of paragraphs, items of lists and headings; the level is 0 but for headings."""
    start = end = position = 0
    for line in text.splitlines(keepends=True):
        content = line.strip()
        first = position + len(line) - len(line.lstrip())
        position += len(line)
        heading = _HEADING.match(content)
        is_underline = end > start and _UNDERLINE.fullmatch(content) is not None and "\n" not in text[start:end]
        if not content or heading or is_underline or _ITEM.match(line):
            if end > start:
                yield start, end, (1 if content[:1] == "=" else 2) if is_underline else 0
            start = end = position
            if heading:
                yield first + heading.end(), first + len(content), len(heading[1])
                continue
            if not content or is_underline:
                continue
        if end <= start:
            marker = _ITEM_OR_CELL.match(text, first)
            start = first if marker is None else min(marker.end(), first + len(content))
        end = first + len(content)
    if end > start:
        yield start, end, 0


class CitingClaim:
    """
    A claim without what only points at its citations, to be compared with statements.

    Args:
        content: The claim.
        places: Where its citations stand in it, left to right.

    Attributes:
        text: What is left of it.
        sentences: Its sentences that say something.
        parts: The same, as they are read.
    """

    __slots__ = ("parts", "sentences", "text")

    def __init__(self, content: str, places: Sequence[tuple[int, int]]) -> None:
        pieces, end = [], 0
        for start, stop in places:
            pieces += [content[end:start], _CITED]
            end = stop
        whole = "".join([*pieces, content[end:]])
        if not _PAST.search(whole):
            whole = _SINCE.sub(" ", whole)
        plain = _pointing().sub(" ", whole).replace(_CITED, " ")
        self.text = " ".join(plain.split()).lstrip(" ,;:.")
        read = {
            self.text[start:stop]: PassageTerms(self.text[start:stop])
            for start, stop in sentences(self.text[:MAX_CLAIM_CHARS])
        }
        said = {text: part for text, part in read.items() if part.terms}
        self.sentences = list(said)
        self.parts = list(said.values())

    @property
    def is_empty(self) -> bool:
        """Whether it says too little to be confirmed by anything, or more than is read."""
        return sum(len(part.terms) for part in self.parts) < LEAST_WORDS or len(self.text) > MAX_CLAIM_CHARS


class PassageTerms:
    """
    What one sentence says.

    Attributes:
        terms: Its words of content, numbers, dates and units, left to right.
        denials: How many negations it has.
        turns: Its words that restrict or undo what the others say.
    """

    __slots__ = ("_text", "denials", "terms", "turns")

    def __init__(self, text: str) -> None:
        self._text = text
        read = read_terms(text[:MAX_CLAIM_CHARS])
        self.denials = sum(term.kind in _DENIALS for term in read)
        turning, function = _word_list("turning"), _word_list("function")
        self.turns = {term.stem for term in read if term.kind in _LIMITS or not turning.isdisjoint(term.form.split())}
        self.terms = [
            term
            for term in read
            if term.kind not in _DENIALS and term.kind not in _SAYING_NOTHING and term.form not in function
        ]

    def is_in(self, statement: "PassageTerms") -> bool:
        """
        Tell whether *statement* says all of this.

        It must begin with what this begins with, and have every term in the same order, with one
        word at most, and no number, left out between two of them; as many negations, and the same
        words that restrict. No condition or place that this leaves out may follow at once. The first
        two terms may change places: `we store readings`, `readings are stored`.
        """
        if self.denials != statement.denials or self.turns != statement.turns:
            return False
        place: int | None = None
        places: list[int] = []
        for term in self.terms:
            found = [at for at, other in enumerate(statement.terms) if _is_same(term, other)]
            if not found:
                return False
            place = next((at for at in found if place is not None and at > place), found[0])
            places.append(place)
        last = max(places)
        left_out = [term for at, term in enumerate(statement.terms[:last]) if at not in places]
        if min(places) or any(term.kind in _AMOUNTS for term in left_out) or statement.goes_on(last):
            return False
        return _are_close(places) or _are_close([*places[1::-1], *places[2:]])

    def goes_on(self, place: int) -> bool:
        """Tell whether a condition, a place or a time follows the term at *place* at once."""
        return _ADJUNCT.match(self._text, self.terms[place].end) is not None


def assertions_of(statement: str) -> list[PassageTerms]:
    """
    Return what *statement* says as a whole, and what its parts say that hold by themselves.

    These are joined clauses, and what stands before a reason.
    """
    found = []
    for part in statement.split(";"):
        whole = PassageTerms(part)
        found.append(whole)
        if not whole.turns and _CLAUSES.search(part):
            found += map(PassageTerms, _CLAUSES.split(part))
        reason = _REASON.search(part)
        if reason is not None and not PassageTerms(part[reason.end() : reason.end() + _FIRST_CHARS]).turns:
            found.append(PassageTerms(part[: reason.start()]))
    return found


def _are_close(places: Sequence[int]) -> bool:
    """Whether each place comes after the one before it, and soon."""
    return all(0 < after - before <= _MOST_LEFT_OUT + 1 for before, after in pairwise(places))


def _is_same(term: Term, other: Term) -> bool:
    """Whether both are the same value, or regular inflections of one word: another tense may be another statement."""
    if term.stem != other.stem or (term.kind in _AMOUNTS) != (other.kind in _AMOUNTS):
        return False
    length = min(len(term.form), len(other.form)) - 1
    return term.kind in _AMOUNTS or term.form[:length] == other.form[:length]


def _word_list(name: str) -> frozenset[str]:
    """The words of a list of the section `statements`; only English has them."""
    return word_list("en", "statements", name)


@cache
def _not_in_force() -> re.Pattern[str]:
    """What a section is headed by that tells what was weighed, or what was so before: not what holds."""
    return re.compile(rf"\b(?:{one_of(_word_list('not_in_force'))})\b", re.IGNORECASE)


@cache
def _pointing() -> re.Pattern[str]:
    """What only points at a citation is no part of the claim: `as decided in ADR-3`, `ADR-3 says that`."""
    cues, telling = one_of(_word_list("pointing")), one_of(_word_list("telling"))
    beside = rf"(?:\b(?:{cues})\b[\s.:,]*+){{0,6}}+"
    return re.compile(
        rf"(?:(?<!\s)|(?!\s)){beside}[(\[]?\s*+{beside}{_CITED}\s*+[)\]]?(?:[\s,:]*+\b(?:{telling})\b(?:\s+that\b)?)?",
        re.IGNORECASE,
    )
