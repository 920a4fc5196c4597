"""Citations of a batch of answers. Needs pyarrow."""

from collections.abc import Iterator
from typing import Any

import pyarrow

from groundwire.bulk.columns import LABELS, TEXT, Row, append, texts
from groundwire.citations import RiskThresholds, assess_citations

__all__ = ["assess_batch"]

_FIELDS = (
    ("level", TEXT),
    ("score", pyarrow.float64()),
    ("citation_ratio", pyarrow.float64()),
    ("citation_coverage", pyarrow.float64()),
    ("total_claims", pyarrow.int64()),
    ("valid_citations", LABELS),
    ("invalid_citations", LABELS),
    ("reasons", LABELS),
    ("error", TEXT),
)


def assess_batch(
    batch: Any,
    *,
    answer: str = "answer",
    results: str = "results",
    policy: str = "coverage",
    settings: RiskThresholds | None = None,
) -> Any:
    """
    Say of each answer of a batch, table or stream how risky it is by its citations.

    Args:
        batch: Whatever has Arrow's interface for Python.
        answer: Name of the column with the answers.
        results: Name of the column with what each could cite: lists of structures, with the fields that
            `assess_citations` reads.
        policy, settings: As for `assess_citations`.

    Returns:
        The columns of *batch*, in pyarrow's form, and after them, as `CitationReport` has them: level (string),
        score, citation_ratio and citation_coverage (float64), total_claims (int64), valid_citations,
        invalid_citations and reasons (lists of strings); and error (string): the text or the results are null, or
        the text is not valid UTF-8. The others are null then.

    Raises:
        TypeError: *batch* has no such interface, or a column is of another type.
        ValueError: There is no such column or policy, or there is a column with the name of a result.
    """
    # Refuses an unknown policy before the first row.
    assess_citations("", [], policy=policy, settings=settings)

    def assess(batch: Any) -> Iterator[Row]:
        _check_results(batch, results)
        given = batch.column(results).to_pylist()
        for (text, error), known in zip(texts(batch, answer), given, strict=True):
            if error is not None or known is None:
                yield {"error": error or "the results are null"}
                continue
            report = assess_citations(
                text, [{} if one is None else one for one in known], policy=policy, settings=settings
            )
            yield {name: getattr(report, name) for name, _ in _FIELDS[1:7]} | {
                "level": report.level.value,
                "reasons": [reason.value for reason in report.reasons],
            }

    return append(batch, _FIELDS, assess)


def _check_results(batch: Any, name: str) -> None:
    """Raise unless there is one such column, of lists of structures."""
    if (count := batch.schema.names.count(name)) != 1:
        raise ValueError(f"{count} columns are called '{name}'; there are {', '.join(map(repr, batch.schema.names))}")
    of_type = batch.schema.field(name).type
    is_list = pyarrow.types.is_list(of_type) or pyarrow.types.is_large_list(of_type)
    if not is_list or not pyarrow.types.is_struct(of_type.value_type):
        raise TypeError(f"column '{name}' must have lists of structures, got {of_type}")
