"""The commands of benches/quality, run on small sets: the page that one writes, and the page that it leaves alone."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import groundwire

__all__ = ["check_page_without_a_place", "importable_scripts", "written_tables"]

SCRIPTS = Path(__file__).resolve().parents[1] / "benches" / "quality"
# The package under test, wherever it was installed.
ENVIRONMENT = {"PYTHONWARNINGS": "ignore", "PYTHONPATH": str(Path(groundwire.__file__).parents[1])}


@contextmanager
def importable_scripts() -> Iterator[None]:
    """Let tests import the modules beside the commands."""
    sys.path.append(str(SCRIPTS))
    yield
    sys.path.remove(str(SCRIPTS))


def written_tables(script: str, sets: Path) -> str:
    """Run a command on *sets*, and return the page; the text around the place of its tables must stay."""
    page = sets / "page.md"
    begin, end = f"<!-- table: python benches/quality/{script} -->\n", "<!-- end of table -->\n"
    page.write_text(f"before\n{begin}old\n{end}after\n", encoding="utf-8")
    done = _run(script, sets, page)
    assert done.returncode == 0, done.stderr
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"before\n{begin}")
    assert text.endswith(f"{end}after\n")
    assert "old\n" not in text
    return text


def check_page_without_a_place(script: str, sets: Path) -> None:
    """Run a command for a page without a place for its tables, which must stay as it is."""
    page = sets / "page.md"
    page.write_text("nothing here\n", encoding="utf-8")
    done = _run(script, sets, page)
    assert (done.returncode, done.stderr) == (1, "the page has no place for the tables\n")
    assert page.read_text(encoding="utf-8") == "nothing here\n"


def _run(script: str, sets: Path, page: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(SCRIPTS / script), "--sets", str(sets), "-o", str(page)]
    return subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT)
