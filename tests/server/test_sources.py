"""Sources kept by hash: put, show, drop, evict; a source that is not kept gives no verdict."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("starlette", reason="no starlette: pip install 'groundwire[review]'")

from groundwire.http_server.responses import HttpProblem
from groundwire.server.source_store import KeptSource, SourceStore, decode_source
from server.service import DIGEST, INTERVIEW, UNKNOWN, client, keep, quotes_of


def test_a_source_is_kept_by_the_hash_of_its_bytes():
    """The first request creates it, the second finds it; it has an address, and can be dropped."""
    service = client()
    made = service.put("/v1/sources", content=INTERVIEW.encode())
    assert (made.status_code, made.json()) == (201, {"sha256": DIGEST, "chars": len(INTERVIEW)})
    assert service.put("/v1/sources", content=INTERVIEW.encode()).status_code == 200
    place = made.headers["location"]
    assert service.get(place).json() == made.json()
    assert service.delete(place).status_code == 204
    assert service.get(place).status_code == service.delete(place).status_code == 404


@pytest.mark.parametrize(
    ("path", "body"),
    [
        pytest.param("check", quotes_of(UNKNOWN), id="check"),
        pytest.param("cite", {"answer": "It is so [1].", "sources": [{"id": "1", "sha256": UNKNOWN}]}, id="cite"),
        pytest.param("validate", {"personas": [{"name": "Ann"}], "sources": [{"sha256": UNKNOWN}]}, id="validate"),
    ],
)
def test_an_unknown_source_gets_no_verdict(path, body):
    """The problem lists the hashes to send again."""
    answer = client().post(f"/v1/{path}", json=body)
    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["sha256"]) == (404, "unknown_source", [UNKNOWN])
    assert answer.headers["content-type"] == "application/problem+json"


def test_one_unknown_source_among_others_gets_no_verdict():
    """A verdict about some of the sources would be wrong."""
    service = client()
    body = quotes_of(keep(service))
    body["sources"] = [*body["sources"], {"sha256": UNKNOWN}]
    assert service.post("/v1/check", json=body).json()["sha256"] == [UNKNOWN]


def test_the_least_recently_used_source_is_evicted():
    """Its hash is unknown from then on, until it is sent again."""
    size = KeptSource.of_text("x" * 1000).memory_bytes
    service = client(limits={"sources_bytes": 2 * size})
    first, second = keep(service, "a" * 1000), keep(service, "b" * 1000)
    assert service.get(f"/v1/sources/{first}").status_code == 200
    third = keep(service, "c" * 1000)
    statuses = [service.get(f"/v1/sources/{each}").status_code for each in (first, second, third)]
    assert statuses == [200, 404, 200]
    assert service.post("/v1/check", json=quotes_of(second)).status_code == 404
    assert "groundwire_service_source_evictions_total 1\n" in service.get("/metrics").text
    assert keep(service, "b" * 1000) == second


def test_a_source_larger_than_all_memory_is_refused():
    """It evicts nothing."""
    service = client(limits={"sources_bytes": 100_000})
    first = keep(service, "a" * 1000)
    answer = service.put("/v1/sources", content=b"b" * 10_000)
    assert (answer.status_code, answer.json()["code"]) == (413, "source_too_large")
    assert service.get(f"/v1/sources/{first}").status_code == 200


@given(st.lists(st.tuples(st.sampled_from("pgd"), st.integers(0, 9)), max_size=60))
def test_the_memory_in_use_is_that_of_the_kept_sources(steps):
    """It never exceeds the limit, whatever is put, read and dropped."""
    texts = [KeptSource.of_text(chr(97 + number) * (100 * number + 1)) for number in range(10)]
    store = SourceStore(40_000)
    for step, number in steps:
        source = texts[number]
        if step == "p":
            store.put(source)
            assert store.get(source.sha256) is not None
        elif step == "g":
            store.get(source.sha256)
        else:
            store.drop(source.sha256)
            assert store.get(source.sha256) is None
        kept = [each for each in texts if store.get(each.sha256) is not None]
        assert store.used_bytes == sum(each.memory_bytes for each in kept) <= 40_000
        assert len(store) == len(kept)


@pytest.mark.parametrize(
    ("content", "status", "code"),
    [
        pytest.param(b"%PDF-1.7\n1 0 obj", 415, "not_text", id="pdf"),
        pytest.param(b"PK\x03\x04" + bytes(40), 415, "not_text", id="zip"),
        pytest.param("a text".encode("utf-16"), 422, "not_utf8", id="utf-16"),
        pytest.param(b"secret \xff text", 422, "not_utf8", id="not-utf-8"),
        pytest.param(b"", 422, "empty_source", id="nothing"),
        pytest.param(b" \r\n\t", 422, "empty_source", id="blank"),
        pytest.param(b"\xef\xbb\xbf", 422, "empty_source", id="only-a-byte-order-mark"),
    ],
)
def test_other_data_than_text_is_not_kept(content, status, code):
    """The problem says why, without the content; an exception carries none of it either."""
    answer = client().put("/v1/sources", content=content)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert "secret" not in answer.text
    with pytest.raises(HttpProblem) as raised:
        decode_source(content)
    assert raised.value.__context__ is None


def test_a_source_that_is_invalid_in_its_format_gets_no_verdict():
    """The problem names the line, and the source by its place."""
    service = client()
    digest = keep(service, "WEBVTT\n\n00:00:01.000 --> secret\nHello\n")
    answer = service.post("/v1/check", json=quotes_of(digest, "Hello"))
    assert (answer.status_code, answer.json()["code"]) == (422, "unreadable_source")
    assert answer.json()["detail"].startswith("sources[0], line 3: expected ")
    assert "secret" not in answer.text
