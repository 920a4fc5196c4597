"""The citations of answers, and the hedges and citations of claims, as columns of a batch. Needs pyarrow."""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pyarrow
import pyarrow.compute

from groundwire._engine import Grounder, read_answers, read_claims
from groundwire.bulk.batches import to_input_type
from groundwire.citations import RiskThresholds
from groundwire.citations.assessment import assess_read, check_policy, check_settings, passages_of, without_texts
from groundwire.citations.risk_rules import Facts, Policy, Share, decide
from groundwire.ingestion import CitationDetector, HedgeDetector
from groundwire.search_results import READ_KEYS, read_results
from groundwire.support_score import SupportScore, chosen_score

__all__ = ["assess_batch", "claims_batch"]

_TEXT = pyarrow.string()
_LABELS = pyarrow.list_(_TEXT)

_Row = dict[str, Any]
_Fields = Sequence[tuple[str, Any]]
"""The name and type of each column."""


def _append_columns(given: Any, fields: _Fields, columns: Callable[[Any], list[Any]]) -> Any:
    """
    Return *given*, a batch, table or stream, followed by the columns *fields*.

    Args:
        given: An object with Arrow's interface for Python.
        fields: The name and type of each column.
        columns: Returns the columns for a batch of pyarrow.

    Raises:
        ValueError: A column has one of these names already.
        TypeError: *given* has no such interface.
    """
    names = [name for name, _ in fields]

    def extend(schema: Any) -> Any:
        for name, of_type in fields:
            if name in schema.names:
                raise ValueError(f"there is a column called '{name}' already")
            schema = schema.append(pyarrow.field(name, of_type))
        return schema

    def append(batch: Any, schema: Any) -> Any:
        return pyarrow.record_batch([*batch.columns, *columns(batch)], schema=schema)

    if hasattr(given, "__arrow_c_array__"):
        # pyarrow rejects an empty slice of views that has gone through its own interface.
        batch = given if isinstance(given, pyarrow.RecordBatch) else pyarrow.record_batch(given)
        return append(batch, extend(batch.schema))
    if not hasattr(given, "__arrow_c_stream__"):
        raise TypeError(f"a batch must have Arrow's interface, got {type(given).__name__}; for {', '.join(names)}")
    reader = pyarrow.RecordBatchReader.from_stream(given)
    schema = extend(reader.schema)
    return to_input_type(
        given, pyarrow.RecordBatchReader.from_batches(schema, (append(batch, schema) for batch in reader))
    )


def _rows_to_columns(fields: _Fields, rows: Iterator[_Row]) -> list[Any]:
    """Return the columns *fields* of *rows*; missing values are null."""
    values = list(rows)
    return [pyarrow.array([row.get(name) for row in values], of_type) for name, of_type in fields]


def _texts(batch: Any, name: str) -> Iterator[tuple[str, str | None]]:
    """
    Yield each text of a column of strings with its error; a text with an error is empty.

    Raises:
        ValueError: There is no such column, or it is broken.
        TypeError: Its values are not strings.
    """
    read, _, errors, _, _ = Grounder(quote=name, source=name)._rows(batch)
    for text, error in zip(read, errors, strict=True):
        yield text, None if error is None else error.replace("the source", "the text")


_IDS = frozenset({"id", "parent_id"})
_ANSWER_FIELDS = (
    ("level", _TEXT),
    ("score", pyarrow.float64()),
    ("citation_ratio", pyarrow.float64()),
    ("citation_coverage", pyarrow.float64()),
    ("total_claims", pyarrow.int64()),
    ("valid_citations", _LABELS),
    ("invalid_citations", _LABELS),
    ("reasons", _LABELS),
    ("error", _TEXT),
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
    Assess the risk of each answer of a batch, table or stream by its citations.

    Args:
        batch: An object with Arrow's interface for Python.
        answer: The column with the answers.
        results: The column with the search results of each answer: lists of structures with the fields that
            `assess_citations` reads.
        policy, settings, score: As for `assess_citations`.
        workers: The maximum number of threads for answers whose results have ids alone, under the policy "coverage":
            the engine reads these. Python reads passages and the printed rules, row by row.

    Returns:
        The columns of *batch*, in pyarrow's form, and after them, as `CitationReport` has them: level (string),
        score, citation_ratio and citation_coverage (float64), total_claims (int64), valid_citations,
        invalid_citations and reasons (lists of strings); and error (string): the text or the results are null, or
        the text is not valid UTF-8. In that case the other columns are null.

    Raises:
        TypeError: *batch* has no such interface, or a column has another type.
        ValueError: There is no such column or policy, or a column has the name of a result.
        SupportScoreError, OSError: *score* cannot be read.
    """
    rules, limits, chosen = check_policy(policy), check_settings(settings), chosen_score(score)

    def assess(batch: Any) -> list[Any]:
        _check_results(batch, results)
        if rules is Policy.COVERAGE and _have_ids_alone(batch.column(results)):
            figures = pyarrow.record_batch(read_answers(batch, answer=answer, results=results, workers=workers))
            return _assessed(figures, limits)
        rows = zip(_texts(batch, answer), batch.column(results).to_pylist(), strict=True)
        return _rows_to_columns(_ANSWER_FIELDS, _by_rows(rows, rules, limits, chosen))

    return _append_columns(batch, _ANSWER_FIELDS, assess)


def _by_rows(
    rows: Iterator[tuple[Any, Any]], rules: Policy, limits: RiskThresholds, score: SupportScore
) -> Iterator[_Row]:
    """Yield the assessment of each answer, read in Python; equal results in consecutive rows are prepared once."""
    before = known = passages = None
    for (text, error), results in rows:
        if error is not None or results is None:
            yield {"error": error or "the results are null"}
            continue
        if known is None or results != before:
            before, known = results, read_results([{} if one is None else one for one in results])
            passages = passages_of(known, score)
        report = assess_read(text, known, passages, rules, limits)
        yield {name: getattr(report, name) for name, _ in _ANSWER_FIELDS[1:7]} | {
            "level": report.level.value,
            "reasons": [reason.value for reason in report.reasons],
        }


def _have_ids_alone(column: Any) -> bool:
    """Tell whether the results have only ids, as strings or integers, and no URLs among them."""
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


_LEVELS = pyarrow.struct([(name, of_type) for name, of_type in _ANSWER_FIELDS if name in {"level", "score", "reasons"}])


def _assessed(figures: Any, limits: RiskThresholds) -> list[Any]:
    """Return the columns for the counts of the engine; each combination of counts is assessed once."""
    invalid = figures["invalid"]
    lengths = [pyarrow.compute.list_value_length(figures[name]) for name in ("valid", "invalid")]
    counts = [figures["claims"], figures["cited"], *lengths, figures["uncited"]]
    ratios = _ratios(figures["printed_cited"], figures["printed_claims"])
    judged: dict[tuple[Any, ...], int] = {}
    rows = zip(*(column.to_pylist() for column in (*counts, figures["is_empty"])), strict=True)
    # A row with an error has nulls throughout.
    codes = [None if row[0] is None else judged.setdefault(row, len(judged)) for row in rows]
    levels = pyarrow.array([_judged(row, limits) for row in judged], _LEVELS)
    levels = levels.take(pyarrow.array(codes, pyarrow.int32()))
    made = {
        **{field.name: pyarrow.compute.struct_field(levels, field.name) for field in _LEVELS},
        "citation_ratio": ratios,
        "citation_coverage": _ratios(figures["cited"], figures["claims"]),
        "total_claims": figures["claims"],
        "valid_citations": figures["valid"],
        "invalid_citations": invalid,
        "error": figures["error"],
    }
    return [made[name].cast(of_type) for name, of_type in _ANSWER_FIELDS]


def _judged(row: tuple[Any, ...], limits: RiskThresholds) -> _Row:
    claims, cited, valid, invalid, uncited, is_empty = row
    facts = Facts.of(
        Policy.COVERAGE, is_empty=is_empty, total_claims=claims, cited=cited, invalid=invalid, uncited=uncited
    )
    level, reasons = decide(without_texts(facts, valid, cited), limits)
    return {"level": level.value, "score": facts.score.rounded(), "reasons": [reason.value for reason in reasons]}


def _ratios(parts: Any, wholes: Any) -> Any:
    """Return the share of each part in its whole, rounded as in `CitationReport`; a whole of 0 counts as 1."""
    pairs = zip(parts.to_pylist(), wholes.to_pylist(), strict=True)
    return pyarrow.array([None if part is None else Share(part, whole or 1).rounded() for part, whole in pairs])


def _check_results(batch: Any, name: str) -> None:
    """Check that there is one such column, and that it has lists of structures."""
    if (count := batch.schema.names.count(name)) != 1:
        raise ValueError(f"{count} columns are called '{name}'; there are {', '.join(map(repr, batch.schema.names))}")
    of_type = batch.schema.field(name).type
    is_list = pyarrow.types.is_list(of_type) or pyarrow.types.is_large_list(of_type)
    if not is_list or not pyarrow.types.is_struct(of_type.value_type):
        raise TypeError(f"column '{name}' must have lists of structures, got {of_type}")


_CITATION = pyarrow.struct(
    [("type", _TEXT), ("value", _TEXT), ("start", pyarrow.int64()), ("end", pyarrow.int64())],
)
_CLAIM_FIELDS = (
    ("is_speculative", pyarrow.bool_()),
    ("action", _TEXT),
    ("hedge_words", _LABELS),
    ("citations", pyarrow.list_(_CITATION)),
    ("error", _TEXT),
)


def claims_batch(
    batch: Any,
    *,
    claim: str = "claim",
    hedges: HedgeDetector | None = None,
    citations: CitationDetector | None = None,
    workers: int = 1,
) -> Any:
    """
    Find the hedges and citations of each claim of a batch, table or stream.

    Args:
        batch: An object with Arrow's interface for Python.
        claim: The column with the claims.
        hedges, citations: The detectors; None for the default ones.
        workers: The maximum number of threads for the engine, which finds phrases that may be hedges, and the
            citations of the policy "guarded". Python reads the context of a phrase, row by row.

    Returns:
        The columns of *batch*, in pyarrow's form, and after them is_speculative (bool), action (string) and hedge_words
        (list of strings) as `HedgeResult` has them, citations (list of type, value, start and end) as `Citation`, and
        error (string): the text is null or not valid UTF-8. In that case the other columns are null.

    Raises:
        TypeError: *batch* has no such interface, or the column has another type.
        ValueError: There is no such column, or a column has the name of a result.
    """
    hedges = HedgeDetector() if hedges is None else hedges
    citations = CitationDetector() if citations is None else citations
    # A subclass of a detector may have rules that the engine does not know.
    patterns = hedges.patterns if type(hedges) is HedgeDetector else None
    is_known = type(citations) is CitationDetector and citations.policy == "guarded"
    judge, find = _hedges_of(hedges), None if is_known else _citations_of(citations)

    def read(batch: Any) -> list[Any]:
        found = read_claims(batch, judge, claim=claim, patterns=patterns, citations=find, workers=workers)
        columns: list[Any] = pyarrow.record_batch(found).columns
        return columns

    return _append_columns(batch, _CLAIM_FIELDS, read)


def _hedges_of(
    detector: HedgeDetector,
) -> Callable[[str, list[tuple[int, int, int]] | None], tuple[bool, str, list[str]]]:
    """Return a function from a claim to whether it is speculative, the action, and the hedges."""

    def judge(text: str, found: list[tuple[int, int, int]] | None) -> tuple[bool, str, list[str]]:
        if found is None:
            hedged = detector.analyze(text)
            return hedged.is_speculative, hedged.action.value, hedged.hedge_words
        action, words = detector.analyze_plain(text, found)
        return bool(words), action.value, words

    return judge


def _citations_of(detector: CitationDetector) -> Callable[[str], Iterator[tuple[str, str, int, int]]]:
    """Return a function that yields the citations of a claim."""
    return lambda text: ((str(one.type), one.value, one.start, one.end) for one in detector.detect(text))
