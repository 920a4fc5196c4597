"""Middleware for LangChain: an answer goes back with the reasons, or is withheld, and the state says so."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from pydantic import BaseModel, Field

from libraries import library

langchain = library("langchain.agents", lane="doors")
fake = library("langchain_core.language_models.fake_chat_models", lane="doors")
messages = library("langchain_core.messages", lane="doors")
tools = library("langchain_core.tools", lane="doors")
memory = library("langgraph.checkpoint.memory", lane="doors")
middleware = library("groundwire.langchain", lane="doors")

TEXT = "Ben: Take 15 mg of it. If needed."
CALL = {"name": "read_notes", "args": {}, "id": "call_1"}
RIGHT, WRONG = "Ben says “Take 15 mg of it”.", "Ben says “Take 50 mg of it”."


class ScriptedModel(fake.GenericFakeChatModel):
    """Gives the answers of a script, and keeps what it was asked."""

    asked: list = Field(default_factory=list)

    def bind_tools(self, tools: Sequence[Any], **options: object) -> "ScriptedModel":
        return self

    def _generate(self, sent: list, *args: object, **options: object) -> object:
        self.asked.append(sent)
        return super()._generate(sent, *args, **options)


@tools.tool
def read_notes() -> str:
    """Return the notes."""
    return TEXT


@tools.tool
def fail() -> str:
    """Repeat what the model wrote, in an error."""
    raise tools.ToolException(f"bad argument: {WRONG}")


fail.handle_tool_error = True


@tools.tool
def look() -> list:
    """Return an image."""
    return [{"type": "image", "base64": "AAAA", "mime_type": "image/png"}, {"type": "text", "text": TEXT}]


def answer(text: str, *calls: dict) -> object:
    """Return a message of the model."""
    return messages.AIMessage(text, tool_calls=list(calls))


def model_of(*script: object) -> ScriptedModel:
    """Return a model that gives these answers in turn."""
    return ScriptedModel(messages=iter([answer(each) if isinstance(each, str) else each for each in script]))


def agent_of(model: ScriptedModel, **options: object) -> object:
    """Return an agent with the middleware."""
    checks = [middleware.QuotationMiddleware(**options)]
    return langchain.create_agent(model, [read_notes, fail, look], middleware=checks)


def ask(agent: object, text: str = "What did Ben say?", **config: object) -> dict:
    """Return the state after a turn."""
    return agent.invoke({"messages": [{"role": "user", "content": text}]}, **config)


def test_an_answer_that_quotes_a_result_passes():
    """The record is plain data."""
    state = ask(agent_of(model_of(answer("", CALL), RIGHT)))
    assert state["messages"][-1].text == RIGHT
    assert state["quotations"] == {
        "accepted": True,
        "retries": 0,
        "withheld": None,
        "quotations": [{"text": "Take 15 mg of it", "status": "exact", "accepted": True, "reasons": ""}],
        "unread": [],
    }


def test_a_retry_mends_an_answer():
    """The model reads what the result has, and tools that it called before still count."""
    model = model_of(answer("", CALL), WRONG, RIGHT)
    state = ask(agent_of(model))
    assert state["messages"][-1].text == RIGHT
    assert (state["quotations"]["accepted"], state["quotations"]["retries"]) == (True, 1)
    feedback = model.asked[-1][-1]
    assert isinstance(feedback, messages.HumanMessage)
    assert "The passage says 15 mg; the quote says 50 mg." in feedback.text


def test_an_answer_is_withheld_when_the_retries_are_used_up():
    """Its words are in the record, and nowhere in the last message."""
    model = model_of(answer("", CALL), WRONG, WRONG, WRONG)
    state = ask(agent_of(model, max_retries=2))
    last, record = state["messages"][-1], state["quotations"]
    assert last.text == "This answer was withheld: 1 quotation is not in the results of the tools, after 2 retries."
    assert "50 mg" not in repr(last)
    assert (record["accepted"], record["retries"], record["withheld"]) == (False, 2, WRONG)
    assert [each["status"] for each in record["quotations"]] == ["altered"]
    assert len(model.asked) == 4


def test_an_answer_can_be_kept():
    """The record still says that it is not accepted."""
    state = ask(agent_of(model_of(answer("", CALL), WRONG), max_retries=0, on_failure="keep"))
    assert state["messages"][-1].text == WRONG
    assert (state["quotations"]["accepted"], state["quotations"]["withheld"]) == (False, None)


def test_without_a_tool_result_no_quotation_is_accepted():
    """What the user wrote is no source either."""
    state = ask(agent_of(model_of(RIGHT), max_retries=0), f"Ben says: {TEXT}")
    assert state["quotations"]["accepted"] is False


def test_a_failed_tool_supports_nothing():
    """Its error may repeat what the model wrote."""
    call = {"name": "fail", "args": {}, "id": "call_1"}
    state = ask(agent_of(model_of(answer("", call), WRONG), max_retries=0))
    assert state["quotations"]["accepted"] is False
    assert state["quotations"]["unread"] == [{"name": "fail call_1", "reason": "the tool failed"}]


def test_a_part_that_cannot_be_read_is_named():
    """The text beside an image still counts."""
    call = {"name": "look", "args": {}, "id": "call_7"}
    state = ask(agent_of(model_of(answer("", call), RIGHT)))
    assert state["quotations"]["accepted"] is True
    assert state["quotations"]["unread"] == [{"name": "look call_7", "reason": "image"}]


def test_results_of_the_providers_own_tools_are_named():
    """They are blocks of the answer, in a format of its own."""
    blocks = [{"type": "web_search_tool_result", "content": [{"text": TEXT}]}, {"type": "text", "text": RIGHT}]
    state = ask(agent_of(model_of(messages.AIMessage(blocks)), max_retries=0))
    assert state["quotations"]["accepted"] is False
    assert [each["name"] for each in state["quotations"]["unread"]] == ["web_search_tool_result"]


def test_a_checkpointer_keeps_the_record():
    """It is plain data, so any store can hold it."""
    model = model_of(answer("", CALL), WRONG)
    checks = [middleware.QuotationMiddleware(max_retries=0)]
    agent = langchain.create_agent(model, [read_notes], middleware=checks, checkpointer=memory.InMemorySaver())
    config = {"configurable": {"thread_id": "1"}}
    state = ask(agent, config=config)
    stored = agent.get_state(config).values["quotations"]
    assert json.loads(json.dumps(stored)) == stored == state["quotations"]
    assert type(stored["withheld"]) is str


def test_only_results_of_this_turn_count():
    """A new message of the user begins a turn, with retries of its own."""
    model = model_of(answer("", CALL), WRONG, RIGHT, RIGHT, answer("", {**CALL, "id": "call_2"}), RIGHT)
    checks = [middleware.QuotationMiddleware(max_retries=1)]
    agent = langchain.create_agent(model, [read_notes], middleware=checks, checkpointer=memory.InMemorySaver())
    config = {"configurable": {"thread_id": "1"}}
    assert ask(agent, config=config)["quotations"]["retries"] == 1
    state = ask(agent, "Again?", config=config)
    assert (state["quotations"]["accepted"], state["quotations"]["retries"]) == (True, 1)


def test_an_agent_in_an_event_loop_does_the_same():
    """The check runs in a thread."""
    model = model_of(answer("", CALL), WRONG, RIGHT)
    sent = {"messages": [{"role": "user", "content": "What did Ben say?"}]}
    state = asyncio.run(agent_of(model).ainvoke(sent))
    assert (state["quotations"]["accepted"], state["quotations"]["retries"]) == (True, 1)


class Dose(BaseModel):
    """Structured output."""

    words: str


def test_structured_output_is_not_accepted():
    """It has no quotation marks to look for, so the record says that it was not read."""
    call = {"name": "Dose", "args": {"words": "Take 50 mg of it"}, "id": "call_2"}
    model = model_of(answer("", CALL), answer("", call))
    checks = [middleware.QuotationMiddleware()]
    agent = langchain.create_agent(model, [read_notes], middleware=checks, response_format=Dose)
    state = ask(agent)
    assert state["structured_response"] == Dose(words="Take 50 mg of it")
    assert state["quotations"]["accepted"] is False
    assert state["quotations"]["unread"] == [{"name": "answer", "reason": "structured output"}]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_retries": -1}, "max_retries must be at least 0, got -1"),
        ({"max_retries": "2"}, "max_retries must be an int, got str"),
        ({"on_failure": "raise"}, 'on_failure must be one of "withhold", "keep", got "raise"'),
    ],
)
def test_wrong_options_are_errors(options, message):
    """They say what was expected."""
    with pytest.raises((TypeError, ValueError), match=message):
        middleware.QuotationMiddleware(**options)
