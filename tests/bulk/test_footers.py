"""Footers of Parquet: read as they are, written as they were, changed where places and counts are."""

import io
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from groundwire.bulk.footers import concatenate
from groundwire.bulk.thrift import List, Struct, read_struct, write_struct

# Fields far apart, in every type that Thrift's compact protocol has for structs and lists.
EVERYTHING = bytes.fromhex(
    "11"  # 1: true
    "12"  # 2: false
    "1305"  # 3: a byte
    "1503"  # 4: a number, -2
    "0628 8801"  # 20: one more, 68
    "178877665544332211"  # 21: a floating-point number
    "18026869"  # 22: two bytes
    "1935020406"  # 23: three numbers
    "191c 1502 00"  # 24: one struct
    "1a21 0102"  # 25: a set of truth values
    "1927 0000000000000000 0000000000000001"  # 26: two floating-point numbers
    "19f5 10 00000000000000000000000000000000"  # 27: sixteen numbers
    "00"
)


def test_a_footer_is_written_as_it_was_read():
    """Whatever it holds, also what this program does not know."""
    struct = read_struct(EVERYTHING)
    assert write_struct(struct) == EVERYTHING
    assert {1: True, 2: False, 4: -2, 20: 68, 22: b"hi", 23: [1, 2, 3]}.items() <= struct.items()
    assert len(struct[27]) == 16


@pytest.mark.parametrize(
    ("content", "words"),
    [(EVERYTHING[:-1], "is cut off"), (b"\x1d\x00", "has a value of type 13"), (b"", "is cut off")],
)
def test_a_footer_that_is_none(content, words):
    """It is told; nothing is guessed."""
    with pytest.raises(ValueError, match=words):
        read_struct(content)


def numbered(path: Path, rows: list[int]) -> Path:
    """Write Parquet whose row groups say their numbers, as some writers have them do."""
    pq.write_table(pa.table({"n": rows}), path, row_group_size=1)
    content = path.read_bytes()
    length = int.from_bytes(content[-8:-4], "little")
    footer = read_struct(content[-8 - length : -8])
    for number, group in enumerate(footer[4]):
        assert isinstance(group, Struct)
        group[7], group.kinds[7] = number, 4
    written = write_struct(footer)
    path.write_bytes(content[: -8 - length] + written + len(written).to_bytes(4, "little") + b"PAR1")
    return path


def test_row_groups_are_counted_anew(tmp_path):
    """Numbers of row groups go through all parts."""
    whole = io.BytesIO()
    concatenate([numbered(tmp_path / "a.parquet", [1, 2]), numbered(tmp_path / "b.parquet", [3])], whole)
    content = whole.getvalue()
    assert pq.read_table(io.BytesIO(content)).column("n").to_pylist() == [1, 2, 3]
    groups = read_struct(content[-8 - int.from_bytes(content[-8:-4], "little") : -8])[4]
    assert isinstance(groups, List)
    assert [group[7] for group in groups] == [0, 1, 2]


def test_row_groups_beyond_what_a_number_holds(tmp_path, monkeypatch):
    """The number has 16 bits and need not be there: beyond them it goes."""
    monkeypatch.setattr("groundwire.bulk.footers._MAX_ORDINAL", 1)
    whole = io.BytesIO()
    concatenate([numbered(tmp_path / "a.parquet", [1, 2, 3])], whole)
    content = whole.getvalue()
    groups = read_struct(content[-8 - int.from_bytes(content[-8:-4], "little") : -8])[4]
    assert [group.get(7) for group in groups] == [0, 1, None]
    assert pq.read_table(io.BytesIO(content)).num_rows == 3


def test_what_is_no_part(tmp_path):
    """Neither no parts at all nor another file becomes an output."""
    with pytest.raises(ValueError, match="there are no parts"):
        concatenate([], io.BytesIO())
    (tmp_path / "other").write_bytes(b"PAR1 something else")
    with pytest.raises(ValueError, match="a part is no Parquet file"):
        concatenate([tmp_path / "other"], io.BytesIO())
