"""
Prose as statements: sentences, and the parts of them that say something by themselves.

`She leads a team of five and prefers email.` says two things. Each becomes a
statement with the subject that both have. The rules know the verbs that profiles of
people are written with; a sentence that they do not understand stays whole.
"""

import re
from collections.abc import Iterator
from functools import cache

from groundwire._engine import sentences
from groundwire.language import one_of, word_list
from groundwire.language.questions import is_question

__all__ = ["atomic_statements", "is_narrative", "sentences_of", "statements_of"]

_NARRATIVES = """
bio biography about description summary overview story narrative introduction intro background profile persona
scenario day_in_the_life short_bio backstory
"""
_NARRATIVE_KEYS = frozenset(_NARRATIVES.split())
_PROSE_WORDS = 12
_SENTENCE_WORDS = 4
_LONGEST_CHARS = 2_000
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
    return [statement for sentence in found if not is_question(sentence) for statement in atomic_statements(sentence)]


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


def atomic_statements(sentence: str) -> Iterator[str]:
    """Yield the statements of one sentence: as many as begin with a subject or a verb behind a conjunction."""
    words = sentence.split()
    subject = _subject(words)
    if len(sentence) > _LONGEST_CHARS or '"' in sentence or "“" in sentence or not subject:
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
    for place, word in enumerate(words[:6]):
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
    following = [word.lower().rstrip(",.") for word in sentence[clause.end() :].split(maxsplit=6)[:6]]
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
