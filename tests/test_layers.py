"""Imports run one way, and heavy libraries are loaded only on use."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import groundwire

ROOT = Path(groundwire.__file__).parent

# Each module or subpackage and its layer: imports go to lower layers, or stay inside.
LAYERS = {
    # Other modules of layer 0 put counts into words with it.
    "labels": -1,
    "_engine": 0,
    "deprecation": 0,
    "errors": 0,
    "file_kinds": 0,
    "files": 0,
    "lazy": 0,
    "private_files": 0,
    "sanitize": 0,
    "thresholds": 0,
    "unicode_forms": 0,
    "urls": 0,
    "__init__": 1,
    "delimited": 1,
    "language": 1,
    "onnx_models": 3,
    "pair_scorer": 2,
    "memory": 2,
    "model_output": 2,
    "prose": 2,
    "structured_text": 3,
    "search_results": 2,
    "settings": 2,
    "openai_client": 3,
    "support_score": 2,
    "telemetry": 2,
    "templating": 2,
    "documents": 3,
    "http_server": 3,
    "transcripts": 3,
    "sources": 4,
    "embedding": 4,
    "evidence": 5,
    "judge": 6,
    "reference": 6,
    "citations": 7,
    "calibration": 8,
    "faithfulness": 9,
    "ingestion": 9,
    "bulk": 10,
    "report": 11,
    "promptfoo": 12,
    "agents": 8,
    "langchain": 9,
    "providers": 8,
    "pydantic": 8,
    "streaming": 8,
    "agent_memory": 13,
    "mcp": 13,
    "server": 12,
    "testing": 12,
    "review": 12,
    "benchmarks": 12,
    "cli": 14,
    "__main__": 15,
}

# The reference must not depend on the code that it checks. It shares only the class of its results.
ONLY = {"reference": {"errors", "evidence.schema"}}

HEAVY = {
    *("markdown_it", "pydantic", "yaml", "pydantic_settings", "numpy", "click", "rich", "msgspec"),
    *("anyio", "openai", "httpx2", "httpcore2", "jinja2", "psycopg", "asyncio", "sqlite3"),
    *("starlette", "uvicorn", "markupsafe", "pyarrow", "langgraph", "mem0"),
    *("docx", "lxml", "openpyxl", "pypdf", "pypdfium2", "selectolax"),
    *("model2vec", "onnx", "onnxruntime", "safetensors", "sentence_transformers", "tokenizers"),
}
MAY_LOAD = {
    "settings": {"pydantic", "pydantic_settings"},
    "openai_client": {"asyncio"},
    "templating": {"jinja2", "markupsafe"},
    # numpy in the process that reads PDFs.
    "documents": {"msgspec", "numpy"},
    "transcripts": {"msgspec"},
    "judge": {"asyncio", "pydantic"},
    "calibration": {"numpy"},
    "pydantic": {"pydantic", "pydantic_core"},
    "agent_memory": {"asyncio", "langgraph"},
    "mcp": {"asyncio", "mcp", "pydantic"},
    "http_server": {"asyncio", "msgspec", "starlette", "uvicorn"},
    "server": {"asyncio", "msgspec", "starlette"},
    "embedding": {"asyncio", "sqlite3"},
    "memory": {"psycopg", "sqlite3"},
    "ingestion": {"httpcore2"},
    "report": {"msgspec", "rich"},
    "review": {"asyncio", "msgspec", "starlette"},
    "bulk": {"msgspec", "pyarrow"},
    "benchmarks": {"rich"},
    "cli": {"click"},
}

FILES = sorted(path.relative_to(ROOT) for path in ROOT.rglob("*.py"))


def part_of(path: Path) -> str:
    """Return the module or subpackage that a file belongs to."""
    return path.parts[0].removesuffix(".py")


def targets(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """Return the modules that one import statement names; `from groundwire import x` names module x if there is one."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif node.module == "groundwire":
        for alias in node.names:
            yield f"groundwire.{alias.name}" if alias.name in LAYERS else "groundwire.__init__"
    else:
        yield node.module


def parse(path: Path) -> ast.Module:
    """Return the syntax tree of a file of the package."""
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))


def own_imports(path: Path) -> set[str]:
    """Return the imports of a file from groundwire, anywhere in it, without the prefix, at run time."""
    tree = parse(path)
    if path == Path("__init__.py"):
        # Type checkers see names of every layer; test_import.py checks that none of them is loaded.
        tree.body = [node for node in tree.body if ast.unparse(node).partition(":")[0] != "if TYPE_CHECKING"]
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))
    names = {name for node in imports for name in targets(node)}
    return {name.removeprefix("groundwire.") for name in names if name.startswith("groundwire.")}


def loaded_at_import(nodes: list[ast.stmt]) -> Iterator[str]:
    """Return the top-level names of the modules that a file loads: not in functions, not for type checkers."""
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (name.partition(".")[0] for name in targets(node))
        elif isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            yield from loaded_at_import(node.orelse)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for field in ("body", "orelse", "finalbody", "handlers"):
                yield from loaded_at_import(getattr(node, field, []))


def test_every_module_has_its_layer():
    """A new module needs a layer before it is used."""
    assert {part_of(path) for path in FILES} | {"_engine"} == LAYERS.keys()


@pytest.mark.parametrize("path", FILES, ids=str)
def test_imports_go_downwards(path):
    """A file imports from lower layers and from its own subpackage."""
    part = part_of(path)
    imported = own_imports(path)
    others = {name for name in imported if name.partition(".")[0] != part}
    assert {name for name in others if LAYERS[name.partition(".")[0]] >= LAYERS[part]} == set()
    assert imported <= ONLY.get(part, imported)


@pytest.mark.parametrize("path", FILES, ids=str)
def test_heavy_libraries_are_loaded_in_their_places_only(path):
    """Other code does not load them."""
    heavy = HEAVY & set(loaded_at_import(parse(path).body))
    assert heavy <= MAY_LOAD.get(part_of(path), set())


@pytest.mark.parametrize("path", [path for path in FILES if part_of(path) == "ingestion"], ids=str)
def test_ingestion_uses_the_face_of_evidence(path):
    """The internals of evidence may change."""
    assert {name for name in own_imports(path) if name.startswith("evidence.")} == set()


def test_no_import_is_relative():
    """Every module has one name, which the tests above rely on."""
    relative = [
        str(path) for path in FILES for node in ast.walk(parse(path)) if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert relative == []


PROJECT = Path(__file__).parents[1]
DESIGN = (PROJECT / "DESIGN.md").read_text(encoding="utf-8")


def test_the_design_shows_the_same_floors():
    """Its table has every package and module with its layer, but the two that only start the others."""
    rows = re.findall(r"^\| (-?\d+) \| ([^|]+) \|", DESIGN, re.M)
    floors = {name: int(floor) for floor, names in rows for name in re.findall(r"`(\w+)`", names)}
    assert floors == {name: floor for name, floor in LAYERS.items() if not name.startswith("__")}


@pytest.mark.parametrize(
    ("title", "folder"),
    [
        ("`Source.find", "rust/engine/src"),
        ("`IngestionValidator.validate", "python/groundwire/ingestion"),
        ("`groundwire validate", "python/groundwire"),
    ],
)
def test_the_design_counts_the_files_of_a_path(title, folder):
    """Each file of a path exists, and the title gives their number."""
    section = DESIGN.partition(f"### {title}")[2].partition("\n#")[0]
    files = {*re.findall(r"`([\w/]+\.(?:rs|py|html\.j2))`", section)}
    assert [name for name in files if not any((PROJECT / each / name).is_file() for each in ("", folder))] == []
    assert f": {len(files)} files" in section.partition("\n")[0]
