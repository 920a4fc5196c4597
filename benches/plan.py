"""
Time the engine's plan for partial ratio against every fixed strategy.

    python benches/plan.py                        the whole grid; takes many minutes
    python benches/plan.py --text 10000 --count 1 only these sizes
    python benches/plan.py --chars 50 --cutoff 85 only these lengths and cutoffs
    python benches/plan.py --goal window          windows as well as scores

A cell combines a text length, a number of quotes, their length and kind, and a
cutoff. All strategies must return the same scores before a time counts. Each time
is the minimum processor time of several interleaved rounds. The texts are real if
the folder `shared` is beside the project or GROUNDWIRE_SHARED names it; otherwise
they are synthetic. Needs cargo.

Exit code 1: in some cell, the plan takes more than 1.15 times as long as the
fastest strategy.
"""

import argparse
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from corpora import english
from groundwire.benchmarks.corpus import Kind, Quotes

ROOT = Path(__file__).resolve().parents[1]

CHARS = (10, 20, 50, 100, 200, 400)
TEXTS = (1_000, 2_000, 10_000, 100_000, 1_000_000)
CUTOFFS = (0, 60, 75, 85, 95)
COUNTS = (1, 10, 100)
KINDS = (Kind.TYPOS, Kind.NEAR, Kind.ABSENT)

LIMIT = 1.15
"""Maximum time of the plan, as a multiple of the fastest strategy's time."""

# Length of the other text that absent quotes come from.
_OTHER_CHARS = 500_000

# Minimum length of quotes that are similar but not equal to a passage. There are too few distinct shorter ones.
_MIN_NEAR_CHARS = 20

_BUILD = ("cargo", "build", "--quiet", "--release", "--package", "groundwire-engine", "--example", "plan")
_PROGRAM = ROOT / "target" / "release" / "examples" / "plan"


@dataclass(frozen=True)
class Cell:
    """A text length, quotes of one length and kind, a cutoff and a goal."""

    text: int
    count: int
    chars: int
    cutoff: int
    kind: Kind
    goal: str

    def __str__(self) -> str:
        """Return the name of the cell."""
        cutoff = f"cutoff {self.cutoff}" if self.cutoff else "no cutoff"
        return f"n {self.text:,}, {self.count} of m {self.chars}, {cutoff}, {self.kind}, {self.goal}"

    @property
    def quotes(self) -> Quotes:
        """The quotes; most of those from the text contain typing errors."""
        corpus = english()
        return Quotes(corpus.text(self.text), corpus.other(_OTHER_CHARS), self.count, (self.chars,), (self.kind,))


@dataclass(frozen=True)
class Outcome:
    """The times of the plan and of the fastest strategy in a cell."""

    cell: Cell
    plan_ns: int
    best: str
    best_ns: int

    @property
    def ratio(self) -> float:
        """The time of the plan, as a multiple of the fastest strategy's time."""
        return self.plan_ns / self.best_ns

    def __str__(self) -> str:
        """Describe the outcome in one line."""
        return f"{self.ratio:5.2f}  {self.cell}: {self.plan_ns / 1e3:,.1f} µs, {self.best} {self.best_ns / 1e3:,.1f} µs"


def main() -> int:
    """Measure the selected cells and print the outcomes."""
    arguments = parse()
    subprocess.run(_BUILD, cwd=ROOT, check=True)
    outcomes = [outcome for text in arguments.text for outcome in measure(text, arguments)]
    print(*table(outcomes), sep="\n")
    over = sorted((outcome for outcome in outcomes if outcome.ratio > LIMIT), key=lambda outcome: -outcome.ratio)
    print(f"\n{len(over)} of {len(outcomes)} cells above {LIMIT}", *over, sep="\n")
    return 1 if over else 0


def parse() -> argparse.Namespace:
    """Parse the selected sizes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, sizes in (("text", TEXTS), ("count", COUNTS), ("chars", CHARS), ("cutoff", CUTOFFS)):
        parser.add_argument(f"--{name}", type=int, nargs="+", choices=sizes, default=sizes, metavar="N")
    parser.add_argument("--kind", type=Kind, nargs="+", choices=KINDS, default=KINDS, metavar="KIND")
    parser.add_argument("--goal", choices=("score", "window"), default="score")
    return parser.parse_args()


def cells(text: int, arguments: argparse.Namespace) -> Iterator[Cell]:
    """Yield the selected cells for a text length."""
    sizes = product(arguments.count, arguments.chars, arguments.cutoff, arguments.kind)
    for count, chars, cutoff, kind in sizes:
        if kind is not Kind.NEAR or chars >= _MIN_NEAR_CHARS:
            yield Cell(text, count, chars, cutoff, kind, arguments.goal)


def measure(text: int, arguments: argparse.Namespace) -> Iterator[Outcome]:
    """Yield the outcomes of all selected cells for a text length."""
    selected = [*cells(text, arguments)]
    lines = [english().text(text).read()]
    lines += ["\t".join((str(cell), cell.goal, str(cell.cutoff), *cell.quotes.read())) for cell in selected]
    with subprocess.Popen(
        _PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", errors="strict"
    ) as program:
        output, _ = program.communicate("\n".join(lines) + "\n")
    if program.returncode:
        raise SystemExit(program.returncode)
    for cell, line in zip(selected, output.splitlines(), strict=True):
        yield read(cell, line.split("\t")[1:])


def read(cell: Cell, fields: Sequence[str]) -> Outcome:
    """Parse the program's output for *cell*: alternating names and times of strategies, with the plan first."""
    times = dict(zip(fields[::2], map(int, fields[1::2]), strict=True))
    plan_ns = times.pop("plan")
    # The program omits strategies that are far slower than the plan.
    others = times or {"plan": plan_ns}
    best = min(others, key=others.__getitem__)
    return Outcome(cell, plan_ns, best, others[best])


def table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield lines with the median and maximum ratio for each text length and number of quotes."""
    yield f"{'text':>10} {'quotes':>7} {'cells':>6} {'median':>7} {'worst':>6} {'above':>6}"
    sizes = dict.fromkeys((outcome.cell.text, outcome.cell.count) for outcome in outcomes)
    groups = [[outcome for outcome in outcomes if (outcome.cell.text, outcome.cell.count) == size] for size in sizes]
    for (text, count), group in (*zip(sizes, groups, strict=True), (("all", ""), outcomes)):
        ratios = [outcome.ratio for outcome in group]
        above = sum(ratio > LIMIT for ratio in ratios)
        shown = f"{text:>10,}" if isinstance(text, int) else f"{text:>10}"
        yield f"{shown} {count:>7} {len(group):>6} {statistics.median(ratios):>7.2f} {max(ratios):>6.2f} {above:>6}"


if __name__ == "__main__":
    sys.exit(main())
