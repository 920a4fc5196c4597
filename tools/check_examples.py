#!/usr/bin/env python3
"""
Check the types of the Python examples of README and docs/ as a user's own checker would.

    python tools/check_examples.py              # mypy --strict, then pyright
    python tools/check_examples.py --write DIR  # only write the examples as modules to DIR

The `python` blocks of a page become one module, each block in its place, so that errors name the page's
own lines. Of a session, lines with a prompt are code; what it prints is not. The `py` blocks of FRAMEWORK_PAGES belong
to it too: they need other packages, so the lane `doors` runs them.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

FRAMEWORK_PAGES = [ROOT / "docs" / "how-to" / f"{name}.md" for name in ("agent-frameworks", "evaluation-frameworks")]
"""Pages with a recipe for each framework."""

_BLOCK = re.compile(r"^```python[ \t]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_RECIPE = re.compile(r"^```py(?:thon)?[ \t]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_PROMPT = re.compile(r"(>>>|\.\.\.)(?: |$)")

# All calls are held to the strict rules. A session may leave out what its reader sees on the page: that a result which
# is printed is not None, the annotations of a function of three lines, and a second use of a name.
MYPY = [
    *("--strict", "--python-version=3.11", "--ignore-missing-imports", "--no-error-summary"),
    *("--allow-redefinition", "--allow-untyped-defs", "--allow-untyped-calls", "--disable-error-code=union-attr"),
    # A decorator of a framework that is not installed has no type.
    "--allow-untyped-decorators",
]
PYRIGHT = {
    "typeCheckingMode": "standard",
    "pythonVersion": "3.11",
    "reportMissingImports": False,
    "reportMissingModuleSource": False,
    "reportOptionalMemberAccess": False,
    "reportUnusedExpression": False,
    "reportUnusedCoroutine": False,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Check the examples and return the exit code: 0 if both checkers accept all of them."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument("--write", type=Path, metavar="DIR", help="write the modules there and check nothing")
    chosen = parser.parse_args(argv)
    if chosen.write is not None:
        return 0 if write_modules(chosen.write) else 1
    with tempfile.TemporaryDirectory() as folder:
        modules = write_modules(Path(folder))
        codes = [run_mypy(Path(folder), modules), run_pyright(Path(folder))]
    print(f"examples: {len(modules)} pages, {'passed' if not any(codes) else 'failed'}")
    return 1 if any(codes) else 0


def write_modules(folder: Path) -> list[Path]:
    """Write a module for each page that has examples; return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    modules = []
    for page in PAGES:
        lines = example_lines(page.read_text(encoding="utf-8"), _RECIPE if page in FRAMEWORK_PAGES else _BLOCK)
        if any(lines):
            name = "_".join(page.relative_to(ROOT).with_suffix("").parts).replace("-", "_").lower()
            module = folder / f"{name}_example.py"
            module.write_text("\n".join(lines) + "\n", encoding="utf-8")
            modules.append(module)
    return modules


def example_lines(text: str, block: re.Pattern[str] = _BLOCK) -> list[str]:
    """Return the code of the *block*s of a page, each line at its own number, the others empty."""
    lines = [""] * (text.count("\n") + 1)
    for found in block.finditer(text):
        first = text.count("\n", 0, found.start(1))
        for number, line in enumerate(code_lines(found[1].splitlines())):
            lines[first + number] = line
    return lines


def code_lines(lines: list[str]) -> Iterator[str]:
    """Yield the lines of a block as code: without prompts, and empty where a session prints something."""
    if not any(line.startswith(">>>") for line in lines):
        yield from lines
        return
    for line in lines:
        prompt = _PROMPT.match(line)
        yield line[prompt.end() :] if prompt else ""


def run_mypy(folder: Path, modules: Sequence[Path]) -> int:
    """Run mypy over *modules*; the package has to be installed, as it is for a user."""
    command = [sys.executable, "-m", "mypy", "--config-file=", *MYPY, f"--cache-dir={folder / 'cache'}"]
    return subprocess.call([*command, *map(str, modules)], cwd=folder)


def run_pyright(folder: Path) -> int:
    """Run basedpyright by the rules of pyright: its wheels bring all that it needs, Node.js as well."""
    (folder / "pyrightconfig.json").write_text(json.dumps(PYRIGHT), encoding="utf-8")
    command = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable, "--project", str(folder)]
    return subprocess.call(command, cwd=folder)


if __name__ == "__main__":
    sys.exit(main())
