"""One run, from its header to its manifest."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec
import pyarrow as pa

from groundwire._engine import __version__
from groundwire.bulk.checkpoint import Checkpoint
from groundwire.bulk.formats import Form, Format
from groundwire.bulk.inputs import InputFile, fingerprint
from groundwire.bulk.judging import Judges
from groundwire.bulk.options import Rule, check_columns
from groundwire.bulk.parts import Limits, cut
from groundwire.bulk.places import reason_of
from groundwire.bulk.reading import Reader, open_reader
from groundwire.bulk.reading_jsonl import LINE
from groundwire.bulk.records import Header, Manifest
from groundwire.bulk.running import Progress, Work, run
from groundwire.bulk.sources_table import Sources, find_sources
from groundwire.bulk.summary import BulkSummary, summary_of
from groundwire.bulk.validation import WellFormed
from groundwire.bulk.writers import Output, ParquetLook, assemble_output
from groundwire.errors import BulkError
from groundwire.private_files import take_place_of

__all__ = ["Job"]

# Of the memory that may be taken so much is for prepared sources, and so much for parts as they are read; as
# they are written they take as much again.
_SHARE_OF_SOURCES = 3 / 8
_SHARE_OF_PARTS = 1 / 16
_START_OVER = "--no-resume starts over"


class Job(NamedTuple):
    """What is to be done; `sources` as `ground_file` takes them, `judges` with what jobs before this one left."""

    rule: Rule
    inputs: Sequence[InputFile]
    form: Form
    sources: Any
    workers: int
    memory_bytes: int
    part_rows: int
    judges: Judges

    def into(
        self,
        output: Output,
        *,
        resume: bool,
        on_progress: Callable[[Progress], object],
        should_stop: Callable[[], bool],
    ) -> BulkSummary:
        """
        Make the output, or what is missing of it, and upload it if its place is behind a URL.

        Raises:
            BulkError, BulkStopped: As `ground_file`.
        """
        checkpoint = output.checkpoint
        try:
            manifest, is_new = self._made(output, resume, on_progress, should_stop)
        except OSError as error:
            # Errors of reading are BulkError already.
            kept = f"finished parts are kept: {len(checkpoint.done):,}"
            raise BulkError(
                f"cannot write `{checkpoint.output}`: {reason_of(error)}; {kept}", "the same call goes on from there"
            ) from error
        if output.remote is not None and is_new:
            output.remote.upload(checkpoint)
        return _summary(manifest, checkpoint.name)

    def _made(
        self,
        output: Output,
        resume: bool,
        on_progress: Callable[[Progress], object],
        should_stop: Callable[[], bool],
    ) -> tuple[Manifest, bool]:
        """Return the manifest of the output, and whether it is not at its place yet."""
        checkpoint, remote = output.checkpoint, output.remote
        sources = None if self.sources is None else find_sources(self.sources)
        header = self._header(checkpoint, sources)
        begun = checkpoint.begun() if resume else None
        if begun is None and resume:
            for place in (checkpoint, remote):
                if place is not None and (finished := place.finished()) is not None:
                    _check_same(finished.header, header, checkpoint.name)
                    return finished, place is checkpoint
            if output.exists():
                raise BulkError(
                    f"`{checkpoint.name}` is there already, and is not what was made of this",
                    f"{_START_OVER}, and replaces it",
                )
        if begun is not None:
            _check_same(begun, header, checkpoint.name)
            header = begun
        limits = Limits(header.part_rows, header.part_bytes)
        first = self._open(self.inputs[0], limits)
        check_columns(first.shown_schema, self.rule, where=f"`{self.inputs[0].name}`", has_ids=sources is not None)
        work = self._work(checkpoint, first, sources)
        if remote is not None:
            remote.check_writable()
        if begun is None:
            checkpoint.begin(header)
        parts = cut(self.inputs, lambda file: self._same(file, first, limits), limits, checkpoint.done)
        run(parts, work, workers=self.workers, on_progress=on_progress, should_stop=should_stop)
        if [fingerprint(file) for file in self.inputs] != header.inputs:
            raise BulkError("the input was changed while it was read", _START_OVER)
        return self._finish(checkpoint, header, work.look), True

    def _header(self, checkpoint: Checkpoint, sources: Sources | None) -> Header:
        compression = self.form.compression
        output = {
            "format": str(self.form.format),
            "compression": compression,
            "is": "folder" if checkpoint.is_folder else "file",
        }
        return Header(
            engine=__version__,
            arrow=pa.__version__,
            inputs=[fingerprint(file) for file in self.inputs],
            forms=[file.form.suffix for file in self.inputs],
            sources=None if sources is None else sources.print,
            rule=self.rule.as_json(),
            output=output,
            part_rows=self.part_rows,
            part_bytes=max(1, int(self.memory_bytes * _SHARE_OF_PARTS / (self.workers + 2))),
        )

    def _open(self, file: InputFile, limits: Limits) -> Reader:
        keeps_lines = self.form.format is Format.JSONL and all(each.form.format is Format.JSONL for each in self.inputs)
        return open_reader(file, self.rule, keeps_lines=keeps_lines, rows=limits.rows, size_bytes=limits.size_bytes)

    def _same(self, file: InputFile, first: Reader, limits: Limits) -> Reader:
        """Open *file*, which has to have the columns of the first one."""
        reader = self._open(file, limits)
        # Lines that stay as they are have no more in common than what is asked of them.
        keeps_lines = LINE in first.schema.names
        known, its = (each.schema if keeps_lines else each.shown_schema for each in (first, reader))
        if not its.equals(known):
            raise BulkError(f"`{file.name}` has other columns than `{self.inputs[0].name}`, or other types of them")
        return reader

    def _work(self, checkpoint: Checkpoint, first: Reader, sources: Sources | None) -> Work:
        ids = first.schema.field(self.rule.source).type
        memory_bytes = int(self.memory_bytes * _SHARE_OF_SOURCES)
        judge = self.judges.judge(self.rule, sources, ids, workers=self.workers, memory_bytes=memory_bytes)
        return Work(
            rule=self.rule,
            judge=judge,
            form=self.form,
            look=ParquetLook(first.shown_schema, first.codec),
            names=tuple(file.name for file in self.inputs),
            are_ids=sources is not None,
            well_formed=WellFormed((self.rule.quote, self.rule.source)),
            checkpoint=checkpoint,
        )

    def _finish(self, checkpoint: Checkpoint, header: Header, look: ParquetLook) -> Manifest:
        """Make the output whole, and write down what it is."""
        records = checkpoint.records()
        if not checkpoint.is_folder:
            temporary = checkpoint.temporary("output")
            assemble_output(checkpoint.parts(), temporary, self.form, look)
            take_place_of(checkpoint.output, temporary)
        summary = summary_of(checkpoint.name, header, records, checkpoint.sources.total())
        raw = msgspec.Raw(msgspec.json.encode(summary))
        try:
            size_bytes = checkpoint.size_bytes(records)
        except FileNotFoundError:
            raise BulkError(
                f"parts of `{checkpoint.name}` were changed by somebody else", "the same call makes them anew"
            ) from None
        manifest = Manifest(header=header, parts=records, size_bytes=size_bytes, summary=raw)
        checkpoint.finish(manifest)
        return manifest


def _summary(manifest: Manifest, name: str) -> BulkSummary:
    try:
        return msgspec.json.decode(manifest.summary, type=BulkSummary)
    except msgspec.MsgspecError:
        raise BulkError(f"the manifest of `{name}` is broken, or of another version", _START_OVER) from None


def _check_same(begun: Header, asked: Header, name: str) -> None:
    differences = begun.differences(asked)
    if differences:
        raise BulkError(f"`{name}` was begun otherwise: {'; '.join(differences)}", f"{_START_OVER}, and replaces it")
