"""What is said of rows: by the literal rule in the engine, or by the guarded policy."""

import threading
from collections.abc import Callable
from typing import Any

import pyarrow as pa

from groundwire._engine import Grounder, SourceTable
from groundwire.bulk.options import Rule

__all__ = ["Judge", "judge_of"]

Judge = Callable[[pa.RecordBatch], pa.RecordBatch]
"""From rows to their results: the columns `Rule.results`, row by row. May be called by several threads at once."""


def judge_of(rule: Rule, sources: pa.Table | None, *, workers: int, memory_bytes: int) -> Judge:
    """
    Return what judges rows.

    Args:
        rule: What decides.
        sources: The columns `id` and `text`, where the sources are given by id.
        workers: Threads for the rows of one batch.
        memory_bytes: What prepared sources may take.
    """
    options: dict[str, Any] = {
        "quote": rule.quote,
        "source": rule.source,
        "sources": None if sources is None else SourceTable(sources),
        "workers": workers,
        "memory_bytes": memory_bytes,
    }
    if rule.policy == "guarded":
        ground = _guarded(rule, options)
    else:
        ground = Grounder(mode=rule.mode, threshold=rule.threshold, **options).ground

    def judge(rows: pa.RecordBatch) -> pa.RecordBatch:
        # Nothing but the two columns: all others would be handed there and back.
        asked = rows.select([rule.quote, rule.source])
        return pa.record_batch(ground(asked)).select(list(rule.results))

    return judge


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
