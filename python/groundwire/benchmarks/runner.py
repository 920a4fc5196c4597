"""
Runs benchmarks: checks every answer, times the engines in turn, compares the result with its target, prints a table.

Engines run A, B, A, B, …, and every other round B, A. Other load on the machine then affects all of them alike, so the
ratio of two medians is meaningful even where the times themselves are not.
"""

import gc
import os
import platform
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from importlib.util import find_spec
from itertools import repeat
from pathlib import Path
from statistics import geometric_mean, median
from time import perf_counter, thread_time
from typing import Any

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from groundwire import build_info
from groundwire.benchmarks.cases import Benchmark, Mean, duration
from groundwire.benchmarks.corpus import BenchmarkError
from groundwire.benchmarks.tasks import Contestant, Scale

__all__ = [
    "RIVALS",
    "BenchmarkError",
    "BenchmarkResult",
    "Rival",
    "children_cpu_s",
    "interleave",
    "is_long",
    "machine",
    "missing",
    "print_table",
    "race",
    "refuse_debug_build",
    "run",
    "samples",
]


@dataclass(frozen=True, slots=True)
class Rival:
    """
    Describes a package to compare with.

    Attributes:
        module: The module to import.
        requirement: What pip installs it by.
    """

    module: str
    requirement: str


RIVALS: Mapping[str, Rival] = {
    "rapidfuzz": Rival("rapidfuzz", "groundwire[reference]"),
    "pyahocorasick": Rival("ahocorasick", "groundwire[reference]"),
    "ahocorasick_rs": Rival("ahocorasick_rs", "ahocorasick_rs"),
    "stringzilla": Rival("stringzilla", "stringzilla"),
    "pyicu": Rival("icu", "pyicu"),
}


def missing(engine: str) -> str | None:
    """Return what pip installs *engine* by, or None if it is installed or needs no package."""
    rival = RIVALS.get(engine)
    return rival.requirement if rival is not None and find_spec(rival.module) is None else None


# A sample loops over calls for at least this long, so that the cost of the clock is negligible.
_SAMPLE_S = 0.001

_MIN_ROUNDS = 3
_MAX_ROUNDS = 101

# A round that takes at least this many budgets is not repeated.
_LONG_ROUND = 4


def interleave(
    runs: Mapping[str, Callable[[], object]], *, budget_s: float, clock: Callable[[], float] = perf_counter
) -> dict[str, float]:
    """Return the median time per call of each of *runs*, in seconds, from `samples`."""
    return {name: median(times) for name, times in samples(runs, budget_s=budget_s, clock=clock).items()}


def is_long(seconds: float, budget_s: float) -> bool:
    """Tell whether a call of *seconds* is too long to repeat."""
    return seconds >= budget_s * _LONG_ROUND


def samples(
    runs: Mapping[str, Callable[[], object]], *, budget_s: float, clock: Callable[[], float] = perf_counter
) -> dict[str, list[float]]:
    """
    Return the times per call of each of *runs*, in seconds, one for each round.

    Each runs at least once before it is timed. Rounds continue until *budget_s* of
    *clock* is used up. There are at least three, unless the first takes four times
    the budget.
    """
    loops = {name: _loops(run, clock) for name, run in runs.items()}
    times: dict[str, list[float]] = {name: [] for name in runs}
    order = list(runs)
    started = clock()
    is_gc_enabled = gc.isenabled()
    gc.disable()
    try:
        for number in range(_MAX_ROUNDS):
            for name in order if number % 2 == 0 else reversed(order):
                times[name].append(_time(runs[name], loops[name], clock) / loops[name])
            spent = clock() - started
            if is_long(spent, budget_s) or (number + 1 >= _MIN_ROUNDS and spent >= budget_s):
                break
    finally:
        if is_gc_enabled:
            gc.enable()
    return times


def _loops(run: Callable[[], object], clock: Callable[[], float]) -> int:
    """Return the number of calls in a sample."""
    loops = 1
    while _time(run, loops, clock) < _SAMPLE_S:
        loops *= 2
    return loops


def _time(run: Callable[[], object], loops: int, clock: Callable[[], float]) -> float:
    """Return the time of *loops* calls, in seconds."""
    started = clock()
    for _ in repeat(None, loops):
        run()
    return clock() - started


def children_cpu_s() -> float:
    """Return the processor time of all child processes that have ended; without that count, the wall-clock time."""
    try:
        from resource import RUSAGE_CHILDREN, getrusage
    except ImportError:
        return perf_counter()
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@dataclass(frozen=True, slots=True)
class BenchmarkResult:
    """
    Holds the outcome of a benchmark.

    Attributes:
        case: The benchmark, or the mean of several.
        medians: Seconds (or bytes) per operation, by engine.
        skipped: What pip installs an engine by, for each engine that is not installed.
        value: The value that the target limits; None without a target, or without the engine it names.
        is_met: Whether the value meets the target; None without a value.
    """

    case: Benchmark | Mean
    medians: Mapping[str, float]
    skipped: Mapping[str, str]
    value: float | None
    is_met: bool | None

    def as_record(self) -> dict[str, Any]:
        """Return the outcome as plain values for JSON."""
        case, bar = self.case, self.case.bar
        return {
            "name": case.name,
            "what": case.what,
            "text": case.task.text_name,
            "why": case.why,
            "unit": "bytes" if case.task.scale is Scale.BYTES else "s",
            "medians": dict(self.medians),
            "skipped": dict(self.skipped),
            "bar": None if bar is None else asdict(bar),
            "value": self.value,
            "is_met": self.is_met,
        }


def refuse_debug_build() -> None:
    """
    Check that the engine is a release build.

    Raises:
        BenchmarkError: The engine is built without optimisation.
    """
    if build_info()["profile"] != "release":
        raise BenchmarkError("the engine is a debug build, so its times are meaningless; install with `pip install .`")


def run(cases: Iterable[Benchmark | Mean], *, budget_s: float) -> Iterator[BenchmarkResult]:
    """
    Yield the outcome of each of *cases*, with about *budget_s* of timing for each.

    Raises:
        BenchmarkError: The engine is a debug build, or the answer of an engine is wrong.
    """
    refuse_debug_build()
    return _outcomes(cases, budget_s)


def _outcomes(cases: Iterable[Benchmark | Mean], budget_s: float) -> Iterator[BenchmarkResult]:
    """Yield outcomes; a mean reuses earlier outcomes, and runs the cases that it lacks."""
    raced: dict[str, BenchmarkResult] = {}
    for case in cases:
        for each in case.cases if isinstance(case, Mean) else (case,):
            if each.name not in raced:
                raced[each.name] = race(each, budget_s=budget_s)
        yield _mean(case, [raced[each.name] for each in case.cases]) if isinstance(case, Mean) else raced[case.name]


def _mean(case: Mean, outcomes: list[BenchmarkResult]) -> BenchmarkResult:
    """Return the geometric means of the medians of *outcomes*."""
    medians = {
        engine: geometric_mean([outcome.medians[engine] for outcome in outcomes]) for engine in outcomes[0].medians
    }
    return _judged(case, medians, outcomes[0].skipped)


def race(case: Benchmark, *, budget_s: float) -> BenchmarkResult:
    """
    Measure all installed engines of *case* against each other.

    Raises:
        BenchmarkError: The answer of an engine is wrong. The message names engine and case.
    """
    task = case.task
    skipped = {engine: requirement for engine in task.engines if (requirement := missing(engine)) is not None}
    contestants = {engine: task.prepare(engine) for engine in task.engines if engine not in skipped}
    if task.scale is Scale.BYTES:
        medians = {engine: float(str(_checked(each, engine, case)[0])) for engine, each in contestants.items()}
    else:
        clock = _CLOCKS[task.scale]
        times = _times(case, contestants, budget_s, clock)
        medians = {engine: times[engine] / each.operations for engine, each in contestants.items()}
    return _judged(case, medians, skipped)


_CLOCKS: Mapping[Scale, Callable[[], float]] = {
    Scale.WALL_S: perf_counter,
    Scale.THREAD_CPU_S: thread_time,
    Scale.CHILDREN_CPU_S: children_cpu_s,
}


def _times(
    case: Benchmark, contestants: Mapping[str, Contestant], budget_s: float, clock: Callable[[], float]
) -> dict[str, float]:
    """Return each engine's seconds per call; a long call is timed during the check of its answer, and not repeated."""
    times = {engine: _checked(each, engine, case, clock)[1] for engine, each in contestants.items()}
    calls = {engine: each.call for engine, each in contestants.items() if not is_long(times[engine], budget_s)}
    return {**times, **interleave(calls, budget_s=budget_s, clock=clock)}


def _judged(case: Benchmark | Mean, medians: Mapping[str, float], skipped: Mapping[str, str]) -> BenchmarkResult:
    """Return the outcome, compared with its target."""
    value = None if case.bar is None else case.bar.value(medians)
    is_met = None if case.bar is None or value is None else case.bar.is_met(value)
    return BenchmarkResult(case, medians, skipped, value, is_met)


def _checked(
    contestant: Contestant, engine: str, case: Benchmark, clock: Callable[[], float] = perf_counter
) -> tuple[object, float]:
    """Return the result of the contestant's call, if it is right, and the seconds that it took."""
    started = clock()
    result = contestant.call()
    seconds = clock() - started
    if not contestant.is_right(result):
        raise BenchmarkError(f"{case.name}: the answer of {engine} is wrong")
    return result, seconds


def machine() -> dict[str, Any]:
    """Return everything that the numbers depend on: build, processor, interpreter, system, versions of the rivals."""
    return {
        **build_info(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "rivals": {name: version(name) for name in RIVALS if missing(name) is None},
    }


def _processor() -> str:
    """Return the name of the processor, from a file on Linux and from Python elsewhere."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


# Without a terminal, lines are as long as the table needs, up to this.
_PIPE_WIDTH = 160


def print_table(outcomes: Sequence[BenchmarkResult], console: Console) -> None:
    """Print a row for each outcome, then the number of targets met and the engines skipped."""
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
    """Return the cells of a row: name, our median, the others, value, target, result."""
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
    """Return the engine's median, and its ratio to ours unless the target is about that engine."""
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
    skipped = {engine: requirement for outcome in outcomes for engine, requirement in outcome.skipped.items()}
    for engine, requirement in skipped.items():
        lines.append(Text(f"skipped: {engine} (install it with pip install '{requirement}')", "yellow"))
    return lines
