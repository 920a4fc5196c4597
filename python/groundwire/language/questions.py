"""
Recognises questions, and the answers that affirm them.

A question states nothing, whoever asks it (ruling D12). There are word lists for English, German, French, Spanish,
Russian, Chinese, Japanese and Korean; a question mark counts in every language.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from groundwire._engine import sentences

__all__ = [
    "QUESTION_MARKS",
    "is_affirmation",
    "is_open_question",
    "is_question",
    "is_single_question",
    "may_affirm",
    "may_ask_and_affirm",
    "question_spans",
]

QUESTION_MARKS = ("?", "？", "؟")
_CLOSING = " \t\r\n\"'”’»」』)]*_!！"
# Endings of questions without a question mark.
_ASKING_ENDINGS = (*(f"{form}か" for form in ("です", "ます", "でした", "ました", "ません", "でしょう")), "吗", "嗎")
_LEADING = r"(?:(?:so|and|but|ok|okay|well|now|then|great|right)[ ,]+){0,3}"
# English questions without a question mark, as in speech recognition: `so do you work here`.
_INVERTED = re.compile(
    rf"{_LEADING}(?:(?:what|which|who|where|when|why|how)\b(?: \w+){{0,3}} )?"
    r"(?:do|did|are|were|have|can|could|would|will)(?:n['’]t)? you\b",
    re.IGNORECASE,
)
# A text without any of these has no question, unless it begins like the form above.
_SIGNS_OF_QUESTIONS = ("?", "？", "؟", "吗", "嗎", "か")

_YES = """
yes yeah yep yup yea yah aye indeed exactly absolutely definitely certainly
ja jawohl genau oui ouais exactement sí да ага конечно верно именно
"""
_YES_PHRASES = ("of course", "that's right", "that's correct", "that is right", "that is correct", "that's true")
# These affirm only if nothing follows directly: `I have two` and `right now` do not.
_YES_ALONE = (
    *("i am", "i do", "i did", "i have", "we are", "we do", "we have", "right", "correct", "true", "sure"),
    *("stimmt", "richtig", "natürlich", "doch", "bien sûr", "tout à fait"),
    *("claro", "exacto", "correcto", "por supuesto"),
)
_YES_UNSPACED = (
    "是的|是啊|对的|对啊|没错|当然|嗯|對|对|是|はい|ええ|うん|そうです|もちろん|네|예|맞아요|맞습니다|그렇습니다"
)


def _one_of(phrases: Iterable[str]) -> str:
    return "|".join(re.escape(phrase).replace("'", "['’]") for phrase in phrases)


_AFFIRMATION = re.compile(
    rf"""[\s\-–—"“«]*(?:(?:oh|well|um|uh|mm)[ ,]+)?(?:
    (?:{_one_of(_YES_PHRASES)}|{_one_of(_YES.split())})(?![^\W_])
    |(?:{_one_of(_YES_ALONE)})(?=\s?(?:[,.;!–—]|\Z))
    |(?:{_YES_UNSPACED}))""",
    re.IGNORECASE | re.VERBOSE,
)

# Words that withdraw an affirmation, or leave it open.
_RESERVATIONS = """
no not never used formerly previously but although though until unless if maybe perhaps
nein nicht kein keine keinen früher aber bis falls vielleicht non pas plus jamais avant mais autrefois peut-être
no nunca antes pero tal vez нет не раньше но никогда может
"""
_RESERVED_WORDS = frozenset(_RESERVATIONS.split())
_RESERVED_PIECES = (
    *("n't", "n’t", "不", "没有", "以前", "曾经", "但", "ない", "ません", "でも", "昔", "않", "전에", "하지만"),
)
_ALTERNATIVES = frozenset({"or", "oder", "ou", "o", "или"})
_ALTERNATIVE_PIECES = ("还是", "或者", "それとも", "아니면")

_INTERROGATIVES = """
what which who whom whose where when why how welche welcher welches wer wen wem wo wohin woher wann warum wieso wie
wieviele qué quién quiénes cuál cuáles dónde cuándo cómo cuánto cuánta cuántos cuántas quoi qui quel quelle quels
quelles où quand pourquoi comment combien что кто где когда почему как какой какая какие сколько
qu'est-ce qu’est-ce
"""
_INTERROGATIVE_WORDS = frozenset(_INTERROGATIVES.split())
_INTERROGATIVE_PIECES = (
    *("什么", "谁", "哪", "何时", "为什么", "怎么", "多少", "几", "何", "誰", "どこ", "いつ", "なぜ", "どう", "いくつ"),
    *("무엇", "무슨", "누구", "어디", "언제", "왜", "어떻게", "몇"),
)
# `Was` begins an open question in German, but not in English.
_GERMAN_WHAT = re.compile(
    r"\W*(?:und |aber |also )?was (?!(?:i|you|he|she|it|we|they|the|this|that|there|your|my|a|an)\b)",
    re.IGNORECASE,
)
_FIRST_WORDS = 4
_REPLY_CHARS = 40
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")


def is_question(sentence: str) -> bool:
    """Return whether a sentence is a question: it ends with a question mark, or has the form of a question."""
    said = sentence.rstrip(_CLOSING)
    if said.endswith(QUESTION_MARKS) or said.rstrip("。．").endswith(_ASKING_ENDINGS):
        return True
    return _INVERTED.match(sentence.lstrip("\"'“‘«「『( \t\r\n")) is not None


@lru_cache(maxsize=1024)
def question_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of the questions in *text*, left to right."""
    if not any(sign in text for sign in _SIGNS_OF_QUESTIONS) and _INVERTED.match(text) is None:
        return ()
    return tuple((start, end) for start, end in sentences(text) if is_question(text[start:end]))


def is_open_question(sentence: str) -> bool:
    """Return whether a question requires more than yes or no: `how long`, `where`."""
    first = [word.lower() for word in _WORD.findall(sentence)[:_FIRST_WORDS]]
    if not _INTERROGATIVE_WORDS.isdisjoint(first) or _GERMAN_WHAT.match(sentence) is not None:
        return True
    return any(piece in sentence for piece in _INTERROGATIVE_PIECES)


def may_affirm(text: str) -> bool:
    """Return whether *text* begins with a yes."""
    return _AFFIRMATION.match(text) is not None


def may_ask_and_affirm(text: str) -> bool:
    """Return whether a yes directly follows a question mark in *text*."""
    for mark in QUESTION_MARKS:
        place = text.find(mark)
        while place >= 0:
            if may_affirm(text[place + 1 : place + 1 + _REPLY_CHARS].lstrip(_CLOSING)):
                return True
            place = text.find(mark, place + 1)
    return False


def is_affirmation(sentence: str) -> bool:
    """Return whether a sentence begins with a yes and withdraws nothing, unlike `Yes, until last year`."""
    if not may_affirm(sentence) or is_question(sentence):
        return False
    lower = sentence.lower()
    return _RESERVED_WORDS.isdisjoint(_WORD.findall(lower)) and not any(piece in lower for piece in _RESERVED_PIECES)


def is_single_question(sentence: str) -> bool:
    """Return whether a yes affirms the whole question: it has no alternative, no negation, no `how` or `where`."""
    lower = sentence.lower()
    words = _WORD.findall(lower)
    is_one = _ALTERNATIVES.isdisjoint(words) and not any(piece in lower for piece in _ALTERNATIVE_PIECES)
    is_plain = "not" not in words and not any(word.endswith(("n't", "n’t")) for word in words)
    return is_one and is_plain and not is_open_question(sentence)
