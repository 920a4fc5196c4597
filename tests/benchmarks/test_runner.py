"""The table of benchmarks: answers are checked before times, targets are judged, missing competitors are skipped."""

import dataclasses
import importlib.metadata
import importlib.util

import pytest

from groundwire.benchmarks import runner
from groundwire.benchmarks.cases import CASES, Bar, Benchmark, Measure, duration
from groundwire.benchmarks.corpus import Synthetic
from groundwire.benchmarks.runner import BenchmarkError, race, run
from groundwire.benchmarks.score_tasks import PartialRatio
from groundwire.benchmarks.tasks import Contestant, Normalize

SMALL = Benchmark("small", "normalise a text", Normalize(Synthetic("curly", 500)), "it is quick")


def contestants():
    """Return all engines of the short table, and ours of the long one, where some competitors take seconds."""
    for case in CASES:
        for engine in case.task.engines if case.is_short else ["groundwire"]:
            yield pytest.param(case, engine, id=f"{case.name}-{engine}")


@pytest.mark.parametrize(("case", "engine"), [*contestants()])
def test_every_answer_is_right(case, engine):
    """Every engine returns the right answer before its time counts."""
    requirement = runner.missing(engine)
    if requirement is not None:
        pytest.skip(f"{engine} is not installed: pip install '{requirement}'")
    call, is_right, _ = case.task.prepare(engine)
    assert is_right(call())


def test_names_are_unique_and_reasons_are_given():
    """A name selects one benchmark, and each benchmark explains itself."""
    assert len({case.name for case in CASES}) == len(CASES)
    assert all(case.what and case.why and case.task.text_name for case in CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_target_names_participants(case):
    """Groundwire takes part, and so does the competitor of the target."""
    assert "groundwire" in case.task.engines
    assert case.bar is None or {*case.bar.others} <= {*case.task.engines}


@pytest.mark.parametrize(
    ("bar", "ours", "other", "value", "is_met", "shown"),
    [
        pytest.param(Bar(Measure.FASTER, "in", 5), 2.0, 10.0, 5.0, True, "5.00×", id="just-fast-enough"),
        pytest.param(Bar(Measure.FASTER, "in", 5), 2.0, 8.0, 4.0, False, "4.00×", id="too-slow"),
        pytest.param(Bar(Measure.LARGER, "in", 4), 8, 2, 4.0, True, "4.00×", id="just-small-enough"),
        pytest.param(Bar(Measure.LARGER, "in", 4), 80, 2, 40.0, False, "40×", id="too-large"),
        pytest.param(Bar(Measure.EXCESS, "in", 0.25), 0.75, 0.5, 0.25, True, "+250 ms", id="just-little-enough"),
        pytest.param(Bar(Measure.EXCESS, "in", 0.25), 2.0, 1.0, 1.0, False, "+1 s", id="too-much-more"),
        pytest.param(Bar(Measure.EXCESS, "in", 0.25), 0.5, 0.75, -0.25, True, "-250 ms", id="even-less"),
    ],
)
def test_a_target_compares_two_medians(bar, ours, other, value, is_met, shown):
    """A limit that is exactly reached is met."""
    assert bar.value({"groundwire": ours, "in": other}) == value
    assert (bar.is_met(value), bar.show(value)) == (is_met, shown)


def test_a_target_without_its_competitor_is_not_judged():
    """Without its competitor, a target is neither met nor missed."""
    assert Bar(Measure.FASTER, "in", 5).value({"groundwire": 1.0}) is None


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0.0, "0 ns"), (4.2e-8, "42 ns"), (1e-6, "1 µs"), (0.0123, "12.3 ms"), (65.0, "65 s")],
)
def test_durations_have_the_unit_that_suits_them(seconds, shown):
    """A duration has three digits."""
    assert duration(seconds) == shown


def test_an_outcome_has_a_median_for_each_engine():
    """A record of an outcome has plain values."""
    outcome = race(dataclasses.replace(SMALL, bar=Bar(Measure.FASTER, "reference", 1e9)), budget_s=0.0)
    assert [*outcome.medians] == ["groundwire", "reference"]
    assert outcome.value == outcome.medians["reference"] / outcome.medians["groundwire"]
    record = outcome.as_record()
    assert (record["name"], record["unit"], record["is_met"]) == ("small", "s", False)
    assert record["bar"] == {"measure": "times faster", "than": "reference", "limit": 1e9}


def test_a_wrong_answer_has_no_time(monkeypatch):
    """The error names engine and benchmark."""
    monkeypatch.setattr(Normalize, "prepare", lambda *_: Contestant(lambda: "wrong", lambda _: False))
    with pytest.raises(BenchmarkError, match=r"^small: the answer of groundwire is wrong$"):
        race(SMALL, budget_s=0.0)


def test_a_debug_build_is_refused(monkeypatch):
    """The times of a debug build mean nothing."""
    monkeypatch.setattr(runner, "build_info", lambda: {"profile": "debug"})
    with pytest.raises(BenchmarkError, match="debug build"):
        run([SMALL], budget_s=0.0)


def test_a_missing_competitor_is_skipped(monkeypatch):
    """The outcome names what pip installs the competitor by, and judges nothing."""
    monkeypatch.setattr(runner, "find_spec", lambda _: None)
    bar = Bar(Measure.FASTER, "rapidfuzz", 1)
    case = Benchmark("score", "score", PartialRatio(20, Synthetic("english", 20), False, None, 31.25), "why", bar)
    outcome = race(case, budget_s=0.0)
    assert (dict(outcome.skipped), outcome.is_met) == ({"rapidfuzz": "groundwire[reference]"}, None)


@pytest.mark.parametrize("name", runner.RIVALS)
def test_pip_can_install_every_competitor(name):
    """The requirement is the competitor's package, or an extra of ours that has it."""
    rival = runner.RIVALS[name]
    installed = importlib.util.find_spec(rival.module) is not None
    assert runner.missing(name) == (None if installed else rival.requirement)
    requirements = [each.lower().replace("-", "_") for each in importlib.metadata.requires("groundwire")]
    extra = rival.requirement.removeprefix("groundwire[").removesuffix("]")
    assert rival.requirement == name or any(
        each.startswith(name) and f"extra == '{extra}'" in each for each in requirements
    )


def test_builtin_participants_are_never_missing():
    """The operator `in` is always available."""
    assert runner.missing("in") is None
