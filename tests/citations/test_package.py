"""The package groundwire.citations: its public names, and the modules that an import loads."""

import subprocess
import sys

import pytest

from groundwire import citations

ALL = "from groundwire.citations import *"
FORBIDDEN = {
    *("asyncio", "http", "httpcore", "httpx", "openai", "requests", "socket", "ssl", "urllib3"),
    *("numpy", "pydantic", "pydantic_settings", "rapidfuzz"),
}


def modules_after(statement: str) -> set[str]:
    """Return the modules that a new interpreter has loaded after *statement*."""
    program = f"import sys; before = set(sys.modules); {statement}; print(*(set(sys.modules) - before))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return {*run.stdout.split()}


@pytest.mark.parametrize("name", citations.__all__)
def test_every_public_name_is_there(name):
    """Each name of __all__ can be imported and is listed by dir()."""
    value = getattr(citations, name)
    assert name.isupper() or value.__name__ == name
    assert name in dir(citations)


def test_another_name_is_an_attribute_error():
    """The lazy import accepts no unknown name."""
    with pytest.raises(AttributeError, match="no attribute 'judge'"):
        _ = citations.judge


def test_importing_the_package_loads_nothing_else():
    """`import groundwire.citations` loads the package and the engine."""
    assert {name.partition(".")[0] for name in modules_after("import groundwire.citations")} == {"groundwire"}


def test_the_rules_load_no_judge_no_network_and_no_settings():
    """This holds for every name of the package and for an assessment: no judge, HTTP, pydantic or numpy."""
    used = f"{ALL}; assess_answer('q', 'An answer of some length [1].', [{{'id': '1', 'text': 'An answer'}}])"
    for statement in (ALL, used):
        loaded = modules_after(statement)
        assert {name.partition(".")[0] for name in loaded} & FORBIDDEN == set()
        unused = {name for name in loaded if name.startswith(("groundwire.judge.", "groundwire.settings"))}
        assert unused == {"groundwire.judge.protocol"}
        assert "groundwire.openai_client" not in loaded
        assert "groundwire.citations.risk" in loaded


def test_the_literal_rule_does_not_load_the_guarded_layer():
    """detect_hallucination does not load the modules that only the report needs."""
    literal = "from groundwire.citations import detect_hallucination as d; d('An answer of some length [1].', [])"
    loaded = {name.removeprefix("groundwire.citations.") for name in modules_after(literal)}
    assert loaded & {"assess", "conditions", "report", "risk", "support"} == set()
