"""One contestant under pytest-benchmark."""

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from groundwire.benchmarks.cases import Benchmark
from groundwire.benchmarks.runner import missing
from groundwire.benchmarks.tasks import Scale


def parameters(cases: list[Benchmark]) -> list[object]:
    """Return every contestant of *cases*, side by side."""
    timed = (case for case in cases if case.task.scale is not Scale.BYTES)
    return [pytest.param(case, engine, id=f"{case.name}-{engine}") for case in timed for engine in case.task.engines]


def time_contestant(benchmark: BenchmarkFixture, case: Benchmark, engine: str) -> None:
    """Check the answer of *engine*, then time it; skip one that is not installed."""
    requirement = missing(engine)
    if requirement is not None:
        pytest.skip(f"{engine} is not installed: pip install '{requirement}'")
    call, is_right, operations = case.task.prepare(engine)
    assert is_right(call()), f"the answer of {engine} is wrong"
    benchmark.group = case.name
    benchmark.extra_info.update(what=case.what, text=case.task.text_name, why=case.why, operations=operations)
    benchmark(call)
