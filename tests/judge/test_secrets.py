"""Nothing that is kept of a server contains the key or the password of its address, whatever it sends."""

import base64
import json
import logging
import pickle
import traceback
from urllib.parse import quote

import pytest

from groundwire.embedding import EmbeddingError, ServerEmbedder
from groundwire.sanitize.redaction import REDACTED, Redactor, secrets_of
from judge.cases import ANSWER, QUESTION, RESULTS, written
from judge.scripted_server import completion, fails, sends, writes
from log_fields import fields_of

KEY = "sk-test-51ab/Zq+93kEyKEYkey"

SPELLINGS = {
    "plain": KEY,
    "in a header's form": f"Authorization: Bearer {KEY}",
    "percent-encoded": quote(KEY, safe=""),
    "base64": base64.b64encode(KEY.encode()).decode(),
    "base64 without padding": base64.b64encode(KEY.encode()).decode().rstrip("="),
    "base64 for URLs": base64.urlsafe_b64encode(KEY.encode()).decode(),
    "base64 with more behind": base64.b64encode(KEY.encode() + b":x").decode(),
    "hexadecimal": KEY.encode().hex(),
    "upper case": KEY.upper(),
    "full-width": "".join(chr(ord(each) + 0xFEE0) for each in KEY),
    "zero-width spaces inside": "\u200b".join(KEY),
}


def json_escaped(text: str) -> str:
    """Write every character as an escape of JSON."""
    return "".join(f"\\u{ord(each):04x}" for each in text)


def assert_free(shown: str) -> None:
    """Check that neither the key nor an encoding of it occurs."""
    for spelling, secret in SPELLINGS.items():
        assert secret not in shown, spelling
    assert KEY.casefold() not in shown.casefold()


@pytest.mark.parametrize("secret", SPELLINGS.values(), ids=SPELLINGS)
@pytest.mark.parametrize("two_step", [False, True])
def test_a_key_in_the_model_output_is_removed(serve, judge_of, caplog, tmp_path, secret, two_step):
    """This includes the judgement, the log, the cache and the second model."""
    caplog.set_level(logging.DEBUG)
    said = written(
        reasoning=f"It was {secret}.",
        hallucination_notes=secret,
        issues=[{"type": "contradiction", "claim": secret, "evidence": f"quote {secret}"}],
    )
    acts = [writes(f"The key is {secret}"), writes(said)] if two_step else [writes(said)]
    server = serve(*acts)
    judge = judge_of(server, api_key=KEY, two_step=two_step, cache=tmp_path)
    judgement = judge.judge(QUESTION, ANSWER, RESULTS)
    assert (judgement.status, REDACTED in judgement.reasoning) == ("ok", True)
    assert_free(f"{judgement!r} {judgement} {pickle.dumps(judgement)!r} {judge!r} {vars(judge)!r}")
    cached = judge.judge(QUESTION, ANSWER, RESULTS)
    assert cached.usage.cached
    assert_free(repr(cached))
    for file in tmp_path.rglob("*.json"):
        assert_free(file.read_text())
        assert_free(repr(json.loads(file.read_text())))
    assert_free(json.dumps(server.requests))
    assert_free("".join(f"{each.getMessage()} {each.args!r} {fields_of(each)!r}" for each in caplog.records))


def test_escapes_of_json_do_not_carry_it(serve, judge_of, tmp_path):
    """They are decoded before anything is kept."""
    said = written(reasoning="PLACE").replace("PLACE", json_escaped(KEY))
    judgement = judge_of(serve(writes(said)), api_key=KEY, cache=tmp_path).judge(QUESTION, ANSWER, RESULTS)
    assert judgement.reasoning == REDACTED
    (file,) = tmp_path.rglob("*.json")
    assert_free(repr(json.loads(file.read_text())))


ACTS = {
    "error body": fails(401, f"Incorrect API key provided: {KEY}"),
    "error header": lambda handler: handler.send(401, b"{}", X_Echo=KEY),
    "header of success": lambda handler: handler.send(200, completion(written()), X_Echo=KEY, X_Request_Id=KEY),
    "server error": fails(500, KEY),
    "no completion": sends(KEY.encode()),
    "redirect": lambda handler: handler.send(302, b"", Location=f"http://127.0.0.1:1/{quote(KEY)}"),
    "finish reason": writes(written(), finish=KEY),
    "refusal": writes(None, refusal=KEY),
    "not JSON": writes(f"{{ {KEY}"),
    "another schema": writes(json.dumps({KEY: KEY})),
    "a second object": writes(f'{{"a": "{KEY}"}} {{"b": "{KEY}"}}'),
}


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_a_server_that_repeats_the_key_elsewhere(serve, judge_of, caplog, act):
    """A failure is a code, and the libraries log no header."""
    caplog.set_level(logging.DEBUG)
    judge = judge_of(serve(act), api_key=KEY, max_retries=0)
    assert_free(repr(judge.judge(QUESTION, ANSWER, RESULTS)))
    assert caplog.records
    for record in caplog.records:
        assert_free(f"{record.getMessage()} {record.args!r} {fields_of(record)!r} {record.exc_text}")


@pytest.mark.parametrize("act", [ACTS[name] for name in ("error body", "error header", "no completion", "redirect")])
def test_an_embedder_tells_no_key(serve, caplog, act):
    """Its exception and everything attached to it contain no key."""
    caplog.set_level(logging.DEBUG)
    with (
        ServerEmbedder("m", base_url=serve(act).url, api_key=KEY, max_retries=0) as embedder,
        pytest.raises(EmbeddingError) as caught,
    ):
        embedder.encode(["a text"])
    assert (caught.value.__cause__, caught.value.__context__) == (None, None)
    assert_free("".join(traceback.format_exception(caught.value)) + repr(vars(embedder)))
    assert_free("".join(f"{each.getMessage()} {each.args!r}" for each in caplog.records))


def test_a_password_in_the_address_is_not_logged(serve, caplog):
    """The libraries log the address of every request."""
    caplog.set_level(logging.DEBUG)
    server = serve(sends(b'{"data": [{"index": 0, "embedding": [1.0]}]}'))
    address = server.url.replace("://", "://somebody:pass%2Fword-51ab@")
    with ServerEmbedder("m", base_url=address) as embedder:
        embedder.encode(["a text"])
    assert server.headers[0]["authorization"].startswith("Basic ")
    assert "word-51ab" not in "".join(f"{each.getMessage()} {each.args!r}" for each in caplog.records)


def test_secrets_of_a_connection():
    """They are the key, and the password in its raw and decoded form."""
    assert secrets_of("http://u:pa%2Fss@host/v1", "key") == ["key", "pa%2Fss", "pa/ss"]
    assert secrets_of("http://host/v1", None) == []


def test_words_that_any_key_may_be_stay():
    """Local servers accept any key, so an answer may contain such words."""
    assert Redactor(["none", "ollama"]).value({"a": ["none", 1, None]}) == {"a": ["none", 1, None]}
    assert Redactor([KEY]).value({KEY: [f"a {KEY} b", 1.5, None]}) == {REDACTED: [f"a {REDACTED} b", 1.5, None]}
    assert "sk-" not in repr(Redactor([KEY]))
