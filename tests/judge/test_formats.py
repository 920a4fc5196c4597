"""Response formats that hold a model to the schema, and servers without them."""

import pytest

from groundwire.judge.conversation import ResponseFormats
from judge.cases import ANSWER, QUESTION, RESULTS, written
from judge.scripted_server import fails, rejects_formats, writes


def kinds(server) -> list[str]:
    """Return the response formats of the requests: `limits` is the schema with lengths."""
    formats = [request.get("response_format") or {"type": "none"} for request in server.requests]
    return ["limits" if "maxLength" in str(each) else each["type"] for each in formats]


@pytest.mark.parametrize(
    ("rejected", "asked"),
    [
        ((), ["limits"]),
        (("limits",), ["limits", "json_schema"]),
        (("limits", "json_schema"), ["limits", "json_schema", "json_object"]),
        (("limits", "json_schema", "json_object"), ["limits", "json_schema", "json_object", "none"]),
    ],
)
def test_formats_get_looser_until_the_server_accepts_one(serve, judge_of, naps, rejected, asked):
    """It is found once, without waiting; the next judgement starts with it."""
    server = serve(rejects_formats(*rejected, then=writes(written())))
    judge = judge_of(server)
    assert judge.judge(QUESTION, ANSWER, RESULTS).status == "ok"
    assert judge.judge(QUESTION, ANSWER, RESULTS).status == "ok"
    assert (kinds(server), naps) == ([*asked, asked[-1]], [])


def test_each_model_has_formats_of_its_own():
    """The small model may lack a format that the other one has."""
    formats = ResponseFormats()
    formats.accept("strong", 1)
    assert (list(formats.of("strong")), list(formats.of("other"))) == ([1, 2, 3], [0, 1, 2, 3])


def test_a_request_that_is_rejected_for_another_reason_teaches_nothing(serve, judge_of):
    """Every format is refused; the next judgement tries all of them again."""
    server = serve(fails(400), fails(400), fails(400), fails(400), writes(written()))
    judge = judge_of(server)
    assert judge.judge(QUESTION, ANSWER, RESULTS).error == "rejected"
    assert judge.judge(QUESTION, ANSWER, RESULTS).status == "ok"
    assert kinds(server)[-1] == "limits"


def test_a_prompt_that_is_too_long_is_not_tried_in_other_formats(serve, judge_of):
    """Another format would not shorten it."""
    server = serve(fails(400, "This model's maximum context length is 10 tokens."))
    assert judge_of(server).judge(QUESTION, ANSWER, RESULTS).error == "too_long"
    assert kinds(server) == ["limits"]


def test_retries_and_formats_count_separately(serve, judge_of):
    """A busy server gets a retry in the same format."""
    server = serve(fails(429), fails(400), fails(500), fails(429), fails(503), writes(written()))
    assert judge_of(server).judge(QUESTION, ANSWER, RESULTS).status == "ok"
    assert kinds(server) == ["limits", "limits", *["json_schema"] * 4]


def test_a_response_is_read_even_without_schema_support(serve, judge_of):
    """Prose and a fence around the object are no problem."""
    server = serve(writes(f"Sure!\n```json\n{written()[:-1]},}}\n```"))
    assert judge_of(server).judge(QUESTION, ANSWER, RESULTS).status == "ok"
