"""Reads quotes from JSON, JSON lines, tables, or text with one quote per line, and the quotations of an answer."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from groundwire.cli.app import CommandError
from groundwire.cli.inputs import (
    check_text,
    decode,
    display_name,
    id_of,
    parse_json,
    quoted_key,
    read_bytes,
    read_text,
    str_of,
    type_name,
)
from groundwire.cli.quote_tables import QUOTE_COLUMNS, QuoteRows, TableOptions, rows_of_document, rows_of_text
from groundwire.delimited import table_columns
from groundwire.file_kinds import json_kind, unreadable_kind
from groundwire.report import QuoteEntry, QuoteOrigin, QuoteTable

QuotesFormat: TypeAlias = Literal["json", "jsonl", "csv", "text"]

# The format of a file by its suffix, if the content shows none.
_BY_SUFFIX: dict[str, QuotesFormat] = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "csv",
}

# A fenced Markdown block, in which models wrap JSON. A JSON string contains no line
# end, so a fence at the start of a line is never part of one. In a truncated answer
# the block runs to the end.
_FENCED = re.compile(
    r"^[ \t]*+(?P<fence>`{3,}+|~{3,}+)[^\n`]*+\n(?P<body>.*?)(?:^[ \t]*(?P=fence)[ \t]*\r?$|\Z)", re.M | re.S
)
_LINE_END = re.compile(r"\r\n|\r|\n")
_QUOTE_KEY = re.compile(r'"quote"\s*:\s*"')
_BY_NAME = TableOptions()
_PAGE_NUMBER = re.compile(r"(?:p|pp|pg|page|s)?[.\s]{0,3}(\d{1,9})", re.IGNORECASE)


class QuoteSet(NamedTuple):
    """
    Holds the quotes of one input in their order.

    Attributes:
        quotes: The quotes.
        domains: All domains of the input, including empty ones.
        table: The rows of the quotes; None if the input is no table.
        left_out: Number of quotations that are too short to be checked.
        answer: The text that the quotes are quotations of; None for other inputs.
        lines: The line of each quote in a table; empty for other inputs.
    """

    quotes: list[QuoteEntry]
    domains: list[str]
    table: QuoteTable | None = None
    left_out: int = 0
    answer: str | None = None
    lines: Sequence[int | None] = ()


def read_quotes(path: str, input_format: QuotesFormat | None = None, options: TableOptions = _BY_NAME) -> QuoteSet:
    """
    Read quotes from a file, or from standard input for `-`.

    Args:
        path: The file.
        input_format: Its format. None detects it from the content, or else takes it from
            the suffix.
        options: The columns and the sheet of a table.

    Raises:
        CommandError: It cannot be read, is invalid, or has the wrong shape; or *options*
            are given for a file that is no table.
    """
    name = display_name(path)
    content = read_bytes(path)
    kind = unreadable_kind(content)
    if kind is not None and kind.code in ("xlsx", "docx") and input_format is None:
        if kind.code == "docx" and options.sheet is not None:
            raise CommandError("--sheet requires a workbook (XLSX)")
        return _from_rows(rows_of_document(content, kind.code, name, options))
    check_text(content, name)
    text = decode(content, name)[0]
    if input_format is None:
        input_format = _format_of(text, _BY_SUFFIX.get(Path(path).suffix.lower()))
        if input_format == "text" and options != _BY_NAME:
            # A file whose columns are chosen is a table, whatever its header is.
            input_format = "csv"
    if options.sheet is not None:
        raise CommandError("--sheet requires a workbook (XLSX)")
    if input_format != "csv" and options != _BY_NAME:
        raise CommandError(f"options of columns require a table, and `{name}` is read as {input_format}")
    return parse_quotes(text, name, input_format, options)


def read_quotations(path: str, min_words: int) -> QuoteSet:
    """
    Read the quotations of an answer in plain text or Markdown from a file, or from standard input for `-`.

    Each has its offsets in the answer. The summary of the report counts those that are left out.

    Args:
        path: The file.
        min_words: Minimum number of words of a quotation; in Chinese, Japanese and Thai, of characters. Shorter ones
            are mostly scare quotes and titles.

    Raises:
        CommandError: It cannot be read, or is no text.
    """
    from groundwire.evidence.quotations import quotes_in
    from groundwire.language import reader

    answer = read_text(path)
    spans = quotes_in(answer)
    long_enough = [span for span in spans if reader().count_words(span.text) >= min_words]
    quotes = [QuoteEntry(span.text, origin=QuoteOrigin(start=span.start, end=span.end)) for span in long_enough]
    return QuoteSet(quotes, [], left_out=len(spans) - len(quotes), answer=answer)


def parse_quotes(text: str, name: str, input_format: QuotesFormat, options: TableOptions = _BY_NAME) -> QuoteSet:
    """
    Return the quotes in *text*.

    - json: an object that maps domains to lists of items, or a list of items as below;
      a Markdown fence around it is removed.
    - jsonl: one item per line: a str, or an object with "quote" and optionally "domain", "id",
      "source" (the transcript it names), "speaker" and "page".
    - csv: a table whose header names its columns, see `QUOTE_COLUMNS`, in any order and case, or
      whose columns are in *options*; separated by commas, semicolons, tabs or bars.
    - text: one quote per line. Blank lines are skipped here, in jsonl and in csv.

    Raises:
        CommandError: The JSON or CSV is invalid (with line and column) or has the wrong
            shape (with domain or position, and type). The message never contains a quote.
    """
    if input_format == "json":
        return _from_json(parse_json(_unfenced(text, name), name), name)
    if input_format == "jsonl":
        quotes = [
            _item(parse_json(line, f"{name}, line {number}", of_line=True), f"{name}, line {number}")
            for number, line in enumerate(text.split("\n"), start=1)
            if line.strip()
        ]
    elif input_format == "csv":
        return _from_rows(rows_of_text(text, name, options))
    else:
        quotes = [QuoteEntry(line) for line in _LINE_END.split(text) if line.strip()]
    return QuoteSet(quotes, [])


def _format_of(text: str, by_suffix: QuotesFormat | None) -> QuotesFormat:
    """Return the format of *text*; the suffix decides if it shows none, or is a single line of JSON."""
    if by_suffix == "csv" and not text.strip():
        return "text"
    shown = sniff(text)
    is_either = shown in ("json", "jsonl") and by_suffix in ("json", "jsonl") and "\n" not in text.strip()
    return by_suffix if by_suffix is not None and (is_either or shown == "text") else shown


def sniff(text: str) -> QuotesFormat:
    """Return the format of *text*; a text that begins like JSON counts as JSON, valid or not."""
    kind = json_kind(text)
    if kind is not None:
        # An object on a single line is a quote, not a set of domains, if it has that key.
        return "jsonl" if kind == "jsonl" or _is_single_quote(text) else "json"
    if _FENCED.search(text):
        return "json"
    return "csv" if table_columns(text, QUOTE_COLUMNS, needed="quote") is not None else "text"


def _is_single_quote(text: str) -> bool:
    """Return whether *text* is one line with one object that has a text under `quote`."""
    line = text.strip()
    if not (line.startswith("{") and line.endswith("}")) or "\n" in line or "\r" in line:
        return False
    own = min((offset for mark in "{[" if (offset := line.find(mark, 1)) > 0), default=len(line))
    return _QUOTE_KEY.search(line, 0, own) is not None


def _from_rows(found: QuoteRows) -> QuoteSet:
    """Return the quotes of the rows of a table."""
    quotes = [_item(row.fields, row.where)._replace(origin=row.origin) for row in found.rows]
    table = QuoteTable(found.title, found.header, [row.values for row in found.rows])
    return QuoteSet(quotes, [], table, lines=[row.line for row in found.rows])


def _unfenced(text: str, name: str) -> str:
    """
    Return the JSON inside a Markdown fence, or *text* without a fence.

    Line ends before it stay, so that errors give the line and column in the file.
    """
    blocks = [] if text.lstrip()[:1] in ("{", "[") else list(_FENCED.finditer(text))
    if not blocks:
        return text
    if len(blocks) > 1:
        raise CommandError(f"`{name}` has {len(blocks)} fenced blocks; expected one")
    before = text[: blocks[0].start("body")]
    return "\n" * before.count("\n") + blocks[0]["body"]


def _from_json(value: object, name: str) -> QuoteSet:
    """Return the quotes of a parsed JSON document."""
    if isinstance(value, list):
        return QuoteSet([_item(item, f"{name}: item {number}") for number, item in enumerate(value, start=1)], [])
    if isinstance(value, dict):
        return QuoteSet(
            [quote for domain, quotes in value.items() for quote in _of_domain(domain, quotes, name)], [*value]
        )
    raise CommandError(
        f"{name}: must be an object that maps domains to lists of str, or a list of str, got {type_name(value)}"
    )


def _of_domain(domain: str, quotes: object, name: str) -> Iterator[QuoteEntry]:
    """Yield the quotes of one domain."""
    if not isinstance(quotes, list):
        raise CommandError(f"{name}: domain {quoted_key(domain)} must be a list of str, got {type_name(quotes)}")
    for number, quote in enumerate(quotes, start=1):
        where = f"{name}: domain {quoted_key(domain)}, item {number}"
        item = _item(quote, where)
        if item.domain not in (None, domain):
            raise CommandError(f'{where}: "domain" must be the domain of the list, or missing')
        yield item._replace(domain=domain)


def _item(value: object, where: str) -> QuoteEntry:
    """Return the quote in an item: a str, or an object with "quote"."""
    if isinstance(value, str):
        return QuoteEntry(value)
    if not isinstance(value, dict) or "quote" not in value:
        got = 'an object without "quote"' if isinstance(value, dict) else type_name(value)
        raise CommandError(f'{where} must be a str or an object with "quote", got {got}')
    quote = value["quote"]
    if not isinstance(quote, str):
        raise CommandError(f'{where}: "quote" must be a str, got {type_name(quote)}')
    domain, quote_id = str_of(value, "domain", where), id_of(value, where)
    names = {key: str_of(value, key, where) for key in ("source", "speaker")}
    # A blank name counts as missing.
    named = {key: name if name and name.strip() else None for key, name in names.items()}
    return QuoteEntry(quote, domain, quote_id, named["source"], named["speaker"], _page(value, where))


def _page(value: dict[str, object], where: str) -> int | None:
    """Return the page of an item: an int from 1, in a table as a text such as `12` or `p. 12`."""
    page = value.get("page")
    if isinstance(page, str) and (written := _PAGE_NUMBER.fullmatch(page.strip())):
        page = int(written[1])
    if page is None:
        return None
    if not isinstance(page, int) or isinstance(page, bool):
        raise CommandError(f'{where}: "page" must be an int, got {type_name(page)}')
    if page < 1:
        raise CommandError(f'{where}: "page" must be at least 1, got {page}')
    return page
