"""instructor asks the model again with what the source has instead."""

import json

from groundwire.pydantic import GroundedQuote
from judge.scripted_server import Act, ScriptedServer, writes
from libraries import library

instructor = library("instructor", lane="doors")
openai = library("openai", lane="doors")

TEXT = "Ben: Take 15 mg of it. If needed."


def calls(arguments: dict[str, object]) -> Act:
    """The model calls the tool of its output type."""
    function = {"name": "GroundedQuote", "arguments": json.dumps(arguments)}
    return writes(None, finish="tool_calls", tool_calls=[{"id": "1", "type": "function", "function": function}])


def test_a_retry_mends_a_quote():
    """The second request says what the source has, and the second answer copies it."""
    server = ScriptedServer([calls({"text": "Take 50 mg of it"}), calls({"text": "Take 15 mg of it"})])
    try:
        client = instructor.from_openai(openai.OpenAI(base_url=server.url, api_key="none"))
        quote = client.chat.completions.create(
            model="served",
            response_model=GroundedQuote,
            context={"source": TEXT},
            messages=[{"role": "user", "content": "What did Ben say?"}],
        )
    finally:
        server.close()
    assert TEXT[slice(*quote.span)] == "Take 15 mg of it"
    assert len(server.requests) == 2
    assert "The passage says 15 mg; the quote says 50 mg." in server.requests[1]["messages"][-1]["content"]
