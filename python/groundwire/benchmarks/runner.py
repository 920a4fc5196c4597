"""Run benchmarks: check every answer, time by turns, hold the result to its bar."""

import os
import platform
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import geometric_mean
from time import perf_counter, thread_time
from typing import Any

from groundwire import build_info
from groundwire.benchmarks.case import Benchmark, Mean
from groundwire.benchmarks.measure import children_cpu_s, interleave, is_long
from groundwire.benchmarks.rivals import RIVALS, missing
from groundwire.benchmarks.tasks import Contestant, Scale
from groundwire.errors import GroundwireError

__all__ = ["BenchmarkError", "BenchmarkResult", "machine", "race", "refuse_debug_build", "run"]


class BenchmarkError(GroundwireError):
    """There is nothing worth measuring: a wrong answer, or a debug build."""


@dataclass(frozen=True, slots=True)
class BenchmarkResult:
    """
    What came out of a benchmark.

    Attributes:
        case: The benchmark, or the mean of some.
        medians: Engine to seconds (or bytes) for an operation.
        skipped: Engine to the extra that would install it.
        value: What the bar looks at; None without a bar, or without the engine it names.
        is_met: Whether the bar is; None where there is no value.
    """

    case: Benchmark | Mean
    medians: Mapping[str, float]
    skipped: Mapping[str, str]
    value: float | None
    is_met: bool | None

    def as_record(self) -> dict[str, Any]:
        """Return the outcome as plain values, for JSON."""
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
    Check that the engine is worth measuring.

    Raises:
        BenchmarkError: It is built without optimisation.
    """
    if build_info()["profile"] != "release":
        raise BenchmarkError("the engine is a debug build, whose times mean nothing; install with `pip install .`")


def run(cases: Iterable[Benchmark | Mean], *, budget_s: float) -> Iterator[BenchmarkResult]:
    """
    Yield the outcome of each of *cases*, with about *budget_s* of timing for each.

    Raises:
        BenchmarkError: A debug build, or a contestant's answer is wrong.
    """
    refuse_debug_build()
    return _outcomes(cases, budget_s)


def _outcomes(cases: Iterable[Benchmark | Mean], budget_s: float) -> Iterator[BenchmarkResult]:
    """Yield outcomes; a mean is made of those that are there, and the cases that it lacks run for it."""
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
    Let all engines of *case* that are there run against each other.

    Raises:
        BenchmarkError: A contestant's answer is wrong. Names engine and case.
    """
    task = case.task
    skipped = {engine: extra for engine in task.engines if (extra := missing(engine)) is not None}
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
    """Return each engine's seconds for a call; one that takes long is timed while its answer is made, and not again."""
    times = {engine: _checked(each, engine, case, clock)[1] for engine, each in contestants.items()}
    calls = {engine: each.call for engine, each in contestants.items() if not is_long(times[engine], budget_s)}
    return {**times, **interleave(calls, budget_s=budget_s, clock=clock)}


def _judged(case: Benchmark | Mean, medians: Mapping[str, float], skipped: Mapping[str, str]) -> BenchmarkResult:
    """Return the outcome, with what its bar says."""
    value = None if case.bar is None else case.bar.value(medians)
    is_met = None if case.bar is None or value is None else case.bar.is_met(value)
    return BenchmarkResult(case, medians, skipped, value, is_met)


def _checked(
    contestant: Contestant, engine: str, case: Benchmark, clock: Callable[[], float] = perf_counter
) -> tuple[object, float]:
    """Return what the contestant's call returns, if it is right, and the seconds that it took."""
    started = clock()
    result = contestant.call()
    seconds = clock() - started
    if not contestant.is_right(result):
        raise BenchmarkError(f"{case.name}: the answer of {engine} is wrong")
    return result, seconds


def machine() -> dict[str, Any]:
    """Return what the numbers depend on: build, processor and its features, interpreter, system, rivals' versions."""
    return {
        **build_info(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "rivals": {name: version(name) for name in RIVALS if missing(name) is None},
    }


def _processor() -> str:
    """Return the processor's name, which Linux tells in a file and others through Python."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
