"""
Is there such a commit? One process of git answers for all of them.

Source: ruling C10. Neither the ids, nor the environment, nor the settings of the
repository may make git run, fetch or ask for anything: ids are hex digits or are not
asked about, nothing of `GIT_*` is passed on, and every way to another repository
is closed.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from groundwire.ingestion.provenance import Citation
from groundwire.ingestion.verify.results import VerificationReason, VerificationResult, result

__all__ = ["GitCommits"]

_ID = re.compile(r"[0-9a-fA-F]{7,64}")
# Of a message, as much as is read.
_READ_BYTES = 64 * 1024
_OPTIONS = ("--no-pager", "-c", "protocol.allow=never", "--no-replace-objects", "--no-optional-locks")
_ENVIRONMENT = {
    # Overrules `protocol.*.allow` of the repository's own settings: no protocol is called so.
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


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
        from asyncio import to_thread

        return await to_thread(self.look_up, [citation.value for citation in citations])

    async def read(self, citation: Citation) -> str | None:
        """Return the message of a commit; None if it cannot be read."""
        from asyncio import to_thread

        return await to_thread(self._read, citation.value)

    def _read(self, each: str) -> str | None:
        if not _ID.fullmatch(each):
            return None
        answer = self._run("--batch=%(objectname)", f"{each}^{{commit}}\n")
        if isinstance(answer, VerificationReason):
            return None
        name, _, content = answer.partition(b"\n")
        found = name.decode("ascii", errors="replace")
        # What is missing is answered with the question, and a branch may be called like an id.
        if not _ID.fullmatch(found) or not found.startswith(each.lower()):
            return None
        return content.partition(b"\n\n")[2][:_READ_BYTES].decode("utf-8", errors="replace").strip()

    def look_up(self, ids: Sequence[str]) -> list[VerificationResult]:
        """
        Return what is said of each id, in their order.

        A commit that is missing is refuted in a repository that has all of its
        history, and unknown in any other.
        """
        # A line break in an id would be a second question, a name of a branch another one.
        asked = [each for each in ids if _ID.fullmatch(each)]
        answers = self._ask(asked) if asked else []
        if isinstance(answers, VerificationReason):
            answers = [result(answers)] * len(asked)
        missing = VerificationReason.COMMIT_NOT_FOUND
        if any(answer.code is missing for answer in answers) and not _has_all_history(self._repo):
            unclear = result(VerificationReason.COMMIT_MAY_BE_ELSEWHERE)
            answers = [unclear if answer.code is missing else answer for answer in answers]
        in_order = iter(answers)
        no_id = result(VerificationReason.NOT_AN_ID)
        return [next(in_order) if _ID.fullmatch(each) else no_id for each in ids]

    def _ask(self, ids: list[str]) -> list[VerificationResult] | VerificationReason:
        """Return an answer for each id, or why there is none for any."""
        # Of an ambiguous id with `^{commit}` git says that it is missing; so it is asked for as it is, too.
        questions = "".join(f"{each}\n{each}^{{commit}}\n" for each in ids)
        answer = self._run("--batch-check=%(objectname) %(objecttype)", questions)
        if isinstance(answer, VerificationReason):
            return answer
        lines = answer.decode("ascii", errors="replace").splitlines()
        if len(lines) != 2 * len(ids):
            return VerificationReason.GIT_FAILED
        return [_read_answers(*answers) for answers in zip(ids, lines[::2], lines[1::2], strict=True)]

    def _run(self, mode: str, questions: str) -> bytes | VerificationReason:
        """Return what `git cat-file` answers, or why it does not."""
        import subprocess

        command = [self._git, "-C", str(self._repo), *_OPTIONS, "cat-file", mode]
        try:
            done = subprocess.run(
                command,
                input=questions.encode("ascii"),
                capture_output=True,
                timeout=self._timeout_s,
                env=_clean_environment(),
            )
        except subprocess.TimeoutExpired:
            return VerificationReason.TIMED_OUT
        except FileNotFoundError:
            return VerificationReason.GIT_MISSING
        except (OSError, ValueError):
            return VerificationReason.GIT_FAILED
        return done.stdout if done.returncode == 0 else VerificationReason.GIT_FAILED


def _clean_environment() -> dict[str, str]:
    import os

    return {name: value for name, value in os.environ.items() if not name.upper().startswith("GIT_")} | _ENVIRONMENT


def _read_answers(asked: str, plain: str, peeled: str) -> VerificationResult:
    """
    Read what git says to an id, and to the id with `^{commit}`.

    Either is `<id> <type>`, `<question> missing` or `<question> ambiguous`.
    """
    name, _, kind = peeled.rpartition(" ")
    if kind == "commit":
        # A branch may be called like an id, and leads to a commit of another one.
        if name.startswith(asked.lower()):
            return result(VerificationReason.COMMIT_FOUND, full_id=name)
        return result(VerificationReason.COMMIT_NAMES_A_REF)
    if plain == f"{asked} ambiguous":
        return result(VerificationReason.COMMIT_AMBIGUOUS)
    # There as it is and no commit: a tree, a file's content. A commit that is there and cannot be read is a failure.
    is_other = plain.rpartition(" ")[2] in ("tree", "blob", "tag")
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
        settings = (common / "config").read_bytes().lower()
        return b"partialclone" not in settings and b"promisor" not in settings
    except (OSError, ValueError, RuntimeError):
        return False


def _common_folder(repo: Path) -> Path | None:
    """Return the folder that has the objects of the repository that *repo* lies in, as git looks for it."""
    for folder in (repo, *repo.parents):
        link = folder / ".git"
        if link.is_file():
            target = link.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
            return _shared(folder / target)
        if link.is_dir():
            return _shared(link)
        if (folder / "HEAD").is_file() and (folder / "objects").is_dir():
            return _shared(folder)
    return None


def _shared(git_folder: Path) -> Path:
    """Return the folder that the work trees of a repository share."""
    pointer = git_folder / "commondir"
    return git_folder / pointer.read_text(encoding="utf-8").strip() if pointer.is_file() else git_folder
