"""
Finds the changes of a JSON Schema that break a program that reads reports by the older one.

A field may be added, and so may a value of an enumeration: readers ignore what they do not know. Everything else that
changes which values a field has is breaking, in either direction: a reader that expects a text breaks on null, and a
report that was valid must stay valid.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

__all__ = ["breaking_changes"]

Node: TypeAlias = Mapping[str, object]

_REFERENCE = "#/$defs/"

# These say nothing about the values of a field.
_ANNOTATIONS = {"$id", "$schema", "$defs", "title", "description", "default", "examples", "deprecated", "discriminator"}

# These limit the values of a field; a change of any of them is breaking.
_LIMITS = (
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"),
    *("pattern", "format", "contentEncoding", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"),
)

_STRUCTURE = {"$ref", "anyOf", "type", "enum", "const", "properties", "required", "additionalProperties", "items"}
_KNOWN = {*_ANNOTATIONS, *_LIMITS, *_STRUCTURE, "prefixItems"}


def breaking_changes(old: Node, new: Node) -> list[str]:
    """
    Return the breaking changes from *old* to *new*, each as the place and what happened there.

    Definitions are compared by their names, because lines of a report refer to them (`#/$defs/QuoteResult`).

    Raises:
        ValueError: A schema has a keyword that this module does not compare, or a reference that leads nowhere.
    """
    comparison = _Comparison(old, new)
    return [*comparison.definitions(), *comparison.nodes(old, new, "report")]


class _Comparison:
    """Compares two schemas, each with the definitions that its references name."""

    def __init__(self, old: Node, new: Node) -> None:
        self._old = _definitions(old)
        self._new = _definitions(new)
        # Pairs of references that were followed, because definitions may contain themselves.
        self._followed: set[tuple[str, str]] = set()

    def definitions(self) -> Iterator[str]:
        """Yield the changes of each definition of the older schema."""
        for name, old in self._old.items():
            if name in self._new:
                self._followed.add((name, name))
                yield from self.nodes(old, self._new[name], name)
            else:
                yield f"{name}: the definition was removed"

    def nodes(self, old: Node, new: Node, place: str) -> Iterator[str]:
        """Yield the changes from one schema to another at *place*."""
        names = _reference(old), _reference(new)
        if all(names):
            if names[0] == names[1] or names in self._followed:
                return
            self._followed.add((str(names[0]), str(names[1])))
        before, after = _by_kind(old, self._old), _by_kind(new, self._new)
        for kind in sorted(before.keys() - after.keys()):
            yield f"{place}: narrowed, it is never {kind} now"
        for kind in sorted(after.keys() - before.keys()):
            yield f"{place}: widened, it may be {kind} now"
        for kind in sorted(before.keys() & after.keys()):
            yield from self._alternative(before[kind], after[kind], place)

    def _alternative(self, old: Node, new: Node, place: str) -> Iterator[str]:
        yield from _enumerations(old, new, place)
        for limit in _LIMITS:
            if old.get(limit) != new.get(limit):
                yield f"{place}: {limit} was {_shown(old.get(limit))} and is {_shown(new.get(limit))}"
        yield from self._fields(old, new, place)
        for keyword, name in (("items", f"{place}[]"), ("additionalProperties", f"{place}.*")):
            yield from self._optional(old.get(keyword), new.get(keyword), name)
        yield from self._positions(_nodes(old.get("prefixItems")), _nodes(new.get("prefixItems")), place)

    def _fields(self, old: Node, new: Node, place: str) -> Iterator[str]:
        before, after = _node(old.get("properties", {})), _node(new.get("properties", {}))
        was_required, is_required = ({*_names(node.get("required", ()))} for node in (old, new))
        for name, field in before.items():
            where = f"{place}.{name}"
            if name not in after:
                yield f"{where}: the field was removed"
                continue
            if name in is_required - was_required:
                yield f"{where}: the field was optional and is required"
            if name in was_required - is_required:
                yield f"{where}: the field was always present and may be missing"
            yield from self.nodes(_node(field), _node(after[name]), where)

    def _optional(self, old: object, new: object, place: str) -> Iterator[str]:
        """Yield the changes of a keyword whose value is a schema, true, false or missing."""
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            yield from self.nodes(old, new, place)
        elif _is_open(old) != _is_open(new) or isinstance(old, Mapping) != isinstance(new, Mapping):
            yield f"{place}: {_shown(old)} became {_shown(new)}"

    def _positions(self, old: Sequence[Node], new: Sequence[Node], place: str) -> Iterator[str]:
        if len(old) != len(new):
            yield f"{place}: {len(old)} fixed items became {len(new)}"
        for position, (before, after) in enumerate(zip(old, new, strict=False)):
            yield from self.nodes(before, after, f"{place}[{position}]")


def _definitions(schema: Node) -> dict[str, Node]:
    return {name: _node(node) for name, node in _node(schema.get("$defs", {})).items()}


def _by_kind(node: Node, definitions: Mapping[str, Node]) -> dict[str, Node]:
    """Return the schema of each kind of values that *node* allows."""
    kinds: dict[str, Node] = {}
    for kind, alternative in _alternatives(node, definitions):
        if kind in kinds:
            raise ValueError(f"two alternatives {kind} cannot be compared")
        kinds[kind] = alternative
    return kinds


def _alternatives(node: Node, definitions: Mapping[str, Node]) -> Iterator[tuple[str, Node]]:
    """Yield the kinds of values that *node* allows, each with the schema of this kind."""
    unknown = node.keys() - _KNOWN
    if unknown:
        raise ValueError(f"the keyword `{min(unknown)}` is not compared")
    if (name := _reference(node)) is not None:
        if name not in definitions:
            raise ValueError(f"`{_REFERENCE}{name}` is not defined")
        yield from _alternatives(definitions[name], definitions)
    elif "anyOf" in node:
        for each in _nodes(node["anyOf"]):
            yield from _alternatives(each, definitions)
    else:
        for kind in _kinds(node):
            yield kind, node


def _kinds(node: Node) -> Iterator[str]:
    """Yield the JSON types of *node*; objects of several kinds differ by their titles, and no type means any."""
    types = node.get("type")
    if types is None:
        yield from sorted({_type_of(value) for value in _values(node)}) or ["any value"]
        return
    for name in [types] if isinstance(types, str) else _names(types):
        yield f"an object {node['title']}" if name == "object" and "title" in node else f"of type {name}"


def _type_of(value: object) -> str:
    names = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}
    return f"of type {names.get(type(value), 'object')}"


def _values(node: Node) -> list[object]:
    """Return the values that an enumeration or a constant allows; an empty list if *node* is neither."""
    if "const" in node:
        return [node["const"]]
    listed = node.get("enum", [])
    return list(listed) if isinstance(listed, Sequence) else []


def _enumerations(old: Node, new: Node, place: str) -> Iterator[str]:
    before, after = _values(old), _values(new)
    if before and not after:
        yield f"{place}: widened, it was one of {len(before)} values and is any"
    elif after and not before:
        yield f"{place}: narrowed, it was any value and is one of {len(after)}"
    else:
        yield from (f"{place}: the value {_shown(value)} was removed" for value in before if value not in after)


def _reference(node: Node) -> str | None:
    name = node.get("$ref")
    return name.removeprefix(_REFERENCE) if isinstance(name, str) else None


def _node(value: object) -> Node:
    if not isinstance(value, Mapping):
        raise ValueError(f"a schema must be an object, got {type(value).__name__}")
    return value


def _nodes(value: object) -> list[Node]:
    return [_node(each) for each in value] if isinstance(value, Sequence) else []


def _names(value: object) -> list[str]:
    return [str(each) for each in value] if isinstance(value, Sequence) else []


def _is_open(value: object) -> bool:
    """Tell whether a keyword that is missing or true allows any value."""
    return value is None or value is True


def _shown(value: object) -> str:
    return "absent" if value is None else json.dumps(value)
