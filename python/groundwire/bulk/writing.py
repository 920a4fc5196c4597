"""Parts of the output, one after the other, and what becomes of them in the end."""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa

from groundwire.bulk.formats import Form, Format
from groundwire.private_files import open_private

__all__ = ["assemble", "write_part"]

_COPY_BYTES = 1 << 20


def write_part(path: Path, table: pa.Table, form: Form, shown: pa.Schema, *, codec: str, has_header: bool) -> None:
    """
    Write rows to a new file of its owner alone, and see to it that they are on the disk.

    Args:
        path: The file.
        table: The rows with their results.
        form: What is written.
        shown: Names and types of the columns as readers of the file see them.
        codec: What the columns of Parquet are packed with.
        has_header: Whether CSV begins with the names of the columns.

    Raises:
        OSError: It cannot be written, for one because the disk is full.
    """
    if form.format is Format.PARQUET:
        from groundwire.bulk.writing_parquet import write_parquet

        with open_private(path, "wb") as file:
            write_parquet(file, table, shown, codec=codec)
    elif form.format is Format.ARROW:
        # Such a file has one dictionary for each column.
        whole = table.unify_dictionaries()
        with open_private(path, "wb") as file, pa.ipc.new_file(file, whole.schema) as writer:
            writer.write_table(whole)
    else:
        with open_private(path, "wb") as file, pa.output_stream(file, compression=form.compression) as packed:
            _write_text(packed, table, form, has_header=has_header)
    _sync(path)


def _write_text(file: object, table: pa.Table, form: Form, *, has_header: bool) -> None:
    from groundwire.bulk.writing_text import write_csv, write_json_lines

    if form.format is Format.CSV:
        write_csv(file, table, has_header=has_header)
    else:
        write_json_lines(file, table)


def assemble(parts: Iterable[Path], target: Path, form: Form) -> None:
    """
    Write *target* as one file with the rows of all *parts*, in their order.

    Raises:
        OSError: It cannot be written.
    """
    with open_private(target, "wb") as file:
        if form.format is Format.PARQUET:
            from groundwire.bulk.footers import concatenate

            concatenate(parts, file)
        elif form.format is Format.ARROW:
            _concatenate_arrow(parts, file)
        else:
            # Packed or not, one after the other is a file again.
            for part in parts:
                with part.open("rb") as opened:
                    shutil.copyfileobj(opened, file, _COPY_BYTES)
    _sync(target)


def _sync(path: Path) -> None:
    """See to it that what was written is on the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _concatenate_arrow(parts: Iterable[Path], file: object) -> None:
    """Write the batches of all parts; a file in Arrow's format has one dictionary for each column."""
    # Mapped: no rows are in memory, but the numbers of dictionaries that have to be made one.
    tables = [pa.ipc.open_file(pa.memory_map(str(part))).read_all() for part in parts]
    table = pa.concat_tables(tables).unify_dictionaries()
    with pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
