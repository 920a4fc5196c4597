"""
Prose as statements: sentences, and the parts of them that say something by themselves.

`She leads a team of five and prefers email.` says two things. Each becomes a
statement with the subject that both have. The rules know the verbs that profiles of
people are written with; a sentence that they do not understand stays whole.
"""

import re
from collections.abc import Iterator

from groundwire._engine import sentences
from groundwire.faithfulness.claims_words import (
    ADVERBS,
    DENIALS,
    NOT_VERBS_AFTER,
    NOUNS_TOO,
    SUBJECT_WORDS,
    VERBS,
)

__all__ = ["is_narrative", "statements_of"]

_NARRATIVES = """
bio biography about description summary overview story narrative introduction intro background profile persona
scenario day_in_the_life short_bio backstory
"""
_NARRATIVE_KEYS = frozenset(_NARRATIVES.split())
_PROSE_WORDS = 12
_SENTENCE_WORDS = 4
_LONGEST_CHARS = 2_000
_ENDS_SENTENCE = re.compile(r"[.!?…。！？][\"'”’»)\]]*\Z")
_BULLET = re.compile(r"\s*(?:[-*+•‣·]|\d{1,3}[.)])\s+")
_BEFORE_BULLET = re.compile(r"[\r\n](?=[ \t]{0,9}(?:[-*+•‣·]|\d{1,3}[.)])[ \t])")
_CLAUSE = re.compile(r"\s*;\s+|,?\s+(?:and|but|while|whereas|although|though|yet)\s+|,\s+(?:so|because)\s+")
_TRIMMED = " \t,;"


def is_narrative(key: str) -> bool:
    """Tell whether a field with this folded key holds prose on the person that needs no heading: `bio`."""
    return key in _NARRATIVE_KEYS


def statements_of(text: str, *, is_item: bool = False) -> list[str] | None:
    """
    Return what *text* states, in order; None if it is no prose.

    Prose is more than one sentence; or one that ends like one and has four words, or
    that has more than twelve. A single sentence that *is_item* of a list is no prose.
    Questions state nothing.
    """
    found = [sentence for sentence in _sentences(text) if any(map(str.isalnum, sentence))]
    if not found or (len(found) == 1 and (is_item or not _is_sentence(found[0]))):
        return None
    return [statement for sentence in found if not _is_question(sentence) for statement in _atomic(sentence)]


def _sentences(text: str) -> Iterator[str]:
    """The sentences, each on one line and without the sign of a list before it."""
    for item in _BEFORE_BULLET.split(text):
        for start, end in sentences(item):
            yield " ".join(_BULLET.sub("", item[start:end], count=1).split())


def _is_question(sentence: str) -> bool:
    return sentence.rstrip("\"'”’»)]").endswith(("?", "？"))


def _is_sentence(sentence: str) -> bool:
    count = len(sentence.split())
    return count > _PROSE_WORDS or (count >= _SENTENCE_WORDS and _ENDS_SENTENCE.search(sentence) is not None)


def _atomic(sentence: str) -> Iterator[str]:
    """The statements of one sentence: as many as begin with a subject or a verb behind a conjunction."""
    words = sentence.split()
    subject = _subject(words)
    if len(sentence) > _LONGEST_CHARS or '"' in sentence or "“" in sentence or not subject:
        yield sentence
        return
    begin = 0
    head = ""
    for clause in _CLAUSE.finditer(sentence):
        follows = _begins_clause(sentence, clause)
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
        if place and word.lower() in VERBS and not (place == 1 and words[0].lower() in NOT_VERBS_AFTER):
            who = words[:place]
            while len(who) > 1 and _is_adverb(who[-1].lower()):
                who.pop()
            return " ".join(who) if _is_subject(who) else ""
    return ""


def _is_adverb(word: str) -> bool:
    return word in ADVERBS or (word.endswith("ly") and word not in DENIALS)


def _is_subject(words: list[str]) -> bool:
    if any(word.lower() in DENIALS for word in words):
        return False
    return words[0].lower() in SUBJECT_WORDS or all(word[:1].isupper() for word in words)


def _begins_clause(sentence: str, clause: re.Match[str]) -> str | None:
    """What the clause behind a conjunction begins with: a "subject" of its own, a "verb", or neither."""
    rest = sentence[clause.end() :].split(maxsplit=6)[:6]
    if len(rest) < 2:
        return None
    first = rest[0].lower().rstrip(",")
    # Behind a semicolon, and behind a verb that needs one, stands a subject; `and` also joins nouns.
    if first in SUBJECT_WORDS and any(word.lower().rstrip(",.") in VERBS for word in rest[1:]):
        return "subject"
    if rest[0][:1].isupper() and rest[1].lower() in VERBS:
        return "subject"
    before = sentence[: clause.start()].rsplit(maxsplit=1)[-1].lower().strip(_TRIMMED)
    if clause[0].strip(_TRIMMED) not in ("and", "but", "though", "yet") or first not in VERBS:
        return None
    is_noun = before in NOT_VERBS_AFTER or (first in NOUNS_TOO and before.endswith("s"))
    return None if is_noun else "verb"


def _can_end(clause: str) -> bool:
    words = clause.split()
    return len(words) >= 2 and any(word.lower().strip(_TRIMMED) in VERBS for word in words)


def _closed(statement: str) -> str:
    """Return a part of a sentence as a sentence."""
    trimmed = statement.strip(_TRIMMED)
    shown = trimmed[:1].upper() + trimmed[1:]
    return shown if _ENDS_SENTENCE.search(shown) else f"{shown}."
