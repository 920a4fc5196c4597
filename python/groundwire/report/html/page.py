"""
What all HTML reports have in common: one page that needs nothing from outside.

The page says so itself: its content security policy allows the style sheet and
the script inside the page, named by their hashes, and nothing more. Everything
can be read and filtered without the script, which adds keys to the list.
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path


def page(title: str, body: Iterable[str], *, sheet: str, skip: tuple[str, str], has_script: bool = True) -> str:
    """
    Return a page.

    Args:
        title: Escaped already, as are the others.
        body: What is seen, in pieces.
        sheet: The style sheet, of `style`.
        skip: Where the first link leads, an id, and its words.
        has_script: Whether there is a list for the script to add keys to.
    """
    target, words = skip
    return "".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
            f'<meta http-equiv="Content-Security-Policy" content="{content_security_policy(sheet, has_script)}">\n',
            '<meta name="referrer" content="no-referrer">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            '<meta name="color-scheme" content="light dark">\n',
            f"<title>{title}</title>\n<style>{sheet}</style>\n</head>\n<body>\n",
            f'<a class="skip" href="#{target}">{words}</a>\n',
            *body,
            f"<script>{script()}</script>\n" if has_script else "",
            "</body>\n</html>\n",
        ]
    )


@cache
def style(*names: str) -> str:
    """Return the style sheets of these names as one."""
    return "".join(map(_beside, names))


@cache
def script() -> str:
    """Return the pages' script."""
    return _beside("page.js")


def content_security_policy(sheet: str, has_script: bool = True) -> str:
    """Return the policy of a page: its own style sheet, the script if it has one, and nothing else."""
    allowed = f"'{_hash(script())}'" if has_script else "'none'"
    return f"default-src 'none'; style-src '{_hash(sheet)}'; script-src {allowed}; base-uri 'none'; form-action 'none'"


def badge(style: str, sign: str, words: str) -> str:
    """Return *words* as a pill in the colour of *style*, with its sign."""
    return f'<span class="badge {style}"><span aria-hidden="true">{sign}</span> {words}</span>'


def filters(total: int, counts: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    """Yield the choice of what is shown: all *total* claims, or those of one class, with its sign and words."""
    if not counts:
        return
    yield '<fieldset class="filters">\n<legend>Show</legend>\n'
    yield choice("all", f"all {total:,}", checked=True)
    for name, sign, words in counts:
        yield choice(name, f'<span aria-hidden="true">{sign}</span> {words}', style=name)
    yield "</fieldset>\n"


def choice(name: str, words: str, *, style: str = "plain", checked: bool = False) -> str:
    """Return a button of the choice of what is shown; browsers keep no choice from the last visit."""
    on = " checked" if checked else ""
    return (
        f'<input type="radio" name="show" id="show-{name}" autocomplete="off"{on}>'
        f'<label class="badge {style}" for="show-{name}">{words}</label>\n'
    )


def _beside(name: str) -> str:
    return (Path(__file__).parent.parent / name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    """Return the hash of a style sheet or script as a content security policy writes it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"
