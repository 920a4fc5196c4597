"""The server for agents: its tools through the SDK's own client, in memory, over standard input and over HTTP."""

import asyncio
import random
import socket
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from cli.command import environment
from groundwire.memory import MemoryStore
from groundwire.review import ReviewQueue
from http_server.serving import is_listening
from libraries import library
from waits import PATIENCE_S, eventually

mcp = library("mcp", lane="doors")
create_server = library("groundwire.mcp", lane="doors").create_server

TRANSCRIPT = "Anna: I can’t  sleep at night.\nBen: Take 15 mg of it. If needed.\n"
BREAD = "# Bread\n\nThe mill stands by the river. It sold forty loaves on Friday.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with two sources, beside a secret that links lead to."""
    (tmp_path / "secret.txt").write_text("A secret.")
    root = tmp_path / "sources"
    (root / "notes").mkdir(parents=True)
    (root / "interview.txt").write_text(TRANSCRIPT, encoding="utf-8")
    (root / "notes" / "bread.md").write_text(BREAD, encoding="utf-8")
    return root


def ask(server: object, use: Callable[[object], Awaitable[object]]) -> object:
    """Return what *use* returns for a client of *server*."""

    async def run() -> object:
        async with mcp.Client(server) as client:
            return await use(client)

    return asyncio.run(run())


def call(server: object, tool: str, **arguments: object) -> dict:
    """Return the structured result of a tool."""
    result = ask(server, lambda client: client.call_tool(tool, arguments))
    assert not result.is_error, result.content
    return result.structured_content


def refusal(server: object, tool: str, **arguments: object) -> str:
    """Return the message of a tool that fails."""
    result = ask(server, lambda client: client.call_tool(tool, arguments))
    assert result.is_error
    return result.content[0].text


def test_tools_have_schemas_and_say_whether_they_write(folder):
    """Without a memory there is no tool that writes."""
    tools = ask(create_server([folder]), lambda client: client.list_tools()).tools
    assert [tool.name for tool in tools] == ["list_sources", "check_quotes", "find_passage", "check_answer"]
    assert all(tool.output_schema and tool.description for tool in tools)
    assert all(tool.annotations.read_only_hint for tool in tools)


def test_sources_are_listed(folder):
    """Paths are relative to the folder, and each file that is left out has a reason."""
    assert call(create_server([folder]), "list_sources") == {
        "paths": ["interview.txt", "notes/bread.md"],
        "left_out": [],
    }
    (folder / "link.txt").symlink_to(folder.parent / "secret.txt")
    assert call(create_server([folder]), "list_sources")["left_out"] == ["link.txt: a link out of the folder"]


def test_a_list_that_is_cut_says_so(folder):
    """An agent must not take a source for missing."""
    for number in range(1_001):
        (folder / f"{number:04}.txt").touch()
    found = call(create_server([folder]), "list_sources")
    assert (len(found["paths"]), found["left_out"]) == (1_000, [".: more than 1,000 entries"])


def test_quotes_are_checked_in_all_sources(folder):
    """Each verdict says what the source has, so that the agent can correct its quote."""
    quotes = [{"text": "I can't sleep"}, {"text": "Take 50 mg of it"}, {"text": "Take 15 mg of it", "speaker": "Anna"}]
    found = call(create_server([folder]), "check_quotes", quotes=quotes)
    assert (found["accepted"], found["rejected"]) == (1, 2)
    said, altered, other = found["quotes"]
    place = said["passage"]
    assert (said["status"], place["source"], place["speaker"]) == ("normalized", "interview.txt", "Anna")
    assert TRANSCRIPT[place["start"] : place["end"]] == place["text"]
    assert altered["reasons"] == ["The passage says 15 mg; the quote says 50 mg."]
    assert other["status"] == "wrong_speaker"


def test_a_report_is_a_resource(folder):
    """Its URI comes with the verdicts; a report that is not there is an error."""
    server = create_server([folder])

    async def check_and_read(client):
        result = await client.call_tool("check_quotes", {"quotes": [{"text": "at night"}]})
        return await client.read_resource(result.structured_content["report"])

    [page] = ask(server, check_and_read).contents
    assert page.mime_type == "text/html"
    assert page.text.startswith("<!DOCTYPE html>")

    async def read_missing(client):
        with pytest.raises(mcp.MCPError, match="there is no report 9"):
            await client.read_resource("groundwire://reports/9")

    ask(server, read_missing)


def test_reports_of_calls_at_once_have_different_addresses(folder, monkeypatch):
    """An agent may call a tool again before the first call ends."""
    both, render = threading.Barrier(2), library("groundwire.mcp.server", lane="doors").render_html

    def render_together(*args):
        both.wait(30)
        return render(*args)

    monkeypatch.setattr("groundwire.mcp.server.render_html", render_together)

    async def check_twice(client):
        calls = (client.call_tool("check_quotes", {"quotes": [{"text": text}]}) for text in ("at night", "15 mg"))
        return [result.structured_content["report"] for result in await asyncio.gather(*calls)]

    assert sorted(ask(create_server([folder]), check_twice)) == ["groundwire://reports/1", "groundwire://reports/2"]


def test_the_nearest_passage_has_its_page(folder):
    """Like the passage of a quote that was found."""
    library("pypdfium2", lane="doors")
    from documents.pdfs import make_pdf, text_at

    pages = ["The mill stands by the river.", "It sold forty loaves on Friday."]
    (folder / "bread.pdf").write_bytes(make_pdf(*(text_at(72, 700, page) for page in pages)))
    quotes = [{"text": "It sold forty buns last Monday."}]
    [found] = call(create_server([folder]), "check_quotes", quotes=quotes, sources=["bread.pdf"])["quotes"]
    assert (found["status"], found["passage"], found["nearest"]["page"]) == ("absent", None, 2)


def test_a_file_that_is_no_text_is_refused(folder):
    """Its markup would be taken for words."""
    (folder / "letter.rtf").write_text(r"{\rtf1\ansi I can't {\b sleep}.}")
    message = refusal(create_server([folder]), "find_passage", statement="sleep", sources=["letter.rtf"])
    assert "`letter.rtf` looks like an RTF document; convert it to text first" in message


def test_passages_are_found_by_words_and_by_meaning(folder):
    """The words themselves come first; otherwise whole sentences that support the statement."""
    server = create_server([folder])
    [said] = call(server, "find_passage", statement="can't sleep")["passages"]
    assert (said["source"], said["text"], said["score"]) == ("interview.txt", "can’t  sleep", 1.0)
    [meant] = call(server, "find_passage", statement="The mill sold 40 loaves.")["passages"]
    assert meant["source"] == "notes/bread.md"
    assert meant["text"].endswith("It sold forty loaves on Friday.")
    assert call(server, "find_passage", statement="Whales sing in the Pacific.")["passages"] == []


def test_an_answer_is_checked_against_results_or_sources(folder):
    """Citations are ids of results, or paths of sources."""
    server = create_server([folder])
    cited = call(server, "check_answer", answer="The mill sold fifty loaves on Friday [notes/bread.md].")
    assert (cited["accepted"], cited["claims"][0]["status"]) == (False, "contradicted")
    assert cited["claims"][0]["reasons"] == ["The passage says “forty”; the claim says “fifty”."]
    results = [{"id": "1", "text": "The mill sold forty loaves on Friday."}]
    assert call(server, "check_answer", answer="The mill sold 40 loaves on Friday [1].", results=results)["accepted"]


def test_a_fact_is_queued_for_a_person(folder, tmp_path):
    """An agent cannot pass for a person: its facts are never trusted by their origin."""
    with MemoryStore(str(tmp_path / "memory.db")) as store, ReviewQueue(store=store) as queue:
        server = create_server([folder], store=store, queue=queue)
        quote = {"quote": "I can't sleep at night", "source": "interview.txt"}
        offered = call(server, "remember", claim="Anna cannot sleep at night.", **quote)
        assert offered["outcome"] == "queued"
        assert offered["memory_id"] is None
        assert refusal(server, "remember", claim="So.", quote="so").endswith("quote and source belong together")


@pytest.mark.parametrize(
    "path",
    ["../secret.txt", "/etc/passwd", "link.txt", "links/secret.txt", "notes/../../secret.txt", "no.txt", "", "."],
)
@pytest.mark.parametrize("tool", ["check_quotes", "find_passage", "check_answer"])
def test_nothing_outside_of_the_folders_is_read(folder, tool, path):
    """Neither by a path nor by a link; the error has no content."""
    (folder / "link.txt").symlink_to(folder.parent / "secret.txt")
    (folder / "links").symlink_to(folder.parent)
    arguments = {"check_quotes": {"quotes": [{"text": "A secret"}]}, "find_passage": {"statement": "A secret"}}
    message = refusal(create_server([folder]), tool, **arguments.get(tool, {"answer": "A secret [1]."}), sources=[path])
    assert "A secret." not in message


def test_a_file_beyond_the_limit_is_refused(folder):
    """The limit is that of the server."""
    server = create_server([folder], max_file_bytes=20)
    assert "cannot be read" in refusal(server, "find_passage", statement="so", sources=["interview.txt"])


def test_a_changed_file_is_read_again(folder):
    """A verdict is about the file as it is."""
    server = create_server([folder])
    quotes = [{"text": "Take 50 mg of it"}]
    assert call(server, "check_quotes", quotes=quotes)["accepted"] == 0
    (folder / "interview.txt").write_text(TRANSCRIPT.replace("15", "50"), encoding="utf-8")
    assert call(server, "check_quotes", quotes=quotes)["accepted"] == 1


def test_several_folders_have_their_names_in_paths(folder, tmp_path):
    """Two folders of one name would hide each other."""
    other = tmp_path / "more"
    other.mkdir()
    (other / "interview.txt").write_text("Cleo: So be it.\n")
    server = create_server([folder, other])
    assert "more/interview.txt" in call(server, "list_sources")["paths"]
    found = call(server, "check_quotes", quotes=[{"text": "So be it"}], sources=["more/interview.txt"])
    assert found["accepted"] == 1
    with pytest.raises(ValueError, match="different names"):
        create_server([folder, folder])


@pytest.mark.parametrize(
    "arguments",
    [
        {"quotes": []},
        {"quotes": ["text"]},
        {"quotes": [{"text": "a", "page": 0}]},
        {"quotes": [{"text": "a"}] * 1001},
        {"quotes": [{"text": "a"}], "sources": "interview.txt"},
        {"quotes": [{"text": "a" * 100_001}]},
    ],
    ids=["none", "text", "page", "many", "path", "long"],
)
def test_wrong_arguments_are_errors_that_an_agent_can_read(folder, arguments):
    """The schema refuses them before anything is read."""
    assert refusal(create_server([folder]), "check_quotes", **arguments)


def test_the_command_serves_over_standard_input(folder):
    """The client starts it as an agent would."""
    command = [sys.executable, "-m", "groundwire", "mcp", "--root", str(folder)]
    parameters = mcp.StdioServerParameters(command=command[0], args=command[1:], env=environment())
    assert call(mcp.stdio_client(parameters), "list_sources")["paths"] == ["interview.txt", "notes/bread.md"]


def free_port() -> int:
    """Return a port that is free. Systems give none of these to programs that ask for any port."""
    for port in random.sample(range(20_000, 30_000), 100):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    pytest.fail("a hundred ports are in use")


@contextmanager
def served(folder: Path):
    """Yield the address of a server over HTTP."""
    port = free_port()
    command = [sys.executable, "-m", "groundwire", "mcp", "--root", str(folder), "--http", str(port)]
    process = subprocess.Popen(command, env=environment(), stderr=subprocess.DEVNULL)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


def test_the_command_serves_over_http(folder):
    """On this machine only, unless a host is given."""
    with served(folder) as address:
        eventually(lambda: is_listening(address), True)
        assert call(f"{address}/mcp", "list_sources")["paths"] == ["interview.txt", "notes/bread.md"]


def test_a_port_in_use_is_an_error(folder):
    """The exit code is that of a wrong option, not one of the server's own."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        command = [sys.executable, "-m", "groundwire", "mcp", "--root", str(folder), "--http", port]
        done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr.endswith(f"error: cannot listen on 127.0.0.1 port {port}\nhint: use another port\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--root", "no-such-folder"], "no-such-folder` is not a folder"),
        (["--root", ".", "--http", "localhost"], "--http must be a port"),
        ([], "--root"),
    ],
)
def test_wrong_options_are_one_line(arguments, message):
    """Exit code 2, and no traceback."""
    command = [sys.executable, "-m", "groundwire", "mcp", *arguments]
    run = subprocess.run(command, capture_output=True, text=True, env=environment(), check=False)
    assert run.returncode == 2
    assert message in run.stderr
    assert "Traceback" not in run.stderr
