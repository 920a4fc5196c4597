"""Is a value a mapping of domain to list of quotes? (ruling A13)"""

from collections.abc import Mapping

from groundwire.errors import EvidenceSchemaError
from groundwire.labels import show

__all__ = ["first_fault", "validate_evidence_schema"]


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
