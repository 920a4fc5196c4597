"""
Is every quote of these rows in its source? Batches of rows in, batches of rows out.

`ground_batch` says so of a batch and `ground_table` of a table or stream, from and for
whatever has Arrow's interface for Python: pyarrow, polars, duckdb, arro3. A `Grounder` keeps
the sources that it has prepared for the next batch, and so does a `GuardedGrounder`, which
asks for verdicts; a `SourceTable` gives them once, by id. `assess_batch` reads the citations of
answers, `claims_batch` hedges and citations of claims, `dedup_batch` finds near copies. Names
are imported when they are first touched (PEP 562).
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire._engine import ArrowBatch, ArrowStream, Grounder, SourceTable
    from groundwire.bulk.answers import assess_batch
    from groundwire.bulk.batches import ground_batch, ground_table
    from groundwire.bulk.claims import claims_batch
    from groundwire.bulk.duplicates import dedup_batch
    from groundwire.bulk.guarded import GuardedGrounder

__all__ = [
    "ArrowBatch",
    "ArrowStream",
    "Grounder",
    "GuardedGrounder",
    "SourceTable",
    "assess_batch",
    "claims_batch",
    "dedup_batch",
    "ground_batch",
    "ground_table",
]

_HOMES = {
    "ArrowBatch": "groundwire._engine",
    "ArrowStream": "groundwire._engine",
    "Grounder": "groundwire._engine",
    "GuardedGrounder": "groundwire.bulk.guarded",
    "SourceTable": "groundwire._engine",
    "assess_batch": "groundwire.bulk.answers",
    "claims_batch": "groundwire.bulk.claims",
    "dedup_batch": "groundwire.bulk.duplicates",
    "ground_batch": "groundwire.bulk.batches",
    "ground_table": "groundwire.bulk.batches",
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
