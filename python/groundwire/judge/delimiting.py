r"""
Delimits texts as data inside a prompt (ruling B14).

A text is written as JSON between two tags. Everything that could end the tags, or be read as a turn of the
conversation, is escaped as JSON escapes characters, so that no information is lost:

- every `<`, with which tags and nearly all special tokens of chat models begin, so that the data contains no tag;
- the bracket of special tokens like `[INST]`, and of roles;
- the colon after a role at the start of a line (`System:`, `系统：`);
- hidden characters (`groundwire.sanitize`).

Tokens and roles are compared as a model may read them: in compatibility form (NFKD), in lower case, without accents and
hidden characters, with a blank for any white space. So a full-width, mathematical or accented spelling equals the plain
one. A line of prose that begins with at most four words and a colon, one of them a role, has its colon escaped too:
`The system\u003a a review`. JSON reads that as the same text.

The tags end in a hash of all the data, which no part of the data can contain. The same texts have the same hash, so
that the cache can find a judgement.
"""

import hashlib
import json
import re
import unicodedata
from functools import lru_cache

from groundwire.sanitize import hidden_places, may_hide

__all__ = ["begins_token", "delimit", "delimiter_key", "ends_role", "to_data"]

_KEY_HEX_DIGITS = 32

# Characters that are, or look like, a colon, a bracket or a less-than sign in compatibility form.
_COLONS = ":\uff1a\ufe55\ufe13\u2236\ua789\u02d0\u02f8\u205a\u0589\u05c3\u0703\u1804"
_BRACKETS = "[\uff3b\ufe47\u3010\u3014\u3016\u27e6"
_ANGLES = "<\uff1c\ufe64\u226e"
_CLOSING = "]\uff3d\ufe48\u3011\u3015\u3017\u27e7"
_SUSPECT = re.compile(f"[{re.escape(_ANGLES + _BRACKETS + _COLONS)}]")

_HEAD_CHARS_MAX = 64
_HEAD_WORDS_MAX = 4
_TOKEN_CHARS_MAX = 32

_LINE_ENDS = "\n\v\f\r\x1c\x1d\x1e\x85\u2028\u2029"
# Quoted text may be a line of its own.
_HEAD_ENDS = frozenset(_LINE_ENDS + _COLONS + '"\u201c\u201d\u201e\u300c\u300e')
_WRITTEN_LINE_END = re.compile(r"\\(?:[nrfvt]|u[0-9a-f]{4})")
# Printable ASCII without a colon and a quotation mark, and the end of such a head.
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


def to_data(value: object) -> str:
    """
    Return *value* (str, numbers, lists and dicts) as JSON in which nothing looks like a tag or a role.

    `json.loads` of the result is equal to *value*. Takes linear time and memory.
    """
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_quoted(name)}: {to_data(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(to_data, value)) + "]"
    return json.dumps(value)


def _quoted(text: str) -> str:
    """Return *text* as a JSON string."""
    suspects = (found.start() for found in _SUSPECT.finditer(text))
    places = sorted([*hidden_places(text), *(place for place in suspects if _looks_like_a_turn(text, place))])
    pieces, start = [], 0
    for place in places:
        pieces += [json.dumps(text[start:place], ensure_ascii=False)[1:-1], _escaped(text[place])]
        start = place + 1
    return f'"{"".join(pieces)}{json.dumps(text[start:], ensure_ascii=False)[1:-1]}"'


def _escaped(character: str) -> str:
    """Return *character* as a JSON escape, even where JSON does not require one."""
    return f"\\u{ord(character):04x}" if character.isascii() else json.dumps(character)[1:-1]


def _looks_like_a_turn(text: str, place: int) -> bool:
    """Return whether the angle, bracket or colon at *place* could be a part of a chat template."""
    character = text[place]
    if character in _COLONS:
        return ends_role(text, place)
    return character in _ANGLES or begins_token(text, place)


def delimiter_key(*data: str) -> str:
    """Return the suffix of the tags around *data*: 32 hexadecimal digits of a SHA-256 hash of all of them."""
    digest = hashlib.sha256()
    for each in data:
        digest.update(f"{len(each)}:{each}".encode())
    return digest.hexdigest()[:_KEY_HEX_DIGITS]


def delimit(name: str, key: str, data: str) -> str:
    """Return *data*, a result of `to_data`, between two tags."""
    return f"<{name}-{key}>\n{data}\n</{name}-{key}>"


@lru_cache(maxsize=8192)
def _folded(character: str) -> str:
    """Return the characters that represent *character* in comparisons: letters, a blank, or nothing."""
    if may_hide(character) and not character.isspace():
        return ""
    if character.isspace():
        return " "
    plain = unicodedata.normalize("NFKD", character).casefold()
    return "".join(each for each in plain if unicodedata.category(each) != "Mn")


def _fold(text: str) -> str:
    return "".join(map(_folded, text))


_NAMES = [_fold(name.strip()) for name in _ROLES.split(";")]
# Latin words must match as a whole. Other scripts write roles with endings, or without blanks around them.
_LATIN_ROLE = re.compile(rf"(?<!\S)(?:{'|'.join(name for name in _NAMES if name.isascii())})(?!\S)")
_OTHER_ROLE = re.compile("|".join(name.replace(" ", "") for name in _NAMES if not name.isascii()))
_SPELLED_TOKENS = frozenset(
    "".join(_WORD.findall(name)) for name in (*_TOKENS.split(), *(name for name in _NAMES if name.isascii()))
)


def ends_role(text: str, at: int) -> bool:
    """
    Return whether the colon at *at* ends a short head of a line that names a role: `System prompt:`.

    The search goes back to the previous colon at most, so that all colons of a text cost one pass.
    """
    head = _plain_head(text, at)
    head = _head(text, at) if head is None else head
    words = _WORD.findall(head)
    # A role spelled letter by letter has more words.
    if "".join(words) in _SPELLED_TOKENS:
        return True
    is_short = len(head.split()) <= _HEAD_WORDS_MAX
    return is_short and bool(_LATIN_ROLE.search(" ".join(words)) or _OTHER_ROLE.search(head.replace(" ", "")))


def begins_token(text: str, at: int) -> bool:
    """
    Return whether the bracket at *at* opens a special token or a role: `[INST]`, `[ /System ]`.

    The search goes to the next bracket at most, so that all brackets of a text cost one pass.
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
        if character in _BRACKETS or len(inside) > _TOKEN_CHARS_MAX:
            break
    return False


def _plain_head(text: str, at: int) -> str | None:
    """Return the result of `_head` for the common case of plain ASCII, else None."""
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
    """Return the text of the line before *at* as it is compared; "" if it is too long for a role."""
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
