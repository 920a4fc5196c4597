"""
Time a persona against prepared sources.

    python benches/faithfulness.py [--chars 1000000] [--rounds 15]

A persona of 33 claims of all kinds, and interviews of a million characters: real ones where they are there, else made
up. CPU time of the process; the answers are those to sources that are not prepared, or there is no table.
"""

import argparse
import gc
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import astuple
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from corpora import CORPORA
from groundwire.benchmarks.corpus import transcript
from groundwire.benchmarks.runner import refuse_debug_build
from groundwire.faithfulness import FaithfulnessResult, FaithfulnessValidator, PreparedSources

MOST_S = 0.005
PERSONA = {
    "name": "Adam Keller",
    "age": 34,
    "occupation": "Software engineer",
    "location": "San Francisco",
    "education": "Bachelor in computer science",
    "experience_years": 12,
    "team_size": 6,
    "income": "$120,000",
    "marital_status": "Married",
    "children": 2,
    "started": "2012",
    "languages": ["English", "Spanish"],
    "tools": ["GitHub", "Kubernetes", "Slack"],
    "goals": [
        "Ship new features to production every day",
        "Spend less time on code reviews",
        "Learn more about machine learning",
    ],
    "frustrations": [
        "Slow builds in continuous integration",
        "Too many meetings in the morning",
        "Documentation that nobody keeps up to date",
    ],
    "hobbies": ["Playing the guitar", "Running", "Listening to podcasts"],
    "preferred_channel": "Email",
    "quotes": ["I love open source because everyone can read the code.", "I don't think we need another framework."],
    "bio": "He works from home three days a week. He never deploys on a Friday. He manages a team of six people. "
    "He prefers phone calls to emails. His first computer was a Commodore 64.",
}


def interviews(chars: int) -> tuple[str, str]:
    """Return what they are called, and their text."""
    path = CORPORA / "en_changelog_concat_5mb.txt"
    if path.is_file():
        return "podcasts, as it is", path.read_text(encoding="utf-8")[:chars]
    return "made-up transcript", transcript("english", chars, 0)[:chars]


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the CPU seconds that *work* takes, and its result."""
    gc.collect()
    begin = time.process_time()
    result = work()
    return time.process_time() - begin, result


def answers(result: FaithfulnessResult) -> list[object]:
    """Return all that was found of each claim."""
    return [astuple(claim) for claim in result.claim_details]


def measure(text: str, rounds: int) -> dict[str, list[float]]:
    """Return the seconds of each kind of work; prepared or not, sources give the same answers."""
    validator = FaithfulnessValidator()
    taken: dict[str, list[float]] = {"prepare": [], "validate": []}
    for _ in range(3):
        seconds, sources = timed(lambda: PreparedSources([("interviews", text)]))
        taken["prepare"].append(seconds)
    expected = answers(validator.validate(persona=PERSONA, source_data=[("interviews", text)]))
    for _ in range(rounds + 1):
        seconds, result = timed(lambda: validator.validate(persona=PERSONA, source_data=sources))
        taken["validate"].append(seconds)
        if answers(result) != expected:
            raise SystemExit("the answers differ")
    # The first one loads what the others have.
    del taken["validate"][0]
    return taken


def main() -> int:
    """Print the table; exit code 1: the figure is not reached."""
    refuse_debug_build()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chars", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=15)
    arguments = parser.parse_args()
    name, text = interviews(arguments.chars)
    taken = {work: median(seconds) for work, seconds in measure(text, arguments.rounds).items()}
    print(f"{name}, {len(text):,} characters; a persona of 33 claims\n")
    print("| work | median, ms |")
    print("| --- | ---: |")
    print(f"| prepare | {taken['prepare'] * 1e3:.0f} |")
    print(f"| validate, sources prepared | {taken['validate'] * 1e3:.1f} |")
    print(f"\nPeak of the process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    return 0 if taken["validate"] <= MOST_S else 1


if __name__ == "__main__":
    sys.exit(main())
