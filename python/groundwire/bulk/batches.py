"""Grounds one batch or table, or finds near duplicates in it, in one call."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from groundwire._engine import Deduplicator, Grounder, JaccardIndex, SourceTable
from groundwire.thresholds import DUPLICATE_THRESHOLD, FUZZY_THRESHOLD

if TYPE_CHECKING:
    from groundwire.evidence import QuotePolicy

__all__ = ["dedup_batch", "ground_batch", "ground_table", "to_input_type"]


def ground_batch(
    batch: Any,
    *,
    quote: str = "quote",
    source: str = "source",
    sources: SourceTable | None = None,
    mode: Literal["substring", "fuzzy"] = "substring",
    threshold: float = FUZZY_THRESHOLD,
    profile: Literal["spec", "typographic"] = "spec",
    marks: Sequence[Literal["angle", "braces", "brackets", "parentheses"]] | None = None,
    policy: "Literal['literal', 'guarded'] | QuotePolicy" = "literal",
    workers: int = 1,
) -> Any:
    """
    Decide for each row whether its quote is in its source.

    Args:
        batch: A batch of rows, or a table or stream of batches: an object with Arrow's interface for Python.
        quote: The column with the quotes: strings, or lists of strings.
        source: The column with the sources: strings, or ids of *sources*.
        sources: The sources by id; None if the column has the texts.
        mode, threshold: As for `Source.find`.
        profile, marks: As for `Source`.
        policy: "literal" searches for the quote by *mode*. "guarded" calls `assess_quotes` with this threshold,
            and a `QuotePolicy` calls it with its own rules; both need pyarrow, replace *mode*, *profile* and *marks*,
            and take some hundred times as long.
        workers: The maximum number of threads.

    Returns:
        The columns of *batch* and those of `Grounder.ground` or `GuardedBatchGrader.ground`: an object of
        pyarrow if *batch* is one, and otherwise an object with Arrow's interface. A row with an `error` is not
        grounded.

    Raises:
        TypeError: *batch* has no such interface, or a column has another type.
        ValueError: There is no such column, or a column has the name of a result; an argument is out of range,
            or does not fit the policy.
        ImportError: The policy needs pyarrow, which is not installed.
    """
    if policy != "literal":
        if (mode, profile, marks) != ("substring", "spec", None):
            raise ValueError("mode, profile and marks are for the policy 'literal'")
        from groundwire.bulk.graders import GuardedBatchGrader, build_policy

        rules = build_policy(policy, threshold)
        guarded = GuardedBatchGrader(policy=rules, quote=quote, source=source, sources=sources, workers=workers)
        return to_input_type(batch, guarded.ground(batch))
    grounder = Grounder(
        quote=quote,
        source=source,
        sources=sources,
        mode=mode,
        threshold=threshold,
        profile=profile,
        marks=marks,
        workers=workers,
    )
    return to_input_type(batch, grounder.ground(batch))


def ground_table(table: Any, **options: Any) -> Any:
    """
    Decide for each row of a table, or of a stream of batches, whether its quote is in its source.

    The options are those of `ground_batch`. A `pyarrow.Table` gives another one, a
    `pyarrow.RecordBatchReader` gives one that grounds its batches while they are read, and anything else
    gives an object with Arrow's interface for streams, which can be read once.
    """
    return ground_batch(table, **options)


def to_input_type(given: Any, grounded: Any) -> Any:
    """Return *grounded* as the class of pyarrow that *given* has, or unchanged."""
    if not type(given).__module__.startswith("pyarrow."):
        return grounded
    import pyarrow

    if isinstance(given, pyarrow.RecordBatch):
        return pyarrow.record_batch(grounded)
    if isinstance(given, pyarrow.RecordBatchReader):
        return pyarrow.RecordBatchReader.from_stream(grounded)
    return pyarrow.table(grounded) if isinstance(given, pyarrow.Table) else grounded


def dedup_batch(
    batch: Any,
    *,
    text: str = "text",
    threshold: float = DUPLICATE_THRESHOLD,
    tokens: Literal["unicode", "spec"] = "unicode",
    index: JaccardIndex | None = None,
    workers: int = 1,
) -> Any:
    """
    Find for each text of a batch, table or stream the earlier text that it nearly repeats.

    Texts are compared as sets of words by exact Jaccard similarity: all with all, or with an index.

    Args:
        batch: An object with Arrow's interface for Python.
        text: The column with the texts.
        threshold: The minimum similarity of duplicates, above 0 and up to 1, as an exact decimal number.
        tokens: The definition of words, as for `JaccardIndex`.
        index: The texts to compare with instead of each other; it does not change. Its own tokens count.
        workers: The maximum number of threads with an index. Without one, each text waits for those before it.

    Returns:
        An object of pyarrow if *batch* is one, or else an object with Arrow's interface. It has the columns of *batch*,
        and after them:

        - is_duplicate (bool), null if there is an error: such a row is neither new nor a copy
        - duplicate_of (int64), the most similar text, the first of equals: its row, counted from 0 through all batches
          of a table or stream, or its number in *index*
        - similarity (float64), 0 to 1
        - error (string): the text is null or not valid UTF-8

    Raises:
        TypeError: *batch* has no such interface, or the column has another type.
        ValueError: There is no such column, a column has the name of a result, or *threshold* is out of range.
    """
    marker = Deduplicator(text=text, threshold=threshold, tokens=tokens, index=index, workers=workers)
    return to_input_type(batch, marker.mark(batch))
