"""
Is every quote of these rows in its source? Batches of rows in, batches of rows out.

`ground_batch` says so of a batch and `ground_table` of a table or stream, from and for
whatever has Arrow's interface for Python: pyarrow, polars, duckdb, arro3. A `Grounder` keeps
the sources that it has prepared for the next batch, and so does a `GuardedGrounder`, which
asks for verdicts; a `SourceTable` gives them once, by id. `assess_batch` reads the citations of
answers, `claims_batch` hedges and citations of claims, `dedup_batch` finds near copies, and a
`Deduplicator` those of earlier batches too.
`ground_file` grounds files of any size, and goes on where it was ended. Names are imported when
they are first touched (PEP 562).
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire._engine import ArrowBatch, ArrowStream, Deduplicator, Grounder, SourceTable
    from groundwire.bulk.answers import assess_batch
    from groundwire.bulk.batches import ground_batch, ground_table
    from groundwire.bulk.claims import claims_batch
    from groundwire.bulk.duplicates import dedup_batch
    from groundwire.bulk.files import ground_file
    from groundwire.bulk.guarded import GuardedGrounder
    from groundwire.bulk.running import Progress
    from groundwire.bulk.summary import BulkSummary, PartTime, SourceRate
    from groundwire.errors import BulkError, BulkStopped

__all__ = [
    "ArrowBatch",
    "ArrowStream",
    "BulkError",
    "BulkStopped",
    "BulkSummary",
    "Deduplicator",
    "Grounder",
    "GuardedGrounder",
    "PartTime",
    "Progress",
    "SourceRate",
    "SourceTable",
    "assess_batch",
    "claims_batch",
    "dedup_batch",
    "ground_batch",
    "ground_file",
    "ground_table",
]

_HOMES = {
    "ArrowBatch": "groundwire._engine",
    "ArrowStream": "groundwire._engine",
    "BulkError": "groundwire.errors",
    "BulkStopped": "groundwire.errors",
    "BulkSummary": "groundwire.bulk.summary",
    "Deduplicator": "groundwire._engine",
    "Grounder": "groundwire._engine",
    "GuardedGrounder": "groundwire.bulk.guarded",
    "PartTime": "groundwire.bulk.summary",
    "Progress": "groundwire.bulk.running",
    "SourceRate": "groundwire.bulk.summary",
    "SourceTable": "groundwire._engine",
    "assess_batch": "groundwire.bulk.answers",
    "claims_batch": "groundwire.bulk.claims",
    "dedup_batch": "groundwire.bulk.duplicates",
    "ground_batch": "groundwire.bulk.batches",
    "ground_file": "groundwire.bulk.files",
    "ground_table": "groundwire.bulk.batches",
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
