"""
Reads the results of a search once: the ids that may be cited, and their passages.

A result is a mapping, or an object of LangChain or Haystack (`Document`) or LlamaIndex (`NodeWithScore`, `TextNode`),
recognised by its attributes; none of these libraries is imported. Fields that a result lacks may be in a mapping or an
object inside it, such as `metadata` or `document`. Source: ruling B15.

No value in a result raises an error: an anomalous one is skipped or converted to a str, and counted under a code. Only
a result that is neither a mapping nor a document object is an error.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from numbers import Real
from typing import Any, NamedTuple, TypeAlias

from groundwire.sanitize import replace_hidden
from groundwire.urls import canonical_url

__all__ = [
    "ANOMALIES",
    "PASSAGE_KEYS",
    "READ_KEYS",
    "Anomaly",
    "Results",
    "SearchResults",
    "check_mappings",
    "check_results",
    "read_results",
]

SearchResults: TypeAlias = Sequence[Any]
"""Search results for an answer: mappings, or documents of LangChain and LlamaIndex (ruling B15)."""

PASSAGE_KEYS = ("content", "text", "page_content", "passage", "snippet", "body", "chunk", "matches")
"""Keys of a result's text, in this order; a value is a str, or a list of str or of parts with a text."""

NESTED_KEYS = (
    *("document", "doc", "node", "chunk", "content", "text", "metadata", "meta", "payload", "_source", "fields"),
    *("entity", "properties", "kwargs"),
)
"""Keys of a nested mapping or object with fields that the result itself lacks."""

ID_KEYS = ("id", "id_", "node_id", "_id")
PARENT_KEYS = ("parent_id", "ref_doc_id")
URL_KEYS = ("url", "link", "href", "uri", "source_url", "source")
_TITLE_KEYS = ("title",)

READ_KEYS = frozenset((*PASSAGE_KEYS, *NESTED_KEYS, *ID_KEYS, *PARENT_KEYS, *URL_KEYS, *_TITLE_KEYS))
"""All keys that are read."""

_NESTED = frozenset(NESTED_KEYS)
_TEXTS = frozenset(PASSAGE_KEYS)
_TEXT_OR_NESTED = _TEXTS & frozenset(NESTED_KEYS)
_UNUSUAL = frozenset((*NESTED_KEYS, *ID_KEYS, *PARENT_KEYS)) - {"id", "parent_id"} - _TEXT_OR_NESTED
_MAX_LEVELS = 8
_MAX_KEY_CHARS = 40
_NO_OBJECTS = (str, bytes, bytearray, int, float, complex, type, Sequence)


class _Text(NamedTuple):
    """Holds the text of a result, or None with whether it has a value that is not text."""

    text: str | None
    is_other_type: bool


_NO_TEXT = _Text(None, False)


class Shape(NamedTuple):
    """
    Holds a result as mappings: the result first, followed by nested ones, each with the name of its key.

    Attributes:
        levels: The mappings; for an object, its attributes.
        is_plain: Whether the result is a dict without nested mappings, with ids only under `id` and `parent_id`.
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
        """Return all ids, those of the result itself first."""
        if self.is_plain:
            id_ = self.levels[0][1].get("id")
            return [] if id_ is None else [id_]
        return [value for _, level in self.levels for key in ID_KEYS if (value := level.get(key)) is not None]

    def parent_id(self) -> object:
        """Return the first id of the parent document; None without one."""
        if self.is_plain:
            return self.levels[0][1].get("parent_id")
        return next(self._values(PARENT_KEYS), None)

    def title(self) -> str:
        """Return the title; empty if there is none or it is not a str."""
        return next((value for value in self._values(_TITLE_KEYS) if isinstance(value, str)), "")

    def urls(self) -> list[str]:
        """Return the addresses of the result: all `http` URLs, including ids."""
        values = (*self._values(URL_KEYS), *self.ids())
        return [value for value in values if isinstance(value, str) and value[:8].lower().startswith(_SCHEMES)]

    def all_keys(self) -> list[tuple[str, object]]:
        """Return all keys, each with the name of the key around it."""
        return [(place, key) for place, level in self.levels for key in level]

    def _values(self, keys: tuple[str, ...]) -> Iterator[object]:
        return (value for _, level in self.levels for key in keys if (value := level.get(key)) is not None)


_SCHEMES = ("http://", "https://")


def read_shape(result: object) -> Shape | None:
    """Return the fields of *result*; None if it is neither a mapping nor an object with any of them."""
    # Most results are dicts without nested mappings.
    if type(result) is dict and _UNUSUAL.isdisjoint(result):
        is_flat = _TEXT_OR_NESTED.isdisjoint(result) or not any(_is_level(result.get(key)) for key in _TEXT_OR_NESTED)
        if is_flat:
            return Shape((("", result),), True)
    if isinstance(result, tuple) and len(result) == 2 and isinstance(result[1], Real):
        # LangChain's `similarity_search_with_score` returns pairs, whose scores may be numpy's float32.
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
    return isinstance(value, Mapping) or not (callable(value) or isinstance(value, _NO_OBJECTS))


def _attributes(value: object) -> dict[object, object] | None:
    """Return the known attributes of an object; None if it has none."""
    found: dict[object, object] = {key: each for key in READ_KEYS if (each := _attribute(value, key)) is not None}
    if "content" not in found and (content := _call(value, "get_content")) is not None:
        found["content"] = content
    if not found:
        return None
    # The others are only named if no text is found.
    return dict.fromkeys(vars(value) if hasattr(value, "__dict__") else ()) | found


def _attribute(value: object, name: str) -> object:
    try:
        found = getattr(value, name, None)
    except Exception:
        # A property of LlamaIndex raises an error if a node has no text.
        return None
    return None if callable(found) else found


def _call(value: object, name: str) -> object:
    try:
        method = getattr(value, name, None)
        return method() if callable(method) else None
    except Exception:
        return None


def _read_text(value: object) -> str | None:
    """Return a text, empty if it is blank; None if *value* is not a text."""
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
    """Return a key for a report, on one short line without its value, after the name of the key around it."""
    if not isinstance(key, str):
        return f"{place}<{type(key).__name__}>"
    shown = replace_hidden(key[:_MAX_KEY_CHARS], lambda _: "?")
    name = "".join(sign if sign.isprintable() else "?" for sign in shown)
    return f"{place}{name}" if len(key) <= _MAX_KEY_CHARS else f"{place}{name}…"


_MAX_UNREAD_KEYS = 20
"""Maximum number of keys of results without a text that a report names."""


class Anomaly(StrEnum):
    """Names an anomaly of a result."""

    NO_ID = "no_id"
    NUMBER_AS_ID = "number_as_id"
    ID_OF_OTHER_TYPE = "id_of_other_type"
    REPEATED_ID = "repeated_id"
    BRACKET_IN_ID = "bracket_in_id"
    PASSAGE_OF_OTHER_TYPE = "passage_of_other_type"


ANOMALIES: dict[Anomaly, str] = {
    Anomaly.NO_ID: "has no `id` and no `parent_id`, so only a link can cite it",
    Anomaly.NUMBER_AS_ID: "an id is an int, which is read as its decimal digits",
    Anomaly.ID_OF_OTHER_TYPE: "an id is neither a str nor an int of at most 64 bits, and is ignored",
    Anomaly.REPEATED_ID: "has the `id` of an earlier result, so a citation may mean either",
    Anomaly.BRACKET_IN_ID: "an id contains a square bracket, so a citation in brackets may fail to name it",
    Anomaly.PASSAGE_OF_OTHER_TYPE: "its passage is neither a str nor a list of texts, and is ignored",
}


@dataclass(frozen=True)
class Results:
    """
    Holds all results and their ids; the lists have one entry for each result.

    Attributes:
        ids: The `id` as a str; None without one.
        parent_ids: The id of the parent document; None without one.
        other_ids: Ids of nested mappings, such as metadata or the document.
        passages: The text; None if there is none, or a blank one.
        shapes: The fields of each result.
        written: Both ids of all results as given.
        anomalies: Number of results with each anomaly, in the order of `Anomaly`.
    """

    ids: list[str | None]
    parent_ids: list[str | None]
    other_ids: list[tuple[str, ...]]
    passages: list[str | None]
    shapes: list[Shape]
    written: list[object]
    anomalies: tuple[tuple[Anomaly, int], ...]

    @cached_property
    def by_id(self) -> dict[str, list[int]]:
        """Return the indexes of each `id`; a nested id counts only if no result has it directly."""
        places = _places(zip(self.ids))
        for id_, own in _places(self.other_ids).items():
            places.setdefault(id_, own)
        return places

    @cached_property
    def by_url(self) -> dict[str, list[int]]:
        """Return the indexes of each canonical URL (ruling B16)."""
        return _places([tuple(dict.fromkeys(map(canonical_url, shape.urls()))) for shape in self.shapes])

    @cached_property
    def titles(self) -> list[str]:
        """Return the title of each result; empty without one."""
        return [shape.title() for shape in self.shapes]

    @cached_property
    def unread_keys(self) -> tuple[str, ...]:
        """Return the names of the keys of all results without a text, sorted; at most 20."""
        unread = (shape for place, shape in enumerate(self.shapes) if not self._is_readable(place))
        keys = {key for shape in unread for key in shape.all_keys()}
        return tuple(sorted({key_name(*key) for key in keys})[:_MAX_UNREAD_KEYS])

    @cached_property
    def by_parent(self) -> dict[str, list[int]]:
        """Return the indexes of each `parent_id`."""
        return _places(zip(self.parent_ids))

    def literal_ids(self) -> frozenset[str]:
        """Return the ids that the specified rules accept: each id that is a str, as given."""
        return frozenset([id_ for id_ in self.written if isinstance(id_, str)])

    def citable(self) -> list[str]:
        """Return the ids that may be cited: `id`, `parent_id` (ruling B9), then those of nested mappings."""
        own = [id_ for id_ in (*self.ids, *self.parent_ids) if id_ is not None]
        return own if not any(self.other_ids) else [*own, *(id_ for ids in self.other_ids for id_ in ids)]

    def has_passages(self) -> bool:
        """Tell whether any result has a text."""
        return self.passages.count(None) < len(self.passages)

    def places(self, cited: str) -> list[int]:
        """Return the indexes of the results that a citation of *cited* refers to; none for an unknown id."""
        places = [*self.by_id.get(cited, ()), *self.by_parent.get(cited, ())]
        return places or self.by_url.get(cited, [])

    def name(self, place: int) -> str | None:
        """Return the name for citing the result at *place*: its id, or else its parent's, or else its URL."""
        own = self.ids[place] or self.parent_ids[place]
        return own or next((url for url, places in self.by_url.items() if place in places), None)

    def names_of_url(self, url: str) -> list[str]:
        """Return the names of the results with the canonical *url*, each once."""
        return list(dict.fromkeys(self.ids[place] or self.parent_ids[place] or url for place in self.by_url[url]))

    def has_text(self, cited: str) -> bool:
        """Tell whether every result that a citation of *cited* refers to has a text with a letter or a digit."""
        return all(map(self._is_readable, self.places(cited)))

    def _is_readable(self, place: int) -> bool:
        text = self.passages[place]
        return text is not None and any(map(str.isalnum, text))


def _places(ids: Iterable[tuple[str | None, ...]]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, several in enumerate(ids):
        for id_ in several:
            if id_ is not None:
                places.setdefault(id_, []).append(place)
    return places


def check_results(results: object) -> list[Shape]:
    """
    Return the fields of each of *results*.

    Raises:
        TypeError: *results* is not a sequence of mappings and document objects. The message has the type and no
            content.
    """
    return [_shape(result, place) for place, result in enumerate(_check_sequence(results))]


def check_mappings(results: object) -> Sequence[Mapping[str, object]]:
    """
    Return *results* if it is a sequence of mappings, which the specified rules read.

    Raises:
        TypeError: *results* is something else. The message has the type and no content.
    """
    given = _check_sequence(results)
    for place, result in enumerate(given):
        # The first check is the cheaper one.
        if type(result) is not dict and not isinstance(result, Mapping):
            raise TypeError(f"results[{place}] must be a mapping, got {type(result).__name__}")
    return given


def _check_sequence(results: object) -> SearchResults:
    if not isinstance(results, Sequence) or isinstance(results, str | bytes | bytearray):
        raise TypeError(f"results must be a sequence of mappings, got {type(results).__name__}")
    return results


def _shape(result: object, place: int) -> Shape:
    shape = read_shape(result)
    if shape is None:
        raise TypeError(f"results[{place}] must be a mapping, got {type(result).__name__}")
    return shape


def read_results(results: object) -> Results:
    """
    Read the results of a search.

    Raises:
        TypeError: *results* is not a sequence of mappings and document objects.
    """
    shapes = check_results(results)
    met: list[Anomaly] = []
    all_ids = [shape.ids() for shape in shapes]
    all_parents = [shape.parent_id() for shape in shapes]
    # Most ids consist of letters and digits, and have no anomaly.
    ids, parent_ids = (
        [id_ if id_ is None or (type(id_) is str and id_.isalnum()) else _id(id_, met) for id_ in row]
        for row in ([each[0] if each else None for each in all_ids], all_parents)
    )
    other_ids = [_other_ids(each) if len(each) > 1 else () for each in all_ids]
    passages = [_passage(shape, met) for shape in shapes]
    if None in ids:
        rows = zip(ids, parent_ids, other_ids, strict=True)
        met += [Anomaly.NO_ID for row in rows if row == (None, None, ())]
    met += [Anomaly.REPEATED_ID] * (len(ids) - ids.count(None) - len({*ids} - {None}))
    counts = tuple([(anomaly, met.count(anomaly)) for anomaly in Anomaly if anomaly in met]) if met else ()
    return Results(ids, parent_ids, other_ids, passages, shapes, _written(shapes), counts)


def _written(shapes: list[Shape]) -> list[object]:
    """Yield the ids of the specified rules: those of the results themselves."""
    return [shape.levels[0][1].get(key) for key in ("id", "parent_id") for shape in shapes]


def _other_ids(ids: list[object]) -> tuple[str, ...]:
    read = [_id(id_, []) for id_ in ids]
    return tuple(dict.fromkeys(id_ for id_ in read[1:] if id_ is not None and id_ != read[0]))


def _id(value: object, met: list[Anomaly]) -> str | None:
    if isinstance(value, str):
        if "[" in value or "]" in value:
            met.append(Anomaly.BRACKET_IN_ID)
        # The engine searches for ids without surrounding white space.
        return value.strip() or None
    # Python refuses to convert an int of more than 4,300 digits to a str.
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() <= 64:
        met.append(Anomaly.NUMBER_AS_ID)
        return str(value)
    met.append(Anomaly.ID_OF_OTHER_TYPE)
    return None


def _passage(shape: Shape, met: list[Anomaly]) -> str | None:
    text, is_other_type = shape.text()
    if is_other_type:
        met.append(Anomaly.PASSAGE_OF_OTHER_TYPE)
    return text
