#!/usr/bin/env python3
"""
Make a corpus of quotes and transcripts to try `groundwire bulk` on.

    python examples/bulk_corpus.py FOLDER [--rows 100000] [--transcripts 200] [--seed 1]

FOLDER gets `quotes.parquet` (row, quote, source: the id of a transcript) and
`transcripts.parquet` (id, text). The transcripts are made of the sample interview, in another
order each; three fifths of the quotes stand in their transcript, some of these in other
letters, and of the others some differ in a word.
"""

import argparse
import random
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

INTERVIEW = Path(__file__).parent / "interview.txt"
LINES_EACH = 700
GROUP_ROWS = 1 << 16


def main() -> int:
    """Make the two files."""
    parser = argparse.ArgumentParser(description="Make a corpus of quotes and transcripts.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--transcripts", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    options.folder.mkdir(parents=True, exist_ok=True)
    texts = transcripts(options.transcripts, chance)
    pq.write_table(
        pa.table({"id": pa.array(range(len(texts)), pa.int32()), "text": texts}),
        options.folder / "transcripts.parquet",
    )
    words = [text.split(" ") for text in texts]
    schema = pa.schema([("row", pa.int64()), ("quote", pa.string()), ("source", pa.int32())])
    with pq.ParquetWriter(options.folder / "quotes.parquet", schema) as writer:
        # Group by group: there may be more rows than fit into memory.
        for start in range(0, options.rows, GROUP_ROWS):
            numbers = range(start, min(start + GROUP_ROWS, options.rows))
            sources = [chance.randrange(len(texts)) for _ in numbers]
            quotes = [quote(words[source], chance) for source in sources]
            writer.write_table(pa.table([pa.array(numbers), quotes, pa.array(sources, pa.int32())], schema=schema))
    print(f"{options.rows:,} quotes of {len(texts):,} transcripts in {options.folder}")
    return 0


def transcripts(count: int, chance: random.Random) -> list[str]:
    """Interviews of about 50 KB, made of the lines of one."""
    lines = INTERVIEW.read_text(encoding="utf-8").splitlines()
    return [" \n".join(chance.choices(lines, k=LINES_EACH)) for _ in range(count)]


def quote(words: list[str], chance: random.Random) -> str:
    """10 to 30 words of a transcript; two in five with a word that does not stand there."""
    length = chance.randint(10, 30)
    start = chance.randrange(len(words) - length)
    chosen = words[start : start + length]
    kind = chance.random()
    if kind < 0.4:
        chosen[chance.randrange(length)] = f"not{chance.randrange(1000)}"
    text = " ".join(chosen)
    return text.replace("’", "'").upper() if kind > 0.9 else text


if __name__ == "__main__":
    sys.exit(main())
