"""
Finds commits with `git cat-file`, in one process for all ids (ruling C10).

Neither the ids, nor the environment, nor the settings of the repository can make git run, fetch or prompt for anything.
Ids are hex digits, `GIT_*` is not passed on, and every way to another program or host is closed. No answer is read
beyond its limit. git's own allocations are limited, and the size of an object is read before the object: an object
takes as much memory as its own size, or that of its delta base.
"""

import os
import re
from collections.abc import Sequence
from functools import partial
from itertools import accumulate
from pathlib import Path
from threading import Event, Thread
from types import TracebackType
from typing import Final, Literal

from groundwire.files import open_regular, read_limited
from groundwire.ingestion.citation_detector import Citation
from groundwire.ingestion.verification.deadline import Deadline, run_in_thread
from groundwire.ingestion.verification.protocol import (
    VERIFICATION_TIMEOUT_S,
    VerificationReason,
    VerificationResult,
    make_result,
)

__all__ = ["ENVIRONMENT", "MAX_COMMIT_BYTES", "MAX_PARSED_BYTES", "CommitVerifier", "parse_answers"]

_ID = re.compile(r"[0-9a-fA-F]{7,64}")
# The length of a message that is read.
_READ_BYTES = 64 * 1024
# This number of questions and answers fits into the pipes, which have at least 8 KiB.
_IDS_PER_QUERY = 64

MAX_PARSED_BYTES = 64 << 20
"""The number of bytes of objects that one git process parses: it keeps them until it ends."""

# Larger settings files are not read.
_MAX_SETTINGS_BYTES = 1 << 20
# No object has this id, so a working git reports it as missing.
_MISSING_ID = "0" * 40
_CHECK_MODE = "--batch-check=%(objectname) %(objecttype) %(objectsize)"
# git ended before it had answered all questions, and it is unknown which id caused that.
_ENDED: Final = "ended"

MAX_COMMIT_BYTES = 8 << 20
"""The size of the largest commit that is read, in bytes."""

MAX_ALLOCATION_BYTES = 16 << 20
"""The largest allocation of git. A packed object takes two: one for itself and one for its delta base."""

# The interval in seconds at which the deadline of a running git is checked.
_WATCH_S = 0.05
# An answer repeats the question, or has an id, a type and a size.
_MAX_LINE_BYTES = 512
_OPTIONS = (
    "--no-pager",
    "--no-replace-objects",
    "--no-optional-locks",
    *("-c", "protocol.allow=never"),
    # The settings of the repository may name programs here, and allow any amount of memory.
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "core.disambiguate=none"),
    *("-c", "core.deltaBaseCacheLimit=16m"),
)
ENVIRONMENT = {  # for git, in addition to the variables of this process
    # Overrides `protocol.*.allow` in the settings of the repository: no protocol has this name.
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ALLOC_LIMIT": str(MAX_ALLOCATION_BYTES),
    "LC_ALL": "C",
}


class CommitVerifier:
    """
    Finds commits in one repository.

    Args:
        repo: The repository, or a folder in it.
        timeout_s: The timeout of one call of git, in seconds.
        git: The program.
    """

    def __init__(self, repo: str | Path, *, timeout_s: float = VERIFICATION_TIMEOUT_S, git: str = "git") -> None:
        self._repo = Path(repo)
        self._timeout_s = timeout_s
        self._git = git

    async def verify(self, citation: Citation) -> VerificationResult:
        """Verify one commit."""
        return (await self.verify_many([citation]))[0]

    async def verify_many(self, citations: Sequence[Citation]) -> list[VerificationResult]:
        """Verify commits in one git process, beside the event loop."""
        ids = [citation.value for citation in citations]
        return await run_in_thread(partial(self.verify_ids, ids), timeout_s=self._timeout_s)

    async def read(self, citation: Citation) -> str | None:
        """Return the message of a commit; None if it cannot be read."""
        return await run_in_thread(partial(self._read, citation.value), timeout_s=self._timeout_s)

    def _read(self, each: str, deadline: Deadline) -> str | None:
        [found] = self.verify_ids([each], deadline)
        if found.full_id is None:
            return None
        try:
            with CatFile(self._git, self._repo, "--batch=%(objecttype) %(objectsize)", deadline) as process:
                kind, _, size = process.ask([found.full_id])[0].partition(" ")
                if kind != "commit" or not _is_small(size):
                    return None
                content = process.read(int(size))
        except (GitError, OSError, ValueError):
            return None
        return content.partition(b"\n\n")[2][:_READ_BYTES].decode("utf-8", errors="replace").strip()

    def verify_ids(self, ids: Sequence[str], deadline: Deadline | None = None) -> list[VerificationResult]:
        """
        Return one result for each id, in order, before *deadline* or within the timeout of one call.

        A missing commit is refuted in a repository with its complete history, and unknown in any other. A commit of
        more than 8 MiB is unknown.
        """
        # A line break in an id would be a second question, and a branch name a question for another object.
        asked = [each for each in ids if _ID.fullmatch(each)]
        answers = self._answers(asked, deadline or Deadline(self._timeout_s))
        missing = VerificationReason.COMMIT_NOT_FOUND
        if any(answer.code is missing for answer in answers) and not _has_all_history(self._repo):
            unclear = make_result(VerificationReason.COMMIT_MAY_BE_ELSEWHERE)
            answers = [unclear if answer.code is missing else answer for answer in answers]
        in_order = iter(answers)
        no_id = make_result(VerificationReason.NOT_AN_ID)
        return [next(in_order) if _ID.fullmatch(each) else no_id for each in ids]

    def _answers(self, ids: Sequence[str], deadline: Deadline) -> list[VerificationResult]:
        """Return an answer for each id. An object at which git ends costs only its own answer."""
        answers: list[VerificationResult] = []
        at_once = _IDS_PER_QUERY
        while len(answers) < len(ids):
            found, failure = self._ask(ids[len(answers) :], at_once, deadline)
            answers += found
            if failure == _ENDED:
                # One of the ids of the last query caused it: now each is asked alone.
                answers += [make_result(VerificationReason.GIT_FAILED)] if at_once == 1 and not found else []
                at_once = 1
            elif failure is not None:
                answers += [make_result(failure)] * (len(ids) - len(answers))
        return answers

    def _ask(
        self, ids: Sequence[str], at_once: int, deadline: Deadline
    ) -> tuple[list[VerificationResult], VerificationReason | Literal["ended"] | None]:
        """Return the answers of one process for the first of *ids*, and the reason why it has none for the others."""
        answers: list[VerificationResult] = []
        has_begun = False
        try:
            with CatFile(self._git, self._repo, _CHECK_MODE, deadline) as process:
                has_begun = process.ask([_MISSING_ID]) == [f"{_MISSING_ID} missing"]
                if not has_begun:
                    return answers, VerificationReason.GIT_FAILED
                left_bytes = MAX_PARSED_BYTES
                while left_bytes and len(answers) < len(ids):
                    found, left_bytes = _asked(process, ids[len(answers) :][:at_once], left_bytes)
                    answers += found
        except FileNotFoundError:
            return answers, VerificationReason.GIT_MISSING
        except GitTimeoutError:
            return answers, VerificationReason.TIMED_OUT
        except GitError:
            return answers, _ENDED if has_begun else VerificationReason.GIT_FAILED
        except (OSError, ValueError):
            return answers, VerificationReason.GIT_FAILED
        return answers, None


def _asked(process: "CatFile", ids: Sequence[str], left_bytes: int) -> tuple[list[VerificationResult], int]:
    """
    Return answers for as many of *ids* as *left_bytes* allow, at least one, and the rest of the budget; 0 if it is used
    up.
    """
    plain = process.ask(ids)
    costs = list(accumulate(map(_cost, plain)))
    count = max(1, sum(cost <= left_bytes for cost in costs))
    # With `^{commit}` git may resolve an ambiguous id.
    peeled = [f"{each}^{{commit}}" for each in ids[:count]]
    wanted = [question for question, line in zip(peeled, plain, strict=False) if _cost(line)]
    answers = dict(zip(wanted, process.ask(wanted), strict=True))
    found = [
        parse_answers(each, line, answers.get(question, f"{question} missing"))
        for each, line, question in zip(ids, plain, peeled, strict=False)
    ]
    return found, max(0, left_bytes - costs[count - 1]) if count == len(ids) else 0


def _cost(plain: str) -> int:
    """Return the bytes that git needs to resolve an id with `^{commit}`; 0 if that is not necessary."""
    _, _, kind_and_size = plain.partition(" ")
    kind, _, size = kind_and_size.partition(" ")
    if kind == "commit":
        return max(1, int(size)) if _is_small(size) else 0
    if kind in ("tag", "ambiguous"):
        # The target of a tag, and ambiguous candidates, are known only then.
        return 2 * MAX_ALLOCATION_BYTES
    # git reports a broken object as missing at first, and then ends at it.
    return int(kind == "missing")


def _is_small(size: str) -> bool:
    return size.isdecimal() and len(size) < 20 and int(size) <= MAX_COMMIT_BYTES


def parse_answers(asked: str, plain: str, peeled: str) -> VerificationResult:
    """
    Return the result for git's answers to an id, and to the id with `^{commit}`.

    Each answer is `<id> <type> <size>`, `<question> missing` or `<question> ambiguous`.
    """
    plain_name, plain_kind, plain_size = [*plain.split(" "), "", ""][:3]
    name, kind = [*peeled.split(" "), ""][:2]
    if kind == "commit" and _ID.fullmatch(name):
        # A branch may have the name of an id, and point to another commit.
        if name.startswith(asked.lower()):
            return make_result(VerificationReason.COMMIT_FOUND, full_id=name)
        return make_result(VerificationReason.COMMIT_NAMES_A_REF)
    if plain == f"{asked} ambiguous":
        return make_result(VerificationReason.COMMIT_AMBIGUOUS)
    if plain_kind == "commit" and _ID.fullmatch(plain_name) and plain_size.isdecimal() and not _is_small(plain_size):
        return make_result(VerificationReason.COMMIT_TOO_LARGE)
    # Another object, such as a tree or the content of a file. A commit that exists but cannot be read is a failure.
    is_other = plain_kind in ("tree", "blob", "tag")
    if peeled == f"{asked}^{{commit}} missing" and (is_other or plain == f"{asked} missing"):
        return make_result(VerificationReason.COMMIT_NOT_FOUND)
    return make_result(VerificationReason.GIT_FAILED)


def _has_all_history(repo: Path) -> bool:
    """
    Return whether *repo* has its complete history, so that a missing commit does not exist.

    False for shallow and partial clones, for repositories that borrow objects from another one, and for unreadable
    ones.
    """
    try:
        common = _common_folder(repo.resolve(strict=True))
        if common is None or (common / "shallow").exists() or (common / "objects" / "info" / "alternates").exists():
            return False
        if any((common / "objects" / "pack").glob("*.promisor")):
            return False
        settings = _settings(common / "config").lower()
        return b"partialclone" not in settings and b"promisor" not in settings
    except (OSError, ValueError, RuntimeError):
        return False


def _common_folder(repo: Path) -> Path | None:
    """Return the folder with the objects of the repository that contains *repo*, by the search rules of git."""
    for folder in (repo, *repo.parents):
        link = folder / ".git"
        if link.is_file():
            target = _settings(link).decode("utf-8").removeprefix("gitdir:").strip()
            return _shared(folder / target)
        if link.is_dir():
            return _shared(link)
        if (folder / "HEAD").is_file() and (folder / "objects").is_dir():
            return _shared(folder)
    return None


def _shared(git_folder: Path) -> Path:
    """Return the folder that the work trees of a repository share."""
    pointer = git_folder / "commondir"
    return git_folder / _settings(pointer).decode("utf-8").strip() if pointer.is_file() else git_folder


def _settings(path: Path) -> bytes:
    """Return a small settings file of a repository. Raises OSError for a pipe or a large file."""
    with open_regular(path) as file:
        return read_limited(file, path.name, _MAX_SETTINGS_BYTES)


class GitError(Exception):
    """git ended, or its output is not an answer."""


class GitTimeoutError(GitError):
    """The deadline expired."""


class CatFile:
    """
    A running `git cat-file`, which answers one question per line. It is killed at the end of the block.

    Args:
        git: The program.
        repo: The repository.
        mode: `--batch=...` or `--batch-check=...`.
        deadline: The time at which it is killed, shared by all processes of one call.

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
            # The rest cannot be written any more.
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

        Questions and answers must fit into a pipe: some dozens at a time.

        Raises:
            GitError: A line is missing.
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
        Return the next *size_bytes* of the output.

        Raises:
            GitError: The output is shorter.
        """
        assert self._process.stdout is not None
        content = self._process.stdout.read(size_bytes)
        if len(content) < size_bytes:
            raise self._failure()
        return content

    def _failure(self) -> GitError:
        return GitError() if self._deadline.left_s() else GitTimeoutError()


def _clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.upper().startswith("GIT_")} | ENVIRONMENT
