"""pydantic-ai asks the model again with what the source has instead."""

import asyncio

import pytest

from groundwire.pydantic import GroundedClaim, GroundedQuote
from libraries import library

pydantic_ai = library("pydantic_ai", lane="doors")
messages = library("pydantic_ai.messages", lane="doors")
function = library("pydantic_ai.models.function", lane="doors")

TEXT = "Ben: Take 15 mg of it. If needed."


def scripted(*answers: dict[str, object]) -> tuple[object, list[str]]:
    """Return a model that gives these answers in turn, and the list of what it was asked again."""
    asked: list[str] = []
    script = iter(answers)

    def answer(sent: list, info: object) -> object:
        asked.extend(str(part.content) for part in sent[-1].parts if isinstance(part, messages.ToolReturnPart))
        return messages.ModelResponse(parts=[messages.ToolCallPart(info.output_tools[0].name, next(script))])

    return function.FunctionModel(answer), asked


def test_a_retry_mends_a_quote():
    """The second answer has the value that the error named."""
    model, asked = scripted({"text": "Take 50 mg of it"}, {"text": "Take 15 mg of it"})
    agent = pydantic_ai.Agent(model, output_type=GroundedQuote, validation_context={"source": TEXT})
    result = asyncio.run(agent.run("What did Ben say?"))
    assert TEXT[slice(*result.output.span)] == "Take 15 mg of it"
    assert len(asked) == 1
    assert "The passage says 15 mg; the quote says 50 mg." in asked[0]


def test_a_retry_mends_a_claim():
    """The second answer cites the result that the error named."""
    results = [{"id": "a", "text": "Anna never sleeps."}, {"id": "b", "text": "The mill sold forty loaves on Friday."}]
    text = "The mill sold forty loaves on Friday."
    model, asked = scripted({"text": text, "citations": ["a"]}, {"text": text, "citations": ["b"]})
    agent = pydantic_ai.Agent(model, output_type=GroundedClaim, validation_context={"results": results})
    assert asyncio.run(agent.run("What was sold?")).output.record.valid == ("b",)
    assert "but “b” does" in asked[0]


def test_a_model_that_never_mends_it_ends_in_an_error():
    """An invented quote never comes through."""
    model, _ = scripted(*[{"text": "I feel hopeless"}] * 5)
    agent = pydantic_ai.Agent(model, output_type=GroundedQuote, validation_context={"source": TEXT}, retries=2)
    with pytest.raises(pydantic_ai.UnexpectedModelBehavior):
        asyncio.run(agent.run("What did Ben say?"))
