"""
Statements that somebody else made of prose, held to its words.

A statement stands on a sentence if its words are words of that sentence, in their order, and
numbers and denials are the same. Little words (`she`, `is`, `the`) and names of the text may
come on top: a part of a sentence shares its subject with another one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from groundwire.faithfulness.claims import Claim, ClaimKind
from groundwire.faithfulness.claims_statements import atomic_statements, sentences_of, statements_of
from groundwire.faithfulness.support.lexical import Topic
from groundwire.faithfulness.support.words import Word, denials_in, is_content, is_name_like, read_words

__all__ = ["Checked", "StatementReader", "Statements", "prose_statements"]

_LITTLE = """
i he she they we it his her their its my our the a an who that
is are was were am be has have had does do did to of in on at and
"""
_GLUE = frozenset(_LITTLE.split())


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
    names = {word.stem for sentence in sentences for word in sentence.words if is_name_like(sentence.text, word)}
    dropped = 0
    for statement in dict.fromkeys(" ".join(each.split()) for each in proposed):
        words = read_words(statement)
        holder = next((each for each in sentences if each.holds(statement, words, names)), None)
        if holder is None:
            dropped += 1
        else:
            holder.take(statement, words)
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
        self.words = read_words(text)
        self.taken: list[str] = []
        self._open = {word.stem for word in self.words if is_content(word)}
        self._denials = {self.words[place].text for place in denials_in(self.words)}

    @property
    def is_covered(self) -> bool:
        """Whether the statements have all words of content and all denials of the sentence."""
        return bool(self.taken) and not self._open and not self._denials

    def holds(self, statement: str, words: Sequence[Word], names: set[str]) -> bool:
        """Tell whether *statement* stands on this sentence."""
        stems = [word.stem for word in self.words]
        place = 0
        for word in words:
            if word.stem not in names and word.stem in stems[place:]:
                place = stems.index(word.stem, place) + 1
            elif word.text not in _GLUE and word.stem not in names:
                return False
        topic = Topic(Claim(statement, "", statement, ClaimKind.STATEMENT, ""))
        known = {*stems, *names}
        return (
            bool(place and topic.stems)
            and topic.has_details_in(self.text, known)
            and not topic.is_denied_otherwise(self.words)
        )

    def take(self, statement: str, words: Sequence[Word]) -> None:
        """Keep *statement*."""
        self.taken.append(statement)
        self._open -= {word.stem for word in words}
        self._denials -= {words[place].text for place in denials_in(words)}
