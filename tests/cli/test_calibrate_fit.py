"""`groundwire calibrate --fit`, and the commands that take the score that it writes."""

import json
import xml.etree.ElementTree as ET

import pytest

from calibration.labels import quote_rows, rows
from groundwire.support_score import SupportScore

LINES = rows()
CLAIM = "The ferry to Skarholm leaves the harbour with forty passengers."
RESULTS = [{"id": "1", "content": "The ferry to Skarholm leaves the north quay at noon."}]


def lines(labelled):
    """Return a file of labelled claims."""
    return "\n".join(map(json.dumps, labelled))


FROM_FILE = {"claim": "SECRET", "supported": True, "context_path": "\0SECRET"}


@pytest.fixture
def score(tmp_path):
    """Return the name of a file with a score."""
    SupportScore("own", 9.0, (0.0,) * 8).save(tmp_path / "score.json")
    return "score.json"


def test_a_score_is_fitted_and_saved(run, write, tmp_path):
    """Tables, a picture and a score file are written; the exit code says whether the score is better."""
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


def test_a_score_that_is_no_better_is_reported_and_saved_on_request(run, write, tmp_path):
    """Random labels teach nothing: exit code 1, a warning, and a note in the file."""
    chance = [line | {"supported": (7 * place) % 11 < 5} for place, line in enumerate(LINES)]
    write("chance.jsonl", lines(chance))
    result = run("calibrate", "--fit", "chance.jsonl", "--max-false-accept-rate", "0.5")
    shown = json.loads(run("calibrate", "--fit", "chance.jsonl", "-f", "json", "--save", "score.json").stdout)
    assert shown["score"]["is_better_than_shipped"] is False
    assert result.code == 1
    assert "warning: The fitted score is no better than the shipped score" in result.stderr
    assert dict(SupportScore.load(tmp_path / "score.json").data)["better than shipped"] is False


def test_labels_from_standard_input_and_passages_from_files(run, write, tmp_path):
    """Relative paths start at the folder of the labels."""
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
        ("--fit cannot be combined with LABELLED, --policy or --embedder", ["--policy", "fuzzy"], ""),
        ("--fit cannot be combined with LABELLED, --policy or --embedder", ["other.jsonl"], ""),
        ("cannot write `l.jsonl`: it is one of the inputs", ["--save", "l.jsonl"], ""),
        ("--save must name a separate file", ["--save", "-"], ""),
    ],
)
def test_wrong_labels_are_one_line_without_text(run, write, error, args, content):
    """Exit code 2; the message names file and line, and shows no text."""
    write("l.jsonl", content)
    result = run("calibrate", "--fit", "l.jsonl", *args)
    assert (result.code, result.stdout) == (2, "")
    assert result.stderr.splitlines()[0].startswith(f"error: {error}")
    assert "SECRET" not in result.stderr


@pytest.fixture
def quote_score(tmp_path):
    """Return the name of a file with a score of quotes: exact ones are right, others are not."""
    SupportScore("quotes", -3.0, (0.0, 6.0, 0.0, 0.0, 0.0, 0.0, 0.0), subject="quotes").save(tmp_path / "quotes.json")
    return "quotes.json"


def test_a_score_of_quotes_is_fitted_and_check_takes_it(run, write, tmp_path):
    """The labels decide whether quotes or claims are fitted."""
    write("labels.jsonl", lines(quote_rows()))
    fitted = run("calibrate", "--fit", "labels.jsonl", "--save", "score.json", "-f", "json")
    report = json.loads(fitted.stdout)
    assert report["quotes"] == {"true": 60, "false": 60, "documents": 60}
    assert fitted.code == (0 if report["score"]["is_better_than_verdict"] else 1)
    assert SupportScore.load(tmp_path / "score.json").subject == "quotes"
    write("talk.txt", "It is 7 metres deep.")
    write("quotes.txt", "It is 7 metres deep.\nIt is 8 metres deep.\nNobody fishes here.")
    shown = run("check", "talk.txt", "-q", "quotes.txt", "--score", "score.json", "-f", "json").report
    right, altered, absent = (each["probability"] for each in shown["quotes"])
    assert right > 0.9 > 0.1 > max(altered, absent)


def test_check_shows_probabilities_in_every_form(run, write, tmp_path, quote_score):
    """Probabilities change no verdict, and reports name the score."""
    write("talk.txt", "The pond is deep.")
    write("quotes.txt", "the pond is deep\nthe pond was sold")
    arguments = ("check", "talk.txt", "-q", "quotes.txt")
    scored = run(*arguments, "--score", quote_score, "-f", "json")
    named = SupportScore.load(tmp_path / quote_score).identity
    assert scored.report["settings"]["support_score"] == named
    assert [each["probability"] for each in scored.report["quotes"]] == pytest.approx([0.952574, 0.047426], abs=1e-6)
    for form in ("text", "markdown", "html"):
        shown = run(*arguments, "--score", quote_score, "-f", form).stdout
        assert named in shown
        assert shown.count("probability 0.9") == shown.count("probability 0.0") == 1
    plain = run(*arguments, "-f", "json")
    assert [each["probability"] for each in plain.report["quotes"]] == [None, None]
    assert [each["status"] for each in plain.report["quotes"]] == [each["status"] for each in scored.report["quotes"]]
    assert plain.code == scored.code == 1


def test_bulk_adds_the_column_and_resumes_with_the_same_score_alone(run, write, tmp_path, quote_score):
    """A row with an error has no probability."""
    rows = [{"quote": "It froze.", "source": "It froze."}, {"quote": "It froze.", "source": None}]
    write("rows.jsonl", lines(rows))
    arguments = ("bulk", "rows.jsonl", "out.jsonl", "--policy", "guarded")
    assert run(*arguments, "--score", quote_score).code == 1
    written = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [each["probability"] for each in written] == [pytest.approx(0.952574, abs=1e-6), None]
    other = run(*arguments)
    assert (other.code, "was started with a different option: score" in other.stderr) == (2, True)


@pytest.mark.parametrize("command", ["check", "bulk"])
def test_a_score_of_quotes_needs_the_verdicts_it_was_fitted_on(run, write, score, quote_score, command):
    """Exit code 2 for a score of claims, the literal policy, or another threshold."""
    write("talk.txt", "It froze.")
    write("rows.jsonl", lines([{"quote": "It froze.", "source": "It froze."}]))
    called = {"check": ("check", "talk.txt", "-q", "talk.txt"), "bulk": ("bulk", "rows.jsonl", "out.jsonl")}[command]
    guarded = (*called, "--policy", "guarded", "--score")
    for arguments, error in (
        ((*guarded, score), "`score.json` was fitted on claims; this command scores quotes"),
        ((*called, "--policy", "literal", "--score", quote_score), "--score requires --policy guarded"),
        (
            (*guarded, quote_score, "--threshold", "0.9"),
            "`quotes.json` was fitted at threshold 0.85, got --threshold 0.9",
        ),
    ):
        result = run(*arguments)
        assert (result.code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"error: {error}\n")


def test_neither_quotes_nor_claims(run):
    """One of the two must be named."""
    result = run("calibrate")
    assert result.code == 2
    assert "missing LABELLED" in result.stderr


def test_cite_takes_a_score_and_names_it(run, write, tmp_path, score):
    """Every form of the report names it."""
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
    """Every form of the report names it."""
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


def test_cite_refuses_a_score_of_quotes(run, write, quote_score):
    """Its features are not those of claims."""
    write("answer.md", CLAIM)
    write("results.json", RESULTS)
    result = run("cite", "answer.md", "--results", "results.json", "--score", quote_score)
    assert (result.code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: `quotes.json` was fitted on quotes; this command scores claims\n")


@pytest.mark.parametrize("command", ["cite", "validate"])
def test_a_hostile_score_is_an_error_before_the_work(run, write, command):
    """Exit code 2, and the message shows nothing of the file."""
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
