"""The cost and the names of `import groundwire`."""

import importlib.metadata
import os
import subprocess
import sys

import pytest

import groundwire

SUBPACKAGES = [
    *("bulk", "citations", "embedding", "errors", "evidence", "faithfulness", "ingestion", "judge", "memory"),
    *("reference", "report", "review", "settings", "sources", "testing", "transcripts"),
]
LAZY = ["Document", "Sources", "Transcript", "read_document", "read_transcript"]


def run(program: str) -> str:
    """Return the output of a new interpreter."""
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


def test_import_loads_the_package_and_the_engine_and_nothing_else():
    """The import loads two modules more than a bare interpreter has."""
    bare = run("import sys; print(*sys.modules)")
    loaded = run("import sys; import groundwire; print(*sys.modules)")
    assert set(loaded.split()) - set(bare.split()) == {"groundwire", "groundwire._engine"}


def test_searching_loads_nothing_either():
    """Normalising reads the version of `unicodedata` once; numpy is loaded for the first array."""
    program = (
        "import sys; import groundwire; before = set(sys.modules)\n"
        "source = groundwire.Source('text'); source.find('tex', mode='fuzzy'); source.ground(['x'], workers=2)\n"
        "groundwire.partial_ratio('a', 'b'); groundwire.Patterns(['a']).find_all('a'); groundwire.build_info()\n"
        "print(*(set(sys.modules) - before))"
    )
    assert set(run(program).split()) <= {"unicodedata"}


@pytest.mark.parametrize("name", SUBPACKAGES)
def test_a_subpackage_is_loaded_on_first_use(name):
    """`groundwire.evidence` needs no import of its own (PEP 562)."""
    program = f"import sys, groundwire; print('groundwire.{name}' in sys.modules, groundwire.{name}.__name__)"
    assert run(program) == f"False groundwire.{name}\n"


@pytest.mark.parametrize("name", LAZY)
def test_a_name_of_a_subpackage_is_loaded_on_first_use(name):
    """`groundwire.Sources` is loaded on first use, and is the subpackage's own object."""
    program = (
        "import sys, groundwire; before = {'groundwire.sources', 'groundwire.transcripts'} & set(sys.modules)\n"
        f"print(before, groundwire.{name}.__name__, '{name}' in vars(groundwire), 'msgspec' in sys.modules)"
    )
    assert run(program) == f"set() {name} True False\n"


@pytest.mark.parametrize("name", [*groundwire.__all__, *SUBPACKAGES])
def test_dir_lists_every_public_name(name):
    """Completion shows all names, also before they are loaded."""
    assert name in run("import groundwire; print(*dir(groundwire))").split()
    assert getattr(groundwire, name) is not None


@pytest.mark.parametrize("name", ["Source2", "_missing", "cli2", "__wrapped__"])
def test_another_name_is_an_attribute_error(name):
    """The lazy import accepts no unknown name."""
    with pytest.raises(AttributeError, match=f"module 'groundwire' has no attribute '{name}'"):
        getattr(groundwire, name)


@pytest.mark.parametrize("name", groundwire.__all__)
def test_public_classes_and_functions_say_what_they_do(name):
    """help() shows their docstrings, and errors name the public module."""
    value = getattr(groundwire, name)
    if not isinstance(value, str):
        assert value.__doc__.strip()
    if isinstance(value, type) and name not in LAZY:
        assert (value.__module__, value.__qualname__) == ("groundwire", name)


def test_the_version_is_the_installed_ones():
    """Engine and package come from one build."""
    assert groundwire.__version__ == groundwire.build_info()["version"] == importlib.metadata.version("groundwire")


def test_build_info_describes_the_build():
    """It has the facts that a bug report or a benchmark needs."""
    info = groundwire.build_info()
    assert set(info) == {
        "version",
        "profile",
        "target",
        "cpu_features",
        "unicode_version",
        "python_unicode_version",
    }
    assert info["profile"] in {"release", "debug"}
    assert all(isinstance(feature, str) for feature in info["cpu_features"])


@pytest.mark.parametrize(("arch", "allowed"), [("scalar", set()), ("avx2", {"avx2"}), ("", {"avx2", "avx512bw"})])
def test_build_info_names_the_vectors_in_use(arch, allowed):
    """GROUNDWIRE_ARCH disables instructions and adds none."""
    command = "import groundwire; print(*groundwire.build_info()['cpu_features'])"
    environment = os.environ | {"GROUNDWIRE_ARCH": arch}
    process = subprocess.run(
        [sys.executable, "-c", command], env=environment, check=True, capture_output=True, text=True
    )
    assert {"avx2", "avx512bw"}.intersection(process.stdout.split()) <= allowed


def test_build_info_is_the_callers_own():
    """A change of the dict affects no other caller."""
    groundwire.build_info().clear()
    assert groundwire.build_info()
