"""
Is every quote of these rows in its source? Batches of rows in, batches of rows out.

`ground_batch` says so of a batch and `ground_table` of a table or stream, from and for
whatever has Arrow's interface for Python: pyarrow, polars, duckdb, arro3. A `Grounder` keeps
the sources that it has prepared for the next batch; a `SourceTable` gives them once, by id.
Names are imported when they are first touched (PEP 562).
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire._engine import ArrowBatch, ArrowStream, Grounder, SourceTable
    from groundwire.bulk.batches import ground_batch, ground_table

__all__ = ["ArrowBatch", "ArrowStream", "Grounder", "SourceTable", "ground_batch", "ground_table"]

_HOMES = {
    "ArrowBatch": "groundwire._engine",
    "ArrowStream": "groundwire._engine",
    "Grounder": "groundwire._engine",
    "SourceTable": "groundwire._engine",
    "ground_batch": "groundwire.bulk.batches",
    "ground_table": "groundwire.bulk.batches",
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
