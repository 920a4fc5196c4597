"""
Time the plan that the engine chooses against each single way forced.

    python benches/plan.py                        the whole grid, many minutes
    python benches/plan.py --text 10000 --count 1 these sizes alone
    python benches/plan.py --chars 50 --cutoff 85 and so on
    python benches/plan.py --want window          windows too; otherwise scores alone

A cell is a length of the quotes, a length of the text, a cutoff, a number of
quotes, and whether they are there. The answers of all ways are held to be the
same before a time counts; times are processor time, the least of some rounds in
turn. The texts are real where the folder `shared` is beside the project, or where
GROUNDWIRE_SHARED says; else synthetic. Exit code 1: the plan takes more than 1.15
times as long as the best way in some cell. Needs cargo.
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
TEXTS = (2_000, 10_000, 100_000, 1_000_000)
CUTOFFS = (0, 60, 75, 85, 95)
COUNTS = (1, 10, 100)
KINDS = (Kind.TYPOS, Kind.NEAR, Kind.ABSENT)

LIMIT = 1.15
"""How many times as long as the best way the plan may take."""

# Absent quotes come from so many characters of another text.
_OTHER_CHARS = 500_000

# Below this many characters there are not enough different quotes that are near and no more.
_MIN_NEAR_CHARS = 20

_BUILD = ("cargo", "build", "--quiet", "--release", "--package", "groundwire-engine", "--example", "plan")
_PROGRAM = ROOT / "target" / "release" / "examples" / "plan"


@dataclass(frozen=True)
class Cell:
    """What is asked: quotes of some length and kind, a text, a cutoff."""

    text: int
    count: int
    chars: int
    cutoff: int
    kind: Kind
    want: str

    def __str__(self) -> str:
        """Name the cell."""
        cutoff = f"cutoff {self.cutoff}" if self.cutoff else "no cutoff"
        return f"n {self.text:,}, {self.count} of m {self.chars}, {cutoff}, {self.kind}, {self.want}"

    @property
    def quotes(self) -> Quotes:
        """The quotes; most of those that are there have slips."""
        corpus = english()
        return Quotes(corpus.text(self.text), corpus.other(_OTHER_CHARS), self.count, (self.chars,), (self.kind,))


@dataclass(frozen=True)
class Outcome:
    """How long the plan took in a cell, and the best way."""

    cell: Cell
    plan_ns: int
    best: str
    best_ns: int

    @property
    def ratio(self) -> float:
        """How many times as long as the best way the plan takes."""
        return self.plan_ns / self.best_ns

    def __str__(self) -> str:
        """Say it in a line."""
        return f"{self.ratio:5.2f}  {self.cell}: {self.plan_ns / 1e3:,.1f} µs, {self.best} {self.best_ns / 1e3:,.1f} µs"


def main() -> int:
    """Measure the cells that are asked for and print what came out."""
    arguments = parse()
    subprocess.run(_BUILD, cwd=ROOT, check=True)
    outcomes = [outcome for text in arguments.text for outcome in measure(text, arguments)]
    print(*table(outcomes), sep="\n")
    over = sorted((outcome for outcome in outcomes if outcome.ratio > LIMIT), key=lambda outcome: -outcome.ratio)
    print(f"\n{len(over)} of {len(outcomes)} cells above {LIMIT}", *over, sep="\n")
    return 1 if over else 0


def parse() -> argparse.Namespace:
    """Return the sizes that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, sizes in (("text", TEXTS), ("count", COUNTS), ("chars", CHARS), ("cutoff", CUTOFFS)):
        parser.add_argument(f"--{name}", type=int, nargs="+", choices=sizes, default=sizes, metavar="N")
    parser.add_argument("--kind", type=Kind, nargs="+", choices=KINDS, default=KINDS, metavar="KIND")
    parser.add_argument("--want", choices=("score", "window"), default="score")
    return parser.parse_args()


def cells(text: int, arguments: argparse.Namespace) -> Iterator[Cell]:
    """Return the cells of a text."""
    sizes = product(arguments.count, arguments.chars, arguments.cutoff, arguments.kind)
    for count, chars, cutoff, kind in sizes:
        if kind is not Kind.NEAR or chars >= _MIN_NEAR_CHARS:
            yield Cell(text, count, chars, cutoff, kind, arguments.want)


def measure(text: int, arguments: argparse.Namespace) -> Iterator[Outcome]:
    """Return what the program says of the cells of a text."""
    asked = [*cells(text, arguments)]
    lines = [english().text(text).read()]
    lines += ["\t".join((str(cell), cell.want, str(cell.cutoff), *cell.quotes.read())) for cell in asked]
    with subprocess.Popen(
        _PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", errors="strict"
    ) as program:
        said, _ = program.communicate("\n".join(lines) + "\n")
    if program.returncode:
        raise SystemExit(program.returncode)
    for cell, line in zip(asked, said.splitlines(), strict=True):
        yield read(cell, line.split("\t")[1:])


def read(cell: Cell, fields: Sequence[str]) -> Outcome:
    """Read what the program says of *cell*: names of ways and times in turn, the plan first."""
    times = dict(zip(fields[::2], map(int, fields[1::2]), strict=True))
    plan_ns = times.pop("plan")
    # Ways that are far slower than the plan are not there.
    others = times or {"plan": plan_ns}
    best = min(others, key=others.__getitem__)
    return Outcome(cell, plan_ns, best, others[best])


def table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Return lines with the median and the worst ratio for each text and number of quotes."""
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
