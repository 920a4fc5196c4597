"""
Measure how well the hedges of `groundwire.ingestion` tell speculative sentences.

    python benches/quality/hedges.py --sets FOLDER

FOLDER holds hedge_bioscope.jsonl: sentences of abstracts with `id`, `text` and
`speculative`. A hash of the id parts them into halves. Whoever writes rules looks at
the open half alone; the held-out half decides. No text of the set is written.
"""

import argparse
import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from groundwire.ingestion.hedges import HedgeDetector

LEAST_F1 = LEAST_PRECISION = 0.80
HALVES = ("open", "held-out")

# What the document itself names, as whole words and without a rule.
PRINTED = (
    "I think|I guess|I believe|I assume|I don't know|not sure|I could be wrong|maybe|perhaps|"
    "may|might|typically|often|usually|approximately|around|roughly"
)
HEAD = """| | half | sentences | speculative | precision | recall | F1 |
| --- | --- | ---: | ---: | ---: | ---: | ---: |"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Counts of sentences classified correctly and incorrectly."""

    found: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        """Precision: the share of sentences called speculative that are; 0 if there are none."""
        return self.found / max(self.found + self.wrong, 1)

    @property
    def recall(self) -> float:
        """Recall: the share of speculative sentences called speculative; 0 if there are none."""
        return self.found / max(self.found + self.missed, 1)

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        return 2 * self.found / max(2 * self.found + self.wrong + self.missed, 1)


def half_of(sentence_id: str) -> str:
    """The half that a sentence belongs to, now and always."""
    return HALVES[sha256(sentence_id.encode()).digest()[0] & 1]


def measure(sentences: list[dict[str, object]], is_speculative: Callable[[str], bool]) -> Outcome:
    """Compare *is_speculative* with the labels."""
    pairs = [(is_speculative(str(sentence["text"])), bool(sentence["speculative"])) for sentence in sentences]
    return Outcome(pairs.count((True, True)), pairs.count((True, False)), pairs.count((False, True)))


def judges() -> dict[str, Callable[[str], bool]]:
    """Who is compared."""
    printed = re.compile(rf"\b(?:{PRINTED})\b", re.IGNORECASE)
    default, scientific = HedgeDetector(), HedgeDetector(scientific=True)
    return {
        "the document's words": lambda text: printed.search(text) is not None,
        "`HedgeDetector()`": lambda text: default.analyze(text).is_speculative,
        "`HedgeDetector(scientific=True)`": lambda text: scientific.analyze(text).is_speculative,
    }


def main(argv: list[str] | None = None) -> int:
    """Print the table; exit code 1: the scientific lexicon misses a bar on the held-out half."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=Path, required=True, metavar="FOLDER", help="where the labelled set is")
    path = parser.parse_args(argv).sets / "hedge_bioscope.jsonl"
    sentences = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    print(HEAD)
    for name, is_speculative in judges().items():
        for half in HALVES:
            rows = [sentence for sentence in sentences if half_of(sentence["id"]) == half]
            outcome = measure(rows, is_speculative)
            counts = f"{len(rows):,} | {outcome.found + outcome.missed:,}"
            scores = f"{outcome.precision:.3f} | {outcome.recall:.3f} | {outcome.f1:.3f}"
            print(f"| {name} | {half} | {counts} | {scores} |")
    is_met = outcome.f1 >= LEAST_F1 and outcome.precision >= LEAST_PRECISION
    print("met" if is_met else f"missed: at least {LEAST_F1} is wanted of precision and F1", file=sys.stderr)
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
