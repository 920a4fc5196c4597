"""
YAML from outside: what JSON knows, and where something else stands, without a word of it.

Scalars are read as JSON reads them (YAML 1.2): `no`, `12:30`, `2026-01-31` and `007` are text. A key that a
mapping has twice, merge keys and tags of other types are errors.
"""

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from groundwire.faithfulness.json_text import position_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import yaml

__all__ = ["MAX_CHARS", "BrokenYamlError", "looks_like_yaml", "read_yaml"]

MAX_CHARS = 2_000_000
"""A longer text is not read: YAML takes a hundred times as long as JSON."""

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

# What the parser says that holds nothing of the text, and what it means.
_REASONS = {
    "mapping values are not allowed": "a colon and a space inside of a value; put the value in quotes",
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
    YAML cannot be read.

    Attributes:
        reason: Why, in words that hold nothing of it.
        line, column: The place, both from 1; None where there is no one place.
    """

    def __init__(self, reason: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(reason, line, column)
        self.reason = reason
        self.line = line
        self.column = column


def looks_like_yaml(text: str) -> bool:
    """Tell whether *text* begins like YAML and unlike JSON: with a key and a colon, or a dash before one."""
    for line in text.removeprefix("\ufeff").split("\n"):
        shown = line.strip()
        if not _NO_CONTENT.match(shown):
            return _KEY.match(re.sub(r"\A(?:- +)+", "", shown)) is not None
    return False


def read_yaml(text: str, *, max_depth: int, max_values: int) -> object:
    """
    Return the value that *text* is; of several documents the list of them.

    Args:
        text: YAML, of which JSON is a part.
        max_depth: So many containers may be inside of each other.
        max_values: The most values there may be. What an alias repeats counts each time, and so do its characters,
            of which there may be `MAX_CHARS`.

    Raises:
        BrokenYamlError: It is no YAML, too long, too deep or has too many values, or has what JSON does not.
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
        # The parser of events does not recurse; what composes them does.
        _check_size(yaml.parse(shown, Loader=_loader()), max_depth, max_values)
        documents = list(yaml.load_all(shown, Loader=_loader()))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reason = next((said for start, said in _REASONS.items() if (error.problem or "").startswith(start)), None)
        reason = reason or "it cannot be parsed"
        place = (None, None) if mark is None else (mark.line + 1, mark.column + 1)
    except yaml.reader.ReaderError as error:
        reason, place = "a character that YAML does not allow", position_of(shown, int(error.position))
    except (ValueError, TypeError, RecursionError):
        # A number of thousands of digits; a key that is a list.
        reason, place = "a value that JSON does not have", (None, None)
    else:
        return documents[0] if len(documents) == 1 else documents
    # Out here the new exception has no context: a YAMLError carries the text around the place.
    raise BrokenYamlError(reason, *place)


class _Size(NamedTuple):
    """The size of what is written out: values, characters of text, and levels of containers."""

    values: int = 0
    chars: int = 0
    levels: int = 0


def _check_size(events: "Iterator[yaml.Event]", max_depth: int, max_values: int) -> None:
    """Check what there is once every alias is written out, without writing one out."""
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
            # An alias inside of its own anchor is a cycle, which shows later.
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
        raise _broken(f"more than {MAX_CHARS:,} characters once its aliases are written out", event.start_mark)


def _broken(reason: str, mark: Any) -> BrokenYamlError:
    return BrokenYamlError(reason, mark.line + 1, mark.column + 1)


@cache
def _loader() -> Any:
    """Return PyYAML's safe loader, in C where there is one, with the scalars of JSON and each key once."""
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(base):  # type: ignore[misc]  # which base there is shows at run time
        # Not those of YAML 1.1, to which `no` is false and `12:30` a number.
        yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - PyYAML's own name for it

        def flatten_mapping(self, node: Any) -> None:
            # Merge keys that merge merged mappings grow with each level.
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
