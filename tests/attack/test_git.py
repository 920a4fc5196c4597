"""Hostile repositories: looking up a commit has limited cost, runs no program and contacts no server."""

import json
import os
import shutil
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from attack.hostile_git import huge_commit, make, pack_with_huge_base, same_prefix, write_loose
from attack.limited import run_python
from effort import effort
from ingestion.verification.repositories import commit, git, make_repository

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="no git on this machine")

_MIB = 1 << 20
_HUGE_MIB = effort(200, 600)
_MOST_MIB = 160
"""The peak of git, and of Python beside what it takes to load."""

_LOOK_UP = """
import asyncio, json, resource, sys
from groundwire.ingestion.citation_detector import Citation, CitationType
from groundwire.ingestion.verification.git import CommitVerifier
repository, timeout_s, *ids = sys.argv[1:]
commits = CommitVerifier(repository, timeout_s=float(timeout_s))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
found = commits.verify_ids(ids)
read = [asyncio.run(commits.read(Citation(CitationType.COMMIT, each, 0, 1))) for each in ids[:3]]
peaks = [resource.getrusage(who).ru_maxrss // 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
peaks[0] -= before // 1024
print(json.dumps([[str(each.code) for each in found], [None if each is None else len(each) for each in read], peaks]))
"""


class Found(NamedTuple):
    """Holds the outcome for each id, the characters read of the first ones, and the peaks of Python and git in MiB."""

    codes: list[str]
    read: list[int | None]
    peaks: list[int]


def look_up(repository: Path, *ids: str, timeout_s: float = 60.0) -> Found:
    """Look up *ids* in a process that may use 1 GiB of address space, as may each of its children."""
    done = run_python(_LOOK_UP, repository, str(timeout_s), *ids, memory_bytes=1 << 30)
    assert done.code == 0, done.error[-500:]
    return Found(*json.loads(done.out))


def objects(repository: Path) -> Iterator[tuple[str, str, set[str]]]:
    """Write hostile objects; yield the name of each kind, the requested id, and the allowed outcomes."""
    large = {"commit_too_large"}
    refused = {"commit_too_large", "git_failed"}
    huge = huge_commit(repository, _HUGE_MIB)
    yield "a commit with a huge message", huge, large
    yield "its beginning", huge[:10], large
    header = b"tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n"
    yield "a huge header", write_loose(repository, "commit", header + b"x ", _HUGE_MIB), large
    tag = f"object {huge}\ntype commit\ntag v1\ntagger A <a> 1 +0000\n\n".encode("ascii")
    small_tag = write_loose(repository, "tag", tag, 0)
    yield "a tag of a huge commit", small_tag, refused
    yield "a huge tag", write_loose(repository, "tag", tag, _HUGE_MIB), refused
    chain = small_tag
    for number in range(20):
        text = f"object {chain}\ntype tag\ntag v{number}\ntagger A <a> 1 +0000\n\n"
        chain = write_loose(repository, "tag", text.encode("ascii"), 0)
    yield "a chain of tags", chain, refused
    other = {"commit_not_found"}
    yield "a huge file", write_loose(repository, "blob", b"", _HUGE_MIB), other
    yield "a huge folder", write_loose(repository, "tree", b"", _HUGE_MIB), other
    broken = {"git_failed", "commit_too_large", "commit_not_found"}
    yield "a header that tells too much", write_loose(repository, "commit", header, 0, told=600 * _MIB), broken
    yield "a header that tells too little", write_loose(repository, "commit", header, _HUGE_MIB, told=100), broken
    yield "a size beyond 64 bits", write_loose(repository, "commit", header, 0, told=10**30), broken
    unknown = {"commit_ambiguous", "git_failed"}
    yield "two huge commits with one beginning", same_prefix(repository, 60), unknown
    yield "a difference to a huge commit", pack_with_huge_base(repository, _HUGE_MIB), {"git_failed"}


def test_a_hostile_object_takes_little_memory_and_is_not_verified(attack, tmp_path):
    """The verifier asks for the size first; an honest commit beside the object is still verified."""
    repository = make(tmp_path / "repository")
    honest = git(repository, "rev-parse", "HEAD")
    for kind, asked, expected in objects(repository):
        with attack.attempt(kind):
            found = look_up(repository, asked, honest)
            assert max(found.peaks) < _MOST_MIB, f"peaks of {found.peaks} MiB"
            assert found.codes[0] in expected, found.codes
            assert found.codes[1] == "commit_found"
            assert found.read == [None, len("an honest message")]
    git(repository, "update-ref", "refs/heads/huge", huge_commit(repository, _HUGE_MIB))
    git(repository, "repack", "-adq")
    with attack.attempt("a huge commit in a pack"):
        found = look_up(repository, huge_commit(repository, _HUGE_MIB), honest)
        assert max(found.peaks) < _MOST_MIB, f"peaks of {found.peaks} MiB"
        assert found.codes == ["commit_too_large", "commit_found"]


def test_many_large_objects_together_take_little_memory(attack, tmp_path):
    """Git keeps every object that it has read, so the verifier restarts it now and then."""
    repository = make(tmp_path / "repository")
    honest = git(repository, "rev-parse", "HEAD")
    large = [huge_commit(repository, 7, number) for number in range(effort(40, 200))]
    with attack.attempt("many commits just below the limit"):
        found = look_up(repository, *large, honest)
        assert set(found.codes) == {"commit_found"}
        assert max(found.peaks) < _MOST_MIB, f"peaks of {found.peaks} MiB"
    huge = [huge_commit(repository, 30, number) for number in range(effort(10, 100))]
    with attack.attempt("many commits above the limit"):
        found = look_up(repository, *huge, honest)
        assert found.codes == ["commit_too_large"] * len(huge) + ["commit_found"]
        assert max(found.peaks) < _MOST_MIB, f"peaks of {found.peaks} MiB"
    text = "object {}\ntype commit\ntag v1\ntagger A <a> 1 +0000\n\n"
    tags = [write_loose(repository, "tag", text.format(each).encode("ascii"), 0) for each in huge]
    with attack.attempt("many tags of them"):
        found = look_up(repository, *tags, honest)
        assert found.codes[-1] == "commit_found"
        assert "commit_found" not in found.codes[:-1]
        assert max(found.peaks) < _MOST_MIB, f"peaks of {found.peaks} MiB"


SETTINGS = {
    "core.fsmonitor": "{run}",
    "core.sshCommand": "{run}",
    "core.gitProxy": "{run}",
    "core.pager": "{run}",
    "core.editor": "{run}",
    "core.askPass": "{run}",
    "core.hooksPath": "{hooks}",
    "core.alternateRefsCommand": "{run}",
    "pager.cat-file": "{run}",
    "alias.cat-file": "!{run}",
    "credential.helper": "!{run}",
    "diff.external": "{run}",
    "diff.x.textconv": "{run}",
    "diff.x.command": "{run}",
    "filter.x.clean": "{run}",
    "filter.x.smudge": "{run}",
    "filter.x.process": "{run}",
    "merge.x.driver": "{run}",
    "gpg.program": "{run}",
    "gc.auto": "1",
    "uploadpack.packObjectsHook": "{run}",
    "trace2.normalTarget": "{proof}",
    "trace2.eventTarget": "{proof}",
    "submodule.x.update": "!{run}",
    "submodule.x.url": "ext::{run}",
    "core.deltaBaseCacheLimit": "900g",
    "core.packedGitLimit": "900g",
    "core.bigFileThreshold": "900g",
    "core.disambiguate": "blob",
    "core.worktree": "/",
}

ORIGINS = (
    "ext::{run}",
    "ssh://127.0.0.1:{port}/x",
    "git://127.0.0.1:{port}/x",
    "http://127.0.0.1:{port}/x",
    "{run}::x",
    "file://{other}",
    "{other}",
)


class Trap(NamedTuple):
    """Detects that something ran or was contacted: a program that leaves a file, and an open port."""

    run: Path
    proof: Path
    hooks: Path
    port: int
    server: socket.socket
    other: Path

    def is_untouched(self) -> bool:
        """Return whether the program did not run and nothing connected to the port."""
        self.server.setblocking(False)
        try:
            self.server.accept()
        except BlockingIOError:
            return not self.proof.exists()
        return False

    def fill(self, value: str) -> str:
        """Return a setting that contains the trap."""
        return value.format(run=self.run, proof=self.proof, hooks=self.hooks, port=self.port, other=self.other)


@pytest.fixture
def trap(tmp_path) -> Iterator[Trap]:
    """Return a trap beside the repositories; every hook is the program, too."""
    run, proof, hooks = tmp_path / "run", tmp_path / "proof", tmp_path / "hooks"
    run.write_text(f"#!/bin/sh\ntouch {proof}\n", encoding="utf-8")
    run.chmod(0o755)
    hooks.mkdir()
    for name in ("reference-transaction", "fsmonitor-watchman", "post-index-change", "pre-auto-gc", "post-checkout"):
        shutil.copy(run, hooks / name)
    other = make(tmp_path / "other")
    commit(other, "a commit of another repository")
    git(other, "config", "uploadpack.allowAnySHA1InWant", "true")
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield Trap(run, proof, hooks, server.getsockname()[1], server, other)


def test_no_setting_makes_git_run_or_contact_anything(attack, tmp_path, trap):
    """Honest commits are still verified, and missing ones are not."""
    for name, value in SETTINGS.items():
        with attack.attempt(name):
            repository = make(tmp_path / f"settings {name}")
            (repository / ".gitattributes").write_text("* diff=x filter=x merge=x\n", encoding="utf-8")
            git(repository, "config", name, trap.fill(value))
            shutil.copytree(trap.hooks, repository / ".git" / "hooks", dirs_exist_ok=True)
            trap.proof.unlink(missing_ok=True)
            found = look_up(repository, git(repository, "rev-parse", "HEAD"), "ab" * 20)
            assert found.codes == ["commit_found", "commit_not_found"]
            assert trap.is_untouched()


def test_the_origin_of_a_partial_clone_is_never_contacted(attack, tmp_path, trap):
    """This holds for every protocol and every setting."""
    missing = git(trap.other, "rev-parse", "HEAD")
    for place, origin in enumerate(ORIGINS):
        with attack.attempt(f"a promisor at {origin}"):
            repository = make(tmp_path / f"origin {place}")
            settings = {
                "core.repositoryFormatVersion": "1",
                "extensions.partialClone": "origin",
                "remote.origin.promisor": "true",
                "remote.origin.partialCloneFilter": "blob:none",
                "remote.origin.url": trap.fill(origin),
                "protocol.allow": "always",
                **{f"protocol.{each}.allow": "always" for each in ("ext", "file", "http", "ssh", "git")},
                "core.sshCommand": str(trap.run),
                "remote.origin.uploadpack": str(trap.run),
            }
            for name, value in settings.items():
                git(repository, "config", name, value)
            found = look_up(repository, git(repository, "rev-parse", "HEAD"), missing)
            assert found.codes == ["commit_found", "commit_may_be_elsewhere"]
            assert found.read[1] is None
            assert trap.is_untouched()


def _replaced(repository: Path, _: Trap) -> None:
    git(repository, "update-ref", f"refs/replace/{'ab' * 20}", "HEAD")


def _grafted(repository: Path, _: Trap) -> None:
    (repository / ".git" / "info").mkdir(exist_ok=True)
    (repository / ".git" / "info" / "grafts").write_text(f"{'ab' * 20}\n" * 100_000, encoding="ascii")


def _alternate(repository: Path, _: Trap) -> None:
    alternates = repository / ".git" / "objects" / "info" / "alternates"
    alternates.parent.mkdir(exist_ok=True)
    alternates.write_text("/dev/zero\n/proc/self/fd\n../../../no/such/place\n" * 100, encoding="ascii")


def _modules(repository: Path, trap: Trap) -> None:
    text = f'[submodule "x"]\n\tpath = x\n\turl = ext::{trap.run}\n\tupdate = !{trap.run}\n'
    (repository / ".gitmodules").write_text(text, encoding="utf-8")


def _pipe(place: str) -> Callable[[Path, Trap], None]:
    def put(repository: Path, _: Trap) -> None:
        path = repository / place
        if path.is_dir():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)
        os.mkfifo(path)

    return put


def _link(place: str, target: str) -> Callable[[Path, Trap], None]:
    def put(repository: Path, _: Trap) -> None:
        path = repository / place
        if path.is_dir():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)
        path.symlink_to(target)

    return put


def _included(target: str) -> Callable[[Path, Trap], None]:
    def put(repository: Path, _: Trap) -> None:
        pipe = repository / ".git" / "pipe"
        os.mkfifo(pipe)
        git(repository, "config", "include.path", target.format(pipe=pipe))

    return put


def _sparse(place: str) -> Callable[[Path, Trap], None]:
    def put(repository: Path, _: Trap) -> None:
        with (repository / place).open("ab") as file:
            file.truncate(20 << 30)

    return put


REPOSITORIES: dict[str, Callable[[Path, Trap], None]] = {
    "a replacement": _replaced,
    "grafts": _grafted,
    "alternates that are no folders": _alternate,
    "submodules": _modules,
    "settings are a pipe": _pipe(".git/config"),
    "settings are endless": _link(".git/config", "/dev/zero"),
    "settings include a pipe": _included("{pipe}"),
    "settings include a device": _included("/dev/zero"),
    "settings include themselves": _included("config"),
    "settings of 20 GiB": _sparse(".git/config"),
    "HEAD is a pipe": _pipe(".git/HEAD"),
    "HEAD is endless": _link(".git/HEAD", "/dev/zero"),
    "the index is a pipe": _pipe(".git/index"),
    "packed refs are a pipe": _pipe(".git/packed-refs"),
    "packed refs are endless": _link(".git/packed-refs", "/dev/zero"),
    "the repository is a pipe": _pipe(".git"),
    "the repository is a device": _link(".git", "/dev/zero"),
    "the repository is a loop": _link(".git", ".git"),
    "objects are a loop": _link(".git/objects/ab", "ab"),
    "the common folder is a pipe": _pipe(".git/commondir"),
    "the common folder is endless": _link(".git/commondir", "/dev/zero"),
    "shallow is a pipe": _pipe(".git/shallow"),
    "alternates are a pipe": _pipe(".git/objects/info"),
}


def test_no_repository_hangs_or_verifies_what_is_missing(attack, tmp_path, trap):
    """A missing commit is never verified; git gets limited time and memory."""
    for kind, put in REPOSITORIES.items():
        with attack.attempt(kind):
            repository = make(tmp_path / kind)
            put(repository, trap)
            found = look_up(repository, "ab" * 20, "abababa", timeout_s=1.0)
            assert not {"commit_found"}.intersection(found.codes)
            assert max(found.peaks) < _MOST_MIB, f"peaks of {found.peaks} MiB"
            assert trap.is_untouched()


def test_a_git_file_that_is_huge_is_not_read(attack, tmp_path):
    """`.git` may be a file with one line that names a folder."""
    folder = tmp_path / "folder"
    folder.mkdir()
    with (folder / ".git").open("wb") as file:
        file.write(b"gitdir: ")
        file.truncate(20 << 30)
    with attack.attempt("a huge .git file"):
        found = look_up(folder, "ab" * 20)
        assert found.codes == ["git_failed"]
    make_repository(tmp_path / "bare", bare=True)
    with attack.attempt("a .git file that names itself"):
        (folder / ".git").write_text("gitdir: .git\n", encoding="ascii")
        assert look_up(folder, "ab" * 20).codes == ["git_failed"]
