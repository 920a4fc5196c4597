"""Reading quotes: JSON, JSON lines, CSV, or one quote a line."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from groundwire.cli.app import CommandError
from groundwire.cli.inputs import display_name, parse_json, quoted_key, read_text, type_name
from groundwire.delimited import TableColumns, column_rows, first_line_columns, table_columns
from groundwire.errors import SourceDataError
from groundwire.file_kinds import json_kind
from groundwire.report import QuoteEntry

QuotesFormat: TypeAlias = Literal["json", "jsonl", "csv", "text"]

# The format of a file whose content shows none.
_BY_SUFFIX: dict[str, QuotesFormat] = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "csv",
}

# The columns of a table that are read; of several names for one, the first that is there.
_COLUMNS: TableColumns = {
    "quote": ("quote", "quotes", "quotation", "text"),
    "domain": ("domain",),
    "id": ("id",),
    "source": ("source",),
    "speaker": ("speaker",),
    "page": ("page",),
}

# A fenced block of Markdown, as models wrap JSON in. No JSON string has a line
# end inside, so a fence at the start of a line is never part of one. The block
# of an answer that was cut off runs to the end.
_FENCED = re.compile(
    r"^[ \t]*+(?P<fence>`{3,}+|~{3,}+)[^\n`]*+\n(?P<body>.*?)(?:^[ \t]*(?P=fence)[ \t]*\r?$|\Z)", re.M | re.S
)
_LINE_END = re.compile(r"\r\n|\r|\n")
_QUOTE_KEY = re.compile(r'"quote"\s*:\s*"')


class QuoteSet(NamedTuple):
    """The quotes of one input, in its order, and the domains it names, empty ones too."""

    quotes: list[QuoteEntry]
    domains: list[str]


def read_quotes(path: str, input_format: QuotesFormat | None = None) -> QuoteSet:
    """
    Read quotes from a file, or from standard input for `-`.

    Args:
        path: The file.
        input_format: Its format. None follows the content, or the suffix if the
            content shows none.

    Raises:
        CommandError: It cannot be read, is broken or has the wrong shape.
    """
    name = display_name(path)
    text = read_text(path)
    if input_format is None:
        input_format = _format_of(text, _BY_SUFFIX.get(Path(path).suffix.lower()))
    return parse_quotes(text, name, input_format)


def parse_quotes(text: str, name: str, input_format: QuotesFormat) -> QuoteSet:
    """
    Return the quotes in *text*.

    - json: an object of domain to list of items, or a list of items as below;
      a Markdown fence around it is taken off.
    - jsonl: an item a line: a str, or an object with "quote" and optional "domain", "id",
      "source" (the transcript that it names), "speaker" and "page".
    - csv: a table whose first line names its columns: `quote` (or `text`), and perhaps those above
      and `speaker`, in any order and case; with commas, semicolons, tabs or bars.
    - text: a quote a line. Blank lines are skipped here, in jsonl and in csv.

    Raises:
        CommandError: Broken JSON or CSV (line and column) or a wrong shape (domain or
            position, and type). Never contains a quote.
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
        quotes = list(_from_table(text, name))
    else:
        quotes = [QuoteEntry(line) for line in _LINE_END.split(text) if line.strip()]
    return QuoteSet(quotes, [])


def _format_of(text: str, by_suffix: QuotesFormat | None) -> QuotesFormat:
    """Return the format that *text* shows; the suffix decides if it shows none, or a single line of JSON."""
    if by_suffix == "csv" and not text.strip():
        return "text"
    shown = sniff(text)
    is_either = shown in ("json", "jsonl") and by_suffix in ("json", "jsonl") and "\n" not in text.strip()
    return by_suffix if by_suffix is not None and (is_either or shown == "text") else shown


def sniff(text: str) -> QuotesFormat:
    """Return the format that *text* shows; a text that begins like JSON is JSON, broken or not."""
    kind = json_kind(text)
    if kind is not None:
        # A single line with an object is a quote, and not a list of domains, if it has that key.
        return "jsonl" if kind == "jsonl" or _is_single_quote(text) else "json"
    if _FENCED.search(text):
        return "json"
    return "csv" if table_columns(text, _COLUMNS, needed="quote") is not None else "text"


def _is_single_quote(text: str) -> bool:
    """Return whether *text* is one line with one object whose own key `quote` has a text."""
    line = text.strip()
    if not (line.startswith("{") and line.endswith("}")) or "\n" in line or "\r" in line:
        return False
    own = min((offset for mark in "{[" if (offset := line.find(mark, 1)) > 0), default=len(line))
    return _QUOTE_KEY.search(line, 0, own) is not None


def _from_table(text: str, name: str) -> Iterator[QuoteEntry]:
    """Yield the quotes of a table."""
    try:
        columns = table_columns(text, _COLUMNS, needed="quote", is_table=True)
        if columns is None:
            found = first_line_columns(text)
            raise CommandError(
                f"`{name}` has no column of quotes; its first line names {found}",
                hint="one column is called quote or text; --input-format text reads a quote a line",
            )
        for line, row in column_rows(text, name, columns):
            # An empty cell counts as missing, except that of a quote, which may be blank.
            fields = {key: cell for key, cell in row.items() if cell.strip() or key == "quote"}
            yield _item(fields, f"{name}, line {line}")
    except SourceDataError as error:
        raise CommandError(str(error)) from None


def _unfenced(text: str, name: str) -> str:
    """
    Return the JSON inside a Markdown fence, or *text* when there is none.

    Line ends before it are kept, so that an error names line and column of the file.
    """
    blocks = [] if text.lstrip()[:1] in ("{", "[") else list(_FENCED.finditer(text))
    if not blocks:
        return text
    if len(blocks) > 1:
        raise CommandError(f"`{name}` has {len(blocks)} fenced blocks; one was expected")
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
    raise CommandError(f"{name}: must be an object of domain to list of str, or a list of str, got {type_name(value)}")


def _of_domain(domain: str, quotes: object, name: str) -> Iterator[QuoteEntry]:
    """Yield the quotes of one domain."""
    if not isinstance(quotes, list):
        raise CommandError(f"{name}: domain {quoted_key(domain)} must be a list of str, got {type_name(quotes)}")
    for number, quote in enumerate(quotes, start=1):
        where = f"{name}: domain {quoted_key(domain)}, item {number}"
        item = _item(quote, where)
        if item.domain not in (None, domain):
            raise CommandError(f'{where}: "domain" must be that of the list, or missing')
        yield item._replace(domain=domain)


def _item(value: object, where: str) -> QuoteEntry:
    """Return the quote in an item: a str, or an object with "quote"."""
    if isinstance(value, str):
        return QuoteEntry(value)
    if not isinstance(value, dict) or "quote" not in value:
        got = 'an object without "quote"' if isinstance(value, dict) else type_name(value)
        raise CommandError(f'{where} must be a str or an object with "quote", got {got}')
    quote, domain, quote_id = (value.get(name) for name in ("quote", "domain", "id"))
    if not isinstance(quote, str):
        raise CommandError(f'{where}: "quote" must be a str, got {type_name(quote)}')
    if not isinstance(domain, str | None):
        raise CommandError(f'{where}: "domain" must be a str, got {type_name(domain)}')
    if not isinstance(quote_id, str | int | None) or isinstance(quote_id, bool):
        raise CommandError(f'{where}: "id" must be a str or an int, got {type_name(quote_id)}')
    names = {}
    for key in ("source", "speaker"):
        name = value.get(key)
        if not isinstance(name, str | None):
            raise CommandError(f'{where}: "{key}" must be a str, got {type_name(name)}')
        # A blank name counts as missing.
        names[key] = name if name is not None and name.strip() else None
    return QuoteEntry(quote, domain, None if quote_id is None else str(quote_id), **names, page=_page(value, where))


def _page(value: dict[str, object], where: str) -> int | None:
    """Return the page that an item names: a whole number from 1 on, in a table as its digits."""
    page = value.get("page")
    if isinstance(page, str) and page.strip().isdecimal():
        page = int(page)
    if page is None:
        return None
    if not isinstance(page, int) or isinstance(page, bool):
        raise CommandError(f'{where}: "page" must be an int, got {type_name(page)}')
    if page < 1:
        raise CommandError(f'{where}: "page" must be at least 1, got {page}')
    return page
