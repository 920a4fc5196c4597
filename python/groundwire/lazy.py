"""Provides names of a package that are imported on first use (PEP 562). This module imports nothing."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

__all__ = ["lazy_names"]


def lazy_names(
    namespace: "dict[str, Any]", homes: "Mapping[str, str]"
) -> "tuple[Callable[[str], object], Callable[[], list[str]]]":
    """
    Return `__getattr__` and `__dir__` for a package.

    Args:
        namespace: The `globals()` of the package.
        homes: The module of each name; for a module of the package, that module itself.
    """
    package = namespace["__name__"]

    def get(name: str) -> object:
        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module

        module = import_module(home)
        value: object = module if home == f"{package}.{name}" else getattr(module, name)
        namespace[name] = value
        return value

    def names() -> list[str]:
        return sorted({*namespace, *homes})

    return get, names
