"""
Lists the public items of the Rust crates from the pages that `cargo doc` writes, and finds those that changed.

cargo-public-api needs a nightly compiler, and cargo-semver-checks a release to compare with. The pages of stable
rustdoc have each declaration, method and implementation as code, which is what a change is visible in. Lists that grow
change nothing, unless a caller can name all members: the variants of an enum that is not `non_exhaustive`.
"""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

__all__ = ["CRATES", "breaking_changes", "document", "listing"]

CRATES = ("groundwire-engine", "groundwire-language")

_PAGES = ("constant", "enum", "fn", "macro", "static", "struct", "trait", "traitalias", "type", "union")
_OPEN_ENUM = re.compile(r"(?P<head>.*#\[non_exhaustive\].*\benum\b[^{]*)\{(?P<variants>.*)\}$", re.DOTALL)


def document(root: Path, target: Path) -> None:
    """
    Write the pages of both crates below *target*, without those of items that are gone.

    Raises:
        CalledProcessError: cargo failed; its messages are on standard error.
    """
    for crate in CRATES:
        shutil.rmtree(target / "doc" / crate.replace("-", "_"), ignore_errors=True)
    packages = [word for crate in CRATES for word in ("--package", crate)]
    features = ["--features", "groundwire-engine/similarity,groundwire-engine/batch"]
    command = ["cargo", "doc", "--quiet", "--locked", "--no-deps", "--target-dir", str(target), *packages, *features]
    subprocess.run(command, cwd=root, check=True)


def listing(target: Path) -> str:
    """Return a line for each public declaration, method and implementation, in alphabetical order."""
    lines = {
        f"{'::'.join(_path(page, target / 'doc'))}: {line}"
        for crate in CRATES
        for page in sorted((target / "doc" / crate.replace("-", "_")).rglob("*.html"))
        if page.name.partition(".")[0] in _PAGES
        for line in _declarations(LexborHTMLParser(page.read_text(encoding="utf-8")))
    }
    return "".join(f"{line}\n" for line in sorted(lines))


def breaking_changes(old: str, new: str) -> list[str]:
    """Return the lines of the listing *old* that *new* has no more."""
    remaining = {*new.splitlines()}
    return [f"{line} was removed or changed" for line in old.splitlines() if line not in remaining]


def _path(page: Path, folder: Path) -> Iterator[str]:
    """Yield the names of modules and item that lead to a page such as `crate/module/struct.Name.html`."""
    yield from page.relative_to(folder).parts[:-1]
    yield page.name.split(".")[1]


def _declarations(page: LexborHTMLParser) -> Iterator[str]:
    """Yield what a page declares: the item, its inherent methods, and the traits that it implements."""
    for declared in page.css("pre.item-decl"):
        yield from _members(declared.text())
    for methods in page.css("#implementations-list"):
        yield from (_on_one_line(header.text()) for header in methods.css("h4.code-header"))
    for traits in page.css("#trait-implementations-list"):
        yield from (_on_one_line(header.text()) for header in traits.css("h3.code-header"))


def _members(declaration: str) -> Iterator[str]:
    """Yield a declaration, or of an open enum its head and each variant: such an enum may get more of them."""
    found = _OPEN_ENUM.match(declaration)
    if found is None:
        yield _on_one_line(declaration)
        return
    yield _on_one_line(found["head"])
    variants = (_on_one_line(variant) for variant in found["variants"].split(",\n"))
    yield from (f"variant {variant}" for variant in variants if variant)


def _on_one_line(code: str) -> str:
    return " ".join(code.split())
