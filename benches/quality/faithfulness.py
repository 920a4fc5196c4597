"""
Measure the layers of `groundwire.faithfulness` that need no model.

    python benches/quality/faithfulness.py --sets FOLDER [-o docs/figures/quality.md]

FOLDER holds interview_with_facts.json, summedits.jsonl, summedits_docs.jsonl and
expertqa_claims.jsonl. Without -o the tables go to standard output; with it they replace
those between the two marks of that page. No text of the sets is written.
"""

from judged_claims import judged_tables
from page import Sections, write_tables
from personas import fact_tables, planted_tables
from summary_claims import summary_tables

SECTIONS: Sections = (
    ("Edits of what a person said", planted_tables),
    ("Facts on that person", fact_tables),
    ("Summaries against their documents", summary_tables),
    ("Claims against the passages that they cite", judged_tables),
)


def main(argv: list[str] | None = None) -> None:
    """Print the tables, or put them into the page."""
    write_tables("faithfulness.py", __doc__, SECTIONS, argv)


if __name__ == "__main__":
    main()
