"""Checks the schema of evidence, which maps domains to quotes (ruling A13), and the values of options."""

from collections.abc import Mapping
from dataclasses import dataclass

from groundwire.errors import EvidenceSchemaError
from groundwire.labels import check_choice, show

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from groundwire.telemetry import ValidationMode

    EvidenceGuard: TypeAlias = Literal["meaning"]

__all__ = [
    "EvidenceGroundingStats",
    "check_count",
    "check_guard",
    "check_mode",
    "check_threshold",
    "first_fault",
    "validate_evidence_schema",
]


@dataclass(frozen=True, slots=True)
class EvidenceGroundingStats:
    """
    Counts extracted, grounded and rejected quotes.

    Attributes:
        extracted_count: All quotes, including blank ones (ruling A6).
        validated_count: Quotes that the transcript contains.
        rejected_count: All other quotes; the two add up to `extracted_count`.
        rejected_by_domain: Rejected quotes of each domain, including zeros.
    """

    extracted_count: int
    validated_count: int
    rejected_count: int
    rejected_by_domain: dict[str, int]


def validate_evidence_schema(obj: object) -> dict[str, list[str]]:
    """
    Check that *obj* maps each domain to a list of quotes.

    Returns:
        A new dict in the order of *obj*, without repeated quotes within a domain.
        Blank quotes are kept.

    Raises:
        EvidenceSchemaError: *obj* is not a mapping, a domain is not a str, a value
            is not a list, or an element is not a str. The message names the domain
            and the type found, never the text.
    """
    fault = first_fault(obj, sequences=(list,))
    if fault is not None:
        raise EvidenceSchemaError(fault)
    assert isinstance(obj, Mapping)
    return {domain: list(dict.fromkeys(quotes)) for domain, quotes in obj.items()}


def first_fault(obj: object, *, sequences: tuple[type[list[object] | tuple[object, ...]], ...]) -> str | None:
    """
    Return the first schema error of *obj*, or None.

    *sequences* are the allowed types for the quotes of a domain.
    """
    if not isinstance(obj, Mapping):
        return f"evidence must be a mapping of domain to list of str, got {_type(obj)}"
    for domain, quotes in obj.items():
        if not isinstance(domain, str):
            return f"every domain of evidence must be a str, got {_type(domain)}"
        if not isinstance(quotes, sequences):
            return f"evidence[{show(domain)}] must be a list of str, got {_type(quotes)}"
        for index, quote in enumerate(quotes):
            if not isinstance(quote, str):
                return f"evidence[{show(domain)}][{index}] must be a str, got {_type(quote)}"
    return None


def _type(value: object) -> str:
    return type(value).__name__


def check_mode(mode: str) -> "ValidationMode":
    """
    Return *mode* if it is a known mode (ruling A7).

    Raises:
        TypeError: *mode* is not a str.
        ValueError: *mode* is neither "substring" nor "fuzzy".
    """
    modes: tuple[ValidationMode, ...] = ("substring", "fuzzy")
    return check_choice("mode", mode, modes)


def check_threshold(threshold: float, *, name: str = "fuzzy_threshold") -> float:
    """
    Return *threshold* as a float if it is from 0.0 to 1.0 (ruling A11).

    Args:
        threshold: The value of the option.
        name: Name of the option, for the message.

    Raises:
        TypeError: *threshold* is not a number.
        ValueError: *threshold* is outside 0 to 1, or NaN.
    """
    if not hasattr(type(threshold), "__float__"):
        raise TypeError(f"{name} must be a number, got {type(threshold).__name__}")
    value = float(threshold)
    if not 0.0 <= value <= 1.0:
        raise ValueError(f"{name} must be from 0 to 1, got {value}")
    return value


def check_count(name: str, value: object, *, least: int = 0) -> int:
    """
    Return *value* if it is an int of at least *least*; *name* is its name in messages.

    Raises:
        TypeError: It is not an int.
        ValueError: It is smaller.
    """
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} must be an int, got {type(value).__name__}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}, got {value}")
    return value


def check_guard(guard: str | None) -> "EvidenceGuard | None":
    """
    Return *guard* if it is a known guard; None means the literal rule.

    Raises:
        TypeError: *guard* is neither None nor a str.
        ValueError: *guard* is a str other than "meaning".
    """
    guards: tuple[EvidenceGuard, ...] = ("meaning",)
    return None if guard is None else check_choice("guard", guard, guards)
