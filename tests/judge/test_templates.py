"""Prompts: versions, custom templates, and the sandbox."""

import re
from importlib.resources import files

import pytest

from groundwire.errors import LLMError, ModelOutputError
from groundwire.judge.delimiting import to_data
from groundwire.judge.prompts import PromptTemplates
from groundwire.judge.schemas import JUDGEMENT
from groundwire.model_output import extract_json_object
from judge.cases import ANSWER, QUESTION, RESULTS, written
from judge.scripted_server import writes

DATA = {"question": to_data("q"), "expert_advice": to_data([]), "candidate_answer": to_data("a")}
OWN = sorted(each.name for each in (files("groundwire.judge") / "prompts").iterdir() if each.name.endswith(".jinja"))


@pytest.fixture
def folder(tmp_path):
    """Return an empty folder for templates, with a name that may be shown."""
    path = tmp_path / "mine"
    path.mkdir()
    return path


def test_the_version_is_that_of_the_words(folder):
    """Equal templates have the same version; one character changes it; the folder names the set."""
    first = PromptTemplates().version
    assert re.fullmatch(r"builtin-[0-9a-f]{12}", first)
    assert PromptTemplates().version == first
    assert PromptTemplates(folder).version == first.replace("builtin", "mine")
    for name in OWN:
        text = (files("groundwire.judge") / "prompts" / name).read_text(encoding="utf-8")
        (folder / name).write_text(text + " ", encoding="utf-8")
        assert PromptTemplates(folder).version.removeprefix("mine") != first.removeprefix("builtin")
        (folder / name).unlink()


def test_a_folder_whose_name_is_no_label_is_custom(tmp_path):
    """Reports and logs show the version."""
    path = tmp_path / "the case of Mr Miller"
    path.mkdir()
    assert PromptTemplates(path).version.startswith("custom-")


def test_a_custom_template_replaces_the_built_in_one(serve, judge_of, folder):
    """The others stay; data are delimited for any template."""
    (folder / "one_step.user.jinja").write_text("{{ candidate_answer }} / {{ question | upper }}", encoding="utf-8")
    (folder / "notes.txt").write_text("not a template", encoding="utf-8")
    server = serve(writes(written()))
    judgement = judge_of(server, prompts=folder).judge(QUESTION, ANSWER, RESULTS)
    user = server.contents(0)["user"]
    assert re.fullmatch(
        r"<candidate-answer-.{32}>\n.+\n</candidate-answer-.{32}> / <QUESTION-.{32}>\n.+\n</QUES.+>", user
    )
    assert "five types" in server.contents(0)["system"]
    assert judgement.prompt_version.startswith("mine-")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("{{ answer }}", "'answer' is undefined", id="a-name-that-is-none"),
        pytest.param("{% if %}", "broken", id="syntax"),
        pytest.param("{{ ''.__class__.__mro__ }}", "unsafe", id="out-of-the-sandbox"),
        pytest.param("{{ limits.update({}) }}", "broken", id="changes-what-it-gets"),
        pytest.param("{% for x in range(10**9) %}{% endfor %}", "broken", id="a-loop-without-end"),
        pytest.param("{% include '../../etc/passwd' %}", "broken", id="a-file-of-somebody-else"),
        pytest.param("{{ 1 / 0 }}", "broken", id="an-error-of-python"),
    ],
)
def test_a_template_that_cannot_work_is_refused_at_the_start(folder, text, message):
    """The error does not wait for the first answer."""
    (folder / "one_step.user.jinja").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message) as caught:
        PromptTemplates(folder)
    assert "one_step" in str(caught.value)


def test_a_misspelt_template_is_refused(folder):
    """It would never be used."""
    (folder / "onestep.user.jinja").write_text("", encoding="utf-8")
    with pytest.raises(ValueError, match=r'unknown prompt "onestep\.user\.jinja"; prompts: _criteria\.jinja, '):
        PromptTemplates(folder)


def test_a_template_that_fails_on_some_data_is_a_failure_of_its_own(serve, judge_of, folder):
    """Nothing is sent, and nothing is raised."""
    (folder / "one_step.user.jinja").write_text("{% if 'zyx' in question %}{{ 1 / 0 }}{% endif %}", encoding="utf-8")
    server = serve(writes(written()))
    judge = judge_of(server, prompts=folder)
    assert judge.judge("zyx", ANSWER, RESULTS).error == "bad_prompt"
    assert server.requests == []
    assert judge.judge(QUESTION, ANSWER, RESULTS).status == "ok"


def test_data_are_never_a_template():
    """Text of a source that resembles Jinja stays text."""
    data = DATA | {"candidate_answer": to_data("{{ limits }}{% raw %}")}
    assert "{{ limits }}{% raw %}" in PromptTemplates().messages("one_step", data)[1]["content"]


@pytest.mark.parametrize("conversation", ["one_step", "critique", "format"])
def test_no_prompt_holds_a_judgement(conversation):
    """A model that repeats its prompt gives no judgement, not even one of an example."""
    for message in PromptTemplates().messages(conversation, DATA | {"notes": to_data("n")}):
        with pytest.raises((LLMError, ModelOutputError)):
            JUDGEMENT.read(extract_json_object(message["content"]).members)


def test_the_prompts_ask_for_every_field():
    """The form names each of them."""
    system = PromptTemplates().messages("format", {"notes": to_data("")})[0]["content"]
    names = {"reasoning", "issues", "hallucination_notes", "hallucination_risk", "score", "confidence", "decision"}
    assert names == set(re.findall(r"^- (\w+):", system, re.MULTILINE))


def test_templates_keep_their_paragraphs_apart():
    """An included template ends with its own line."""
    for conversation in ("one_step", "critique"):
        system = PromptTemplates().messages(conversation, DATA)[0]["content"]
        assert "worse answer.\n\nThe expert advice is the authority." in system
