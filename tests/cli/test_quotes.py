"""Reading quotes: formats, and errors that name places and types but no text."""

import pytest

from groundwire.cli.problems import CommandError
from groundwire.cli.quotes import parse_quotes, read_quotes, sniff
from groundwire.report import Quote


@pytest.mark.parametrize(
    ("text", "quotes", "domains"),
    [
        pytest.param('{"a": ["x", "y"], "b": ["z"]}', [Quote("x", "a"), Quote("y", "a"), Quote("z", "b")], ["a", "b"]),
        pytest.param('{"a": ["x", "x"]}', [Quote("x", "a"), Quote("x", "a")], ["a"], id="repeated-quote-stays"),
        pytest.param('{"a": []}', [], ["a"], id="empty-domain-stays"),
        pytest.param('["x", ""]', [Quote("x"), Quote("")], [], id="list"),
        pytest.param("[]", [], [], id="empty-list"),
        pytest.param('[{"quote": "x", "domain": "a", "id": 7}]', [Quote("x", "a", "7")], [], id="list-of-objects"),
        pytest.param('```json\n{"a": ["x"]}\n```', [Quote("x", "a")], ["a"], id="fenced"),
        pytest.param('Sure!\n\n~~~\n["x"]\n~~~\nDone.', [Quote("x")], [], id="fenced-by-tildes-in-prose"),
        pytest.param('```\n["```\\n"]\n```', [Quote("```\n")], [], id="fence-inside-a-string"),
        pytest.param('["\\ud800"]', [Quote("\ud800")], [], id="lone-surrogate"),
    ],
)
def test_json_gives_quotes_in_the_order_of_the_file(text, quotes, domains):
    """An object gives domains, a list gives none; nothing is dropped."""
    assert (quotes, domains) == parse_quotes(text, "q.json", "json")


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        pytest.param('"x"\n\n"y"\n', [Quote("x"), Quote("y")], id="strings"),
        pytest.param('{"quote": "x"}\r\n{"quote": "y"}', [Quote("x"), Quote("y")], id="objects"),
        pytest.param(
            '{"quote": "x", "domain": "a", "id": "q1", "model": 3}', [Quote("x", "a", "q1")], id="other-keys-are-left"
        ),
        pytest.param('{"quote": "x", "domain": null, "id": null}', [Quote("x")], id="null-is-none"),
    ],
)
def test_json_lines_give_a_quote_a_line(text, quotes):
    """A line is a str or an object; blank lines hold no quote."""
    assert (quotes, []) == parse_quotes(text, "q.jsonl", "jsonl")


def test_plain_text_gives_a_quote_a_line():
    """Blank lines hold no quote; everything else stays, spaces and quotation marks too."""
    expected = [Quote(" x "), Quote('"y"'), Quote("z\x0bz")]
    assert (expected, []) == parse_quotes(' x \r\n\n"y"\r \nz\x0bz', "q.txt", "text")


@pytest.mark.parametrize(
    ("quotes_format", "text", "message"),
    [
        ("json", '{"a": ["x",\n "y"', "q: broken JSON at line 2, column 5: expecting ',' delimiter"),
        ("json", 'So:\n```json\n{"a": [MARKER]}\n```', "q: broken JSON at line 3, column 8: expecting value"),
        ("json", "", "q: broken JSON at line 1, column 1: expecting value"),
        ("json", '{"a": {"MARKER": 1}}', 'q: domain "a" must be a list of str, got dict'),
        ("json", '{"a": "MARKER"}', 'q: domain "a" must be a list of str, got str'),
        ("json", '{"a": null}', 'q: domain "a" must be a list of str, got null'),
        ("json", '{"a": ["MARKER", 5]}', 'q: domain "a", item 2 must be a str, got int'),
        ("json", '{"a": ["x"], "a": ["MARKER"]}', 'q: the key "a" is repeated'),
        ("json", '"MARKER"', "q: must be an object of domain to list of str, or a list of str, got str"),
        ("json", "[1.5]", 'q: item 1 must be a str or an object with "quote", got float'),
        ("json", "[" * 100_000, "q: JSON is nested too deeply"),
        ("json", f"[{'9' * 5000}]", "q: a number has too many digits"),
        ("json", '```\n["MARKER"]\n```\n```\n["MARKER"]\n```', "`q` has 2 fenced blocks; one was expected"),
        ("jsonl", '"x"\n{"quote": "MARKER"', "q, line 2: broken JSON at column 19: expecting ',' delimiter"),
        ("jsonl", '"x"\n\n["MARKER"]', 'q, line 3 must be a str or an object with "quote", got list'),
        (
            "jsonl",
            '{"text": "MARKER"}',
            'q, line 1 must be a str or an object with "quote", got an object without "quote"',
        ),
        ("jsonl", '{"quote": ["MARKER"]}', 'q, line 1: "quote" must be a str, got list'),
        ("jsonl", '{"quote": "MARKER", "domain": 1}', 'q, line 1: "domain" must be a str, got int'),
        ("jsonl", '{"quote": "MARKER", "id": true}', 'q, line 1: "id" must be a str or an int, got bool'),
    ],
)
def test_wrong_input_is_told_by_place_and_type(quotes_format, text, message):
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
    """What begins like JSON is JSON, so that broken JSON is an error and not a list of odd quotes."""
    assert expected == sniff(text)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("q.json", "a"), ("q.JSON", "a"), ("q.jsonl", "a"), ("q.ndjson", "a"), ("q.txt", '["a"]'), ("q", '["a"]')],
)
def test_suffix_chooses_the_format(write, name, expected):
    """.json is JSON, .jsonl and .ndjson are JSON lines, anything else is a quote a line."""
    content = '"a"' if name.endswith(("jsonl", "ndjson")) else '["a"]'
    assert [Quote(expected)] == read_quotes(str(write(name, content))).quotes


def test_quotes_format_overrides_the_suffix(write):
    """--quotes-format is stronger than the file's name."""
    assert [Quote("a")] == read_quotes(str(write("q.txt", '["a"]')), "json").quotes
