"""
Splits cited texts into statements, and checks whether one of them states a claim.

A text is split into sentences and headings, and one of them must state the whole claim, because words scattered over a
page prove nothing. The rule is strict on purpose (ruling C19): a claim that it does not recognise goes to review, with
the nearest passage.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from groundwire._engine import sentences
from groundwire.language import Term, one_of, read_terms, word_list

__all__ = ["Assertion", "CitingClaim", "Statement", "split_assertions", "split_statements"]

MIN_WORDS = 2
"""The minimum number of content words of a claim that a source can confirm."""

MAX_ASSERTION_CHARS = 1_000
"""Longer claims are not compared, and longer sentences of a text are cut here."""

MAX_STATEMENTS = 4_000
"""The maximum number of statements of a text that are read."""

# The maximum number of words that may separate two neighbouring words of the claim.
_MAX_SKIPPED_WORDS = 1
# The start of a reason, whose first word may restrict the assertion.
_MAX_REASON_START_CHARS = 20
_HEADING = re.compile(r"(#{1,6})[ \t]+")
_UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*$")
_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+")
_ITEM_OR_CELL = re.compile(r"[ \t]*(?:(?:[-*+•>]|\d{1,3}[.)])[ \t]+)*")
# Replaces a citation in a claim.
_CITED = "\ufffc"

# A reason does not restrict the assertion before it, unless it begins with a word that restricts.
_REASON = re.compile(r":\s|\s(?:because|so that|in order to)\s", re.IGNORECASE)
# `since` and a commit in the present tense cite a source; in the past tense they are a part of the statement.
_SINCE = re.compile(rf"\bsince\s+(?:(?:the|commit|rev|revision)\s+){{0,2}}(?={_CITED})", re.IGNORECASE)
_PAST = re.compile(r"\b(?:was|were|had)\b", re.IGNORECASE)
_ADJUNCT = re.compile(r"\s+(?:in|on|at|for|during|within|when|where|while|as long as)\b", re.IGNORECASE)
_CLAUSES = re.compile(r",\s+(?:and|while|whereas)\s+", re.IGNORECASE)
_VALUE_KINDS = frozenset({"number", "date", "time"})
_NEGATION_KINDS = frozenset({"negation", "denial"})
_QUALIFIER_KINDS = frozenset({"limiter", "bound", "condition", "exception"})
_FUNCTION_KINDS = frozenset({"article", "clitic", "filler"})


class Statement(NamedTuple):
    """
    A sentence or a heading of a text.

    Attributes:
        start: The offset of its first character in the text.
        end: The offset after its last character.
        in_force: Whether it describes the decision, and not its context, alternatives or history.
    """

    start: int
    end: int
    in_force: bool


def split_statements(text: str) -> list[Statement]:
    """
    Return the statements of *text* in order, at most `MAX_STATEMENTS`.

    Headings, lists and paragraphs of Markdown are recognised. A section on context or alternatives is not in force, nor
    are its subsections; the first heading is the title. Takes linear time.
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
        if len(found) >= MAX_STATEMENTS:
            return found[:MAX_STATEMENTS]
    return found


def _blocks(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, level) of paragraphs, list items and headings; only headings have a level above 0."""
    start = end = position = lines = 0
    for line in text.splitlines(keepends=True):
        content = line.strip()
        first = position + len(line) - len(line.lstrip())
        position += len(line)
        heading = _HEADING.match(content)
        is_underline = end > start and lines == 1 and _UNDERLINE.fullmatch(content) is not None
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
            lines = 0
        end = first + len(content)
        lines += 1
    if end > start:
        yield start, end, 0


class CitingClaim:
    """
    A claim without the words that only refer to its citations.

    Args:
        content: The claim.
        places: The spans of its citations, left to right.

    Attributes:
        text: The remaining text.
        sentences: The sentences with at least one term.
        parts: The assertions of these sentences.
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
            self.text[start:stop]: Assertion(self.text[start:stop])
            for start, stop in sentences(self.text[:MAX_ASSERTION_CHARS])
        }
        said = {text: part for text, part in read.items() if part.terms}
        self.sentences = list(said)
        self.parts = list(said.values())

    @property
    def is_empty(self) -> bool:
        """Whether the claim has too few words to be confirmed, or too many characters to be read."""
        return sum(len(part.terms) for part in self.parts) < MIN_WORDS or len(self.text) > MAX_ASSERTION_CHARS


class Assertion:
    """
    The content of one sentence.

    Attributes:
        terms: The content words, numbers, dates and units, left to right.
        negations: The number of negations.
        qualifiers: The words that restrict or reverse others.
    """

    __slots__ = ("_text", "negations", "qualifiers", "terms")

    def __init__(self, text: str) -> None:
        self._text = text
        read = read_terms(text[:MAX_ASSERTION_CHARS])
        self.negations = sum(term.kind in _NEGATION_KINDS for term in read)
        turning, function = _word_list("turning"), _word_list("function")
        self.qualifiers = {
            term.stem for term in read if term.kind in _QUALIFIER_KINDS or not turning.isdisjoint(term.form.split())
        }
        self.terms = [
            term
            for term in read
            if term.kind not in _NEGATION_KINDS and term.kind not in _FUNCTION_KINDS and term.form not in function
        ]

    def is_stated_in(self, statement: "Assertion") -> bool:
        """
        Return whether *statement* states all of this.

        Both must begin with the same term and have these terms in the same order, with at most one word and no number
        between two of them. They must have the same number of negations and the same qualifiers, and no condition,
        place or time may follow the last term in *statement*. The first two terms may be swapped: `we store readings`,
        `readings are stored`.
        """
        if self.negations != statement.negations or self.qualifiers != statement.qualifiers:
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
        if min(places) or any(term.kind in _VALUE_KINDS for term in left_out) or statement.is_qualified_after(last):
            return False
        return _are_close(places) or _are_close([*places[1::-1], *places[2:]])

    def is_qualified_after(self, place: int) -> bool:
        """Return whether a condition, a place or a time follows the term at *place* directly."""
        return _ADJUNCT.match(self._text, self.terms[place].end) is not None


def split_assertions(statement: str) -> list[Assertion]:
    """
    Return the assertions of *statement*: the whole, each of its joined clauses, and the part before a reason.
    """
    found = []
    for part in statement.split(";"):
        whole = Assertion(part)
        found.append(whole)
        if not whole.qualifiers and _CLAUSES.search(part):
            found += map(Assertion, _CLAUSES.split(part))
        reason = _REASON.search(part)
        if reason is not None and not Assertion(part[reason.end() : reason.end() + _MAX_REASON_START_CHARS]).qualifiers:
            found.append(Assertion(part[: reason.start()]))
    return found


def _are_close(places: Sequence[int]) -> bool:
    """Return whether each index closely follows the previous one."""
    return all(0 < after - before <= _MAX_SKIPPED_WORDS + 1 for before, after in pairwise(places))


def _is_same(term: Term, other: Term) -> bool:
    """
    Return whether both are the same value, or regular inflections of one word. Another tense may be another statement.
    """
    if term.stem != other.stem or (term.kind in _VALUE_KINDS) != (other.kind in _VALUE_KINDS):
        return False
    length = min(len(term.form), len(other.form)) - 1
    return term.kind in _VALUE_KINDS or term.form[:length] == other.form[:length]


def _word_list(name: str) -> frozenset[str]:
    """Return a word list of the section `statements`, which only English has."""
    return word_list("en", "statements", name)


@cache
def _not_in_force() -> re.Pattern[str]:
    """Return the pattern for headings of sections on context, alternatives or history."""
    return re.compile(rf"\b(?:{one_of(_word_list('not_in_force'))})\b", re.IGNORECASE)


@cache
def _pointing() -> re.Pattern[str]:
    """Return the pattern for words that only refer to a citation: `as decided in ADR-3`, `ADR-3 says that`."""
    cues, telling = one_of(_word_list("pointing")), one_of(_word_list("telling"))
    beside = rf"(?:\b(?:{cues})\b[\s.:,]*+){{0,6}}+"
    return re.compile(
        rf"(?:(?<!\s)|(?!\s)){beside}[(\[]?\s*+{beside}{_CITED}\s*+[)\]]?(?:[\s,:]*+\b(?:{telling})\b(?:\s+that\b)?)?",
        re.IGNORECASE,
    )
