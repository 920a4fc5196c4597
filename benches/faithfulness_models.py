"""
What embeddings add to the validation of a persona, beside the bare calls of the embedder.

    python benches/faithfulness_models.py [--rounds N] [--megabytes N [--only-rules]] [--cache]

The embedder is the static model of the package `tokenlearn-static-model`. A made-up transcript
of a megabyte is prepared, then validated against by thirty claims: without a model, with
embeddings of every window, with embeddings that are kept, and the same windows and claims are
given to the embedder alone; one after the other in each round. CPU time of the process.
Answers are checked: the best evidence by embeddings is that of the best cosine in the bare
vectors, unless a number, a name or a denial differs.

`--megabytes 500` streams an interview of that size instead, once, and prints the most memory;
with `--only-rules` without a model.
"""

import argparse
import random
import resource
import statistics
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

from groundwire.benchmarks.corpus import transcript
from groundwire.benchmarks.runner import refuse_debug_build
from groundwire.embedding import CachedEmbedder, StaticEmbedder
from groundwire.faithfulness import FaithfulnessValidator, Layer, PreparedSources
from groundwire.faithfulness.support.similarity import windows_of

CHARS, CLAIMS, MOST = 1_000_000, 30, 1.3


def persona(text: str) -> dict[str, object]:
    """Thirty statements: words of the text, in another order."""
    words = [word.strip(".,;:?!<>").lower() for word in text.split() if word.isalpha()]
    step = len(words) // CLAIMS
    chosen = [words[place * step : place * step + 9] for place in range(CLAIMS)]
    return {"facts": [f"She {' '.join(reversed(each))}" for each in chosen]}


def seconds(work: Callable[[], object]) -> float:
    """CPU time of the process."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def check(result, embedder: StaticEmbedder, texts: list[str]) -> None:
    """The best evidence is that of the best cosine."""
    vectors = embedder.encode(texts)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    validator = FaithfulnessValidator(embedder=embedder)
    score_of = validator._models.similarity.score_of
    equal = 0
    for claim in result.claim_details:
        asked = embedder.encode([f"{claim.details.cue}: {claim.details.value}"])[0]
        best = score_of(float((vectors @ (asked / np.linalg.norm(asked))).max()))
        every = (*claim.evidence, *claim.near_misses)
        found = max((each.score for each in every if each.layer is Layer.EMBEDDING), default=0.0)
        if found > best + 1e-5:
            raise SystemExit(f"evidence of {found}, and the best cosine gives {best}")
        equal += abs(found - best) < 1e-5
    if equal < CLAIMS // 3:
        raise SystemExit(f"only {equal} of {CLAIMS} claims have the score of the best cosine")


def compare(rounds: int, *, is_cached: bool) -> None:
    """Measure in rounds, print medians and ratios."""
    text = transcript("english", CHARS)
    sources, claims = PreparedSources(text), persona(text)
    embedder = StaticEmbedder.from_package("static_model")
    windows = [window for part in sources.parts for unit in part.units for window in windows_of(unit)]
    texts = [window.unit.text[window.start : window.end] for window in windows]
    asked = [f"Fact: {fact}" for fact in claims["facts"]]
    check(FaithfulnessValidator(embedder=embedder).validate(persona=claims, source_data=sources), embedder, texts)

    def validate(**models):
        # A new validator, which keeps no vectors of the one before.
        return FaithfulnessValidator(**models).validate(persona=claims, source_data=sources)

    kept = FaithfulnessValidator(embedder=embedder)
    kept.validate(persona=claims, source_data=sources)
    with tempfile.TemporaryDirectory() as folder:
        cached = CachedEmbedder(embedder, Path(folder, "vectors.sqlite3"))
        cached.encode([*texts, *asked])
        ways = {
            "without a model": validate,
            "bare encode calls": lambda: embedder.encode([*asked, *texts]),
            "with embeddings": lambda: validate(embedder=embedder),
            "with vectors in memory": lambda: kept.validate(persona=claims, source_data=sources),
            **({"with vectors in a file": lambda: validate(embedder=cached)} if is_cached else {}),
        }
        measured = {name: [] for name in ways}
        for _ in range(rounds):
            for name, work in ways.items():
                measured[name].append(seconds(work))
    medians = {name: statistics.median(each) for name, each in measured.items()}
    print(f"{len(text):,} characters, {len(texts):,} windows, {CLAIMS} claims, {rounds} rounds")
    for name, median in medians.items():
        print(f"{name:24} {1000 * median:8.1f} ms")
    bare, without = medians["bare encode calls"], medians["without a model"]
    pairs = zip(measured["with embeddings"], measured["bare encode calls"], measured["without a model"], strict=True)
    added = statistics.median((both - rules) / encoding for both, encoding, rules in pairs)
    print(f"embeddings add {added:.2f} times the bare calls (at most {MOST})")
    print(f"all takes {medians['with embeddings'] / bare:.2f} times the bare calls, rules alone {without / bare:.2f}")


VERBS = ("like", "hate", "use", "prefer", "avoid", "miss", "want", "need", "repair", "order")
THINGS = (
    *("email", "phone", "map", "chart", "boat", "ladder", "recipe"),
    *("invoice", "parcel", "train", "engine", "garden", "lamp", "window"),
)
STREAMED = {
    "name": "Ann",
    "age": 34,
    "occupation": "Engineer",
    "bio": "Ann repairs the boat 7 days of the week. She hates email.",
    "goals": ["Order fewer parcels"],
    "quote": "I like the ladder number 12 very much",
}


def write_interview(path: Path, megabytes: int) -> None:
    """An interview of that size, the same each time: what one person likes, does, and how often."""
    chosen, written = random.Random(1), 0
    with path.open("w", encoding="utf-8") as file:
        while written < megabytes * 1_000_000:
            written += file.write(
                f"Interviewer: What about the {chosen.choice(THINGS)}?\n"
                f"Ann: I {chosen.choice(VERBS)} the {chosen.choice(THINGS)} number {chosen.randrange(1000)} very much, "
                f"and I do it {chosen.randrange(2, 9)} days of the week. My {chosen.choice(THINGS)} is at home.\n"
            )


def stream(megabytes: int, *, only_rules: bool) -> None:
    """Validate against a large file, part by part."""
    models = {} if only_rules else {"embedder": StaticEmbedder.from_package("static_model")}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "large.txt")
        write_interview(path, megabytes)
        begin = time.process_time()
        result = FaithfulnessValidator(**models).validate(persona=STREAMED, source_data=path)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    taken = time.process_time() - begin
    print(f"{megabytes} MB, {result.backend}: {taken:.0f} s of CPU time, {peak} MB of memory")


def main() -> None:
    """Measure, print."""
    refuse_debug_build()
    warnings.simplefilter("ignore", RuntimeWarning)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--megabytes", type=int)
    parser.add_argument("--only-rules", action="store_true")
    parser.add_argument("--cache", action="store_true")
    arguments = parser.parse_args()
    if arguments.megabytes:
        stream(arguments.megabytes, only_rules=arguments.only_rules)
    else:
        compare(arguments.rounds, is_cached=arguments.cache)


if __name__ == "__main__":
    main()
