"""
Lists the public Python API as stubs, and finds the breaking changes between two listings with griffe.

Public are the names in `__all__` of each package and of each module that the package `groundwire` or the documentation
names; of classes, the members without an underscore. A listing has a section for each module, so that people can read
its changes, and griffe reads it back to compare it.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import griffe

__all__ = ["breaking_changes", "listing", "load", "load_tag"]

_HEADING = "# module "

_INTERNAL = {"benchmarks", "cli"}
# Modules of packages that the documentation names. Those of the root are in its `_SUBPACKAGES`.
_DOCUMENTED = {"groundwire.bulk.spark", "groundwire.citations.support"}

# griffe has these as labels of a function that is read like an attribute.
_PROPERTIES = {"property", "cached"}
_DECORATORS = ("classmethod", "staticmethod")
_CONSTRUCTORS = ("__init__", "__new__")


def load(sources: Path) -> griffe.Module:
    """Return the package in the folder *sources*, read without importing it."""
    package = griffe.load("groundwire", search_paths=[sources], resolve_aliases=True, allow_inspection=False)
    return _module(package)


def load_tag(repository: Path, tag: str) -> griffe.Module:
    """Return the package as it was at *tag* of a Git repository."""
    package = griffe.load_git(
        "groundwire", ref=tag, repo=repository, search_paths=["python"], resolve_aliases=True, allow_inspection=False
    )
    return _module(package)


def listing(package: griffe.Module) -> str:
    """Return the public API of *package* as stubs: a section for each module, names in alphabetical order."""
    sections = []
    for module in sorted(_public_modules(package), key=lambda each: each.path):
        lines = [line for name in sorted(_exported(module)) for line in _stub(name, module[name])]
        sections.append("\n".join([f"{_HEADING}{module.path}", "", *lines]))
    return "\n\n".join(sections) + "\n"


def breaking_changes(old: str, new: str) -> list[str]:
    """Return the breaking changes from the listing *old* to *new*, each with the name of what changed."""
    before, after = _sections(old), _sections(new)
    found = []
    for name, section in before.items():
        if name not in after:
            found.append(f"{name}: the module was removed")
            continue
        modules = _visit(name, section), _visit(name, after[name])
        found += [_explained(each) for each in griffe.find_breaking_changes(*modules)]
        found += _changed_values(*modules)
    return sorted(found)


def _explained(breakage: griffe.Breakage) -> str:
    """Return one line without the place in the file, which is a place in the listing."""
    line = breakage.explain(griffe.ExplanationStyle.ONE_LINE)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", line)
    _, _, rest = plain.partition(": ")
    module = breakage.obj.module.path
    return f"{module}.{rest}"


def _changed_values(old: griffe.Module, new: griffe.Module) -> Iterator[str]:
    """Yield the members of enumerations with another value: reports and databases contain the values."""
    for name, before in old.classes.items():
        others = new.classes[name].attributes if name in new.classes else {}
        for member, attribute in before.attributes.items():
            other = others.get(member)
            if other is not None and str(other.value) != str(attribute.value):
                yield f"{before.path}.{member}: the value was {attribute.value} and is {other.value}"


def _public_modules(module: griffe.Module) -> Iterator[griffe.Module]:
    """Yield *module* and the public ones below it."""
    yield module
    named = {f"{module.path}.{name}" for name in _names_of_root(module)} | _DOCUMENTED
    for name, member in module.members.items():
        if member.is_alias or not isinstance(member, griffe.Module) or name in _INTERNAL or name.startswith("_"):
            continue
        if member.is_package or member.is_subpackage:
            yield from _public_modules(member)
        elif member.path in named:
            yield member


def _names_of_root(module: griffe.Module) -> list[str]:
    """Return the modules that the root of the package imports on first use."""
    listed = module.members.get("_SUBPACKAGES")
    return re.findall(r"'(\w+)'", str(listed.value)) if isinstance(listed, griffe.Attribute) else []


def _exported(module: griffe.Module) -> set[str]:
    return {str(name) for name in module.exports or () if str(name) in module.members}


def _stub(name: str, member: griffe.Object | griffe.Alias, indent: str = "") -> Iterator[str]:
    """Yield the lines of a stub of *member*."""
    if isinstance(member, griffe.Alias):
        try:
            member = member.final_target
        except griffe.AliasResolutionError:
            # A name of another library.
            yield f"{indent}{name}: object"
            return
    if isinstance(member, griffe.Class):
        yield from _class_stub(name, member, indent)
    elif isinstance(member, griffe.Function):
        yield from _function_stub(name, member, indent)
    elif isinstance(member, griffe.Attribute):
        yield f"{indent}{_attribute_stub(name, member)}"
    else:
        yield f"{indent}{name}: module"


def _class_stub(name: str, member: griffe.Class, indent: str) -> Iterator[str]:
    bases = ", ".join(str(base) for base in member.bases)
    yield f"{indent}class {name}({bases}):" if bases else f"{indent}class {name}:"
    members = {key: each for key, each in member.all_members.items() if key in _CONSTRUCTORS or not key.startswith("_")}
    lines = [line for key in sorted(members) for line in _stub(key, members[key], f"{indent}    ")]
    yield from lines or [f"{indent}    ..."]
    yield ""


def _function_stub(name: str, member: griffe.Function, indent: str) -> Iterator[str]:
    for decorator in _DECORATORS:
        if decorator in member.labels:
            yield f"{indent}@{decorator}"
    prefix = "async " if "async" in member.labels else ""
    yield f"{indent}{prefix}def {member.signature(name=name)}: ..."


def _attribute_stub(name: str, member: griffe.Attribute) -> str:
    if _is_enumeration(member.parent):
        return f"{name} = {member.value}"
    return f"{name}: {member.annotation or 'object'}"


def _is_enumeration(owner: griffe.Module | griffe.Class | None) -> bool:
    return isinstance(owner, griffe.Class) and any(str(base).endswith("Enum") for base in owner.bases)


def _sections(text: str) -> dict[str, str]:
    """Return the stubs of each module of a listing."""
    parts = re.split(rf"^{_HEADING}(.+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def _visit(name: str, stubs: str) -> griffe.Module:
    return griffe.visit(name, filepath=Path(f"{name}.pyi"), code=stubs)


def _module(loaded: griffe.Object | griffe.Alias) -> griffe.Module:
    if not isinstance(loaded, griffe.Module):
        raise TypeError(f"groundwire must be a package, got {type(loaded).__name__}")
    return loaded
