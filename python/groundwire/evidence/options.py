"""The options of a grounding: refused in words, before any work is done."""

from groundwire.labels import check_choice, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from groundwire.telemetry import ValidationMode

    EvidenceGuard: TypeAlias = Literal["meaning"]

__all__ = ["check_guard", "check_mode", "check_threshold"]


def check_mode(mode: str) -> "ValidationMode":
    """
    Return *mode* if there is such a mode (ruling A7).

    Raises:
        TypeError: *mode* is no str.
        ValueError: *mode* is another str than "substring" or "fuzzy".
    """
    modes: tuple[ValidationMode, ...] = ("substring", "fuzzy")
    return check_choice("mode", mode, modes)


def check_threshold(threshold: float, *, name: str = "fuzzy_threshold") -> float:
    """
    Return *threshold* as a float if it is from 0.0 to 1.0 (ruling A11).

    Args:
        threshold: The value of the option.
        name: What the option is called, for the message.

    Raises:
        TypeError: It is no number.
        ValueError: It is outside 0 to 1, or NaN.
    """
    if not hasattr(type(threshold), "__float__"):
        raise TypeError(f"{name} must be a number, got {type(threshold).__name__}")
    value = float(threshold)
    if not 0.0 <= value <= 1.0:
        raise ValueError(f"{name} must be from 0 to 1, got {value}")
    return value


def check_guard(guard: str | None) -> "EvidenceGuard | None":
    """
    Return *guard* if there is such a guard; None is the literal rule.

    Raises:
        TypeError: *guard* is neither None nor a str.
        ValueError: *guard* is another str than "meaning".
    """
    if guard is None:
        return None
    if guard == "meaning":
        return "meaning"
    if not isinstance(guard, str):
        raise TypeError(f"guard must be a str or None, got {type(guard).__name__}")
    raise ValueError(f'guard must be "meaning", or None for the literal rule, got {show(guard)}')
