"""Claims and the texts that they cite: compared by their words, and by a judge (rulings C18 and C19)."""

import asyncio
import contextlib

import pytest

from groundwire.ingestion import (
    Citation,
    CitationType,
    CitationVerifier,
    GroundedIngestionConfig,
    IngestionValidator,
    MemoryClaim,
    Tier,
    TierReason,
)
from groundwire.ingestion.verification import IssueListVerifier
from groundwire.judge.protocol import HallucinationType, JudgeDecision, JudgeIssue, Judgement, JudgeStatus
from ingestion.fakes import ScriptedVerifier
from ingestion.verification.repositories import commit, git, make_repository
from ingestion.verification.servers import answer, serve
from waits import PATIENCE_S

RECORD = """# 3. Storage of memories

Status: Accepted

We use Pixeltable for memory storage. PostgreSQL was rejected, because the migration of
embeddings takes 30 minutes. Sessions expire after 15 minutes.
"""


APPROVE, REVIEW = Tier.AUTO_APPROVE, Tier.FLAG_REVIEW


CLAIM = "Per ADR-003, we use Pixeltable for memory storage"


class ScriptedJudge:
    """Returns what is scripted, and records the questions."""

    def __init__(self, said=None, *, pause_s: float = 0.0):
        self.asked: list[tuple] = []
        self._said = said
        self._pause_s = pause_s

    def judge(self, question, answer, results):
        """Fail: the validator never calls the blocking method."""
        raise NotImplementedError

    async def ajudge(self, question, answer, results):
        """Return what is scripted."""
        self.asked.append((question, answer, results))
        await asyncio.sleep(self._pause_s)
        if isinstance(self._said, Exception):
            raise self._said
        return self._said


FINE = Judgement(hallucination_risk=0.1, confidence=0.9, decision=JudgeDecision.SYNTHESIZE)


@pytest.fixture
def records(tmp_path):
    """Return a folder with the record, an empty one, and two of one number."""
    folder = tmp_path / "adrs"
    folder.mkdir()
    (folder / "0003-storage.md").write_text(RECORD, encoding="utf-8")
    (folder / "0004-empty.md").write_text("", encoding="utf-8")
    (folder / "0005-one.md").write_text(RECORD, encoding="utf-8")
    (folder / "ADR-5-other.md").write_text(RECORD, encoding="utf-8")
    return folder


def validate(content: str, verifier, *, source="ai_synthesis", judge=None, timeout_s: float = PATIENCE_S):
    """Return the result of one claim with the comparison on."""
    config = GroundedIngestionConfig(verify_claim_relevance=True, judge=judge, check_timeout_s=timeout_s)
    validator = IngestionValidator(None, False, config, verifier)
    return asyncio.run(validator.validate_many([MemoryClaim(content, "fact", source, "user-1")]))[0]


@pytest.mark.parametrize(
    ("content", "tier", "check"),
    [
        pytest.param(CLAIM, APPROVE, "citation_relevant: ADR-003", id="says-so"),
        pytest.param("Sessions expire after 15 minutes (ADR-3)", APPROVE, "citation_relevant: ADR-003", id="number"),
        pytest.param(
            "Sessions expire after 60 minutes (ADR-3)", REVIEW, "citation_contradicted: ADR-003", id="changed"
        ),
        pytest.param(
            "As ADR-003 says, we do not use Pixeltable for memory storage",
            REVIEW,
            "citation_contradicted: ADR-003",
            id="denied",
        ),
        pytest.param("Per ADR-003, we use MongoDB", REVIEW, "citation_irrelevant: ADR-003", id="another-product"),
        pytest.param(
            "Per ADR-003, we use PostgreSQL for the migration of embeddings",
            REVIEW,
            "citation_irrelevant: ADR-003",
            id="rejected",
        ),
        pytest.param("Per ADR-003, releases happen on Tuesday", REVIEW, "citation_irrelevant: ADR-003", id="other"),
        pytest.param("Per ADR-003, we use PostgreSQL", REVIEW, "citation_irrelevant: ADR-003", id="one-word"),
        pytest.param("See ADR-003", REVIEW, "citation_irrelevant: ADR-003", id="claims-nothing"),
        pytest.param("Per ADR-004, we use Pixeltable", REVIEW, "citation_unreadable: ADR-004", id="empty-record"),
        pytest.param("Per ADR-005, we use Pixeltable", REVIEW, "citation_unreadable: ADR-005", id="two-records"),
    ],
)
def test_words_are_compared_with_a_record(records, content, tier, check):
    """Ruling C18, without a judge: a claim that its record does not state goes to review, from any source."""
    for source in ("ai_synthesis", "user"):
        found = validate(content, CitationVerifier(adr_dirs=[records]), source=source)
        assert (found.tier, check in found.checks_passed + found.checks_failed) == (tier, True)
        if tier is REVIEW:
            name, reason = {
                "citation_contradicted": (
                    TierReason.CITATION_CONTRADICTED,
                    "A cited source contradicts the claim - needs verification",
                ),
                "citation_irrelevant": (
                    TierReason.CITATION_IRRELEVANT,
                    "No cited source states the claim - needs verification",
                ),
                "citation_unreadable": (
                    TierReason.CITATION_UNREAD,
                    "A cited source could not be compared with the claim - needs verification",
                ),
            }[check.partition(":")[0]]
            assert (found.code, found.reason) == (name, reason)


def test_a_claim_is_compared_with_what_it_cites_by_default(records):
    """Ruling C19: an existing number approves nothing."""
    validator = IngestionValidator(None, False, None, CitationVerifier(adr_dirs=[records]))
    found = asyncio.run(validator.validate("Per ADR-003, we use MongoDB", "fact", "ai_synthesis", "user-1"))
    assert (found.tier, found.code) == (REVIEW, TierReason.CITATION_IRRELEVANT)


def test_the_result_shows_that_the_comparison_is_off(records):
    """The document's limitation "Correct citation, wrong claim" needs an explicit setting."""
    config = GroundedIngestionConfig(verify_claim_relevance=False)
    validator = IngestionValidator(None, False, config, CitationVerifier(adr_dirs=[records]))
    found = asyncio.run(validator.validate("Per ADR-003, releases happen on Tuesday", "fact", "ai_synthesis", "user-1"))
    assert (found.tier, found.checks_failed) == (APPROVE, ["citation_not_compared: ADR-003"])
    assert found.evidence.passages == ()


@pytest.mark.parametrize(
    ("content", "verdict", "text", "line"),
    [
        pytest.param(CLAIM, "supports", "We use Pixeltable for memory storage.", 5, id="supports"),
        pytest.param(
            "Sessions expire after 60 minutes (ADR-3)",
            "contradicts",
            "Sessions expire after 15 minutes.",
            6,
            id="denies",
        ),
        pytest.param(
            "Per ADR-003, we use MongoDB for memory storage",
            "contradicts",
            "We use Pixeltable for memory storage.",
            5,
            id="other",
        ),
        pytest.param("See ADR-003", "unrelated", "3. Storage of memories", 1, id="claims-nothing"),
        pytest.param("Per ADR-004, we use Pixeltable", "unread", None, None, id="empty"),
    ],
)
def test_the_evidence_has_the_passage_that_decided(records, content, verdict, text, line):
    """Ruling C19: it has the text, the source, and its position there."""
    found = validate(content, CitationVerifier(adr_dirs=[records]))
    [passage] = found.evidence.passages
    assert (passage.verdict, passage.text, passage.line) == (verdict, text, line)
    assert passage.source == found.evidence.source_id
    if text is not None:
        assert RECORD[passage.start : passage.end] == text


CITING = [
    "Per ADR-003, we use Pixeltable for memory storage",
    "per ADR 3 we use Pixeltable for memory storage.",
    "We use Pixeltable for memory storage (see ADR-003)",
    "We use Pixeltable for memory storage [ADR-003].",
    "We use Pixeltable for memory storage, as decided in ADR-003.",
    "We use Pixeltable for memory storage according to ADR-003",
    "ADR-003 says that we use Pixeltable for memory storage",
    "As stated in the decision record ADR-003, we use Pixeltable for memory storage.",
]


@pytest.mark.parametrize("content", CITING)
def test_words_that_only_point_at_a_citation_are_no_part_of_the_claim(records, content):
    """Ruling C19: the source need not contain them."""
    found = validate(content, CitationVerifier(adr_dirs=[records]))
    assert (found.tier, [each.verdict for each in found.evidence.passages]) == (APPROVE, ["supports"])


SECTIONS = """# 8. Keep sessions in Redis, out of the context of requests

## Context

Sessions live in MySQL today. The nightly backup takes 40 minutes.

## Considered options

* Keep sessions in MongoDB
* Keep sessions in Redis

### MongoDB

We use MongoDB for reports.

## Decision

We will keep sessions in Redis. Billing data lives in Postgres and session data lives in Redis.
Readers call the cache. Entries are evicted after 15 minutes for admins, 30 minutes for guests.

## Consequences

The cache must not be shared. We use Kafka only for audit events.
"""


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("we keep sessions in Redis", "supports"),
        ("the cache is not shared", "supports"),
        ("the cache must be shared", "contradicts"),
        ("sessions live in MySQL", "unrelated"),
        ("we keep sessions in MongoDB", "unrelated"),
        ("we use MongoDB for reports", "unrelated"),
        ("billing data lives in Redis", "unrelated"),
        ("the cache calls the readers", "unrelated"),
        ("guests are evicted after 15 minutes", "unrelated"),
        ("we use Kafka for audit events", "unrelated"),
        ("readers call the cache 3 times", "unrelated"),
    ],
)
def test_one_valid_statement_must_contain_the_claim(tmp_path, claim, verdict):
    """Ruling C19: it must not be scattered over a page, be only considered or outdated, or have a restriction."""
    (tmp_path / "0008-sessions.md").write_text(SECTIONS, encoding="utf-8")
    found = validate(f"Per ADR-008, {claim}", CitationVerifier(adr_dirs=[tmp_path]))
    assert found.approved is (verdict == "supports")
    assert [each.verdict for each in found.evidence.passages] == [verdict]


def test_each_sentence_of_a_claim_has_to_be_there(records):
    """Ruling C19: one true sentence approves no other."""
    verifier = CitationVerifier(adr_dirs=[records])
    true = "Per ADR-003, we use Pixeltable for memory storage. Sessions expire after 15 minutes."
    assert validate(true, verifier).tier is APPROVE
    assert validate(true + " Releases happen on Tuesday.", verifier).tier is REVIEW


def test_an_issue_of_a_list_without_texts_approves_nothing():
    """Ruling C19: a list of numbers shows that an issue exists, and not its content."""
    verifier = CitationVerifier(verifiers={"issue": IssueListVerifier(["#12"])})
    found = validate("The lock has a gauge of its own (#12)", verifier)
    assert (found.tier, found.code) == (REVIEW, TierReason.CITATION_UNREAD)
    assert found.checks_failed == ["citation_unreadable: issue:12"]


def test_words_are_compared_with_a_commits_message(tmp_path):
    """The commit may be cited by its short id in lower case; its message counts, not its header."""
    repository = make_repository(tmp_path / "repository")
    head = commit(repository, "Raise the limit of connections\n\nThe pool has 40 connections now.")
    verifier = CitationVerifier(repo=repository)
    assert validate(f"The pool has 40 connections since {head[:9]}", verifier).tier is APPROVE
    assert validate(f"The cache was removed in commit {head}", verifier).tier is REVIEW
    fix = commit(repository, "Remove the cache\n\nThe cache was stale for minutes.")
    assert validate(f"Commit {fix} removed the cache", verifier).tier is APPROVE
    assert validate(f"The cache is stale for minutes since {fix}", verifier).tier is REVIEW
    assert validate(f"Since commit {fix}, the cache was stale for minutes", verifier).tier is REVIEW
    assert validate(f"The author and committer of commit {head} agree", verifier).tier is REVIEW


def test_a_commit_that_cannot_be_read_has_no_text(tmp_path):
    """The commit is missing or ambiguous, a branch has that name, or there is no repository."""

    def texts(repo, *ids):
        cited = [Citation(CitationType.COMMIT, each, 0, len(each)) for each in ids]
        return asyncio.run(CitationVerifier(repo=repo).read_many(cited))

    repository = make_repository(tmp_path / "repository")
    head = commit(repository, "Größe: 3")
    git(repository, "branch", "abcdef1")
    assert texts(repository, head, "0" * 40, "abcdef1", "HEAD", head[:8]) == [
        "Größe: 3",
        None,
        None,
        None,
        "Größe: 3",
    ]
    assert texts(tmp_path, head) == [None]


def test_words_are_compared_with_a_page():
    """The guarded client fetches it; a page that is no text cannot be read."""
    page = b"<html><script>connections = 90</script><p>The pool of the service has <b>40</b> connections.</p>"
    pages = {"/pool": page, "/image": b"\x89PNG\xff\xff", "/empty": b""}
    with serve(lambda request: answer(200, b"" if request.method == "HEAD" else pages[request.target])) as server:
        host = f"127.0.0.1:{server.port}"
        verifier = CitationVerifier(network=True, allow_hosts=[host])
        says = {
            "The pool of the service has 40 connections, see http://{host}/pool": (APPROVE, "citation_relevant"),
            "The pool of the service has 90 connections, see http://{host}/pool": (REVIEW, "citation_contradicted"),
            "The pool of the service has 40 connections, see http://{host}/image": (REVIEW, "citation_unreadable"),
            "The pool of the service has 40 connections, see http://{host}/empty": (REVIEW, "citation_unreadable"),
        }
        for content, (tier, name) in says.items():
            found = validate(content.format(host=host), verifier)
            assert found.tier is tier
            assert [check for check in found.checks_passed + found.checks_failed if check.startswith(f"{name}: http")]


def test_one_text_that_says_so_is_enough_unless_another_one_says_otherwise(records):
    """Silent or unreadable texts are reported."""
    (records / "0006-other.md").write_text("# Releases\n\nReleases happen on Tuesday.", encoding="utf-8")
    (records / "0007-later.md").write_text("# Sessions\n\nSessions expire after 90 minutes.", encoding="utf-8")
    verifier = CitationVerifier(adr_dirs=[records])
    found = validate("Sessions expire after 15 minutes (ADR-3, ADR-4, ADR-6)", verifier)
    assert found.tier is APPROVE
    assert found.checks_failed == ["citation_irrelevant: ADR-006", "citation_unreadable: ADR-004"]
    assert (
        validate("Sessions expire after 15 minutes (ADR-3, ADR-7)", verifier).code is TierReason.CITATION_CONTRADICTED
    )


def test_only_claims_that_would_be_approved_are_compared(records):
    """A judgement costs money, and changes nothing about the others."""
    judge = ScriptedJudge(FINE)
    verifier = CitationVerifier(adr_dirs=[records])
    for content, asked in ((f"{CLAIM}, maybe", 0), ("Per ADR-999, and ADR-3, we ship", 0), ("We ship", 0), (CLAIM, 1)):
        validate(content, verifier, judge=judge)
        assert len(judge.asked) == asked


def test_a_judge_decides_if_there_is_one(records):
    """Ruling C18: it gets the claim with its sources, and their texts as results; words then decide nothing."""
    judge = ScriptedJudge(FINE)
    content = "Per ADR-003, agents remember by way of tables"
    found = validate(content, CitationVerifier(adr_dirs=[records]), judge=judge)
    assert (found.tier, found.checks_passed[2]) == (APPROVE, "citation_relevant: ADR-003")
    [(_, said, results)] = judge.asked
    assert (said, results) == (f"{content} [ADR-003]", [{"id": "ADR-003", "content": RECORD}])


UNSUPPORTED = HallucinationType.UNSUPPORTED_CLAIM


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(Judgement(hallucination_risk=0.31, confidence=0.9), id="risk"),
        pytest.param(Judgement(hallucination_risk=None), id="says-nothing"),
        pytest.param(Judgement(hallucination_risk=float("nan")), id="nan"),
        pytest.param(Judgement(hallucination_risk=-1.0), id="below-nothing"),
        pytest.param(Judgement(hallucination_risk=0.1, confidence=0.4), id="not-sure"),
        pytest.param(Judgement(hallucination_risk=0.1, decision=JudgeDecision.REFINE_SEARCH), id="not-enough"),
        pytest.param(
            Judgement(hallucination_risk=0.1, issues=(JudgeIssue(type=UNSUPPORTED, claim="x"),)), id="names-a-fault"
        ),
        pytest.param(
            Judgement(
                hallucination_risk=0.1, issues=(JudgeIssue(type=UNSUPPORTED, claim="x", evidence="was rejected"),)
            ),
            id="proves-a-fault",
        ),
    ],
)
def test_an_unsure_judge_sends_a_claim_to_review(records, said):
    """Ruling B11: a judgement can only move a claim toward review."""
    found = validate(CLAIM, CitationVerifier(adr_dirs=[records]), judge=ScriptedJudge(said))
    assert (found.tier, found.code) == (REVIEW, TierReason.CITATION_IRRELEVANT)
    assert found.checks_failed == ["citation_irrelevant: ADR-003"]


def test_a_fault_that_is_proved_by_invented_words_does_not_count(records):
    """Ruling B12: a judge's quote that is not in its sources voids the issue."""
    issue = JudgeIssue(type=UNSUPPORTED, claim="x", evidence="Redis is what we will use for everything")
    said = Judgement(hallucination_risk=0.1, issues=(issue,))
    assert validate(CLAIM, CitationVerifier(adr_dirs=[records]), judge=ScriptedJudge(said)).tier is APPROVE


@pytest.mark.parametrize(
    ("said", "why"),
    [
        pytest.param(RuntimeError("secret"), "RuntimeError", id="raises"),
        pytest.param(Judgement(status=JudgeStatus.ERROR, error="rate_limited"), "rate_limited", id="error"),
        pytest.param(Judgement(status=JudgeStatus.NOT_RUN), "no judgement", id="not-run"),
        pytest.param({"hallucination_risk": 0.0}, "no judgement", id="no-judgement"),
        pytest.param(Judgement(hallucination_risk="low"), "TypeError", id="no-number"),
        pytest.param(Judgement(hallucination_risk=0.0, issues=["secret"]), "AttributeError", id="no-issues"),
    ],
)
def test_a_judge_that_fails_approves_nothing(records, said, why):
    """R0: the words do not replace the judge; the check names only the class or the code."""
    found = validate(CLAIM, CitationVerifier(adr_dirs=[records]), judge=ScriptedJudge(said))
    assert (found.tier, found.code) == (REVIEW, TierReason.CITATION_UNREAD)
    assert found.checks_failed == [f"relevance_check_failed: {why}"]


def test_a_judge_that_hangs_approves_nothing(records):
    """It has the time-out of any other answer."""
    judge = ScriptedJudge(FINE, pause_s=60)
    found = validate(CLAIM, CitationVerifier(adr_dirs=[records]), judge=judge, timeout_s=2.0)
    assert found.checks_failed == ["relevance_check_failed: TimeoutError"]


class Reader(ScriptedVerifier):
    """A verifier that reads as scripted."""

    def __init__(self, texts):
        super().__init__()
        self.texts = texts

    async def read_many(self, citations):
        if isinstance(self.texts, Exception):
            raise self.texts
        return self.texts


@pytest.mark.parametrize(
    ("verifier", "check"),
    [
        pytest.param(ScriptedVerifier(text=None), "citation_unreadable: ADR-003", id="cannot-read"),
        pytest.param(Reader([None]), "citation_unreadable: ADR-003", id="reads-nothing"),
        pytest.param(Reader([]), "relevance_check_failed: ValueError", id="too-few"),
        pytest.param(Reader(OSError("secret")), "relevance_check_failed: OSError", id="raises"),
        pytest.param(Reader([b"bytes"]), "citation_unreadable: ADR-003", id="no-text"),
    ],
)
def test_an_unreadable_citation_goes_to_review(verifier, check):
    """A custom verifier verifies everything but cannot read."""
    found = validate(CLAIM, verifier)
    assert (found.tier, found.checks_failed) == (REVIEW, [check])


def test_custom_verifiers_can_read(records):
    """They need a method for it; a text whose reader raises or hangs is missing."""

    class Issues(ScriptedVerifier):
        async def read(self, citation):
            if citation.value == "13":
                raise OSError("secret")
            if citation.value == "14":
                await asyncio.sleep(60)
            return 7 if citation.value == "15" else "The export of tables is slow on Mondays"

    for number, tier in (("12", APPROVE), ("13", REVIEW), ("14", REVIEW), ("15", REVIEW)):
        timeout_s = 0.2 if number == "14" else PATIENCE_S
        verifier = CitationVerifier(adr_dirs=[records], verifiers={"issue": Issues()}, timeout_s=timeout_s)
        assert validate(f"The export of tables is slow on Mondays (#{number})", verifier).tier is tier


def test_each_thing_is_read_once_for_a_batch(records):
    """This holds for any number of claims that cite it."""
    read = []

    class Counted(CitationVerifier):
        async def read_many(self, citations):
            read.extend(citation.value for citation in citations)
            return await super().read_many(citations)

    config = GroundedIngestionConfig(verify_claim_relevance=True)
    validator = IngestionValidator(None, False, config, Counted(adr_dirs=[records]))
    contents = [CLAIM, "Sessions expire after 15 minutes (ADR-003)", CLAIM]
    found = asyncio.run(validator.validate_many([MemoryClaim(each, "fact", "chat", "user-1") for each in contents]))
    assert (read, [one.tier for one in found]) == (["003"], [APPROVE] * 3)


def test_a_cancelled_judgement_is_no_failure(records):
    """The cancellation is raised."""

    judge = ScriptedJudge(FINE, pause_s=60)

    async def cancel() -> None:
        config = GroundedIngestionConfig(verify_claim_relevance=True, judge=judge)
        validator = IngestionValidator(None, False, config, CitationVerifier(adr_dirs=[records]))
        task = asyncio.create_task(validator.validate(CLAIM, "fact", "user", "user-1"))
        while not judge.asked:
            await asyncio.sleep(0)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        assert task.cancelled()

    asyncio.run(cancel())
