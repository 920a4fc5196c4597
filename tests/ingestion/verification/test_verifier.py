"""CitationVerifier: the verifiers that it calls, their number of calls, and failures."""

import asyncio
import sys

import pytest

from groundwire.ingestion import (
    Citation,
    CitationDetector,
    CitationType,
    CitationVerifier,
    VerificationResult,
    VerificationStatus,
    verify_citation,
)
from groundwire.ingestion.verification.protocol import REASONS, VerificationReason, make_result
from groundwire.ingestion.verification.verifier import ResultCache
from ingestion.verification.repositories import commit, make_repository


def cite(value: str, kind: str = CitationType.ISSUE) -> Citation:
    """Return a citation of an issue, or of another kind."""
    return Citation(kind, value, 0, len(value))


class Scripted:
    """Answers as scripted, and records its calls."""

    def __init__(self, answers=None, *, error: Exception | None = None, pause_s: float = 0.0):
        self.asked: list[str] = []
        self.running = self.most_running = 0
        self._answers = answers or {}
        self._error = error
        self._pause_s = pause_s

    async def verify(self, citation):
        self.asked.append(citation.value)
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        await asyncio.sleep(self._pause_s)
        self.running -= 1
        if self._error is not None:
            raise self._error
        return self._answers.get(citation.value, make_result(VerificationReason.ISSUE_FOUND))


class Batch(Scripted):
    """Answers in batches."""

    async def verify_many(self, citations):
        self.asked.append(",".join(citation.value for citation in citations))
        return [self._answers.get(each.value, make_result(VerificationReason.ISSUE_FOUND)) for each in citations]


def verifier_of(scripted, **options) -> CitationVerifier:
    """Return a verifier that uses *scripted* for issues."""
    return CitationVerifier(verifiers={"issue": scripted}, **options)


def run(verifier: CitationVerifier, *citations: Citation) -> list[VerificationResult]:
    """Return the results of *citations*."""
    return asyncio.run(verifier.verify_many(citations))


def test_without_configuration_every_citation_is_unknown():
    """Nothing is verified or refuted."""
    kinds = [*CitationType, "another"]
    results = run(CitationVerifier(), *[cite("1234567", kind) for kind in kinds])
    assert {each.status for each in results} == {VerificationStatus.UNKNOWN}
    off = {"url", "doi"}
    assert [each.code for each in results] == ["network_off" if kind in off else "not_configured" for kind in kinds]


def test_claims_are_verified_from_text_to_result(tmp_path):
    """The sentences of the specification are checked against a repository and a folder of records."""
    repository = make_repository(tmp_path / "repository")
    head = commit(repository)
    records = repository / "docs" / "adrs"
    records.mkdir(parents=True)
    (records / "ADR-003-storage.md").write_text("Status: Accepted", encoding="utf-8")
    verifier = CitationVerifier(repo=repository, adr_dirs=[records])
    claims = {
        "Per ADR-003, we use PostgreSQL": "verified",
        "Per ADR-999, we use magic": "refuted",
        f"Fixed in commit {head[:10]}": "verified",
        "Fixed in commit a1b2c3d4e5": "refuted",
        "See https://docs.example.com/api": "unknown",
        "Closes #12": "unknown",
    }
    citations = [citation for claim in claims for citation in CitationDetector().detect(claim)]
    assert [each.status.value for each in run(verifier, *citations)] == [*claims.values()]


def test_each_source_is_verified_once_and_results_keep_their_order():
    """This holds for any number and position of citations."""
    refuted = make_result(VerificationReason.ISSUE_NOT_FOUND)
    scripted = Scripted({"2": refuted})
    citations = [Citation(CitationType.ISSUE, value, number, number + 1) for number, value in enumerate("2112332")]
    codes = [each.code.value for each in run(verifier_of(scripted), *citations)]
    assert codes == ["issue_not_found" if value == "2" else "issue_found" for value in "2112332"]
    assert sorted(scripted.asked) == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("kind", "spellings"),
    [
        pytest.param("adr", ["3", "003", "0003"], id="record"),
        pytest.param("url", ["https://a.example/x", "https://A.example:443/x/?utm_source=m#top"], id="url"),
        pytest.param("doi", ["10.1000/ab", "10.1000/AB"], id="doi"),
    ],
)
def test_spellings_of_one_source_are_verified_once(kind, spellings):
    """C18: the cache identifies a source by its identity, in one call and in the next."""
    scripted = Scripted()
    verifier = CitationVerifier(verifiers={kind: scripted})
    results = run(verifier, *(cite(spelling, kind) for spelling in spellings)) + run(
        verifier, cite(spellings[-1], kind)
    )
    assert len(scripted.asked) == 1
    assert len({each.code for each in results}) == 1


def test_citations_of_a_kind_are_verified_together_if_possible():
    """A batch verifier is called once, others once per citation."""
    batch, single = Batch(), Scripted()
    verifier = CitationVerifier(verifiers={"issue": batch, "commit": single})
    run(verifier, cite("1"), cite("a", "commit"), cite("2"), cite("b", "commit"), cite("1"))
    assert batch.asked == ["1,2"]
    assert sorted(single.asked) == ["a", "b"]


def test_at_most_eight_are_verified_at_the_same_time():
    """A claim with a thousand URLs must not open a thousand connections."""
    scripted = Scripted(pause_s=0.01)
    assert len(run(verifier_of(scripted), *[cite(str(number)) for number in range(50)])) == 50
    assert scripted.most_running == 8


def test_waiting_for_a_turn_is_not_part_of_the_time():
    """The last of many has as much time as the first."""
    scripted = Scripted(pause_s=0.05)
    # Eight at a time take four seconds.
    results = run(verifier_of(scripted, timeout_s=3.5), *[cite(str(number)) for number in range(640)])
    assert all(each.valid for each in results)


def test_a_verifier_that_hangs_times_out():
    """It does not delay the others."""

    finished = []

    class Hangs:
        async def verify(self, citation):
            await asyncio.sleep(60 if citation.value == "1" else 0)
            finished.append(citation.value)
            return make_result(VerificationReason.ISSUE_FOUND)

    first, second = run(verifier_of(Hangs(), timeout_s=2.0), cite("1"), cite("2"))
    assert finished == ["2"]
    assert (first.code, first.status) == ("timed_out", VerificationStatus.UNKNOWN)
    assert second.valid


def test_a_verifier_that_raises_makes_its_result_unknown():
    """The reason names the class of the error and nothing of its message."""
    (each,) = run(verifier_of(Scripted(error=RuntimeError("zyxwhale"))), cite("1"))
    assert (each.code, each.reason) == ("verifier_failed", "The verifier failed: RuntimeError")


@pytest.mark.parametrize(
    "answers",
    [[], [True], [None], ["verified"], [make_result(VerificationReason.ISSUE_FOUND)] * 2, None, 7],
    ids=["none", "bool", "empty", "str", "two", "no-list", "number"],
)
def test_a_verifier_that_answers_nonsense_verifies_nothing(answers):
    """Only a valid result counts, one for each citation."""

    class Nonsense(Scripted):
        async def verify_many(self, citations):
            return answers

    (each,) = run(verifier_of(Nonsense()), cite("1"))
    assert (each.code, each.valid) == ("verifier_failed", False)


def test_a_cancellation_is_no_result():
    """The cancellation is raised."""

    async def stop():
        scripted = Scripted(pause_s=60)
        task = asyncio.create_task(verifier_of(scripted).verify(cite("1")))
        while not scripted.asked:
            await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(stop())


class Clock:
    """A clock that moves only on request."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_results_are_kept_until_they_expire():
    """Verified and refuted results are kept; the clock is the given one."""
    clock, scripted = Clock(), Scripted({"2": make_result(VerificationReason.ISSUE_NOT_FOUND)})
    verifier = verifier_of(scripted, cache_ttl_s=10, clock=clock)
    for expected in (2, 2):
        run(verifier, cite("1"), cite("2"))
        assert len(scripted.asked) == expected
    clock.now += 9.9
    run(verifier, cite("1"), cite("2"))
    assert len(scripted.asked) == 2
    clock.now += 0.1
    run(verifier, cite("1"), cite("2"))
    assert len(scripted.asked) == 4


def test_unknown_results_are_not_cached():
    """The result may be known the next time."""
    scripted = Scripted({"1": make_result(VerificationReason.TIMED_OUT)})
    verifier = verifier_of(scripted)
    assert [run(verifier, cite("1"))[0].code for _ in range(2)] == ["timed_out"] * 2
    assert scripted.asked == ["1", "1"]


def test_the_same_value_of_another_kind_is_another_thing():
    """A commit and an issue may both be 1234567."""
    issues, commits = Scripted(), Scripted()
    verifier = CitationVerifier(verifiers={"issue": issues, "commit": commits})
    run(verifier, cite("1234567"))
    run(verifier, cite("1234567", "commit"))
    assert (issues.asked, commits.asked) == (["1234567"], ["1234567"])


def test_the_cache_has_a_limit():
    """The oldest go first; a result that is added again is new."""
    cache = ResultCache(ttl_s=10, max_results=2, clock=Clock())
    found = make_result(VerificationReason.ISSUE_FOUND)
    for value in ("1", "2", "1", "3"):
        cache.put(("issue", value), found)
    assert len(cache) == 2
    assert [cache.get(("issue", value)) is found for value in "123"] == [True, False, True]


def test_two_threads_may_drop_the_same_result():
    """Here the second one comes while the first one reads the clock."""
    times, found = iter([0.0, 20.0, 20.0]), []

    def clock():
        if len(found) == 1:
            found.append(None)
            found.append(cache.get(("issue", "1")))
        return next(times)

    cache = ResultCache(ttl_s=10, max_results=2, clock=clock)
    cache.put(("issue", "1"), make_result(VerificationReason.ISSUE_FOUND))
    found.append("next")
    assert cache.get(("issue", "1")) is None
    assert found == ["next", None, None]


def test_one_verifier_serves_one_event_loop_after_the_other():
    """No part of it belongs to a loop."""
    verifier = verifier_of(Scripted(pause_s=0.001))
    assert all(asyncio.run(verifier.verify(cite(value))).valid for value in "123")


def test_a_single_citation_as_printed(tmp_path, monkeypatch):
    """Without options it reads the working directory, as specified."""
    head = commit(make_repository(tmp_path / "repository"))
    records = tmp_path / "repository" / "docs" / "adrs"
    records.mkdir(parents=True)
    (records / "ADR-003-storage.md").write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "repository")
    citations = [cite(head, "commit"), cite("003", "adr"), cite("004", "adr"), cite("https://a.org/", "url"), cite("1")]
    results = [asyncio.run(verify_citation(citation)) for citation in citations]
    assert [each.reason for each in results[:3]] == ["Commit exists", "ADR file exists", "ADR not found"]
    assert [each.status.value for each in results] == ["verified", "verified", "refuted", "unknown", "unknown"]


def test_a_single_citation_takes_the_options_of_the_verifier():
    """The names are the same."""
    each = asyncio.run(verify_citation(cite("1"), repo=None, adr_dirs=(), verifiers={"issue": Scripted()}))
    assert each.valid


@pytest.mark.parametrize(
    "options", [{"timeout_s": 0}, {"timeout_s": -1}, {"timeout_s": float("nan")}, {"cache_ttl_s": 0}]
)
def test_times_are_positive(options):
    """A time-out of zero would make every citation unknown."""
    with pytest.raises(ValueError, match="must be positive"):
        CitationVerifier(**options)


@pytest.mark.parametrize("options", [{"adr_dirs": "docs/adrs"}, {"allow_hosts": "localhost"}])
def test_one_str_is_no_list(options):
    """It would be a list of its letters."""
    with pytest.raises(TypeError, match="must be lists of str"):
        CitationVerifier(**options)


@pytest.mark.parametrize("code", REASONS)
def test_every_code_has_its_status_and_words(code):
    """Only verified results are valid."""
    each = make_result(code, "x")
    assert (each.code, each.status) == (code, REASONS[code][0])
    assert each.valid is (each.status is VerificationStatus.VERIFIED)
    assert each.reason
    assert "{" not in each.reason


def test_every_code_but_custom_has_words():
    """`custom` is for verifiers with their own words."""
    assert {*REASONS} == {*VerificationReason} - {VerificationReason.CUSTOM}


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({"valid": True}, "verified"),
        ({"valid": False}, "unknown"),
        ({"valid": False, "status": "refuted"}, "refuted"),
        ({"valid": True, "status": VerificationStatus.VERIFIED}, "verified"),
    ],
)
def test_a_result_as_printed(given, status):
    """`VerificationResult(valid=..., reason=...)`: an invalid result is not refuted by that alone."""
    each = VerificationResult(**given, reason="HTTP 200")
    assert (each.status, each.code) == (VerificationStatus(status), "custom")


@pytest.mark.parametrize(
    "given",
    [{"valid": True, "status": "refuted"}, {"valid": False, "status": "verified"}, {"valid": True, "status": "yes"}],
)
def test_a_result_does_not_contradict_itself(given):
    """Otherwise two readers could disagree on it."""
    with pytest.raises(ValueError, match=r"contradicts|status must be one of"):
        VerificationResult(**given, reason="")


def test_without_the_extra_the_result_says_so(monkeypatch):
    """A missing package makes a result unknown, visibly, and breaks nothing else."""
    monkeypatch.setitem(sys.modules, "httpcore2", None)
    monkeypatch.delitem(sys.modules, "groundwire.ingestion.verification.http_exchange", raising=False)
    (each,) = run(CitationVerifier(network=True), cite("https://example.com/", "url"))
    assert each.code == "http_missing"
