"""The package groundwire.evidence: its public names, and the modules that an import loads."""

import subprocess
import sys

import pytest

from groundwire import evidence

HEAVY = {"pydantic", "pydantic_settings", "numpy", "json", "hashlib", "hmac", "datetime", "asyncio", "rapidfuzz"}


def modules_after(statement: str) -> set[str]:
    """Return the top-level modules that a new interpreter has loaded after *statement*."""
    program = f"import sys; before = set(sys.modules); {statement}; print(*(set(sys.modules) - before))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in run.stdout.split()}


@pytest.mark.parametrize("name", evidence.__all__)
def test_every_public_name_is_there(name):
    """Each name of __all__ can be imported and is listed by dir()."""
    value = getattr(evidence, name)
    assert name.isupper() or value.__name__ == name
    assert name in dir(evidence)


def test_another_name_is_an_attribute_error():
    """The lazy import accepts no unknown name."""
    with pytest.raises(AttributeError, match="no attribute 'assess'"):
        _ = evidence.assess


def test_importing_the_package_loads_nothing_else():
    """`import groundwire.evidence` loads the package and the engine."""
    assert modules_after("import groundwire.evidence") == {"groundwire"}


def test_grounding_does_not_load_settings_json_or_hashes():
    """validate_evidence_grounding does not load the modules that only ground_extraction needs."""
    assert modules_after("from groundwire.evidence import validate_evidence_grounding") & {*HEAVY, "typing"} == set()


def test_the_literal_rule_does_not_load_the_guarded_layer():
    """Only assess_quotes and the guard load word lists, alignment and transcripts."""
    literal = "from groundwire.evidence import validate_evidence_grounding as v; v({'a': ['b']}, 'b')"
    program = f"import sys; {literal}; print(*(name for name in sys.modules if name.startswith('groundwire.')))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    guarded = {"assessment", "matching", "elision", "differences", "verdicts"}
    assert {name.removeprefix("groundwire.evidence.") for name in run.stdout.split()} & guarded == set()


def test_extraction_does_not_load_pydantic():
    """Callers import the settings themselves."""
    heavy = {"pydantic", "pydantic_settings", "numpy", "rapidfuzz"}
    assert modules_after("from groundwire.evidence import ground_extraction") & heavy == set()


def test_exceptions_have_one_base():
    """One class catches every exception of groundwire."""
    from groundwire.errors import GroundwireError

    errors = [evidence.EvidenceGroundingError, evidence.EvidenceSchemaError, evidence.ModelOutputError]
    assert all(issubclass(error, GroundwireError) and issubclass(error, ValueError) for error in errors)
