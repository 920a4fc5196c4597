"""Servers with a script, and judges that ask them."""

import pytest

from groundwire.judge import LLMJudge, Timing
from judge.scripted_server import ScriptedServer


@pytest.fixture
def serve():
    """Start a server that acts as told, one act for each request."""
    servers = []

    def start(*acts):
        servers.append(ScriptedServer(list(acts)))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def naps():
    """How long a judge of `ask` slept, each time."""
    return []


@pytest.fixture
def judge_of(naps, monkeypatch):
    """Make a judge that asks a server: one step, time that passes only while it sleeps, no jitter."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    judges = []

    async def sleep(wait_s):
        naps.append(wait_s)

    def make(server, **options):
        timing = Timing(clock=lambda: sum(naps), sleep=sleep, jitter=lambda: 0.0)
        options = {"model": "strong", "two_step": False, "timing": timing, "timeout_s": 20.0} | options
        judges.append(LLMJudge(base_url=server.url, **options))
        return judges[-1]

    yield make
    for judge in judges:
        judge.close()
