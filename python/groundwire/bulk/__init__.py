"""
Grounds many rows: batches of rows in, the same batches with results out.

`ground_batch` grounds a batch and `ground_table` a table or stream of any library with Arrow's interface for Python:
pyarrow, polars, duckdb, arro3. A `Grounder` keeps its prepared sources for the next batch, and so does a
`GuardedBatchGrader`, which returns verdicts; a `SourceTable` holds sources by id. `assess_batch` reads the citations
of answers, `claims_batch` the hedges and citations of claims; `dedup_batch` finds near duplicates, and a `Deduplicator`
finds them over many batches. `ground_file` grounds files of any size, and resumes a run that ended early. Names are
imported on first use (PEP 562).

`batches` has the functions for one batch, `graders` and `policies` what they compute, `answers` the columns of answers
and claims, `source_table` the sources by id, and `spark` the same functions for Spark. `job` grounds files: `inputs`
finds them, `readers/` reads and `writers` writes them, `executor` runs the partitions, and `checkpoint` with `manifest`
keeps what a later run resumes.
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire._engine import ArrowBatch, ArrowStream, Deduplicator, Grounder, SourceTable
    from groundwire.bulk.answers import assess_batch, claims_batch
    from groundwire.bulk.batches import dedup_batch, ground_batch, ground_table
    from groundwire.bulk.executor import BulkProgress
    from groundwire.bulk.graders import GuardedBatchGrader
    from groundwire.bulk.job import ground_file
    from groundwire.bulk.manifest import BulkSummary, PartitionTiming, SourceRate
    from groundwire.errors import BulkError, BulkStopped

__all__ = [
    "ArrowBatch",
    "ArrowStream",
    "BulkError",
    "BulkProgress",
    "BulkStopped",
    "BulkSummary",
    "Deduplicator",
    "Grounder",
    "GuardedBatchGrader",
    "PartitionTiming",
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
    "BulkSummary": "groundwire.bulk.manifest",
    "Deduplicator": "groundwire._engine",
    "Grounder": "groundwire._engine",
    "GuardedBatchGrader": "groundwire.bulk.graders",
    "PartitionTiming": "groundwire.bulk.manifest",
    "BulkProgress": "groundwire.bulk.executor",
    "SourceRate": "groundwire.bulk.manifest",
    "SourceTable": "groundwire._engine",
    "assess_batch": "groundwire.bulk.answers",
    "claims_batch": "groundwire.bulk.answers",
    "dedup_batch": "groundwire.bulk.batches",
    "ground_batch": "groundwire.bulk.batches",
    "ground_file": "groundwire.bulk.job",
    "ground_table": "groundwire.bulk.batches",
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
