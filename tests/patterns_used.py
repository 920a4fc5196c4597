"""Every regular expression of the package: what it says, where it is, and how it is used."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import groundwire

__all__ = ["Use", "inexpressible", "uses"]

_METHODS = frozenset({"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"})
_ANCHORED = frozenset({"match", "fullmatch"})


@dataclass(frozen=True)
class Use:
    """
    One expression in one module.

    Attributes:
        name: `module:NAME`, or `module:function` for a call of `re` inside a function.
        pattern: The expression.
        flags: Its flags.
        modes: How it is used: "search" for whatever starts at more than one place, "match", "fullmatch".
    """

    name: str
    pattern: str | bytes
    flags: int
    modes: frozenset[str]


def modules() -> Iterator[ModuleType]:
    """All modules of the package that can be imported here."""
    yield groundwire
    for info in pkgutil.walk_packages(groundwire.__path__, "groundwire."):
        if info.name.endswith(("__main__", "._engine")):
            continue
        try:
            yield importlib.import_module(info.name)
        except ImportError as error:
            # An optional library that is not installed. A missing module of the package itself is a fault.
            if (error.name or "groundwire").partition(".")[0] == "groundwire":
                raise


def uses() -> list[Use]:
    """All expressions of the package that its modules hold or write out."""
    held: dict[int, tuple[re.Pattern[Any], list[str], set[str]]] = {}
    found: list[Use] = []
    all_modules = [module for module in modules() if module.__file__]
    for module in all_modules:
        for name, pattern in _held(vars(module)):
            _, names, _ = held.setdefault(id(pattern), (pattern, [], set()))
            names.append(f"{module.__name__}:{name}")
    for module in all_modules:
        tree = ast.parse(Path(module.__file__ or "").read_text(encoding="utf-8"))
        for name, modes in _modes(tree).items():
            pattern = vars(module).get(name)
            if isinstance(pattern, re.Pattern) and id(pattern) in held:
                held[id(pattern)][2].update(modes)
        found += _written(module, tree)
    for pattern, names, modes in held.values():
        found.append(Use(sorted(names)[0], pattern.pattern, pattern.flags, frozenset(modes or {"search"})))
    return sorted(found, key=lambda use: use.name)


def inexpressible() -> list[str]:
    """The calls of `re` whose expression is known only when they run, as `module:function`."""
    found = []
    for module in modules():
        if module.__file__:
            tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
            for function, call in _calls(tree):
                if function and _value(module, call) is None:
                    found.append(f"{module.__name__}:{function}")
    return sorted({*found})


def _held(names: Mapping[str, Any]) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """The compiled expressions that a module holds, also in mappings and sequences, and their bound methods."""
    for name, value in list(names.items()):
        for pattern in _inside(value, depth=3):
            yield name, pattern


def _inside(value: object, depth: int) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(getattr(value, "__self__", None), re.Pattern):
        yield value.__self__  # type: ignore[attr-defined] # looked up in the condition
    elif depth and isinstance(value, (tuple, list, frozenset, set)) and len(value) < 1000:
        for each in value:
            yield from _inside(each, depth - 1)
    elif depth and isinstance(value, Mapping) and len(value) < 1000:
        for each in value.values():
            yield from _inside(each, depth - 1)


def _modes(tree: ast.Module) -> dict[str, set[str]]:
    """How each name is used: by its methods, or as "search" if it is handed on."""
    modes: dict[str, set[str]] = {}
    known: set[int] = set()
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
        ):
            known |= {id(node.func.value)}
            method = node.func.attr
            if method in _METHODS:
                modes.setdefault(node.func.value.id, set()).add(_mode(method, len(node.args) + len(node.keywords) > 1))
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in ("pattern", "flags"):
            known |= {id(node.value)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in known:
            modes.setdefault(node.id, set()).add("search")
    return modes


def _mode(method: str, is_placed: bool) -> str:
    return method if method in _ANCHORED and not is_placed else "search"


def _calls(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """The calls of functions of `re` with an expression, each with the function around it, if any."""

    def walk(node: ast.AST, function: str) -> Iterator[tuple[str, ast.Call]]:
        for child in ast.iter_child_nodes(node):
            inner = function
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                inner = f"{function}.{child.name}" if function else child.name
            if isinstance(child, ast.Call) and isinstance(child.func, ast.Attribute):
                is_re = isinstance(child.func.value, ast.Name) and child.func.value.id == "re"
                if is_re and child.func.attr in {*_METHODS, "compile"}:
                    yield inner, child
            yield from walk(child, inner)

    yield from walk(tree, "")


def _value(module: ModuleType, call: ast.Call) -> tuple[str | bytes, int] | None:
    """The expression and the flags of *call*; None if they are known only when it runs."""
    is_compile = isinstance(call.func, ast.Attribute) and call.func.attr == "compile"
    flags = [each.value for each in call.keywords if each.arg == "flags"]
    at = {"compile": 1, "match": 2, "fullmatch": 2, "search": 2, "findall": 2, "finditer": 2}
    place = at.get(call.func.attr) if isinstance(call.func, ast.Attribute) else None
    if place is not None and len(call.args) > place:
        flags.append(call.args[place])
    try:
        values = [eval(compile(ast.Expression(each), "", "eval"), {**vars(module)}) for each in (call.args[0], *flags)]
    except NameError:
        return None
    pattern = values[0]
    if isinstance(pattern, re.Pattern):
        return pattern.pattern, pattern.flags
    assert is_compile or isinstance(pattern, (str, bytes))
    return pattern, sum(int(each) for each in values[1:])


def _written(module: ModuleType, tree: ast.Module) -> Iterator[Use]:
    """The expressions that are written out in functions."""
    for function, call in _calls(tree):
        if function and (value := _value(module, call)) is not None:
            method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
            yield Use(f"{module.__name__}:{function}", *value, frozenset({_mode(method, is_placed=False)}))
