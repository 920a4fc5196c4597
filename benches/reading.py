"""
Time the reader: English, Chinese, and the first load of a lexicon.

    python benches/reading.py

Megabytes of UTF-8 a second, from the text to sentences and typed terms, in Rust; the least of nine rounds. Before
anything is timed, the answers to a few sentences are checked, and the terms of each text are counted by the package,
which has to agree. The texts are those of `shared/data/corpora`.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from corpora import CORPORA
from groundwire._engine import LanguageReader
from groundwire.benchmarks.runner import refuse_debug_build

ROOT = Path(__file__).resolve().parents[1]
LEXICONS = ROOT / "python" / "groundwire" / "language" / "lexicons"
EXAMPLE = ["cargo", "build", "--release", "--quiet", "--package", "groundwire-language", "--example", "read"]
TEXTS = {"en": ("en_novel_*.txt", 20.0), "zh": ("zh_*.txt", 5.0)}
"""The files of each language, and the least megabytes a second."""
MOST_LOAD_MS = 3.0
CHECKED = {
    ("en", "She paid $1,240 on 3 May."): [("content", 4, 8), ("number", 9, 15), ("date", 19, 24)],
    ("zh", "他没有付三百二十元。"): [("negation", 1, 3), ("number", 4, 9)],
}
"""Sentences, and some of their terms: kind, start, end."""


class Row(NamedTuple):
    """A text of one language, as the example read it."""

    language: str
    chars: int
    sentences: int
    terms: int
    read_ns: int
    load_ns: int


def check(reader: LanguageReader) -> None:
    """Stop unless the sentences of `CHECKED` have their terms."""
    for (language, text), wanted in CHECKED.items():
        found = [term[:3] for term in reader.terms(text, language=language)]
        if not set(wanted) <= set(found):
            raise SystemExit(f"wrong terms in {language}: {found}")


def measure(paths: dict[str, Path]) -> list[Row]:
    """Run the example on *paths*, one text a language."""
    subprocess.run(EXAMPLE, cwd=ROOT, check=True)
    arguments = [part for language, path in paths.items() for part in (language, str(path))]
    command = [str(ROOT / "target" / "release" / "examples" / "read"), str(LEXICONS), *arguments]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return [Row(language, *map(int, numbers)) for language, *numbers in (line.split("\t") for line in lines)]


def main() -> int:
    """Print a row for each language; 1 if one is slower than it should be."""
    refuse_debug_build()
    reader = LanguageReader(str(LEXICONS))
    check(reader)
    slow = 0
    with tempfile.TemporaryDirectory() as folder:
        texts = {
            language: "\n\n".join(path.read_text("utf-8") for path in sorted(CORPORA.glob(pattern)))
            for language, (pattern, _) in TEXTS.items()
        }
        paths = {language: Path(folder) / f"{language}.txt" for language in texts}
        for language, path in paths.items():
            path.write_text(texts[language], "utf-8", newline="")
        for row in measure(paths):
            if row.terms != len(reader.terms(texts[row.language], language=row.language)):
                raise SystemExit(f"the package reads other terms in {row.language}")
            speed = len(texts[row.language].encode()) / row.read_ns * 1e3
            load = row.load_ns / 1e6
            print(f"{row.language}: read {speed:6.1f} MB/s ({row.terms:,} terms), lexicon loaded in {load:.1f} ms")
            slow += speed < TEXTS[row.language][1] or load > MOST_LOAD_MS
    return int(slow > 0)


if __name__ == "__main__":
    sys.exit(main())
