"""What is said of rows: by the literal rule in the engine, or by the guarded policy."""

from collections.abc import Callable
from typing import Any

import pyarrow as pa

from groundwire.bulk.options import RESULTS, Rule

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
    if rule.policy == "guarded":
        from groundwire.bulk.judging_guarded import GuardedJudge

        return GuardedJudge(rule, sources, memory_bytes=memory_bytes)
    return _literal(rule, sources, workers, memory_bytes)


def _literal(rule: Rule, sources: pa.Table | None, workers: int, memory_bytes: int) -> Judge:
    from groundwire._engine import Grounder, SourceTable

    table: Any = None if sources is None else SourceTable(sources)
    grounder = Grounder(
        mode=rule.mode,
        threshold=rule.threshold,
        quote=rule.quote,
        source=rule.source,
        sources=table,
        workers=workers,
        memory_bytes=memory_bytes,
    )

    def judge(rows: pa.RecordBatch) -> pa.RecordBatch:
        # Nothing but the two columns: all others would be handed there and back.
        asked = rows.select([rule.quote, rule.source])
        return pa.record_batch(grounder.ground(asked)).select(list(RESULTS))

    return judge
