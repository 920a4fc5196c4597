"""Grounds files of rows, partition by partition, so that a run that ends at any moment loses nothing."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

try:
    import pyarrow as pa
except ImportError as error:
    raise ImportError("files of rows need pyarrow: pip install 'groundwire[bulk]'", name="pyarrow") from error

import msgspec

from groundwire._engine import __version__
from groundwire.bulk.checkpoint import Checkpoint
from groundwire.bulk.executor import BulkProgress, PartitionLimits, PartitionTask, partition_inputs, run_partitions
from groundwire.bulk.graders import RowGraders
from groundwire.bulk.inputs import (
    FileEncoding,
    FileFormat,
    InputFile,
    file_format,
    filesystem_of,
    find_inputs,
    fingerprint,
    is_in_input_set,
    is_local,
    os_error_reason,
    redact_url,
)
from groundwire.bulk.manifest import BulkSummary, JobHeader, JobManifest, summarize
from groundwire.bulk.policies import Policy, RowPolicy, check_columns
from groundwire.bulk.readers import open_reader
from groundwire.bulk.readers.columnar import TextRepairer
from groundwire.bulk.readers.delimited import LINE
from groundwire.bulk.readers.protocol import RowReader
from groundwire.bulk.source_table import SourceLookup, find_sources
from groundwire.bulk.writers import Output, ParquetOptions, assemble_output, check_parquet_schema, find_output
from groundwire.errors import BulkError
from groundwire.private_files import take_place_of
from groundwire.support_score import SupportScore
from groundwire.thresholds import FUZZY_THRESHOLD

__all__ = ["BulkJob", "ground_file"]

# Rows of the guarded policy take a hundred times as long. Each partition is a step of the progress bar, and a run that
# is stopped finishes those that have started.
_PARTITION_ROWS: "dict[Policy, int]" = {"literal": 1 << 18, "guarded": 1 << 14}
# With the interpreter, Arrow, and partitions that are being written this stays below a gigabyte.
_MEMORY_BYTES = 3 << 28
# The shares of memory for prepared sources and for partitions as they are read; writing takes as much again.
_SHARE_OF_SOURCES = 3 / 8
_SHARE_OF_PARTITIONS = 1 / 16
_START_OVER = "--no-resume starts over"
# What a checkpoint writes beside the output.
_BESIDE = (".errors.jsonl", ".manifest.json", ".groundwire")


def ground_file(
    in_path: str | os.PathLike[str],
    out_path: str | os.PathLike[str],
    *,
    quote: str = "quote",
    source: str = "source",
    sources: str | os.PathLike[str] | Mapping[Any, str] | Any | None = None,
    documents: str | os.PathLike[str] | None = None,
    mode: Literal["substring", "fuzzy"] = "substring",
    threshold: float = FUZZY_THRESHOLD,
    policy: Policy = "literal",
    score: SupportScore | None = None,
    resume: bool = True,
    work_dir: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    memory_bytes: int = _MEMORY_BYTES,
    partition_rows: int | None = None,
    format: str | None = None,
    on_progress: Callable[[BulkProgress], object] = lambda _: None,
    should_stop: Callable[[], bool] = lambda: False,
    _graders: RowGraders | None = None,
) -> BulkSummary:
    """
    Decide for each row of files whether its quote is in its source, and write the rows with their results.

    The output is written in partitions, each of them completely or not at all. If a run ends early for any reason,
    the same call resumes it: no row is lost, and none is written twice.

    Args:
        in_path: A file, a folder, or a pattern; a local path or a URL that pyarrow knows (`s3://...`). Parquet, Arrow,
            and JSON lines or CSV, plain or compressed with gzip or zstd.
        out_path: A local path, or a URL of `s3://`. A name with a known suffix becomes one file of that format; any
            other name becomes a folder of partitions in the format of the input.
        quote: The column with the quotes: strings, or lists of strings.
        source: The column with the sources: their texts, ids of *sources*, or paths of *documents*.
        sources: The sources by id: a file or table with the columns `id` and `text`, or a mapping.
        documents: The folder of documents; the column *source* has their paths below it. Each document is read once
            while it is kept in memory, and one that cannot be read is the error of its rows.
        mode, threshold: As for `Source.find`; the guarded policy has the *threshold* alone.
        policy: "literal", or "guarded" for `groundwire.evidence.assess_quotes`.
        score: A score fitted on quotes, which adds the column `probability`; for the guarded policy.
        resume: True resumes a run that has not finished, and leaves a finished output as it is. False starts over, and
            replaces an older output at the end.
        work_dir: The folder where an output for a URL is made before it is uploaded; None for the current folder.
        workers: The number of threads; None for the number of processors.
        memory_bytes: The approximate memory for sources and rows; interpreter and libraries come on top.
        partition_rows: The maximum rows of a partition; large rows make it smaller. None for a quarter of a million, or
            16,384 under the guarded policy, whose rows take longer.
        format: The format of the input, whatever the names say: "parquet", "arrow", "jsonl", "csv".
        on_progress: Called with a `BulkProgress` after each partition.
        should_stop: Called between partitions; partitions that have started are finished.

    Returns:
        The summary. The output has the columns of the input and after them `grounded`, `kind`, `score`, `start`, `end`
        and `error`, as `Grounder.ground` describes; the guarded policy adds `status` and `reasons`, and its `grounded`
        means accepted. A *score* adds `probability`, and *documents* add `page` and `document_sha256`.

    Raises:
        BulkError: The input cannot be read or lacks a column, the output cannot be written, another run
            writes it, or it was started with a different input or different options.
        BulkStopped: `should_stop()` returned True.
        TypeError, ValueError: An option has the wrong type or is out of range.
        ImportError: pyarrow is not installed; importing this function raises it.
    """
    row_policy = RowPolicy(
        quote=quote,
        source=source,
        mode=mode,
        threshold=threshold,
        policy=policy,
        score=score,
        documents=None if documents is None else _folder(documents),
    )
    if documents is not None and sources is not None:
        raise ValueError("sources and documents exclude each other: a column has ids or paths")
    for name, value in (("workers", workers), ("memory_bytes", memory_bytes), ("partition_rows", partition_rows)):
        _check_at_least_one(name, value)
    for name, path in (("input", in_path), ("output", out_path)):
        if not os.fspath(path):
            raise BulkError(f"the {name} has an empty name")
    inputs = find_inputs(in_path, None if format is None else file_format(format))
    output = find_output(out_path, work_dir)
    job = BulkJob(
        row_policy,
        inputs,
        output.encoding or inputs[0].encoding,
        sources,
        _worker_count(workers),
        memory_bytes,
        partition_rows or _PARTITION_ROWS[policy],
        RowGraders() if _graders is None else _graders,
    )
    _check_no_overlap(out_path, job.encoding.suffix, in_path=in_path, inputs=inputs, sources=sources)
    with output.checkpoint.locked():
        return job.write(output, resume=resume, on_progress=on_progress, should_stop=should_stop)


def _folder(documents: str | os.PathLike[str]) -> str:
    if not Path(documents).is_dir():
        raise BulkError(f"`{os.fspath(documents)}` is not a folder of documents")
    return os.path.realpath(documents)


def _check_at_least_one(name: str, value: object) -> None:
    if value is None and name != "memory_bytes":
        return
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} must be an int, got {type(value).__name__}")
    if value < 1:
        raise ValueError(f"{name} must be at least 1, got {value}")


def _worker_count(workers: int | None) -> int:
    if workers is not None:
        return workers
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _check_no_overlap(
    output: str | os.PathLike[str],
    suffix: str,
    *,
    in_path: str | os.PathLike[str],
    inputs: Sequence[InputFile],
    sources: Any,
) -> None:
    """
    Check that an output replaces nothing that is read, and that another run would not read it.

    Args:
        output: The path or URL of the file, or of the folder of partitions.
        suffix: The suffix of a partition.
        in_path: The path or URL of the *inputs*.
        inputs: The files that are read.
        sources: The table of sources, in the form for `ground_file`.

    Raises:
        BulkError: The output, or what is written beside it, is or contains one of these files, or the output lies in
            a folder that is read.
    """
    name = redact_url(output)
    filesystem, inside = filesystem_of(output)
    real = os.path.realpath(inside) if is_local(filesystem) else inside.rstrip("/")
    read = {"one of the inputs": [file.path for file in inputs if file.filesystem.type_name == filesystem.type_name]}
    if isinstance(sources, str | os.PathLike):
        other, place = filesystem_of(sources)
        read["the table of sources"] = [place] if other.type_name == filesystem.type_name else []
    for what, paths in read.items():
        if _contains_any(filesystem, real, paths):
            raise BulkError(f"cannot write `{name}`: it is, or contains, {what}")
        if any(_contains_any(filesystem, f"{real}{end}", paths) for end in _BESIDE):
            raise BulkError(f"cannot write `{name}`: a file beside it would replace {what}")
    # The output itself, and the files beside it.
    written = ("", ".errors.jsonl", f"/part-000000{suffix}", f".groundwire/part-000000{suffix}")
    if any(is_in_input_set(filesystem, f"{real}{end}", in_path) for end in written):
        raise BulkError(
            f"cannot write `{name}`: it is in the input, and another run would read it as rows",
            "write it elsewhere, or to a name that begins with `_`",
        )


def _contains_any(filesystem: Any, output: str, paths: Iterable[str]) -> bool:
    """Tell whether *output* is one of *paths*, or a folder that contains one."""
    places = map(os.path.realpath, paths) if is_local(filesystem) else paths
    return any(f"{place}/".startswith(f"{output.rstrip('/')}/") for place in places)


class BulkJob(NamedTuple):
    """
    One run, from its header to its manifest.

    Attributes:
        policy: The policy.
        inputs: The input files.
        encoding: The encoding of the output.
        sources: The sources in the form for `ground_file`.
        workers, memory_bytes, partition_rows: As for `ground_file`.
        graders: Keeps prepared sources between jobs.
    """

    policy: RowPolicy
    inputs: Sequence[InputFile]
    encoding: FileEncoding
    sources: Any
    workers: int
    memory_bytes: int
    partition_rows: int
    graders: RowGraders

    def write(
        self,
        output: Output,
        *,
        resume: bool,
        on_progress: Callable[[BulkProgress], object],
        should_stop: Callable[[], bool],
    ) -> BulkSummary:
        """
        Make the output, or the missing partitions of it, and upload it if it goes to a URL.

        Raises:
            BulkError, BulkStopped: As `ground_file`.
        """
        checkpoint = output.checkpoint
        try:
            manifest, is_local_only = self._complete(output, resume, on_progress, should_stop)
        except OSError as error:
            # Errors of reading are a BulkError already.
            kept = f"finished partitions are kept: {len(checkpoint.done):,}"
            raise BulkError(
                f"cannot write `{checkpoint.output}`: {os_error_reason(error)}; {kept}", "the same call resumes it"
            ) from error
        if output.remote is not None and is_local_only:
            output.remote.upload(checkpoint)
        return _read_summary(manifest, checkpoint.name)

    def _complete(
        self,
        output: Output,
        resume: bool,
        on_progress: Callable[[BulkProgress], object],
        should_stop: Callable[[], bool],
    ) -> tuple[JobManifest, bool]:
        """Return the manifest of the output, and whether the output is on local disk alone."""
        checkpoint = output.checkpoint
        sources = None if self.sources is None else find_sources(self.sources)
        header = self._header(checkpoint, sources)
        unfinished = checkpoint.unfinished() if resume else None
        if unfinished is not None:
            _check_same(unfinished, header, checkpoint.name)
            header = unfinished
        elif resume and (finished := self._find_finished(output, header)) is not None:
            return finished
        limits = PartitionLimits(header.partition_rows, header.partition_bytes)
        first = self._open(self.inputs[0], limits)
        check_columns(first.file_schema, self.policy, where=f"`{self.inputs[0].name}`", has_ids=sources is not None)
        if self.encoding.format is FileFormat.PARQUET:
            check_parquet_schema(first.schema, f"`{self.inputs[0].name}`")
        task = self._task(checkpoint, first, sources)
        if output.remote is not None:
            output.remote.check_writable()
        if unfinished is None:
            checkpoint.begin(header)
        partitions = partition_inputs(
            self.inputs, lambda file: self._open_same(file, first, limits), limits, checkpoint.done
        )
        run_partitions(partitions, task, workers=self.workers, on_progress=on_progress, should_stop=should_stop)
        if [fingerprint(file) for file in self.inputs] != header.inputs:
            raise BulkError("the input was changed while it was read", _START_OVER)
        return self._finish(checkpoint, header, task.options), True

    def _find_finished(self, output: Output, header: JobHeader) -> tuple[JobManifest, bool] | None:
        """Return the manifest of an output that is complete, and whether it is on local disk alone."""
        checkpoint = output.checkpoint
        for place in (checkpoint, output.remote):
            if place is not None and (manifest := place.finished()) is not None:
                _check_same(manifest.header, header, checkpoint.name)
                return manifest, place is checkpoint
        if output.exists():
            raise BulkError(
                f"`{checkpoint.name}` already exists, and is not the output of this call",
                f"{_START_OVER}, and replaces it",
            )
        return None

    def _header(self, checkpoint: Checkpoint, sources: SourceLookup | None) -> JobHeader:
        output = {
            "format": str(self.encoding.format),
            "compression": self.encoding.compression,
            "is": "folder" if checkpoint.is_folder else "file",
        }
        return JobHeader(
            engine=__version__,
            arrow=pa.__version__,
            inputs=[fingerprint(file) for file in self.inputs],
            encodings=[file.encoding.suffix for file in self.inputs],
            sources=None if sources is None else sources.fingerprint,
            policy=self.policy.as_json(),
            output=output,
            partition_rows=self.partition_rows,
            partition_bytes=max(1, int(self.memory_bytes * _SHARE_OF_PARTITIONS / (self.workers + 2))),
        )

    def _open(self, file: InputFile, limits: PartitionLimits) -> RowReader:
        formats = {self.encoding.format, *(each.encoding.format for each in self.inputs)}
        keeps_lines = formats == {FileFormat.JSONL}
        return open_reader(file, self.policy, keeps_lines=keeps_lines, rows=limits.rows, size_bytes=limits.size_bytes)

    def _open_same(self, file: InputFile, first: RowReader, limits: PartitionLimits) -> RowReader:
        """Open *file*, which must have the columns of the first one."""
        reader = self._open(file, limits)
        # Lines that are kept need the quote and the source in common, and nothing else.
        keeps_lines = LINE in first.schema.names
        known, found = (each.schema if keeps_lines else each.file_schema for each in (first, reader))
        if not found.equals(known):
            raise BulkError(f"`{file.name}` has other columns than `{self.inputs[0].name}`, or other types of them")
        return reader

    def _task(self, checkpoint: Checkpoint, first: RowReader, sources: SourceLookup | None) -> PartitionTask:
        ids = first.schema.field(self.policy.source).type
        memory_bytes = int(self.memory_bytes * _SHARE_OF_SOURCES)
        return PartitionTask(
            policy=self.policy,
            grade=self.graders.grader(self.policy, sources, ids, workers=self.workers, memory_bytes=memory_bytes),
            encoding=self.encoding,
            options=ParquetOptions(first.file_schema, first.codec),
            names=tuple(file.name for file in self.inputs),
            are_ids=sources is not None,
            repair=TextRepairer((self.policy.quote, self.policy.source)),
            checkpoint=checkpoint,
        )

    def _finish(self, checkpoint: Checkpoint, header: JobHeader, options: ParquetOptions) -> JobManifest:
        """Complete the output on local disk, and write its manifest."""
        records = checkpoint.records()
        if not checkpoint.is_folder:
            temporary = checkpoint.temporary("output")
            assemble_output(checkpoint.partitions(), temporary, self.encoding, options)
            take_place_of(checkpoint.output, temporary)
        summary = summarize(checkpoint.name, header, records, checkpoint.sources.total())
        raw = msgspec.Raw(msgspec.json.encode(summary))
        try:
            size_bytes = checkpoint.size_bytes(records)
        except FileNotFoundError:
            raise BulkError(
                f"another process changed partitions of `{checkpoint.name}`", "the same call makes them again"
            ) from None
        manifest = JobManifest(header=header, partitions=records, size_bytes=size_bytes, summary=raw)
        checkpoint.finish(manifest)
        return manifest


def _read_summary(manifest: JobManifest, name: str) -> BulkSummary:
    try:
        return msgspec.json.decode(manifest.summary, type=BulkSummary)
    except msgspec.MsgspecError:
        raise BulkError(f"the manifest of `{name}` is broken, or of another version", _START_OVER) from None


def _check_same(begun: JobHeader, asked: JobHeader, name: str) -> None:
    differences = begun.differences(asked)
    if differences:
        raise BulkError(f"`{name}` was started with {'; '.join(differences)}", f"{_START_OVER}, and replaces it")
