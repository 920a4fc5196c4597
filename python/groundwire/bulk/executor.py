"""Splits the input into partitions, and grounds and writes them in several threads within bounded memory."""

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import NamedTuple

import msgspec
import pyarrow as pa

from groundwire.bulk.checkpoint import Checkpoint, sha256_of
from groundwire.bulk.graders import RowGrader, with_results
from groundwire.bulk.inputs import FileEncoding, InputFile
from groundwire.bulk.manifest import PartitionRecord, count_rows, count_sources
from groundwire.bulk.policies import RowPolicy
from groundwire.bulk.readers import read_chunks
from groundwire.bulk.readers.columnar import TextRepairer
from groundwire.bulk.readers.protocol import MalformedLine, RowChunk, RowReader, bytes_of
from groundwire.bulk.writers import ParquetOptions, partition_encoding, write_partition
from groundwire.errors import BulkError, BulkStopped

__all__ = [
    "BulkProgress",
    "InputPartition",
    "PartitionLimits",
    "PartitionTask",
    "partition_inputs",
    "run_partitions",
]


class PartitionLimits(NamedTuple):
    """The size of a partition; one batch alone may exceed it."""

    rows: int
    size_bytes: int


class InputPartition(NamedTuple):
    """
    Consecutive rows of one input file that become one file of the output.

    Attributes:
        number: The position in the output, from 0.
        file: The index of the input file.
        first: The number of the reader's items before it in that file.
        items: The number of its items.
        batches: The rows.
        malformed: Malformed lines.
        share: The share of the whole input that is read at its end, 0.0 to 1.0.
    """

    number: int
    file: int
    first: int
    items: int
    batches: list[pa.RecordBatch]
    malformed: list[MalformedLine]
    share: float


def partition_inputs(
    files: Sequence[InputFile],
    open_file: Callable[[InputFile], RowReader],
    limits: PartitionLimits,
    done: Mapping[int, PartitionRecord],
) -> Iterator[InputPartition]:
    """
    Yield the partitions that are not *done*; the same input is always split at the same rows.

    An input without rows has one partition without rows, because its output has columns.

    Raises:
        BulkError: A file is broken, or a finished partition would be split differently now.
    """
    number, read_bytes = 0, 0
    all_bytes = sum(file.size_bytes for file in files) or 1
    schema: pa.Schema | None = None
    for index, file in enumerate(files):
        reader = open_file(file)
        schema = schema or reader.schema
        first = 0
        while (record := done.get(number)) is not None and record.file == index and record.items:
            first, number = record.first + record.items, number + 1
        for chunks in _group_chunks(read_chunks(reader, file, first), limits):
            items = sum(chunk.items for chunk in chunks)
            share = (read_bytes + file.size_bytes * min(1.0, chunks[-1].position / max(reader.total, 1))) / all_bytes
            malformed = [line for chunk in chunks for line in chunk.malformed]
            batches = [chunk.rows for chunk in chunks]
            partition = InputPartition(number, index, first, items, batches, malformed, share)
            if not _is_done(partition, done):
                yield partition
            first, number = first + items, number + 1
        read_bytes += file.size_bytes
    if number == 0 and schema is not None:
        empty = pa.RecordBatch.from_arrays([pa.array([], field.type) for field in schema], schema=schema)
        partition = InputPartition(0, 0, 0, 0, [empty], [], 1.0)
        if not _is_done(partition, done):
            yield partition


def _group_chunks(chunks: Iterator[RowChunk], limits: PartitionLimits) -> Iterator[list[RowChunk]]:
    group: list[RowChunk] = []
    rows = size_bytes = 0
    for chunk in chunks:
        chunk_bytes = bytes_of(chunk.rows) + sum(len(line.content) for line in chunk.malformed)
        if group and (rows + chunk.rows.num_rows > limits.rows or size_bytes + chunk_bytes > limits.size_bytes):
            yield group
            group, rows, size_bytes = [], 0, 0
        group.append(chunk)
        rows += chunk.rows.num_rows
        size_bytes += chunk_bytes
        # Another chunk of this size would not fit, so it is not read into memory first.
        if rows > limits.rows / 2 or size_bytes > limits.size_bytes / 2:
            yield group
            group, rows, size_bytes = [], 0, 0
    if group:
        yield group


def _is_done(partition: InputPartition, done: Mapping[int, PartitionRecord]) -> bool:
    record = done.get(partition.number)
    if record is None:
        return False
    if (record.file, record.first, record.items) != (partition.file, partition.first, partition.items):
        raise BulkError(
            f"partition {partition.number} of the output has other rows now; the run cannot be resumed",
            "--no-resume starts over",
        )
    return True


class BulkProgress(NamedTuple):
    """The progress of a run: finished rows, those that earlier runs finished, and the share of the input."""

    rows: int
    rows_before: int
    share: float


class PartitionTask(NamedTuple):
    """
    Grounds and writes partitions of one job.

    Attributes:
        policy, grade: The policy, and the function that applies it to a batch.
        encoding: The encoding of the output.
        options: The properties of a Parquet output.
        names: The names of the input files.
        are_ids: Whether sources are given by id.
        repair: Makes the text of a batch valid UTF-8.
        checkpoint: Stores the partitions.
    """

    policy: RowPolicy
    grade: RowGrader
    encoding: FileEncoding
    options: ParquetOptions
    names: tuple[str, ...]
    are_ids: bool
    repair: TextRepairer
    checkpoint: Checkpoint

    def do(self, partition: InputPartition) -> PartitionRecord:
        """
        Ground a partition, write it, and return its record.

        Raises:
            BulkError: A batch is broken, or the format of the output cannot store a value.
            OSError: The partition cannot be written; nothing of it is left.
        """
        started = time.monotonic()
        batches = [self._grade(batch, self.names[partition.file]) for batch in partition.batches]
        table = pa.Table.from_batches(batches, batches[0].schema)
        encoding = partition_encoding(self.encoding, is_folder=self.checkpoint.is_folder)
        name = f"part-{partition.number:06}{encoding.suffix}"
        size_bytes, sha256 = self._write(partition, table, name, encoding)
        return PartitionRecord(
            number=partition.number,
            file=partition.file,
            first=partition.first,
            items=partition.items,
            name=name,
            size_bytes=size_bytes,
            sha256=sha256,
            seconds=time.monotonic() - started,
            counts=count_rows(table, malformed=len(partition.malformed)),
            sources=count_sources(table, self.policy, are_ids=self.are_ids),
        )

    def _grade(self, batch: pa.RecordBatch, name: str) -> pa.RecordBatch:
        """Return rows with their results, ready to be written."""
        try:
            results = self.grade(batch)
        except ValueError as error:
            # The engine's messages have types and positions, and no text.
            raise BulkError(f"`{name}` is broken: {error}") from error
        return with_results(self.repair(batch, results), results)

    def _write(self, partition: InputPartition, table: pa.Table, name: str, encoding: FileEncoding) -> tuple[int, str]:
        """Write a partition; return the size and the hash of its file."""
        temporary = self.checkpoint.temporary(name)
        try:
            self._write_malformed(partition)
            has_header = self.checkpoint.is_folder or partition.number == 0
            write_partition(temporary, table, encoding, self.options, has_header=has_header)
            size_bytes, sha256 = temporary.stat().st_size, sha256_of(temporary)
            self.checkpoint.keep(name, temporary)
        except Exception:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise
        return size_bytes, sha256

    def _write_malformed(self, partition: InputPartition) -> None:
        if partition.malformed:
            name = self.names[partition.file]
            lines = (msgspec.json.encode(_describe_malformed(name, line)) + b"\n" for line in partition.malformed)
            self.checkpoint.keep_malformed(partition.number, b"".join(lines))


def _describe_malformed(file: str, line: MalformedLine) -> dict[str, object]:
    """Return a malformed line as JSON data, with its content."""
    found: dict[str, object] = {"file": file, "line": line.number, "error": line.error}
    try:
        return found | {"text": line.content.decode()}
    except UnicodeDecodeError:
        return found | {"base64": line.content}


def run_partitions(
    partitions: Iterator[InputPartition],
    task: PartitionTask,
    *,
    workers: int,
    on_progress: Callable[[BulkProgress], object],
    should_stop: Callable[[], bool],
) -> None:
    """
    Do the *task* on all *partitions*, and record each one that is finished.

    At most one more partition is in memory than there are workers. If something fails, partitions that have
    started are finished first.

    Raises:
        BulkError: A partition cannot be read.
        OSError: A partition cannot be written.
        BulkStopped: `should_stop()` returned True.
    """
    checkpoint = task.checkpoint
    before = sum(record.counts.rows for record in checkpoint.done.values())
    running: list[Future[PartitionRecord]] = []
    shares: deque[float] = deque()
    rows = before

    def collect(finished: set[Future[PartitionRecord]]) -> None:
        nonlocal rows
        # Partitions that ended together are recorded in order.
        for future in [each for each in running if each in finished]:
            running.remove(future)
            record = future.result()
            checkpoint.add(record)
            # Arrow would keep the memory for another partition, separately in each thread.
            pa.default_memory_pool().release_unused()
            rows += record.counts.rows
            # The share counts partitions as if they ended in order.
            on_progress(BulkProgress(rows, before, shares.popleft()))

    with ThreadPoolExecutor(workers, thread_name_prefix="groundwire-bulk") as pool:
        try:
            for partition in partitions:
                running.append(pool.submit(task.do, partition))
                shares.append(partition.share)
                while len(running) > workers or (running and should_stop()):
                    collect(wait(running, return_when=FIRST_COMPLETED).done)
                if should_stop():
                    raise BulkStopped(len(checkpoint.done), rows)
            while running:
                collect(wait(running, return_when=FIRST_COMPLETED).done)
        except BaseException:
            _keep_finished(running, checkpoint)
            raise


def _keep_finished(running: list[Future[PartitionRecord]], checkpoint: Checkpoint) -> None:
    """Wait for the partitions that have started, and record those that succeed."""
    for future in running:
        future.cancel()
    for future in wait(running).done:
        if not future.cancelled() and future.exception() is None:
            # The first error is reported, and not this one.
            with suppress(OSError, BulkError):
                checkpoint.add(future.result())
