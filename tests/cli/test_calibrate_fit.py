"""`groundwire calibrate --fit`, and the commands that take the score that it writes."""

import json
import xml.etree.ElementTree as ET

import pytest

from calibration.labels import rows
from groundwire.support_score import SupportScore

LINES = rows()
CLAIM = "The ferry to Skarholm leaves the harbour with forty passengers."
RESULTS = [{"id": "1", "content": "The ferry to Skarholm leaves the north quay at noon."}]


def lines(labelled):
    """A file of labelled claims."""
    return "\n".join(map(json.dumps, labelled))


FROM_FILE = {"claim": "SECRET", "supported": True, "context_path": "\0SECRET"}


@pytest.fixture
def score(tmp_path):
    """The name of a file with a score."""
    SupportScore("own", 9.0, (0.0,) * 8).save(tmp_path / "score.json")
    return "score.json"


def test_a_score_is_fitted_and_saved(run, write, tmp_path):
    """Tables, a picture and a file that others take; the exit code says whether it is better."""
    write("ponds.jsonl", lines(LINES))
    result = run("calibrate", "--fit", "ponds.jsonl", "--save", "score.json", "--plot", "p.svg", "-f", "json")
    report = json.loads(result.stdout)
    saved = SupportScore.load(tmp_path / "score.json")
    assert (saved.name, saved.sha256) == ("ponds", report["score"]["sha256"])
    assert result.code == (0 if report["score"]["is_better_than_shipped"] else 1)
    assert ET.fromstring((tmp_path / "p.svg").read_text(encoding="utf-8")).tag.endswith("svg")
    written = (tmp_path / "score.json").read_bytes()
    assert run("calibrate", "--fit", "ponds.jsonl", "--save", "score.json").stdout.startswith("The fitted score is")
    assert (tmp_path / "score.json").read_bytes() == written
    assert run("calibrate", "--fit", "ponds.jsonl", "-o", "fit.md").stdout.startswith("The fitted score is")
    assert (tmp_path / "fit.md").read_text(encoding="utf-8").startswith("# Score of support\n")


def test_a_score_that_is_no_better_is_told_and_saved_if_asked(run, write, tmp_path):
    """Labels by chance teach nothing: exit code 1, a warning, and the fact in the file."""
    chance = [line | {"supported": (7 * place) % 11 < 5} for place, line in enumerate(LINES)]
    write("chance.jsonl", lines(chance))
    result = run("calibrate", "--fit", "chance.jsonl", "--max-false-accept-rate", "0.5")
    shown = json.loads(run("calibrate", "--fit", "chance.jsonl", "-f", "json", "--save", "score.json").stdout)
    assert shown["score"]["is_better_than_shipped"] is False
    assert result.code == 1
    assert "warning: The fitted score is no better than the shipped one" in result.stderr
    assert dict(SupportScore.load(tmp_path / "score.json").data)["better than shipped"] is False


def test_labels_from_standard_input_and_passages_from_files(run, write, tmp_path):
    """Paths are those of the folder of the labels."""
    (tmp_path / "sub").mkdir()
    write("sub/quay.txt", "The quay is long.")
    labelled = [line if place else line | {"context_path": "quay.txt"} for place, line in enumerate(LINES)]
    del labelled[0]["context"]
    write("sub/ponds.jsonl", lines(labelled))
    assert run("calibrate", "--fit", "sub/ponds.jsonl").code in (0, 1)
    assert run("calibrate", "--fit", "-", stdin=lines(LINES).encode()).code in (0, 1)


@pytest.mark.parametrize(
    ("error", "args", "content"),
    [
        ("`l.jsonl` needs at least 50 supported and 50 unsupported claims, got 49 and 49", [], lines(LINES[:98])),
        ("`l.jsonl` needs at least 50 supported", [], lines([line | {"supported": True} for line in LINES])),
        ("`l.jsonl`, line 1, column 1: not JSON", [], "SECRET"),
        ("`l.jsonl`, line 2: repeats the claim and passages of line 1", [], lines([LINES[0], LINES[0]])),
        (
            "`l.jsonl`, line 1: no file `gone.txt`",
            [],
            '{"claim": "SECRET", "supported": true, "context_path": "gone.txt"}',
        ),
        (
            "`l.jsonl`, line 1: the path is not a valid file name",
            [],
            json.dumps({"claim": "SECRET", "supported": True, "context_path": "\0SECRET"}),
        ),
        ("--fit takes no LABELLED, --policy or --embedder", ["--policy", "fuzzy"], ""),
        ("--fit takes no LABELLED, --policy or --embedder", ["other.jsonl"], ""),
        ("cannot write `l.jsonl`: it is one of the inputs", ["--save", "l.jsonl"], ""),
        ("--save needs a file of its own", ["--save", "-"], ""),
    ],
)
def test_wrong_labels_are_one_line_without_text(run, write, error, args, content):
    """Exit code 2; file and line are named, what a line says is not."""
    write("l.jsonl", content)
    result = run("calibrate", "--fit", "l.jsonl", *args)
    assert (result.code, result.stdout) == (2, "")
    assert result.stderr.splitlines()[0].startswith(f"error: {error}")
    assert "SECRET" not in result.stderr


def test_neither_quotes_nor_claims(run):
    """One of them must be named."""
    result = run("calibrate")
    assert result.code == 2
    assert "no LABELLED is given" in result.stderr


def test_cite_takes_a_score_and_names_it(run, write, tmp_path, score):
    """In every form of the report."""
    write("answer.md", f"{CLAIM} [1]")
    write("results.json", RESULTS)
    arguments = ("cite", "answer.md", "--results", "results.json", "--score", score)
    named = SupportScore.load(tmp_path / score).identity
    report = run(*arguments, "-f", "json").report
    assert report["settings"]["support_score"] == named
    assert report["answers"][0]["claims"][0]["status"] == "weak"
    for form in ("text", "markdown", "html"):
        assert named in run(*arguments, "-f", form).stdout
    plain = run(*arguments[:-2], "-f", "json").report
    assert plain["settings"]["support_score"] is None


def test_validate_takes_a_score_and_names_it(run, write, tmp_path, score):
    """In every form of the report."""
    write("persona.json", {"bio": CLAIM})
    write("talk.txt", RESULTS[0]["content"])
    arguments = ("validate", "persona.json", "--faithfulness", "--source", "talk.txt", "--score", score)
    named = SupportScore.load(tmp_path / score).identity
    report = run(*arguments, "-f", "json").report
    assert report["settings"]["support_score"] == named
    for form in ("text", "markdown", "html", "junit"):
        assert named in run(*arguments, "-f", form).stdout
    plain = run(*arguments[:-2], "-f", "json").report
    assert plain["settings"]["support_score"] is None
    assert plain["personas"][0]["claim_details"] != report["personas"][0]["claim_details"]


@pytest.mark.parametrize("command", ["cite", "validate"])
def test_a_hostile_score_is_an_error_before_the_work(run, write, command):
    """Exit code 2, and nothing of the file."""
    write("answer.md", CLAIM)
    write("results.json", RESULTS)
    write("persona.json", {"bio": CLAIM})
    called = {
        "cite": ("cite", "answer.md", "--results", "results.json"),
        "validate": ("validate", "persona.json", "--faithfulness", "--source", "answer.md"),
    }[command]
    write("score.json", '{"SECRET": 1}')
    result = run(*called, "--score", "score.json")
    assert (result.code, result.stdout) == (2, "")
    assert result.stderr.startswith('error: `score.json` is not a score of support: the file must have "name"')
    assert "SECRET" not in result.stderr
    gone = run(*called, "--score", "gone.json")
    assert (gone.code, gone.stdout) == (2, "")
    assert gone.stderr.startswith("error: cannot read `gone.json`")
    kept = run(*called, "--score", "score.json", "-o", "score.json")
    assert (kept.code, "cannot write `score.json`" in kept.stderr) == (2, True)
