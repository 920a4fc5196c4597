"""`groundwire ingest --dedup-method vector`: the environment selects the embedder, and its failure leads to review."""

import pytest

pytest.importorskip("openai", reason="no openai: pip install 'groundwire[judge]'")

from embedding.test_server import embeds
from judge.scripted_server import ScriptedServer, fails

CLAIMS = ("The abacus bead fell.", "A bead of the abacus fell.")


@pytest.fixture
def ingest(run):
    """Run the command with an embedder on a scripted server; return the result and the server."""
    started = []

    def ingest_with(act, **settings):
        server = ScriptedServer([act])
        started.append(server)
        names = {"QUANTITATIVE_EMBEDDER_MODEL": "small", "QUANTITATIVE_EMBEDDER_BASE_URL": server.url} | settings
        options = ("--source", "user", "--dedup-method", "vector", "--threshold", "0.95", "-f", "json")
        return run("ingest", *CLAIMS, *options, env=names), server

    yield ingest_with
    for server in started:
        server.close()


def test_a_paraphrase_is_a_duplicate(ingest):
    """Its vector is close to that of the earlier claim, in other words."""
    result, server = ingest(embeds)
    assert [claim["code"] for claim in result.report["claims"]] == ["trusted_source", "duplicate"]
    assert {request["model"] for request in server.requests} == {"small"}
    assert result.report["settings"]["dedup_method"] == "vector"


def test_a_server_that_fails_sends_claims_to_review(ingest):
    """It is unknown whether they are new, and the result says why."""
    result, _ = ingest(fails(500), QUANTITATIVE_EMBEDDER_MAX_RETRIES="0")
    assert result.code == 1
    assert [claim["code"] for claim in result.report["claims"]] == ["dedup_failed", "dedup_failed"]
    assert all("embedder_failed" in str(claim["checks_failed"]) for claim in result.report["claims"])


def test_a_wrong_setting_is_one_line(ingest):
    """The message names the setting and the rule, never the value."""
    result, _ = ingest(embeds, QUANTITATIVE_EMBEDDER_TIMEOUT_S="-17")
    assert result.code == 2
    assert "cannot create the embedder: " in result.stderr
    assert "-17" not in result.stderr
    assert "Traceback" not in result.stderr
