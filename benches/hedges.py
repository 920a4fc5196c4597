"""
Race what a claim shows by itself, its hedges and citations, against the same rules by `re` alone.

    python benches/hedges.py

Both read the same lexicons; the answers are compared before anything is timed. The
engine finds the citations in both. Rounds take turns; times are minima of CPU time
for one claim of about 200 characters.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from groundwire.benchmarks.runner import refuse_debug_build
from groundwire.ingestion import CitationDetector
from groundwire.ingestion.hedges import HedgeDetector
from oracles.hedges import HedgesByRe

LEAST_RATIO = 20.0
ROUNDS, CALLS = 15, 50

CLAIMS = {
    "no hedge": (
        "The ingestion service writes every accepted memory to a SQLite database in WAL mode and keeps the audit trail "
        "beside it; the server times out under load, so the client retries three times."
    ),
    "two hedges": (
        "I think the ingestion service writes every accepted memory to a SQLite database in WAL mode and keeps the "
        "audit trail beside it; the server may time out under load, so the client retries."
    ),
    "code and a quotation": (
        'The page "ingestion" says that `write_memory` opens a SQLite database in WAL mode and keeps the audit trail '
        "beside it; the server may time out under load, so the client retries three times."
    ),
    "citations": (
        "Per ADR-003 and https://docs.example.com/api the service keeps sessions in Redis; fixed in commit "
        "a1b2c3d4e5f6 (see #482), which the team reviewed on Monday and merged after all of the tests had passed."
    ),
    "Chinese": 4
    * "导入服务把每一条接受的记忆写入数据库，并在旁边保存审计记录；服务器在高负载下可能超时，客户端会重试。",
}


def cpu_seconds(function: Callable[[str], object], claim: str) -> float:
    """The CPU time of one call, of several in a row."""
    begin = time.thread_time_ns()
    for _ in range(CALLS):
        function(claim)
    return (time.thread_time_ns() - begin) / CALLS / 1e9


def main() -> int:
    """Print the table; exit code 1: a ratio is too small."""
    refuse_debug_build()
    ours, by_re, citations = HedgeDetector(), HedgesByRe(HedgeDetector.LANGUAGES), CitationDetector()
    print("| claim | characters | hedges, µs | citations, µs | both by `re`, µs | ratio |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    least = float("inf")
    for name, claim in CLAIMS.items():
        cues = [(cue.start, cue.end, cue.category.value) for cue in ours.analyze(claim).cues]
        if cues != [cue[:3] for cue in by_re.analyze(claim)]:
            raise SystemExit(f"{name}: the answers differ")
        functions = (ours.analyze, citations.detect, by_re.analyze)
        rounds = [[cpu_seconds(function, claim) for function in functions] for _ in range(ROUNDS)]
        hedges_seconds, citations_seconds, re_seconds = map(min, zip(*rounds, strict=True))
        both_by_re = re_seconds + citations_seconds
        ratio = both_by_re / (hedges_seconds + citations_seconds)
        least = min(least, ratio)
        times = f"{hedges_seconds * 1e6:.1f} | {citations_seconds * 1e6:.1f} | {both_by_re * 1e6:.0f} | {ratio:.0f}"
        print(f"| {name} | {len(claim)} | {times} |")
    return 0 if least >= LEAST_RATIO else 1


if __name__ == "__main__":
    sys.exit(main())
