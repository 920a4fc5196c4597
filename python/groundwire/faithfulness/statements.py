"""
Prose as statements: sentences, and the parts of them that say something by themselves.

`She leads a team of five and prefers email.` says two things. Each becomes a
statement with the subject that both have. The rules know the verbs that profiles of
people are written with; a sentence that they do not understand stays whole.
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
# The words at the beginning of a clause among which its verb is looked for: a longer subject is not divided.
_VERB_WITHIN_WORDS = 6
_ENDS_SENTENCE = re.compile(r"[.!?…。！？][\"'”’»)\]]*\Z")
_BULLET = re.compile(r"\s*+(?:[-*+•‣·]|\d{1,3}[.)])\s+")
_BEFORE_BULLET = re.compile(r"[\r\n](?=[ \t]{0,9}(?:[-*+•‣·]|\d{1,3}[.)])[ \t])")
_TRIMMED = " \t,;"


def is_narrative(key: str) -> bool:
    """Tell whether a field with this folded key holds prose on the person that needs no heading: `bio`."""
    return key in _NARRATIVE_KEYS


def _words(name: str) -> frozenset[str]:
    """The words of a list of the section `clauses`; only English has them."""
    return word_list("en", "clauses", name)


@cache
def _denials() -> frozenset[str]:
    return word_list("en", "polarity", "negations") | word_list("en", "polarity", "near_negations")


@cache
def _clause() -> re.Pattern[str]:
    """What stands between two clauses."""
    joints, after_comma = one_of(_words("joints")), one_of(_words("after_comma"))
    # White space begins a match only where it begins itself: a search from inside a row of it finds the same again.
    return re.compile(rf"(?<!\s)\s*+;\s+|(?:,|(?<![\s,]))\s++(?:{joints})\s+|,\s+(?:(?:{after_comma})\s+)?")


def statements_of(text: str, *, is_item: bool = False) -> list[str] | None:
    """
    Return what *text* states, in order; None if it is no prose.

    Prose is more than one sentence; or one that ends like one and has four words, or a
    subject and a verb; or one that has more than twelve. A single sentence that *is_item* of a list is no prose.
    Questions state nothing.
    """
    found = [sentence for sentence in _sentences(text) if any(map(str.isalnum, sentence))]
    if not found or (len(found) == 1 and (is_item or not _is_sentence(found[0]))):
        return None
    return [statement for sentence in found if not is_question(sentence) for statement in _atomic_statements(sentence)]


def sentences_of(text: str) -> list[str]:
    """Return the sentences of prose that state something, each on one line and without the sign of a list before it."""
    return [each for each in _sentences(text) if any(map(str.isalnum, each)) and not is_question(each)]


def _sentences(text: str) -> Iterator[str]:
    """The sentences, each on one line and without the sign of a list before it."""
    for item in _BEFORE_BULLET.split(text):
        # The sign of a list stands before its first sentence; `3 - 2` has none.
        sign = _BULLET.match(item)
        said = item[sign.end() :] if sign else item
        for start, end in sentences(said):
            yield " ".join(said[start:end].split())


def _is_sentence(sentence: str) -> bool:
    words = sentence.split()
    if len(words) > _PROSE_WORDS:
        return True
    return _ENDS_SENTENCE.search(sentence) is not None and (len(words) >= _SENTENCE_WORDS or bool(_subject(words)))


def _atomic_statements(sentence: str) -> Iterator[str]:
    """Yield the statements of one sentence: as many as begin with a subject or a verb behind a conjunction."""
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
    """The words before the first verb, if they can be who is spoken of: `She`, `Sarah Chen`."""
    for place, word in enumerate(words[:_VERB_WITHIN_WORDS]):
        if word in ("and", "or", "but"):
            return ""
        # Behind `her` alone stands a noun: her plans.
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
    """What stands behind a conjunction: a "subject" with its verb, a "verb" of the subject before, or neither."""
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
    # What is also a noun may be one behind a comma, and behind another noun: `plans and reports`.
    may_be_noun = verb in _words("nouns_too") and (joint == "," or before[-1].endswith("s"))
    return "verb" if _is_verb(verb) and not may_be_noun and before[-1] not in _words("before_nouns") else None


def _is_clause(words: list[str], *, is_name: bool) -> bool:
    """Whether *words* begin with a subject that a verb follows, and no other conjunction before it."""
    if is_name:
        return _is_verb(words[1])
    reach = next((place for place, word in enumerate(words) if word in ("and", "or", "but", "that", "who")), len(words))
    return words[0] in _words("subjects") and any(map(_is_verb, words[1:reach]))


def _is_subordinate(words: list[str]) -> bool:
    """Whether the next verb may belong to a clause inside of this one: `a brother who lives there and works`."""
    inner = [word for word in words if word in _words("subordinators")]
    # Of `she is a manager who lives there` both are the same person.
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

    def read(self, texts: Sequence[str]) -> ExtractedStatements:
        """Return what each of *texts* states; whatever goes wrong is a warning."""


@dataclass(frozen=True, slots=True)
class _Checked:
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


def prose_statements(text: str, proposed: Iterable[str]) -> _Checked:
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
        for statement in (each.taken if each.is_covered else _atomic_statements(each.text))
    ]
    return _Checked(tuple(statements), dropped, len(by_rules))


class _Sentence:
    """A sentence, and the statements that stand on it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.terms = read_terms(text)
        self.taken: list[str] = []
        self._index = ClaimIndex(reader(), [text], language=detect_language(text))
        self._stems = [term.stem for term in self.terms if term.kind in _CONTENT]
        self._open = {_said(term) for term in self.terms if term.kind in _CONTENT}

    @property
    def is_covered(self) -> bool:
        """Whether the statements have all words of content, values and denials of the sentence."""
        return bool(self.taken) and not self._open

    def holds(self, statement: str, names: Set[str]) -> bool:
        """Tell whether a statement says what this sentence says; *names* of the text may come on top."""
        if not _annotations(statement) <= _annotations(self.text):
            # The reader skips an annotation, so anything in it would pass unread.
            return False
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
        self._open -= {_said(term) for term in terms}


_ANNOTATION = re.compile(r"<[^<>]*>|\[[^\[\]]*\]")


def _annotations(text: str) -> frozenset[str]:
    """Return the bracketed annotations of *text*, which have no terms."""
    return frozenset(_ANNOTATION.findall(text))


def _said(term: Term) -> int | str:
    """What has to be said again: a word in any form, but of a negation itself, since `not` is less than `never`."""
    return term.form if term.kind == "negation" else term.stem


def _without(text: str, words: Set[str]) -> Iterator[str]:
    """Yield the pieces of *text* between *words*, which are in small letters."""
    done = 0
    for term in read_terms(text):
        if term.form in words:
            yield text[done : term.start]
            done = term.end
    yield text[done:]
