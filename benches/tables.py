"""The tables of README.md and docs/benchmarks.md, made from the record and from nothing else."""

import re
from pathlib import Path
from typing import Any, NamedTuple

from groundwire.benchmarks.cases import Bar, Measure, duration

__all__ = ["PAGES", "RECORD", "filled", "write_tables"]

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "benches" / "record" / "rows.json"

Row = dict[str, Any]


class Line(NamedTuple):
    """A line of the README's table: what is done, and the rows that show it, side by side."""

    what: str
    names: tuple[str, ...]


LINES = (
    Line("`import groundwire`", ("import",)),
    Line("100 quotes of 20 to 100 characters, cutoff 85, nothing prepared", ("reach/together",)),
    Line("1,000 quotes of 50 to 100, the source prepared", ("reach/prepared",)),
    Line("one quote of 50 / 100, nothing prepared", ("reach/alone/50", "reach/alone/100")),
    Line("100 quotes of 200 / 400, all absent", ("reach/long-absent/200", "reach/long-absent/400")),
    Line(
        "a quote of 50 / 100 / 200, absent, without a cutoff",
        ("reach/no-cutoff/50", "reach/no-cutoff/100", "reach/no-cutoff/200"),
    ),
    Line("20 quotes in 10,000 characters", ("reach/short-text",)),
    Line("8,000 characters against 8,000, alike / not", ("reach/8000x8000/typos", "reach/8000x8000/absent")),
    Line(
        "all occurrences of 1 / 10 / 100 new patterns, built within the time",
        ("reach/exact/1", "reach/exact/10", "reach/exact/100"),
    ),
    Line("… of 1,000 / 10,000", ("reach/exact/1000", "reach/exact/10000")),
    Line("300 hedges / 10,000 phrases, fixed, in 10,000 characters", ("reach/fixed/hedges", "reach/fixed/phrases")),
    Line("find a quote in a prepared text of 50,000", ("find/english",)),
    Line(
        "`validate_evidence_grounding`, 100,000 characters, 40 quotes: substring / fuzzy",
        ("reach/validate/substring", "reach/validate/fuzzy"),
    ),
    Line("normalise a million characters of ASCII", ("reach/normalize/ascii",)),
    Line(
        "… with curly marks / of Chinese / Japanese, which the other only composes",
        ("reach/normalize/curly", "reach/normalize/chinese", "reach/normalize/japanese"),
    ),
)


def summary(record: dict[str, Any]) -> str:
    """Return the README's table."""
    rows = {row["name"]: row for row in record["rows"]}
    lines = ["| | groundwire | against | ratio | promised |", "| --- | --- | --- | --- | --- |"]
    for line in LINES:
        shown = [rows[name] for name in line.names if name in rows]
        if shown:
            cells = (_ours, _rival, _value, _promised)
            lines.append(
                f"| {line.what} | " + " | ".join(_joined([cell(row) for row in shown]) for cell in cells) + " |"
            )
    return "\n".join([*lines, "", _facts(record)])


def details(record: dict[str, Any]) -> str:
    """Return the table of docs/benchmarks.md: every row."""
    head = "| row | what | groundwire | others | ratio | promised | |"
    lines = [head, "| --- | --- | --- | --- | --- | --- | --- |"]
    for row in record["rows"]:
        mark = {None: "", True: "✓", False: "✗ missed"}[row["is_met"]]
        others = ", ".join(f"{name} {_amount(row, name)}" for name in row["medians"] if name != "groundwire")
        cells = (f"`{row['name']}`", row["what"], _ours(row), others, _value(row), _limit(row), mark)
        lines.append("| " + " | ".join(cells) + " |")
    texts = dict.fromkeys(row["text"] for row in record["rows"] if row["name"].startswith("reach/"))
    return "\n".join([*lines, "", f"Texts of `reach`: {'; '.join(texts)}.", "", _facts(record)])


PAGES = {ROOT / "README.md": summary, ROOT / "docs" / "benchmarks.md": details}


def filled(page: Path, record: dict[str, Any]) -> str:
    """Return what *page* is to be: as it is, with the table of *record* between its markers."""
    table = PAGES[page](record)
    begin, end = f"<!-- table: {record['command']} -->\n", "\n<!-- end of table -->"
    text = page.read_text(encoding="utf-8")
    changed, count = re.subn(rf"{re.escape(begin)}.*?{re.escape(end)}", lambda _: begin + table + end, text, flags=re.S)
    if count != 1:
        raise ValueError(f"{page.name} has {count} places for a table, not 1")
    return changed


def write_tables(record: dict[str, Any]) -> None:
    """Write the tables into their pages."""
    for page in PAGES:
        page.write_text(filled(page, record), encoding="utf-8")


def _bar(row: Row) -> Bar | None:
    bar = row["bar"]
    if bar is None:
        return None
    than = bar["than"]
    return Bar(Measure(bar["measure"]), than if isinstance(than, str) else tuple(than), bar["limit"])


def _amount(row: Row, engine: str) -> str:
    median = row["medians"][engine]
    return f"{median / 1e6:.2f} MB" if row["unit"] == "bytes" else duration(median)


def _ours(row: Row) -> str:
    return _amount(row, "groundwire")


def _rival(row: Row) -> str:
    """Return whom the bar compares us with, and its median."""
    bar = _bar(row)
    best = bar.best(row["medians"]) if bar is not None else None
    return "" if best is None else f"{best}, {_amount(row, best)}"


def _value(row: Row) -> str:
    bar = _bar(row)
    return "" if bar is None or row["value"] is None else bar.show(row["value"])


def _limit(row: Row) -> str:
    """Return what is promised, without of whom: another column has that."""
    bar = _bar(row)
    # "≥ 5× rapidfuzz", "≤ 5 ms over rapidfuzz"
    words = 3 if bar is not None and bar.measure is Measure.EXCESS else 2
    return "" if bar is None else " ".join(str(bar).split(" ")[:words])


def _promised(row: Row) -> str:
    return f"{_limit(row)} (missed)" if row["is_met"] is False else _limit(row)


def _joined(cells: list[str]) -> str:
    """Return *cells* side by side: once if they are the same, and with a name that all begin with once."""
    if len({*cells}) == 1:
        return cells[0]
    names = {cell.partition(", ")[0] for cell in cells}
    if len(names) == 1:
        return f"{names.pop()}, " + " / ".join(cell.partition(", ")[2] for cell in cells)
    return " / ".join(cells)


def _facts(record: dict[str, Any]) -> str:
    """Return what the numbers depend on."""
    machine = record["machine"]
    rivals = ", ".join(f"{name} {version}" for name, version in machine["rivals"].items())
    features = ", ".join(machine["cpu_features"])
    return (
        f"Measured {_period(record['rows'])}: {machine['processor']}, {machine['cores']} cores, {features}; "
        f"{machine['system']}, Python {machine['python']}; {rivals}."
    )


def _period(rows: list[Row]) -> str:
    """Return the day on which *rows* were measured, or the first and the last one."""
    days = sorted({row["date"] for row in rows})
    return f"on {days[0]}" if len(days) == 1 else f"from {days[0]} to {days[-1]}"
