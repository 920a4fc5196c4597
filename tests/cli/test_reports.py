"""Rules for every command that writes a report: its inputs, its formats, its files."""

import json

import pytest

from groundwire.cli.output import REPORT_FORMATS

# The word is in every text, so that it would be in an error that shows a text.
QUOTE = {"quote": "ZEBRA sleeps", "source": "ZEBRA sleeps well", "label": True}
FILES = {
    "interview.txt": "Ann: ZEBRA sleeps well.\nBen: Good.\n",
    "quotes.json": ["ZEBRA sleeps well", "ZEBRA runs"],
    "answer.md": "ZEBRA sleeps well [1]. It runs every day [2].\n",
    "results.json": [{"id": "1", "content": "ZEBRA sleeps well."}],
    "claims.jsonl": '"ZEBRA sleeps well, see ADR-3."\n{"content": "ZEBRA may run."}\n',
    "personas.json": [{"name": "ZEBRA", "age": 34}, {"name": "Ann", "age": 41}],
    "data.csv": "name,age\nZEBRA,34\nBen,20\n",
    "labels.txt": f"{json.dumps(QUOTE)}\n{json.dumps({**QUOTE, 'quote': 'quay', 'label': False})}\n",
}
ARGS = {
    "check": ["interview.txt", "--quotes", "quotes.json"],
    "cite": ["answer.md", "--results", "results.json"],
    "ingest": ["--file", "claims.jsonl"],
    "validate": ["personas.json", "--faithfulness", "--source", "data.csv"],
    "calibrate": ["labels.txt", "--policy", "fuzzy", "--max-false-accept-rate", "0.5"],
}
FORMATS = {
    **dict.fromkeys(("check", "cite", "ingest"), REPORT_FORMATS),
    "validate": (*REPORT_FORMATS, "junit"),
    "calibrate": ("text", "json", "markdown"),
}
ITEMS = {"check": "quotes", "cite": "answers", "ingest": "claims", "validate": "personas"}
SUFFIXES = {"json": "json", "jsonl": "jsonl", "markdown": "md", "html": "html", "junit": "xml"}
BEGINS = {"json": "{\n", "jsonl": '{"number":1,', "markdown": "# ", "html": "<!DOCTYPE html>", "junit": "<?xml"}
INPUTS = [(command, name) for command, args in ARGS.items() for name in args if name in FILES]

every_format = pytest.mark.parametrize(
    ("command", "report_format"), [(command, each) for command in FORMATS for each in FORMATS[command]]
)
every_input = pytest.mark.parametrize(("command", "name"), INPUTS)


@pytest.fixture(autouse=True)
def files(write):
    """Return the inputs of all commands."""
    for name, content in FILES.items():
        write(name, content)


@pytest.fixture
def failed(run, tmp_path):
    """Return a function that runs a command, checks that it only reports an error, and returns the message."""

    def call(*args, **options):
        before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
        result = run(*args, **options)
        assert result.code == 2
        assert result.stderr.startswith("error: ")
        assert len(result.stderr.splitlines()) <= 2
        assert "ZEBRA" not in result.stderr
        assert before == {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
        return result.stderr

    return call


def replaced(command, name, other):
    """Return the arguments of *command* with *other* in place of one file."""
    return [command, *(other if arg == name else arg for arg in ARGS[command])]


# Formats and files


@every_format
def test_the_same_input_gives_the_same_bytes(run, command, report_format):
    """This holds for every format."""
    first = run(command, *ARGS[command], "-f", report_format)
    assert first == run(command, *ARGS[command], "-f", report_format)
    assert first.stdout.startswith(BEGINS.get(report_format, ""))
    assert "Traceback" not in first.stderr


@pytest.mark.parametrize(("command", "items"), ITEMS.items())
def test_json_lines_are_the_items_of_the_report(run, command, items):
    """One item per line, in order."""
    report = run(command, *ARGS[command], "-f", "json").report
    lines = run(command, *ARGS[command], "-f", "jsonl").stdout.splitlines()
    assert [json.loads(line) for line in lines] == report[items]


@every_format
def test_output_adds_a_file_in_the_format_of_its_suffix(run, tmp_path, command, report_format):
    """Standard output is the same as without the option."""
    alone = run(command, *ARGS[command])
    name = f"r.{SUFFIXES.get(report_format, 'txt')}"
    assert run(command, *ARGS[command], "-o", name) == alone
    written = (tmp_path / name).read_text(encoding="utf-8")
    assert alone.stdout
    assert written == run(command, *ARGS[command], "-f", report_format).stdout


@pytest.mark.parametrize("command", ARGS)
def test_output_has_the_format_of_the_option_if_its_suffix_names_none(run, tmp_path, command):
    """Several files are written."""
    shown = run(command, *ARGS[command], "-f", "json", "-o", "r.txt", "-o", "r.md").stdout
    assert shown.startswith("{\n")
    assert (tmp_path / "r.txt").read_text(encoding="utf-8") == shown
    assert (tmp_path / "r.md").read_text(encoding="utf-8").startswith("# ")


@pytest.mark.parametrize("command", ARGS)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-o", "-"], "--output needs a file\nhint: standard output shows the results anyway\n"),
        (["-o", "r.md", "-o", "r.md"], "`r.md` is given twice\n"),
        (["-o", "r.md", "-o", "./r.md"], "`./r.md` is given twice\n"),
        (["-o", "no/r.md"], "cannot write `no/r.md`: there is no directory `no`\n"),
        (["-o", "."], "cannot write `.`: it is a directory\n"),
        (["-f", "pdf"], "--format `pdf` is unknown; allowed: text, json, "),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_an_impossible_output_is_an_error_before_the_work(failed, command, options, message):
    """Nothing is written."""
    assert failed(command, *ARGS[command], *options).startswith(f"error: {message}")


@pytest.mark.parametrize(
    ("command", "suffix"), [("cite", "csv"), ("ingest", "xml"), ("ingest", "sarif"), ("calibrate", "html")]
)
def test_a_suffix_of_a_format_that_the_command_lacks_is_an_error(failed, command, suffix):
    """No file has text that its name does not promise."""
    assert failed(command, *ARGS[command], "-o", f"r.{suffix}").startswith(
        f"error: cannot write `r.{suffix}`: this command has no format "
    )


@every_input
def test_inputs_are_never_overwritten(failed, tmp_path, command, name):
    """This holds for the name itself and for links to it."""
    message = "it is one of the inputs\n"
    assert failed(command, *ARGS[command], "-o", name).endswith(message)
    (tmp_path / "link.txt").symlink_to(name)
    assert failed(command, *ARGS[command], "-o", "link.txt").endswith(message)


# Inputs


@every_input
def test_a_missing_file_is_named_with_a_similar_one(failed, command, name):
    """This holds for every input."""
    error = failed(*replaced(command, name, f"x{name}"))
    assert error == f"error: no file `x{name}`\nhint: did you mean `{name}`?\n"


@every_input
def test_a_folder_is_no_file(failed, tmp_path, command, name):
    """An empty folder of sources has nothing to read."""
    (tmp_path / "folder").mkdir()
    expected = {"data.csv": "has no readable file", "interview.txt": "the folder `folder` has no files"}
    message = expected.get(name, "`folder` is a directory, not a file")
    assert message in failed(*replaced(command, name, "folder"))


@every_input
def test_another_encoding_is_named(run, write, command, name):
    """Without any text of the file."""
    write(name, b"ZEBRA caf\xe9\n")
    result = run(command, *ARGS[command])
    assert result.code == 2
    assert "UTF-8" in result.stderr
    assert "ZEBRA" not in result.stderr


@pytest.mark.parametrize(("command", "name"), [each for each in INPUTS if each != ("validate", "data.csv")])
def test_an_input_may_be_standard_input(run, command, name):
    """Only the suffix shows that a source is a table."""
    content = FILES[name] if isinstance(FILES[name], str) else json.dumps(FILES[name])
    result = run(*replaced(command, name, "-"), "-f", "json", stdin=content.encode())
    assert result.code == run(command, *ARGS[command], "-f", "json").code
    assert result.report.keys() == run(command, *ARGS[command], "-f", "json").report.keys()


@pytest.mark.parametrize("command", ["check", "cite", "validate"])
def test_standard_input_is_read_once(failed, command):
    """A second input would find it empty."""
    args = ["-" if arg in FILES else arg for arg in ARGS[command]]
    assert failed(command, *args) == "error: standard input (`-`) can be read only once\n"
