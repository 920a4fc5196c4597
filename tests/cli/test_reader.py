"""`--reader FOLDER`: a classifier in a folder, for `check`, `cite` and `validate`."""

import pytest

from onnx_models import made

SOURCE = "Ann works as a nurse in Berlin. The shop with two people sells soup of fish and tea. It rains.\n"
QUOTE = "The shop sells tea and soup"
ANSWER = "The shop with the two people sells soup of fish and tea daily [1]."


@pytest.fixture
def folder(tmp_path):
    """Return a model that finds words in any order."""
    return str(made.folder(tmp_path / "nli"))


def test_check_reports_a_paraphrase(run, write, folder):
    """It is rejected, and every form has the model and its score."""
    write("a.txt", SOURCE)
    write("q.json", [QUOTE])
    result = run("check", "a.txt", "-q", "q.json", "-f", "json", "--reader", folder)
    (quote,) = result.report["quotes"]
    assert (result.code, quote["status"], quote["accepted"]) == (1, "paraphrased", False)
    assert quote["reader"]["model"].startswith("nli@")
    assert (quote["reader"]["threshold"], quote["reader"]["score"] > 0.9) == (0.5, True)
    assert result.report["summary"]["paraphrased"] == 1
    for form in ("text", "markdown", "html"):
        output = run("check", "a.txt", "-q", "q.json", "-f", form, "--reader", folder).stdout
        assert "paraphrased" in output
        assert "read by nli@" in output


def test_cite_raises_a_claim(run, write, folder):
    """The entry of the claim has the model."""
    write("answer.md", ANSWER)
    write("results.json", [{"id": "1", "text": SOURCE}])
    asked = ("cite", "answer.md", "--results", "results.json")
    (before,) = run(*asked, "-f", "json").report["answers"][0]["claims"]
    (after,) = run(*asked, "-f", "json", "--reader", folder).report["answers"][0]["claims"]
    assert (before["status"] in ("weak", "unsupported"), before["reader"]) == (True, None)
    assert (after["status"], after["reader"]["model"][:4], after["findings"]) == ("supported", "nli@", [])


def test_validate_names_it(run, write, folder):
    """It is listed among the methods of comparison."""
    write("personas.json", {"bio": "She sells tea and soup of fish in the shop."})
    write("data.txt", SOURCE)
    asked = ("validate", "personas.json", "--faithfulness", "--source", "data.txt", "-f", "json")
    assert "reader" in run(*asked, "--reader", folder).report["personas"][0]["backend"]
    assert "reader" not in run(*asked).report["personas"][0]["backend"]


@pytest.mark.parametrize("command", ["check", "cite", "validate"])
def test_a_folder_without_a_model_is_an_error(run, write, command, tmp_path):
    """The error is one line, with exit code 2."""
    write("a.txt", SOURCE)
    write("q.json", [QUOTE])
    write("results.json", [{"id": "1", "text": SOURCE}])
    write("personas.json", {"age": 34})
    (tmp_path / "empty").mkdir()
    arguments = {
        "check": ("a.txt", "-q", "q.json"),
        "cite": ("a.txt", "--results", "results.json"),
        "validate": ("personas.json", "--faithfulness", "--source", "a.txt"),
    }[command]
    result = run(command, *arguments, "--reader", str(tmp_path / "empty"))
    assert (result.code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: --reader: the folder has no model.onnx, tokenizer.json, config.json")


def test_the_literal_policy_takes_none(run, write, folder):
    """The literal policy compares characters only."""
    write("a.txt", SOURCE)
    write("q.json", [QUOTE])
    result = run("check", "a.txt", "-q", "q.json", "--policy", "literal", "--reader", folder)
    assert (result.code, result.stderr) == (2, "error: --reader requires --policy guarded\n")
