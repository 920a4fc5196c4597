"""Benchmarks at the scale that the engine is built for, on texts of moderate size."""

import dataclasses
from functools import partial

import pytest

from groundwire.benchmarks import runner
from groundwire.benchmarks.cases import CASES, Bar, Benchmark, Mean, Measure, reach
from groundwire.benchmarks.corpus import Corpus, Kind, Quotes, Synthetic
from groundwire.benchmarks.runner import run
from groundwire.benchmarks.score_tasks import Repetitive, Scores, Way, fibonacci
from groundwire.benchmarks.search_tasks import ChangingPatterns, FixedPatterns, hedges, phrases
from groundwire.benchmarks.tasks import Copy, Form, Grounding, Normalize

CORPUS = Corpus()
TEXT, OTHER = CORPUS.text(20_000), CORPUS.other(20_000)
RAW, RAW_OTHER = (part(20_000, is_normalized=False) for part in (CORPUS.text, CORPUS.other))
MIXED = Quotes(TEXT, OTHER, 12, (20, 50))
HALF = Quotes(CORPUS.text(15_000), OTHER, 12, (50,), (Kind.VERBATIM, Kind.ABSENT))
SLIPS = dataclasses.replace(HALF, kinds=(Kind.TYPOS, Kind.ABSENT))

TASKS = {
    "together": Scores(MIXED, 85.0, Way.TOGETHER),
    "prepared": Scores(MIXED, 85.0, Way.PREPARED),
    "alone": Scores(MIXED, None, Way.ALONE),
    "high-cutoff": Scores(MIXED, 98.0, Way.TOGETHER),
    "sampled": Scores(dataclasses.replace(MIXED, count=70), 85.0, Way.TOGETHER),
    "repetitive-alone": Repetitive("ab", partial("ab".__mul__, 1_000), None, False),
    "repetitive-together": Repetitive("a Fibonacci word", partial(fibonacci, 2_000), 85.0, True),
    "one-pattern": ChangingPatterns(1, RAW, RAW_OTHER),
    "patterns": ChangingPatterns(40, RAW, RAW_OTHER),
    "hedges": FixedPatterns(hedges, TEXT),
    "phrases": FixedPatterns(phrases, TEXT),
    "substring": Grounding(RAW, HALF, "substring"),
    "fuzzy": Grounding(RAW, SLIPS, "fuzzy"),
    "ascii": Copy(RAW),
    "curly": Form(Synthetic("curly", 20_000)),
    "chinese": Form(Synthetic("chinese", 20_000)),
}


def contestants():
    """Return all engines of all tasks."""
    for name, task in TASKS.items():
        for engine in task.engines:
            yield pytest.param(task, engine, id=f"{name}-{engine}")


@pytest.mark.parametrize(("task", "engine"), [*contestants()])
def test_every_answer_is_right(task, engine):
    """All participants return the same right answer before their times count."""
    requirement = runner.missing(engine)
    if requirement is not None:
        pytest.skip(f"{engine} is not installed: pip install '{requirement}'")
    call, is_right, _ = task.prepare(engine)
    assert is_right(call())


def wrong(task):
    """Return an answer that is wrong for *task*."""
    match task:
        case Scores():
            return [0.0] * task.quotes.count
        case Repetitive():
            return [0.0]
        case ChangingPatterns():
            return []
        case FixedPatterns():
            return [[]]
        case Grounding():
            return ({}, None)
        case _:
            return ""


@pytest.mark.parametrize(("task", "engine"), [*contestants()])
def test_a_wrong_answer_is_noticed(task, engine):
    """A wrong copy is noticed; with a high cutoff the right answer is nothing, and rapidfuzz's answer then decides."""
    is_known = engine != "memcpy" and not (task is TASKS["high-cutoff"] and engine == "groundwire")
    if runner.missing(engine) is None and is_known:
        assert not task.prepare(engine).is_right(wrong(task))


def test_rapidfuzz_scores_a_sample_of_all_kinds():
    """The sample has the stated size and is spread over the quotes; the time is for one quote."""
    assert [TASKS["sampled"].prepare(engine).operations for engine in ("groundwire", "rapidfuzz")] == [70, 35]
    large = Scores(dataclasses.replace(MIXED, count=300), 85.0, Way.TOGETHER)
    assert large.prepare("rapidfuzz").operations == 22


def test_patterns_are_as_many_and_as_different_as_promised():
    """No phrase and no hedge is repeated."""
    assert len({*hedges("")}) == len(hedges("")) == 300
    long = CORPUS.text(200_000).read()
    assert len({*phrases(long)}) == len(phrases(long)) == 10_000


def test_a_fibonacci_word_is_one():
    """Each word is the two before it joined."""
    assert fibonacci(13) == "abaababaabaab"


def test_rows_have_names_targets_and_reasons():
    """Names are unique and none is part of the short table; a target's competitor takes part."""
    rows = reach(CORPUS)
    assert len({row.name for row in (*rows, *CASES)}) == len(rows) + len(CASES)
    for row in rows:
        assert row.name.startswith("reach/")
        assert row.what
        assert row.why
        assert not row.is_short
        assert {"groundwire", *row.bar.others} <= {*row.task.engines}


def test_means_are_of_existing_rows():
    """The name of a mean selects its rows."""
    rows = reach(CORPUS)
    [mean] = [row for row in rows if isinstance(row, Mean)]
    assert len(mean.cases) == 9
    assert all(case in rows and case.name.startswith(f"{mean.name}/") for case in mean.cases)


def test_a_mean_is_geometric():
    """It is the geometric mean of medians, and thus of ratios; finished rows do not run again."""
    bar = Bar(Measure.FASTER, "reference", 1e-9)
    cells = tuple(
        Benchmark(f"small/{chars}", "normalise", Normalize(Synthetic("curly", chars)), "quick", bar)
        for chars in (100, 900)
    )
    mean = Mean("small", "normalise", cells, "quick", bar)
    first, second, both = run([*cells, mean], budget_s=0.0)
    assert both.value == pytest.approx((first.value * second.value) ** 0.5)
    assert both.is_met
    [alone] = run([mean], budget_s=0.0)
    assert [*alone.medians] == ["groundwire", "reference"]


def test_a_target_is_compared_with_the_best_competitor():
    """Only participants with a result count."""
    bar = Bar(Measure.FASTER, ("slow", "quick", "absent"), 2)
    assert bar.value({"groundwire": 1.0, "slow": 9.0, "quick": 3.0}) == 3.0
    assert bar.best({"slow": 9.0, "quick": 3.0}) == "quick"
    assert bar.value({"groundwire": 1.0}) is None
    assert str(bar) == "≥ 2× the best of 3"
