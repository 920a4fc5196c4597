"""Tables of a measurement, to standard output or between the two marks of a page."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

__all__ = ["END", "Sections", "write_tables"]

END = "<!-- end of table -->\n"

Sections = Sequence[tuple[str, Callable[[Path], Iterator[str]]]]
"""Headings, and what makes the lines below each of the folder with the labelled sets."""


def write_tables(name: str, description: str | None, sections: Sections, argv: list[str] | None) -> None:
    """Print the tables of `benches/quality/name`, or put them into the page that -o names."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=Path, required=True, metavar="FOLDER", help="where the labelled sets are")
    parser.add_argument("-o", "--output", type=Path, metavar="PAGE.md", help="instead of standard output")
    options = parser.parse_args(argv)
    tables = "\n".join("\n".join((f"### {title}", "", *lines(options.sets), "")) for title, lines in sections)
    if options.output is None:
        print(tables)
        return
    page = options.output.read_text(encoding="utf-8")
    options.output.write_text(_replaced(page, f"<!-- table: python benches/quality/{name} -->\n", tables), "utf-8")


def _replaced(page: str, begin: str, tables: str) -> str:
    """*page* with *tables* between the marks."""
    before, mark, rest = page.partition(begin)
    _, end, after = rest.partition(END)
    if not mark or not end:
        raise SystemExit("the page has no place for the tables")
    return f"{before}{begin}\n{tables}\n{END}{after}"
