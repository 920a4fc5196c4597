"""Which words are names: by their capitals, by a title beside them, by a list of given names."""

from groundwire.evidence.wording.slips import occurs_as_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.lexicons import Lexicon
    from groundwire.evidence.wording.tokens import Token

__all__ = ["bare_name", "is_name"]

_SENTENCE_ENDS = ".!?:;…>。！？؟"
_OPENING = "\"'“”‘’«»„‚([{*_-—–•#"
_HYPHENS = "-\u2010\u2011"
_SIGHT_CHARS = 60


def bare_name(word: str) -> str:
    """Return a folded word without its possessive ending."""
    return word.removesuffix("'s").removesuffix("'")


def is_name(text: str, token: "Token", lexicon: "Lexicon") -> bool:
    """
    Say whether the word at *token* is a name.

    After a title (Mr, Herr, السيد) or before one (先生, さん) every word is but another title. In a
    language whose capitals tell names, so is a capitalised word inside a
    sentence that is no frequent word and is nowhere written small; at the
    beginning of a sentence, or among words in capitals only, a given name.
    Elsewhere names without a title are not known.
    """
    if lexicon.titles_after:
        return text.startswith(lexicon.titles_after, token.end)
    raw = text[token.start : token.end]
    if raw[0].isdigit() or token.text in lexicon.titles:
        return False
    before = text[max(0, token.start - _SIGHT_CHARS) : token.start]
    if lexicon.titles and _last_word(before) in lexicon.titles:
        return lexicon.language == "ar" or raw[0].isupper()
    if not lexicon.names_by_case or not raw[0].isupper() or len(raw) == 1:
        return False
    return _is_capitalised_name(text, token, lexicon, before)


def _is_capitalised_name(text: str, token: "Token", lexicon: "Lexicon", before: str) -> bool:
    word = bare_name(token.text)
    is_common = word in lexicon.words or word in lexicon.meanings or token.text.partition("'")[0] in ("i", "let")
    if starts_sentence(before):
        return word in lexicon.given_names and not is_common
    if word in lexicon.given_names:
        return True
    if is_common or (text[token.start : token.end].isupper() and _is_shouted(text, token)):
        return False
    return not occurs_as_word(text[token.start : token.end].lower(), text)


def starts_sentence(before: str) -> bool:
    """
    Say whether a word after *before* begins a sentence or a speech.

    A single line break begins none, nor does a hyphen with the first part of a word before it.
    """
    if before[-1:] in _HYPHENS and before[-2:-1].isalnum():
        return False
    plain = before.rstrip()
    if "\n" in before[len(plain) :].replace("\n", "", 1):
        return True
    opened = plain.rstrip(_OPENING)
    return not opened.rstrip() or len(opened) < len(plain) or opened.rstrip()[-1] in _SENTENCE_ENDS


def _last_word(before: str) -> str:
    words = before.rsplit(None, 1)
    return words[-1].rstrip(".").lower() if words else ""


def _is_shouted(text: str, token: "Token") -> bool:
    """Whether a neighbouring word is in capitals too, so that they say nothing."""
    neighbours = (
        text[max(0, token.start - 20) : token.start].split()[-1:] + text[token.end : token.end + 20].split()[:1]
    )
    return any(len(word) > 1 and word.isupper() for word in neighbours)
