"""
Race the search for duplicates against sketching libraries, and see how it grows.

    pip install datasketch rensa
    python benches/dedup.py

First table: queries a second among 100,000 generated claims at 0.92, from the text
to the answer; answers are compared with brute force before anything is timed, and
what the others miss is printed. Second table: one check by `DedupChecker`, its store
answering by `MemoryIndex`. Rounds take turns; times are CPU time.
"""

import asyncio
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from groundwire._engine import JaccardIndex
from groundwire.benchmarks.runner import refuse_debug_build
from groundwire.ingestion import DedupChecker, MemoryIndex, jaccard_similarity

THRESHOLD = 0.92
TEXTS, QUERIES, CHECKED, PASSES, ROUNDS = 100_000, 1_000, 60, 10, 5
SIZES = (100_000, 1_000_000)
HASHES = 128
LEAST_RATIO = {"datasketch": 20.0, "rensa": 5.0}
MOST_SECONDS, MOST_GROWTH, MOST_BYTES = 1e-3, 2.0, 200

Answer = Callable[[str], list[Any]]
"""What a library returns: numbers of texts, ours with their similarity."""


def vocabulary(size: int, chance: random.Random) -> tuple[list[str], list[float]]:
    """Words of letters, and how frequent each and all before it are: Zipf's law, as in prose."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = list({"".join(chance.choices(letters, k=chance.randint(2, 9))) for _ in range(size)})
    frequencies = list(accumulate(1 / (rank + 2.7) for rank in range(1, len(words) + 1)))
    return sorted(words, key=lambda word: (len(word), word)), frequencies


def claims(count: int, seed: int) -> Iterator[str]:
    """Claims of 8 to 20 words, many with a name or a number, every tenth an edited copy of an earlier one."""
    chance = random.Random(seed)
    words, frequencies = vocabulary(30_000, random.Random(1))
    recent: list[list[str]] = []
    for _ in range(count):
        if recent and chance.random() < 0.1:
            claim = list(chance.choice(recent))
            claim[chance.randrange(len(claim))] = chance.choice(words)
        else:
            claim = chance.choices(words, cum_weights=frequencies, k=chance.randint(8, 20))
            if chance.random() < 0.4:
                claim[chance.randrange(1, len(claim))] = str(chance.randrange(10_000))
            if chance.random() < 0.3:
                claim[chance.randrange(1, len(claim))] = chance.choice(words).capitalize()
            if len(recent) < 2_000:
                recent.append(claim)
        yield " ".join(claim)


def queries(texts: list[str], count: int) -> list[str]:
    """Half of them copies of *texts* with a word more, half new."""
    chance = random.Random(3)
    copies = [f"{chance.choice(texts)} indeed" for _ in range(count // 2)]
    return copies + list(claims(count - len(copies), seed=4))


def by_groundwire(texts: list[str]) -> Answer:
    """The exact index."""
    index = JaccardIndex(floor=THRESHOLD, tokens="spec")
    for text in texts:
        index.insert(text)
    return lambda text: index.query(text, THRESHOLD)


def numbers(found: list[Any]) -> set[int]:
    """The numbers of what was found."""
    return {each[0] if isinstance(each, tuple) else each for each in found}


def by_datasketch(texts: list[str]) -> Answer:
    """MinHash and LSH with the library's own parameters for the threshold."""
    from datasketch import MinHash, MinHashLSH

    def sketch(text: str) -> MinHash:
        minhash = MinHash(num_perm=HASHES)
        minhash.update_batch([word.encode() for word in set(text.lower().split())])
        return minhash

    lsh = MinHashLSH(threshold=THRESHOLD, num_perm=HASHES)
    for number, text in enumerate(texts):
        lsh.insert(number, sketch(text))
    return lambda text: lsh.query(sketch(text))


def by_rensa(texts: list[str]) -> Answer:
    """The same sketches in Rust; 16 bands of 8 hashes."""
    from rensa import RMinHash, RMinHashLSH

    def sketch(text: str) -> RMinHash:
        minhash = RMinHash(num_perm=HASHES, seed=42)
        minhash.update(list(set(text.lower().split())))
        return minhash

    lsh = RMinHashLSH(threshold=THRESHOLD, num_perm=HASHES, num_bands=16)
    for number, text in enumerate(texts):
        lsh.insert(number, sketch(text))
    return lambda text: lsh.query(sketch(text))


def recall(answer: Answer, asked: list[str], expected: list[set[int]]) -> float:
    """The share of what brute force finds that is found."""
    found = [numbers(answer(text)) & right for text, right in zip(asked, expected, strict=True)]
    return sum(map(len, found)) / sum(map(len, expected))


def seconds(answer: Answer, asked: list[str]) -> float:
    """The CPU time of one query, of many after those of another library."""
    begin = time.thread_time_ns()
    for _ in range(PASSES):
        for text in asked:
            answer(text)
    return (time.thread_time_ns() - begin) / PASSES / len(asked) / 1e9


def race() -> bool:
    """Print the first table; say whether all ratios are reached."""
    texts = list(claims(TEXTS, seed=2))
    asked = queries(texts, QUERIES)
    checked = asked[:: QUERIES // CHECKED]
    expected = [
        {number for number, other in enumerate(texts) if jaccard_similarity(text, other) >= THRESHOLD}
        for text in checked
    ]
    answers = {
        "groundwire": by_groundwire(texts),
        "datasketch": by_datasketch(texts),
        "rensa": by_rensa(texts),
    }
    if [numbers(answers["groundwire"](text)) for text in checked] != expected:
        raise SystemExit("the answers differ from those of brute force")
    rounds = [{name: seconds(answer, asked) for name, answer in answers.items()} for _ in range(ROUNDS)]
    print("| | queries a second | groundwire is faster by | recall |\n| --- | ---: | ---: | ---: |")
    is_reached = True
    for name, answer in answers.items():
        ratio = statistics.median(times[name] / times["groundwire"] for times in rounds)
        rate = 1 / min(times[name] for times in rounds)
        print(f"| {name} | {rate:,.0f} | {ratio:.1f} | {recall(answer, checked, expected):.3f} |")
        is_reached &= ratio >= LEAST_RATIO.get(name, 0.0)
    return is_reached


@dataclass(frozen=True, slots=True)
class Memory:
    """A memory."""

    id: str
    content: str
    memory_type: str = "fact"


class Store:
    """Memories in a list, found by an index."""

    def __init__(self, texts: Iterator[str]) -> None:
        self.contents: list[str] = []
        self.index = MemoryIndex(THRESHOLD)
        for number, text in enumerate(texts):
            self.contents.append(text)
            self.index.add(number, text, "user")

    async def candidates(self, content: str, user_id: str, memory_type: str | None = None) -> list[Memory]:  # noqa: ARG002 - the protocol's signature
        """The memories that the index names."""
        return [Memory(str(number), self.contents[number]) for number in self.index.similar(content, user_id)]


async def check_seconds(checker: DedupChecker, asked: list[str]) -> list[float]:
    """The CPU time of each check."""
    times = []
    for text in asked:
        begin = time.thread_time_ns()
        await checker.check_duplicate(text, "user", "fact")
        times.append((time.thread_time_ns() - begin) / 1e9)
    return times


def growth() -> bool:
    """Print the second table; say whether a check is fast enough, and grows slowly enough."""
    print("\n| memories | median, µs | 99 %, µs | bytes a memory |\n| ---: | ---: | ---: | ---: |")
    medians, is_reached = [], True
    for size in SIZES:
        store = Store(claims(size, seed=2))
        asked = queries(store.contents, QUERIES)
        checker = DedupChecker(store, THRESHOLD, tokens="unicode")
        asyncio.run(check_seconds(checker, asked[:20]))
        times = sorted(asyncio.run(check_seconds(checker, asked)))
        bytes_each = sys.getsizeof(store.index) / size
        medians.append(statistics.median(times))
        print(f"| {size:,} | {medians[-1] * 1e6:.0f} | {times[len(times) * 99 // 100] * 1e6:.0f} | {bytes_each:.0f} |")
        is_reached &= medians[-1] <= MOST_SECONDS and bytes_each <= MOST_BYTES
    print(f"\nGrowth of the median: {medians[-1] / medians[0]:.2f}")
    return is_reached and medians[-1] / medians[0] < MOST_GROWTH


def main() -> int:
    """Print both tables; exit code 1: a figure is not reached."""
    refuse_debug_build()
    results = (race(), growth())
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
