"""
Race batches of answers, claims and texts against the functions for one, called row by row.

    pip install "groundwire[bulk]"
    python benches/bulk_others.py                  20,000 rows of each
    python benches/bulk_others.py --rows 100000    more
    python benches/bulk_others.py --claims tests/ingestion/hedges/plain_claims.txt    claims of a file, one a line

Answers of 3 to 8 made-up sentences, most of which cite one of six results; claims of one sentence, some of
which hedge or cite; texts of 8 to 25 words, of which a fifth repeats another one nearly. Times are CPU time
of the process, rounds take turns, and results are compared before anything is timed.
"""

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from groundwire._engine import JaccardIndex
from groundwire.benchmarks.runner import refuse_debug_build
from groundwire.bulk import assess_batch, claims_batch, dedup_batch
from groundwire.citations import assess_citations
from groundwire.ingestion import CitationDetector, HedgeDetector

ROWS, ROUNDS, THRESHOLD = 20_000, 3, 0.92
PROSE = (
    "tea water plant power grid market price report study shows that people often drink more in the morning than at "
    "night because it helps them wake while others prefer coffee from small shops near their home city river bank"
)
ENDS = [" I think.", " See ADR-003.", " Perhaps.", " https://example.org/a", "."]


class Case(NamedTuple):
    """A race: a batch, and the same row by row; *values* converts the batch to the results of rows."""

    name: str
    batch: Callable[[], Any]
    values: Callable[[Any], list[Any]]
    rows: Callable[[], list[Any]]


def sentence(chance: random.Random, least: int, most: int) -> str:
    """Words in a row, the first one with a capital."""
    return " ".join(chance.choices(PROSE.split(), k=chance.randint(least, most))).capitalize()


def answer(chance: random.Random) -> str:
    """Sentences, most of them with a citation, some of a result that is not there."""
    ends = (f" [{chance.randint(1, 9)}]." if chance.random() < 0.7 else "." for _ in range(chance.randint(3, 8)))
    return " ".join(sentence(chance, 6, 20) + end for end in ends)


def assessed(name: str, chance: random.Random, count: int, passage: str | None) -> Case:
    """Answers with the same results: ids alone, or with a passage."""
    answers = [answer(chance) for _ in range(count)]
    result = {"title": "a"} if passage is None else {"content": passage}
    results = [{"id": str(number), **result} for number in range(1, 7)]
    batch = pa.record_batch({"answer": answers, "results": pa.array([results] * count)})

    def by_rows() -> list[Any]:
        reports = (assess_citations(text, results) for text in answers)
        return [(each.level.value, each.score, each.citation_ratio, each.valid_citations) for each in reports]

    def values(made: Any) -> list[Any]:
        names = ("level", "score", "citation_ratio", "valid_citations")
        return list(zip(*(made[name].to_pylist() for name in names), strict=True))

    return Case(name, lambda: assess_batch(batch), values, by_rows)


def claimed(chance: random.Random, count: int) -> Case:
    """Claims, some of which hedge or cite."""
    return claims_of([sentence(chance, 6, 20) + chance.choice(ENDS) for _ in range(count)])


def claims_of(claims: list[str]) -> Case:
    """Return a case of these claims."""
    batch = pa.record_batch({"claim": claims})
    hedges, citations = HedgeDetector(), CitationDetector()

    def by_rows() -> list[Any]:
        return [(hedges.analyze(claim).action.value, len(citations.detect(claim))) for claim in claims]

    def values(made: Any) -> list[Any]:
        return [(action.as_py(), len(found)) for action, found in zip(made["action"], made["citations"], strict=True)]

    return Case("claims_batch", lambda: claims_batch(batch), values, by_rows)


def repeated(name: str, chance: random.Random, count: int, *, has_index: bool) -> Case:
    """Texts against each other, or against an index of as many."""
    base = [sentence(chance, 8, 25) for _ in range(count)]
    texts = [text if chance.random() < 0.8 else f"{chance.choice(base)} now" for text in base]
    batch = pa.record_batch({"text": texts})
    index = JaccardIndex(floor=THRESHOLD) if has_index else None
    if index is not None:
        for text in base:
            index.insert(text)

    def by_rows() -> list[Any]:
        known = JaccardIndex(floor=THRESHOLD) if index is None else index
        found = []
        for text in texts:
            hits = known.query(text, THRESHOLD, limit=1)
            found.append(hits[0][0] if hits else None)
            if index is None:
                known.insert(text)
        return found

    def values(made: Any) -> list[Any]:
        found: list[Any] = made["duplicate_of"].to_pylist()
        return found

    return Case(name, lambda: dedup_batch(batch, threshold=THRESHOLD, index=index), values, by_rows)


def seconds(work: Callable[[], object]) -> float:
    """CPU time of *work*."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--claims", type=Path, metavar="FILE")
    given = parser.parse_args()
    count = given.rows
    refuse_debug_build()
    if given.claims is not None:
        lines = given.claims.read_text("utf-8").splitlines()
        return race([claims_of(list(islice(cycle(lines), count)))])
    chance = random.Random(9)
    return race(all_cases(chance, count))


def all_cases(chance: random.Random, count: int) -> list[Case]:
    """Every function; answers with passages take long, so there are fewer."""
    return [
        assessed("assess_batch, ids alone", chance, count, None),
        assessed("assess_batch, a passage in each result", chance, count // 10, sentence(chance, 40, 40)),
        claimed(chance, count),
        repeated("dedup_batch, all pairs", chance, count, has_index=False),
        repeated("dedup_batch, with an index", chance, count, has_index=True),
    ]


def race(cases: list[Case]) -> int:
    """Print the table of *cases*."""
    print("| rows a second | batch | row by row | ratio |\n| --- | ---: | ---: | ---: |")
    for case in cases:
        result = case.rows()
        if case.values(case.batch()) != result:
            raise SystemExit(f"{case.name}: the batch gives other results")
        pairs = [(seconds(case.batch), seconds(case.rows)) for _ in range(ROUNDS)]
        batch, rows = (len(result) / min(pair[place] for pair in pairs) for place in (0, 1))
        ratio = statistics.median(rows_s / batch_s for batch_s, rows_s in pairs)
        print(f"| {case.name} | {batch:,.0f} | {rows:,.0f} | {ratio:.1f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
