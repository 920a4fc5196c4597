"""README and docs/ are correct: every example runs, every page is in the site, every generated page is current."""

import ast
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest
from sybil import Example, Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser

from cli.command import environment
from waits import PATIENCE_S

ROOT = Path(__file__).resolve().parents[1]


def tool(name):
    """Return the module *name* of tools/."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


check_examples, reference_pages = tool("check_examples"), tool("reference_pages")
PAGES = check_examples.PAGES
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]


def run_console(example: Example) -> None:
    """Run each line of a console block that begins with `$`, and compare what it prints, errors included."""
    for command, output in re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", example.parsed, re.M):
        program = f"set -o pipefail; groundwire() {{ '{sys.executable}' -m groundwire \"$@\"; }}; {command}"
        done = subprocess.run(
            ["bash", "-c", program],
            cwd=ROOT,
            env=environment({"PYTHONIOENCODING": "utf-8"}),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=PATIENCE_S,
        )
        assert done.stdout.decode("utf-8") == output, command


EXAMPLES = Sybil(
    parsers=[PythonCodeBlockParser(), CodeBlockParser(language="console", evaluator=run_console)],
    path=str(ROOT),
    patterns=["*.md"],
)


@pytest.mark.parametrize("path", PAGES, ids=NAMES)
@pytest.mark.usefixtures("bare_environment")
def test_examples_show_what_happens(path):
    """Python blocks run from top to bottom and give the printed results; so do commands."""
    (ROOT / "target").mkdir(exist_ok=True)
    for example in EXAMPLES.parse(path).examples():
        example.evaluate()


def test_tutorials_have_examples():
    """Each tutorial runs commands, so the test above checks something."""
    tutorials = [page for page in PAGES if page.parent.name == "tutorials" and page.stem != "index"]
    assert len(tutorials) == 5
    assert all(len(list(EXAMPLES.parse(path).examples())) >= 3 for path in tutorials)


@pytest.mark.parametrize("path", PAGES, ids=NAMES)
def test_links_lead_somewhere(path):
    """A link to a file of the project names an existing one, and pages of the site do not link out of docs/."""
    links = re.findall(r"\]\((?!https?://|#)([^)#]+)", path.read_text(encoding="utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []
    if path.is_relative_to(ROOT / "docs"):
        assert [link for link in links if not (path.parent / link).resolve().is_relative_to(ROOT / "docs")] == []


def test_every_page_is_in_the_navigation():
    """The site has each page, and no other."""
    listed = re.findall(r"[\w/-]+\.md$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.M)
    assert sorted(listed) == sorted(str(page.relative_to(ROOT / "docs")) for page in PAGES if page.parent != ROOT)


@pytest.mark.parametrize("name", reference_pages.pages())
def test_reference_pages_are_those_of_the_code(name):
    """`python tools/reference_pages.py` changes nothing."""
    assert reference_pages.is_current(reference_pages.REFERENCE / name, reference_pages.pages()[name])


def test_anchors_of_verdicts_differ():
    """Reports link to them."""
    text = "".join(reference_pages.pages().values())
    anchors = re.findall(r'<a id="([^"]+)">', text)
    assert len(anchors) == len({*anchors}) > 200


def test_examples_are_type_checked_at_their_own_lines():
    """Lint checks the code of a page at its original lines, without the output of sessions."""
    text = "# Page\n\n```python\n>>> for x in [1]:\n...     print(x)\n1\n\n```\n\n```python\nfrom a import b\n```\n"
    lines = check_examples.example_lines(text)
    assert {number: line for number, line in enumerate(lines, start=1) if line} == {
        4: "for x in [1]:",
        5: "    print(x)",
        11: "from a import b",
    }


def test_every_page_with_examples_is_type_checked(tmp_path):
    """Each page that has a Python block becomes one module."""
    modules = check_examples.write_modules(tmp_path)
    with_blocks = [page for page in PAGES if "```python\n" in page.read_text(encoding="utf-8")]
    assert len(modules) == len({module.name for module in modules}) == len(with_blocks) >= 20
    for module in modules:
        compile(module.read_text(encoding="utf-8"), module.name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
