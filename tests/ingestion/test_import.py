"""Whoever validates claims waits for no database, no network and no event loop before they are used."""

import subprocess
import sys

import pytest

HEAVY = "*({'asyncio', 'sqlite3', 'psycopg', 'ssl', 'numpy', 'pydantic', 'httpcore2', 'markdown_it'} & new)"


@pytest.mark.parametrize(
    "names",
    [
        "CitationDetector, HedgeDetector",
        "MemoryClaim, IngestionValidator, GroundedIngestionConfig",
        "IngestionGate",
        "MemoryStore",
    ],
)
def test_importing_loads_nothing_heavy(names):
    """Each of them is loaded where it is needed."""
    program = f"import sys\nbefore = set(sys.modules)\nfrom groundwire.ingestion import {names}\n"
    # Measuring coverage loads some of them before.
    program += f"new = set(sys.modules) - before\nprint({HEAVY})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_the_package_alone_loads_none_of_its_parts():
    """Names are imported when they are first touched (PEP 562)."""
    program = (
        "import sys, groundwire.ingestion\nprint(*(m for m in sys.modules if m.startswith('groundwire.ingestion.')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
