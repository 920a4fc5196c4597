"""How rows are grounded: checked in words, before anything is read."""

from dataclasses import asdict, dataclass
from typing import Literal, TypeAlias

from groundwire.errors import BulkError
from groundwire.evidence.schema import check_mode, check_threshold
from groundwire.labels import closest, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    import pyarrow as pa

    from groundwire.telemetry import ValidationMode

__all__ = [
    "GUARDED",
    "MODES",
    "POLICIES",
    "RESULTS",
    "Policy",
    "Rule",
    "check_columns",
    "is_integer",
    "is_text",
    "quotes_are_lists",
]

Policy: TypeAlias = Literal["literal", "guarded"]
POLICIES: tuple[Policy, ...] = ("literal", "guarded")
MODES: tuple[Literal["substring", "fuzzy"], ...] = ("substring", "fuzzy")

RESULTS = ("grounded", "kind", "score", "start", "end", "error")
"""The columns that are added to those of the input, in their order."""
GUARDED = ("status", "reasons")
"""The columns that the guarded policy adds after them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """
    What decides on a row.

    Attributes:
        quote: Name of the column with the quotes: strings, or lists of strings.
        source: Name of the column with the sources: texts, or ids of a table of sources.
        mode: How the literal policy compares: "substring", or "fuzzy".
        threshold: The least score of a quote that is nearly there, 0.0 to 1.0.
        policy: "literal" compares strings, "guarded" is `groundwire.evidence.assess_quotes`.

    Raises:
        TypeError: A value is of another type.
        ValueError: A value is unknown, out of its range, or belongs to the other policy.
    """

    quote: str = "quote"
    source: str = "source"
    mode: "ValidationMode" = "substring"
    threshold: float = 0.85
    policy: Policy = "literal"

    def __post_init__(self) -> None:
        for name in ("quote", "source", "policy"):
            if not isinstance(getattr(self, name), str):
                raise TypeError(f"{name} must be a str, got {type(getattr(self, name)).__name__}")
        if self.policy not in POLICIES:
            raise ValueError(f'policy must be "literal" or "guarded", got {show(self.policy)}')
        if self.quote == self.source:
            raise ValueError(f"quote and source must be two columns, got {show(self.quote)} for both")
        check_mode(self.mode)
        object.__setattr__(self, "threshold", check_threshold(self.threshold, name="threshold"))
        if self.policy == "guarded" and self.mode != "substring":
            raise ValueError('mode is an option of the literal policy; policy="guarded" compares in its own way')

    @property
    def results(self) -> tuple[str, ...]:
        """The columns that are added."""
        return RESULTS if self.policy == "literal" else RESULTS + GUARDED

    def as_json(self) -> dict[str, str | float]:
        """Return the rule as plain data."""
        return asdict(self)


def check_columns(schema: "pa.Schema", rule: Rule, *, where: str, has_ids: bool) -> None:
    """
    Check that rows with this schema can be grounded.

    Args:
        schema: The columns.
        rule: Which of them are asked for.
        where: What has them, for the message.
        has_ids: Whether the sources are given by id.

    Raises:
        BulkError: A column is missing, of another type, or called like a result. Names columns, no values.
    """
    for name in (rule.quote, rule.source):
        _check_is_there(name, schema.names, where)
    taken = [name for name in rule.results if name in schema.names]
    if taken:
        raise BulkError(f"{where} has a column {show(taken[0])} already, which is the name of a result")
    quotes, sources = schema.field(rule.quote).type, schema.field(rule.source).type
    if not (is_text(quotes) or quotes_are_lists(quotes)):
        raise BulkError(f"{where}: column {show(rule.quote)} must have strings, or lists of strings, has {quotes}")
    if has_ids:
        if not (is_text(sources) or is_integer(sources)):
            raise BulkError(f"{where}: column {show(rule.source)} must have ids, strings or integers, has {sources}")
    elif not is_text(sources):
        hint = "sources given by id need the table of sources too" if is_integer(sources) else None
        raise BulkError(f"{where}: column {show(rule.source)} must have texts, has {sources}", hint)


def _check_is_there(name: str, names: list[str], where: str) -> None:
    if names.count(name) > 1:
        raise BulkError(f"{where} has more than one column {show(name)}")
    if name not in names:
        guess = closest(name, names)
        listed = ", ".join(map(show, names[:20])) + (", ..." if len(names) > 20 else "")
        hint = f"did you mean {show(guess)}?" if guess else f"its columns: {listed or 'none'}"
        raise BulkError(f"{where} has no column {show(name)}", hint)


def quotes_are_lists(kind: "pa.DataType") -> bool:
    """Tell whether a column of this type has lists of strings."""
    import pyarrow.types as types

    return (types.is_list(kind) or types.is_large_list(kind)) and is_text(kind.value_type)


def is_text(kind: "pa.DataType") -> bool:
    """Tell whether a column of this type has strings, in a dictionary or not."""
    import pyarrow.types as types

    if types.is_dictionary(kind):
        kind = kind.value_type
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def is_integer(kind: "pa.DataType") -> bool:
    """Tell whether a column of this type has integers, in a dictionary or not."""
    import pyarrow.types as types

    return bool(types.is_integer(kind.value_type if types.is_dictionary(kind) else kind))
