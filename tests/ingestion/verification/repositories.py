"""Create real git repositories for tests, without the settings of the current user."""

import os
import subprocess
from pathlib import Path

__all__ = ["clone", "commit", "git", "import_commits", "make_repository"]

_ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.com",
    "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
}


def git(repository: Path, *arguments: str, stdin: bytes = b"") -> str:
    """Run git in *repository* and return its output."""
    command = ["git", "-C", str(repository), "-c", "protocol.file.allow=always", *arguments]
    done = subprocess.run(command, input=stdin, capture_output=True, env=_ENVIRONMENT, check=True)
    return done.stdout.decode("utf-8").strip()


def make_repository(folder: Path, *, object_format: str = "sha1", bare: bool = False) -> Path:
    """Create an empty repository."""
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet", f"--object-format={object_format}", *(["--bare"] if bare else []))
    return folder


def commit(repository: Path, message: str = "message") -> str:
    """Create an empty commit on the current branch and return its id."""
    git(repository, "commit", "--quiet", "--allow-empty", "--message", message)
    return git(repository, "rev-parse", "HEAD")


def clone(origin: Path, folder: Path, *options: str) -> Path:
    """Clone *origin* over the file protocol, which allows partial clones."""
    git(origin, "clone", "--quiet", *options, origin.as_uri(), str(folder))
    return folder


def import_commits(repository: Path, count: int) -> list[str]:
    """Create *count* commits at once and return their ids, oldest first."""
    stream = "".join(
        f"commit refs/heads/many\ncommitter A <a@example.com> {1_700_000_000 + number} +0000\ndata 1\nx\n"
        for number in range(count)
    )
    git(repository, "fast-import", "--quiet", stdin=stream.encode("ascii"))
    return git(repository, "rev-list", "--reverse", "many").split()
