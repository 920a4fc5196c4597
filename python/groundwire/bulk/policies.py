"""The literal and the guarded policy: which columns they need, and which columns they return."""

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal, TypeAlias

import pyarrow as pa
import pyarrow.types as types

from groundwire.errors import BulkError
from groundwire.evidence.schema import check_mode, check_threshold
from groundwire.labels import closest, show
from groundwire.support_score import SupportScore
from groundwire.thresholds import FUZZY_THRESHOLD

if TYPE_CHECKING:
    from groundwire.telemetry import ValidationMode

__all__ = [
    "MODES",
    "POLICIES",
    "Policy",
    "RowPolicy",
    "check_columns",
    "check_score",
    "guarded_columns",
    "is_integer",
    "is_text",
    "is_text_list",
]

Policy: TypeAlias = Literal["literal", "guarded"]
POLICIES: tuple[Policy, ...] = ("literal", "guarded")
MODES: tuple[Literal["substring", "fuzzy"], ...] = ("substring", "fuzzy")

# The maximum number of columns that a message lists.
_MAX_LISTED = 20

_RESULTS = ("grounded", "kind", "score", "start", "end", "error")
_VERDICTS = ("status", "reasons")
_SCORED = ("probability",)
_LOCATED = ("page", "document_sha256")


@dataclass(frozen=True, slots=True, kw_only=True)
class RowPolicy:
    """
    The columns of the rows, and the rule that decides on them.

    Attributes:
        quote: The column with the quotes: strings, or lists of strings.
        source: The column with the sources: texts, ids of a table of sources, or paths of documents.
        mode: The comparison of the literal policy: "substring" or "fuzzy".
        threshold: The minimum score of a similar passage, 0.0 to 1.0.
        policy: "literal" compares strings; "guarded" is `groundwire.evidence.assess_quotes`.
        score: A score fitted on quotes, for the guarded policy; None for no probabilities.
        documents: The folder of documents, of which the sources are paths; None for texts or ids.

    Raises:
        TypeError: A value has the wrong type.
        ValueError: A value is unknown, out of range, or belongs to the other policy.
    """

    quote: str = "quote"
    source: str = "source"
    mode: "ValidationMode" = "substring"
    threshold: float = FUZZY_THRESHOLD
    policy: Policy = "literal"
    score: SupportScore | None = None
    documents: str | None = None

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
            raise ValueError('mode is an option of the literal policy; policy="guarded" has no modes')
        if self.score is not None:
            check_score(self.score)
            if self.policy != "guarded":
                raise ValueError('score is an option of policy="guarded"')

    @property
    def results(self) -> tuple[str, ...]:
        """The columns of the results."""
        decided = _RESULTS if self.policy == "literal" else guarded_columns(self.score)
        return decided if self.documents is None else decided + _LOCATED

    def as_json(self) -> dict[str, str | float]:
        """Return the policy as plain data, a score as its hash."""
        plain = {field.name: getattr(self, field.name) for field in fields(self)}
        return plain | {"score": "" if self.score is None else self.score.sha256, "documents": self.documents or ""}


def guarded_columns(score: SupportScore | None) -> tuple[str, ...]:
    """Return the columns of the results of the guarded policy, with or without a score."""
    return _RESULTS + _VERDICTS + (() if score is None else _SCORED)


def check_score(score: object) -> None:
    """
    Check that *score* can score quotes.

    Raises:
        TypeError: It is not a `SupportScore`.
        SupportScoreError: It was fitted on claims.
    """
    if not isinstance(score, SupportScore):
        raise TypeError(f"score must be a SupportScore or None, got {type(score).__name__}")
    score.check_subject("quotes")


def check_columns(schema: pa.Schema, policy: RowPolicy, *, where: str, has_ids: bool) -> None:
    """
    Check that rows with this schema can be grounded.

    Args:
        schema: The columns.
        policy: The policy, which names the columns with quotes and sources.
        where: The file or frame, for messages.
        has_ids: Whether the sources are given by id.

    Raises:
        BulkError: A column is missing, has the wrong type, or the name of a result. Names columns, and no values.
    """
    for name in (policy.quote, policy.source):
        _check_exists(name, schema.names, where)
    taken = [name for name in policy.results if name in schema.names]
    if taken:
        raise BulkError(f"{where} has a column {show(taken[0])} already, which is the name of a result")
    quotes, sources = schema.field(policy.quote).type, schema.field(policy.source).type
    if not (is_text(quotes) or is_text_list(quotes)):
        raise BulkError(f"{where}: column {show(policy.quote)} must have strings, or lists of strings, has {quotes}")
    if has_ids:
        if not (is_text(sources) or is_integer(sources)):
            raise BulkError(f"{where}: column {show(policy.source)} must have ids, strings or integers, has {sources}")
    elif not is_text(sources):
        hint = "sources given by id need the table of sources too" if is_integer(sources) else None
        raise BulkError(f"{where}: column {show(policy.source)} must have texts, has {sources}", hint)


def _check_exists(name: str, names: list[str], where: str) -> None:
    if names.count(name) > 1:
        raise BulkError(f"{where} has more than one column {show(name)}")
    if name not in names:
        guess = closest(name, names)
        listed = ", ".join(map(show, names[:_MAX_LISTED])) + (", ..." if len(names) > _MAX_LISTED else "")
        hint = f"did you mean {show(guess)}?" if guess else f"its columns: {listed or 'none'}"
        raise BulkError(f"{where} has no column {show(name)}", hint)


def is_text_list(kind: pa.DataType) -> bool:
    """Tell whether a column of this type has lists of strings."""
    return (types.is_list(kind) or types.is_large_list(kind)) and is_text(kind.value_type)


def is_text(kind: pa.DataType) -> bool:
    """Tell whether a column of this type has strings, in a dictionary or not."""
    if types.is_dictionary(kind):
        kind = kind.value_type
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def is_integer(kind: pa.DataType) -> bool:
    """Tell whether a column of this type has integers, in a dictionary or not."""
    return bool(types.is_integer(kind.value_type if types.is_dictionary(kind) else kind))
