"""What a quote leaves out beside it or inside it: conditions, negations and limits."""

import re
from functools import cache

from groundwire.evidence.lexicons import LATIN, Lexicon, load_lexicon
from groundwire.evidence.wording.marks import DEFAULT_MARKS, MarkNames
from groundwire.evidence.wording.readings import Languages
from groundwire.evidence.wording.tokens import Token, is_unspaced, tokenize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["hidden_meaning", "truncated_condition"]

_SIGHT_CHARS = 60
_LANGUAGE_CHARS = 200
_PHRASE_WORDS = 4
_UNSPACED_TERM_CHARS = 6
# A whole sentence that is no more than a denial or a condition speaks of its neighbours.
_BARE_DENIAL_WORDS = 3
_BARE_CONDITION_WORDS = 6
# Ordinals are days and lists; a longer number is a year.
_ORDINAL_DIGITS = 2

_MARK = r"</?[^\W\d_][^<>\n]{0,40}>|\[[^\]\n]{1,40}\]|\([a-z ]{1,40}\)|\{[^}\n]{1,40}\}"
_BETWEEN = re.compile(rf"(?:\s|[,、，،;–—-]|{_MARK})*")
_COMMAS = re.compile("[,、，،]")
_BLANK_LINE = re.compile(r"\n\s*\n")
_SENTENCE_ENDS = ".!?。！？؟…"
_CLOSING = " \t\n\"'”’»)]」』"
# What stands right after a quote: a mark that no condition begins with, or a word in Latin letters that is a token as
# it stands; what ends the token before a quote; and what may be around that.
_PLAIN_AFTER = re.compile(r"[\s,;–—-]*(?:[.:!?…\"“”]|([A-Za-z]+)(?=[\s.,;:!?…)\"”]))")
_LATIN_WORD = re.compile("[a-z]+")
_STOPS = '.!?:…"“”'
_AROUND_WORD = '"“(,;'
_SENTENCE_END = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s|$)|[。！？؟]+[」』”]*|\n\s*\n|\n(?=[^\n:]{1,40}:)")


def truncated_condition(source_text: str, start: int, end: int, *, marks: MarkNames = DEFAULT_MARKS) -> str | None:
    """
    Return the words beside a quote that restrict or deny it, or None.

    They are a condition (but, unless, except, only if, provided) or a negation
    right after `source_text[start:end]`, or a negation or limit (not, never,
    no, only, unless) right before it, in the same sentence. White space,
    commas, dashes and marks may be between; but a negation after a comma is
    another clause's, and a "no" before a comma an answer of its own. What is in
    one of the *marks*, named as `Source.marks` names them, is no word.
    """
    is_free_after = _ends_sentence(source_text, start, end) or _is_free_after(source_text, end)
    is_free_before = _is_free_before(source_text, start)
    if is_free_after and is_free_before:
        return None
    languages = Languages(source_text[max(0, start - _LANGUAGE_CHARS) : end + _LANGUAGE_CHARS])
    condition = None if is_free_after else _condition_after(source_text, end, languages, marks)
    return condition or (None if is_free_before else _limit_before(source_text, start, languages, marks))


def _ends_sentence(text: str, start: int, end: int) -> bool:
    return start < end and text[max(start, end - _SIGHT_CHARS) : end].rstrip(_CLOSING)[-1:] in _SENTENCE_ENDS


def _is_free_after(text: str, end: int) -> bool:
    """Whether the word after a quote is one that restricts nothing, in any language; False is no answer."""
    plain = _PLAIN_AFTER.match(text, end, end + _SIGHT_CHARS)
    return plain is not None and (plain[1] is None or plain[1].lower() not in _words_after())


def _is_free_before(text: str, start: int) -> bool:
    """The same for what stands before a quote: such a word, or the end of a sentence."""
    before = text[max(0, start - _SIGHT_CHARS) : start].rstrip()
    if not before or before[-1] in _STOPS:
        return True
    last = before.rsplit(None, 1)[-1]
    word = last.strip(_AROUND_WORD)
    return len(last) < len(before) and word.isascii() and word.isalpha() and word.lower() not in _words_before()


def _of_all(words_of: "Callable[[Lexicon], Iterable[str]]") -> frozenset[str]:
    """The words of all languages in Latin letters: which one it is, is not asked of a word that none has."""
    return frozenset(word for language in LATIN for word in words_of(load_lexicon(language)))


@cache
def _words_after() -> frozenset[str]:
    """The words that begin what restricts or denies right after a quote."""
    return _of_all(lambda lexicon: (*lexicon.denials, *(phrase.partition(" ")[0] for phrase in lexicon.conditions)))


@cache
def _words_before() -> frozenset[str]:
    """The words that end what restricts or denies right before a quote."""
    return _of_all(lambda lexicon: (*lexicon.denials, *(phrase.rpartition(" ")[2] for phrase in lexicon.limiters)))


@cache
def _words_between() -> frozenset[str]:
    """The words that begin what an ellipsis may hide."""
    return _of_all(lambda lexicon: (*lexicon.denials, *lexicon.limiter_beginnings))


def _condition_after(text: str, end: int, languages: Languages, marks: MarkNames) -> str | None:
    between = _BETWEEN.match(text, end, end + _SIGHT_CHARS)
    place = between.end() if between else end
    if _BLANK_LINE.search(text, end, place):
        return None
    if is_unspaced(text[place : place + 1] or " "):
        conditions = languages.of(text[place]).conditions
        return next((term for term in conditions if text.startswith(term, place) or text.startswith(term, end)), None)
    tokens = tokenize(text, place, min(len(text), place + _SIGHT_CHARS), marks, most=_PHRASE_WORDS)
    if not tokens or tokens[0].start != place:
        return None
    lexicon = languages.of(tokens[0].text)
    words = [token.text for token in tokens]
    for size in range(len(words), 0, -1):
        if " ".join(words[:size]) in lexicon.conditions:
            return text[place : tokens[size - 1].end]
    is_clause_of_its_own = _COMMAS.search(text, end, place)
    if not is_clause_of_its_own and _denies(words[0], lexicon, languages):
        return text[place : tokens[0].end]
    return None


def _limit_before(text: str, start: int, languages: Languages, marks: MarkNames) -> str | None:
    low = max(0, start - _SIGHT_CHARS)
    tokens = tokenize(text, low, start, marks)[-_PHRASE_WORDS:]
    if not tokens:
        return None
    last = tokens[-1]
    between = _BETWEEN.fullmatch(text, last.end, start)
    if not between or _BLANK_LINE.search(text, last.end, start):
        return None
    if is_unspaced(last.text[0]):
        return _term_before(last, languages)
    limits = [found for found in _restrictions(tokens, languages) if found[1] == len(tokens)]
    if not limits:
        return None
    lexicon = languages.of(last.text)
    if last.text in lexicon.interjections and _COMMAS.search(text, last.end, start):
        return None
    return text[tokens[limits[0][0]].start : last.end]


def _term_before(run: Token, languages: Languages) -> str | None:
    """The negation or limit at the end of a run of characters; Japanese ones follow their word, but for prefixes."""
    lexicon = languages.of(run.text)
    window = run.text[-_UNSPACED_TERM_CHARS:]
    terms = lexicon.terms.findall(window) if lexicon.terms else []
    if not terms or not window.endswith(terms[-1]) or terms[-1] not in lexicon.negations | lexicon.limiters:
        return None
    if lexicon.language == "ja" and (len(terms[-1]) > 1 or "\u3040" <= terms[-1] <= "\u30ff"):
        return None
    return str(terms[-1])


def hidden_meaning(gap_text: str, *, before: str = "", marks: MarkNames = DEFAULT_MARKS) -> tuple[str, ...]:
    """
    Return the negations and limiters that an ellipsis for *gap_text* hides, in order.

    A gap that spans whole sentences hides nothing that changes what is kept: a
    "not" in a sentence of its own belongs to that sentence. So only those
    words count that share a sentence with a kept fragment: before the first
    end of a sentence in the gap, unless the kept text *before* it ended one,
    and after the last. A gap within one sentence counts as a whole; and so do
    whole sentences that are nothing but a denial or a condition ("Not really."
    "Unless it rains."), which speak of their neighbours. What is in one of the
    *marks* is no word.
    """
    if _hides_nothing(gap_text):
        return ()
    languages = Languages(before + gap_text)
    pieces = list(_sentences(gap_text, languages))
    ends_sentence = before.rstrip(_CLOSING)[-1:] in _SENTENCE_ENDS if before.strip() else False
    found: list[str] = []
    for place, (start, end) in enumerate(pieces):
        is_whole = (place > 0 or ends_sentence) and place < len(pieces) - 1
        tokens = tokenize(gap_text, start, end, marks)
        restrictions = list(_restrictions(tokens, languages))
        if is_whole and not _speaks_of_neighbours(tokens, restrictions, languages):
            continue
        found += [gap_text[tokens[first].start : tokens[last - 1].end] for first, last in restrictions]
        found += [term for token in tokens for term in _terms(token, languages)]
    return tuple(found)


def _hides_nothing(gap_text: str) -> bool:
    """Whether there are only words that restrict nothing, in any language; False is no answer."""
    if not gap_text.isascii() or "'" in gap_text or "`" in gap_text:
        return False
    return _words_between().isdisjoint(_LATIN_WORD.findall(gap_text.lower()))


def _sentences(text: str, languages: Languages) -> "Iterator[tuple[int, int]]":
    """The places of the sentences; the last, maybe empty, is what no end follows."""
    start = 0
    for match in _SENTENCE_END.finditer(text):
        word = text[max(0, match.start() - 20) : match.start()].rsplit(None, 1)[-1:]
        if not (match[0] == "." and word and _is_abbreviation(word[0], languages.latin)):
            yield start, match.start()
            start = match.end()
    yield start, len(text) if text[start:].strip() else start


def _is_abbreviation(word: str, lexicon: Lexicon) -> bool:
    """Whether the point behind *word* ends no sentence: an initial, a title, an ordinal (am 3. Mai)."""
    if word.isdigit():
        return lexicon.has_ordinal_points and len(word) <= _ORDINAL_DIGITS
    return len(word) == 1 or word.lower() in lexicon.titles


def _speaks_of_neighbours(tokens: list[Token], restrictions: list[tuple[int, int]], languages: Languages) -> bool:
    """Whether a whole sentence is only a denial or a condition."""
    if not restrictions:
        return False
    if len(tokens) <= _BARE_DENIAL_WORDS:
        return True
    first = tokens[0].text
    return len(tokens) <= _BARE_CONDITION_WORDS and restrictions[0][0] == 0 and first in languages.of(first).limiters


def _restrictions(tokens: list[Token], languages: Languages) -> "Iterator[tuple[int, int]]":
    """The negations and limiters among spaced words, as (first, last + 1) of their tokens; phrases are kept whole."""
    place = 0
    while place < len(tokens):
        length = _restriction_words(tokens, place, languages)
        if length:
            yield place, place + length
        place += max(1, length)


def _restriction_words(tokens: list[Token], place: int, languages: Languages) -> int:
    """How many of the tokens from *place* on are a negation or a limiter; 0 if there is none."""
    word = tokens[place].text
    lexicon = languages.of(word)
    if lexicon.terms:
        return 0
    if word in lexicon.limiter_beginnings:
        words = [token.text for token in tokens[place : place + _PHRASE_WORDS]]
        for size in range(len(words), 0, -1):
            if " ".join(words[:size]) in lexicon.limiters:
                return size
    return int(_denies(word, lexicon, languages))


def _denies(word: str, lexicon: Lexicon, languages: Languages) -> bool:
    may_deny = word in lexicon.denials or "'" in word or word[0] in lexicon.joined
    return may_deny and languages.read([word]).negations > 0


def _terms(token: Token, languages: Languages) -> list[str]:
    """The negations and limiters inside a run of characters."""
    lexicon = languages.of(token.text)
    if not lexicon.terms:
        return []
    return [term for term in lexicon.terms.findall(token.text) if term in lexicon.negations or term in lexicon.limiters]
