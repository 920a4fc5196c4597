"""
Measure how times grow, and draw it.

    python benches/curves.py                     all figures, some minutes
    python benches/curves.py --only patterns     measure one figure again
    python benches/curves.py --draw              only draw, from the record

The record is benches/record/curves.json, the figures are in docs/figures/. Lines are
medians, and bands reach from the lower to the upper quartile of the rounds. Texts
are those of benches/record.py; quotes are a third with slips, a third near misses, a
third absent, and a time is that of one quote.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles
from time import thread_time
from typing import Any, NamedTuple

from corpora import english
from drawing import draw
from groundwire.benchmarks.corpus import CUTOFF, Kind, Quotes
from groundwire.benchmarks.runner import machine, refuse_debug_build, samples
from groundwire.benchmarks.score_tasks import Scores, Way
from groundwire.benchmarks.search_tasks import ChangingPatterns
from groundwire.benchmarks.tasks import Contestant

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "benches" / "record" / "curves.json"
FIGURES = ROOT / "docs" / "figures"
BUDGET_S = 1.0

CHARS = 60
LONG = 1_000_000

Contestants = dict[str, Contestant]


class Curve(NamedTuple):
    """A figure: what grows, to which sizes, and who takes part at each of them."""

    title: str
    label: str
    sizes: tuple[float | None, ...]
    contestants: Callable[[Any], Contestants]


def scorers(
    count: int,
    *,
    chars: int = CHARS,
    text_chars: int = LONG,
    cutoff: float | None = CUTOFF,
    kinds: tuple[Kind, ...] = (Kind.TYPOS, Kind.NEAR, Kind.ABSENT),
) -> Contestants:
    """Return us, with and without a prepared source, and rapidfuzz."""
    corpus = english()
    quotes = Quotes(corpus.text(text_chars), corpus.other(LONG // 2), count, (chars,), kinds)
    together, prepared = (Scores(quotes, cutoff, way) for way in (Way.TOGETHER, Way.PREPARED))
    return {
        "groundwire": together.prepare("groundwire"),
        "groundwire, prepared": prepared.prepare("groundwire"),
        "rapidfuzz": together.prepare("rapidfuzz"),
    }


def counted_scorers(count: int) -> Contestants:
    """Return scorers for *count* quotes; a single quote is scored three times, so that all kinds have their share."""
    if count > 1:
        return scorers(count)
    kinds = [scorers(1, kinds=(kind,)) for kind in (Kind.TYPOS, Kind.NEAR, Kind.ABSENT)]
    return {name: in_turn([each[name] for each in kinds]) for name in kinds[0]}


def in_turn(contestants: list[Contestant]) -> Contestant:
    """Return a contestant that does what each of *contestants* does."""

    def is_right(results: list[object]) -> bool:
        return all(each.is_right(result) for each, result in zip(contestants, results, strict=True))

    operations = sum(each.operations for each in contestants)
    return Contestant(lambda: [each.call() for each in contestants], is_right, operations)


def searchers(count: int) -> Contestants:
    """Return all that find patterns, construction within the time."""
    corpus = english()
    text, other = (part(LONG, is_normalized=False) for part in (corpus.text, corpus.other))
    task = ChangingPatterns(count, text, other)
    return {engine: task.prepare(engine) for engine in task.engines}


CURVES = {
    "text": Curve(
        f"30 quotes of {CHARS} characters, cutoff 85",
        "characters of text",
        (10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000),
        lambda size: scorers(30, text_chars=size),
    ),
    "quotes": Curve(
        f"quotes of {CHARS} characters in a text of 1,000,000, cutoff 85",
        "quotes in one call",
        (1, 3, 10, 30, 100, 300, 1_000),
        counted_scorers,
    ),
    "length": Curve(
        "100 quotes in a text of 1,000,000 characters, cutoff 85",
        "characters of each quote",
        (20, 30, 50, 64, 100, 150, 200, 300, 400),
        lambda size: scorers(100, chars=size),
    ),
    "cutoff": Curve(
        f"30 quotes of {CHARS} characters in a text of 1,000,000",
        "cutoff",
        (None, 60, 65, 70, 75, 80, 85, 90, 95, 100),
        lambda size: scorers(30, cutoff=size),
    ),
    "patterns": Curve(
        "new patterns of 20 to 200 characters in a text of 1,000,000, built within the time",
        "patterns in one call",
        (1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000),
        searchers,
    ),
}


def points(curve: Curve) -> Iterator[dict[str, Any]]:
    """Yield for each size each contestant's lower quartile, median and upper quartile, measured by turns."""
    for size in curve.sizes:
        contestants = curve.contestants(size)
        for name, each in contestants.items():
            if not each.is_right(each.call()):
                raise SystemExit(f"{name} is wrong at {curve.label} {size}")
        calls = {name: each.call for name, each in contestants.items()}
        times = samples(calls, budget_s=BUDGET_S, clock=thread_time)
        yield {"size": size, "seconds": {name: spread(times[name], each) for name, each in contestants.items()}}


def spread(times: list[float], contestant: Contestant) -> list[float]:
    """Return lower quartile, median and upper quartile of an operation."""
    low, _, high = quantiles(times, method="inclusive") if len(times) > 1 else times * 3
    # Patterns are timed by the call: how many there are is what the figure shows.
    return [each / contestant.operations for each in (low, median(times), high)]


def measure(only: str | None) -> None:
    """Measure all curves, or *only* one, and put them into the record."""
    refuse_debug_build()
    curves = json.loads(RECORD.read_text(encoding="utf-8"))["curves"] if RECORD.is_file() else {}
    for name, curve in CURVES.items():
        if only in (None, name):
            print(name, file=sys.stderr)
            curves[name] = {"title": curve.title, "label": curve.label, "points": [*points(curve)]}
    record = {
        "command": "python benches/curves.py",
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "curves": {name: curves[name] for name in CURVES if name in curves},
    }
    RECORD.parent.mkdir(exist_ok=True)
    RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def main() -> None:
    """Measure what is asked for, and draw what is in the record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=CURVES, help="measure this figure; the others stay as they are")
    parser.add_argument("--draw", action="store_true", help="measure nothing")
    arguments = parser.parse_args()
    if not arguments.draw:
        measure(arguments.only)
    draw(json.loads(RECORD.read_text(encoding="utf-8")), FIGURES)


if __name__ == "__main__":
    main()
