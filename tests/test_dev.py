"""Decisions of dev.py, without installing anything."""

import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]


def load(name: str, path: Path) -> ModuleType:
    """Return a script as a module."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def dev(monkeypatch, tmp_path):
    """Return the module, with an environment that does not exist."""
    module = load("dev", ROOT / "dev.py")
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(module, "STAMP", tmp_path / "stamp.json")
    return module


@pytest.fixture
def project(tmp_path, dev):
    """Return a folder with the files that dev.py treats as sources."""
    root = tmp_path / "project"
    for name in (*dev.FILES, "rust/engine/src/lib.rs", "python/groundwire/__init__.py"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name, encoding="utf-8")
    return root


def test_the_fingerprint_depends_on_the_content(dev, project):
    """The same sources have the same fingerprint at any time."""
    before = dev.fingerprint(project)
    (project / "README.md").touch()
    assert before == dev.fingerprint(project)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda root: (root / "Cargo.lock").write_text("other"), id="a-file-is-changed"),
        pytest.param(lambda root: (root / "LICENSE").write_text(""), id="a-file-is-emptied"),
        pytest.param(lambda root: (root / "python/groundwire/new.py").write_text(""), id="a-file-is-new"),
        pytest.param(lambda root: (root / "rust/engine/src/lib.rs").unlink(), id="a-file-is-gone"),
        pytest.param(lambda root: (root / "rust/engine").rename(root / "rust/motor"), id="a-folder-is-renamed"),
    ],
)
def test_fingerprint_changes_with_the_sources(dev, project, change):
    """Every file of the package counts."""
    before = dev.fingerprint(project)
    change(project)
    assert before != dev.fingerprint(project)


def test_fingerprint_knows_where_a_file_ends(dev, project):
    """Moving text from the end of one file to the beginning of the next changes it."""
    first, second = project / "rust/a", project / "rust/b"
    first.write_text("xy")
    second.write_text("z")
    before = dev.fingerprint(project)
    first.write_text("x")
    second.write_text("yz")
    assert before != dev.fingerprint(project)


@pytest.mark.parametrize(
    "path",
    [
        "tests/test_new.py",
        "docs/new.md",
        "python/groundwire/__pycache__/new.cpython-311.pyc",
        "python/groundwire/_engine.cpython-311-x86_64-linux-gnu.so",
    ],
)
def test_fingerprint_ignores_built_and_uninstalled_files(dev, project, path):
    """A new test needs no build, and a build does not cause another."""
    before = dev.fingerprint(project)
    (project / path).parent.mkdir(parents=True, exist_ok=True)
    (project / path).write_text("new")
    assert before == dev.fingerprint(project)


@pytest.fixture
def commands(dev, monkeypatch):
    """Record the commands that dev.py would run, in an environment with groundwire; all succeed."""
    ran = []
    monkeypatch.setattr(dev, "run", lambda command, **_: ran.append(command) or 0)
    monkeypatch.setattr(dev, "prepare_environment", lambda: None)
    monkeypatch.setattr(dev, "fingerprint", lambda _: "sources")
    monkeypatch.setattr(dev, "installed", lambda: "record")
    return ran


BUILD = "the package"


def steps(commands):
    """Return the installed groups and packages in order."""
    found = []
    for _, _, *command in commands:
        if command[:2] == ["uv", "sync"]:
            groups = [word.removeprefix("--group=") for word in command if word.startswith("--group=")]
            found.append([group for group in groups if group != "build"])
        elif command[-1] == ".":
            found.append(BUILD)
    return found


def test_nothing_is_installed_twice(dev, commands):
    """A second command with the same sources starts at once."""
    dev.install("test")
    dev.install("test")
    dev.install()
    assert steps(commands) == [["test"], BUILD]


def test_a_group_is_added_to_the_installed_ones(dev, commands):
    """Groups of earlier commands stay, and the package is not built again."""
    dev.install("test")
    dev.install("lint")
    dev.install("test")
    assert steps(commands) == [["test"], BUILD, ["lint", "test"]]


def test_only_packages_with_known_hashes_are_installed(dev, commands):
    """The installer comes with hashes, packages from the lock, and the project without dependencies."""
    dev.install("test")
    installer, packages, project = (command[3:] for command in commands)
    assert "--require-hashes" in installer
    assert {"--locked", "--no-install-project"} <= {*packages}
    assert {"--no-deps", "--no-build-isolation"} <= {*project}


def test_every_package_of_the_lock_has_a_hash(dev):
    """The project itself is the only package without a file."""
    lock = tomllib.loads(dev.LOCKS[0].read_text(encoding="utf-8"))
    files = {
        package["name"]: [*package.get("wheels", []), *filter(None, [package.get("sdist")])]
        for package in lock["package"]
    }
    assert files.pop("groundwire") == []
    assert all(found and all(file["hash"].startswith("sha256:") for file in found) for found in files.values())


def test_a_changed_lock_is_installed_without_a_new_build(dev, commands, monkeypatch):
    """Other versions of packages do not change the engine."""
    dev.install("test")
    monkeypatch.setattr(dev, "hash_of", lambda *_: "another lock")
    dev.install("test")
    assert steps(commands) == [["test"], BUILD, ["test"]]


@pytest.mark.usefixtures("commands")
def test_benchmarks_use_a_release_build(dev, monkeypatch):
    """Benchmarks replace a debug build; tests use any build."""
    settings = []
    monkeypatch.setattr(dev, "install_package", lambda **environment: settings.append(environment))
    dev.install("test")
    dev.install("bench", as_shipped=True)
    dev.install("lint")
    dev.install("bench", as_shipped=True)
    assert settings == [dev.QUICK_BUILD, {}]


@pytest.mark.parametrize("what", ["fingerprint", "installed"])
def test_changed_sources_or_another_install_are_installed_over(dev, commands, monkeypatch, what):
    """New sources, or a package from elsewhere, are replaced."""
    dev.install()
    monkeypatch.setattr(dev, what, lambda *_: "other")
    dev.install()
    assert steps(commands) == [[], BUILD, [], BUILD]


def test_a_failed_install_is_tried_again(dev, commands, monkeypatch):
    """Only a successful install is recorded."""
    with monkeypatch.context() as patch:
        patch.setattr(dev, "run", lambda *_, **__: 1)
        with pytest.raises(dev.DevError, match="cannot install"):
            dev.install()
    dev.install()
    assert steps(commands) == [[], BUILD]


@pytest.mark.parametrize("stamp", ["", "{", "{}"])
def test_a_broken_stamp_counts_as_none(dev, commands, stamp):
    """An interrupted run leaves nothing to repair."""
    dev.STAMP.write_text(stamp)
    dev.install()
    assert steps(commands) == [[], BUILD]


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["tset"], "error: no command `tset`"),
        (["lint", "--fix"], "error: `lint` takes no arguments, got --fix"),
    ],
)
def test_wrong_usage_is_one_line(args, line):
    """The exit code is 2, and nothing was started."""
    done = subprocess.run([sys.executable, ROOT / "dev.py", *args], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr.splitlines()[0]) == (2, "", line)


@pytest.mark.parametrize(
    ("attribute", "value", "message"),
    [
        ("sys.version_info", (3, 9, 2), "Python 3.9 is too old"),
        ("importlib.util.find_spec", lambda _: None, "this Python has no module `venv`"),
        ("shutil.which", lambda *_, **__: None, "no `cargo`"),
    ],
)
def test_a_missing_tool_is_named_with_a_hint(dev, monkeypatch, attribute, value, message):
    """One line names the tool, another has a hint."""
    monkeypatch.setattr(attribute, value)
    with pytest.raises(dev.DevError, match=message) as raised:
        dev.check_tools()
    assert raised.value.hint


@pytest.fixture
def fuzz():
    """Return the tool that runs the fuzz targets."""
    return load("fuzz", ROOT / "tools" / "fuzz.py")


@pytest.mark.parametrize("command", ["fuzz", "asan"])
def test_the_fuzz_targets_are_run_by_their_tool(dev, commands, command):
    """It gets the arguments."""
    assert getattr(dev, command)(["arrow", "--seconds", "5"]) == 0
    assert commands == [[sys.executable, "tools/fuzz.py", command, "arrow", "--seconds", "5"]]


@pytest.mark.parametrize("command", ["fuzz", "asan"])
def test_a_missing_fuzz_target_is_named(fuzz, capsys, command):
    """Nothing is built."""
    assert fuzz.main([command, "normalise"]) == 2
    known = "align, answers, arrow, exact, long_texts, normalize, partial_ratio, reading, similarity"
    assert capsys.readouterr().err == f"error: no fuzz target `normalise`\nhint: targets: {known}\n"


@pytest.mark.parametrize("command", ["fuzz", "asan"])
def test_fuzzing_for_0_seconds_is_refused(fuzz, capsys, command):
    """For libFuzzer, 0 seconds would mean no limit."""
    assert fuzz.main([command, "--seconds", "0"]) == 2
    assert capsys.readouterr().err == "error: --seconds must be at least 1, got 0\n"


def test_only_the_named_fuzz_targets_are_built_with_the_sanitizer(fuzz, monkeypatch):
    """The others are not compiled, and both commands keep their programs apart."""
    built, ran = [], []
    monkeypatch.setattr(fuzz.subprocess, "check_output", lambda *_, **__: "host")
    monkeypatch.setattr(fuzz.subprocess, "call", lambda command, **options: built.append((command, options)) or 0)
    monkeypatch.setattr(fuzz, "run_target", lambda program, seconds, _: ran.append((program, seconds)) or True)
    assert fuzz.main(["asan", "similarity", "--seconds", "5"]) == 0
    [(command, options)] = built
    assert [word for word in command if word in ("--bin", "similarity", "arrow")] == ["--bin", "similarity"]
    assert "-Zsanitizer=address" in options["env"]["RUSTFLAGS"]
    assert ran == [(ROOT / "target" / "asan" / "host" / "release" / "similarity", 5)]


def test_a_missing_free_threaded_interpreter_is_an_error(dev, monkeypatch, tmp_path):
    """The error names the command that builds it."""
    monkeypatch.setattr(dev, "FREE_THREADED", dev.ROOT / "target" / tmp_path.name)
    with pytest.raises(dev.DevError, match=f"no target/{tmp_path.name}") as caught:
        dev.nogil([])
    assert caught.value.hint == "`.ci/run nogil` builds it on Debian"


def test_demo_knows_its_samples(dev):
    """The error comes before anything is installed."""
    with pytest.raises(dev.DevError, match="no sample `cite`"):
        dev.demo(["cite"])


def test_demo_compares_the_sample_of_personas(dev, monkeypatch):
    """The sample's files exist; one of its personas is unfaithful on purpose."""
    commands = []
    monkeypatch.setattr(dev, "install", lambda *_: None)
    monkeypatch.setattr(dev, "run", lambda command: commands.append(command) or 1)
    assert dev.demo(["validate"]) == 0
    ((_, *command),) = commands
    assert command[:4] == ["-m", "groundwire", "validate", "examples/personas/personas.json"]
    assert all((ROOT / word).exists() for word in command if word.startswith("examples/"))


def test_demo_makes_the_documents_of_its_quotes(dev, monkeypatch):
    """They are made before quotes are checked against them, and a report is left."""
    commands, groups = [], []
    monkeypatch.setattr(dev, "install", lambda *names: groups.extend(names))
    monkeypatch.setattr(dev, "run", lambda command: commands.append(command) or len(commands) - 1)
    assert dev.demo(["documents"]) == 0
    (_, script, made), check = commands
    assert (script, groups) == ("examples/documents/make_documents.py", ["demo"])
    assert check[3:7] == ["check", made, "--quotes", "examples/documents/quotes.json"]
    assert check[-2:] == ["-o", f"{made}.html"]


def test_demo_makes_the_repository_of_its_claims(dev, monkeypatch):
    """The command gets it together with records and issues."""
    commands = []
    monkeypatch.setattr(dev, "install", lambda *_: None)
    monkeypatch.setattr(dev, "run", lambda command: commands.append(command) or len(commands) - 1)
    assert dev.demo(["ingest"]) == 0
    (_, script, made), ingest = commands
    assert (script, ingest[ingest.index("--repo") + 1]) == ("examples/memory/make_repository.py", made)
    assert {"--adr-dir", "--issue-list", "--file"} <= {*ingest}


def test_every_installed_group_is_one_of_the_project():
    """An extra of users is not a group; each command names a group of pyproject.toml."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    named = {*re.findall(r'\binstall\("([\w-]+)"', (ROOT / "dev.py").read_text(encoding="utf-8"))}
    assert named
    assert named <= {*groups}


def test_extras_are_for_users_and_each_has_a_comment():
    """The comment above an extra becomes its row in the documentation."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)
    extras = project["project"]["optional-dependencies"]
    assert not {*extras} & {*project["dependency-groups"]}
    assert {*re.findall(r"^# .+\n([\w-]+) = \[", text, re.MULTILINE)} >= {*extras}
