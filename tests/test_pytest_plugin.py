"""The pytest plugin: fixtures, readable failures, and a summary of what the assertions counted."""

import subprocess
import sys
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from cli.command import environment

pytest_plugins = ["pytester"]

PROJECT = Path(__file__).parents[1]
TEXT = "Anna: I can't sleep at night.\nBen: Take 15 mg of it."
TESTS = f"""
    import pytest
    from groundwire.testing import assert_cited, assert_grounded as grounded

    TEXT = {TEXT!r}

    @pytest.fixture(scope="module")
    def interview(assert_grounded):
        assert_grounded("at night", TEXT)
        return TEXT

    def test_by_fixture(assert_grounded, interview):
        assert_grounded(["I can't sleep", "15 mg"], interview)

    def test_by_import():
        grounded("Take 50 mg of it", TEXT)

    def test_answer(assert_cited):
        assert_cited("The ferry leaves the harbour at nine [1].", ["The ferry leaves the harbour at nine."])

    def test_persona(assert_faithful):
        assert_faithful({{"quote": "Take 15 mg of it"}}, [TEXT])
"""
SUMMARY = [
    "=* groundwire *=",
    "assertions: 4 passed, 1 failed",
    "claims: 1 supported",
    "persona claims: 1 supported",
    "quotes: 3 exact, 1 altered",
]


def run(pytester: pytest.Pytester, *args: str) -> pytest.RunResult:
    """Run the tests of *pytester* in a process of their own, with the plugin even if it is not installed."""
    is_installed = any(each.value == "pytest_groundwire" for each in entry_points(group="pytest11"))
    plugin = () if is_installed else ("-p", "pytest_groundwire")
    return pytester.runpytest_subprocess("-p", "no:cacheprovider", *plugin, *args)


def test_the_package_names_the_plugin():
    """pytest finds it where the package is installed, and the wheel has it."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["entry-points"]["pytest11"] == {"groundwire": "pytest_groundwire"}
    assert "pytest_groundwire" in project["tool"]["maturin"]["python-packages"]


def test_the_summary_counts_assertions_and_statuses(pytester):
    """Those of fixtures and of imported functions; the failure shows quote and passage."""
    pytester.makepyfile(TESTS)
    result = run(pytester)
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(SUMMARY)
    result.stdout.fnmatch_lines(["E*quote:  Take 50 mg of it", "E*source: Take [[]-15 mg-]{+50 mg+} of it"])
    summary = result.stdout.str().partition("= groundwire =")[2].partition("short test summary")[0]
    assert "50 mg" not in summary


def test_the_counts_of_workers_add_up(pytester):
    """Each test's counts come with its report."""
    pytester.makepyfile(TESTS)
    result = run(pytester, "-n", "2")
    result.assert_outcomes(passed=3, failed=1)
    # Each worker sets up the fixture of the module.
    assert any(line.startswith("assertions: ") and line.endswith(" passed, 1 failed") for line in result.stdout.lines)
    result.stdout.fnmatch_lines(SUMMARY[2:4])


def test_unused_it_prints_and_imports_nothing(pytester):
    """A run without assertions does not load the engine."""
    pytester.makepyfile("import sys\ndef test_it():\n    assert 'groundwire' not in sys.modules")
    result = run(pytester)
    result.assert_outcomes(passed=1)
    assert "groundwire" not in result.stdout.str().partition("test session starts")[2].partition("\n\n")[2]


def test_importing_the_plugin_loads_only_pytest():
    """Every run of pytest pays for it."""
    program = (
        "import pytest, sys; before = set(sys.modules); import pytest_groundwire; print(*set(sys.modules) - before)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment(), check=True
    )
    assert done.stdout.split() == ["pytest_groundwire"]
