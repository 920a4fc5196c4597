"""The memory of a grounder for sources stays within its limit, however many sources there are."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")

STATUS = Path("/proc/self/status")
# The allocator keeps this much for two threads; without the limit, it would be 150 MB and more.
BOUND_MB, SLACK_MB, SOURCES, CHARS = 24, 48, 3_000, 20_000

# The peak of this program alone: that of `resource` starts with the parent's.
PROGRAM = """
import random, sys
from pathlib import Path
import pyarrow as pa
from groundwire.bulk import Grounder

mode, bound, sources, chars = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
stems = "tea water plant power grid market price report people morning".split()
words = [stem + end for stem in stems for end in "abcdefgh"]
chance = random.Random(1)
long = " ".join(chance.choices(words, k=chars))

def peak():
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) >> 10

def batch(first, count=50):
    texts = [f"{first + place} {long[7 * place : 7 * place + chars]}" for place in range(count)]
    rows = [row % count for row in range(20 * count)]
    quotes = [texts[place][50 + row : 150 + row].replace("e", "o") for row, place in enumerate(rows)]
    source = pa.DictionaryArray.from_arrays(pa.array(rows, pa.int32()), pa.array(texts))
    return pa.record_batch({"quote": quotes, "source": source})

def run(grounder, count):
    kinds = set()
    for first in range(0, count, 50):
        kinds |= {*pa.record_batch(grounder.ground(batch(first)))["kind"].to_pylist()}
    return kinds

run(Grounder(mode=mode, workers=2, memory_bytes=1 << 20), 100)
base = peak()
grounder = Grounder(mode=mode, workers=2, memory_bytes=bound << 20)
kinds = run(grounder, sources)
print(peak() - base, grounder.kept[0], grounder.kept[1] >> 20, "fuzzy" in kinds)
"""


@pytest.mark.skipif(not STATUS.exists(), reason="reads the high-water mark from Linux's /proc")
@pytest.mark.parametrize("mode", ["substring", "fuzzy"])
def test_a_grounder_stays_within_its_bound(mode):
    """3,000 texts would take many times the limit; some of them stay in the cache and are used again."""
    command = [sys.executable, "-c", PROGRAM, mode, *map(str, (BOUND_MB, SOURCES, CHARS))]
    grew, kept, kept_mb, is_fuzzy = subprocess.run(
        command, capture_output=True, text=True, check=True, timeout=300
    ).stdout.split()
    assert int(grew) <= BOUND_MB + SLACK_MB
    assert 0 < int(kept) < SOURCES
    assert int(kept_mb) <= BOUND_MB
    assert is_fuzzy == str(mode == "fuzzy")
