"""
The shapes that a search result may have, and where its fields are.

A result is a mapping, or an object of LangChain (`Document`) or LlamaIndex (`NodeWithScore`, `TextNode`), known by its
attributes: neither library is imported. What a result does not have itself may be in a mapping or an object inside it,
such as `metadata` or `document`. Source: ruling B15.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from groundwire.sanitize import replace_hidden

__all__ = ["PASSAGE_KEYS", "READ_KEYS", "Shape", "key_name", "read_shape"]

PASSAGE_KEYS = ("content", "text", "page_content", "passage", "snippet", "body", "chunk", "matches")
"""Where the text of a result may be, in this order; each is a str, or a list of str or of parts that have a text."""

NESTED_KEYS = (
    "document",
    "doc",
    "node",
    "chunk",
    "content",
    "text",
    "metadata",
    "payload",
    "_source",
    "fields",
    "entity",
    "properties",
    "kwargs",
)
"""Where a result may have another mapping or object, which has the fields that the result itself lacks."""

ID_KEYS = ("id", "id_", "node_id", "_id")
PARENT_KEYS = ("parent_id", "ref_doc_id")
URL_KEYS = ("url", "link", "href", "uri", "source_url", "source")
_TITLE_KEYS = ("title",)

READ_KEYS = frozenset((*PASSAGE_KEYS, *NESTED_KEYS, *ID_KEYS, *PARENT_KEYS, *URL_KEYS, *_TITLE_KEYS))
"""Every key that is read."""

_NESTED = frozenset(NESTED_KEYS)
_TEXTS = frozenset(PASSAGE_KEYS)
_TEXT_OR_NESTED = _TEXTS & frozenset(NESTED_KEYS)
_UNUSUAL = frozenset((*NESTED_KEYS, *ID_KEYS, *PARENT_KEYS)) - {"id", "parent_id"} - _TEXT_OR_NESTED
_MAX_LEVELS = 8
_MAX_KEY_CHARS = 40
_NO_OBJECTS = (str, bytes, bytearray, int, float, complex, type, Sequence)


class _Text(NamedTuple):
    """The text of a result; None without one, and then whether there is a value that is no text."""

    text: str | None
    is_other_type: bool


_NO_TEXT = _Text(None, False)


class Shape(NamedTuple):
    """
    A result as mappings: itself first, then what is nested in it, each with the name of its place.

    Attributes:
        levels: The mappings; of an object its attributes.
        is_plain: Whether it is a dict that has nothing nested, and ids under `id` and `parent_id` only.
    """

    levels: tuple[tuple[str, Mapping[object, object]], ...]
    is_plain: bool

    def text(self) -> _Text:
        """Return the first text that is not blank."""
        if self.is_plain and _TEXTS.isdisjoint(self.levels[0][1]):
            return _NO_TEXT
        is_other_type = False
        for _, level in self.levels:
            if _TEXTS.isdisjoint(level):
                continue
            for key in PASSAGE_KEYS:
                value = level.get(key)
                if value is None:
                    continue
                text = _read_text(value)
                if text:
                    return _Text(text, False)
                is_other_type |= text is None and not (key in _NESTED and _is_level(value))
        return _Text(None, is_other_type)

    def ids(self) -> list[object]:
        """Return every id, its own first."""
        if self.is_plain:
            id_ = self.levels[0][1].get("id")
            return [] if id_ is None else [id_]
        return [value for _, level in self.levels for key in ID_KEYS if (value := level.get(key)) is not None]

    def parent_id(self) -> object:
        """Return the first id of the document that it is a part of; None without one."""
        if self.is_plain:
            return self.levels[0][1].get("parent_id")
        return next(self._values(PARENT_KEYS), None)

    def title(self) -> str:
        """Return its title; empty without one that is a str."""
        return next((value for value in self._values(_TITLE_KEYS) if isinstance(value, str)), "")

    def urls(self) -> list[str]:
        """Return the addresses of what it is from: every `http` URL, ids among them."""
        values = (*self._values(URL_KEYS), *self.ids())
        return [value for value in values if isinstance(value, str) and value[:8].lower().startswith(_SCHEMES)]

    def all_keys(self) -> list[tuple[str, object]]:
        """Return all its keys, each with the name of its place."""
        return [(place, key) for place, level in self.levels for key in level]

    def _values(self, keys: tuple[str, ...]) -> Iterator[object]:
        return (value for _, level in self.levels for key in keys if (value := level.get(key)) is not None)


_SCHEMES = ("http://", "https://")


def read_shape(result: object) -> Shape | None:
    """Return the fields of *result*; None if it is neither a mapping nor an object that has any of them."""
    # Most results are dicts with nothing nested.
    if type(result) is dict and _UNUSUAL.isdisjoint(result):
        is_flat = _TEXT_OR_NESTED.isdisjoint(result) or not any(_is_level(result.get(key)) for key in _TEXT_OR_NESTED)
        if is_flat:
            return Shape((("", result),), True)
    if isinstance(result, tuple) and len(result) == 2 and isinstance(result[1], int | float):
        # LangChain's `similarity_search_with_score` returns pairs.
        result = result[0]
    first = _level(result)
    if first is None:
        return None
    levels = [("", first)]
    for place, level in levels:
        for key in NESTED_KEYS:
            if len(levels) == _MAX_LEVELS:
                break
            if (nested := _level(level.get(key))) is not None:
                levels.append((f"{place}{key}.", nested))
    return Shape(tuple(levels), False)


def _level(value: object) -> Mapping[object, object] | None:
    if isinstance(value, Mapping):
        return value
    return _attributes(value) if _is_level(value) else None


def _is_level(value: object) -> bool:
    if value is None or type(value) is str:
        return False
    return isinstance(value, Mapping) or not (value is None or callable(value) or isinstance(value, _NO_OBJECTS))


def _attributes(value: object) -> dict[object, object] | None:
    """Return the attributes of an object that are read; None if it has none of them."""
    found: dict[object, object] = {key: each for key in READ_KEYS if (each := _attribute(value, key)) is not None}
    if "content" not in found and (content := _call(value, "get_content")) is not None:
        found["content"] = content
    if not found:
        return None
    # The others are only named, where no text is found.
    return dict.fromkeys(vars(value) if hasattr(value, "__dict__") else ()) | found


def _attribute(value: object, name: str) -> object:
    try:
        found = getattr(value, name, None)
    except Exception:
        # A property of LlamaIndex raises where a node has no text.
        return None
    return None if callable(found) else found


def _call(value: object, name: str) -> object:
    try:
        method = getattr(value, name, None)
        return method() if callable(method) else None
    except Exception:
        return None


def _read_text(value: object) -> str | None:
    """Return a text, empty if it is blank; None if *value* is none."""
    if isinstance(value, str):
        return "" if not value or value.isspace() else value
    if isinstance(value, list | tuple):
        parts = [part if isinstance(part, str) else _part_text(part) for part in value]
        return None if None in parts else _read_text("\n".join(part for part in parts if part is not None))
    return None


def _part_text(part: object) -> str | None:
    """Return the text of a part of a message: `{"type": "text", "text": …}`."""
    text = part.get("text") if isinstance(part, Mapping) else None
    return text if isinstance(text, str) else None


def key_name(place: str, key: object) -> str:
    """Return a key as a report may show it, in one short line and without its value, behind the name of its place."""
    if not isinstance(key, str):
        return f"{place}<{type(key).__name__}>"
    shown = replace_hidden(key[:_MAX_KEY_CHARS], lambda _: "?")
    name = "".join(sign if sign.isprintable() else "?" for sign in shown)
    return f"{place}{name}" if len(key) <= _MAX_KEY_CHARS else f"{place}{name}…"
