"""Parts grounded and written by several threads: as many at once as there is memory for."""

import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import NamedTuple

import msgspec
import pyarrow as pa

from groundwire.bulk.checkpoint import Checkpoint, sha256_of
from groundwire.bulk.counting import count, count_sources
from groundwire.bulk.formats import Form
from groundwire.bulk.judging import Judge
from groundwire.bulk.options import Rule
from groundwire.bulk.parts import Part
from groundwire.bulk.reading import LineProblem
from groundwire.bulk.records import PartRecord
from groundwire.bulk.validation import WellFormed
from groundwire.bulk.writers import ParquetLook, partition_form, write_partition
from groundwire.errors import BulkError, BulkStopped

__all__ = ["Progress", "Work", "run"]


class Progress(NamedTuple):
    """How far a run is: the rows that are done, those that were before it began, and the share of the input."""

    rows: int
    rows_before: int
    share: float


class Work(NamedTuple):
    """What is done with a part."""

    rule: Rule
    judge: Judge
    form: Form
    look: ParquetLook
    names: tuple[str, ...]
    """The files of the input."""
    are_ids: bool
    well_formed: WellFormed
    checkpoint: Checkpoint

    def do(self, part: Part) -> PartRecord:
        """
        Ground a part, write it, and return what is to be kept of it.

        Raises:
            BulkError: A batch is broken.
            OSError: It cannot be written; nothing of it is left.
        """
        started = time.monotonic()
        tables = [self._judged(batch, self.names[part.file]) for batch in part.batches]
        table = pa.Table.from_batches(tables, tables[0].schema)
        form = partition_form(self.form, is_folder=self.checkpoint.is_folder)
        name = f"part-{part.number:06}{form.suffix}"
        aside = self.checkpoint.temporary(name)
        try:
            self._write_problems(part)
            has_header = self.checkpoint.is_folder or part.number == 0
            write_partition(aside, table, form, self.look, has_header=has_header)
            size_bytes, sha256 = aside.stat().st_size, sha256_of(aside)
            self.checkpoint.keep(name, aside)
        except OSError:
            with suppress(OSError):
                aside.unlink(missing_ok=True)
            raise
        return PartRecord(
            number=part.number,
            file=part.file,
            first=part.first,
            items=part.items,
            name=name,
            size_bytes=size_bytes,
            sha256=sha256,
            seconds=time.monotonic() - started,
            counts=count(table, problems=len(part.problems)),
            sources=count_sources(table, self.rule, are_ids=self.are_ids),
        )

    def _judged(self, batch: pa.RecordBatch, name: str) -> pa.RecordBatch:
        """Return rows with their results, fit to be written."""
        try:
            results = self.judge(batch)
        except ValueError as error:
            # The engine says types and positions, and no text.
            raise BulkError(f"`{name}` is broken: {error}") from error
        return _with(self.well_formed(batch, results), results)

    def _write_problems(self, part: Part) -> None:
        if part.problems:
            name = self.names[part.file]
            lines = b"".join(msgspec.json.encode(_told(name, problem)) + b"\n" for problem in part.problems)
            self.checkpoint.keep_problems(part.number, lines)


def _with(batch: pa.RecordBatch, results: pa.RecordBatch) -> pa.RecordBatch:
    """Return rows with their results."""
    names = [*batch.schema.names, *results.schema.names]
    return pa.RecordBatch.from_arrays([*batch.columns, *results.columns], names=names)


def _told(file: str, problem: LineProblem) -> dict[str, object]:
    """Return a line that is no row for the file of those; with what it says, so that nothing is lost."""
    told: dict[str, object] = {"file": file, "line": problem.line, "error": problem.error}
    try:
        return told | {"text": problem.content.decode()}
    except UnicodeDecodeError:
        return told | {"base64": problem.content}


def run(
    parts: Iterator[Part],
    work: Work,
    *,
    workers: int,
    on_progress: Callable[[Progress], object],
    should_stop: Callable[[], bool],
) -> None:
    """
    Do the *work* on all *parts*, and write down each that is finished.

    No more parts are in memory than there are workers, and one that waits for them.

    Raises:
        BulkError: A part cannot be read. What was begun is finished first.
        OSError: One cannot be written. What was begun is finished first.
        BulkStopped: `should_stop()` said so. What was begun is finished first.
    """
    checkpoint = work.checkpoint
    before = sum(record.counts.rows for record in checkpoint.done.values())
    running: list[Future[PartRecord]] = []
    shares: deque[float] = deque()
    rows = before

    def collect(finished: set[Future[PartRecord]]) -> None:
        nonlocal rows
        # Those that ended together are written down in their order.
        for future in [each for each in running if each in finished]:
            running.remove(future)
            record = future.result()
            checkpoint.add(record)
            # Arrow would keep what the part took for another one, in each thread's own pages.
            pa.default_memory_pool().release_unused()
            rows += record.counts.rows
            # Whichever part it was: as much is done as if they ended in turn.
            on_progress(Progress(rows, before, shares.popleft()))

    with ThreadPoolExecutor(workers, thread_name_prefix="groundwire-bulk") as pool:
        try:
            for part in parts:
                running.append(pool.submit(work.do, part))
                shares.append(part.share)
                while len(running) > workers or (running and should_stop()):
                    collect(wait(running, return_when=FIRST_COMPLETED).done)
                if should_stop():
                    raise BulkStopped(len(checkpoint.done), rows)
            while running:
                collect(wait(running, return_when=FIRST_COMPLETED).done)
        except BaseException:
            _keep_finished(running, checkpoint)
            raise


def _keep_finished(running: list[Future[PartRecord]], checkpoint: Checkpoint) -> None:
    """Wait for what was begun, and write down what of it is finished."""
    for future in running:
        future.cancel()
    for future in wait(running).done:
        if not future.cancelled() and future.exception() is None:
            # Why the run ends is told, and not that this fails too.
            with suppress(OSError, BulkError):
                checkpoint.add(future.result())
