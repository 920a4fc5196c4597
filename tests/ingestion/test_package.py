"""The package: its public names, and the modules that an import loads."""

import subprocess
import sys

import pytest

from groundwire import ingestion
from groundwire.ingestion import (
    verification,
)

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
    """Each heavy module is loaded on use."""
    program = f"import sys\nbefore = set(sys.modules)\nfrom groundwire.ingestion import {names}\n"
    # Measuring coverage loads some of these modules first.
    program += f"new = set(sys.modules) - before\nprint({HEAVY})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_the_package_alone_loads_none_of_its_parts():
    """Names are imported on first use (PEP 562)."""
    program = (
        "import sys, groundwire.ingestion\nprint(*(m for m in sys.modules if m.startswith('groundwire.ingestion.')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize("package", [ingestion, verification], ids=lambda package: package.__name__)
def test_every_public_name_is_there(package):
    """Each name of __all__ can be imported and is listed by dir(); unknown names are an error."""
    for name in package.__all__:
        assert getattr(package, name) is not None
        assert name in dir(package)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = package.nothing
