"""
Measure support, coverage and the rules of citations on labelled sets.

    python benches/quality/citations.py --sets FOLDER [-o docs/figures/quality.md]

FOLDER holds expertqa_claims.jsonl, expertqa_answers.jsonl, summedits.jsonl and
summedits_docs.jsonl. Without -o the tables go to standard output; with it they replace
those between the two marks of that page. No text of the sets is written.
"""

from answers import answer_tables, rule_tables
from claims import claim_tables
from known import known_tables
from page import Sections, write_tables
from summaries import summary_tables

SECTIONS: Sections = (
    ("Claims: is the cited passage enough?", claim_tables),
    ("Answers: the printed ratio and coverage", answer_tables),
    ("The rules against people", rule_tables),
    ("Summaries with one edit", summary_tables),
    ("Sentences whose source is known", known_tables),
)


def main(argv: list[str] | None = None) -> None:
    """Print the tables, or put them into the page."""
    write_tables("citations.py", __doc__, SECTIONS, argv)


if __name__ == "__main__":
    main()
