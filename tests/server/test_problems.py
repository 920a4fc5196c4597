"""Problems (RFC 9457): wrong requests, hosts, tokens, limits, and failures, without any text of the caller."""

import logging
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("starlette", reason="no starlette: pip install 'groundwire[review]'")

from groundwire.server import ServiceLimits, app, create_app
from groundwire.server.openapi import TITLES
from server.service import TOKEN, client, keep, quotes_of

SERVICE = client()
GOOD = {"quotes": ["a"], "sources": [{"text": "a b"}]}


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        pytest.param("check", {**GOOD, "quotes": "secret"}, "quotes", id="wrong-type"),
        pytest.param("check", {**GOOD, "quotes": [7]}, "quotes[0]", id="wrong-type-inside"),
        pytest.param("check", {**GOOD, "quotes": []}, "quotes", id="no-quotes"),
        pytest.param("check", {**GOOD, "quotes": ["a"] * 1001}, "quotes", id="too-many-quotes"),
        pytest.param("check", {**GOOD, "quotes": ["secret" * 20_000]}, "quotes[0]", id="too-long-quote"),
        pytest.param("check", {**GOOD, "threshold": 1.5}, "threshold", id="out-of-range"),
        pytest.param("check", {**GOOD, "threshold": None}, "threshold", id="null"),
        pytest.param("check", {**GOOD, "surplus": 1}, "surplus", id="unknown-field"),
        pytest.param("check", {"quotes": ["a"]}, "sources", id="missing-field"),
        pytest.param("check", {**GOOD, "speakers": ["Ann"]}, "speakers", id="no-speakers-in-the-source"),
        pytest.param("check", {**GOOD, "sources": [{}]}, "sources[0]", id="neither-hash-nor-text"),
        pytest.param(
            "check",
            {**GOOD, "sources": [{"text": "secret", "sha256": "0" * 64}]},
            "sources[0]",
            id="both-hash-and-text",
        ),
        pytest.param("check", {**GOOD, "sources": [{"sha256": "secret"}]}, "sources[0].sha256", id="no-hash"),
        pytest.param(
            "check", {**GOOD, "sources": [{"text": "a", "name": "x"}] * 2}, "sources[1].name", id="two-of-one-name"
        ),
        pytest.param("cite", {"answer": "a", "results": ["secret"]}, "results[0]", id="result-is-no-object"),
        pytest.param("cite", {"answer": "a", "iteration": 2}, "iteration", id="iteration-without-a-last-one"),
        pytest.param("cite", {"answer": "a", "policy": "secret"}, "policy", id="unknown-choice"),
        pytest.param("validate", {"personas": ["secret"], "sources": [{"text": "a"}]}, "personas[0]", id="persona"),
        pytest.param(
            "validate",
            {"personas": [{"x": {"y": 1}}], "sources": [{"text": '{"secret": '}]},
            "sources",
            id="broken-research",
        ),
    ],
)
def test_an_invalid_field_is_named(path, body, field):
    """The problem has the standard members, names the field, and repeats no value."""
    answer = client().post(f"/v1/{path}", json=body)
    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["field"]) == (422, "invalid", field), problem
    assert answer.headers["content-type"] == "application/problem+json"
    assert (problem["type"], problem["status"]) == ("urn:groundwire:problem:invalid", 422)
    assert problem["title"] == TITLES["invalid"]
    assert "secret" not in problem["detail"]


@pytest.mark.parametrize(
    ("method", "path", "sent", "status", "code"),
    [
        pytest.param("POST", "/v1/check", {"content": b"{", "headers": {"content-type": "application/json"}}, 400,
                     "bad_json", id="broken-json"),
        pytest.param("POST", "/v1/check", {"content": b'{"quotes": ["\xff"]}',
                     "headers": {"content-type": "application/json"}}, 400, "bad_json", id="not-utf-8"),
        pytest.param("POST", "/v1/check", {"content": b'{"quotes": ["\\ud800"]}',
                     "headers": {"content-type": "application/json"}}, 400, "bad_json", id="lone-surrogate"),
        pytest.param("POST", "/v1/cite", {"content": b'{"answer": "a", "results": [{"a": ' + b"[" * 100_000,
                     "headers": {"content-type": "application/json"}}, 400, "bad_json", id="nested-deeply"),
        pytest.param("POST", "/v1/check", {"content": b"{}", "headers": {"content-type": "text/plain"}}, 415,
                     "not_json", id="json-as-text"),
        pytest.param("PUT", "/v1/sources", {"json": {}}, 415, "not_text", id="source-as-json"),
        pytest.param("PUT", "/v1/sources", {"content": b"a", "headers": {"content-type": "text/plain; charset=latin1"}},
                     415, "not_text", id="source-in-another-encoding"),
        pytest.param("PUT", "/v1/sources", {"content": b"a" * 2001}, 413, "too_large", id="large-source"),
        pytest.param("POST", "/v1/check", {"content": b"a" * 2001}, 413, "too_large", id="large-body"),
        pytest.param("GET", "/v1/sources/nope", {}, 422, "invalid", id="no-hash"),
        pytest.param("GET", "/v1/nope", {}, 404, "no_such_path", id="no-such-path"),
        pytest.param("GET", "/v1/check", {}, 405, "no_such_method", id="no-such-method"),
        pytest.param("GET", "/health?" + "a" * 5000, {}, 414, "too_long", id="long-query"),
        pytest.param("GET", "/health", {"headers": {"x": "a" * 20_000}}, 431, "head_too_large", id="large-head"),
        pytest.param("GET", "/health", {"headers": {"host": "evil.example"}}, 400, "other_host", id="other-host"),
        pytest.param("POST", "/v1/check", {"json": GOOD, "headers": {"origin": "https://evil.example"}}, 403,
                     "other_site", id="other-site"),
        pytest.param("POST", "/v1/check", {"json": GOOD, "headers": {"origin": "http://["}}, 403, "other_site",
                     id="malformed-origin"),
    ],
)  # fmt: skip
def test_a_wrong_request_gets_a_problem(method, path, sent, status, code):
    """Each has its status, and the title of its code."""
    answer = client(limits={"body_bytes": 2000} if code == "too_large" else None).request(method, path, **sent)
    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["title"]) == (status, code, TITLES[code])
    assert answer.headers["content-type"] == "application/problem+json"
    assert ("allow" in answer.headers) is (status == 405)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
_FIELDS = ("quotes", "sources", "answer", "results", "personas", "speakers", "threshold", "iteration", "text")


@pytest.mark.parametrize(
    ("path", "good"),
    [
        ("check", GOOD),
        ("cite", {"answer": "It is so [1].", "results": [{"id": "1", "text": "It is so."}]}),
        ("validate", {"personas": [{"name": "Ann"}], "sources": [{"text": "Ann: yes"}]}),
    ],
)
@given(st.dictionaries(st.sampled_from(_FIELDS) | st.text(max_size=8), _JSON, max_size=4))
def test_no_json_breaks_the_service(path, good, changes):
    """Good requests with fields of any type get a report or a problem, never an internal error."""
    answer = SERVICE.post(f"/v1/{path}", json={**good, **changes})
    assert answer.status_code in (200, 400, 404, 422)
    assert answer.status_code == 200 or answer.json()["code"] in TITLES


@given(st.binary(max_size=200))
def test_no_bytes_break_the_service(content):
    """The same holds for bodies that are no JSON, and for sources."""
    headers = {"content-type": "application/json"}
    assert SERVICE.post("/v1/check", content=content, headers=headers).status_code in (400, 422)
    assert SERVICE.put("/v1/sources", content=content).status_code in (200, 201, 415, 422)


def test_every_problem_has_a_title():
    """Each code that the service and the shared reading of requests may send is in the table."""
    package = Path(app.__file__).parents[1]
    files = [*(package / "server").glob("*.py"), package / "http_server" / "requests.py"]
    source = "".join(file.read_text(encoding="utf-8") for file in files)
    codes = {*re.findall(r'HttpProblem\(\s*\d+, "(\w+)"', source), *re.findall(r'else "(no_such_\w+)"', source)}
    assert {"busy", "too_large", "head_too_large", "no_such_path"} <= codes
    assert codes <= TITLES.keys()


PRIVATE = [("PUT", "/v1/sources"), ("GET", "/v1/sources/" + "0" * 64), ("POST", "/v1/check"), ("POST", "/v1/cite"),
           ("POST", "/v1/validate"), ("GET", "/metrics")]  # fmt: skip


@pytest.mark.parametrize(("method", "path"), PRIVATE)
@pytest.mark.parametrize(
    "sent", [None, "", "Bearer", f"Basic {TOKEN}", f"Bearer {TOKEN[:-1]}", f"Bearer {TOKEN} x", "Bearer \xe9"]
)
def test_a_service_with_a_token_refuses_everything_else(method, path, sent):
    """This comes before the body is read; health, readiness and the description are public."""
    headers = [] if sent is None else [("authorization", sent.encode("latin-1"))]
    service = client(token=TOKEN)
    answer = service.request(method, path, headers=headers)
    assert (answer.status_code, answer.json()["code"]) in [(401, "no_token"), (401, "bad_token")]
    assert answer.headers["www-authenticate"].startswith("Bearer ")
    assert TOKEN not in answer.text
    assert service.get("/health").status_code == service.get("/v1/openapi.json").status_code == 200


def test_the_token_lets_in():
    """The scheme may have any case; a repeated header counts as none."""
    service = client(token=TOKEN)
    assert service.get("/metrics", headers={"authorization": f"bearer {TOKEN}"}).status_code == 200
    twice = [("authorization", f"Bearer {TOKEN}")] * 2
    assert service.get("/metrics", headers=twice).status_code == 401


@pytest.mark.parametrize("token", ["", "short", "a" * 15, "with a line end\n in it", "größer als sechzehn", " " * 16])
def test_a_weak_token_is_refused(token):
    """The message does not repeat it."""
    with pytest.raises(ValueError, match=r"^a token has at least 16 visible characters of ASCII$"):
        create_app(token=token)


@pytest.mark.parametrize(
    "limit", ["body_bytes", "body_timeout_s", "deadline_s", "requests_at_once", "threads", "sources_bytes"]
)
def test_a_limit_is_positive(limit):
    """Zero would refuse everything."""
    with pytest.raises(ValueError, match=f"^{limit} must be positive$"):
        ServiceLimits(**{limit: 0})


@pytest.fixture
def broken(monkeypatch) -> None:
    """Let each check fail with a message that holds private text."""

    def fail(*_: object) -> None:
        raise LookupError("the secret text")

    monkeypatch.setattr(app, "decode_json", fail)


@pytest.mark.usefixtures("broken")
def test_a_failure_is_logged_without_its_message(caplog):
    """The log has the route and the class, the answer nothing but that nothing was decided."""
    answer = client().post("/v1/check", json=GOOD)
    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    [record] = [each for each in caplog.records if each.name == "groundwire.server"]
    assert (record.getMessage(), record.route, record.error_type) == ("service_request_failed", "check", "LookupError")
    assert "secret" not in answer.text + caplog.text


@pytest.mark.filterwarnings("default")
def test_no_text_is_logged_or_counted(caplog, capfd):
    """Sources, quotes, names, answers and personas with a marker leave no trace in logs, metrics and output."""
    caplog.set_level(logging.DEBUG)
    service = client()
    digest = keep(service, "Zanzibarquux: the secret interview.\nMore of the secret.")
    service.post("/v1/check", json=quotes_of(digest, "zanzibarquux", {"text": "secret", "source": "zanzibarquux"}))
    service.post("/v1/check", json={"quotes": ["secret"], "sources": [{"text": "WEBVTT\n\nzanzibarquux"}]})
    service.post("/v1/cite", json={"answer": "Zanzibarquux said so [1].", "results": [{"zanzibarquux": "secret"}]})
    persona = {"zanzibarquux": "secret"}
    blank = [{"name": "zanzibarquux", "text": "\n"}]
    assert service.post("/v1/validate", json={"personas": [persona], "sources": blank}).status_code == 200
    logged = "".join(str(vars(each)) for each in caplog.records if not each.name.startswith(("httpx", "asyncio")))
    told = logged.lower() + service.get("/metrics").text.lower() + "".join(capfd.readouterr()).lower()
    assert "zanzibarquux" not in told
    assert "secret" not in told
