"""Citations of a batch of answers. Needs pyarrow."""

import os
from collections.abc import Iterator
from typing import Any

import pyarrow
import pyarrow.compute

from groundwire._engine import read_answers
from groundwire.bulk.columns import LABELS, TEXT, Row, append, of_rows, texts
from groundwire.citations import RiskThresholds
from groundwire.citations.assessment import assess_read, check_policy, check_settings, passages_of, without_texts
from groundwire.citations.risk_rules import Facts, Policy, Share, decide
from groundwire.search_results import READ_KEYS, read_results
from groundwire.support_score import SupportScore, chosen_score

__all__ = ["assess_batch"]

_IDS = frozenset({"id", "parent_id"})
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
    score: SupportScore | str | os.PathLike[str] | None = None,
    workers: int = 1,
) -> Any:
    """
    Say of each answer of a batch, table or stream how risky it is by its citations.

    Args:
        batch: Whatever has Arrow's interface for Python.
        answer: Name of the column with the answers.
        results: Name of the column with what each could cite: lists of structures, with the fields that
            `assess_citations` reads.
        policy, settings, score: As for `assess_citations`.
        workers: Threads to use at most for answers whose results have ids alone, under the policy "coverage": the
            engine reads those. Passages and the printed rules are read in Python, row by row.

    Returns:
        The columns of *batch*, in pyarrow's form, and after them, as `CitationReport` has them: level (string),
        score, citation_ratio and citation_coverage (float64), total_claims (int64), valid_citations,
        invalid_citations and reasons (lists of strings); and error (string): the text or the results are null, or
        the text is not valid UTF-8. The others are null then.

    Raises:
        TypeError: *batch* has no such interface, or a column is of another type.
        ValueError: There is no such column or policy, or there is a column with the name of a result.
        SupportScoreError, OSError: *score* is no such file.
    """
    rules, limits, chosen = check_policy(policy), check_settings(settings), chosen_score(score)

    def assess(batch: Any) -> list[Any]:
        _check_results(batch, results)
        if rules is Policy.COVERAGE and _have_ids_alone(batch.column(results)):
            figures = pyarrow.record_batch(read_answers(batch, answer=answer, results=results, workers=workers))
            return _assessed(figures, limits)
        rows = zip(texts(batch, answer), batch.column(results).to_pylist(), strict=True)
        return of_rows(_FIELDS, _by_rows(rows, rules, limits, chosen))

    return append(batch, _FIELDS, assess)


def _by_rows(
    rows: Iterator[tuple[Any, Any]], rules: Policy, limits: RiskThresholds, score: SupportScore
) -> Iterator[Row]:
    """Yield what is said of each answer, read in Python. Results that follow their like are prepared once."""
    before = known = passages = None
    for (text, error), results in rows:
        if error is not None or results is None:
            yield {"error": error or "the results are null"}
            continue
        if known is None or results != before:
            before, known = results, read_results([{} if one is None else one for one in results])
            passages = passages_of(known, score)
        report = assess_read(text, known, passages, rules, limits)
        yield {name: getattr(report, name) for name, _ in _FIELDS[1:7]} | {
            "level": report.level.value,
            "reasons": [reason.value for reason in report.reasons],
        }


def _have_ids_alone(column: Any) -> bool:
    """Return whether results have nothing that is read but ids, which are strings or integers and no URLs."""
    result = column.type.value_type
    names = [field.name for field in result]
    if not names or any(names.count(name) > 1 for name in _IDS) or not (READ_KEYS - _IDS).isdisjoint(names):
        return False
    ids = {field.name: field.type for field in result if field.name in _IDS}
    types = pyarrow.types
    if not all(types.is_string(of) or types.is_large_string(of) or types.is_integer(of) for of in ids.values()):
        return False
    # A link may cite a result whose id is a URL (ruling B16), and Python reads links.
    texts = [column.flatten().field(name) for name, of in ids.items() if not types.is_integer(of)]
    return not any(pyarrow.compute.any(pyarrow.compute.match_substring(each, "://")).as_py() for each in texts)


_LEVELS = pyarrow.struct([(name, of_type) for name, of_type in _FIELDS if name in {"level", "score", "reasons"}])


def _assessed(figures: Any, limits: RiskThresholds) -> list[Any]:
    """Return the columns for what the engine has counted. Few counts differ: each combination is judged once."""
    invalid = figures["invalid"]
    lengths = [pyarrow.compute.list_value_length(figures[name]) for name in ("valid", "invalid")]
    counts = [figures["claims"], figures["cited"], *lengths, figures["uncited"]]
    ratios = _ratios(figures["printed_cited"], figures["printed_claims"])
    judged: dict[tuple[Any, ...], int] = {}
    rows = zip(*(column.to_pylist() for column in (*counts, figures["is_empty"])), strict=True)
    # An error's row has nulls throughout.
    places = [None if row[0] is None else judged.setdefault(row, len(judged)) for row in rows]
    levels = pyarrow.array([_judged(row, limits) for row in judged], _LEVELS)
    levels = levels.take(pyarrow.array(places, pyarrow.int32()))
    made = {
        **{field.name: pyarrow.compute.struct_field(levels, field.name) for field in _LEVELS},
        "citation_ratio": ratios,
        "citation_coverage": _ratios(figures["cited"], figures["claims"]),
        "total_claims": figures["claims"],
        "valid_citations": figures["valid"],
        "invalid_citations": invalid,
        "error": figures["error"],
    }
    return [made[name].cast(of_type) for name, of_type in _FIELDS]


def _judged(row: tuple[Any, ...], limits: RiskThresholds) -> Row:
    claims, cited, valid, invalid, uncited, is_empty = row
    facts = Facts.of(
        Policy.COVERAGE, is_empty=is_empty, total_claims=claims, cited=cited, invalid=invalid, uncited=uncited
    )
    level, reasons = decide(without_texts(facts, valid, cited), limits)
    return {"level": level.value, "score": facts.score.rounded(), "reasons": [reason.value for reason in reasons]}


def _ratios(parts: Any, wholes: Any) -> Any:
    """Return each part of its whole, or of 1 where that is 0, as `CitationReport` rounds it."""
    pairs = zip(parts.to_pylist(), wholes.to_pylist(), strict=True)
    return pyarrow.array([None if part is None else Share(part, whole or 1).rounded() for part, whole in pairs])


def _check_results(batch: Any, name: str) -> None:
    """Raise unless there is one such column, of lists of structures."""
    if (count := batch.schema.names.count(name)) != 1:
        raise ValueError(f"{count} columns are called '{name}'; there are {', '.join(map(repr, batch.schema.names))}")
    of_type = batch.schema.field(name).type
    is_list = pyarrow.types.is_list(of_type) or pyarrow.types.is_large_list(of_type)
    if not is_list or not pyarrow.types.is_struct(of_type.value_type):
        raise TypeError(f"column '{name}' must have lists of structures, got {of_type}")
