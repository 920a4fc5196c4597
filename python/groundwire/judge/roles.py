"""
Names of roles and words of special tokens, and where a text uses one as a chat template would.

A text is compared as a model may read it: in compatibility form (NFKD), in small letters,
without marks and hidden characters, every white space a blank. A full-width, mathematical
or accented spelling is thus the same as a plain one.
"""

import re
import unicodedata
from functools import lru_cache

from groundwire.sanitize import may_hide

__all__ = ["ANGLES", "BRACKETS", "COLONS", "begins_token", "ends_role"]

# Characters that are a colon, a bracket or a less-than sign in compatibility form, and those that look like one.
COLONS = ":\uff1a\ufe55\ufe13\u2236\ua789\u02d0\u02f8\u205a\u0589\u05c3\u0703\u1804"
BRACKETS = "[\uff3b\ufe47\u3010\u3014\u3016\u27e6"
ANGLES = "<\uff1c\ufe64\u226e"
_CLOSING = "]\uff3d\ufe48\u3011\u3015\u3017\u27e7"

_HEAD_CHARS_MAX = 64
_HEAD_WORDS_MAX = 4
_TOKEN_CHARS_MAX = 32

_LINE_ENDS = "\n\v\f\r\x1c\x1d\x1e\x85\u2028\u2029"
# What is quoted may be a line of its own.
_HEAD_ENDS = frozenset(_LINE_ENDS + COLONS + '"\u201c\u201d\u201e\u300c\u300e')
_WRITTEN_LINE_END = re.compile(r"\\(?:[nrfvt]|u[0-9a-f]{4})")
# Printable ASCII without a colon and a quotation mark, and what ends a head of it.
_PLAIN = re.compile(r"[ !#-9;-~]*")
_PLAIN_ENDS = frozenset('\n:"')
_PLAIN_INSIDE = re.compile(rf"([ -Z\\^-~]{{0,{_TOKEN_CHARS_MAX}}})\]")
_WORD = re.compile(r"[^\W_]+")

_TOKENS = (
    "inst sys system_prompt available_tools tool_calls tool_results tool_content call_id args think "
    "bos eos pad unk cls sep mask gmask smask img prefix middle suffix"
)
_ROLES = (
    "system; systems; system prompt; system message; developer; user; human; assistant; ai; bot; model; tool; function;"
    "instruction; instructions; response; input; output; administrator; admin;"
    "sistema; usuario; asistente; desarrollador; humano; assistente; desenvolvedor; utente; sviluppatore;"
    "systeme; utilisateur; developpeur; humain; benutzer; nutzer; assistent; entwickler; mensch; systeem; gebruiker;"
    "uzytkownik; asystent; uzivatel; sistem; kullanıcı; kullanici; asistan; pengguna; asisten;"
    "anvandare; bruger; bruker; jarjestelma; kayttaja; rendszer; felhasznalo; utilizator;"
    "he thong; nguoi dung; tro ly;"
    "система; системн; пользовател; ассистент; помощник; разработчик; користувач; асистент; σύστημα; χρήστης; βοηθός;"
    "系统; 系統; 用户; 用戶; 使用者; 助手; 助理; 开发者; 開發者; 人类; 人類; 管理员; 管理員; 指令;"
    "システム; ユーザ; アシスタント; 開発者; 人間; 指示; 시스템; 사용자; 어시스턴트; 도우미; 개발자;"
    "نظام; مستخدم; مساعد; مطور; سیستم; کاربر; دستیار; מערכת; משתמש; עוזר; सिस्टम; प्रणाली; उपयोगकर्ता; सहायक;"
    "ระบบ; ผู้ใช้; ผู้ช่วย"
)


@lru_cache(maxsize=8192)
def _folded(character: str) -> str:
    """Return what *character* is compared as: letters, a blank, or nothing."""
    if may_hide(character) and not character.isspace():
        return ""
    if character.isspace():
        return " "
    plain = unicodedata.normalize("NFKD", character).casefold()
    return "".join(each for each in plain if unicodedata.category(each) != "Mn")


def _fold(text: str) -> str:
    return "".join(map(_folded, text))


_NAMES = [_fold(name.strip()) for name in _ROLES.split(";")]
# Words of Latin letters are whole ones. Other scripts write roles with endings, or without blanks around them.
_LATIN_ROLE = re.compile(rf"(?<!\S)(?:{'|'.join(name for name in _NAMES if name.isascii())})(?!\S)")
_OTHER_ROLE = re.compile("|".join(name.replace(" ", "") for name in _NAMES if not name.isascii()))
_SPELLED_TOKENS = frozenset(
    "".join(_WORD.findall(name)) for name in (*_TOKENS.split(), *(name for name in _NAMES if name.isascii()))
)


def ends_role(text: str, at: int) -> bool:
    """
    Return whether the colon at *at* ends a short head of a line in which a role is named: `System prompt:`.

    Looks back to the colon before it at most, so that all colons of a text cost one pass.
    """
    head = _plain_head(text, at)
    head = _head(text, at) if head is None else head
    words = _WORD.findall(head)
    # Letter by letter a role has more words.
    if "".join(words) in _SPELLED_TOKENS:
        return True
    is_short = len(head.split()) <= _HEAD_WORDS_MAX
    return is_short and bool(_LATIN_ROLE.search(" ".join(words)) or _OTHER_ROLE.search(head.replace(" ", "")))


def begins_token(text: str, at: int) -> bool:
    """
    Return whether the bracket at *at* opens a special token or a role: `[INST]`, `[ /System ]`.

    Looks as far as the next bracket at most, so that all brackets of a text cost one pass.
    """
    plain = _PLAIN_INSIDE.match(text, at + 1)
    if plain:
        return "".join(_WORD.findall(plain[1].lower())) in _SPELLED_TOKENS
    inside: list[str] = []
    for place in range(at + 1, len(text)):
        character = text[place]
        if character in _CLOSING:
            name = "".join(_WORD.findall("".join(inside)))
            return name in _SPELLED_TOKENS or _OTHER_ROLE.fullmatch(name) is not None
        folded = _folded(character).strip()
        if folded:
            inside.append(folded)
        if character in BRACKETS or len(inside) > _TOKEN_CHARS_MAX:
            break
    return False


def _plain_head(text: str, at: int) -> str | None:
    """Return what `_head` does where that is plain ASCII, as it mostly is; else None."""
    backwards = text[max(at - 2 * _HEAD_CHARS_MAX, 0) : at][::-1]
    found = _PLAIN.match(backwards)
    head = found[0] if found else ""
    if len(head) > _HEAD_CHARS_MAX:
        # Blanks in a row count as one.
        return None if "  " in head else ""
    if len(head) < len(backwards) and backwards[len(head)] not in _PLAIN_ENDS:
        return None
    return _WRITTEN_LINE_END.split(head[::-1].lower())[-1]


def _head(text: str, at: int) -> str:
    """Return what is compared of the line before *at*; "" if that is too long for a role."""
    found: list[str] = []
    for place in range(at - 1, -1, -1):
        character = text[place]
        if character in _HEAD_ENDS:
            break
        folded = _folded(character)
        if folded and not (folded == " " and found[-1:] == [" "]):
            found.append(folded)
        if len(found) > _HEAD_CHARS_MAX:
            return ""
    return _WRITTEN_LINE_END.split("".join(reversed(found)))[-1]
