"""`groundwire validate --faithfulness`: claims of personas with their evidence."""

import json
from xml.etree import ElementTree

import pytest

from cli.terminal import CONTROL_SEQUENCE, run_on_terminal

SURVEY = "name,age,job\nSarah Chen,34,Marketing Manager\nAnn,41,Nurse\n"
TALK = "Interviewer: Do you like e-mail?\nSarah: I hate checking emails.\n"
PERSONA = {"name": "Sarah Chen", "age": 34, "occupation": "Marketing Manager", "company": "TechCorp"}
CONTRADICTED = {"age": 34, "bio": "She prefers email communication."}


@pytest.fixture
def validate(run, write):
    """Return a function that validates personas against a survey, with options."""
    write("data.csv", SURVEY)

    def call(personas, *args, source="data.csv", **options):
        write("personas.json", personas)
        return run("validate", "personas.json", "--faithfulness", "--source", source, *args, **options)

    return call


def test_claims_that_are_not_supported_are_shown(validate):
    """The figures of all claims follow."""
    result = validate(PERSONA)
    assert (result.code, result.stderr) == (0, "")
    assert result.stdout == (
        "#1  ✗ unsupported  0.000  Company is TechCorp  (company)\n"
        "    No source mentions it.\n"
        "\n"
        "3 of 4 claims supported (75.0 %)\n"
        "faithfulness 0.750, weak 0.000, hallucination 0.250 (0 claims contradicted)\n"
        "compared with 1 source by lexical, supported from 0.6\n"
    )


def test_verbose_shows_every_claim_with_its_evidence(validate):
    """The evidence is highlighted, with its location."""
    output = validate(PERSONA, "--verbose").stdout
    assert "data.csv, line 2, row 1: name: Sarah Chen; age: [[34]]; job: Marketing Manager" in output
    assert output.count("✓ supported") == 3


@pytest.mark.parametrize(
    ("personas", "options", "code"),
    [
        pytest.param(PERSONA, [], 0, id="report-only"),
        pytest.param(CONTRADICTED, [], 0, id="a-contradiction-alone-fails-nothing"),
        pytest.param(PERSONA, ["--min-score", "0.75"], 0, id="just-enough"),
        pytest.param(PERSONA, ["--min-score", "0.76"], 1, id="too-little"),
        pytest.param([PERSONA, {"age": 34}], ["--min-score", "0.9"], 1, id="one-of-two"),
        pytest.param([{"age": 41}, {"age": 34}], ["--min-score", "1"], 0, id="all"),
        pytest.param({"age": 34}, ["--threshold", "1", "--min-score", "1"], 0, id="threshold-reached"),
        pytest.param({}, [], 2, id="claims-nothing"),
        pytest.param({}, ["--allow-empty"], 0, id="may-claim-nothing"),
        pytest.param([{}, PERSONA], ["--allow-empty", "--min-score", "0.9"], 1, id="one-empty-one-below"),
        pytest.param([PERSONA, {}], ["--min-score", "0.9"], 2, id="an-error-comes-before"),
    ],
)
def test_exit_code_is_that_of_the_ruling(validate, personas, options, code):
    """D11: 0 pass, 1 below the minimum score, 2 error; D4: 2 without claims, unless that is allowed."""
    assert validate(personas, *options).code == code


def test_a_persona_that_claims_nothing_is_named(validate):
    """Its report is still written."""
    result = validate([PERSONA, {"id": "x"}])
    assert result.stderr == "error: persona 2 has no claims\nhint: add --allow-empty to pass without claims\n"
    assert "the persona has no claim that can be checked" in result.stdout


@pytest.mark.parametrize(
    "personas", [PERSONA, [PERSONA], {"personas": [PERSONA]}, "\ufeff" + json.dumps(PERSONA)], ids=type
)
def test_personas_come_as_one_or_many(validate, personas):
    """Ruling D11."""
    report = validate(personas, "-f", "json").report
    assert [each["name"] for each in report["personas"]] == ["Sarah Chen"]


def test_sources_may_be_many(run, write, tmp_path):
    """Sources may be files of each kind, a folder and standard input; the report counts the supporting ones."""
    write("personas.json", {"occupation": "Marketing Manager"})
    write("data.csv", SURVEY)
    (tmp_path / "talks").mkdir()
    write("talks/one.txt", "Sarah: I work as a marketing manager.\n")
    write("talks/two.md", "# Notes\n\nShe is a marketing manager.\n")
    write("talks/picture.png", b"\x89PNG")
    args = ("--faithfulness", "--source", "data.csv", "--source", "talks", "--source", "-", "-f", "json")
    result = run("validate", "personas.json", *args, stdin=b"Joon: Nothing of it.\n")
    (claim,) = result.report["personas"][0]["claim_details"]
    assert claim["sources"] == ["data.csv", "one.txt", "two.md"]
    assert [each["name"] for each in result.report["personas"][0]["sources"]] == [*claim["sources"], "<stdin>"]
    assert result.stderr == "warning: not read (unknown kind of file): picture.png\n"


def test_personas_may_come_from_standard_input(run, write):
    """A pipe may provide them."""
    write("data.csv", SURVEY)
    stdin = json.dumps({"personas": [PERSONA]}).encode()
    result = run("validate", "-", "--faithfulness", "--source", "data.csv", "--min-score", "0.5", stdin=stdin)
    assert result.code == 0


def test_contradictions_come_first(validate, write):
    """The contradicting passage is shown."""
    write("talk.txt", TALK)
    output = validate(CONTRADICTED, source="talk.txt").stdout
    assert output.startswith("#1  ≠ contradicted  0.000  She prefers email communication.  (bio)\n")
    assert "talk.txt, line 2, turn 2 (Sarah): I [[hate checking emails]]." in output


def test_reports_are_written_in_the_form_of_their_suffix(validate, tmp_path):
    """Several files may be named; standard output has its own format."""
    names = ("out.md", "out.json", "out.jsonl", "out.html", "out.xml", "out.txt")
    result = validate([PERSONA, CONTRADICTED], *(word for name in names for word in ("--report", name)))
    assert result.stdout.startswith("Sarah Chen\n")
    texts = {name: (tmp_path / name).read_text(encoding="utf-8") for name in names}
    assert texts["out.txt"] == result.stdout
    assert texts["out.md"].startswith("# Faithfulness check\n")
    assert texts["out.html"].startswith("<!DOCTYPE html>")
    assert [json.loads(line)["number"] for line in texts["out.jsonl"].splitlines()] == [1, 2]
    assert json.loads(texts["out.json"])["summary"]["personas"] == 2
    assert len(ElementTree.fromstring(texts["out.xml"].encode())) == 2


def test_policies_select_the_fields(validate, write):
    """Fields are skipped, synthetic, or checked."""
    write("policies.toml", '[policies]\nname = "synthetic"\ncompany = "skip"\n')
    (persona,) = validate(PERSONA, "--field-policies", "policies.toml", "-f", "json").report["personas"]
    assert [each["path"] for each in persona["synthetic"]] == ["name"]
    assert sorted(each["path"] for each in persona["claim_details"]) == ["age", "occupation"]


def test_threshold_decides_which_claims_are_supported(validate):
    """Levels stay (rulings D1 and D2)."""
    persona = {"age": "mid-thirties"}
    (low,) = validate(persona, "-f", "json").report["personas"]
    (high,) = validate(persona, "--threshold", "0.8", "-f", "json").report["personas"]
    assert (low["supported_claims"], high["supported_claims"], high["weak_claims"]) == (1, 0, 1)
    assert low["claim_details"][0]["level"] == high["claim_details"][0]["level"] == "MODERATE"


def test_a_requested_model_that_does_not_run_is_reported(validate):
    """Ruling D6: a warning and the report name the model that decided; with =require it is an error."""
    env = {"GROUNDWIRE_HHEM": "", "QUANTITATIVE_HHEM_FOLDER": ""}
    result = validate(PERSONA, "--hhem", "-f", "json", env=env)
    (persona,) = result.report["personas"]
    assert (result.code, persona["backend"]) == (0, "lexical")
    assert len(persona["warnings"]) == 1
    assert result.stderr == f"warning: {persona['warnings'][0]}\n"
    required = validate(PERSONA, "--hhem=require", env=env)
    assert (required.code, required.stdout) == (2, "")
    assert required.stderr.startswith("error: hhem: ")


def test_hhem_takes_no_separate_value(run, write):
    """Only a value after an equals sign belongs to the option."""
    write("personas.json", PERSONA)
    write("data.csv", SURVEY)
    assert run("validate", "--hhem", "personas.json", "--faithfulness", "--source", "data.csv").code == 0


def test_on_a_terminal_the_report_is_in_colour(write, tmp_path):
    """The report has signs and words, and the evidence below each claim."""
    write("personas.json", CONTRADICTED)
    write("talk.txt", TALK)
    code, screen = run_on_terminal(
        "validate", "personas.json", "--faithfulness", "--source", "talk.txt", "--verbose", cwd=tmp_path
    )
    shown = CONTROL_SEQUENCE.sub("", screen)
    assert code == 0
    assert screen != shown
    assert "≠ contradicted" in shown
    assert "I [[hate checking emails]]." in " ".join(shown.split())
    assert "0 of 2 claims supported (0.0 %)" in shown


@pytest.mark.usefixtures("bars_at_once")
def test_long_work_shows_a_bar(write, tmp_path):
    """It shows on a terminal while sources are read, and not with --no-progress."""
    write("personas.json", {"age": 34})
    write("talk.txt", "".join(f"Ann: We talked of the number {number} all day.\n" for number in range(600)))
    args = ("validate", "personas.json", "--faithfulness", "--source", "talk.txt")
    assert "reading sources" in run_on_terminal(*args, cwd=tmp_path)[1]
    assert "reading sources" not in run_on_terminal(*args, "--no-progress", cwd=tmp_path)[1]


def test_interrupt_ends_the_reading_of_a_large_source(run, write, interrupted_at):
    """Ctrl-C ends the command at the next step of the work."""
    write("personas.json", {"age": 34})
    write("talk.txt", "".join(f"Ann: We talked of the number {number} all day.\n" for number in range(20_000)))
    result = run("validate", "personas.json", "--faithfulness", "--source", "talk.txt")
    assert result == (130, "", "error: interrupted\n")
    assert len(interrupted_at) == 1


def test_decisions_of_the_review_queue_come_back(validate, run, tmp_path):
    """`--review` sends weak and contradicted claims, and later shows who decided what, in every form (ruling D14)."""
    (tmp_path / "talk.txt").write_text(TALK + "Interviewer: Oh.\nSarah: It rained.\n", encoding="utf-8")
    options = {"source": "talk.txt"}
    first = validate(CONTRADICTED, "--review", "queue.db", **options)
    assert "    waiting for review, " in first.stdout
    (claim,) = run("review", "list", "queue.db", "--format", "json").report["claims"]
    assert run("review", "approve", "queue.db", claim["queue_id"], "--as", "kim", "--reviewer").code == 0
    again = validate(CONTRADICTED, "--review", "queue.db", **options)
    assert "    approved by kim on " in again.stdout
    assert "review: 1 approved, 0 rejected; with approved claims faithfulness would be " in again.stdout
    assert [line for line in first.stdout.splitlines() if line.startswith("faithfulness ")] == [
        line for line in again.stdout.splitlines() if line.startswith("faithfulness ")
    ]
    for form in ("markdown", "html", "junit", "json"):
        shown = validate(CONTRADICTED, "--review", "queue.db", "--format", form, **options).stdout
        assert "kim" in shown, form
        assert "approved" in shown, form
    _, screen = run_on_terminal(
        "validate", "personas.json", "--faithfulness", "-s", "talk.txt", "--review", "queue.db", cwd=tmp_path
    )
    assert "approved by kim on " in CONTROL_SEQUENCE.sub("", screen)


def test_without_review_there_is_no_queue(validate, tmp_path):
    """Without the option nothing is written."""
    validate(CONTRADICTED)
    assert not list(tmp_path.glob("*.db"))
