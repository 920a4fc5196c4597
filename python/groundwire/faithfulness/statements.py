"""
Splits prose into atomic statements.

`She leads a team of five and prefers email.` makes two statements, and both have the subject. The rules know the verbs
of typical profiles; a sentence that they do not understand stays whole.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from groundwire._engine import ClaimIndex, sentences
from groundwire.language import Term, detect_language, one_of, read_terms, reader, word_list
from groundwire.language.questions import is_question

__all__ = [
    "ExtractedStatements",
    "StatementReader",
    "is_narrative",
    "prose_statements",
    "sentences_of",
    "statements_of",
]

_NARRATIVES = """
bio biography about description summary overview story narrative introduction intro background profile persona
scenario day_in_the_life short_bio backstory
"""
_NARRATIVE_KEYS = frozenset(_NARRATIVES.split())
_PROSE_WORDS = 12
_SENTENCE_WORDS = 4
_MAX_SENTENCE_CHARS = 2_000
# The verb of a clause must be among its first words; clauses with longer subjects are not split.
_VERB_WITHIN_WORDS = 6
_ENDS_SENTENCE = re.compile(r"[.!?…。！？][\"'”’»)\]]*\Z")
_BULLET = re.compile(r"\s*+(?:[-*+•‣·]|\d{1,3}[.)])\s+")
_BEFORE_BULLET = re.compile(r"[\r\n](?=[ \t]{0,9}(?:[-*+•‣·]|\d{1,3}[.)])[ \t])")
_TRIMMED = " \t,;"


def is_narrative(key: str) -> bool:
    """Return whether a field with this folded key holds prose about the person that needs no heading: `bio`."""
    return key in _NARRATIVE_KEYS


def _words(name: str) -> frozenset[str]:
    """Return a word list of the section `clauses`, which only English has."""
    return word_list("en", "clauses", name)


@cache
def _denials() -> frozenset[str]:
    return word_list("en", "polarity", "negations") | word_list("en", "polarity", "near_negations")


@cache
def _clause() -> re.Pattern[str]:
    """Return the pattern of a joint between two clauses."""
    joints, after_comma = one_of(_words("joints")), one_of(_words("after_comma"))
    # A match starts only at the first blank of a row of blanks, so that a search takes linear time.
    return re.compile(rf"(?<!\s)\s*+;\s+|(?:,|(?<![\s,]))\s++(?:{joints})\s+|,\s+(?:(?:{after_comma})\s+)?")


def statements_of(text: str, *, is_item: bool = False) -> list[str] | None:
    """
    Return the statements of *text* in order; None if it is not prose.

    Prose has more than one sentence, or one sentence that ends with a full stop and has at least four words or a
    subject and a verb, or more than twelve words. A list item (*is_item*) with a single sentence is not prose.
    Questions state nothing.
    """
    found = [sentence for sentence in _sentences(text) if any(map(str.isalnum, sentence))]
    if not found or (len(found) == 1 and (is_item or not _is_sentence(found[0]))):
        return None
    return [statement for sentence in found if not is_question(sentence) for statement in _atomic_statements(sentence)]


def sentences_of(text: str) -> list[str]:
    """Return the sentences that state something, each on one line and without its bullet."""
    return [each for each in _sentences(text) if any(map(str.isalnum, each)) and not is_question(each)]


def _sentences(text: str) -> Iterator[str]:
    """Yield all sentences, each on one line and without its bullet."""
    for item in _BEFORE_BULLET.split(text):
        # A bullet precedes the first sentence of an item; the minus of `3 - 2` is not one.
        sign = _BULLET.match(item)
        content = item[sign.end() :] if sign else item
        for start, end in sentences(content):
            yield " ".join(content[start:end].split())


def _is_sentence(sentence: str) -> bool:
    words = sentence.split()
    if len(words) > _PROSE_WORDS:
        return True
    return _ENDS_SENTENCE.search(sentence) is not None and (len(words) >= _SENTENCE_WORDS or bool(_subject(words)))


def _atomic_statements(sentence: str) -> Iterator[str]:
    """Yield one statement for each clause that begins with a subject, or with a verb after a conjunction."""
    words = sentence.split()
    subject = _subject(words)
    if len(sentence) > _MAX_SENTENCE_CHARS or '"' in sentence or "“" in sentence or not subject:
        yield sentence
        return
    begin = 0
    head = ""
    for clause in _clause().finditer(sentence):
        follows = _begins_clause(sentence, begin, clause)
        if follows is None or not _can_end(sentence[begin : clause.start()]):
            continue
        yield _closed(head + sentence[begin : clause.start()])
        begin, head = clause.end(), "" if follows == "subject" else f"{subject} "
    yield _closed(head + sentence[begin:]) if begin else sentence


def _subject(words: list[str]) -> str:
    """Return the words before the first verb if they can name a person, like `She` or `Sarah Chen`, else ""."""
    for place, word in enumerate(words[:_VERB_WITHIN_WORDS]):
        if word in ("and", "or", "but"):
            return ""
        # A noun follows a possessive like `her`: her plans.
        if place and _is_verb(word) and not (place == 1 and words[0].lower() in _words("before_nouns")):
            who = words[:place]
            while len(who) > 1 and _is_adverb(who[-1].lower()):
                who.pop()
            return " ".join(who) if _is_subject(who) else ""
    return ""


def _is_verb(word: str) -> bool:
    return word.lower().replace("’", "'") in _words("verbs")


def _is_adverb(word: str) -> bool:
    return word in _words("adverbs") or (word.endswith("ly") and word not in _denials())


def _is_subject(words: list[str]) -> bool:
    if any(word.lower() in _denials() for word in words):
        return False
    return words[0].lower() in _words("subjects") or all(word[:1].isupper() for word in words)


def _begins_clause(sentence: str, begin: int, clause: re.Match[str]) -> str | None:
    """Return what follows a conjunction: a "subject" with its verb, a "verb" of the previous subject, or None."""
    following = [
        word.lower().rstrip(",.")
        for word in sentence[clause.end() :].split(maxsplit=_VERB_WITHIN_WORDS)[:_VERB_WITHIN_WORDS]
    ]
    joint = clause[0].strip() or ","
    if len(following) < 2:
        return None
    if joint != "," and _is_clause(following, is_name=sentence[clause.end()].isupper()):
        return "subject"
    before = [word.lower().strip(_TRIMMED) for word in sentence[begin : clause.start()].split()]
    if joint.lstrip(", ") not in {"", *_words("verb_joints")} or _is_subordinate(before):
        return None
    verb = next((word for word in following if _is_verb(word) or not (word in _denials() or _is_adverb(word))), "")
    # After a comma or another noun, a verb that is also a noun may be a noun: `plans and reports`.
    may_be_noun = verb in _words("nouns_too") and (joint == "," or before[-1].endswith("s"))
    return "verb" if _is_verb(verb) and not may_be_noun and before[-1] not in _words("before_nouns") else None


def _is_clause(words: list[str], *, is_name: bool) -> bool:
    """Return whether *words* begin with a subject and its verb, without a conjunction before the verb."""
    if is_name:
        return _is_verb(words[1])
    reach = next((place for place, word in enumerate(words) if word in ("and", "or", "but", "that", "who")), len(words))
    return words[0] in _words("subjects") and any(map(_is_verb, words[1:reach]))


def _is_subordinate(words: list[str]) -> bool:
    """Return whether the next verb may belong to a subordinate clause: `a brother who lives there and works`."""
    inner = [word for word in words if word in _words("subordinators")]
    # In `she is a manager who lives there` both clauses are about the same person.
    return bool(inner) and not (inner == ["who"] and not {"is", "was"}.isdisjoint(words[: words.index("who")]))


def _can_end(clause: str) -> bool:
    words = clause.split()
    return len(words) >= 2 and any(_is_verb(word.strip(_TRIMMED)) for word in words)


def _closed(statement: str) -> str:
    """Return a part of a sentence as a sentence."""
    trimmed = statement.strip(_TRIMMED)
    shown = trimmed[:1].upper() + trimmed[1:]
    return shown if _ENDS_SENTENCE.search(shown) else f"{shown}."


_CONTENT = frozenset({"content", "name", "number", "date", "time", "denial", "negation", "reference"})


@dataclass(frozen=True, slots=True)
class ExtractedStatements:
    """
    The statements that a language model extracted from prose.

    Attributes:
        by_text: The statements of each text that was read. The rules split all other texts.
        warnings: Requests that failed and statements that were dropped.
    """

    by_text: Mapping[str, tuple[str, ...]]
    warnings: tuple[str, ...] = ()

    def split(self, text: str, *, is_item: bool) -> list[str] | None:
        """Return the statements of *text*, by the rules if the model has not read it; None if it is not prose."""
        statements = statements_of(text, is_item=is_item)
        return statements if statements is None or text not in self.by_text else list(self.by_text[text])


class StatementReader(Protocol):
    """A model that splits prose into statements instead of the rules."""

    @property
    def name(self) -> str:
        """The name of the model."""

    def read(self, texts: Sequence[str]) -> ExtractedStatements:
        """Return the statements of each of *texts*. Failures become warnings."""


@dataclass(frozen=True, slots=True)
class _Checked:
    """
    The checked statements of one text.

    Attributes:
        statements: The statements, in the order of the sentences.
        dropped: The number of proposed statements that no sentence contains.
        by_rules: The number of sentences that the proposed statements do not cover.
    """

    statements: tuple[str, ...]
    dropped: int
    by_rules: int


def prose_statements(text: str, proposed: Iterable[str]) -> _Checked:
    """
    Return the *proposed* statements that *text* contains, and rule-based statements for sentences they do not cover.
    """
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
        for statement in (each.taken if each.is_covered else _atomic_statements(each.text))
    ]
    return _Checked(tuple(statements), dropped, len(by_rules))


class _Sentence:
    """A sentence and the statements that it contains."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.terms = read_terms(text)
        self.taken: list[str] = []
        self._index = ClaimIndex(reader(), [text], language=detect_language(text))
        self._stems = [term.stem for term in self.terms if term.kind in _CONTENT]
        self._open = {_key_of(term) for term in self.terms if term.kind in _CONTENT}

    @property
    def is_covered(self) -> bool:
        """Whether the statements have all content words, values and negations of the sentence."""
        return bool(self.taken) and not self._open

    def holds(self, statement: str, names: Set[str]) -> bool:
        """Return whether this sentence contains a statement, which may also have *names* that the text mentions."""
        if not _annotations(statement) <= _annotations(self.text):
            # The reader skips annotations, so their content would pass unread.
            return False
        shortened = "".join(_without(statement, names))
        return self._is_in_order(shortened) and (self._supports(statement) or self._supports(shortened))

    def _supports(self, statement: str) -> bool:
        return any(status == "supported" for _, _, (status, *_), *_ in self._index.nearest(statement, 1))

    def _is_in_order(self, statement: str) -> bool:
        """Return whether the shared words have the same order in both."""
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
        self._open -= {_key_of(term) for term in terms}


_ANNOTATION = re.compile(r"<[^<>]*>|\[[^\[\]]*\]")


def _annotations(text: str) -> frozenset[str]:
    """Return the bracketed annotations of *text*. They have no terms."""
    return frozenset(_ANNOTATION.findall(text))


def _key_of(term: Term) -> int | str:
    """
    Return the key under which a term must recur: its stem, but the form of a negation, because `not` is not `never`.
    """
    return term.form if term.kind == "negation" else term.stem


def _without(text: str, words: Set[str]) -> Iterator[str]:
    """Yield the segments of *text* between *words*, which are in lower case."""
    done = 0
    for term in read_terms(text):
        if term.form in words:
            yield text[done : term.start]
            done = term.end
    yield text[done:]
