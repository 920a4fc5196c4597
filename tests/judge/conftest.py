"""Scripted servers, and judges that call them."""

import pytest

from groundwire.judge import LLMJudge
from judge.scripted_server import ScriptedServer


@pytest.fixture
def serve():
    """Start a server that follows a script, with one act for each request."""
    servers = []

    def start(*acts):
        servers.append(ScriptedServer(list(acts)))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def naps(monkeypatch):
    """Record the waits of OpenAI's SDK before its retries, without waiting."""
    waits = []

    async def sleep(wait_s):
        waits.append(wait_s)

    monkeypatch.setattr("anyio.sleep", sleep)
    return waits


@pytest.fixture
def judge_of(naps, monkeypatch):  # noqa: ARG001
    """Create a judge that calls a server: one step, and no waits before retries."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    judges = []

    def make(server, **options):
        options = {"model": "strong", "two_step": False, "timeout_s": 20.0} | options
        judges.append(LLMJudge(base_url=server.url, **options))
        return judges[-1]

    yield make
    for judge in judges:
        judge.close()
