"""The schema step of evidence (a dict from domain to quotes, ruling A13), and the options that grounding takes."""

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
    "check_guard",
    "check_mode",
    "check_threshold",
    "first_fault",
    "validate_evidence_schema",
]


@dataclass(frozen=True, slots=True)
class EvidenceGroundingStats:
    """
    How many quotes were extracted, grounded and rejected.

    Attributes:
        extracted_count: All quotes, blank ones included (ruling A6).
        validated_count: Those found in the transcript.
        rejected_count: The others; the two add up to `extracted_count`.
        rejected_by_domain: Rejected quotes of each domain, 0 included.
    """

    extracted_count: int
    validated_count: int
    rejected_count: int
    rejected_by_domain: dict[str, int]


def validate_evidence_schema(obj: object) -> dict[str, list[str]]:
    """
    Check that *obj* maps each domain to a list of quotes.

    Returns:
        A new dict in the order of *obj*; later duplicates of a quote within a
        domain are dropped, blank quotes stay.

    Raises:
        EvidenceSchemaError: *obj* is no mapping, a domain is no str, a value is
            no list, or an element is no str. Names the domain and the type
            found, never the text.
    """
    fault = first_fault(obj, sequences=(list,))
    if fault is not None:
        raise EvidenceSchemaError(fault)
    assert isinstance(obj, Mapping)
    return {domain: list(dict.fromkeys(quotes)) for domain, quotes in obj.items()}


def first_fault(obj: object, *, sequences: tuple[type[list[object] | tuple[object, ...]], ...]) -> str | None:
    """
    Say what first keeps *obj* from being evidence, or return None.

    *sequences* are the types that may hold the quotes of a domain.
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
