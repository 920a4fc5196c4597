"""What is said of rows: by the literal rule in the engine, or by the guarded policy."""

import threading
from collections.abc import Callable
from typing import Any

import pyarrow as pa

from groundwire._engine import Grounder, SourceTable
from groundwire.bulk.options import Rule
from groundwire.bulk.sources_table import Sources, fitted

__all__ = ["Judge", "Judges"]


class Judge:
    """
    From rows to their results: the columns `Rule.results`, row by row. May be called by several threads at once.
    """

    __slots__ = ("_ground", "_rule")

    def __init__(self, rule: Rule, sources: pa.Table | None, *, workers: int, memory_bytes: int) -> None:
        self._rule = rule
        options: dict[str, Any] = {
            "quote": rule.quote,
            "source": rule.source,
            "sources": None if sources is None else SourceTable(sources),
            "workers": workers,
            "memory_bytes": memory_bytes,
        }
        if rule.policy == "guarded":
            self._ground = _guarded(rule, options)
        else:
            self._ground = Grounder(mode=rule.mode, threshold=rule.threshold, **options).ground

    def __call__(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        # Nothing but the two columns: all others would be handed there and back.
        asked = rows.select([self._rule.quote, self._rule.source])
        return pa.record_batch(self._ground(asked)).select(list(self._rule.results))


class Judges:
    """
    What judges the rows of one job after the other: sources that stay the same are read and prepared once.

    The judge of the last job is kept, and no other. Jobs come one after the other.
    """

    def __init__(self) -> None:
        self._key: object = None
        self._judge: Judge | None = None

    def judge(self, rule: Rule, sources: Sources | None, ids: pa.DataType, *, workers: int, memory_bytes: int) -> Judge:
        """
        Return what judges rows.

        Args:
            rule: What decides.
            sources: Where the sources are given by id: these.
            ids: The type of the rows' column of sources.
            workers: Threads for the rows of one batch.
            memory_bytes: What prepared sources may take.

        Raises:
            BulkError: The sources cannot be read, or have ids of another type.
        """
        key = (rule, None if sources is None else sources.print, ids, workers, memory_bytes)
        if self._judge is None or self._key != key:
            # Let go first: the sources of two jobs are never there together.
            self._key = self._judge = None
            table = None if sources is None else fitted(sources.table(), ids)
            self._judge = Judge(rule, table, workers=workers, memory_bytes=memory_bytes)
            self._key = key
        return self._judge


def _guarded(rule: Rule, options: dict[str, Any]) -> Callable[[pa.RecordBatch], Any]:
    """Return what asks for verdicts: one batch after the other, for it is Python that works on them."""
    from groundwire.bulk.guarded import GuardedGrounder
    from groundwire.evidence import QuotePolicy

    grounder = GuardedGrounder(policy=QuotePolicy(threshold=rule.threshold), **options)
    turn = threading.Lock()

    def ground(rows: pa.RecordBatch) -> Any:
        with turn:
            return grounder.ground(rows)

    return ground
