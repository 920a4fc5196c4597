"""
Measure the layers of `groundwire.faithfulness` that need no model.

    python benches/quality/faithfulness.py --sets FOLDER [-o docs/quality.md]

FOLDER holds interview_with_facts.json, summedits.jsonl, summedits_docs.jsonl and
expertqa_claims.jsonl. Without -o the tables go to standard output; with it they replace
those between the two marks of that page. No text of the sets is written.
"""

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

from judged_claims import judged_tables
from personas import fact_tables, planted_tables
from summary_claims import summary_tables

from citations import END

BEGIN = "<!-- table: python benches/quality/faithfulness.py -->\n"

SECTIONS: tuple[tuple[str, Callable[[Path], Iterator[str]]], ...] = (
    ("Edits of what a person said", planted_tables),
    ("Facts on that person", fact_tables),
    ("Summaries against their documents", summary_tables),
    ("Claims against the passages that they cite", judged_tables),
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
        return
    page = options.output.read_text(encoding="utf-8")
    before, mark, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not mark or not end:
        raise SystemExit("the page has no place for the tables")
    options.output.write_text(f"{before}{BEGIN}\n{tables}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
