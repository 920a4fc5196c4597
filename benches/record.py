"""
Measure every row that has a place in the record, and write the tables from it.

    python benches/record.py                      every row, some minutes; adds a run to the history, and draws it
    python benches/record.py --only reach/exact   these rows again; the others stay as they are
    python benches/record.py --tables             only the tables of README.md and docs/figures/, from the record

The record is benches/record/rows.json. The texts of `reach` are real where the
folder `shared` is beside the project, or where GROUNDWIRE_SHARED says; else synthetic.
"""

import argparse
import json
import sys
from datetime import UTC, datetime

import history
from corpora import english
from groundwire.benchmarks.cases import CASES, reach
from groundwire.benchmarks.runner import machine, run
from tables import RECORD, write_tables

BUDGET_S = 1.0


def main() -> int:
    """Measure what is asked for; exit code 1: a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="NAME", help="only this row, or those of this topic")
    parser.add_argument("--tables", action="store_true", help="measure nothing")
    arguments = parser.parse_args()
    if not arguments.tables:
        measure(arguments.only)
        history.main(["append"])
    write_tables(record := json.loads(RECORD.read_text(encoding="utf-8")))
    missed = [row["name"] for row in record["rows"] if row["is_met"] is False]
    print(f"{len(record['rows'])} rows, {len(missed)} bars missed", *missed, sep="\n  ", file=sys.stderr)
    return 1 if missed else 0


def measure(only: str | None) -> None:
    """Run the rows, those that begin with *only* or all, and put them into the record."""
    rows = [*(case for case in CASES if case.is_short), *reach(english())]
    chosen = [row for row in rows if only is None or f"{row.name}/".startswith(f"{only}/")]
    measured = {}
    if only is not None and RECORD.is_file():
        measured = {row["name"]: row for row in json.loads(RECORD.read_text(encoding="utf-8"))["rows"]}
    for outcome in run(chosen, budget_s=BUDGET_S):
        measured[outcome.case.name] = {**outcome.as_record(), "date": datetime.now(UTC).date().isoformat()}
        print(outcome.case.name, outcome.value, file=sys.stderr)
    record = {
        "command": "python benches/record.py",
        "machine": machine(),
        "rows": [measured[row.name] for row in rows if row.name in measured],
    }
    RECORD.parent.mkdir(exist_ok=True)
    RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
