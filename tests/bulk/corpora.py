"""Generate files of rows from a seed, and read results back."""

import csv
import gzip
import json
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

WORDS = (
    *("I", "can’t", "sleep", "since", "the", "new", "shift", "began", "and", "my", "neighbour", "plays"),
    *("Straßenmusik", "at", "night", "漢字", "😀", "<laughs>", "no"),
)


def sources(count: int = 7, *, words: int = 80, seed: int = 1) -> list[str]:
    """Return texts with many common words."""
    chance = random.Random(seed)
    return [" ".join(chance.choices(WORDS, k=words)) for _ in range(count)]


def rows(count: int, *, seed: int = 1) -> list[dict[str, Any]]:
    """Return quotes that are in their source, in other typography, or absent; some are null."""
    chance = random.Random(seed)
    texts = sources(seed=seed)
    made = []
    for number in range(count):
        place = chance.randrange(len(texts))
        words = texts[place].split(" ")
        start = chance.randrange(len(words) - 6)
        quote: str | None = " ".join(words[start : start + chance.randint(2, 6)])
        kind = chance.random()
        if kind < 0.2:
            quote = quote.replace("’", "'").upper()
        elif kind < 0.5:
            quote = f"{quote} never said"
        elif kind < 0.55:
            quote = None
        made.append({"number": number, "quote": quote, "source": None if kind > 0.97 else texts[place]})
    return made


def write_parquet(path: Path, given: list[dict[str, Any]], *, group_rows: int = 20) -> Path:
    """Write rows as Parquet, in small groups."""
    pq.write_table(pa.Table.from_pylist(given), path, row_group_size=group_rows)
    return path


def json_lines(given: list[dict[str, Any]]) -> bytes:
    """Rows as JSON lines."""
    return b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in given)


def read(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file, or of all parts in a folder; values of CSV are text."""
    if path.is_dir():
        return [row for part in sorted(path.iterdir()) for row in read(part)]
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    if path.suffix == ".arrow":
        with pa.ipc.open_file(path) as opened:
            return opened.read_all().to_pylist()
    content = path.read_bytes()
    if path.suffix == ".gz":
        content = gzip.decompress(content)
    elif path.suffix == ".zst":
        content = pa.input_stream(path).read()
    if ".csv" in path.name:
        return list(csv.DictReader(content.decode().splitlines(keepends=True)))
    return [json.loads(line) for line in content.splitlines()]
