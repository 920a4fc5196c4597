"""The package groundwire.faithfulness: its public names, and the modules that an import loads."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from groundwire import faithfulness
from groundwire.errors import GroundwireError
from groundwire.faithfulness import FieldPolicy, MatchKind, SupportLevel

HEAVY = {
    *("asyncio", "http", "httpcore2", "httpx2", "openai", "socket", "ssl"),
    *("numpy", "onnxruntime", "pydantic", "pydantic_settings", "tokenizers", "torch"),
}
DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = ("how-to/validate-personas.md", "reference/codes.md", "reference/verdicts.md")


def modules_after(statement: str) -> set[str]:
    """Return the modules that a new interpreter has loaded after *statement*."""
    program = f"import sys; before = set(sys.modules); {statement}; print(*(set(sys.modules) - before))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return {*run.stdout.split()}


def test_every_public_name_is_there():
    """Each name of __all__ can be imported and is listed by dir()."""
    for name in faithfulness.__all__:
        value = getattr(faithfulness, name)
        assert name.isupper() or value.__name__ == name
        assert name in dir(faithfulness)


def test_another_name_is_an_attribute_error():
    """The lazy import accepts no unknown name."""
    with pytest.raises(AttributeError, match="no attribute 'claim'"):
        _ = faithfulness.claim


def test_importing_the_package_loads_nothing_else():
    """`import groundwire.faithfulness` loads the package and the engine."""
    assert modules_after("import groundwire.faithfulness") == {
        "groundwire",
        "groundwire._engine",
        "groundwire.faithfulness",
        "groundwire.lazy",
    }


def test_claims_and_sources_load_no_network_and_no_models():
    """This holds for every name, claims of a persona and units of sources: no pydantic, numpy or network."""
    used = (
        "from groundwire.faithfulness import *; ClaimExtractor().extract({'bio': 'She works. She plays.'});"
        "list(SourceData(['a,b\\n1,2\\n3,4', '{\"a\": 1}', 'Ann: Hi.\\nBob: Ho.']).units())"
    )
    loaded = {name.partition(".")[0] for name in modules_after(used)}
    assert "groundwire" in loaded
    assert loaded & HEAVY == set()


def test_exceptions_have_one_base():
    """One class catches every exception of groundwire."""
    for error in (faithfulness.PersonaError, faithfulness.SourceDataError):
        assert issubclass(error, GroundwireError)
        assert issubclass(error, ValueError)


@pytest.mark.parametrize("names", [FieldPolicy, SupportLevel, MatchKind])
def test_every_policy_level_and_kind_is_in_the_tables(names):
    """The documentation has their meanings."""
    page = "\n".join((DOCS / name).read_text(encoding="utf-8") for name in PAGES)
    assert [name for name in names if not re.search(rf"^\| [^|]*`{name.value}`", page, re.M)] == []
