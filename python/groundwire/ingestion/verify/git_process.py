"""
`git cat-file` as a child process: what it may do, and how much of what it says is read.

Git reads the objects and the settings of a repository that anybody may have written. Every way to
another program or host is closed, no answer is read beyond its limit, and allocations are limited inside git:
an object takes as much memory as its own size says, or that of the object it is stored as a difference to.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from threading import Event, Thread
from types import TracebackType

from groundwire.ingestion.verify.threads import Deadline

__all__ = ["MAX_ALLOCATION_BYTES", "MAX_COMMIT_BYTES", "CatFile", "GitError", "GitTimeoutError"]

MAX_COMMIT_BYTES = 8 << 20
"""A larger commit is not read."""

MAX_ALLOCATION_BYTES = 16 << 20
"""What git may allocate at once; an object in a pack takes two such pieces, itself and what it differs from."""

# How often the deadline of a running git is looked at, in seconds.
_WATCH_S = 0.05
# An answer has the question, or an id, a type and a size.
_MAX_LINE_BYTES = 512
_OPTIONS = (
    "--no-pager",
    "--no-replace-objects",
    "--no-optional-locks",
    *("-c", "protocol.allow=never"),
    # The settings of the repository may name programs here, and ask for any amount of memory.
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "core.disambiguate=none"),
    *("-c", "core.deltaBaseCacheLimit=16m"),
)
_ENVIRONMENT = {
    # Overrules `protocol.*.allow` of the repository's own settings: no protocol is called so.
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ALLOC_LIMIT": str(MAX_ALLOCATION_BYTES),
    "LC_ALL": "C",
}


class GitError(Exception):
    """Git ended, or said something that is no answer."""


class GitTimeoutError(GitError):
    """The time was up."""


class CatFile:
    """
    A running `git cat-file`, which answers one question a line. It is killed at the end of the block.

    Args:
        git: The program.
        repo: The repository.
        mode: `--batch=...` or `--batch-check=...`.
        deadline: When it is killed at the latest; all processes of one call share it.

    Raises:
        OSError, ValueError: The program cannot be started.
    """

    def __init__(self, git: str, repo: Path, mode: str, deadline: Deadline) -> None:
        import subprocess

        command = [git, "-C", str(repo), *_OPTIONS, "cat-file", mode]
        pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nothing, env=_clean_environment())
        self._deadline = deadline
        self._ended = Event()

    def __enter__(self) -> "CatFile":
        Thread(target=self._watch, name="groundwire-git", daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        from contextlib import suppress

        self._ended.set()
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            # What was not written yet cannot be.
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()
        self._process.wait()

    def _watch(self) -> None:
        """Kill git when the deadline expires, unless the block has ended."""
        while not self._ended.wait(min(_WATCH_S, self._deadline.left_s())):
            if not self._deadline.left_s():
                self._process.kill()
                return

    def ask(self, questions: Sequence[str]) -> list[str]:
        """
        Return a line for each of *questions*.

        Both must fit into a pipe: some dozen at a time.

        Raises:
            GitError: There is no such line for each.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write("".join(f"{each}\n" for each in questions).encode("ascii"))
            self._process.stdin.flush()
        except OSError:
            raise self._failure() from None
        return [self._line() for _ in questions]

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline(_MAX_LINE_BYTES)
        if not line.endswith(b"\n"):
            raise self._failure()
        return line[:-1].decode("ascii", errors="replace")

    def read(self, size_bytes: int) -> bytes:
        """
        Return what git says next.

        Raises:
            GitError: That is less.
        """
        assert self._process.stdout is not None
        content = self._process.stdout.read(size_bytes)
        if len(content) < size_bytes:
            raise self._failure()
        return content

    def _failure(self) -> GitError:
        return GitError() if self._deadline.left_s() else GitTimeoutError()


def _clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.upper().startswith("GIT_")} | _ENVIRONMENT
