"""
Is there such a commit? One process of git answers for all of them.

Source: ruling C10. Neither the ids, nor the environment, nor the settings of the
repository may make git run, fetch or ask for anything: ids are hex digits or are not
asked about, nothing of `GIT_*` is passed on, and every way to another repository
is closed. Nor may an object take more memory than a commit needs: its size is asked first.
"""

import re
from collections.abc import Sequence
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Final, Literal

from groundwire.files import open_regular, read_limited
from groundwire.ingestion.provenance import Citation
from groundwire.ingestion.verify.git_process import (
    MAX_ALLOCATION_BYTES,
    MAX_COMMIT_BYTES,
    CatFile,
    GitError,
    GitTimeoutError,
)
from groundwire.ingestion.verify.results import VerificationReason, VerificationResult, result
from groundwire.ingestion.verify.threads import Deadline, run_in_thread

__all__ = ["GitCommits"]

_ID = re.compile(r"[0-9a-fA-F]{7,64}")
# Of a message, as much as is read.
_READ_BYTES = 64 * 1024
# So many questions and their answers fit into the pipes, whose smallest size is 8 KiB.
_IDS_PER_REQUEST = 64
# Git keeps the commits that it has read until it ends.
_MOST_BYTES = 64 << 20
_MAX_SETTINGS_BYTES = 1 << 20
# Nothing has this id, so that git says of it that it is missing, if it can say anything.
_NOTHING = "0" * 40
_CHECK = "--batch-check=%(objectname) %(objecttype) %(objectsize)"
# Git ended in the middle of its answers; which id made it end has to be found out.
_ENDED: Final = "ended"


class GitCommits:
    """
    Looks commits up in one repository.

    Args:
        repo: The repository, or a folder in it.
        timeout_s: How long git may take for one call, in seconds.
        git: The program.
    """

    def __init__(self, repo: str | Path, *, timeout_s: float = 5.0, git: str = "git") -> None:
        self._repo = Path(repo)
        self._timeout_s = timeout_s
        self._git = git

    async def verify(self, citation: Citation) -> VerificationResult:
        """Verify one commit."""
        return (await self.verify_many([citation]))[0]

    async def verify_many(self, citations: Sequence[Citation]) -> list[VerificationResult]:
        """Verify commits in one process of git, which runs beside the event loop."""
        ids = [citation.value for citation in citations]
        return await run_in_thread(partial(self.look_up, ids), timeout_s=self._timeout_s)

    async def read(self, citation: Citation) -> str | None:
        """Return the message of a commit; None if it cannot be read."""
        return await run_in_thread(partial(self._read, citation.value), timeout_s=self._timeout_s)

    def _read(self, each: str, deadline: Deadline | None = None) -> str | None:
        deadline = deadline or Deadline(self._timeout_s)
        (found,) = self._answers([each], deadline) if _ID.fullmatch(each) else [result(VerificationReason.NOT_AN_ID)]
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

    def look_up(self, ids: Sequence[str], deadline: Deadline | None = None) -> list[VerificationResult]:
        """
        Return what is said of each id, in their order, before *deadline* or within the time for one call.

        A commit that is missing is refuted in a repository that has all of its
        history, and unknown in any other. One of more than 8 MiB is unknown.
        """
        # A line break in an id would be a second question, a name of a branch another one.
        asked = [each for each in ids if _ID.fullmatch(each)]
        answers = self._answers(asked, deadline or Deadline(self._timeout_s))
        missing = VerificationReason.COMMIT_NOT_FOUND
        if any(answer.code is missing for answer in answers) and not _has_all_history(self._repo):
            unclear = result(VerificationReason.COMMIT_MAY_BE_ELSEWHERE)
            answers = [unclear if answer.code is missing else answer for answer in answers]
        in_order = iter(answers)
        no_id = result(VerificationReason.NOT_AN_ID)
        return [next(in_order) if _ID.fullmatch(each) else no_id for each in ids]

    def _answers(self, ids: Sequence[str], deadline: Deadline) -> list[VerificationResult]:
        """Return an answer for each id. An object that git gives up on costs its own answer alone."""
        answers: list[VerificationResult] = []
        at_once = _IDS_PER_REQUEST
        while len(answers) < len(ids):
            found, failure = self._ask(ids[len(answers) :], at_once, deadline)
            answers += found
            if failure == _ENDED:
                # At one of those that were asked together: now each is asked alone.
                answers += [result(VerificationReason.GIT_FAILED)] if at_once == 1 and not found else []
                at_once = 1
            elif failure is not None:
                answers += [result(failure)] * (len(ids) - len(answers))
        return answers

    def _ask(
        self, ids: Sequence[str], at_once: int, deadline: Deadline
    ) -> tuple[list[VerificationResult], VerificationReason | Literal["ended"] | None]:
        """Return the answers of one process, for the first of *ids*, and why it has none for any other."""
        answers: list[VerificationResult] = []
        has_begun = False
        try:
            with CatFile(self._git, self._repo, _CHECK, deadline) as process:
                has_begun = process.ask([_NOTHING]) == [f"{_NOTHING} missing"]
                if not has_begun:
                    return answers, VerificationReason.GIT_FAILED
                left_bytes = _MOST_BYTES
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


def _asked(process: CatFile, ids: Sequence[str], left_bytes: int) -> tuple[list[VerificationResult], int]:
    """Return answers for as many of *ids* as *left_bytes* allow, at least one, and what is left; 0 if too little."""
    plain = process.ask(ids)
    costs = list(accumulate(map(_cost, plain)))
    count = max(1, sum(cost <= left_bytes for cost in costs))
    # Of an ambiguous id with `^{commit}` git may know which one is meant.
    peeled = [f"{each}^{{commit}}" for each in ids[:count]]
    wanted = [question for question, line in zip(peeled, plain, strict=False) if _cost(line)]
    answers = dict(zip(wanted, process.ask(wanted), strict=True))
    found = [
        _read_answers(each, line, answers.get(question, f"{question} missing"))
        for each, line, question in zip(ids, plain, peeled, strict=False)
    ]
    return found, max(0, left_bytes - costs[count - 1]) if count == len(ids) else 0


def _cost(plain: str) -> int:
    """Return the bytes that git needs to see what an id with `^{commit}` is; 0 if it need not be asked."""
    _, _, kind_and_size = plain.partition(" ")
    kind, _, size = kind_and_size.partition(" ")
    if kind == "commit":
        return max(1, int(size)) if _is_small(size) else 0
    if kind in ("tag", "ambiguous"):
        # What a tag leads to, and what the candidates are, shows only then.
        return 2 * MAX_ALLOCATION_BYTES
    # An object that is broken is missing at first; then git ends at it.
    return int(kind == "missing")


def _is_small(size: str) -> bool:
    return size.isdecimal() and len(size) < 20 and int(size) <= MAX_COMMIT_BYTES


def _read_answers(asked: str, plain: str, peeled: str) -> VerificationResult:
    """
    Read what git says to an id, and to the id with `^{commit}`.

    Either is `<id> <type> <size>`, `<question> missing` or `<question> ambiguous`.
    """
    plain_name, plain_kind, plain_size = [*plain.split(" "), "", ""][:3]
    name, kind = [*peeled.split(" "), ""][:2]
    if kind == "commit" and _ID.fullmatch(name):
        # A branch may be called like an id, and leads to a commit of another one.
        if name.startswith(asked.lower()):
            return result(VerificationReason.COMMIT_FOUND, full_id=name)
        return result(VerificationReason.COMMIT_NAMES_A_REF)
    if plain == f"{asked} ambiguous":
        return result(VerificationReason.COMMIT_AMBIGUOUS)
    if plain_kind == "commit" and _ID.fullmatch(plain_name) and plain_size.isdecimal() and not _is_small(plain_size):
        return result(VerificationReason.COMMIT_TOO_LARGE)
    # There as it is and no commit: a tree, a file's content. A commit that is there and cannot be read is a failure.
    is_other = plain_kind in ("tree", "blob", "tag")
    if peeled == f"{asked}^{{commit}} missing" and (is_other or plain == f"{asked} missing"):
        return result(VerificationReason.COMMIT_NOT_FOUND)
    return result(VerificationReason.GIT_FAILED)


def _has_all_history(repo: Path) -> bool:
    """
    Tell whether a commit that is missing from *repo* is not in its history at all.

    False for shallow and partial clones, for those that borrow objects from another
    repository, and for what cannot be read.
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
    """Return the folder that has the objects of the repository that *repo* lies in, as git looks for it."""
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
    """Return a small file of a repository; OSError if it is a pipe, or not small."""
    with open_regular(path) as file:
        return read_limited(file, path.name, _MAX_SETTINGS_BYTES)
