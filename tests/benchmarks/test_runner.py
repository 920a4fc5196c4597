"""The table of benchmarks: right answers before times, bars, rivals that are not there."""

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
    """All engines of the short form, and ours in the long one: there some rivals take seconds."""
    for case in CASES:
        for engine in case.task.engines if case.is_short else ["groundwire"]:
            yield pytest.param(case, engine, id=f"{case.name}-{engine}")


@pytest.mark.parametrize(("case", "engine"), [*contestants()])
def test_every_answer_is_right(case, engine):
    """What is timed is also true."""
    extra = runner.missing(engine)
    if extra is not None:
        pytest.skip(f"{engine} is not installed: pip install 'groundwire[{extra}]'")
    call, is_right, _ = case.task.prepare(engine)
    assert is_right(call())


def test_names_are_unique_and_reasons_are_given():
    """A name picks one benchmark, and each says what and why."""
    assert len({case.name for case in CASES}) == len(CASES)
    assert all(case.what and case.why and case.task.text_name for case in CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_bar_is_about_someone_who_takes_part(case):
    """We do, and so does whom the bar names."""
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
def test_a_bar_compares_two_medians(bar, ours, other, value, is_met, shown):
    """A limit that is just reached is met."""
    assert bar.value({"groundwire": ours, "in": other}) == value
    assert (bar.is_met(value), bar.show(value)) == (is_met, shown)


def test_a_bar_says_nothing_without_its_rival():
    """Neither met nor missed."""
    assert Bar(Measure.FASTER, "in", 5).value({"groundwire": 1.0}) is None


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0.0, "0 ns"), (4.2e-8, "42 ns"), (1e-6, "1 µs"), (0.0123, "12.3 ms"), (65.0, "65 s")],
)
def test_durations_have_the_unit_that_suits_them(seconds, shown):
    """Three digits."""
    assert duration(seconds) == shown


def test_an_outcome_has_a_median_for_each_engine():
    """And as a record it is plain values."""
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
    """Its times mean nothing, so there are none."""
    monkeypatch.setattr(runner, "build_info", lambda: {"profile": "debug"})
    with pytest.raises(BenchmarkError, match="debug build"):
        run([SMALL], budget_s=0.0)


def test_a_rival_that_is_not_there_is_skipped(monkeypatch):
    """The outcome says which extra would bring it, and judges nothing."""
    monkeypatch.setattr(runner, "find_spec", lambda _: None)
    bar = Bar(Measure.FASTER, "rapidfuzz", 1)
    case = Benchmark("score", "score", PartialRatio(20, Synthetic("english", 20), False, None, 31.25), "why", bar)
    outcome = race(case, budget_s=0.0)
    assert (dict(outcome.skipped), outcome.is_met) == ({"rapidfuzz": "reference"}, None)


@pytest.mark.parametrize("name", runner.RIVALS)
def test_an_extra_brings_every_rival(name):
    """The extras that are named are those of the package, and the modules are what they bring."""
    extra = runner.RIVALS[name].extra
    installed = importlib.util.find_spec(runner.RIVALS[name].module) is not None
    assert runner.missing(name) == (None if installed else extra)
    requirements = [each.lower().replace("-", "_") for each in importlib.metadata.requires("groundwire")]
    assert any(each.startswith(name) and f"extra == '{extra}'" in each for each in requirements)


def test_what_needs_no_package_is_never_missing():
    """`in` is everywhere."""
    assert runner.missing("in") is None
