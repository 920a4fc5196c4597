"""Commits in real repositories: existing, missing, and requests that are refused (ruling C10)."""

import asyncio
import shutil
import subprocess
from hashlib import sha1
from pathlib import Path

import pytest

from groundwire.ingestion.citation_detector import Citation, CitationType
from groundwire.ingestion.verification.git import CommitVerifier, parse_answers
from groundwire.ingestion.verification.protocol import VerificationReason, VerificationStatus
from groundwire.ingestion.verification.verifier import CitationVerifier
from ingestion.verification.repositories import clone, commit, git, import_commits, make_repository

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="no git on this machine")


def look_up(repo: Path, *ids: str, **options) -> list[str]:
    """Return the codes of *ids* in *repo*."""
    return [each.code.value for each in CommitVerifier(repo, **options).verify_ids(ids)]


@pytest.fixture(params=["sha1", "sha256"])
def repository(request, tmp_path) -> Path:
    """Return a repository of either kind with two commits."""
    made = make_repository(tmp_path / "repository", object_format=request.param)
    commit(made, "first")
    commit(made, "second")
    return made


def test_a_commit_is_found_by_its_whole_id_and_by_its_beginning(repository):
    """The prefix needs at least seven digits; capitals count too."""
    whole = git(repository, "rev-parse", "HEAD~1")
    assert look_up(repository, whole, whole[:12], whole[:7], whole.upper()) == ["commit_found"] * 4


def test_results_have_status_and_the_printed_words(repository):
    """The words are the specification's, with the three statuses of ruling C4."""
    head = git(repository, "rev-parse", "HEAD")
    there, missing = CommitVerifier(repository).verify_ids([head, "0" * 7])
    assert (there.valid, there.status, there.reason) == (True, VerificationStatus.VERIFIED, "Commit exists")
    assert (missing.valid, missing.status, missing.reason) == (False, VerificationStatus.REFUTED, "Unknown commit")


def test_an_id_of_the_other_hash_is_not_found(repository):
    """The id has 64 digits in a repository with 40, or an unknown 40."""
    assert look_up(repository, "ab" * 32, "ab" * 20) == ["commit_not_found"] * 2


def test_an_object_that_is_not_a_commit_is_not_found(repository):
    """The id of a tree belongs to no commit."""
    tree = git(repository, "rev-parse", "HEAD^{tree}")
    assert look_up(repository, tree, tree[:9]) == ["commit_not_found"] * 2


def test_an_id_that_begins_two_commits_is_unknown(tmp_path):
    """It is unknown which one is meant."""
    made = make_repository(tmp_path / "repository")
    tree = git(made, "hash-object", "-t", "tree", "-w", "--stdin")
    first, second = commits_with_one_prefix(made, tree)
    assert first[:7] == second[:7]
    assert look_up(made, first[:7], first, second) == ["commit_ambiguous", "commit_found", "commit_found"]


def test_an_id_that_begins_one_commit_and_a_file_is_the_commit(tmp_path):
    """Git picks the commit if one is requested."""
    made = make_repository(tmp_path / "repository")
    head = commit(made)
    content = blob_with_prefix(head[:4])
    other = git(made, "hash-object", "-t", "blob", "-w", "--stdin", stdin=content)
    assert other[:4] == head[:4]
    questions = f"{head[:4]}\n{head[:4]}^{{commit}}\n".encode("ascii")
    answers = git(made, "cat-file", "--batch-check=%(objectname) %(objecttype)", stdin=questions).splitlines()
    assert answers[0].endswith("ambiguous")
    found = parse_answers(head[:4], *answers)
    assert (found.code, found.full_id) == (VerificationReason.COMMIT_FOUND, head)


def test_a_commit_that_cannot_be_read_is_unknown(repository):
    """Its file exists, but is truncated."""
    head = git(repository, "rev-parse", "HEAD")
    file = repository / ".git" / "objects" / head[:2] / head[2:]
    file.chmod(0o644)
    file.write_bytes(file.read_bytes()[:25])
    assert look_up(repository, head) == ["git_failed"]


def test_a_commit_that_is_too_large_is_unknown_and_not_read(repository, monkeypatch):
    """It exists, and its content is unknown; the other commits are verified."""
    head, first = git(repository, "rev-parse", "HEAD", "HEAD~1").split()
    large = commit(repository, "x" * 5_000)
    monkeypatch.setattr("groundwire.ingestion.verification.git.MAX_COMMIT_BYTES", 4_000)
    assert look_up(repository, head, large, large[:8], first) == [
        "commit_found",
        "commit_too_large",
        "commit_too_large",
        "commit_found",
    ]
    assert asyncio.run(CommitVerifier(repository).read(Citation(CitationType.COMMIT, large, 0, 40))) is None


def test_git_is_restarted_after_it_has_read_enough(repository, monkeypatch):
    """Every id still has its result."""
    ids = git(repository, "rev-list", "HEAD").split()
    monkeypatch.setattr("groundwire.ingestion.verification.git.MAX_PARSED_BYTES", 300)
    assert look_up(repository, *ids * 3, "0" * 9) == ["commit_found"] * 6 + ["commit_not_found"]


def blob_with_prefix(prefix: str) -> bytes:
    """Return a blob whose id begins with *prefix*."""
    for number in range(10_000_000):
        content = b"%d" % number
        if sha1(b"blob %d\0" % len(content) + content).hexdigest().startswith(prefix):
            return content
    raise AssertionError("no such content")


def commits_with_one_prefix(repository: Path, tree: str) -> list[str]:
    """Write two commits whose ids share their first seven digits, found by hashing some 20,000."""
    seen: dict[str, bytes] = {}
    for number in range(2_000_000):
        body = f"tree {tree}\nauthor A <a> {number} +0000\ncommitter A <a> 1 +0000\n\nx\n".encode("ascii")
        name = sha1(b"commit %d\0" % len(body) + body).hexdigest()[:7]
        if name in seen:
            write = ("hash-object", "-t", "commit", "-w", "--stdin")
            return [git(repository, *write, stdin=each) for each in (seen[name], body)]
        seen[name] = body
    raise AssertionError("no two commits with one prefix")


@pytest.mark.parametrize("kind", ["branch", "tag"])
def test_a_branch_or_tag_that_is_called_like_an_id_verifies_nothing(repository, kind):
    """Git prefers the name to the prefix of an id; the result has another id."""
    git(repository, kind, "deadbee")
    assert look_up(repository, "deadbee") == ["commit_names_a_ref"]


def test_a_replacement_verifies_nothing(repository):
    """`refs/replace` makes git accept missing ids."""
    head = git(repository, "rev-parse", "HEAD")
    absent = "ab" * (len(head) // 2)
    git(repository, "update-ref", f"refs/replace/{absent}", head)
    assert look_up(repository, absent) == ["commit_not_found"]


@pytest.mark.parametrize(
    "value",
    [
        pytest.param("HEAD", id="a-name"),
        pytest.param("main", id="a-branch"),
        pytest.param("{head}\n{head}", id="a-second-question"),
        pytest.param("{head}\n", id="a-line-break-at-the-end"),
        pytest.param("{head}\r", id="a-carriage-return"),
        pytest.param("{head}\x00", id="a-nul"),
        pytest.param("{head}^{{commit}}", id="an-expression"),
        pytest.param("{head} ", id="a-blank"),
        pytest.param("--help", id="an-option"),
        pytest.param(":/first", id="a-search-in-messages"),
        pytest.param("@{{-1}}", id="the-branch-before"),
        pytest.param("abcdef", id="six-digits"),
        pytest.param("a" * 65, id="65-digits"),
        pytest.param("１２３４５６７", id="full-width-digits"),
        pytest.param("", id="nothing"),
        pytest.param("\ud800abcdef1", id="a-lone-surrogate"),
    ],
)
def test_an_invalid_id_is_not_passed_to_git(repository, value, monkeypatch):
    """Git is not even started: an id cannot be a second request, an option or an expression."""
    asked = value.format(head=git(repository, "rev-parse", "HEAD"))
    monkeypatch.setattr(subprocess, "Popen", None)
    assert look_up(repository, asked) == ["not_an_id"]


def test_an_invalid_id_does_not_shift_the_others(repository):
    """Every result stays at the position of its id."""
    head = git(repository, "rev-parse", "HEAD")
    expected = ["not_an_id", "commit_found", "not_an_id", "commit_not_found"]
    assert look_up(repository, "x\n", head, "HEAD", "0" * 10) == expected


@pytest.fixture
def origin(tmp_path) -> Path:
    """Return a repository of three commits that has clones."""
    made = make_repository(tmp_path / "origin")
    for message in ("first", "second", "third"):
        commit(made, message)
    git(made, "config", "uploadpack.allowFilter", "true")
    git(made, "config", "uploadpack.allowAnySHA1InWant", "true")
    return made


def test_a_commit_missing_in_a_shallow_clone_is_unknown(origin, tmp_path):
    """It may be in the missing history."""
    shallow = clone(origin, tmp_path / "shallow", "--depth=1")
    ids = git(origin, "rev-list", "HEAD").split()
    assert look_up(shallow, *ids) == ["commit_found", *["commit_may_be_elsewhere"] * 2]


def test_a_commit_missing_in_a_partial_clone_is_unknown_and_not_fetched(origin, tmp_path):
    """This holds for any settings of the repository: no request makes git contact anything."""
    partial = clone(origin, tmp_path / "partial", "--filter=tree:0", "--no-checkout")
    git(partial, "config", "protocol.file.allow", "always")
    later = commit(origin, "after the clone")
    assert look_up(partial, later) == ["commit_may_be_elsewhere"]
    assert git(partial, "cat-file", "--batch-all-objects", "--batch-check").count(later) == 0


def test_an_origin_that_runs_a_program_is_not_contacted(origin, tmp_path):
    """`ext::` runs a program; a partial clone with such an origin must not."""
    partial = clone(origin, tmp_path / "partial", "--filter=tree:0", "--no-checkout")
    proof = tmp_path / "ran"
    git(partial, "config", "remote.origin.url", f"ext::touch {proof}")
    git(partial, "config", "protocol.ext.allow", "always")
    assert look_up(partial, "ab" * 20) == ["commit_may_be_elsewhere"]
    assert not proof.exists()


def test_a_commit_missing_in_a_borrowing_clone_is_unknown(origin, tmp_path):
    """A clone that borrows objects is as complete as its lender, which is not checked."""
    borrower = clone(origin, tmp_path / "borrower", f"--reference={origin}")
    assert look_up(borrower, git(origin, "rev-parse", "HEAD"), "0" * 9) == ["commit_found", "commit_may_be_elsewhere"]


def test_work_trees_bare_repositories_and_folders_in_them(origin, tmp_path):
    """The history is the same in each of them."""
    tree = tmp_path / "tree"
    git(origin, "worktree", "add", "--quiet", "--detach", str(tree))
    inner = tree / "docs" / "notes"
    inner.mkdir(parents=True)
    bare = clone(origin, tmp_path / "bare", "--bare")
    head = git(origin, "rev-parse", "HEAD")
    for place in (tree, inner, bare, origin / ".git"):
        assert look_up(place, head, "0" * 9) == ["commit_found", "commit_not_found"]


def test_a_shallow_clone_is_one_in_its_work_trees_too(origin, tmp_path):
    """The marker is in the folder that they share."""
    shallow = clone(origin, tmp_path / "shallow", "--depth=1")
    git(shallow, "worktree", "add", "--quiet", "--detach", str(tmp_path / "tree"))
    assert look_up(tmp_path / "tree", "0" * 9) == ["commit_may_be_elsewhere"]


def test_the_environment_does_not_lead_git_elsewhere(repository, tmp_path, monkeypatch):
    """GIT_DIR and similar variables would select another repository, or run something."""
    other = make_repository(tmp_path / "other")
    elsewhere = commit(other)
    proof = tmp_path / "ran"
    head = git(repository, "rev-parse", "HEAD")
    for name, value in {
        "GIT_DIR": str(other / ".git"),
        "GIT_OBJECT_DIRECTORY": str(other / ".git" / "objects"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(other / ".git" / "objects"),
        "GIT_CONFIG_PARAMETERS": "'core.bare'='broken",
        "GIT_CONFIG_COUNT": "many",
        "GIT_TRACE": str(proof),
        "GIT_NAMESPACE": "x",
        "GIT_CEILING_DIRECTORIES": str(repository.parent),
    }.items():
        monkeypatch.setenv(name, value)
    assert look_up(repository, head, elsewhere) == ["commit_found", "commit_not_found"]
    assert not proof.exists()


def test_without_git_all_is_unknown(repository, tmp_path, monkeypatch):
    """Ruling C10."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert look_up(repository, "0" * 7, "HEAD") == ["git_missing", "not_an_id"]


def test_a_git_that_may_not_run_leaves_all_unknown(repository, tmp_path):
    """A folder is no program."""
    assert look_up(repository, "0" * 7, git=str(tmp_path)) == ["git_failed"]


def test_an_invalid_path_leaves_all_unknown():
    """No system has a file of that name."""
    assert look_up(Path("a\0b"), "0" * 7) == ["git_failed"]


def test_one_commit_at_a_time(repository):
    """It follows the protocol of verifiers."""
    head = Citation(CitationType.COMMIT, git(repository, "rev-parse", "HEAD"), 0, 40)
    assert asyncio.run(CommitVerifier(str(repository)).verify(head)).valid


@pytest.mark.parametrize("place", ["no-such-folder", "a-file", "no-repository", "broken"])
def test_a_folder_without_a_repository_leaves_all_unknown(tmp_path, place, monkeypatch):
    """A missing repository refutes nothing."""
    (tmp_path / "a-file").write_text("x", encoding="utf-8")
    (tmp_path / "no-repository").mkdir()
    broken = make_repository(tmp_path / "broken")
    (broken / ".git" / "HEAD").write_text("nonsense", encoding="utf-8")
    # If the folder of the tests is inside a repository, git must not find it.
    monkeypatch.setattr("groundwire.ingestion.verification.git.ENVIRONMENT", {"GIT_CEILING_DIRECTORIES": str(tmp_path)})
    assert look_up(tmp_path / place, "0" * 7) == ["git_failed"]


def test_a_git_that_hangs_is_stopped(repository, tmp_path):
    """It is stopped after its time limit."""
    assert look_up(repository, "0" * 7, git=script(tmp_path, "exec sleep 60"), timeout_s=0.2) == ["timed_out"]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("echo nonsense", id="no-answer"),
        pytest.param("for n in 1 2 3; do echo 0000000 commit; done", id="more-answers-than-questions"),
        pytest.param("echo 0000000 commit; echo deadbeef commit", id="another-id"),
        pytest.param("echo 0000000 commit; echo '0000000^{commit} missing'", id="two-answers-that-contradict"),
        pytest.param("true", id="no-answers"),
        pytest.param("echo '0000000 commit'; exit 128", id="an-answer-and-a-failure"),
        pytest.param("printf '\\377 commit'; exit 0", id="no-text"),
    ],
)
def test_nonsense_from_git_verifies_and_refutes_nothing(repository, tmp_path, body):
    """Anything but the three forms of an answer is a failure."""
    (code,) = look_up(
        repository, "0" * 7, git=script(tmp_path, f'read nothing; echo "$nothing missing"; read asked; {body}')
    )
    assert code in ("git_failed", "commit_names_a_ref")


def script(folder: Path, body: str) -> str:
    """Write a program that replaces git."""
    path = folder / "git"
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def test_ten_thousand_commits_take_one_process(tmp_path, monkeypatch):
    """Every result belongs to its id."""
    made = make_repository(tmp_path / "repository")
    there = import_commits(made, 5_000)
    ids = [each for pair in zip(there, (f"{number:040x}" for number in range(5_000)), strict=True) for each in pair]
    citations = [Citation(CitationType.COMMIT, each, 0, 40) for each in ids]
    started = []
    popen = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda *args, **kwargs: started.append(args) or popen(*args, **kwargs))
    results = asyncio.run(CitationVerifier(repo=made, timeout_s=60).verify_many(citations))
    assert len(started) == 1
    assert [each.code for each in results] == [
        VerificationReason.COMMIT_FOUND,
        VerificationReason.COMMIT_NOT_FOUND,
    ] * 5_000
