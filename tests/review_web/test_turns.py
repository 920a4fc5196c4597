"""Turns: few at once, few of one person, and the time shared between people."""

import asyncio

import pytest

from groundwire.review.web.rate_limiter import FairScheduler
from groundwire.review.web.responses import HttpProblem
from review.waiting import asynchronous


class Ask:
    """People who ask, each request for a time of the test's own clock."""

    def __init__(self, at_once: int = 1, of_one: int = 1, waiting_of_one: int = 100) -> None:
        self.now = 0.0
        self.turns = FairScheduler(at_once, of_one, waiting_of_one, clock=lambda: self.now)
        self.order: list[str] = []
        self.working: list[str] = []
        self.most = 0

    async def work(self, key: str, seconds: float = 1.0) -> None:
        """Wait for a turn, and use it."""
        async with self.turns.turn(key):
            self.order.append(key)
            self.working.append(key)
            self.most = max(self.most, len(self.working))
            await asyncio.sleep(0)
            self.now += seconds
            self.working.remove(key)

    def begin(self, keys: str, seconds: float = 1.0) -> list[asyncio.Task[None]]:
        """Let these people ask, one after the other."""
        return [asyncio.ensure_future(self.work(key, seconds)) for key in keys]


@asynchronous
async def test_who_asks_for_much_waits_for_others():
    """Behind ten requests of one person, those of two others are second and third."""
    ask = Ask()
    await asyncio.gather(*ask.begin("aaaaaaaaaabc"))
    assert "".join(ask.order) == "abc" + "a" * 9


@asynchronous
async def test_time_counts_and_not_requests():
    """Somebody whose requests take three times as long has a third of the turns."""
    ask = Ask()
    await asyncio.gather(*ask.begin("a" * 4, 3.0), *ask.begin("b" * 12, 1.0))
    assert [ask.order[:number].count("a") for number in (4, 8, 12, 16)] == [1, 2, 3, 4]


@asynchronous
async def test_time_is_not_saved_up():
    """Whoever comes back after a pause begins where the others are, and does not keep them waiting for long."""
    ask = Ask()
    first = ask.begin("aaaaaaaaaa")
    while len(ask.order) < 8:
        await asyncio.sleep(0)
    await asyncio.gather(*first, *ask.begin("bbbb"))
    assert sorted(ask.order[8:12]) == ["a", "a", "b", "b"]


@asynchronous
async def test_few_at_once():
    """Of all, and of one person."""
    for at_once, of_one, keys, most in ((3, 2, "aaaaaa", 2), (3, 2, "aaabbb", 3), (1, 5, "ab", 1)):
        ask = Ask(at_once, of_one)
        await asyncio.gather(*ask.begin(keys))
        assert ask.most == most


@asynchronous
async def test_few_may_wait():
    """Those beyond are refused with when to come back, and others are not."""
    ask = Ask(waiting_of_one=2)
    asked = ask.begin("aaaab")
    outcomes = await asyncio.gather(*asked, return_exceptions=True)
    refused = [one for one in outcomes if isinstance(one, HttpProblem)]
    assert [(one.status, one.retry_after_s) for one in refused] == [(429, 2)] * len(refused)
    assert 1 <= len(refused) <= 2
    assert ask.order.count("b") == 1


@asynchronous
async def test_who_goes_away_leaves_no_trace():
    """Whether they wait, or have just got their turn; nothing is kept of those who are done."""
    ask = Ask()
    asked = ask.begin("aabcd")
    await asyncio.sleep(0)
    asked[1].cancel()
    asked[2].cancel()
    await asyncio.gather(*asked, return_exceptions=True)
    assert "".join(ask.order) == "acd"
    await ask.work("e")
    assert not ask.turns._waiting
    assert not ask.turns._accounts
    assert not ask.turns._working


@asynchronous
async def test_a_turn_ends_with_an_error():
    """The next one gets it."""
    ask = Ask()
    with pytest.raises(OSError, match=r"^$"):
        async with ask.turns.turn("a"):
            raise OSError("")
    await ask.work("b")
    assert ask.order == ["b"]
