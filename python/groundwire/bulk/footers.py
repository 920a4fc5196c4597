"""
Parquet files put one after the other, without reading their rows.

A Parquet file is row groups, and at its end a footer that says where they are. All
parts have one schema, so that a file with the bytes of all of them is whole once a
footer names the places where they are now. The footer is a tree in Thrift's compact
protocol; it is read as it is, whatever fields it has, and only places and counts
are changed.

Source: https://parquet.apache.org/docs/file-format/metadata, parquet.thrift; Thrift's compact protocol.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import BinaryIO

from groundwire.bulk.thrift import List, Struct, read_struct, write_struct

__all__ = ["concatenate"]

_MARK = b"PAR1"
_COPY_BYTES = 1 << 20

# Numbers of fields in parquet.thrift.
_FILE_ROWS, _FILE_GROUPS = 3, 4
_GROUP_COLUMNS, _GROUP_ROWS, _GROUP_OFFSET, _GROUP_ORDINAL = 1, 3, 5, 7
_CHUNK_OFFSET, _CHUNK_META, _CHUNK_OFFSET_INDEX, _CHUNK_COLUMN_INDEX = 2, 3, 4, 6
_META_PLACES = (9, 10, 11, 14)
"""Of data pages, an index page, the dictionary page, a bloom filter."""
_MAX_ORDINAL = 2**15 - 1


def concatenate(parts: Iterable[Path], file: BinaryIO) -> None:
    """
    Write one Parquet file with the row groups of *parts*, in their order.

    Args:
        parts: Files that `write_parquet` wrote, all with the same columns; at least one.
        file: Where to; nothing is written there yet.
    """
    file.write(_MARK)
    position = len(_MARK)
    whole: Struct | None = None
    for part in parts:
        with part.open("rb") as opened:
            footer, rows_end = _footer(opened)
            opened.seek(len(_MARK))
            _copy(opened, file, rows_end - len(_MARK))
        _move(footer, position - len(_MARK))
        position += rows_end - len(_MARK)
        if whole is None:
            whole = footer
        else:
            whole[_FILE_ROWS] += footer[_FILE_ROWS]
            _groups(whole).extend(_groups(footer))
    if whole is None:
        raise ValueError("there are no parts")
    for number, group in enumerate(_groups(whole)):
        if _GROUP_ORDINAL in group:
            # Too small for very many groups; it need not be there.
            if number <= _MAX_ORDINAL:
                group[_GROUP_ORDINAL] = number
            else:
                del group[_GROUP_ORDINAL]
    written = write_struct(whole)
    file.write(written + len(written).to_bytes(4, "little") + _MARK)


def _footer(opened: BinaryIO) -> tuple[Struct, int]:
    """Return the footer of a file, and where it begins."""
    size = opened.seek(0, 2)
    opened.seek(size - 8)
    tail = opened.read(8)
    length = int.from_bytes(tail[:4], "little")
    if tail[4:] != _MARK or length > size - 12:
        raise ValueError("a part is no Parquet file")
    opened.seek(size - 8 - length)
    return read_struct(opened.read(length)), size - 8 - length


def _copy(opened: BinaryIO, file: BinaryIO, length: int) -> None:
    while length:
        piece = opened.read(min(length, _COPY_BYTES))
        if not piece:
            raise ValueError("a part is cut off")
        file.write(piece)
        length -= len(piece)


def _groups(footer: Struct) -> List:
    groups: List = footer[_FILE_GROUPS]
    return groups


def _move(footer: Struct, distance: int) -> None:
    """Add *distance* to all places of a file that the footer names."""
    for group in _groups(footer):
        _add(group, (_GROUP_OFFSET,), distance)
        for chunk in group[_GROUP_COLUMNS]:
            # The older form has 0 where the place is told in the column's own description.
            if chunk[_CHUNK_OFFSET]:
                _add(chunk, (_CHUNK_OFFSET,), distance)
            _add(chunk, (_CHUNK_OFFSET_INDEX, _CHUNK_COLUMN_INDEX), distance)
            _add(chunk[_CHUNK_META], _META_PLACES, distance)


def _add(struct: Struct, fields: Sequence[int], distance: int) -> None:
    for field in fields:
        if field in struct:
            struct[field] += distance
