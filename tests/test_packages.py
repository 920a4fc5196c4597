"""Each package has the names it lists, and importing a part loads only the libraries that this part needs."""

import importlib
import pkgutil
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path
from types import ModuleType

import pytest

import groundwire
from cli.command import environment
from groundwire import errors

ROOT = Path(__file__).resolve().parents[1]
FREE_OF_LIBRARIES = {"groundwire", "groundwire._engine", "groundwire.lazy"}
NETWORK = {
    *("anyio", "asyncio", "http", "httpcore", "httpcore2", "httpx", "httpx2"),
    *("openai", "requests", "socket", "ssl"),
}
MODELS = {"numpy", "onnx", "onnxruntime", "safetensors", "tokenizers", "torch"}
SETTINGS = {"pydantic", "pydantic_settings"}
DATABASES = {"psycopg", "sqlite3"}


def loaded_by(program: str) -> set[str]:
    """The modules that a fresh interpreter loads for *program*. Measuring coverage loads some of them before."""
    code = f"import sys; before = set(sys.modules)\n{program}\nprint(*(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=True)
    return {*done.stdout.split()}


def top_level(modules: set[str]) -> set[str]:
    """The names before the first dot."""
    return {name.partition(".")[0] for name in modules}


# What comes with `pip install groundwire`; the rest comes with extras.
CORE = {"click", "jinja2", "markdown_it", "markupsafe", "mdurl", "msgspec", "pygments", "rich"}
PERSONAS = ["examples/personas/personas.json", "--source", "examples/personas/research"]
SAMPLES = {
    "check": ["examples/interview.txt", "--quotes", "examples/extraction.json"],
    "cite": ["examples/answer.md", "--results", "examples/results.json"],
    "ingest": ["I think we should use Redis."],
    "validate": [*PERSONAS, "--faithfulness", "--min-score", "1"],
}


def lazy_packages() -> list[ModuleType]:
    """The packages whose names are imported when they are first used (PEP 562)."""
    found = pkgutil.walk_packages(groundwire.__path__, "groundwire.")
    packages = [importlib.import_module(each.name) for each in found if each.ispkg]
    return [each for each in packages if hasattr(each, "__getattr__")]


LAZY = lazy_packages()


@pytest.mark.parametrize("package", LAZY, ids=lambda package: package.__name__)
def test_a_package_has_the_names_that_it_lists(package):
    """`dir()` lists them too, and no other name is invented."""
    for name in package.__all__:
        try:
            assert getattr(package, name) is not None
        except ModuleNotFoundError as error:
            pytest.skip(f"no {error.name}, which {name} needs")
    assert {*package.__all__} <= {*dir(package)}
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = package.nothing


def test_the_packages_of_the_four_systems_are_lazy():
    """The tests above have parameters."""
    names = {each.__name__.partition(".")[2] for each in LAZY}
    assert {"citations", "evidence", "faithfulness", "ingestion", "memory", "review", "bulk", "report"} <= names


@pytest.mark.parametrize("name", ["citations", "evidence", "faithfulness", "ingestion"])
def test_importing_a_package_loads_nothing_else(name):
    """The package, the engine, and the module that imports names on first use."""
    assert loaded_by(f"import groundwire.{name}") == {*FREE_OF_LIBRARIES, f"groundwire.{name}"}


ASSESS = "assess_answer('q', 'An answer of some length [1].', [{'id': '1', 'text': 'An answer'}])"
UNITS = "list(SourceData(['a,b\\n1,2\\n3,4', '{\"a\": 1}', 'Ann: Hi.\\nBob: Ho.']).units())"


@pytest.mark.parametrize(
    ("program", "unwanted"),
    [
        pytest.param(
            f"from groundwire.citations import *; {ASSESS}",
            {*NETWORK, *SETTINGS, "numpy", "rapidfuzz"},
            id="rules-of-citations",
        ),
        pytest.param(
            "from groundwire.evidence import validate_evidence_grounding",
            {*SETTINGS, "numpy", "json", "hashlib", "hmac", "datetime", "asyncio", "rapidfuzz", "typing"},
            id="literal-rule-of-evidence",
        ),
        pytest.param(
            "from groundwire.evidence import ground_extraction", {*SETTINGS, "numpy", "rapidfuzz"}, id="extraction"
        ),
        pytest.param(
            "from groundwire.faithfulness import *;"
            f"ClaimExtractor().extract({{'bio': 'She works. She plays.'}}); {UNITS}",
            {*NETWORK, *SETTINGS, *MODELS},
            id="claims-and-units",
        ),
        *(
            pytest.param(
                f"from groundwire.ingestion import {names}",
                {*DATABASES, "asyncio", "ssl", "numpy", "pydantic", "httpcore2", "markdown_it"},
                id=names,
            )
            for names in (
                "CitationDetector, HedgeDetector",
                "MemoryClaim, IngestionValidator, GroundedIngestionConfig",
                "IngestionGate",
                "MemoryStore",
            )
        ),
        *(
            pytest.param(
                f"from groundwire.memory import {names}", {*DATABASES, "asyncio", "pydantic", "numpy", "ssl"}, id=names
            )
            for names in ("StoredMemory, MemoryStatus, MemoryProvider", "MemoryStore as Store")
        ),
        pytest.param(
            "from groundwire.memory import MemoryStore; MemoryStore(':memory:')",
            {"psycopg", "asyncio", "pydantic", "numpy", "ssl"},
            id="store-in-sqlite",
        ),
        *(
            pytest.param(statement, {"starlette", "jinja2", "uvicorn"}, id=statement)
            for statement in (
                "from groundwire.review import ReviewQueue",
                "import groundwire.review.web",
                "import groundwire.cli.review.page, groundwire.cli.review.queue",
                "from groundwire.review.web import TokenAuthenticator, TokenStore",
            )
        ),
        pytest.param("from groundwire.review import create_app", {"jinja2", "uvicorn"}, id="application"),
        pytest.param("import groundwire.judge", {*NETWORK, *SETTINGS, "jinja2", "numpy", "msgspec"}, id="judge"),
        pytest.param(
            "from groundwire.citations.support import support_of;"
            "support_of('The tower is 330 metres tall.', ['It is 330 metres tall.'])",
            {*NETWORK, *SETTINGS, "numpy", "markdown_it"},
            id="support",
        ),
        pytest.param(
            "from groundwire.faithfulness import HHEMClassifier;"
            "HHEMClassifier(backend=lambda pairs: [0.5]).score(claim='a', context='b')",
            {*MODELS, *SETTINGS},
            id="classifier-with-a-backend",
        ),
        pytest.param(
            "from groundwire.ingestion import CitationDetector, CitationVerifier as V;"
            "CitationDetector().detect('ADR-1 https://a.org'); V(repo='.', adr_dirs=['.'], network=True)",
            {*NETWORK, *SETTINGS, "subprocess", "logging", "numpy"},
            id="verifier-before-a-request",
        ),
        pytest.param("import groundwire.evidence.differences", {"tomllib"}, id="kinds-of-differences"),
    ],
)
def test_a_part_loads_no_library_that_it_does_not_need(program, unwanted):
    """Networks, models, settings and databases are loaded by the calls that use them."""
    modules = loaded_by(program)
    assert "groundwire" in modules
    assert top_level(modules) & unwanted == set()


@pytest.mark.parametrize(
    ("program", "unwanted"),
    [
        pytest.param(
            f"from groundwire.citations import *; {ASSESS}",
            {"groundwire.judge.llm_judge", "groundwire.settings", "groundwire.openai_client"},
            id="assessment-without-judge",
        ),
        pytest.param(
            "from groundwire.citations import detect_hallucination as d; d('An answer of some length [1].', [])",
            {f"groundwire.citations.{name}" for name in ("assessment", "report", "risk", "risk_rules", "support")},
            id="literal-rule-of-citations",
        ),
        pytest.param(
            "from groundwire.evidence import validate_evidence_grounding as v; v({'a': ['b']}, 'b')",
            {f"groundwire.evidence.{name}" for name in ("assessment", "matching", "elision", "verdicts")},
            id="literal-rule-of-evidence",
        ),
    ],
)
def test_a_part_does_not_load_another_layer(program, unwanted):
    """The literal rules load no guarded layer, and the rules load no judge."""
    for module in unwanted:
        importlib.import_module(module)
    assert loaded_by(program) & unwanted == set()


def test_postgres_without_its_driver_is_reported(monkeypatch):
    """The error names the package to install."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "groundwire.memory.postgres", raising=False)
    from groundwire.memory import MemoryStore

    with pytest.raises(ImportError, match=r"pip install 'groundwire\[postgres\]'"):
        MemoryStore("postgresql://localhost/x")


def test_exceptions_have_one_base():
    """Every exception of `groundwire.errors` is caught as `GroundwireError`."""
    found = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, Exception)]
    assert len(found) > 20
    assert [each for each in found if not issubclass(each, errors.GroundwireError)] == []


@pytest.fixture(scope="module")
def refused():
    """Return the installed modules that belong to extras or to no part of groundwire."""
    return sorted({*packages_distributions()} - CORE - {"groundwire"})


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("form", ["html", "text"])
def test_the_commands_need_no_library_of_an_extra(refused, name, form):
    """A finder before all others refuses every library that does not come with the package itself."""
    program = f"""
import sys

class Refusing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {refused!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Refusing())
from groundwire.cli import main
sys.exit(main({[name, *SAMPLES[name], "--format", form]!r}))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, cwd=ROOT, env=environment())
    assert done.returncode == 1, done.stderr


@pytest.mark.parametrize(
    ("module", "missing", "extra"),
    [
        ("groundwire.settings", "pydantic_settings", "pydantic"),
        ("groundwire.pydantic", "pydantic", "pydantic"),
        ("groundwire.calibration.support", "numpy", "numpy"),
    ],
)
def test_a_module_without_its_library_says_what_to_install(module, missing, extra):
    """The message names the extra."""
    program = f"""
import sys
sys.modules[{missing!r}] = None
try:
    import {module}
except ImportError as error:
    print(error, end="")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment())
    assert done.stdout.endswith(f"pip install 'groundwire[{extra}]'")


def test_an_array_without_numpy_says_what_to_install():
    """The engine loads numpy for the first array; the message names the extra, and the cause is the import's error."""
    program = """
import sys
sys.modules["numpy"] = None
from groundwire import Source
try:
    Source("a text").scores(["text"])
except ModuleNotFoundError as error:
    print(error, repr(error.__cause__.name), sep="; ", end="")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment())
    assert done.stdout == "arrays need numpy: pip install 'groundwire[numpy]'; 'numpy'"


def test_calibrate_without_numpy_says_what_to_install():
    """The error is one line, and the hint is another."""
    program = """
import sys
sys.modules["numpy"] = None
from groundwire.cli import main
sys.exit(main(["calibrate", "examples/labelled.jsonl"]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, env=environment())
    assert (done.returncode, done.stdout) == (2, "")
    assert "hint: pip install 'groundwire[numpy]'" in done.stderr
