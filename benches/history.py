"""
Keep the ratios of each run of the benchmarks, draw them, and find the rows that lost.

    python benches/history.py append              add the rows of the record as a run of this commit, and draw all runs
    python benches/history.py append --rows FILE  add the rows of another record
    python benches/history.py draw                only draw: docs/figures/history.svg
    python benches/history.py guard               measure the short rows; exit code 1 if one lost 15 % against its rival
    python benches/history.py guard --only NAME   measure this row, or the rows of this topic
    python benches/history.py guard --all         measure every row, some minutes

Runs are lines of benches/record/history.jsonl. Only ratios are kept, because times depend on the machine. The guard
compares with the last run on a machine of the same class, or with the record if there is none.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypedDict

from corpora import english
from groundwire.benchmarks.cases import CASES, Bar, Benchmark, Mean, Measure, reach
from groundwire.benchmarks.runner import machine, run

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "benches" / "record" / "rows.json"
HISTORY = ROOT / "benches" / "record" / "history.jsonl"
FIGURE = ROOT / "docs" / "figures" / "history.svg"

BUDGET_S = 1.0
TOLERANCE = 0.15
"""The share of its ratio that a row may lose."""

_DIGITS = 4
_OTHER_MACHINE = "the record, which is of another machine"


class Ratio(TypedDict):
    """How many times the work of a rival we do in the same time or memory, and how many times we promise."""

    ratio: float
    than: str
    bar: float


class Run(TypedDict):
    """The ratios of one run by the names of rows, with what they depend on."""

    date: str
    commit: str
    machine: dict[str, Any]
    rows: dict[str, Ratio]


Rows = Mapping[str, Ratio]


def main(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand; exit code 1 if a row lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    append = commands.add_parser("append")
    append.add_argument("--rows", type=Path, default=RECORD, metavar="FILE", help="a record of benches/record.py")
    append.add_argument("--commit", help="the commit that was measured (default: HEAD)")
    append.add_argument("--date", help="the day of the run (default: today)")
    commands.add_parser("draw")
    guard = commands.add_parser("guard")
    guard.add_argument("--only", metavar="NAME", help="only this row, or those of this topic")
    guard.add_argument("--all", action="store_true", help="long rows as well")
    options = parser.parse_args(argv)
    if options.command == "guard":
        return _guard(options.only, long=options.all)
    if options.command == "append":
        append_run(HISTORY, new_run(_read_record(options.rows), date=options.date, commit=options.commit))
    # matplotlib, which a comparison does not need.
    from drawing import draw_history

    draw_history(read_history(HISTORY), FIGURE)
    return 0


def ratios(rows: Iterable[Mapping[str, Any]]) -> dict[str, Ratio]:
    """Return the ratio of each row of a record that promises one and was measured."""
    found: dict[str, Ratio] = {}
    for row in rows:
        bar = _bar(row["bar"])
        best = None if bar is None else bar.best(row["medians"])
        if bar is None or bar.measure is Measure.EXCESS or best is None or "groundwire" not in row["medians"]:
            continue
        promised = bar.limit if bar.measure is Measure.FASTER else 1 / bar.limit
        ratio = row["medians"][best] / row["medians"]["groundwire"]
        found[row["name"]] = {"ratio": _rounded(ratio), "than": best, "bar": _rounded(promised)}
    return found


def new_run(record: Mapping[str, Any], *, date: str | None = None, commit: str | None = None) -> Run:
    """Return the run that a record describes, of today and of HEAD unless the caller knows better."""
    return {
        "date": date or datetime.now(UTC).date().isoformat(),
        "commit": commit or _head(),
        "machine": machine_class(record["machine"]),
        "rows": ratios(record["rows"]),
    }


def machine_class(described: Mapping[str, Any]) -> dict[str, Any]:
    """Return what of a machine the ratios depend on: processor, cores, vectors and system."""
    return {name: described[name] for name in ("processor", "cores", "cpu_features", "system")}


def append_run(path: Path, added: Run) -> None:
    """
    Add a run to the end of a history.

    Raises:
        ValueError: The run has no ratio, or the history has it already.
    """
    if not added["rows"]:
        raise ValueError("the record has no row with a ratio")
    if added in read_history(path):
        raise ValueError(f"the history has this run of {added['commit']} already")
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(added, ensure_ascii=False, separators=(",", ":")) + "\n")


def read_history(path: Path) -> list[Run]:
    """Return the runs of a history in their order; none if the file does not exist."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def reference(history: Sequence[Run], record: Mapping[str, Any], described: Mapping[str, Any]) -> tuple[str, Rows]:
    """Return with what a run on this machine is compared: its name, and the ratios."""
    same = [each for each in history if each["machine"] == machine_class(described)]
    if same:
        return f"the run of {same[-1]['date']} on this class of machine ({same[-1]['commit']})", same[-1]["rows"]
    return _OTHER_MACHINE, ratios(record["rows"])


def lost(now: Rows, before: Rows) -> dict[str, str]:
    """Return what each row has lost that kept less than 85 % of its ratio, as a message."""
    return {
        name: f"{before[name]['ratio']:g} times {before[name]['than']} before, {row['ratio']:g} times {row['than']} now"
        for name, row in now.items()
        if name in before and row["ratio"] < before[name]["ratio"] * (1 - TOLERANCE)
    }


def compare(measure: Callable[[Sequence[str]], Rows], names: Sequence[str], before: Rows) -> dict[str, str]:
    """
    Return the rows of *names* that lost, and those that could not be measured, each with a message.

    A row that lost is measured once more, and its better result counts: other work on a machine only takes away.
    """
    now = measure(names)
    again = measure(suspects) if (suspects := [*lost(now, before)]) else {}
    better = {name: max(row, again.get(name, row), key=lambda each: each["ratio"]) for name, row in now.items()}
    missing = {name: "not measured: is its rival installed?" for name in names if name in before and name not in now}
    return {**missing, **lost(better, before)}


def _guard(only: str | None, *, long: bool) -> int:
    """Measure, compare, and print what lost."""
    cases = {case.name: case for case in _cases(only, long=long)}
    name, before = reference(read_history(HISTORY), _read_record(RECORD), machine())
    compared = [each for each in cases if each in before]
    if not compared:
        print(f"error: {name} has none of these rows", file=sys.stderr)
        return 2
    found = compare(lambda names: _measure([cases[each] for each in names]), compared, before)
    for row, message in found.items():
        print(f"{row}: {message}")
    print(f"{len(compared)} rows compared with {name}; {len(found)} lost {TOLERANCE:.0%} or more", file=sys.stderr)
    if found and name == _OTHER_MACHINE:
        print("hint: benches/record.py and `benches/history.py append` record this machine", file=sys.stderr)
    return 1 if found else 0


def _cases(only: str | None, *, long: bool) -> list[Benchmark | Mean]:
    """Return the rows of the record, without the long texts of `reach` unless they are wanted by name or by *long*."""
    with_reach = long or (only is not None and only.partition("/")[0] == "reach")
    rows = [*(case for case in CASES if case.is_short), *(reach(english()) if with_reach else ())]
    return [row for row in rows if only is None or f"{row.name}/".startswith(f"{only}/")]


def _measure(cases: Sequence[Benchmark | Mean]) -> Rows:
    return ratios(outcome.as_record() for outcome in run(cases, budget_s=BUDGET_S))


def _bar(described: Mapping[str, Any] | None) -> Bar | None:
    if described is None:
        return None
    than = described["than"]
    return Bar(Measure(described["measure"]), than if isinstance(than, str) else tuple(than), described["limit"])


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")


def _read_record(path: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return record


def _head() -> str:
    command = ["git", "rev-parse", "--short=10", "HEAD"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
