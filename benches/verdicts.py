"""
Compare the verdicts of groundwire's rules and of other packages on labelled quotes.

    python benches/verdicts.py QUOTES.jsonl --texts FOLDER -o REPORT.md --record RECORD.json
    python benches/verdicts.py --from-record RECORD.json -o REPORT.md

A line of QUOTES.jsonl has `id`, `doc` (a file of FOLDER), `quote`, `kind` and `origin`
([doc, start, end] in code points: the passage that the quote was made from). Neither
report nor record has text in it. Other packages take part where they are installed:
python -m uv sync --inexact --group verdicts
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from groundwire.benchmarks.runner import refuse_debug_build
from verdict_judges import JUDGES, Judge, available
from verdict_record import judge_all, time_judges
from verdict_rows import read_quotes
from verdict_tables import markdown, met

COMMAND = "python benches/verdicts.py QUOTES.jsonl --texts FOLDER"


def main(argv: list[str] | None = None) -> int:
    """Write the report; exit code 1: `assess_quotes` misses a bar."""
    options = _options(argv)
    if options.from_record is not None:
        record = json.loads(options.from_record.read_text(encoding="utf-8"))
    else:
        record = measure(options)
    if options.record is not None:
        options.record.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    report = markdown(record)
    if options.output is None:
        print(report, end="")
    else:
        options.output.write_text(report, encoding="utf-8")
    missed = (
        [pool for pool, is_met in met(record, "guarded").items() if is_met is False] if _has_guarded(record) else []
    )
    print(*(f"missed: {pool}" for pool in missed), sep="\n", file=sys.stderr)
    return 1 if missed else 0


def _has_guarded(record: dict[str, Any]) -> bool:
    return "guarded" in record["judges"]


def _options(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("quotes", nargs="?", type=Path, metavar="QUOTES.jsonl")
    parser.add_argument("--texts", type=Path, metavar="FOLDER", help="where the documents are")
    parser.add_argument("--judges", metavar="NAME|…", help="only these, as the tables name them, with | between")
    parser.add_argument("--slow-chars", type=int, metavar="N", help="the longest document for slow judges")
    parser.add_argument("--no-times", action="store_true", help="measure no times")
    parser.add_argument("--record", type=Path, metavar="RECORD.json", help="write the record to this file")
    parser.add_argument(
        "--from-record", type=Path, metavar="RECORD.json", help="read this record instead of running the judges"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="REPORT.md", help="instead of standard output")
    options = parser.parse_args(argv)
    if options.from_record is None and (options.quotes is None or options.texts is None):
        parser.error("QUOTES.jsonl and --texts, or --from-record")
    return options


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Ask the judges and return the record."""
    refuse_debug_build()
    judges, missing = _chosen(options)
    quotes = read_quotes(options.quotes)
    found: dict[str, dict[str, list[Any]]] = {judge.name: defaultdict(list) for judge in judges}
    for number, (_, records) in enumerate(judge_all(judges, quotes, options.texts), 1):
        for name, outcomes in records.items():
            for kind, rows in outcomes.items():
                found[name][kind] += rows
        if sys.stderr.isatty():
            print(f"\r{number} of {len(quotes)} documents", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return {
        "command": COMMAND,
        "date": datetime.now(UTC).date().isoformat(),
        "versions": list(_versions(judges)),
        "quotes": sum(map(len, quotes.values())),
        "documents": len(quotes),
        "missing": missing,
        "judges": {
            judge.name: {
                "max_chars": judge.max_chars,
                "max_quote_chars": judge.max_quote_chars,
                "quotes": sum(map(len, found[judge.name].values())),
                "outcomes": found[judge.name],
            }
            for judge in judges
        },
        "times": None if options.no_times else time_judges(judges, quotes, options.texts),
    }


def _chosen(options: argparse.Namespace) -> tuple[list[Judge], list[str]]:
    """Return the judges that take part, and the names of those that are not installed."""
    wanted = list(JUDGES)
    if options.judges is not None:
        names = options.judges.split("|")
        unknown = set(names) - {judge.name for judge in JUDGES}
        if unknown:
            raise SystemExit(
                f"error: no judge {', '.join(sorted(unknown))}; judges: {', '.join(j.name for j in JUDGES)}"
            )
        wanted = [judge for judge in JUDGES if judge.name in names]
    if options.slow_chars is not None:
        wanted = [replace(judge, max_chars=judge.max_chars and options.slow_chars) for judge in wanted]
    return [judge for judge in wanted if available(judge)], [judge.name for judge in wanted if not available(judge)]


def _versions(judges: Iterable[Judge]) -> Iterable[str]:
    """Yield the packages that take part, with their versions."""
    for package in dict.fromkeys(["groundwire", *(judge.package for judge in judges)]):
        try:
            yield f"{package} {version(package)}"
        except PackageNotFoundError:
            yield f"{package} (not installed as a package)"


if __name__ == "__main__":
    sys.exit(main())
