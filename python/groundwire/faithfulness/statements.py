"""
Statements that somebody else made of prose, held to its words.

A statement is kept if one sentence supports it by the language layer, and its words follow each other as they do
there. Names of the text may be added: a part of a sentence shares its subject with another one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Protocol

from groundwire._engine import ClaimIndex
from groundwire.faithfulness.claims_statements import atomic_statements, sentences_of, statements_of
from groundwire.language import Term, detect_language, read_terms, reader

__all__ = ["Checked", "StatementReader", "Statements", "prose_statements"]

_CONTENT = frozenset({"content", "name", "number", "date", "time", "denial", "negation", "reference"})


@dataclass(frozen=True, slots=True)
class Statements:
    """
    What prose states.

    Attributes:
        by_text: The statements of each text that was read; others are taken apart by the rules.
        warnings: What was asked for and did not come, or was left out.
    """

    by_text: Mapping[str, tuple[str, ...]]
    warnings: tuple[str, ...] = ()

    def take_apart(self, text: str, *, is_item: bool) -> list[str] | None:
        """Return the statements of *text*; what is prose, and that of texts that were not read, the rules say."""
        statements = statements_of(text, is_item=is_item)
        return statements if statements is None or text not in self.by_text else list(self.by_text[text])


class StatementReader(Protocol):
    """Whoever takes prose apart in the place of the rules."""

    @property
    def name(self) -> str:
        """Which model it is."""

    def read(self, texts: Sequence[str]) -> Statements:
        """Return what each of *texts* states; whatever goes wrong is a warning."""


@dataclass(frozen=True, slots=True)
class Checked:
    """
    The statements of one text.

    Attributes:
        statements: They, in the order of its sentences.
        dropped: How many were proposed that stand on no sentence.
        by_rules: How many sentences the proposed ones do not cover.
    """

    statements: tuple[str, ...]
    dropped: int
    by_rules: int


def prose_statements(text: str, proposed: Iterable[str]) -> Checked:
    """Return those of the *proposed* statements that stand in *text*, with the rules' own of what they leave out."""
    sentences = [_Sentence(sentence) for sentence in sentences_of(text)]
    names = {term.form for sentence in sentences for term in sentence.terms if term.kind == "name"}
    dropped = 0
    for statement in dict.fromkeys(" ".join(each.split()) for each in proposed):
        terms = read_terms(statement)
        holder = next((each for each in sentences if each.holds(statement, names)), None)
        if holder is None:
            dropped += 1
        else:
            holder.take(statement, terms)
    by_rules = [each for each in sentences if not each.is_covered]
    statements = [
        statement
        for each in sentences
        for statement in (each.taken if each.is_covered else atomic_statements(each.text))
    ]
    return Checked(tuple(statements), dropped, len(by_rules))


class _Sentence:
    """A sentence, and the statements that stand on it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.terms = read_terms(text)
        self.taken: list[str] = []
        self._index = ClaimIndex(reader(), [text], language=detect_language(text))
        self._stems = [term.stem for term in self.terms if term.kind in _CONTENT]
        self._open = {term.stem for term in self.terms if term.kind in _CONTENT}

    @property
    def is_covered(self) -> bool:
        """Whether the statements have all words of content, values and denials of the sentence."""
        return bool(self.taken) and not self._open

    def holds(self, statement: str, names: Set[str]) -> bool:
        """Tell whether a statement says what this sentence says; *names* of the text may come on top."""
        said = "".join(_without(statement, names))
        return self._is_in_order(said) and (self._supports(statement) or self._supports(said))

    def _supports(self, statement: str) -> bool:
        return any(status == "supported" for _, _, (status, *_), *_ in self._index.nearest(statement, 1))

    def _is_in_order(self, statement: str) -> bool:
        """Whether the words that both have follow each other in the same order."""
        place = 0
        for term in read_terms(statement):
            if term.kind in _CONTENT and term.stem in self._stems:
                if term.stem not in self._stems[place:]:
                    return False
                place = self._stems.index(term.stem, place) + 1
        return True

    def take(self, statement: str, terms: Sequence[Term]) -> None:
        """Keep *statement*."""
        self.taken.append(statement)
        self._open -= {term.stem for term in terms}


def _without(text: str, words: Set[str]) -> Iterator[str]:
    """Yield the pieces of *text* between *words*, which are in small letters."""
    done = 0
    for term in read_terms(text):
        if term.form in words:
            yield text[done : term.start]
            done = term.end
    yield text[done:]
