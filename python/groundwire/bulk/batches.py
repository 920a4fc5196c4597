"""One batch, one table: grounded in one call."""

from collections.abc import Sequence
from typing import Any, Literal

from groundwire._engine import Grounder, SourceTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence import QuotePolicy

__all__ = ["ground_batch", "ground_table", "like"]


def ground_batch(
    batch: Any,
    *,
    quote: str = "quote",
    source: str = "source",
    sources: SourceTable | None = None,
    mode: Literal["substring", "fuzzy"] = "substring",
    threshold: float = 0.85,
    profile: Literal["spec", "typographic"] = "spec",
    marks: Sequence[Literal["angle", "braces", "brackets", "parentheses"]] | None = None,
    policy: "Literal['literal', 'guarded'] | QuotePolicy" = "literal",
    workers: int = 1,
) -> Any:
    """
    Say of each row whether its quote stands in its source.

    Args:
        batch: A batch of rows, or a table or stream of them: whatever has Arrow's interface for Python.
        quote: Name of the column with the quotes: strings, or lists of strings.
        source: Name of the column with the sources: strings, or ids of *sources*.
        sources: The sources by id. None: the column has the texts themselves.
        mode, threshold: As for `Source.find`.
        profile, marks: As for `Source`.
        policy: "literal" looks for the quote as *mode* says. "guarded" asks `assess_quotes`, with this threshold,
            and a `QuotePolicy` does so by its own rules; both need pyarrow, leave *mode*, *profile* and *marks*
            to the policy, and take some hundred times as long.
        workers: Threads to use at most.

    Returns:
        The columns of *batch* and those that `Grounder.ground` lists, or `GuardedGrounder.ground`: in
        pyarrow's form if *batch* is pyarrow's, and otherwise as an object with Arrow's interface. A row that
        nothing can be said of is not grounded, and its `error` tells why.

    Raises:
        TypeError: *batch* has no such interface, or a column is of another type.
        ValueError: There is no such column, or one with the name of a result; an argument is out of its range,
            or does not go with the policy.
        ImportError: The policy needs pyarrow, which is not installed.
    """
    if policy != "literal":
        if (mode, profile, marks) != ("substring", "spec", None):
            raise ValueError("mode, profile and marks are for the policy 'literal'")
        from groundwire.bulk.guarded import GuardedGrounder, policy_of

        rules = policy_of(policy, threshold)
        guarded = GuardedGrounder(policy=rules, quote=quote, source=source, sources=sources, workers=workers)
        return like(batch, guarded.ground(batch))
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
    return like(batch, grounder.ground(batch))


def ground_table(table: Any, **options: Any) -> Any:
    """
    Say of each row of a table, or of a stream of batches, whether its quote stands in its source.

    Takes the options of `ground_batch`. A `pyarrow.Table` becomes another one, a
    `pyarrow.RecordBatchReader` one whose batches are grounded while they are read, and anything else
    an object with Arrow's interface for streams, which is read once.
    """
    return ground_batch(table, **options)


def like(given: Any, grounded: Any) -> Any:
    """Return what was *grounded* as the class of pyarrow that was *given*, or as it is."""
    if not type(given).__module__.startswith("pyarrow."):
        return grounded
    import pyarrow

    if isinstance(given, pyarrow.RecordBatch):
        return pyarrow.record_batch(grounded)
    if isinstance(given, pyarrow.RecordBatchReader):
        return pyarrow.RecordBatchReader.from_stream(grounded)
    return pyarrow.table(grounded) if isinstance(given, pyarrow.Table) else grounded
