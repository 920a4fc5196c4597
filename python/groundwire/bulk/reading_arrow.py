"""Arrow's own format: files and streams of batches."""

from collections.abc import Iterator

import pyarrow as pa

from groundwire.bulk.inputs import InputFile
from groundwire.bulk.options import Rule
from groundwire.bulk.reading import CODEC, Chunk, bytes_of
from groundwire.bulk.validation import BatchValidator

__all__ = ["ArrowReader"]

_FILE_MARK = b"ARROW1"


class ArrowReader:
    """A file in Arrow's format, or a stream in a file: which of both its first bytes tell."""

    codec = CODEC

    def __init__(self, file: InputFile, rule: Rule, rows: int, size_bytes: int) -> None:
        self._file = file
        self._limits = rows, size_bytes
        self._validated = BatchValidator((rule.quote, rule.source))
        with file.open() as opened:
            self._is_stream = opened.read(len(_FILE_MARK)) != _FILE_MARK
            opened.seek(0)
            if self._is_stream:
                self.schema = pa.ipc.open_stream(opened).schema
                self.total = file.size_bytes
            else:
                whole = pa.ipc.open_file(opened)
                self.schema = whole.schema
                self.total = whole.num_record_batches
        self.shown_schema = self.schema

    def chunks(self, skip: int) -> Iterator[Chunk]:
        """Yield the rows from number *skip* on, which is where a chunk began."""
        seen = 0
        with self._file.open() as opened:
            for number, batch in enumerate(self._batches(opened)):
                before = seen
                for piece in _pieces(batch, *self._limits):
                    seen += piece.num_rows
                    if seen > skip:
                        position = opened.tell() if self._is_stream else number + (seen - before) / batch.num_rows
                        yield Chunk(piece, piece.num_rows, [], position)

    # The file is not mapped into memory: it could change under what was checked, and if it were cut
    # off meanwhile the system would end the process.
    def _batches(self, opened: pa.NativeFile) -> Iterator[pa.RecordBatch]:
        if self._is_stream:
            yield from map(self._validated, pa.ipc.open_stream(opened))
        else:
            whole = pa.ipc.open_file(opened)
            for number in range(whole.num_record_batches):
                yield self._validated(whole.get_batch(number))


def _pieces(batch: pa.RecordBatch, rows: int, size_bytes: int) -> Iterator[pa.RecordBatch]:
    """Yield *batch* in slices that are no larger than asked for, roughly."""
    if not batch.num_rows:
        return
    step = max(1, min(rows, size_bytes * batch.num_rows // max(bytes_of(batch), 1)))
    for start in range(0, batch.num_rows, step):
        yield batch.slice(start, step)
