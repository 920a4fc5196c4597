"""Judgements on disk: they are found again, checked, and private."""

import asyncio
import json
import os
import stat
import sys
import threading
from functools import partial

import pytest

from groundwire import telemetry
from groundwire.judge import TokenPrice, TokenUsage
from groundwire.judge.cache import JudgementCache, cache_key
from judge.cases import ANSWER, FIELDS, QUESTION, RESULTS, written
from judge.scripted_server import fails, writes

KEY = cache_key({"a": 1})
ISSUE = {"type": "contradiction", "claim": "1932", "evidence": "opened in 1931"}


def entries(folder):
    """Return all files of a cache."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("two_step", [False, True])
def test_a_cached_judgement_needs_no_request(serve, judge_of, tmp_path, two_step):
    """
    This holds for another judge and another process; the judgement is marked as cached, and quotes are checked
    again.
    """
    server = serve(*[writes("Notes.")] * two_step, writes(written(issues=[ISSUE])))
    price = TokenPrice(prompt_per_million=1, completion_per_million=1)
    options = {"cache": tmp_path / "cache", "two_step": two_step, "prices": {"strong": price}}
    first = judge_of(server, **options).judge(QUESTION, ANSWER, RESULTS)
    again = asyncio.run(judge_of(server, **options).ajudge(QUESTION, ANSWER, RESULTS))
    assert len(server.requests) == 1 + two_step
    assert again.usage == TokenUsage(cost=0.0, cached=True)
    names = ("score", "reasoning", "confidence", "decision", "hallucination_risk", "hallucination_notes", "issues")
    assert [getattr(again, name) for name in names] == [getattr(first, name) for name in names]
    assert first.issues[0].grounded is True


@pytest.mark.parametrize(
    ("case", "options"),
    [
        pytest.param((QUESTION + " ", ANSWER, RESULTS), {}, id="question"),
        pytest.param((QUESTION, ANSWER + " ", RESULTS), {}, id="answer"),
        pytest.param((QUESTION, ANSWER, RESULTS[:1]), {}, id="results"),
        pytest.param((QUESTION, ANSWER, [{**RESULTS[0], "id": "9"}, RESULTS[1]]), {}, id="an-id"),
        pytest.param((QUESTION, ANSWER, RESULTS), {"model": "other"}, id="model"),
        pytest.param((QUESTION, ANSWER, RESULTS), {"two_step": True}, id="steps"),
        pytest.param((QUESTION, ANSWER, RESULTS), {"parameters": {"temperature": 1}}, id="parameters"),
    ],
)
def test_any_other_request_is_sent(serve, judge_of, tmp_path, case, options):
    """The key covers the request and its recipient."""
    server = serve(writes(written()))
    judge_of(server, cache=tmp_path).judge(QUESTION, ANSWER, RESULTS)
    assert judge_of(server, cache=tmp_path, **options).judge(*case).usage.cached is False


def test_other_prompts_servers_and_formatters_are_not_cached(serve, judge_of, tmp_path):
    """Another template, server or second model makes another request."""
    prompts = tmp_path / "mine"
    prompts.mkdir()
    servers = serve(writes(written())), serve(writes(written()))
    cache = tmp_path / "cache"
    made = [
        judge_of(servers[0], cache=cache, two_step=True),
        judge_of(servers[1], cache=cache, two_step=True),
        judge_of(servers[0], cache=cache, two_step=True, formatter_model="small"),
        judge_of(servers[0], cache=cache, two_step=True, prompts=prompts),
    ]
    assert [judge.judge(QUESTION, ANSWER, RESULTS).usage.cached for judge in made] == [False] * 4
    assert [judge.judge(QUESTION, ANSWER, RESULTS).usage.cached for judge in made] == [True] * 4


@pytest.mark.parametrize("act", [fails(500), writes("no"), writes(written(score=2)), writes(written()[:-5])])
def test_a_failure_is_not_cached(serve, judge_of, tmp_path, act):
    """The next request may succeed."""
    server = serve(act)
    judge_of(server, cache=tmp_path, max_retries=0).judge(QUESTION, ANSWER, RESULTS)
    assert entries(tmp_path) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes of this kind")
def test_files_are_for_their_owner(tmp_path):
    """Mode 0600 in folders of 0700, for any umask; no other file is left."""
    before = os.umask(0)
    try:
        JudgementCache(tmp_path / "cache").write(KEY, FIELDS)
    finally:
        os.umask(before)
    (path,) = entries(tmp_path)
    modes = [stat.S_IMODE(each.stat().st_mode) for each in (path, path.parent, path.parent.parent)]
    assert modes == [0o600, 0o700, 0o700]


def damage(content: bytes) -> list[bytes]:
    """Return files with damaged content."""
    entry = json.loads(content)
    changed = json.dumps(entry | {"judgement": entry["judgement"] | {"score": 1.0}}).encode()
    return [b"", content[:-1], content[: len(content) // 2], changed, b"[]", b"null", b"{}", b"\xff", b"[" * 100_000]


@pytest.mark.parametrize("number", range(9))
def test_a_damaged_entry_is_ignored_reported_and_replaced(serve, judge_of, tmp_path, caplog, number):
    """A truncated or changed file counts as missing."""
    server = serve(writes(written()))
    judge = judge_of(server, cache=tmp_path)
    judge.judge(QUESTION, ANSWER, RESULTS)
    (path,) = entries(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(damage(whole)[number])
    assert judge.judge(QUESTION, ANSWER, RESULTS).usage.cached is False
    assert [(each.message, each.fault) for each in caplog.records if each.name == telemetry.JUDGE_LOGGER_NAME] == [
        ("judge_cache_entry_ignored", "damaged")
    ]
    assert path.read_bytes() == whole
    assert judge.judge(QUESTION, ANSWER, RESULTS).usage.cached is True


def test_a_foreign_entry_is_ignored(serve, judge_of, tmp_path):
    """The file is complete, but of another version: its content must be a judgement."""
    server = serve(writes(written()))
    judge = judge_of(server, cache=tmp_path)
    judge.judge(QUESTION, ANSWER, RESULTS)
    (path,) = entries(tmp_path)
    JudgementCache(tmp_path).write(path.stem, {"score": 0.5})
    judgement = judge.judge(QUESTION, ANSWER, RESULTS)
    assert (judgement.status, judgement.usage.cached) == ("ok", False)


def test_an_entry_of_another_key_is_ignored(tmp_path):
    """A moved file belongs to another request."""
    cache = JudgementCache(tmp_path)
    cache.write(KEY, FIELDS)
    other = cache_key({"a": 2})
    (tmp_path / other[:2]).mkdir(exist_ok=True)
    entries(tmp_path)[0].rename(tmp_path / other[:2] / f"{other}.json")
    assert (cache.read(other), cache.read(KEY)) == (None, None)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes of this kind")
@pytest.mark.parametrize("how", ["writable-for-others", "link", "folder", "pipe"])
def test_a_file_that_others_may_have_written_is_not_trusted(tmp_path, how):
    """Anybody who can write there could plant a good judgement."""
    cache = JudgementCache(tmp_path)
    cache.write(KEY, FIELDS)
    (path,) = entries(tmp_path)
    if how == "writable-for-others":
        path.chmod(0o620)
    else:
        path.rename(tmp_path / "elsewhere")
        make = {"link": partial(path.symlink_to, tmp_path / "elsewhere"), "folder": path.mkdir}
        make.get(how, partial(os.mkfifo, path))()
    # Opening a pipe would wait for its writer forever.
    assert cache.read(KEY) is None


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="needs folders that cannot be written")
def test_an_unwritable_folder_stores_no_entry(serve, judge_of, tmp_path):
    """The judgement is still returned."""
    tmp_path.chmod(0o500)
    assert judge_of(serve(writes(written())), cache=tmp_path).judge(QUESTION, ANSWER, RESULTS).status == "ok"


def test_a_cache_path_that_is_a_file_stores_no_entries(serve, judge_of, tmp_path, caplog):
    """The judgement is still returned, with a warning."""
    (tmp_path / "cache").write_text("")
    judgement = judge_of(serve(writes(written())), cache=tmp_path / "cache").judge(QUESTION, ANSWER, RESULTS)
    assert judgement.status == "ok"
    assert {each.fault for each in caplog.records} == {"unreadable", "unwritable"}


def test_writers_at_once_leave_one_whole_entry(tmp_path):
    """The last one wins, and readers see one complete entry."""
    cache = JudgementCache(tmp_path)
    seen = []

    def work(score):
        for _ in range(50):
            cache.write(KEY, FIELDS | {"score": score})
            seen.append(cache.read(KEY))

    threads = [threading.Thread(target=work, args=(score,)) for score in (0.25, 0.5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {each["score"] for each in seen} <= {0.25, 0.5}
    assert len(entries(tmp_path)) == 1
