"""A sentence as a row of terms: words of content, numbers, dates and denials, by the lexicons."""

import re
from functools import cache
from typing import NamedTuple

from groundwire.citations.support_words import COMMON_WORDS, FAILING, UNDOING
from groundwire.evidence.wording.numerals import read_han
from groundwire.evidence.wording.readings import Languages
from groundwire.evidence.wording.tokens import SYMBOLS, Token, tokenize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.evidence.lexicons import Lexicon

__all__ = ["READ_CHARS", "Role", "Term", "read_terms"]

READ_CHARS = 1_000
"""So much of a claim, and of the passage beside it, is read for what contradicts."""

_PREFIX_CHARS = 6
_MIN_CHARS = 4
_COMMON = frozenset(COMMON_WORDS)
_DIGITS = re.compile(r"-?\d")
_CLAUSE_END = re.compile(r"[,;:.!?()\n，；：。！？、（）—–]")


class Role:
    """What a term is to a comparison."""

    CONTENT = "content"
    NUMBER = "number"
    DATE = "date"
    UNIT = "unit"
    DENIAL = "denial"
    LIMIT = "limit"
    OTHER = "other"


class Term(NamedTuple):
    """
    A word, or a row of words that is one number.

    `key` is what is compared: the value of a number, date or unit, the first letters of a
    word. `clause` counts the clauses before it.
    """

    role: str
    key: object
    word: str
    start: int
    end: int
    clause: int


def read_terms(text: str, start: int, end: int, languages: Languages) -> list[Term]:
    """Return the terms of `text[start:end]`, left to right; of more than `READ_CHARS` characters the first."""
    tokens = tokenize(text, start, min(end, start + READ_CHARS))
    clauses = _clauses(text, tokens)
    terms: list[Term] = []
    telling = _telling(languages.latin)
    index = 0
    while index < len(tokens):
        token, clause = tokens[index], clauses[index]
        if "a" <= token.text[0] < "\u0400" and token.text not in telling and "'" not in token.text:
            # Nine words of ten.
            terms.append(_plain(*token, clause))
            index += 1
            continue
        lexicon = languages.of(token.text)
        after = index + 1
        if lexicon.terms is not None:
            terms += _unspaced(token, clause, lexicon)
        elif _is_numeral(token.text, lexicon):
            while after < len(tokens) and clauses[after] == clause and _goes_on(tokens, after, languages):
                after += 1
            number = _number(tokens[index:after], clause, languages)
            terms.append(number._replace(role=Role.OTHER) if _is_label(text, number) else number)
        else:
            following = tokens[after].text if after < len(tokens) else ""
            is_prefix = text[token.end : token.end + 1] == "-"
            raw = text[token.start : token.end]
            terms.append(_term(token, raw, "-" if is_prefix else following, clause, lexicon))
        index = after
    return terms


@cache
def _telling(lexicon: "Lexicon") -> frozenset[str]:
    """What is more than a plain word, apostrophes aside."""
    return lexicon.telling | FAILING | frozenset(SYMBOLS)


def _is_label(text: str, number: Term) -> bool:
    """Whether it counts nothing: a reference in brackets, or a part of a name (Ka-27)."""
    before = text[max(0, number.start - 2) : number.start]
    return before.endswith("[") or (before[-1:] == "-" and before[0].isalpha())


def _clauses(text: str, tokens: list[Token]) -> list[int]:
    """How many ends of clauses stand before each token."""
    clauses: list[int] = []
    count, before = 0, None
    for _, start, end in tokens:
        # A space alone ends none.
        if before is not None and text[before:start] != " ":
            count += _CLAUSE_END.search(text, before, start) is not None
        clauses.append(count)
        before = end
    return clauses


def _is_numeral(word: str, lexicon: "Lexicon") -> bool:
    return _DIGITS.match(word) is not None or lexicon.meanings.get(word, ("",))[0] in ("number", "scale")


def _goes_on(tokens: list[Token], index: int, languages: Languages) -> bool:
    """Whether the token is a part of the number before it: two hundred and five, 2.5 million."""
    word = tokens[index].text
    lexicon = languages.of(word)
    if lexicon.terms is None and lexicon.meanings.get(word, ("",))[0] in ("number", "scale"):
        return True
    if word not in lexicon.joiners or index + 1 == len(tokens):
        return False
    # One and two are two numbers, two hundred and five is one.
    category, value = lexicon.meanings.get(tokens[index - 1].text, ("", 0))
    is_open = category == "scale" or (category == "number" and isinstance(value, int | float) and value >= 20)
    return is_open and lexicon.meanings.get(tokens[index + 1].text, ("",))[0] == "number"


def _number(tokens: list[Token], clause: int, languages: Languages) -> Term:
    words = [token.text for token in tokens]
    values = tuple(languages.read(words).numbers)
    value = values[0] if len(values) == 1 else values
    lexicon = languages.of(words[0])
    # The word for one is also a pronoun, and an ordinal counts steps: neither is an amount.
    role = Role.OTHER if len(words) == 1 and words[0] in lexicon.singles else Role.NUMBER
    return Term(role, value, " ".join(words), tokens[0].start, tokens[-1].end, clause)


def _term(token: Token, raw: str, following: str, clause: int, lexicon: "Lexicon") -> Term:
    word, start, end = token
    if word not in lexicon.telling and word not in FAILING and "'" not in word and word not in SYMBOLS:
        return _plain(word, start, end, clause)
    # May is a month and may is none.
    listed = raw if word in lexicon.capitalised_dates else word
    category, value = lexicon.meanings.get(listed) or lexicon.meanings.get(word, ("", None))
    is_contracted = "not" in lexicon.contractions.get(word, ()) or word.endswith("n't")
    if category == "negation" or is_contracted or word in FAILING:
        role = Role.OTHER if following in UNDOING else Role.DENIAL
        return Term(role, word, word, start, end, clause)
    if category == "unit" and (len(word) > 3 or word in SYMBOLS):
        return Term(Role.UNIT, value, word, start, end, clause)
    if category == "date":
        return Term(Role.DATE, value, word, start, end, clause)
    if word in lexicon.limiters:
        return Term(Role.LIMIT, value, word, start, end, clause)
    return _plain(word, start, end, clause)


def _plain(word: str, start: int, end: int, clause: int) -> Term:
    is_content = len(word) >= _MIN_CHARS and word not in _COMMON
    return Term(Role.CONTENT if is_content else Role.OTHER, word[:_PREFIX_CHARS], word, start, end, clause)


def _unspaced(token: Token, clause: int, lexicon: "Lexicon") -> "Iterator[Term]":
    """A run of characters without spaces: the terms of the lists in it, and pairs of characters between them."""
    word, start, end = token
    if lexicon.terms is None or len(word) != end - start:
        yield Term(Role.OTHER, word, word, start, end, clause)
        return
    done = 0
    for match in lexicon.terms.finditer(word):
        yield from _pairs(word, done, match.start(), start, clause)
        yield _listed(match[0], start + match.start(), clause, lexicon)
        done = match.end()
    yield from _pairs(word, done, len(word), start, clause)


def _pairs(word: str, begin: int, end: int, offset: int, clause: int) -> "Iterator[Term]":
    for at in range(begin, end - 1):
        pair = word[at : at + 2]
        yield Term(Role.CONTENT, pair, pair, offset + at, offset + at + 2, clause)


def _listed(term: str, start: int, clause: int, lexicon: "Lexicon") -> Term:
    category, value = lexicon.meanings.get(term, ("", None))
    roles = {"negation": Role.DENIAL, "unit": Role.UNIT, "date": Role.DATE}
    if term in lexicon.limiters:
        return Term(Role.LIMIT, value, term, start, start + len(term), clause)
    numeral = term.lstrip("第")
    if numeral and all(character in lexicon.scales or character in lexicon.digits for character in numeral):
        value = read_han(numeral, lexicon.digits, lexicon.scales).value
        role = Role.OTHER if numeral in lexicon.singles else Role.NUMBER
        return Term(role, value, term, start, start + len(term), clause)
    return Term(roles.get(category, Role.OTHER), value, term, start, start + len(term), clause)
