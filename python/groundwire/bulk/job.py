"""One run, from its header to its manifest."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec
import pyarrow as pa

from groundwire._engine import __version__
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
from groundwire.bulk.workspace import Workspace
from groundwire.bulk.writing import assemble
from groundwire.errors import BulkError

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
        space: Workspace,
        *,
        resume: bool,
        on_progress: Callable[[Progress], object],
        should_stop: Callable[[], bool],
    ) -> BulkSummary:
        """
        Do it, or what is left of it.

        Raises:
            BulkError, BulkStopped: As `ground_file`.
        """
        try:
            return self._into(space, resume, on_progress, should_stop)
        except OSError as error:
            # What cannot be read is told where it is read.
            kept = f"finished parts are kept: {len(space.done):,}"
            raise BulkError(
                f"cannot write `{space.output}`: {reason_of(error)}; {kept}", "the same call goes on from there"
            ) from error

    def _into(
        self,
        space: Workspace,
        resume: bool,
        on_progress: Callable[[Progress], object],
        should_stop: Callable[[], bool],
    ) -> BulkSummary:
        sources = None if self.sources is None else find_sources(self.sources)
        header = self._header(space, sources)
        begun = space.begun() if resume else None
        if begun is None and resume and (finished := space.finished()) is not None:
            _check_same(finished.header, header, space)
            return _summary(finished, space)
        if begun is not None:
            _check_same(begun, header, space)
            header = begun
        elif resume and space.is_there():
            raise BulkError(
                f"`{space.output}` is there already, and is not what was made of this",
                f"{_START_OVER}, and replaces it",
            )
        limits = Limits(header.part_rows, header.part_bytes)
        first = self._open(self.inputs[0], limits)
        check_columns(first.shown_schema, self.rule, where=f"`{self.inputs[0].name}`", has_ids=sources is not None)
        work = self._work(space, first, sources)
        if begun is None:
            space.begin(header)
        parts = cut(self.inputs, lambda file: self._same(file, first, limits), limits, space.done)
        run(parts, work, workers=self.workers, on_progress=on_progress, should_stop=should_stop)
        if [fingerprint(file) for file in self.inputs] != header.inputs:
            raise BulkError("the input was changed while it was read", _START_OVER)
        return self._finish(space, header)

    def _header(self, space: Workspace, sources: Sources | None) -> Header:
        compression = self.form.compression
        output = {
            "format": str(self.form.format),
            "compression": compression,
            "is": "folder" if space.is_folder else "file",
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

    def _work(self, space: Workspace, first: Reader, sources: Sources | None) -> Work:
        ids = first.schema.field(self.rule.source).type
        memory_bytes = int(self.memory_bytes * _SHARE_OF_SOURCES)
        judge = self.judges.judge(self.rule, sources, ids, workers=self.workers, memory_bytes=memory_bytes)
        return Work(
            rule=self.rule,
            judge=judge,
            form=self.form,
            shown=first.shown_schema,
            codec=first.codec,
            names=tuple(file.name for file in self.inputs),
            are_ids=sources is not None,
            well_formed=WellFormed((self.rule.quote, self.rule.source)),
            space=space,
        )

    def _finish(self, space: Workspace, header: Header) -> BulkSummary:
        """Make the output whole, and write down what it is."""
        records = space.records()
        if not space.is_folder:
            aside = space.aside("output")
            assemble(space.parts(), aside, self.form)
            space.publish(aside)
        summary = summary_of(space.output, header, records, space.sources.total())
        raw = msgspec.Raw(msgspec.json.encode(summary))
        try:
            size_bytes = space.size_bytes(records)
        except FileNotFoundError:
            raise space.changed() from None
        space.finish(Manifest(header=header, parts=records, size_bytes=size_bytes, summary=raw))
        return summary


def _summary(manifest: Manifest, space: Workspace) -> BulkSummary:
    try:
        return msgspec.json.decode(manifest.summary, type=BulkSummary)
    except msgspec.MsgspecError:
        raise BulkError(f"the manifest of `{space.output}` is broken, or of another version", _START_OVER) from None


def _check_same(begun: Header, asked: Header, space: Workspace) -> None:
    differences = begun.differences(asked)
    if differences:
        raise BulkError(
            f"`{space.output}` was begun otherwise: {'; '.join(differences)}", f"{_START_OVER}, and replaces it"
        )
