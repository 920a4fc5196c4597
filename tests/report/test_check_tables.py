"""The check report as CSV and as a workbook: the rows of the input with the verdict beside each."""

import csv
import io
import json
from datetime import datetime

import pytest

from groundwire.delimited import inert_cell
from groundwire.report import QuoteEntry, TranscriptFile, build_guarded_report, build_report
from groundwire.report.check.model import QuoteOrigin
from groundwire.report.check.tables import QuoteTable, render_csv, render_xlsx

openpyxl = pytest.importorskip("openpyxl")

TEXT = "Ellie: How do you sleep?\nMax: I can’t sleep, and it’s been 3 weeks.\n"
QUOTES = [
    QuoteEntry("I can't sleep", domain="sleep", origin=QuoteOrigin(sheet="Quotes", row=3)),
    QuoteEntry("it's been 8 weeks", origin=QuoteOrigin(sheet="Quotes", row=5)),
    QuoteEntry("not said at all", source="lost.txt", origin=QuoteOrigin(sheet="Quotes", row=6)),
]
TABLE = QuoteTable(
    "Quotes",
    ["Quote", "Theme", "Count"],
    [["I can't sleep", "sleep", 4], ["it's been 8 weeks", None, 2.5], ["not said at all", "=1+1", True]],
)


@pytest.fixture(scope="module")
def report():
    """Three verdicts: accepted, altered and absent."""
    from groundwire import read_transcript

    return build_guarded_report([TranscriptFile("a.txt", TEXT, reading=read_transcript(TEXT, name="a.txt"))], QUOTES)


def rows_of(text, delimiter=","):
    """The rows of CSV, each as a dict."""
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))


def sheet_of(content):
    """The only sheet of a workbook."""
    return openpyxl.load_workbook(io.BytesIO(content)).active


def test_the_verdict_comes_beside_the_columns_of_the_input(report):
    """All columns of the input in their order, then those of the verdict, and a row for each quote."""
    rows = rows_of(render_csv(report, TABLE))
    assert list(rows[0]) == [
        *("Quote", "Theme", "Count", "sheet", "row", "status", "accepted", "reason", "matched text", "source", "page"),
        *("spoken by", "start", "end", "score"),
    ]
    assert [(row["row"], row["status"], row["accepted"]) for row in rows] == [
        ("3", "normalized", "TRUE"),
        ("5", "altered", "FALSE"),
        ("6", "absent", "FALSE"),
    ]
    start, end = int(rows[0]["start"]), int(rows[0]["end"])
    assert rows[0]["matched text"] == TEXT[start:end] == "I can’t sleep"
    assert (rows[0]["source"], rows[0]["spoken by"], rows[0]["Count"]) == ("a.txt", "Max", "4")
    assert rows[1]["reason"] == "The passage says 3 weeks; the quote says 8 weeks. Punctuation differs."
    assert "lost.txt" in rows[2]["reason"]


def test_a_workbook_keeps_the_types_of_the_input(report):
    """Numbers, dates and truth values stay, and offsets are numbers too."""
    rows = [["a", None, 4], ["b", None, datetime(2026, 3, 1)], ["c", None, True]]
    header, first, second, third = sheet_of(render_xlsx(report, TABLE._replace(rows=rows))).iter_rows(values_only=True)
    assert header[:3] == ("Quote", "Theme", "Count")
    assert (first[2], second[2], third[2]) == (4, datetime(2026, 3, 1), True)
    assert (first[header.index("start")], first[header.index("accepted")]) == (TEXT.index("I can"), True)


def test_no_cell_of_a_workbook_is_a_formula(report):
    """A text that begins like one is stored as text, and stays one when somebody edits the cell."""
    cell = sheet_of(render_xlsx(report, TABLE))["B4"]
    assert (cell.value, cell.data_type, cell.quotePrefix) == ("=1+1", "s", True)


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("'=HYPERLINK(1)", "=HYPERLINK(1)"),
        ("'+49 123", "+49 123"),
        ("'-2+3", "-2+3"),
        ("'@SUM(1)", "@SUM(1)"),
        ("' =1", " =1"),
        ("'\t=1", "\t=1"),
        ("'＝1", "＝1"),
        ("-5", "-5"),
        ("+1,5", "+1,5"),
        ("I = 5", "I = 5"),
        ("", ""),
    ],
)
def test_no_cell_of_csv_is_a_formula(expected, text):
    """An apostrophe makes it text; a plain number runs nothing."""
    assert inert_cell(text) == expected


def test_quotes_and_passages_are_inert_too():
    """The source may attack whoever opens the report."""
    report = build_report([TranscriptFile("a.txt", "=1+1 is two")], [QuoteEntry("=1+1 is two")])
    (row,) = rows_of(render_csv(report))
    assert (row["quote"], row["matched text"]) == ("'=1+1 is two", "'=1+1 is two")


def test_a_column_with_the_name_of_one_of_ours_keeps_it(report):
    """The column of the verdict gets another name."""
    table = TABLE._replace(header=["Quote", "Status", "SOURCE"])
    header = render_csv(report, table).splitlines()[0].split(",")
    assert header[1:3] == ["Status", "SOURCE"]
    assert {"groundwire status", "groundwire source", "accepted"} <= {*header}


def test_quotes_from_no_table_have_columns_of_their_own(report):
    """Those with a value in some quote."""
    rows = rows_of(render_csv(report, delimiter="\t"), "\t")
    assert list(rows[0])[:4] == ["number", "domain", "quote", "cited source"]
    assert [row["quote"] for row in rows] == [quote.text for quote in QUOTES]


def test_characters_that_no_cell_takes_are_spelled_out():
    """Controls and lone surrogates; line ends become LF."""
    report = build_report([TranscriptFile("a.txt", "x")], [QuoteEntry("a\x1bb\ud800\r\nc")])
    assert rows_of(render_csv(report))[0]["quote"] == "a\\x1bb\\ud800\nc"
    assert sheet_of(render_xlsx(report))["B2"].value == "a\\x1bb\\ud800\nc"


def test_a_text_longer_than_a_cell_ends_visibly():
    """Excel takes 32,767 characters."""
    report = build_report([TranscriptFile("a.txt", "x")], [QuoteEntry("x" * 40_000)])
    value = sheet_of(render_xlsx(report))["B2"].value
    assert (len(value), value[-2:]) == (32_767, "x…")


def test_the_same_report_gives_the_same_bytes(report):
    """A workbook holds no time of writing."""
    assert render_xlsx(report, TABLE) == render_xlsx(report, TABLE)


def test_a_table_of_other_quotes_is_an_error(report):
    """No verdict comes beside the wrong row."""
    with pytest.raises(ValueError, match="a row for each quote"):
        render_csv(report, TABLE._replace(rows=TABLE.rows[:2]))


def test_an_empty_report_is_a_header():
    """There may be nothing to check."""
    report = build_report([TranscriptFile("a.txt", "x")], [])
    assert render_csv(report) == "status,accepted,reason,matched text,source,page,start,end,score\n"
    assert sheet_of(render_xlsx(report)).max_row == 1


def test_from_sheet_to_sheet_on_the_command_line(tmp_path, capsys, monkeypatch):
    """A workbook goes in, and comes out with verdicts, as CSV, TSV and a workbook."""
    from groundwire.cli import main

    monkeypatch.chdir(tmp_path)
    book = openpyxl.Workbook()
    for row in (["Study 1"], ["Quote", "File"], ["I can't sleep", "a.txt"], ["I sleep", "a"]):
        book.active.append(row)
    book.save("in.xlsx")
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    files = [argument for name in ("out.xlsx", "out.csv", "out.tsv") for argument in ("-o", name)]
    assert main(["check", "a.txt", "-q", "in.xlsx", "-f", "csv", *files]) == 1
    shown = capsys.readouterr().out
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == shown
    assert [row["row"] for row in rows_of(shown)] == ["3", "4"]
    assert rows_of((tmp_path / "out.tsv").read_text(encoding="utf-8"), "\t") == rows_of(shown)
    written = list(sheet_of((tmp_path / "out.xlsx").read_bytes()).iter_rows(values_only=True))
    assert [row[:2] for row in written] == [("Quote", "File"), ("I can't sleep", "a.txt"), ("I sleep", "a")]
    assert json.dumps(written[1][2:5]) == '["Sheet", 3, "normalized"]'
