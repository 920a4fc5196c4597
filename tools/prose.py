#!/usr/bin/env python3
"""
Check the prose: phrases that no native writer would write, doubled words, and sentences that are too long.

    python tools/prose.py                   # exit code 1 if something is found
    python tools/prose.py --reading-ease    # also the Flesch reading ease of README and tutorials; needs textstat

In Markdown, code, tables, HTML comments and quoted examples are left out. In Python, tests included, and in Rust,
comments and docstrings are checked, but not for the length of their sentences.
"""

import argparse
import ast
import io
import re
import sys
import tokenize
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]

PATHS = (
    "*.md",
    "docs/**/*.md",
    "*.py",
    "python/**/*.py",
    "benches/**/*.py",
    "tests/**/*.py",
    "tools/**/*.py",
    "rust/*/src/**/*.rs",
)
"""Patterns of the files to check."""

SKIPPED = {
    "docs/reference/codes.md": "written by the code",
    "docs/reference/commands.md": "written by the code",
    "docs/reference/engine.md": "written by the code",
    "docs/reference/settings.md": "written by the code",
    "docs/reference/verdicts.md": "written by the code",
    "tools/prose.py": "names the phrases that it looks for",
}
"""Files that are not checked, with the reason."""

ALLOWED = {
    ("docs/tutorials/agent-builder.md", "what an agent may remember"): "the title of another page",
    ("python/groundwire/ingestion/verification/url_policy.py", "documentation documentation"): "comments of two lines",
    ("benches/verdicts.py", "--record RECORD.json"): "an option and its value",
}
"""Findings that stay, as path and words of the line, with the reason."""

MAX_WORDS = 35
MIN_READING_EASE = 50
EASY = ("README.md", "docs/tutorials/*.md")

VERB = r"(?:is|are|was|were|has|have|had|can|may|does|do|comes?|makes?|holds?|stands?)"
END = r"(?:is|are|was|were|has|goes|comes|stands|counts|says|shows|stays)"
PHRASES = {
    "a clause with “what” as the subject": rf"\bwhat (?:\w+ ){{0,2}}{VERB}\b(?:(?![.?!:;,]).){{0,70}}?\b{END}\b",
    "a clause with “who” as the subject": r"(?:^|[.:;] )who(?:ever)? \w+\b(?:(?![.?!]).){0,60}?,",
    "“stands” for “is”": r"\b(?:stands?|stood) (?:there|here|in|on|at|beside|above|below|behind|for itself)\b",
    "“none” after a verb": r"(?-i:(?<![Tt]here )\b(?:is|are|was|were|be|makes?) none\b(?! of))",
    "“is told”": r"\b(?:is|are|was|were|be) told\b",
    "“so many”": r"\bso (?:many|much|manieth)\b(?! (?:as|that))",
    "“is to be”": r"\b(?:is|are|was|were) to be (?:had|found|seen|read|made|known)\b",
    "“nobody” with a verb of asking": r"\bnobody (?:asks?|asked|knows?|can|could|is|has to)\b",
    "“asks for” in a comparison": r"\b(?:as|than) (?:the|a|an|its) \w+ asks? for\b",
    "“anew”": r"\banew\b",
    "“for nothing”": r"\bfor nothing\b",
    "an inverted sentence": r"^(?:Of|From|To|With|In|By) (?:which|what|whom|an? \w+ (?:that|which)|all that)\b",
    "“shall”": r"\bshall\b",
    "“whatever it is”": r"\bwhatever (?:it|that|they) (?:is|are|was|were)\b",
}
PATTERNS = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in PHRASES.items()}
DOUBLED = re.compile(r"\b([A-Za-z]+)\s+\1\b", re.IGNORECASE)
DOUBLED_ALLOWED = {"code", "had", "that"}

_FENCE = re.compile(r"^( *)```.*?^\1```[ \t]*$", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)]*\)")
_EXAMPLE = re.compile(r"^\s*>>> .*(?:\n(?!\s*$).*)*", re.MULTILINE)
_ENTRY = re.compile(r"\s*(?:# .*|\w+(?: \([^)]*\))?:(?: .*)?)$")
_SENTENCE = re.compile(r"(?<=[.!?:])[\"”)*_]*\s+(?=[\"“(*_`]*[A-ZÄÖÜ`\[0-9])")


class Finding(NamedTuple):
    """One fault of the prose: the file, the line, the rule, and the words."""

    path: str
    line: int
    rule: str
    words: str


class Block(NamedTuple):
    """A paragraph, an item of a list or a heading, without its markup, and its first line."""

    line: int
    text: str


def main() -> int:
    """Print the findings, and return 1 if there is one."""
    parser = argparse.ArgumentParser(description="Check the prose of the project.")
    parser.add_argument("--reading-ease", action="store_true", help="also check the reading ease of the easy pages")
    found = [finding for path in checked_files() for finding in findings(path)]
    if parser.parse_args().reading_ease:
        found += [finding for pattern in EASY for path in sorted(ROOT.glob(pattern)) for finding in hard_to_read(path)]
    for finding in found:
        print(f"{finding.path}:{finding.line}: {finding.rule}: {finding.words}")
    print(f"prose: {len(found)} findings" if found else "prose: passed")
    return 1 if found else 0


def checked_files() -> list[Path]:
    """Return the files of PATHS without those that are skipped."""
    found = {path for pattern in PATHS for path in ROOT.glob(pattern)}
    return sorted(path for path in found if name_of(path) not in SKIPPED)


def name_of(path: Path) -> str:
    """Return *path* from the project's folder."""
    return path.relative_to(ROOT).as_posix()


def findings(path: Path) -> Iterator[Finding]:
    """Yield what is wrong in a file."""
    reader = READERS[path.suffix]
    for block in reader(path.read_text(encoding="utf-8")):
        for rule, words in faults(block.text, is_code=reader is not blocks):
            if not is_allowed(name_of(path), block.text):
                yield Finding(name_of(path), block.line, rule, words)


def is_allowed(name: str, text: str) -> bool:
    """Return whether the allow-list has these words of this file."""
    return any(name == path and words in text for path, words in ALLOWED)


def faults(text: str, *, is_code: bool) -> Iterator[tuple[str, str]]:
    """Yield the rule and the words of each fault of a block; sentences of *is_code* may be long."""
    for rule, pattern in PATTERNS.items():
        for match in pattern.finditer(text):
            yield rule, match[0]
    for match in DOUBLED.finditer(text):
        if match[1].lower() not in DOUBLED_ALLOWED:
            yield "a doubled word", match[0]
    for sentence in () if is_code else _SENTENCE.split(text):
        count = len(sentence.split())
        if count > MAX_WORDS:
            yield f"a sentence of {count} words", sentence[:60] + "…"


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a Markdown text: paragraphs, items and headings, without code and tables."""
    lines = _blanked(text, _FENCE, _COMMENT).split("\n")
    start, words = 0, []
    for number, line in enumerate([*lines, ""], start=1):
        begins = re.match(r" *(?:[-*] |\d+\. |#+ |> )", line)
        if words and (not line.strip() or begins):
            yield Block(start, plain(" ".join(words)))
            words = []
        if line.strip() and not line.lstrip().startswith(("|", "<")):
            start = start if words else number
            words.append(re.sub(r"^(?:#+|>|\d+\.|[-*]) ", "", line.strip()))


def python_blocks(text: str) -> Iterator[Block]:
    """Yield the paragraphs and entries of the docstrings and comments of Python code."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield from paragraphs(node.lineno, node.value.value)
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    comments = {token.start[0]: token.string for token in tokens if token.type == tokenize.COMMENT}
    yield from comment_blocks(comments, "#")


def rust_blocks(text: str) -> Iterator[Block]:
    """Yield the paragraphs of the comments of Rust code."""
    lines = enumerate(text.split("\n"), start=1)
    yield from comment_blocks({number: line.strip() for number, line in lines if line.lstrip().startswith("//")}, "/!")


def comment_blocks(comments: dict[int, str], marks: str) -> Iterator[Block]:
    """Yield the paragraphs of *comments*, which are given by their lines; neighbours belong together."""
    for number in comments:
        if number - 1 not in comments:
            end = number
            while end in comments:
                end += 1
            yield from paragraphs(number, "\n".join(comments[each].lstrip(marks) for each in range(number, end)))


def paragraphs(line: int, text: str) -> Iterator[Block]:
    """Yield the paragraphs, items and entries of a docstring or comment that starts at *line*, without examples."""
    words: list[str] = []
    for each in [*_blanked(text, _FENCE, _EXAMPLE).split("\n"), ""]:
        if words and (not each.strip() or _ENTRY.match(each) or re.match(r"\s*(?:[-*] |\d+\. |\|)", each)):
            yield Block(line, plain(re.sub(r"\*\w+\*", "Code", " ".join(words))))
            words = []
        if each.strip():
            words.append(each.strip())


READERS: dict[str, Callable[[str], Iterator[Block]]] = {".md": blocks, ".py": python_blocks, ".rs": rust_blocks}


def _blanked(text: str, *patterns: re.Pattern[str]) -> str:
    """Return *text* with what *patterns* match replaced by as many line ends."""
    for pattern in patterns:
        text = pattern.sub(lambda match: "\n" * match[0].count("\n"), text)
    return text


def plain(text: str) -> str:
    """Return *text* without links, pictures, code spans and emphasis."""
    text = _LINK.sub(r"\1", _IMAGE.sub("", text))
    return re.sub(r"\*+|(?<!\w)_|_(?!\w)", "", re.sub(r"`[^`]*`", "Code", text))


def hard_to_read(path: Path) -> Iterator[Finding]:
    """Yield a finding if a page is harder to read than it should be."""
    score = reading_ease(path.read_text(encoding="utf-8"))
    if score < MIN_READING_EASE:
        yield Finding(name_of(path), 1, "reading ease", f"{score:.0f}, at least {MIN_READING_EASE}")


def reading_ease(text: str) -> float:
    """Return the Flesch reading ease of the prose of a page; a code span counts as one short word."""
    import textstat
    from textstat.backend.counts import _count_syllables

    # The dictionary of pronunciations would be downloaded; hyphenation patterns are in the package.
    _count_syllables.get_cmudict = lambda _: None
    sentences = [re.sub(r"(?<![.!?:])$", ".", block.text.strip()) for block in blocks(text) if block.text.strip()]
    return float(textstat.flesch_reading_ease(" ".join(sentences)))


if __name__ == "__main__":
    sys.exit(main())
