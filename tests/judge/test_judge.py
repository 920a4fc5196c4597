"""The requests of a judge and their results, in one step and in two."""

import asyncio
import json

import pytest

from groundwire.judge import Judge, JudgeDecision, LLMJudge, TokenPrice, TokenUsage, aevaluate_results, evaluate_results
from judge.cases import ANSWER, FIELDS, QUESTION, RESULTS, written
from judge.scripted_server import fails, writes


def run_sync(judge, *case):
    """Return the result of the blocking method."""
    return judge.judge(*case)


def run_async(judge, *case):
    """Return the result of the asynchronous method."""
    return asyncio.run(judge.ajudge(*case))


@pytest.fixture(params=[run_sync, run_async], ids=["sync", "async"])
def run(request):
    """Run both ways to call a judge."""
    return request.param


def test_a_judgement_has_what_the_model_wrote(serve, judge_of, run):
    """It has the specified fields, the models and the version of the prompts."""
    judge = judge_of(serve(writes(written())))
    judgement = run(judge, QUESTION, ANSWER, RESULTS)
    assert {name: getattr(judgement, name) for name in FIELDS} == FIELDS | {"issues": ()}
    assert (judgement.status, judgement.error, judgement.decision) == ("ok", None, JudgeDecision.REFINE_SEARCH)
    assert (judgement.model, judgement.prompt_version) == ("strong", judge.prompt_version)
    assert judgement.usage == TokenUsage(calls=1, prompt_tokens=100, completion_tokens=20)


def test_one_step_is_one_structured_request(serve, judge_of, run):
    """Instructions as system, data as user, a strict schema, and the default parameters."""
    server = serve(writes(written()))
    run(judge_of(server), QUESTION, ANSWER, RESULTS)
    (request,) = server.requests
    assert [message["role"] for message in request["messages"]] == ["system", "user"]
    assert request["response_format"]["type"] == "json_schema"
    assert request["response_format"]["json_schema"]["strict"] is True
    assert (request["model"], request["temperature"], request["max_tokens"]) == ("strong", 0, 4000)
    assert server.paths == ["/v1/chat/completions"]


def test_two_steps_are_a_free_critique_by_the_model_and_a_form_by_the_smaller_one(serve, judge_of, run):
    """The formatter sees the notes, but neither sources nor answer; only the formatter is held to the schema."""
    server = serve(writes("The year is 1931, not 1932."), writes(written()))
    judgement = run(judge_of(server, two_step=True, formatter_model="small"), QUESTION, ANSWER, RESULTS)
    assert judgement.status == "ok"
    assert [request["model"] for request in server.requests] == ["strong", "small"]
    assert ["response_format" in request for request in server.requests] == [False, True]
    assert "The year is 1931, not 1932." in server.contents(1)["user"]
    assert "grey" not in json.dumps(server.requests[1])
    assert judgement.usage == TokenUsage(calls=2, prompt_tokens=200, completion_tokens=40)


def test_without_a_formatter_model_both_steps_are_the_model_s(serve, judge_of):
    """One model can do both."""
    server = serve(writes("Notes."), writes(written()))
    judge_of(server, two_step=True).judge(QUESTION, ANSWER, RESULTS)
    assert [request["model"] for request in server.requests] == ["strong", "strong"]


@pytest.mark.parametrize("two_step", [False, True])
def test_sources_are_expert_advice_and_the_answer_a_candidate(serve, judge_of, two_step):
    """The names show which of them is the authority; all five dimensions and types are requested."""
    server = serve(writes("Notes."), writes(written())) if two_step else serve(writes(written()))
    judge_of(server, two_step=two_step).judge(QUESTION, ANSWER, RESULTS)
    asked = server.contents(0)
    assert "<expert-advice-" in asked["user"]
    assert "<candidate-answer-" in asked["user"]
    for words in ("Completeness", "Relevance", "Quality", "Citations", "Hallucinations"):
        assert f" {words}" in asked["system"]
    for kind in ("unsupported_claim", "contradiction", "over_extrapolation", "invalid_citation", "uncited_claim"):
        assert kind in asked["system"]


def test_only_ids_titles_and_passages_of_results_are_sent(serve, judge_of):
    """Other fields are not sent; of several texts the first by name is the passage."""
    server = serve(writes(written()))
    results = [
        {"id": 7, "content": "one", "text": "two", "secret": "zyxwhale", "score": 0.5},
        {"matches": ["three", "four"], "snippet": None},
        {"id": ["list"], "title": None, "content": 3, "text": "five"},
        {"id": 10**5000, "parent_id": True, "text": ["six", 6]},
    ]
    judge_of(server).judge(QUESTION, ANSWER, results)
    sent = json.loads(server.contents(0)["user"].split("\n")[5])
    assert sent == [{"id": "7", "text": "one"}, {"text": "three\nfour"}, {"text": "five"}, {}]
    assert "zyxwhale" not in json.dumps(server.requests)


def test_the_cost_is_that_of_every_model_that_wrote(serve, judge_of):
    """The server's token counts are multiplied with the prices per million."""
    server = serve(writes("Notes."), writes(written(), usage=(1000, 0)))
    prices = {
        "strong": TokenPrice(prompt_per_million=2.5, completion_per_million=10),
        "small": TokenPrice(prompt_per_million=0.1, completion_per_million=1),
    }
    judge = judge_of(server, two_step=True, formatter_model="small", prices=prices)
    usage = judge.judge(QUESTION, ANSWER, RESULTS).usage
    assert usage.cost == pytest.approx((100 * 2.5 + 20 * 10 + 1000 * 0.1) / 1e6)


@pytest.mark.parametrize(
    ("prices", "usage"),
    [
        pytest.param({}, (1, 1), id="no-prices"),
        pytest.param(
            {"other": TokenPrice(prompt_per_million=1, completion_per_million=1)}, (1, 1), id="no-price-of-it"
        ),
        pytest.param({"strong": TokenPrice(prompt_per_million=1, completion_per_million=1)}, None, id="no-tokens-told"),
        pytest.param(
            {"strong": TokenPrice(prompt_per_million=1, completion_per_million=1)}, (-1, True), id="odd-tokens"
        ),
    ],
)
def test_a_cost_that_is_not_known_is_none(serve, judge_of, prices, usage):
    """A missing price or count does not make a judgement free."""
    judge = judge_of(serve(writes(written(), usage=usage)), prices=prices)
    assert judge.judge(QUESTION, ANSWER, RESULTS).usage.cost is None


def test_parameters_go_into_every_request(serve, judge_of):
    """Any parameter of a server or model can be set."""
    server = serve(writes("Notes."), writes(written()))
    judge_of(server, two_step=True, parameters={"max_completion_tokens": 9}).judge(QUESTION, ANSWER, RESULTS)
    for request in server.requests:
        assert request["max_completion_tokens"] == 9
        assert "temperature" not in request


@pytest.mark.parametrize(("given", "sent"), [("sk-1", "Bearer sk-1"), (None, None)])
def test_the_key_is_sent_if_there_is_one(serve, judge_of, given, sent):
    """A self-hosted server gets no authorization header."""
    server = serve(writes(written()))
    judge_of(server, api_key=given).judge(QUESTION, ANSWER, RESULTS)
    assert server.headers[0].get("authorization") == sent


def test_server_and_key_come_from_the_environment(serve, monkeypatch):
    """They are the variables of OpenAI's SDK."""
    server = serve(writes(written()))
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-2")
    with LLMJudge("strong", two_step=False) as judge:
        assert judge.judge(QUESTION, ANSWER, RESULTS).status == "ok"
    assert server.headers[0]["authorization"] == "Bearer sk-2"


def test_openai_without_a_key_is_refused_before_anything_is_sent(monkeypatch):
    """Texts are not sent to a server that will refuse them."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ValueError, match="no key for OpenAI"):
        LLMJudge("strong")


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1:1",
        "file:///etc/passwd",
        "http://",
        "ftp://user:zyxwhale@host",
        "http://user:zyxwhale/x@host/v1",
        "http://[zyxwhale/v1",
        "http://host:99999/v1",
        "http://host/\ud800zyxwhale",
        "http://host\n/zyxwhale",
    ],
    ids=ascii,
)
def test_an_invalid_address_is_refused_and_not_shown(address):
    """It may contain a password."""
    with pytest.raises(ValueError, match="must be an address") as caught:
        LLMJudge("strong", base_url=address)
    assert "zyxwhale" not in f"{caught.value!r}{caught.value.__cause__!r}{caught.value.__context__!r}"


@pytest.mark.parametrize("key", ["zyxwhale\n", "zyxwhäle", "zyxwhale\ud800"], ids=ascii)
def test_a_key_that_cannot_be_sent_is_refused_and_not_shown(key):
    """Without this, each judgement would fail as if the server were unreachable."""
    with pytest.raises(ValueError, match="api_key must consist of printable ASCII characters") as caught:
        LLMJudge("strong", base_url="http://127.0.0.1:1/v1", api_key=key)
    assert "zyxwh" not in f"{caught.value!r}{caught.value.__context__!r}"


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"model": ""}, ValueError, "model must not be empty"),
        ({"model": 3}, TypeError, "model must be a str, got int"),
        ({"timeout_s": 0}, ValueError, "timeout_s must be a finite number above 0, got 0"),
        ({"timeout_s": float("nan")}, ValueError, "timeout_s"),
        ({"timeout_s": float("inf")}, ValueError, "timeout_s"),
        ({"max_retries": -1}, ValueError, "max_retries must be at least 0, got -1"),
        ({"max_chars": 0}, ValueError, "max_chars must be at least 1, got 0"),
        ({"concurrency": 0}, ValueError, "concurrency must be at least 1, got 0"),
        ({"parameters": {"n": 2, "model": "x"}}, ValueError, "parameters must not contain model, n:"),
        ({"parameters": {"stream": True}}, ValueError, "parameters must not contain stream: the judge sets it"),
        ({"parameters": [("a", 1)]}, TypeError, "parameters must be a mapping, got list"),
        ({"parameters": {"stop": {1, 2}}}, TypeError, "set is not JSON serializable"),
        ({"parameters": {"temperature": float("nan")}}, ValueError, "not JSON compliant"),
        ({"prompts": "/nowhere/at/all"}, FileNotFoundError, "nowhere"),
    ],
)
def test_wrong_options_are_refused_at_once(options, error, message):
    """The constructor names the expected and the given value."""
    with pytest.raises(error, match=message):
        LLMJudge(**{"model": "strong", "base_url": "http://127.0.0.1:1/v1"} | options)


@pytest.mark.parametrize("price", [-1, float("nan"), float("inf")])
def test_a_price_is_a_finite_number(price):
    """Otherwise the cost would not be finite either."""
    with pytest.raises(ValueError, match="prompt_per_million"):
        TokenPrice(prompt_per_million=price, completion_per_million=1)


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ((None, ANSWER, RESULTS), "question must be a str, got NoneType"),
        ((QUESTION, b"", RESULTS), "answer must be a str, got bytes"),
        ((QUESTION, ANSWER, "results"), "results must be a sequence of mappings, got str"),
        ((QUESTION, ANSWER, {"id": "1"}), "results must be a sequence of mappings, got dict"),
        ((QUESTION, ANSWER, [RESULTS[0], "x"]), r"results\[1\] must be a mapping, got str"),
    ],
)
def test_wrong_arguments_are_errors_of_the_caller(serve, judge_of, run, case, message):
    """Nothing is sent."""
    server = serve(fails(500))
    judge = judge_of(server)
    with pytest.raises(TypeError, match=message):
        run(judge, *case)
    with pytest.raises(TypeError, match=message):
        evaluate_results(*case, judge=judge)
    with pytest.raises(TypeError, match=message):
        asyncio.run(aevaluate_results(*case, judge=judge))
    assert server.requests == []


def test_texts_that_are_too_long_together_are_not_sent(serve, judge_of, run):
    """One character more than allowed is refused."""
    server = serve(writes(written()))
    chars = len("q") + len("a") + len("1") + len("text")
    case = ("q", "a", [{"id": "1", "content": "text"}])
    assert run(judge_of(server, max_chars=chars - 1), *case).error == "too_long"
    assert server.requests == []
    assert run(judge_of(server, max_chars=chars), *case).status == "ok"


@pytest.mark.parametrize("results", [[], [{}], ({"id": "1"},)])
def test_an_answer_without_sources_is_judged(serve, judge_of, results):
    """The prompt says that there are no results, or none with a text."""
    assert judge_of(serve(writes(written()))).judge("", "", results).status == "ok"


def test_lone_surrogates_are_sent(serve, judge_of):
    """Any text that Python can hold can be sent."""
    server = serve(writes(written()))
    judge_of(server).judge("\ud800", "a\udfff", [{"id": "\ud800", "content": "\udc00\ud800"}])
    lines = server.contents(0)["user"].split("\n")
    assert [json.loads(lines[place]) for place in (1, 5, 9)] == [
        "\ud800",
        [{"id": "\ud800", "text": "\udc00\ud800"}],
        "a\udfff",
    ]


def test_it_is_a_judge_and_shows_neither_key_nor_address():
    """It follows the protocol of the rules; `repr` names model and prompts."""
    with LLMJudge("strong", base_url="http://user:zyxwhale@127.0.0.1:1/v1", api_key="sk-zyxwhale") as judge:
        assert isinstance(judge, Judge)
        assert repr(judge) == f"LLMJudge('strong', prompts='{judge.prompt_version}')"
