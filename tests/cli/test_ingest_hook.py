"""The sample's hook keeps notes with unsupported claims out of a real repository."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli.command import environment

HOOK = Path(__file__).resolve().parents[2] / "examples" / "memory" / "pre-commit"


@pytest.fixture
def project(tmp_path):
    """Return a repository with a decision record, the hook, and a commit."""
    programs, folder = tmp_path / "bin", tmp_path / "project"
    programs.mkdir()
    (folder / "docs" / "adrs").mkdir(parents=True)
    (folder / "notes").mkdir()
    (folder / "docs" / "adrs" / "0003-mill.md").write_text("# The mill\n\nThe mill is closed.\n", encoding="utf-8")
    command = programs / "groundwire"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m groundwire "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "The mill is closed in winter")
    shutil.copy(HOOK, folder / ".git" / "hooks" / "pre-commit")
    return folder


def git(folder, *arguments, check=True):
    """Run git in *folder* as a person would, with our command on the path."""
    people = {f"GIT_{who}_{what}": "a@example.com" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    own = {"PATH": f"{folder.parent / 'bin'}{os.pathsep}{os.environ['PATH']}", "GIT_CONFIG_GLOBAL": os.devnull}
    return subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env=environment({**people, **own, "GIT_CONFIG_NOSYSTEM": "1", "PYTHONIOENCODING": "utf-8"}),
        capture_output=True,
        text=True,
        check=check,
    )


def commit(folder, name, note):
    """Commit a note; return git's exit code and all output."""
    (folder / name).write_text(note, encoding="utf-8")
    git(folder, "add", name)
    done = git(folder, "commit", "--message", "a note", check=False)
    return done.returncode, done.stdout + done.stderr


def test_a_note_that_rests_on_something_is_committed(project):
    """Its name may have blanks and any letters."""
    code, _ = commit(project, "notes/die Mühle.md", "# The mill\n\n- Per ADR-3 the mill is closed.\n")
    assert code == 0
    assert "die Mühle" in git(project, "-c", "core.quotePath=false", "show", "--stat", "--format=").stdout


def test_a_note_that_guesses_is_not(project):
    """The report names the line and the reason."""
    code, said = commit(
        project, "notes/mill.md", "# The mill\n\n- Per ADR-3 the mill is closed.\n- Maybe it burned down.\n"
    )
    assert code == 1
    assert "✗ block    notes/mill.md:4  Maybe it burned down.  (Contains personal speculation" in said
    assert git(project, "log", "--format=%s").stdout == "The mill is closed in winter\n"


def test_a_note_that_cites_a_commit_is_looked_up_in_the_repository(project):
    """A real commit is found, an invented one is not."""
    real = git(project, "rev-parse", "HEAD").stdout.strip()
    assert commit(project, "notes/a.md", f"The mill is closed in winter, see commit {real}.\n")[0] == 0
    code, said = commit(project, "notes/b.md", "The mill came with commit 0123456789abcdef.\n")
    assert code == 1
    assert "citation_refuted: commit:0123456789abcdef (Unknown commit)" in said


def test_other_files_are_not_read(project):
    """A commit without a note does not start the command."""
    assert commit(project, "readme.md", "Maybe it burned down.\n")[0] == 0
