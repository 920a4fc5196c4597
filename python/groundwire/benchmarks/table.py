"""Outcomes as a table for people."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from groundwire.benchmarks.bars import duration
from groundwire.benchmarks.runner import BenchmarkResult
from groundwire.benchmarks.tasks import Scale

__all__ = ["print_table"]

# What a pipe gets: lines are as long as the table needs, up to this.
_PIPE_WIDTH = 160


def print_table(outcomes: Sequence[BenchmarkResult], console: Console) -> None:
    """Print a row for each outcome, then how many bars are met and what was skipped."""
    if not console.is_terminal:
        console.width = max(console.width, _PIPE_WIDTH)
    table = Table(
        Column("benchmark", no_wrap=True),
        Column("groundwire", justify="right"),
        Column("others", overflow="fold"),
        Column("value", justify="right"),
        Column("bar"),
        Column(""),
        box=None,
        header_style="dim",
        padding=(0, 2, 0, 0),
    )
    for outcome in outcomes:
        table.add_row(*_cells(outcome))
    console.print(table)
    console.print()
    for line in _summary(outcomes):
        console.print(line)


def _cells(outcome: BenchmarkResult) -> list[Text]:
    """Return the cells of a row: name, our median, the others', value, bar, verdict."""
    bar, value = outcome.case.bar, outcome.value
    others = [f"{engine} {_amount(outcome, engine)}" for engine in outcome.medians if engine != "groundwire"]
    skipped = [f"{engine} skipped" for engine in outcome.skipped]
    verdict = {None: Text(""), True: Text("✓ met", "green"), False: Text("✗ missed", "bold red")}
    return [
        Text(outcome.case.name),
        Text(_amount(outcome, "groundwire")),
        Text(", ".join(others + skipped)),
        Text("" if bar is None or value is None else bar.show(value)),
        Text("" if bar is None else str(bar)),
        verdict[outcome.is_met],
    ]


def _amount(outcome: BenchmarkResult, engine: str) -> str:
    """Return the engine's median, and its ratio to ours if that is not what the bar is about."""
    median = outcome.medians[engine]
    amount = f"{median / 1e6:.2f} MB" if outcome.case.task.scale is Scale.BYTES else duration(median)
    if engine == "groundwire" or (outcome.case.bar is not None and outcome.case.bar.best(outcome.medians) == engine):
        return amount
    ratio = median / outcome.medians["groundwire"]
    return f"{amount} ({ratio:.2f}×)" if ratio < 10 else f"{amount} ({ratio:,.0f}×)"


def _summary(outcomes: Sequence[BenchmarkResult]) -> list[Text]:
    """Return the closing lines."""
    judged = [outcome for outcome in outcomes if outcome.is_met is not None]
    missed = [outcome.case.name for outcome in judged if not outcome.is_met]
    met = f"{len(judged) - len(missed)} of {len(judged)} bars met"
    texts = "; ".join(dict.fromkeys(outcome.case.task.text_name for outcome in outcomes))
    lines = [Text(f"texts: {texts}", "dim")]
    lines.append(
        Text(f"✗ {met}; missed: {', '.join(missed)}", "bold red") if missed else Text(f"✓ {met}", "bold green")
    )
    skipped = {engine: extra for outcome in outcomes for engine, extra in outcome.skipped.items()}
    for engine, extra in skipped.items():
        lines.append(Text(f"skipped: {engine}; pip install 'groundwire[{extra}]' brings it", "yellow"))
    return lines
