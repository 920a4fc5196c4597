"""
Warns about names that a later version removes.

A name that goes is first deprecated for at least one minor version. Every use of it warns with `DeprecationWarning` at
the caller's line, which Python reports once for each line, and names the replacement and the version of the removal.

`warnings.deprecated` does the same from Python 3.13 on. Its backport would be one more package for every installation.
"""

import warnings
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar, cast

__all__ = ["deprecated", "warn_deprecated_name"]

_Target = TypeVar("_Target", bound=Callable[..., object])
_Given = ParamSpec("_Given")
_Returned = TypeVar("_Returned")


def deprecated(*, replacement: str, removal: str) -> Callable[[_Target], _Target]:
    """
    Return a decorator for a function, method or class that a later version removes.

    Calls of the function warn, and so does creating an object of the class or of a subclass. The text of the warning
    is also in the attribute `__deprecated__` (PEP 702), where documentation tools find it. Below `@property`,
    `@classmethod` and `@staticmethod`, it is the inner decorator.

    Args:
        replacement: What to use instead, as code: `Sources.find`.
        removal: The first version without it: `0.4.0`.
    """

    def decorate(target: _Target) -> _Target:
        message = _message(target.__qualname__, replacement, removal)
        marked = _class_warning(target, message) if isinstance(target, type) else _warning(target, message)
        marked.__deprecated__ = message  # type: ignore[union-attr] # PEP 702
        return cast("_Target", marked)

    return decorate


def warn_deprecated_name(name: str, *, replacement: str, removal: str) -> None:
    """
    Warn at the line that uses a deprecated attribute of a module, for its `__getattr__`.

    Args:
        name: The name in the module.
        replacement: What to use instead, as code.
        removal: The first version without it.
    """
    # The second frame is `__getattr__`, the third the line that uses the name; Python skips its own import machinery.
    warnings.warn(_message(name, replacement, removal), DeprecationWarning, stacklevel=3)


def _warning(function: Callable[_Given, _Returned], message: str) -> Callable[_Given, _Returned]:
    """Return *function* with a warning before each call, at the line of the call."""

    @wraps(function)
    def warn_first(*args: _Given.args, **options: _Given.kwargs) -> _Returned:
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return function(*args, **options)

    return warn_first


def _class_warning(target: type, message: str) -> type:
    """Return the same class, for `isinstance` and subclasses, with a warning before each object is made."""
    target.__init__ = _warning(target.__init__, message)  # type: ignore[misc] # replaced on purpose
    return target


def _message(name: str, replacement: str, removal: str) -> str:
    return f"`{name}` is deprecated and will be removed in groundwire {removal}; use `{replacement}`"
