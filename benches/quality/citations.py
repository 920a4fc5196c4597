"""
Measure support, coverage and the rules of citations on labelled sets.

    python benches/quality/citations.py --sets FOLDER [-o docs/quality.md]

FOLDER holds expertqa_claims.jsonl, expertqa_answers.jsonl, summedits.jsonl and
summedits_docs.jsonl. Without -o the tables go to standard output; with it they replace
those between the two marks of that page. No text of the sets is written.
"""

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

from answers import answer_tables, rule_tables
from claims import claim_tables
from known import known_tables
from summaries import summary_tables

BEGIN = "<!-- table: python benches/quality/citations.py -->\n"
END = "<!-- end of table -->\n"

SECTIONS: tuple[tuple[str, Callable[[Path], Iterator[str]]], ...] = (
    ("Claims: is the cited passage enough?", claim_tables),
    ("Answers: the printed ratio and coverage", answer_tables),
    ("The rules against people", rule_tables),
    ("Summaries with one edit", summary_tables),
    ("Sentences whose source is known", known_tables),
)


def main(argv: list[str] | None = None) -> None:
    """Print the tables, or put them into the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=Path, required=True, metavar="FOLDER", help="where the labelled sets are")
    parser.add_argument("-o", "--output", type=Path, metavar="PAGE.md", help="instead of standard output")
    options = parser.parse_args(argv)
    tables = "\n".join("\n".join((f"### {title}", "", *lines(options.sets), "")) for title, lines in SECTIONS)
    if options.output is None:
        print(tables)
    else:
        page = options.output.read_text(encoding="utf-8")
        options.output.write_text(replaced(page, tables), encoding="utf-8")


def replaced(page: str, tables: str) -> str:
    """Return *page* with *tables* between the marks."""
    before, mark, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not mark or not end:
        raise SystemExit("the page has no place for the tables")
    return f"{before}{BEGIN}\n{tables}\n{END}{after}"


if __name__ == "__main__":
    main()
