"""A start of the command loads only the modules that it uses."""

import subprocess
import sys

import pytest

from cli.command import environment
from groundwire.cli.commands import COMMANDS

HEAVY = {"numpy", "pydantic", "pydantic_settings", "rapidfuzz", "ahocorasick", "pyarrow", "importlib.metadata"}


def loaded(tmp_path, *args):
    """Return the names of all modules that a run with *args* loads; measuring coverage loads some before."""
    program = (
        "import sys\n"
        "before = {*sys.modules}\n"
        "from groundwire.cli import main\n"
        f"main({[*args]!r})\n"
        "sys.stdout.flush()\n"
        "print('\\n' + ' '.join({*sys.modules} - before), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, env=environment(), check=True
    )
    return set(done.stderr.splitlines()[-1].split())


SHARED = {f"groundwire.cli{name}" for name in ("", ".app", ".commands", ".inputs", ".options", ".output", ".stores")}


def test_the_overview_loads_no_parser(tmp_path):
    """`groundwire --help` prints a fixed list."""
    assert {name for name in loaded(tmp_path, "--help") if name.startswith(("click", "groundwire."))} == {
        "groundwire.cli",
        "groundwire.cli.commands",
        "groundwire._engine",
    }


@pytest.mark.parametrize("args", [["--version"], *([name, "--help"] for name in COMMANDS)], ids=" ".join)
def test_help_loads_one_command_and_neither_reports_nor_rich(tmp_path, args):
    """Only the parser of that command is loaded."""
    modules = loaded(tmp_path, *args)
    assert not modules & (HEAVY | {"rich", "msgspec", "groundwire.report", "groundwire.evidence"})
    commands = {name for name in modules if name.startswith("groundwire.cli.")} - SHARED
    assert commands <= {f"groundwire.cli.{args[0]}"}


@pytest.mark.parametrize("report_format", ["text", "json", "jsonl"])
def test_check_loads_no_writer_that_it_does_not_use(tmp_path, write, interview, report_format):
    """Piped output loads no console and no HTML page."""
    write("q.json", ["sleep"])
    modules = loaded(tmp_path, "check", interview, "-q", "q.json", "-f", report_format)
    assert "groundwire.report.model" in modules
    assert not modules & (HEAVY | {"rich", "jinja2"})


def test_ingest_loads_neither_network_nor_database_that_it_does_not_use(tmp_path):
    """Neither does it load a judge, a console or a page."""
    modules = loaded(tmp_path, "ingest", "The mill is closed.", "-f", "text")
    assert "groundwire.ingestion.validator" in modules
    unwanted = {
        "sqlite3",
        "psycopg",
        "httpcore2",
        "openai",
        "rich",
        "jinja2",
        "groundwire.openai_client",
    }
    assert not modules & (unwanted | HEAVY - {"numpy"})


def test_validate_loads_neither_models_nor_writers_that_it_does_not_use(tmp_path, write):
    """Neither does it load a network, a console or a page."""
    write("p.json", {"age": 34})
    modules = loaded(tmp_path, "validate", "p.json", "--faithfulness", "--source", str(write("s.csv", "age,x\n34,1\n")))
    assert "groundwire.faithfulness.validator" in modules
    unwanted = {
        "openai",
        "onnxruntime",
        "rich",
        "sqlite3",
        "jinja2",
        "groundwire.judge.llm_judge",
    }
    assert not modules & (unwanted | HEAVY - {"numpy"})
