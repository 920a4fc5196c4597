"""`groundwire calibrate` from end to end."""

import json
import xml.etree.ElementTree as ET

import pytest

TRUE = {"quote": "I can’t sleep at night", "source_path": "interview.txt", "label": True}
FALSE = {"quote": "I sleep like a stone, doctor", "source": "Max: I can't sleep at night.", "label": False}


@pytest.fixture
def labelled(write, interview):  # noqa: ARG001 - writes the file that `calibrate` reads
    """Return the name of a file with a true and a false quote."""
    write("labelled.jsonl", "\n".join(map(json.dumps, (TRUE, FALSE))))
    return "labelled.jsonl"


def test_threshold_is_recommended(run, labelled):
    """Exit code 0, tables on standard output, nothing on standard error."""
    result = run("calibrate", labelled, "--policy", "fuzzy")
    assert (result.code, result.stderr) == (0, "")
    assert result.stdout.startswith("policy fuzzy\nRecommended threshold: 0.")
    assert "Based on 1 false and 1 true quotes." in result.stdout


def test_exit_code_shows_that_no_threshold_is_good_enough(run, write, labelled):
    """A false quote that scores 1 is accepted at every threshold."""
    write(labelled, json.dumps(TRUE | {"label": False}))
    result = run("calibrate", labelled, "--policy", "fuzzy")
    assert (result.code, result.stderr) == (1, "")
    assert "No threshold accepts at most 1 % of the false quotes" in result.stdout


def test_files_are_written_by_their_suffix(run, tmp_path, labelled):
    """The suffix selects tables or a picture; standard output has the tables as well."""
    result = run("calibrate", labelled, "-o", "out.json", "--plot", "out.svg", "--max-false-accept-rate", "0.5")
    assert (result.code, result.stderr) == (0, "")
    assert result.stdout.startswith("policy fuzzy\n")
    calibration = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["calibrations"][0]
    assert (calibration["policy"], calibration["max_false_accept"]) == ("fuzzy", 0.5)
    assert ET.fromstring((tmp_path / "out.svg").read_text(encoding="utf-8")).tag.endswith("svg")
    run("calibrate", labelled, "-o", "out.md")
    assert (tmp_path / "out.md").read_text(encoding="utf-8").startswith("# Calibration\n")


def test_sources_are_found_from_the_folder_of_the_labels(run, tmp_path, write, labelled):
    """The working directory does not matter, except for labels from standard input."""
    (tmp_path / "sub").mkdir()
    write("sub/near.txt", "I can't sleep at night")
    row = json.dumps(TRUE | {"source_path": "near.txt", "label": True})
    write("sub/labels.jsonl", row + "\n" + json.dumps(FALSE))
    assert run("calibrate", "sub/labels.jsonl").code == 0
    assert run("calibrate", "-", stdin=(tmp_path / labelled).read_bytes()).code == 0
    assert run("calibrate", "-", stdin=row.encode()).code == 2


@pytest.mark.parametrize(
    ("error", "args", "content"),
    [
        ("`labelled.jsonl`, line 1, column 1: not JSON", [], "SECRET"),
        ('`labelled.jsonl`, line 2: "label" is missing', [], json.dumps(TRUE) + '\n{"quote": "SECRET", "source": ""}'),
        ("`labelled.jsonl`, line 1: no file `gone.txt`", [], json.dumps(TRUE | {"source_path": "gone.txt"})),
        (
            "`labelled.jsonl`, line 1: the path is not a valid file name",
            [],
            json.dumps(TRUE | {"source_path": "\0SECRET"}),
        ),
        ("--max-false-accept-rate must be between 0 and 1, got nan", ["--max-false-accept-rate", "nan"], ""),
        ("--policy `fuzy` is unknown; allowed: fuzzy", ["--policy", "fuzy"], ""),
        ("--format `html` is unknown; allowed: text, json, markdown", ["-f", "html"], ""),
        ("--plot must name a separate file", ["--plot", "-"], ""),
        ("--plot must name a separate file", ["--plot", "x.svg", "-o", "x.svg"], ""),
        ("cannot write `labelled.jsonl`: it is one of the inputs", ["--plot", "labelled.jsonl"], ""),
    ],
)
def test_wrong_input_is_one_line_without_text(run, write, labelled, error, args, content):
    """Exit code 2; the message names file and line, and shows no text."""
    write(labelled, content)
    result = run("calibrate", labelled, *args)
    assert (result.code, result.stdout) == (2, "")
    assert result.stderr.splitlines()[0].startswith(f"error: {error}")
    assert "SECRET" not in result.stderr


def test_half_characters_are_no_crash(run, write, labelled):
    """JSON may have lone surrogates; they are compared like other characters."""
    row = {"quote": "\ud800 sleep", "source": "I \ud800 sleep", "label": True}
    write(labelled, json.dumps(row) + "\n" + json.dumps(FALSE))
    assert run("calibrate", labelled).code == 0


CLAIM = {"claim": "The abacus bead fell.", "context": "A bead of the abacus fell.", "supported": True}
OTHER = CLAIM | {"claim": "A fig did jig.", "supported": False}


@pytest.fixture
def similarity(run, write):
    """Run the command on labelled claims with an embedder on a server; return its result."""
    pytest.importorskip("openai", reason="no openai: pip install 'groundwire[judge]'")
    from embedding.test_server import embeds
    from judge.scripted_server import ScriptedServer

    started = []

    def run_similarity(*args, act=embeds, rows=(CLAIM, OTHER), embedder="small"):
        write("claims.jsonl", "\n".join(map(json.dumps, rows)))
        server = ScriptedServer([act])
        started.append(server)
        env = {"QUANTITATIVE_EMBEDDER_BASE_URL": server.url, "QUANTITATIVE_EMBEDDER_MAX_RETRIES": "0"}
        return run("calibrate", "claims.jsonl", "--embedder", embedder, "--no-progress", *args, env=env)

    yield run_similarity
    for server in started:
        server.close()


def test_the_scale_of_an_embedder(similarity, tmp_path):
    """The result is a curve of cosines from 0 to 1, and a file that gives a validator the scale of that model."""
    from groundwire.faithfulness.calibration import read_scales

    result = similarity("--save", "scales.json", "--plot", "curve.svg", "-f", "json")
    assert (result.code, result.stderr) == (0, "")
    (calibration,) = json.loads(result.stdout)["calibrations"]
    assert calibration["policy"] == "relatedness by small"
    assert [point["threshold"] for point in calibration["points"]] == [place / 100 for place in range(100)]
    scale = read_scales(tmp_path / "scales.json")["small"]
    assert scale.threshold == calibration["recommended_threshold"]
    assert -1 < scale.unrelated < scale.threshold < 1
    assert (scale.false_support.count, scale.false_support.total, scale.missed.total) == (0, 1, 1)
    assert "share of these claims" in (tmp_path / "curve.svg").read_text(encoding="utf-8")
    assert "false claims accepted" in similarity().stdout


def test_without_a_recommendation_there_is_no_scale(similarity, tmp_path):
    """The false claims are as close as possible."""
    result = similarity("--save", "scales.json", rows=[CLAIM | {"claim": CLAIM["context"], "supported": False}])
    assert (result.code, result.stderr) == (
        1,
        "warning: `scales.json` was not written, because no threshold is recommended\n",
    )
    assert "No threshold accepts at most 5 % of the false claims: the rate at 0.99 is" in result.stdout
    assert not (tmp_path / "scales.json").exists()


def test_the_embedder_is_closed(similarity, monkeypatch):
    """Its connections and its thread end with the command, also after an error."""
    from groundwire.embedding import ServerEmbedder
    from judge.scripted_server import fails

    closed = []
    close = ServerEmbedder.close
    monkeypatch.setattr(ServerEmbedder, "close", lambda self: (closed.append(self), close(self)))
    assert (similarity().code, len(closed)) == (0, 1)
    assert (similarity(act=fails(500)).code, len(closed)) == (2, 2)


def test_errors_of_an_embedder_are_one_line(similarity, write):
    """Exit code 2, and no text."""
    from judge.scripted_server import fails

    write("scales.json", "[]")
    for error, result in (
        ("no embeddings: server_error", similarity(act=fails(500))),
        ("no embeddings: not_there", similarity(embedder=".")),
        ("--policy cannot be combined with --embedder", similarity("--policy", "fuzzy")),
        ("cannot write `scales.json`: scales: expected", similarity("--save", "scales.json")),
        ("--save must name a separate file", similarity("--save", "-")),
        ('`claims.jsonl`, line 1: "supported" is missing', similarity(rows=[{"claim": "a", "context": "b"}])),
        ("`claims.jsonl`, line 1: only these keys are allowed", similarity(rows=[TRUE])),
    ):
        assert (result.code, result.stdout) == (2, "")
        assert error in result.stderr
        assert "Traceback" not in result.stderr


def test_a_saved_file_needs_a_fit_or_an_embedder(run, labelled):
    """Thresholds of quotes are not saved."""
    assert "--save requires --fit or --embedder" in run("calibrate", labelled, "--save", "scales.json").stderr
