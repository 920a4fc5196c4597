"""The input cut into parts: consecutive rows of one file, cut at the same places each time."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import pyarrow as pa

from groundwire.bulk.inputs import InputFile
from groundwire.bulk.reading import Chunk, LineProblem, Reader, bytes_of, read_chunks
from groundwire.bulk.records import PartRecord
from groundwire.errors import BulkError

__all__ = ["Limits", "Part", "cut"]


class Limits(NamedTuple):
    """How much a part has at most, unless a single batch has more."""

    rows: int
    size_bytes: int


class Part(NamedTuple):
    """
    Rows that become one file of the output.

    Attributes:
        number: Its place in the output, from 0.
        file: The place of its file among the inputs.
        first: What of that file comes before it, in the reader's items.
        items: What it has of it.
        batches: The rows.
        problems: Lines that are no rows.
        share: How much of the whole input is read when it is, 0.0 to 1.0.
    """

    number: int
    file: int
    first: int
    items: int
    batches: list[pa.RecordBatch]
    problems: list[LineProblem]
    share: float


def cut(
    files: Sequence[InputFile],
    open_file: Callable[[InputFile], Reader],
    limits: Limits,
    done: Mapping[int, PartRecord],
) -> Iterator[Part]:
    """
    Yield the parts that are not *done*.

    Where nothing is in the input, there is one part without rows: its file has the columns.

    Raises:
        BulkError: A file is broken, or a part that is done would be cut otherwise now.
    """
    number, read_bytes = 0, 0
    all_bytes = sum(file.size_bytes for file in files) or 1
    schema: pa.Schema | None = None
    for place, file in enumerate(files):
        reader = open_file(file)
        schema = schema or reader.schema
        first = 0
        while (record := done.get(number)) is not None and record.file == place and record.items:
            first, number = record.first + record.items, number + 1
        for chunks in _gathered(read_chunks(reader, file, first), limits):
            items = sum(chunk.items for chunk in chunks)
            share = (read_bytes + file.size_bytes * min(1.0, chunks[-1].position / max(reader.total, 1))) / all_bytes
            problems = [problem for chunk in chunks for problem in chunk.problems]
            part = Part(number, place, first, items, [chunk.rows for chunk in chunks], problems, share)
            if not _is_done(part, done):
                yield part
            first, number = first + items, number + 1
        read_bytes += file.size_bytes
    if number == 0 and schema is not None:
        empty = pa.RecordBatch.from_arrays([pa.array([], field.type) for field in schema], schema=schema)
        part = Part(0, 0, 0, 0, [empty], [], 1.0)
        if not _is_done(part, done):
            yield part


def _gathered(chunks: Iterator[Chunk], limits: Limits) -> Iterator[list[Chunk]]:
    gathered: list[Chunk] = []
    rows = size_bytes = 0
    for chunk in chunks:
        chunk_bytes = bytes_of(chunk.rows) + sum(len(problem.content) for problem in chunk.problems)
        if gathered and (rows + chunk.rows.num_rows > limits.rows or size_bytes + chunk_bytes > limits.size_bytes):
            yield gathered
            gathered, rows, size_bytes = [], 0, 0
        gathered.append(chunk)
        rows += chunk.rows.num_rows
        size_bytes += chunk_bytes
        # Another one like this would not fit; it need not be in memory to know that.
        if rows > limits.rows / 2 or size_bytes > limits.size_bytes / 2:
            yield gathered
            gathered, rows, size_bytes = [], 0, 0
    if gathered:
        yield gathered


def _is_done(part: Part, done: Mapping[int, PartRecord]) -> bool:
    record = done.get(part.number)
    if record is None:
        return False
    if (record.file, record.first, record.items) != (part.file, part.first, part.items):
        raise BulkError(
            f"part {part.number} of the output was cut otherwise before; it cannot be gone on with",
            "--no-resume starts over",
        )
    return True
