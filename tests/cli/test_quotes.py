"""Reading quotes: formats, and errors with locations and types but no text."""

import pytest

from groundwire.cli.app import CommandError
from groundwire.cli.quotes import parse_quotes, read_quotes, sniff
from groundwire.report import QuoteEntry
from groundwire.report.check.model import QuoteOrigin


@pytest.mark.parametrize(
    ("text", "quotes", "domains"),
    [
        pytest.param(
            '{"a": ["x", "y"], "b": ["z"]}',
            [QuoteEntry("x", "a"), QuoteEntry("y", "a"), QuoteEntry("z", "b")],
            ["a", "b"],
        ),
        pytest.param(
            '{"a": ["x", "x"]}', [QuoteEntry("x", "a"), QuoteEntry("x", "a")], ["a"], id="repeated-quote-stays"
        ),
        pytest.param('{"a": []}', [], ["a"], id="empty-domain-stays"),
        pytest.param('["x", ""]', [QuoteEntry("x"), QuoteEntry("")], [], id="list"),
        pytest.param("[]", [], [], id="empty-list"),
        pytest.param('[{"quote": "x", "domain": "a", "id": 7}]', [QuoteEntry("x", "a", "7")], [], id="list-of-objects"),
        pytest.param('```json\n{"a": ["x"]}\n```', [QuoteEntry("x", "a")], ["a"], id="fenced"),
        pytest.param('Sure!\n\n~~~\n["x"]\n~~~\nDone.', [QuoteEntry("x")], [], id="fenced-by-tildes-in-prose"),
        pytest.param('```\n["```\\n"]\n```', [QuoteEntry("```\n")], [], id="fence-inside-a-string"),
        pytest.param('["\\ud800"]', [QuoteEntry("\ud800")], [], id="lone-surrogate"),
    ],
)
def test_json_gives_quotes_in_the_order_of_the_file(text, quotes, domains):
    """An object gives domains, a list gives none; nothing is dropped."""
    assert (quotes, domains) == parse_quotes(text, "q.json", "json")[:2]


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        pytest.param('"x"\n\n"y"\n', [QuoteEntry("x"), QuoteEntry("y")], id="strings"),
        pytest.param('{"quote": "x"}\r\n{"quote": "y"}', [QuoteEntry("x"), QuoteEntry("y")], id="objects"),
        pytest.param(
            '{"quote": "x", "domain": "a", "id": "q1", "model": 3}',
            [QuoteEntry("x", "a", "q1")],
            id="other-keys-are-left",
        ),
        pytest.param('{"quote": "x", "domain": null, "id": null}', [QuoteEntry("x")], id="null-is-none"),
    ],
)
def test_json_lines_give_a_quote_a_line(text, quotes):
    """A line is a str or an object; blank lines are skipped."""
    assert (quotes, []) == parse_quotes(text, "q.jsonl", "jsonl")[:2]


def test_plain_text_gives_a_quote_a_line():
    """Blank lines are skipped; all other characters stay, including spaces and quotation marks."""
    expected = [QuoteEntry(" x "), QuoteEntry('"y"'), QuoteEntry("z\x0bz")]
    assert (expected, [], None, 0, None, ()) == parse_quotes(' x \r\n\n"y"\r \nz\x0bz', "q.txt", "text")


@pytest.mark.parametrize(
    ("quotes_format", "text", "message"),
    [
        ("json", '{"a": ["x",\n "y"', "q: invalid JSON at line 2, column 5: expecting ',' delimiter"),
        ("json", 'So:\n```json\n{"a": [MARKER]}\n```', "q: invalid JSON at line 3, column 8: expecting value"),
        ("json", "", "q: invalid JSON at line 1, column 1: expecting value"),
        ("json", '{"a": {"MARKER": 1}}', 'q: domain "a" must be a list of str, got dict'),
        ("json", '{"a": "MARKER"}', 'q: domain "a" must be a list of str, got str'),
        ("json", '{"a": null}', 'q: domain "a" must be a list of str, got null'),
        ("json", '{"a": ["MARKER", 5]}', 'q: domain "a", item 2 must be a str or an object with "quote", got int'),
        ("json", '{"a": ["x"], "a": ["MARKER"]}', 'q: the key "a" is repeated'),
        ("json", '"MARKER"', "q: must be an object that maps domains to lists of str, or a list of str, got str"),
        ("json", "[1.5]", 'q: item 1 must be a str or an object with "quote", got float'),
        ("json", "[" * 100_000, "q: JSON is nested too deeply"),
        ("json", f"[{'9' * 5000}]", "q: a number has too many digits"),
        ("json", '```\n["MARKER"]\n```\n```\n["MARKER"]\n```', "`q` has 2 fenced blocks; expected one"),
        ("jsonl", '"x"\n{"quote": "MARKER"', "q, line 2: invalid JSON at column 19: expecting ',' delimiter"),
        ("jsonl", '"x"\n\n["MARKER"]', 'q, line 3 must be a str or an object with "quote", got list'),
        (
            "jsonl",
            '{"text": "MARKER"}',
            'q, line 1 must be a str or an object with "quote", got an object without "quote"',
        ),
        ("jsonl", '{"quote": ["MARKER"]}', 'q, line 1: "quote" must be a str, got list'),
        ("jsonl", '{"quote": "MARKER", "speaker": 1}', 'q, line 1: "speaker" must be a str, got int'),
        ("jsonl", '{"quote": "MARKER", "page": "MARKER"}', 'q, line 1: "page" must be an int, got str'),
        ("jsonl", '{"quote": "MARKER", "page": 0}', 'q, line 1: "page" must be at least 1, got 0'),
        (
            "json",
            '{"a": [{"quote": "MARKER", "domain": "b"}]}',
            'q: domain "a", item 1: "domain" must be the domain of the list, or missing',
        ),
        ("jsonl", '{"quote": "MARKER", "domain": 1}', 'q, line 1: "domain" must be a str, got int'),
        ("jsonl", '{"quote": "MARKER", "id": true}', 'q, line 1: "id" must be a str or an int, got bool'),
    ],
)
def test_wrong_input_is_reported_by_location_and_type(quotes_format, text, message):
    """Ruling A13: the domain and the type found, the line and column; never the text."""
    with pytest.raises(CommandError) as caught:
        parse_quotes(text, "q", quotes_format)
    assert message == str(caught.value)
    assert "MARKER" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": ["x"]}', "json"),
        ('{\n"a": ["x"]}', "json"),
        ('{"a": ["x"', "json"),
        ('[\n"x"]', "json"),
        ("[]", "json"),
        ('```json\n["x"]\n```', "json"),
        ('"x"', "jsonl"),
        ('"x"\n"y"', "jsonl"),
        ('{"quote": "x"}', "jsonl"),
        ('{"id": 1, "quote": "x"}\n{"id": 2}', "jsonl"),
        ("x\ny", "text"),
        ('"Well," she said', "text"),
        ("[laughs] well", "text"),
        ("", "text"),
    ],
)
def test_format_of_standard_input_follows_from_its_content(text, expected):
    """Input that begins like JSON is JSON, so that broken JSON is an error and not a list of odd quotes."""
    assert expected == sniff(text)


@pytest.mark.parametrize("name", ["q.json", "q.jsonl", "q.csv", "q.txt", "q"])
@pytest.mark.parametrize(
    "content",
    [
        pytest.param('["a",\n"b"]', id="json"),
        pytest.param('"a"\n"b"\n', id="json-lines"),
        pytest.param('{"quote": "a"}\n{"quote": "b"}\n', id="json-lines-of-objects"),
        pytest.param("quote,id\na,\nb,\n", id="csv"),
        pytest.param("Quote\na\nb\n", id="csv-of-one-column"),
    ],
)
def test_content_is_stronger_than_the_suffix(write, name, content):
    """With a wrong suffix, no brace, quotation mark or header becomes part of a quote."""
    found = read_quotes(str(write(name, content))).quotes
    assert [QuoteEntry("a"), QuoteEntry("b")] == [quote._replace(origin=None) for quote in found]


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("q.txt", "a\nb", ["a", "b"]),
        ("q", "a, b\nb", ["a, b", "b"]),
        ("q.txt", '"Well," she said\n["Music"] plays\n', ['"Well," she said', '["Music"] plays']),
        ("q.txt", "text, more or less\nb", ["text, more or less", "b"]),
        ("q.jsonl", '{"quote": "a"}', ["a"]),
        ("q.JSON", '["a"]', ["a"]),
        ("q.ndjson", '"a"', ["a"]),
    ],
)
def test_suffix_decides_where_the_content_shows_nothing(write, name, content, expected):
    """Text without signs of a format has one quote per line."""
    assert expected == [quote.text for quote in read_quotes(str(write(name, content))).quotes]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("q.json", "invalid JSON at line 1, column 1"),
        ("q.jsonl", "line 1: invalid JSON at column 1"),
        ("q.csv", "has no column of quotes; its first line names <a name of 12 characters>"),
    ],
)
def test_text_in_a_file_of_another_format_is_an_error(write, name, message):
    """A .json file without JSON is not read as quotes."""
    with pytest.raises(CommandError, match=message) as caught:
        read_quotes(str(write(name, "MARKER MARKS\nMARKER\n")))
    assert "MARKER" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('quote,domain,id,source\n"x, ""y""",a,7,t.txt\nz,,,\n', id="commas"),
        pytest.param('\ufeffDomain;QUOTE;Source;Id\r\na;"x, ""y""";t.txt;7\r\n;z;;\r\n', id="semicolons-and-a-mark"),
        pytest.param('id\ttext\tsource\tother\tdomain\n7\t"x, ""y"""\tt.txt\t?\ta\n\tz\t\t\t\n', id="tabs"),
        pytest.param('id|text|quote|domain|source\n7|no|x, "y"|a|t.txt\n\n|no|z||\n', id="bars-and-a-text-beside"),
    ],
)
def test_csv_gives_a_quote_a_row(text, write):
    """Columns are found by name in any order and case; an empty cell means no value, and a blank row is skipped."""
    rows = (2, 4) if "\n\n" in text else (2, 3)
    origins = [QuoteOrigin(row=row) for row in rows]
    expected = [QuoteEntry('x, "y"', "a", "7", "t.txt", origin=origins[0]), QuoteEntry("z", origin=origins[1])]
    assert expected == parse_quotes(text, "q", "csv").quotes
    assert expected == read_quotes(str(write("q.txt", text))).quotes


def test_csv_of_one_column_is_not_split_at_commas():
    """Speech has commas, and people do not put a single column in quotation marks."""
    found = parse_quotes('quote\nwell, no\n"a, b"\n', "q", "csv").quotes
    assert [quote.text for quote in found] == ["well, no", "a, b"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(
            "answer,my domain\nMARKER,a\n",
            '`q` has no column of quotes; its first line names "answer", <a name of 9 characters>',
            id="no-quotes",
        ),
        pytest.param("quote,id\nMARKER,1,2\n", "q, line 2, column 10: expected 2 fields, as in the first row, got 3"),
        pytest.param('quote,id\n"MARKER,1\n', "q, line 2, column 1: the quoted field that begins here does not end"),
        pytest.param("", "`q` has no column of quotes; its first line names nothing", id="empty"),
    ],
)
def test_broken_csv_is_reported_by_location(text, message):
    """Column names are shown if they look like names; cells never are."""
    with pytest.raises(CommandError) as caught:
        parse_quotes(text, "q", "csv")
    assert message == str(caught.value)


def test_quotes_format_overrides_the_suffix(write):
    """--input-format takes precedence over the file's name."""
    assert [QuoteEntry("a")] == read_quotes(str(write("q.txt", '["a"]')), "json").quotes
