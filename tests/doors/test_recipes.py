"""The recipes of the documentation run with the real packages: fake models, a local server, exporters in memory."""

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sybil import Sybil
from sybil.evaluators.python import PythonEvaluator
from sybil.parsers.markdown import CodeBlockParser

from groundwire.agents import QuotationCheck, check_quotations
from judge.scripted_server import ScriptedServer, sends
from libraries import need

ROOT = Path(__file__).resolve().parents[2]
RECIPES = Sybil(parsers=[CodeBlockParser(language="py", evaluator=PythonEvaluator())], path=str(ROOT))

TEXT = "The mill sold forty loaves on Friday. Anna never sleeps before a storm."
RIGHT, WRONG = "It “sold forty loaves on Friday”.", "It “sold fifty loaves on Friday”."
HALF = f"{RIGHT} {WRONG}"

# Some of the packages warn when they are imported, of each other and of themselves.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def _isolated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Send no usage statistics, and write nothing outside of the test's folder."""
    for name, value in {
        "HAYSTACK_TELEMETRY_ENABLED": "False",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "LANGFUSE_PUBLIC_KEY": "pk",
        "LANGFUSE_SECRET_KEY": "sk",
        "INSPECT_DISPLAY": "none",
        "DSPY_CACHEDIR": str(tmp_path),
    }.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """Return a server that answers each request as Langfuse and Phoenix would."""
    scripted = ScriptedServer([sends(b'{"successes": [], "errors": [], "data": [{"id": "1"}]}')])
    yield scripted
    scripted.close()


def recipe(heading: str, package: str) -> dict[str, Any]:
    """Return the names that the recipe under *heading* defines; skip without its *package*."""
    need(package, lane="doors")
    name = "agent-frameworks" if heading == "LangChain" else "evaluation-frameworks"
    path = ROOT / "docs" / "how-to" / f"{name}.md"
    document = RECIPES.parse(path)
    document.namespace["check_quotations"] = check_quotations
    start = document.text.index(f"\n## {heading}\n")
    end = document.text.find("\n## ", start + 1)
    examples = [each for each in document.examples() if start < each.start < (len(document.text) if end < 0 else end)]
    assert len(examples) == 1
    examples[0].evaluate()
    return document.namespace


def checked(answer: str) -> QuotationCheck:
    """Return the check of an answer."""
    return check_quotations(answer, [TEXT])


def test_langchain(capsys):
    """The agent of the page asks again."""
    from doors.test_langchain import CALL, WRONG, answer, model_of, read_notes

    ask = recipe("LangChain", "langchain")["ask"]
    assert ask(model_of(answer("", CALL), WRONG, WRONG, WRONG), [read_notes], "What did Ben say?").endswith(
        "2 retries."
    )
    assert capsys.readouterr().out == "False 2\n"


@pytest.mark.parametrize(
    ("answer", "passing", "score"), [(RIGHT, True, 1.0), (HALF, False, 0.5), ("Some.", True, None)]
)
def test_llama_index(answer, passing, score):
    """The nodes of a response are its sources."""
    evaluate = recipe("LlamaIndex", "llama_index.core")["evaluate"]
    schema = importlib.import_module("llama_index.core.schema")
    response = importlib.import_module("llama_index.core.base.response.schema").Response
    nodes = [schema.NodeWithScore(node=schema.TextNode(text=TEXT), score=0.5)]
    result = evaluate(response(answer, source_nodes=nodes))
    assert (result.passing, result.score) == (passing, score)
    assert bool(result.feedback) is not passing


@pytest.mark.parametrize(("answer", "accepted"), [(RIGHT, True), (WRONG, False)])
def test_haystack(answer, accepted):
    """A pipeline passes the documents of its retriever to the component."""
    checker = recipe("Haystack", "haystack")["QuotationChecker"]
    haystack = importlib.import_module("haystack")
    stores = importlib.import_module("haystack.document_stores.in_memory")
    retrievers = importlib.import_module("haystack.components.retrievers.in_memory")
    store = stores.InMemoryDocumentStore()
    store.write_documents([haystack.Document(content=TEXT)])
    pipeline = haystack.Pipeline()
    pipeline.add_component("retriever", retrievers.InMemoryBM25Retriever(store))
    pipeline.add_component("checker", checker())
    pipeline.connect("retriever.documents", "checker.documents")
    reply = importlib.import_module("haystack.dataclasses").ChatMessage.from_assistant(answer)
    result = pipeline.run({"retriever": {"query": "loaves"}, "checker": {"replies": [reply]}})
    assert result["checker"]["accepted"] is accepted


@pytest.mark.parametrize(("answers", "used"), [([RIGHT], 1), ([WRONG, RIGHT], 2), (["Some.", HALF, RIGHT], 3)])
def test_dspy(answers, used):
    """The program tries again until all quotations are in the context."""
    names = recipe("DSPy", "dspy")
    dspy = names["dspy"]
    advice = {"discussion": "-", "advice": '{"self": "copy"}'}
    lines = [line for answer in answers for line in ({"answer": answer}, advice)]

    class Scripted(dspy.utils.DummyLM):
        """Continues its script in each attempt, which would start it again in a copy."""

        def copy(self, **options: object) -> "Scripted":
            return self

    model = Scripted(lines[:-1])
    with dspy.context(lm=model):
        result = names["program"](context=TEXT, question="What was sold?")
    assert result.answer == RIGHT
    assert len(model.history) == 2 * used - 1


@pytest.mark.parametrize(("answer", "expected"), [(RIGHT, 1.0), (WRONG, 0.0), ("It sold some.", 0.0)])
def test_inspect(answer, expected, tmp_path):
    """An evaluation of an agent that calls a tool has the accuracy."""
    scorer = recipe("Inspect", "inspect_ai")["quotations"]
    ai, models = importlib.import_module("inspect_ai"), importlib.import_module("inspect_ai.model")
    solvers, tools = importlib.import_module("inspect_ai.solver"), importlib.import_module("inspect_ai.tool")

    @tools.tool
    def read_notes() -> object:
        async def execute() -> str:
            """Return the notes."""
            return TEXT

        return execute

    script = [
        models.ModelOutput.for_tool_call("mockllm/model", "read_notes", {}),
        models.ModelOutput.from_content("mockllm/model", answer),
    ]
    for output in script:
        # Without it, the tokens are counted by a table that has to be downloaded.
        output.usage = models.ModelUsage()
    task = ai.Task(
        dataset=[importlib.import_module("inspect_ai.dataset").Sample(input="What was sold?")],
        solver=[solvers.use_tools(read_notes()), solvers.generate()],
        scorer=scorer(),
    )
    [log] = ai.eval(task, model=models.get_model("mockllm/model", custom_outputs=script), log_dir=str(tmp_path))
    assert log.status == "success", log.error
    assert log.results.scores[0].metrics["accuracy"].value == expected


@pytest.mark.parametrize(
    ("answer", "label", "score"), [(RIGHT, "pass", 1.0), (HALF, "fail", 0.5), ("Some.", "pass", None)]
)
def test_opentelemetry(answer, label, score, monkeypatch):
    """The event is in the current span, and has no text."""
    names = recipe("OpenTelemetry", "opentelemetry.sdk")
    logs = importlib.import_module("opentelemetry.sdk._logs")
    export = importlib.import_module("opentelemetry.sdk._logs.export")
    traces = importlib.import_module("opentelemetry.sdk.trace")
    exporter, provider = export.InMemoryLogRecordExporter(), logs.LoggerProvider()
    provider.add_log_record_processor(export.SimpleLogRecordProcessor(exporter))
    monkeypatch.setitem(names, "get_logger", provider.get_logger)
    with traces.TracerProvider().get_tracer("agent").start_as_current_span("chat") as span:
        names["emit"](checked(answer))
    [event] = [each.log_record for each in exporter.get_finished_logs()]
    assert event.event_name == "gen_ai.evaluation.result"
    assert event.span_id == span.get_span_context().span_id
    expected = {
        "gen_ai.evaluation.name": "quotations",
        "gen_ai.evaluation.score.label": label,
        "gen_ai.evaluation.explanation": checked(answer).summary,
    }
    assert dict(event.attributes) == expected | ({} if score is None else {"gen_ai.evaluation.score.value": score})
    assert "loaves" not in repr(event)


def test_langfuse(server, monkeypatch):
    """The client sends the score of the trace, and no text."""
    monkeypatch.setenv("LANGFUSE_BASE_URL", server.url.removesuffix("/v1"))
    names = recipe("Langfuse", "langfuse")
    names["score_trace"]("0" * 31 + "1", checked(HALF))
    names["get_client"]().flush()
    [[sent]] = server.requests
    assert (sent["name"], sent["value"], sent["dataType"]) == ("quotations", 0.0, "BOOLEAN")
    assert (sent["traceId"], sent["comment"]) == ("0" * 31 + "1", "1 of 2 quotations accepted")
    assert "loaves" not in repr(server.requests)


def test_phoenix(server, monkeypatch):
    """The client sends the annotation of the span, and no text."""
    monkeypatch.setenv("PHOENIX_COLLECTOR_ENDPOINT", server.url.removesuffix("/v1"))
    recipe("Phoenix", "phoenix.client")["annotate"]("0" * 15 + "1", checked(HALF))
    [[sent]] = [request["data"] for request in server.requests]
    assert server.paths[0].startswith("/v1/span_annotations")
    assert (sent["span_id"], sent["name"], sent["annotator_kind"]) == ("0" * 15 + "1", "quotations", "CODE")
    assert sent["result"] == {"label": "fail", "score": 0.5, "explanation": "1 of 2 quotations accepted"}
    assert "loaves" not in repr(server.requests)
