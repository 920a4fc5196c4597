"""What a row of the benchmarks is: something measured, or the mean of such."""

from dataclasses import dataclass

from groundwire.benchmarks.bars import Bar
from groundwire.benchmarks.tasks import Task

__all__ = ["Benchmark", "Mean"]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """
    One benchmark.

    Attributes:
        name: Topic, then what tells it from others of the topic.
        what: What is done.
        task: How it is done, by whom, on which text, and what is right.
        why: Why it is here.
        bar: What is promised; None: nothing is.
        is_short: It is part of the short form too.
    """

    name: str
    what: str
    task: Task
    why: str
    bar: Bar | None = None
    is_short: bool = True


@dataclass(frozen=True, slots=True)
class Mean:
    """
    The geometric mean of cases of one kind, each of which is measured by itself.

    The ratio of two geometric means is the geometric mean of the ratios, so the bar
    is held to the means as that of a case is to its medians.

    Attributes:
        name: What the cases' names have in common.
        what: What is done.
        cases: What is measured, with the same engines.
        why: Why the mean is looked at.
        bar: What is promised.
        is_short: It is part of the short form too.
    """

    name: str
    what: str
    cases: tuple[Benchmark, ...]
    why: str
    bar: Bar | None = None
    is_short: bool = False

    @property
    def task(self) -> Task:
        """The first of the tasks: text and unit are theirs."""
        return self.cases[0].task
