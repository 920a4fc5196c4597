"""Quotes in tables: columns by name, letter and number, titles above a header, sheets, merged cells, Word tables."""

import io

import pytest

from groundwire.cli.app import CommandError
from groundwire.cli.quote_tables import TableOptions
from groundwire.cli.quotes import read_quotes

openpyxl = pytest.importorskip("openpyxl")


def workbook(*sheets, merged=()):
    """The bytes of a workbook: each sheet as its title and its rows; *merged* names cells of the last one."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets:
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    for cells in merged:
        sheet.merge_cells(cells)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def word_file(*tables):
    """The bytes of a Word document with a paragraph before each of the tables."""
    docx = pytest.importorskip("docx")
    document = docx.Document()
    for rows in tables:
        document.add_paragraph("Findings")
        table = document.add_table(len(rows), len(rows[0]))
        for row, cells in enumerate(rows):
            for column, text in enumerate(cells):
                table.cell(row, column).text = text
    content = io.BytesIO()
    document.save(content)
    return content.getvalue()


def read(write, name, content, **options):
    """Text, domain, source, speaker, page, id and row of each quote."""
    found = read_quotes(str(write(name, content)), options=TableOptions(**options)).quotes
    return [(each.text, each.domain, each.source, each.speaker, each.page, each.id, each.origin.row) for each in found]


EXPECTED = [("I never sleep", "sleep", "a.txt", "Max", 3, "7", 2)]
ROWS = [
    ("Nr", "Theme", "Excerpt", "Interview", "Participant", "Page"),
    (7, "sleep", "I never sleep", "a.txt", "Max", 3),
]


@pytest.mark.parametrize(
    "header",
    [
        "id,domain,quote,source,speaker,page",
        "ID,Code,Quotation,Source File,Participant,Page number",
        "#,Category,Verbatim,Document,Respondent,page",
        "No.,topic,Supporting quote,transcript,Interviewee,PAGE",
        "quote_id,code,evidence,file-name,speaker name,page_no",
        "nr;theme;text;interview;speaker;page",
    ],
)
def test_columns_are_found_by_their_names(write, header):
    """Case, hyphens and underscores make no difference, and the header is never a quote."""
    row = "7,sleep,I never sleep,a.txt,Max,3"
    content = f"{header}\n{row.replace(',', ';') if ';' in header else row}\n"
    assert read(write, "q.csv", content) == EXPECTED


def test_a_workbook_gives_the_same_quotes_as_csv(write):
    """Numbers are cells too: 7.0 is the id 7, and 3.0 the page 3."""
    rows = [ROWS[0], (7.0, "sleep", "I never sleep", "a.txt", "Max", 3.0)]
    assert read(write, "q.xlsx", workbook(("Quotes", rows))) == EXPECTED


def test_titles_and_empty_rows_above_the_header_are_no_quotes(write, capsys):
    """They are left out with a warning, and rows keep the numbers of the sheet."""
    title = ("Sleep study", None, None, None, None, None)
    content = workbook(("Quotes", [title, (), *ROWS, (), (8, None, "I slept", None, None, None)]))
    assert [row[-1] for row in read(write, "q.xlsx", content)] == [4, 6]
    assert "1 row above the header in row 3 left out" in capsys.readouterr().err


def test_titles_above_a_header_of_csv_may_have_no_delimiter(write):
    """The line of the header decides what separates the fields."""
    assert read(write, "q.csv", "My quotes, all of them\n\nQuote;Page\nI never, ever sleep;2\n") == [
        ("I never, ever sleep", None, None, None, 2, None, 4)
    ]


def test_a_header_on_each_page_is_no_quote(write):
    """Exports repeat the header."""
    content = "quote,source\na,t.txt\nQuote,Source\nb,t.txt\n"
    assert [row[0] for row in read(write, "q.csv", content)] == ["a", "b"]


def test_headings_in_two_rows_are_no_quotes(write):
    """Headings that are merged over both rows are those of the second row too."""
    rows = [("Quote", "Source", "Code", None), (None, None, "main", "other"), ("a", "t.txt", "x", "y")]
    content = workbook(("Quotes", rows), merged=["A1:A2", "B1:B2", "C1:D1"])
    assert [row[:3] for row in read(write, "q.xlsx", content)] == [("a", "x", "t.txt")]


@pytest.mark.parametrize(
    "columns",
    [
        {"quote": "Zitat", "source": "Quelle"},
        {"quote": "zitat", "source": "B"},
        {"quote": "C", "source": "2"},
        {"quote": "3", "source": "b"},
    ],
)
def test_options_name_columns(write, columns):
    """A column is given by its name, its letters or its number; the header stays one."""
    rows = [("Thema", "Quelle", "Zitat"), ("Schlaf", "a.txt", "Ich schlafe nie")]
    expected = [("Ich schlafe nie", None, "a.txt", None, None, None, 2)]
    assert read(write, "q.xlsx", workbook(("Zitate", rows)), columns=columns) == expected
    assert read(write, "q.csv", "\n".join(map(",".join, rows)), columns=columns) == expected


def test_a_column_of_an_option_has_no_second_meaning(write):
    """The column `code`, which holds the sources here, is no domain."""
    content = "code,text\na.txt,I never sleep\n"
    expected = [("I never sleep", None, "a.txt", None, None, None, 2)]
    assert read(write, "q.csv", content, columns={"source": "code"}) == expected


def test_a_table_without_a_header(write):
    """With --no-header, quotes begin in the first row."""
    rows = [("a.txt", "quote"), ("b.txt", "I never sleep")]
    found = read(write, "q.xlsx", workbook(("x", rows)), columns={"quote": "B", "source": "1"}, has_header=False)
    assert [(row[0], row[2], row[-1]) for row in found] == [("quote", "a.txt", 1), ("I never sleep", "b.txt", 2)]
    assert [row[0] for row in read(write, "q.txt", "a\nb\n", has_header=False)] == ["a", "b"]


def test_merged_cells_hold_for_each_of_their_rows(write):
    """A theme beside several quotes is the theme of all of them; an empty cell that is not merged stays empty."""
    rows = [("Theme", "Quote"), ("sleep", "a"), (None, "b"), (None, "c")]
    content = workbook(("Quotes", rows), merged=["A2:A3"])
    assert [row[:2] for row in read(write, "q.xlsx", content)] == [("a", "sleep"), ("b", "sleep"), ("c", None)]


def test_columns_without_a_name_are_kept(write):
    """A remark beside the table is part of its row."""
    rows = [("Quote",), ("a", None, "a remark"), ("b",)]
    table = read_quotes(str(write("q.xlsx", workbook(("Quotes", rows))))).table
    assert (table.header, table.rows) == (["Quote", "", ""], [["a", None, "a remark"], ["b", None, None]])


def test_the_sheet_with_quotes_is_found(write):
    """A workbook may have other sheets before it."""
    content = workbook(("Readme", [("about",)]), ("Quotes", ROWS))
    assert read(write, "q.xlsx", content) == EXPECTED


def test_of_several_sheets_one_is_chosen(write):
    """No sheet with quotes is read or left out by chance."""
    content = workbook(("Old", [("Quote",), ("a",)]), ("New", [("Quote",), ("b",)]))
    with pytest.raises(CommandError, match="has 2 sheets with quotes") as caught:
        read(write, "q.xlsx", content)
    assert caught.value.hint == 'choose one by --sheet; sheets: "Old", "New"'
    assert [row[0] for row in read(write, "q.xlsx", content, sheet="new")] == ["b"]


def test_word_tables(write):
    """Each table that names a column of quotes is read; the others and the text are not."""
    content = word_file(
        [("Name", "Age"), ("Max", "34")],
        [("Code", "Quote"), ("sleep", "I never sleep")],
        [("Quote", "Source"), ("Work is fine", "a.txt")],
    )
    path = str(write("q.docx", content))
    found = read_quotes(path)
    assert [(each.text, each.domain, each.source) for each in found.quotes] == [
        ("I never sleep", "sleep", None),
        ("Work is fine", None, "a.txt"),
    ]
    assert [(each.origin.sheet, each.origin.row) for each in found.quotes] == [("table 2", 2), ("table 3", 2)]
    assert found.table.header == ["Code", "Quote", "Source"]
    assert found.table.rows == [["sleep", "I never sleep", None], [None, "Work is fine", "a.txt"]]


def test_merged_cells_of_word_tables(write):
    """They hold for each of their rows too."""
    docx = pytest.importorskip("docx")
    document = docx.Document(io.BytesIO(word_file([("Code", "Quote"), ("sleep", "a"), ("", "b")])))
    document.tables[0].cell(1, 0).merge(document.tables[0].cell(2, 0))
    content = io.BytesIO()
    document.save(content)
    assert [row[:2] for row in read(write, "q.docx", content.getvalue())] == [("a", "sleep"), ("b", "sleep")]


@pytest.mark.parametrize(("page", "number"), [("12", 12), ("p. 12", 12), ("pp 3", 3), ("S. 4", 4), ("", None)])
def test_pages_as_people_write_them(write, page, number):
    """A number, with or without a word before it."""
    assert read(write, "q.csv", f"quote,page\na,{page}\n")[0][4] == number


@pytest.mark.parametrize(
    ("name", "content", "options", "message"),
    [
        ("q.xlsx", workbook(("x", [("Name",), ("MARKER MARKS",)])), {}, "has no sheet with a column of quotes"),
        ("q.xlsx", workbook(("x", [])), {}, "has no sheet with a column of quotes; its first line names nothing"),
        ("q.xlsx", workbook(("x", ROWS)), {"sheet": "y"}, 'has no sheet "y"'),
        ("q.csv", "quote\na\n", {"sheet": "y"}, "--sheet requires a workbook"),
        ("q.csv", "quote\na\n", {"columns": {"quote": "Zitat"}}, 'or no columns "Zitat"; its first line names "quote"'),
        ("q.csv", "quote,page\nMARKER,x-y\n", {}, 'line 2: "page" must be an int, got str'),
        ("q.csv", "a,b\n", {"has_header": False}, "--no-header requires --quote-column"),
        ("q.csv", "a,b\n", {"columns": {"quote": "Quote"}, "has_header": False}, "must be a letter or a number"),
        ("q.csv", "a,b\n", {"columns": {"quote": "A", "page": "C"}, "has_header": False}, 'no columns "A", "C"'),
        ("q.csv", "quote\na\n", {"columns": {"page": "9" * 5000}}, "no columns"),
        ("q.xlsx", workbook(("x", ROWS))[:-2000], {}, "is damaged"),
        ("q.docx", word_file([("Name",), ("MARKER",)]), {}, "has no table with a column of quotes"),
    ],
)
def test_tables_that_cannot_be_read(write, name, content, options, message):
    """One line says what is missing, and never what a cell says."""
    with pytest.raises(CommandError) as caught:
        read(write, name, content, **options)
    assert message in str(caught.value)
    assert "MARKER" not in str(caught.value)


@pytest.mark.parametrize("cells", ["A2:ZZ1048576", "B2:B3 C4", "A:A", "x", "XFD1:XFD9"])
def test_merged_cells_that_no_sheet_has(write, cells):
    """Whatever a file says about them, the quotes are read, or the file is damaged."""
    import zipfile

    content = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook(("x", ROWS)))) as given, zipfile.ZipFile(content, "w") as changed:
        for name in given.namelist():
            merged = f'</sheetData><mergeCells><mergeCell ref="{cells}"/></mergeCells>'.encode()
            changed.writestr(name, given.read(name).replace(b"</sheetData>", merged))
    try:
        assert [row[0] for row in read(write, "q.xlsx", content.getvalue())] == ["I never sleep"]
    except CommandError as error:
        assert "is damaged" in str(error)  # noqa: PT017


def test_a_bomb_is_refused(write):
    """The limits of documents hold for workbooks with quotes."""
    import zipfile

    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b" " * (200 << 20))
    with pytest.raises(CommandError, match="ZIP bomb"):
        read(write, "q.xlsx", content.getvalue())


def test_a_missing_library_names_the_extra(write, monkeypatch):
    """The hint is the command that installs it."""
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    with pytest.raises(CommandError, match="openpyxl") as caught:
        read(write, "q.xlsx", workbook(("x", ROWS)))
    assert caught.value.hint == "pip install 'groundwire[documents]'"


def test_options_of_tables_on_the_command_line(run, write, interview):
    """Each field has an option, and a quote's own source and speaker are checked."""
    rows = [
        ("Zitat", "Quelle", "Wer", "Thema"),
        ("I can't sleep", "interview", "Max", "Schlaf"),
        ("sleep", "x", "Max", ""),
    ]
    write("q.xlsx", workbook(("Leer", [("quote",), ("no",)]), ("Zitate", rows)))
    result = run(
        *("check", interview, "-q", "q.xlsx", "-f", "json", "--sheet", "Zitate", "--quote-column", "Zitat"),
        *("--source-column", "B", "--speaker-column", "3", "--domain-column", "thema"),
    )
    first, second = result.report["quotes"]
    assert (first["status"], first["domain"], first["source"]) == ("normalized", "Schlaf", "interview.txt")
    assert (second["status"], [each["code"] for each in second["reasons"]]) == ("absent", ["unknown_source"])
    assert second["origin"] == {"sheet": "Zitate", "row": 3, "start": None, "end": None}
    assert result.code == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-q", "q.json", "--quote-column", "A"], "options of columns require a table, and `q.json` is read as json"),
        (["-q", "q.json", "--sheet", "A"], "--sheet requires a workbook (XLSX)"),
        (["-q", "q.json", "--min-quotation-words", "2"], "--min-quotation-words requires --quotes-in"),
        (["--quotes-in", "q.json", "--sheet", "A"], "--input-format and the options of tables require --quotes"),
        (["--quotes-in", "q.json", "-q", "q.json"], "check requires either --quotes or --quotes-in"),
        ([], "check requires either --quotes or --quotes-in"),
    ],
)
def test_options_that_do_not_fit(run, write, interview, options, message):
    """An option without effect is an error."""
    write("q.json", ["I can't sleep"])
    result = run("check", interview, *options)
    assert (result.code, result.stdout) == (2, "")
    assert message in result.stderr
