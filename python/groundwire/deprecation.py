"""
Warns about names that a later version removes.

A name that goes is first deprecated for at least one minor version. Every use of it warns with `DeprecationWarning` at
the caller's line, which Python reports once for each line, and names the replacement and the version of the removal.
"""

import sys
import warnings
from collections.abc import Callable
from typing import TypeVar

__all__ = ["deprecated", "warn_deprecated_name"]

_T = TypeVar("_T", bound=Callable[..., object])


def deprecated(*, replacement: str, removal: str) -> Callable[[_T], _T]:
    """
    Return a decorator for a function, method or class that a later version removes.

    Calls of the function, and creating an object of the class or of a subclass, warn. The text of the warning is
    also in the attribute `__deprecated__` (PEP 702), where documentation tools find it.

    Args:
        replacement: What to use instead, as code: `Sources.find`.
        removal: The first version without it: `0.4.0`.
    """
    if sys.version_info >= (3, 13):
        from warnings import deprecated as mark
    else:
        from typing_extensions import deprecated as mark

    def decorate(target: _T) -> _T:
        decorated: _T = mark(_message(target.__qualname__, replacement, removal))(target)
        return decorated

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


def _message(name: str, replacement: str, removal: str) -> str:
    return f"`{name}` is deprecated and will be removed in groundwire {removal}; use `{replacement}`"
