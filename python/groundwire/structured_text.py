"""
Reads untrusted JSON and YAML as plain data, within limits. Errors have a location, and never a word of the text.

Scalars of YAML are read as in JSON (YAML 1.2): `no`, `12:30`, `2026-01-31` and `007` are text. Repeated keys, merge
keys and tags of other types are errors.
"""

import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from groundwire.labels import show
from groundwire.model_output import known_reason

if TYPE_CHECKING:
    import yaml

__all__ = [
    "MAX_CHARS",
    "WHITE_SPACE",
    "BrokenJsonError",
    "BrokenYamlError",
    "looks_like_yaml",
    "position_of",
    "read_json",
    "read_json_at",
    "read_yaml",
]

WHITE_SPACE = " \t\n\r"

_TOKENS = re.compile(
    r""""[^"\\]*(?:\\.[^"\\]*)*"|[{}]|-?(?:NaN|Infinity)|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?""", re.DOTALL
)
_BEHIND_KEY = re.compile(r"[ \t\n\r]*:")


class BrokenJsonError(Exception):
    """
    The JSON is invalid.

    Attributes:
        reason: Reason in words, without content.
        position: Offset of the error at the latest, or the start of the value if no
            better one is known.
    """

    def __init__(self, reason: str, position: int = 0) -> None:
        super().__init__(reason, position)
        self.reason = reason
        self.position = position


def read_json(text: str) -> object:
    """
    Return the value of *text*, which is a single JSON value.

    NaN, infinities and repeated keys are errors.

    Raises:
        BrokenJsonError: The text is not valid JSON.
    """
    value, end = read_json_at(text, len(text) - len(text.lstrip(WHITE_SPACE)))
    rest = text[end:].lstrip(WHITE_SPACE)
    if rest:
        raise BrokenJsonError("unexpected text after the end of the value", len(text) - len(rest))
    return value


def read_json_at(text: str, start: int) -> tuple[object, int]:
    """Return the value at *start* and its end. Raises the errors of `read_json`."""
    position = start
    try:
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        position = error.pos
        known = known_reason(error)
        reason = known[:1].lower() + known[1:]
    except RecursionError:
        reason = "nested too deeply"
    except (_RefusedError, ValueError):
        # The only other ValueError: Python refuses integers with thousands of digits.
        reason, position = next(_refused(text, start))
    # Raised outside of the handler, so that it does not carry the JSONDecodeError, which holds the whole text.
    raise BrokenJsonError(reason, position)


def position_of(text: str, offset: int) -> tuple[int, int]:
    """Return line and column of *offset*, both from 1, the column in code points."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


class _RefusedError(Exception):
    """Reports a value that the json module accepts although it is not JSON, without its offset."""


def _refuse_constant(_: str) -> NoReturn:
    raise _RefusedError


def _refuse_repeated(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object of *pairs*; a dict would silently keep the last of two values."""
    members = dict(pairs)
    if len(members) < len(pairs):
        raise _RefusedError
    return members


def _refused(text: str, start: int) -> Iterator[tuple[str, int]]:
    """Return why and where the value at *start* was refused; up to there, it is valid JSON."""
    most_digits = sys.get_int_max_str_digits()
    objects: list[set[str]] = []
    for token in _TOKENS.finditer(text, start):
        word = token[0]
        if word == "{":
            objects.append(set())
        elif word == "}":
            objects.pop()
        elif word[0] == '"':
            if _BEHIND_KEY.match(text, token.end()):
                key = json.loads(word)
                if key in objects[-1]:
                    yield f"an object has the key {show(key)} twice", token.start()
                objects[-1].add(key)
        elif word[-1] in "Ny":
            yield f"{word} is not valid JSON", token.start()
        elif word.removeprefix("-").isdecimal() and len(word.removeprefix("-")) > most_digits:
            yield "a number has too many digits", token.start()


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_refuse_repeated)


MAX_CHARS = 2_000_000
"""Maximum length of a YAML text, because YAML takes a hundred times as long as JSON."""

_KEY = re.compile(
    r"""(?:"[^"\r\n]{1,80}"|'[^'\r\n]{1,80}'|[^\s\-?:,\[\]{}#&*!|>'"%@`][^:\r\n\[\]{}]{0,80}):(?:[ \t]|\Z)"""
)
_NO_CONTENT = re.compile(r"(?:#.*|---(?:[ \t].*)?|%YAML.*)?\Z")

_SCALARS = (
    ("null", re.compile(r"(?:~|null|Null|NULL|)\Z"), ["~", "n", "N", ""]),
    ("bool", re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z"), list("tTfF")),
    ("int", re.compile(r"-?(?:0|[1-9][0-9]*)\Z"), list("-0123456789")),
    ("float", re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?\Z"), list("-0123456789")),
)

# Messages of the parser that contain nothing of the text, and their meaning.
_REASONS = {
    "mapping values are not allowed": "a colon and a space inside a value; put the value in quotes",
    "found character": "a tab, or another character that cannot begin a value",
    "did not find expected key": "a line that is indented unlike those before, or a quote that does not end",
    "expected <block end>": "a line that is indented unlike those before",
    "could not find expected ':'": "a key without a colon",
    "found unexpected end of stream": "a quote that does not end",
    "could not determine a constructor": "a tag of a type that JSON does not have",
    "found undefined alias": "an alias without its anchor",
}


class BrokenYamlError(Exception):
    """
    The YAML is invalid.

    Attributes:
        reason: Reason in words, without content.
        line, column: Location of the error, both from 1; None without a single location.
    """

    def __init__(self, reason: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(reason, line, column)
        self.reason = reason
        self.line = line
        self.column = column


def looks_like_yaml(text: str) -> bool:
    """Tell whether *text* begins like YAML and unlike JSON: with a key and a colon, or a dash before a key."""
    for line in text.removeprefix("\ufeff").split("\n"):
        shown = line.strip()
        if not _NO_CONTENT.match(shown):
            return _KEY.match(re.sub(r"\A(?:- +)+", "", shown)) is not None
    return False


def read_yaml(text: str, *, max_depth: int, max_values: int) -> object:
    """
    Return the value of *text*, or a list if it has several documents.

    Args:
        text: YAML, which includes JSON.
        max_depth: Maximum depth of nested containers.
        max_values: Maximum number of values. Values repeated by an alias count each time, and so do their characters,
            whose maximum is `MAX_CHARS`.

    Raises:
        BrokenYamlError: The text is not valid YAML, is too long or too deeply nested, has too many values, or has
            values that JSON lacks.
        ImportError: PyYAML is not installed.
    """
    try:
        import yaml
    except ImportError:
        raise ImportError("reading YAML needs PyYAML: pip install 'groundwire[yaml]'", name="yaml") from None
    if len(text) > MAX_CHARS:
        raise BrokenYamlError(f"more than {MAX_CHARS:,} characters; JSON may have more")
    shown = text.removeprefix("\ufeff")
    try:
        # The parser of events does not recurse, but the composer does.
        _check_size(yaml.parse(shown, Loader=_loader()), max_depth, max_values)
        documents = list(yaml.load_all(shown, Loader=_loader()))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reason = next((words for start, words in _REASONS.items() if (error.problem or "").startswith(start)), None)
        reason = reason or "it cannot be parsed"
        place = (None, None) if mark is None else (mark.line + 1, mark.column + 1)
    except yaml.reader.ReaderError as error:
        reason, place = "a character that YAML does not allow", position_of(shown, int(error.position))
    except (ValueError, TypeError, RecursionError):
        # A number with thousands of digits, or a key that is a list.
        reason, place = "a value that JSON does not have", (None, None)
    else:
        return documents[0] if len(documents) == 1 else documents
    # Raised outside of the handler, so that it does not carry the YAMLError, which holds the text around the error.
    raise BrokenYamlError(reason, *place)


class _Size(NamedTuple):
    """Holds the size of expanded data: values, characters of text, and levels of containers."""

    values: int = 0
    chars: int = 0
    levels: int = 0


def _check_size(events: "Iterator[yaml.Event]", max_depth: int, max_values: int) -> None:
    """Check the size of the data with all aliases expanded, without expanding them."""
    import yaml

    sizes: dict[str | None, _Size] = {}
    open_sizes = [_Size()]
    anchors: list[str | None] = [None]
    for event in events:
        if isinstance(event, yaml.CollectionStartEvent):
            open_sizes.append(_Size(1, 0, 1))
            anchors.append(event.anchor)
            _check(_Size(levels=len(anchors) - 1), event, max_depth, max_values)
            continue
        if isinstance(event, yaml.CollectionEndEvent):
            anchor, size = anchors.pop(), open_sizes.pop()
        elif isinstance(event, yaml.AliasEvent):
            # An alias inside its own anchor is a cycle, which is found later.
            anchor, size = None, sizes.get(event.anchor, _Size(1))
        elif isinstance(event, yaml.ScalarEvent):
            anchor, size = event.anchor, _Size(1, len(event.value))
        else:
            continue
        if anchor is not None:
            sizes[anchor] = size
        above = open_sizes[-1]
        levels = max(above.levels, size.levels + (len(anchors) > 1))
        open_sizes[-1] = total = _Size(above.values + size.values, above.chars + size.chars, levels)
        _check(total._replace(levels=len(anchors) - 1 + size.levels), event, max_depth, max_values)


def _check(size: _Size, event: Any, max_depth: int, max_values: int) -> None:
    if size.levels > max_depth:
        raise _broken(f"nested in more than {max_depth} levels", event.start_mark)
    if size.values > max_values:
        raise _broken(f"more than {max_values:,} values", event.start_mark)
    if size.chars > MAX_CHARS:
        raise _broken(f"more than {MAX_CHARS:,} characters with its aliases expanded", event.start_mark)


def _broken(reason: str, mark: Any) -> BrokenYamlError:
    return BrokenYamlError(reason, mark.line + 1, mark.column + 1)


@cache
def _loader() -> Any:
    """Return PyYAML's safe loader, in C if available, with scalars of JSON and without repeated keys."""
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(base):  # type: ignore[misc]  # which base there is shows at run time
        # Replaces the resolvers of YAML 1.1, for which `no` is false and `12:30` a number.
        yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - PyYAML's own name for it

        def flatten_mapping(self, node: Any) -> None:
            # Nested merge keys grow exponentially.
            for key, _ in node.value:
                if key.tag == "tag:yaml.org,2002:merge" or key.value == "<<":
                    raise _broken("a merge key; write the keys out", key.start_mark)

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            seen = set()
            for key, _ in node.value:
                if isinstance(key, yaml.ScalarNode):
                    if key.value in seen:
                        raise _broken("a mapping has a key twice", key.start_mark)
                    seen.add(key.value)
            return super().construct_mapping(node, deep=deep)

    for name, pattern, firsts in _SCALARS:
        Loader.add_implicit_resolver(f"tag:yaml.org,2002:{name}", pattern, firsts)
    return Loader
