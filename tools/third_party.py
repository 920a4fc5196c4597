"""
Write THIRD_PARTY.txt: the licences of everything that is linked into the compiled engine.

    python tools/third_party.py           write the file
    python tools/third_party.py --check   exit code 1 if the file lacks a crate

The crates are those of Cargo.lock that the engine links on any platform that has
a wheel, and Rust's standard library. Each text comes from the crate's own
package. Where a crate offers MIT among others, MIT is the one that counts here.
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "THIRD_PARTY.txt"
ENGINE = "groundwire-python"
PLATFORMS = (
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-musl",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-msvc",
    "aarch64-pc-windows-msvc",
)

LICENCE_FILE = re.compile(r"(licen[cs]e|copying|copyright|unlicense|notice)([-._].*)?", re.IGNORECASE)
# Texts of the same licence differ in the width of their lines alone.
BLANKS = re.compile(r"\s+")

HEADER = """\
The compiled engine of groundwire links the libraries below. Each is followed by
its licence. `python tools/third_party.py` writes this file.
"""
RULE = "=" * 80


def main() -> int:
    """Write or check the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing")
    is_check = parser.parse_args().check
    if not is_check:
        TARGET.write_text(third_party(), encoding="utf-8")
        return 0
    written = TARGET.read_text(encoding="utf-8").splitlines() if TARGET.is_file() else []
    missing = [heading(package) for package in linked() if heading(package) not in written]
    if missing:
        print(f"error: {TARGET.name} lacks {', '.join(missing)}; run `python tools/third_party.py`", file=sys.stderr)
    return 1 if missing else 0


def third_party() -> str:
    """Return the whole text: each licence once, under the names of all that it is for."""
    users: dict[str, list[str]] = {}
    texts: dict[str, str] = {}
    for name, texts_of_crate in [*licences(), standard_library()]:
        for text in texts_of_crate:
            key = BLANKS.sub(" ", text).strip()
            texts.setdefault(key, "\n".join(line.rstrip() for line in text.strip().splitlines()))
            users.setdefault(key, []).append(name)
    sections = ["\n".join([RULE, *users[key], RULE, "", text, ""]) for key, text in texts.items()]
    return "\n".join([HEADER, *sections])


def licences() -> Iterator[tuple[str, list[str]]]:
    """Yield name, version and licence of each linked crate, and the texts."""
    for package in linked():
        folder = Path(package["manifest_path"]).parent
        files = sorted(path for path in folder.iterdir() if path.is_file() and LICENCE_FILE.fullmatch(path.name))
        texts = [path.read_text(encoding="utf-8") for path in choose(files, package["license"])]
        yield heading(package), texts or [without_text(package)]


def heading(package: dict) -> str:
    """Return the line that names a crate in the file."""
    return f"{package['name']} {package['version']} ({package['license']})"


def choose(files: list[Path], expression: str) -> list[Path]:
    """Return *files* without those of other licences, if MIT is among the choices of *expression* and is there."""
    is_choice = re.search(r"\bMIT\b", expression) and re.search(r" OR |/", expression)
    has_mit = any("mit" in path.name.lower() for path in files)
    if not (is_choice and has_mit):
        return files
    return [path for path in files if not re.search(r"apache|zlib|bsd|unlicense", path.name, re.IGNORECASE)]


def without_text(package: dict) -> str:
    """Return what stands for the licence of a crate that carries no text of it."""
    authors = ", ".join(package["authors"]) or f"the authors of {package['name']}"
    return f"{package['license']}. Copyright {authors}. {package['repository']}"


def linked() -> list[dict]:
    """Return the packages that the engine links on any of the platforms, by name and version."""
    third = [package for package, _ in graph().values() if package["source"] is not None]
    return sorted(third, key=lambda package: (package["name"], package["version"]))


def depended(identity: str) -> list[str]:
    """Return what the package *identity* needs when it runs, on any of the platforms."""
    return sorted(graph()[identity][1])


def needed_by_us() -> list[str]:
    """Return the packages of others that the crates of this project need."""
    own = {identity for identity, (package, _) in graph().items() if package["source"] is None}
    return sorted({each for identity in own for each in depended(identity)} - own)


@cache
def graph() -> dict[str, tuple[dict, set[str]]]:
    """Return what the engine links on any of the platforms: each package, and which others it needs."""
    found: dict[str, tuple[dict, set[str]]] = {}
    for platform in PLATFORMS:
        metadata = json.loads(cargo("metadata", "--locked", "--format-version=1", f"--filter-platform={platform}"))
        packages = {package["id"]: package for package in metadata["packages"]}
        nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
        waiting, seen = [identity for identity, package in packages.items() if package["name"] == ENGINE], set()
        while waiting:
            identity = waiting.pop()
            if identity not in seen:
                seen.add(identity)
                needed = list(linked_by(nodes[identity], packages))
                found.setdefault(identity, (packages[identity], set()))[1].update(needed)
                waiting += needed
    return found


def linked_by(node: dict, packages: dict[str, dict]) -> Iterator[str]:
    """Yield what a package needs when it runs: neither build scripts nor macros."""
    for dependency in node["deps"]:
        is_linked = any(kind["kind"] is None for kind in dependency["dep_kinds"])
        is_macro = any("proc-macro" in target["kind"] for target in packages[dependency["pkg"]]["targets"])
        if is_linked and not is_macro:
            yield dependency["pkg"]


def standard_library() -> tuple[str, list[str]]:
    """Return the name of Rust's standard library, and its licence from the toolchain, with its copyright line."""
    sysroot = Path(subprocess.check_output(["rustc", "--print", "sysroot"], text=True).strip())
    text = (sysroot / "share" / "doc" / "rust" / "licenses" / "MIT.txt").read_text(encoding="utf-8")
    holders = "The Rust Project Developers (see https://thanks.rust-lang.org)"
    return "The Rust standard library (MIT OR Apache-2.0)", [text.replace("<year> <copyright holders>", holders)]


def cargo(*arguments: str) -> str:
    """Return the output of cargo, run in the project's folder."""
    return subprocess.check_output(["cargo", *arguments], cwd=ROOT, text=True)


if __name__ == "__main__":
    sys.exit(main())
