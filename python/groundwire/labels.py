"""
Decides which names logs and errors may show, and puts counts into words.

A domain is a key of a JSON object that a model wrote, so it may be a sentence of the transcript. Logs and error
messages show a domain only if it looks like a name in a program: `PHQ8_Sleep`, `sleep`, `mood.low`.
"""

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeVar

    _Choice = TypeVar("_Choice")

__all__ = ["LABEL_MAX_CHARS", "check_choice", "closest", "is_label", "plural", "show"]

LABEL_MAX_CHARS = 64

# ASCII without white space, because a whole sentence of Chinese or Japanese has no white space either.
_LABEL = re.compile(rf"[A-Za-z0-9_][A-Za-z0-9_.:/-]{{0,{LABEL_MAX_CHARS - 1}}}", re.ASCII)


def is_label(name: str) -> bool:
    """
    Tell whether *name* may be shown.

    A label has 1 to 64 ASCII letters, digits and `_ . : / -`, and starts with a
    letter, a digit or `_`.
    """
    return _LABEL.fullmatch(name) is not None


def show(name: str) -> str:
    """Return *name* in double quotes if it is a label, otherwise only its length."""
    return f'"{name}"' if is_label(name) else f"<a name of {len(name)} characters>"


def check_choice(name: str, value: object, allowed: "Iterable[_Choice]") -> "_Choice":
    """
    Return the member of *allowed* that equals *value*, or the enumeration member with this value.

    Args:
        name: Name of the parameter, for the message.
        value: Value from the caller.
        allowed: All allowed values: strings, or an enumeration class.

    Raises:
        ValueError: *value* is another str. The message lists the allowed values, and shows *value* only if it is a
            label.
        TypeError: *value* has another type.
    """
    choices = list(allowed)
    for choice in choices:
        if value is choice or (isinstance(value, str) and value == getattr(choice, "value", choice)):
            return choice
    known = ", ".join(f'"{getattr(choice, "value", choice)}"' for choice in choices)
    if not isinstance(value, str):
        raise TypeError(f"{name} must be one of {known}, got {type(value).__name__}")
    raise ValueError(f"{name} must be one of {known}, got {show(value)}")


def closest(name: str, names: "Iterable[str]") -> str | None:
    """Return the one of *names* that *name* most likely misspells, or None."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, list(names), n=1, cutoff=0.6)), None)


def plural(count: int, one: str, several: str | None = None) -> str:
    """
    Return *count* with the words for it: "1 claim was changed", "1,200 claims were changed".

    Args:
        count: The count; thousands are separated by commas.
        one: The words for a count of 1.
        several: The words for any other count; None for *one* with an s.
    """
    return f"{count:,} {one if count == 1 else f'{one}s' if several is None else several}"
