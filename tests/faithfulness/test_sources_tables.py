"""Tables: rows equal those of the csv module, with locations; columns equal those of statistics."""

import csv
import io
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.faithfulness import SourceDataError
from groundwire.faithfulness.sources.tables import (
    MAX_DISTINCT_VALUES,
    Column,
    cell_number,
    looks_like_table,
    table_units,
)

CELLS = st.text(st.sampled_from('ab",;\n\t 1é'), max_size=6)
ROWS = st.integers(2, 4).flatmap(
    lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=6)
)


def in_pieces(text: str, size: int) -> list[str]:
    """Return the text in chunks, as from a file."""
    return [text[start : start + size] for start in range(0, len(text), size)]


@given(ROWS, st.sampled_from(",;\t|"), st.sampled_from(["\n", "\r\n", "\r"]), st.integers(1, 9))
def test_rows_are_those_of_the_csv_module(rows, delimiter, line_end, size):
    """This holds for any quoting and any chunks."""
    rows = [[f"head {place}" for place in range(len(rows[0]))], *rows]
    written = io.StringIO()
    csv.writer(written, delimiter=delimiter, lineterminator=line_end, quoting=csv.QUOTE_ALL).writerows(rows)
    found = [
        unit
        for unit in table_units(in_pieces(written.getvalue(), size), "t", delimiter=delimiter)
        if unit.summary is None
    ]
    expected = [
        [(name, cell.strip()) for name, cell in zip(rows[0], row, strict=True) if cell.strip()] for row in rows[1:]
    ]
    assert [[(field.name, field.value) for field in unit.fields] for unit in found] == [row for row in expected if row]
    numbers = [number for number, row in enumerate(expected, 1) if row]
    assert [unit.locator.row for unit in found] == numbers


@given(ROWS)
def test_a_row_has_its_span(rows):
    """It reaches from the first character to the last, without the line end."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows([["x"] * len(rows[0]), *rows])
    text = written.getvalue()
    for unit in table_units([text], "t", delimiter=","):
        if unit.summary is None:
            (row,) = csv.reader(io.StringIO(text[unit.locator.start : unit.locator.end], newline=""))
            assert [cell.strip() for cell in row if cell.strip()] == [field.value for field in unit.fields]
            assert text[: unit.locator.start].count("\n") + 1 == unit.locator.line


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("a,b\n1,2,3\n", 2, 5, "expected 2 fields, as in the first row, got 3"),
        ("a,b\n1,2\n\n3\n", 4, 2, "expected 2 fields, as in the first row, got 1"),
        ('a,b\n1,"secret\n2,3\n', 2, 3, "the quoted field that begins here does not end"),
        ('a,b\n"x" y,2\n', 2, 4, "text follows the closing quote of a field"),
        ('a,b\n1,"x\ny"z\n', 3, 3, "text follows the closing quote of a field"),
    ],
)
def test_a_broken_table_is_a_clear_error(text, line, column, reason):
    """The error has line and column, and nothing of the data."""
    with pytest.raises(SourceDataError) as refused:
        list(table_units([text], "data.csv"))
    assert (refused.value.line, refused.value.column, refused.value.reason) == (line, column, reason)
    assert str(refused.value) == f"data.csv, line {line}, column {column}: {reason}"


def test_a_table_without_header():
    """Numbers are no names: columns are numbered, and the first row counts."""
    first, *_ = table_units(["34,Cook\n35,Cook\n"], "t")
    assert (first.text, first.locator.row) == ("column 1: 34; column 2: Cook", 1)


def test_columns_without_a_name_or_with_the_same_one():
    """Each gets its own name."""
    first, *_ = table_units(["a,,a\n1,2,3\n"], "t")
    assert [field.name for field in first.fields] == ["a", "column 2", "a (3)"]


@pytest.mark.parametrize(
    ("text", "is_table"),
    [
        ("age,job\n1,x\n2,y\n", True),
        ("age;job\n1;x\n2;y\n3;z", True),
        ("age\n1\n2\n", False),
        ("age,job\n1,x\n", False),
        ("age,age\n1,x\n2,y\n", False),
        ("1,2\n3,4\n5,6\n", False),
        ("Hello, Ann.\nThanks, Bob.\nBye, all.\n", False),
        ("age,job\n1,x\n2\n", False),
        ('age,"job\n1,x\n2,y', False),
        ("", False),
    ],
)
def test_a_text_that_looks_like_a_table(text, is_table):
    """It has a header and at least two rows of the same number of fields."""
    assert looks_like_table(text) == is_table


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        ("34", 34), ("-3.5", -3.5), ("1,200", 1200), ("1,200.5", 1200.5), ("$80,000", 80000), ("12 %", 12), ("12%", 12),
        ("€ 5", 5), ("5 EUR", 5), ("", None), ("34 years", None), ("1,20", None), ("3-4", None), ("1" * 50, None),
        ("nan", None), ("inf", None), ("1e5", None), ("٣٤", 34), ("1_000", None),
    ],
)  # fmt: skip
def test_numbers_of_cells(cell, number):
    """Currencies, per cent and groups of thousands are read; nothing else is a number."""
    assert cell_number(cell) == number


@given(st.lists(st.integers(-1000, 1000) | st.decimals(-99, 99, places=2).map(float), min_size=1, max_size=30))
def test_a_column_of_numbers(numbers):
    """Mean, median and bounds are those of the statistics module."""
    column = Column("age")
    for number in numbers:
        column.add(f" {number} ")
    column.add("none")
    column.add(" ")
    summary = column.summary(len(numbers) + 2)
    assert (summary.filled, summary.numbers) == (len(numbers) + 1, len(numbers))
    assert (summary.minimum, summary.maximum) == (min(numbers), max(numbers))
    assert summary.mean == pytest.approx(statistics.fmean(numbers), abs=1e-9)
    assert summary.median == pytest.approx(statistics.median(numbers))
    assert summary.share("NONE") == pytest.approx(1 / (len(numbers) + 1))


def test_a_column_of_too_many_values_says_so():
    """Memory is limited: counts, shares and the median are left out, and never guessed."""
    column = Column("id")
    for number in range(MAX_DISTINCT_VALUES + 1):
        column.add(str(number))
    summary = column.summary(MAX_DISTINCT_VALUES + 1)
    assert (summary.is_complete, summary.counts, summary.median, summary.share("1")) == (False, {}, None, None)
    assert summary.mean == MAX_DISTINCT_VALUES / 2


def test_an_empty_column():
    """No number is invented."""
    summary = Column("x").summary(3)
    assert (summary.filled, summary.mean, summary.median, summary.share("a")) == (0, None, None, None)
    assert summary.text() == "x: 0 of 3 rows filled"
