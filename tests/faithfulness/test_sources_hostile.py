"""Large, repetitive or meaningless sources take linear time and limited memory, and any chunks give the same units."""

import re
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithfulness.test_sources_tables import in_pieces
from groundwire import delimited
from groundwire.delimited import lines_of
from groundwire.faithfulness import SourceData, SourceDataError
from groundwire.faithfulness.sources import prose
from groundwire.faithfulness.sources.prose import prose_units, text_pieces
from groundwire.faithfulness.sources.units import MAX_UNIT_CHARS, chunks

REPEATED = (
    "a",
    " ",
    "\n",
    "\r",
    "\r\n",
    ",",
    '"',
    '""',
    '",',
    "{",
    "[",
    "[]",
    '{"a":',
    "1",
    "- ",
    "# ",
    "| ",
    "Ann: ",
    "a\n",
    ". ",
    "。",
    "a,b\n",
    "\ud800",
    "\x85",
    "00:01 ",
    "1\n",
)


@pytest.mark.parametrize("kind", ["", ".txt", ".csv", ".tsv", ".json", ".jsonl", ".md", ".vtt", ".srt"])
@pytest.mark.parametrize("piece", REPEATED, ids=ascii)
def test_repeated_fragments_take_linear_time(piece, kind, tmp_path):
    """Forty thousand repetitions are read or refused, and no unit exceeds its limit."""
    text = piece * 40_000
    given = text
    if kind:
        given = tmp_path / f"a{kind}"
        given.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        found = list(SourceData(given).units())
    except SourceDataError as refused:
        found, line = [], refused.line
    else:
        line = None
    assert line is None or line >= 1
    assert all(len(unit.text) <= MAX_UNIT_CHARS for unit in found if unit.summary is None)


@given(st.text(st.sampled_from("ab\r\n\n é"), max_size=60), st.integers(1, 9))
def test_lines_do_not_depend_on_chunks(text, size):
    """Numbers, offsets and texts of lines do not depend on the chunks."""
    found = list(lines_of(in_pieces(text, size), "t"))
    expected = re.split("\r\n|\n|\r", text)
    expected = expected[:-1] if not expected[-1] else expected
    assert [line.text for line in found] == expected
    assert [line.number for line in found] == list(range(1, len(expected) + 1))
    assert all(text.startswith(line.text, line.start) for line in found)


@given(st.text(st.sampled_from("a. \n語é"), max_size=300))
def test_chunks_leave_nothing_out(text):
    """Segments are in order, limited in length, and contain all but white space."""
    text = text * 30
    spans = chunks(text)
    assert all(0 < end - start <= MAX_UNIT_CHARS for start, end in spans)
    assert "".join(text[start:end] for start, end in spans).split() or not text.strip()
    assert "".join("".join(text[start:end] for start, end in spans).split()) == "".join(text.split())


@pytest.mark.parametrize("part_chars", [300, 1000, 5000])
@pytest.mark.parametrize(
    "line", ["Ann: I said {} of it.\n", "Bob:\nand {}\nmore\n", "It was {}.\nSo.\n\n", "- item {}\n", "{}\n"]
)
def test_parts_do_not_change_the_units(monkeypatch, part_chars, line):
    """A long source is read part by part; lines, turns and spans are those of the whole."""
    text = "".join(
        ("Eve: Well.\n" if ":" in line and not number % 3 else "") + line.format(number) for number in range(400)
    )
    whole = list(prose_units([text], "t"))
    monkeypatch.setattr(prose, "_PART_CHARS", part_chars)
    in_parts = list(prose_units(in_pieces(text, 64), "t"))
    if line == "{}\n":
        # A paragraph longer than a part is split between lines.
        assert [number for unit in in_parts for number in unit.text.split()] == text.split()
    else:
        assert in_parts == whole


@pytest.mark.parametrize("line_end", ["\n", "\r", "\r\n"])
def test_lines_longer_than_a_part(monkeypatch, line_end):
    """They are split, and later lines have their numbers."""
    monkeypatch.setattr(prose, "_PART_CHARS", 100)
    text = f"{'word ' * 100}{line_end}{'more ' * 19}more!{line_end}{line_end}the end"
    found = list(prose_units(in_pieces(text, 50), "t"))
    assert found[-1].text == "the end"
    assert found[-1].locator.line == 4
    assert [text[unit.locator.start : unit.locator.end] for unit in found] == [unit.text for unit in found]


@pytest.mark.parametrize("kind", ["txt", "csv", "json", "jsonl"])
def test_memory_is_bounded(monkeypatch, kind, tmp_path):
    """Only a small part of 600,000 characters is in memory."""
    lines = {
        "txt": "Ann: I like it number {} very much.\n\n",
        "csv": "{},like it very much\n",
        "json": ',{{"a": {}, "b": "like it"}}\n',
        "jsonl": '{{"a": {}, "b": "like it"}}\n',
    }
    path = tmp_path / f"long.{kind}"
    with path.open("w", encoding="utf-8") as file:
        file.write({"csv": "a,b\n", "json": "[1\n"}.get(kind, ""))
        file.writelines(lines[kind].format(number % 500) for number in range(600_000 // len(lines[kind])))
        file.write("]" if kind == "json" else "")
    monkeypatch.setattr(prose, "_PART_CHARS", 10_000)
    monkeypatch.setattr(prose, "_PIECE_BYTES", 10_000)
    tracemalloc.start()
    count = sum(1 for _ in SourceData(path).units())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count > 10_000
    assert peak < 400_000


def test_a_line_without_end(tmp_path, monkeypatch):
    """A table with an endless line is refused at its limit, before memory is full."""
    path = tmp_path / "long.csv"
    path.write_text("a,b\n" + "x" * 100_000, encoding="utf-8")
    monkeypatch.setattr(prose, "_PIECE_BYTES", 1000)
    monkeypatch.setattr(delimited, "MAX_LINE_CHARS", 20_000)
    with pytest.raises(SourceDataError, match=r"long\.csv, line 2: a line of more than 20,000 characters"):
        list(SourceData(path).units())


def test_a_character_that_two_pieces_share(tmp_path, monkeypatch):
    """Reading byte by byte gives the same text."""
    path = tmp_path / "notes.txt"
    path.write_text("茶🦀é\r\n茶", encoding="utf-8", newline="")
    monkeypatch.setattr(prose, "_PIECE_BYTES", 1)
    # The first chunk is searched for a byte order mark.
    assert "".join(text_pieces(path, "notes.txt")) == "茶🦀é\r\n茶"
