"""
Compute the rarity of words for the score of support.

    python tools/word_rarity.py --corpora FOLDER

FOLDER holds texts and a MANIFEST.tsv with their language and licence. A document is 200 words of content in a
row. Only texts in the public domain or under MIT or CC0 are counted, each of them once.
The same texts always give the same bytes.
"""

import argparse
import csv
import math
from collections import Counter
from pathlib import Path

from groundwire.language import read_terms

LEXICONS = Path(__file__).parents[1] / "python/groundwire/language/lexicons"
LANGUAGES = ("de", "en", "ru")
"""Those with enough text."""
DOCUMENT_WORDS = 200
LEAST_DOCUMENTS = 6
"""A word in fewer is as rare as one in none."""
FREE = ("public domain", "MIT", "CC0")
COPIES = frozenset({"en_changelog_concat_5mb.txt"})
CHUNK_CHARS = 100_000


def documents(text: str, language: str) -> list[set[str]]:
    """The different words of content of each document."""
    words: list[str] = []
    for line in text.splitlines():
        for start in range(0, len(line), CHUNK_CHARS):
            terms = read_terms(line[start : start + CHUNK_CHARS], language=language)
            words += [term.form for term in terms if term.kind in ("content", "name") and term.form.isalpha()]
    return [set(words[start : start + DOCUMENT_WORDS]) for start in range(0, len(words), DOCUMENT_WORDS)]


def table(folder: Path, language: str) -> list[str]:
    """The lines of the table of *language*: a word, and ten times the logarithm of how rare it is."""
    counts: Counter[str] = Counter()
    total = 0
    with (folder / "MANIFEST.tsv").open(encoding="utf-8", newline="") as manifest:
        for row in csv.DictReader(manifest, delimiter="\t"):
            is_free = row["licence"].startswith(FREE)
            if row["language"] == language and is_free and row["file"] not in COPIES:
                found = documents((folder / row["file"]).read_text(encoding="utf-8"), language)
                total += len(found)
                for words in found:
                    counts.update(words)
    rare = math.log(total / LEAST_DOCUMENTS)
    kept = {word: math.log(total / count) for word, count in counts.items() if count >= LEAST_DOCUMENTS}
    print(f"{language}: {total} documents, {len(kept)} words")
    # In hundredths of the rarest.
    return [
        f"{word}\t{round(100 * value / rare)}"
        for word, value in sorted(kept.items(), key=lambda item: item[0].encode())
    ]


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=Path, required=True, metavar="FOLDER", help="where the texts are")
    options = parser.parse_args()
    for language in LANGUAGES:
        lines = table(options.corpora, language)
        folder = LEXICONS / language
        folder.mkdir(exist_ok=True)
        (folder / "rarity.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
