"""The hooks of pre-commit: the manifest is valid, and each hook runs in a repository as pre-commit runs it."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from cli.command import environment
from libraries import need

need("pre_commit", lane="doors")

PROJECT = Path(__file__).parents[2]
MANIFEST = PROJECT / ".pre-commit-hooks.yaml"
HOOKS = {hook["id"]: hook for hook in yaml.safe_load(MANIFEST.read_text(encoding="utf-8"))}


@pytest.fixture
def commit(tmp_path):
    """Return a function that stages files and runs one hook with its arguments."""
    folder = tmp_path / "notes"
    folder.mkdir()
    variables = environment({"PRE_COMMIT_HOME": str(tmp_path / "home"), "HOME": str(tmp_path)})
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "groundwire").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m groundwire "$@"\n', encoding="utf-8")
    (commands / "groundwire").chmod(0o755)
    variables["PATH"] = f"{commands}:{variables['PATH']}"
    subprocess.run(["git", "init", "-q"], cwd=folder, env=variables, check=True)

    def commit(hook, files, *args):
        # An installation of the hook would compile the package, so the hook runs the one that is here.
        entry = {**HOOKS[hook], "language": "unsupported", "args": list(args)}
        config = {"repos": [{"repo": "local", "hooks": [entry]}]}
        (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
        subprocess.run(["git", "add", "."], cwd=folder, env=variables, check=True)
        command = [sys.executable, "-m", "pre_commit", "run", "--color", "never"]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=variables)

    return commit


def test_the_manifest_is_valid():
    """pre-commit reads it."""
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", str(MANIFEST)]
    assert subprocess.run(command, env=environment()).returncode == 0


def test_quotes_are_checked_before_a_commit(commit):
    """The arguments name sources and quotes."""
    files = {"talk.txt": "Take 15 mg of it, if needed.", "report.md": "He says “take 15 mg of it, if needed”."}
    args = ("talk.txt", "--quotes-in", "report.md")
    done = commit("groundwire-check", files, *args)
    assert done.returncode == 0, done.stdout
    done = commit("groundwire-check", {"report.md": files["report.md"].replace("15", "50")}, *args)
    assert done.returncode == 1
    assert "The passage says 15 mg; the quote says 50 mg." in done.stdout


def test_claims_of_changed_notes_are_checked(commit):
    """Each changed note is read as a file of claims; other files are left out."""
    done = commit("groundwire-ingest", {"a b.md": "Anna prefers tea.\n", "code.py": "maybe = 1\n"}, "--source", "user")
    assert done.returncode == 0, done.stdout
    done = commit("groundwire-ingest", {"second.md": "Maybe I think she likes coffee.\n"}, "--source", "user")
    assert done.returncode == 1
    assert "second.md:1" in done.stdout
