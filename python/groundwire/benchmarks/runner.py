"""Run benchmarks: check every answer, time by turns, hold the result to its bar."""

import os
import platform
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any

from groundwire import build_info
from groundwire.benchmarks.cases import Case
from groundwire.benchmarks.measure import children_cpu_s, interleave
from groundwire.benchmarks.rivals import missing
from groundwire.benchmarks.tasks import Contestant, Scale
from groundwire.errors import GroundwireError

__all__ = ["BenchmarkError", "Outcome", "machine", "race", "refuse_debug_build", "run"]


class BenchmarkError(GroundwireError):
    """There is nothing worth measuring: a wrong answer, or a debug build."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """
    What came out of a benchmark.

    Attributes:
        case: The benchmark.
        medians: Engine to seconds (or bytes) for an operation.
        skipped: Engine to the extra that would install it.
        value: What the bar looks at; None without a bar, or without the engine it names.
        is_met: Whether the bar is; None where there is no value.
    """

    case: Case
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


def run(cases: Iterable[Case], *, budget_s: float) -> Iterator[Outcome]:
    """
    Yield the outcome of each of *cases*, with about *budget_s* of timing for each.

    Raises:
        BenchmarkError: A debug build, or a contestant's answer is wrong.
    """
    refuse_debug_build()
    return (race(case, budget_s=budget_s) for case in cases)


def race(case: Case, *, budget_s: float) -> Outcome:
    """
    Let all engines of *case* that are there run against each other.

    Raises:
        BenchmarkError: A contestant's answer is wrong. Names engine and case.
    """
    task = case.task
    skipped = {engine: extra for engine in task.engines if (extra := missing(engine)) is not None}
    contestants = {engine: task.prepare(engine) for engine in task.engines if engine not in skipped}
    results = {engine: _checked(contestant, engine, case) for engine, contestant in contestants.items()}
    if task.scale is Scale.BYTES:
        medians = {engine: float(str(result)) for engine, result in results.items()}
    else:
        clock = children_cpu_s if task.scale is Scale.CHILDREN_CPU_S else perf_counter
        calls = {engine: contestant.call for engine, contestant in contestants.items()}
        times = interleave(calls, budget_s=budget_s, clock=clock)
        medians = {engine: seconds / task.operations for engine, seconds in times.items()}
    value = None if case.bar is None else case.bar.value(medians)
    is_met = None if case.bar is None or value is None else case.bar.is_met(value)
    return Outcome(case, medians, skipped, value, is_met)


def _checked(contestant: Contestant, engine: str, case: Case) -> object:
    result = contestant.call()
    if not contestant.is_right(result):
        raise BenchmarkError(f"{case.name}: the answer of {engine} is wrong")
    return result


def machine() -> dict[str, Any]:
    """Return what the numbers depend on: build, processor features, interpreter, system."""
    return {
        **build_info(),
        "python": platform.python_version(),
        "system": platform.platform(),
        "cores": os.cpu_count(),
    }
