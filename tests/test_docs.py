"""README and docs/ hold what they promise: every example runs, every option and setting is named."""

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
from groundwire.citations import CLAIM_STATUSES
from groundwire.report.labels import CLAIM_SIGNS as SIGNS
from groundwire.settings import EvidenceSettings

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

_SPEC = importlib.util.spec_from_file_location("check_examples", ROOT / "tools" / "check_examples.py")
check_examples = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(check_examples)


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
            timeout=60,
        )
        assert done.stdout.decode("utf-8") == output, command


EXAMPLES = Sybil(
    parsers=[PythonCodeBlockParser(), CodeBlockParser(language="console", evaluator=run_console)],
    path=str(ROOT),
    patterns=["*.md"],
)


def page(name: str) -> str:
    """The text of a page of docs/."""
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
@pytest.mark.usefixtures("bare_environment")
def test_examples_show_what_happens(path):
    """Python blocks run from top to bottom, and print what stands below; so do commands."""
    for example in EXAMPLES.parse(path).examples():
        example.evaluate()


def test_pages_have_examples():
    """README and the pages of docs/ show what they describe at work, so the test above is not an empty one."""
    counts = {path.name: len(list(EXAMPLES.parse(path).examples())) for path in PAGES}
    pages = (
        *("README", "cli", "engine", "evidence", "faithfulness", "faithfulness-command", "ingestion-command"),
        *("judge", "memory", "transcripts", "verdicts"),
    )
    assert all(counts[f"{name}.md"] >= 3 for name in pages)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(path):
    """A link to a file of the project names one that is there."""
    links = re.findall(r"\]\((?!https?://|#)([^)#]+)", path.read_text(encoding="utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []


def test_table_of_claim_statuses_has_them_all():
    """Sign, status and meaning as the reports and the rules have them."""
    rows = [f"| {sign} | `{status}` | {CLAIM_STATUSES[status]} |" for status, sign in SIGNS.items()]
    assert "\n".join(rows) in page("cli.md")
    assert SIGNS.keys() == CLAIM_STATUSES.keys()


@pytest.mark.parametrize(("name", "field"), EvidenceSettings.model_fields.items())
def test_every_setting_is_in_the_table_with_its_default(name, field):
    """Ruling A12: the table of settings has the variable's name and default."""
    default = "–" if field.default is None else f"`{str(field.default).lower()}`"
    assert f"| `QUANTITATIVE_{name.upper()}` | {default} |" in page("evidence.md")


@pytest.mark.parametrize(
    ("command", "file", "heading"),
    [
        ("check", "cli.md", "## Options"),
        ("cite", "cli.md", "## Options of cite"),
        ("ingest", "ingestion-command.md", "## Options of ingest"),
        ("validate", "faithfulness-command.md", "## Options of validate"),
        ("bulk", "bulk-files.md", "## Options of bulk"),
        ("calibrate", "calibration.md", "## Options of calibrate"),
    ],
)
def test_every_option_of_the_command_is_documented(command, file, heading):
    """An option that the help lists is in the documentation too, and the other way round."""
    called = [sys.executable, "-m", "groundwire", command, "--help"]
    shown = subprocess.run(called, capture_output=True, text=True, env=environment(), check=True).stdout
    table = page(file).partition(f"{heading}\n")[2].partition("\n## ")[0]
    documented = re.findall(r"^\| (?:`-\w`, )?`(--[a-z-]+)[ `[]", table, re.M)
    assert {*documented} == {*re.findall(r"(--[a-z-]+)", shown)} - {"--help"}


def test_examples_are_type_checked_at_their_own_lines():
    """Lint checks the code of a page, each line at its place, and nothing that a session prints."""
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
