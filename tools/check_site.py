#!/usr/bin/env python3
"""
Check the links of a built site: each page, file and anchor that a page links to exists, and nothing loads from outside.

    python tools/check_site.py target/site
"""

import argparse
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src")}


class Page(HTMLParser):
    """The links and the anchors of a page, and the addresses that it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors = {""}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect what a tag links to, loads and names."""
        for name, value in attrs:
            if value is None:
                continue
            if name == "id" or (tag, name) == ("a", "name"):
                self.anchors.add(value)
            if (tag, name) == ("a", "href"):
                self.links.append(value)
            if (tag, name) in LOADED and ("rel", "canonical") not in attrs:
                self.loaded.append(value)


def main() -> int:
    """Print broken links; 1 if there is one, 2 without a site."""
    parser = argparse.ArgumentParser(description="Check the links of a built site.")
    parser.add_argument("site", type=Path)
    site = parser.parse_args().site.resolve()
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    if not pages:
        print(f"error: no page in {site.name}", file=sys.stderr)
        return 2
    faults = [f"{path.relative_to(site)}: {fault}" for path in pages for fault in faults_of(path, pages, site)]
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"site: {len(faults)} broken links" if faults else f"site: {len(pages)} pages, no broken link")
    return 1 if faults else 0


def faults_of(path: Path, pages: dict[Path, Page], site: Path) -> Iterator[str]:
    """Yield the broken links of a page."""
    page = pages[path]
    for address in dict.fromkeys([*page.links, *page.loaded]):
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            if address in page.loaded and parts.scheme != "data":
                yield f"loads {address}"
            continue
        target = target_of(path, parts.path, site)
        if not target.exists():
            yield f"no page {address}"
        elif target in pages and unquote(parts.fragment) not in pages[target].anchors:
            yield f"no anchor {address}"


def target_of(path: Path, link: str, site: Path) -> Path:
    """Return the file that a link of the page at *path* leads to."""
    if not link:
        return path
    start = site if link.startswith("/") else path.parent
    target = (start / unquote(link).lstrip("/")).resolve()
    return target / "index.html" if target.is_dir() else target


if __name__ == "__main__":
    sys.exit(main())
