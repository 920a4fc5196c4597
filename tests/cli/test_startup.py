"""What a start of the command loads: nothing that it does not use."""

import subprocess
import sys

import pytest

from cli.command import environment

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


@pytest.mark.parametrize(
    "args",
    [["--help"], ["--version"], ["check", "--help"], ["ingest", "--help"], ["validate", "--help"]],
    ids=" ".join,
)
def test_help_loads_neither_reports_nor_rich(tmp_path, args):
    """Help and version need the parser of the command line alone."""
    assert not loaded(tmp_path, *args) & (HEAVY | {"rich", "msgspec", "groundwire.report", "groundwire.evidence"})


@pytest.mark.parametrize("report_format", ["text", "json", "jsonl"])
def test_check_loads_no_writer_that_it_does_not_use(tmp_path, write, interview, report_format):
    """A piped report loads no console and no page."""
    write("q.json", ["sleep"])
    modules = loaded(tmp_path, "check", interview, "-q", "q.json", "-f", report_format)
    assert "groundwire.report.model" in modules
    assert not modules & (HEAVY | {"rich", "jinja2", "groundwire.report.markdown"})


def test_ingest_loads_neither_network_nor_database_that_it_does_not_use(tmp_path):
    """Nor a judge, a console or a page."""
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
    """Nor a network, a console or a page."""
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
