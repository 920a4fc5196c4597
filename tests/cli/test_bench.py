"""`groundwire bench`: a table for people, JSON for programs, an exit code for scripts."""

import dataclasses
import io
from contextlib import redirect_stdout

import pytest

from groundwire.benchmarks import cases, runner
from groundwire.benchmarks.cases import Bar, Benchmark, Measure
from groundwire.benchmarks.corpus import Synthetic, transcript
from groundwire.benchmarks.search_tasks import FindPatterns
from groundwire.benchmarks.tasks import Memory, Normalize
from groundwire.cli import main

EASY = Bar(Measure.FASTER, "reference", 1e-9)
IMPOSSIBLE = Bar(Measure.FASTER, "reference", 1e9)
NORMALIZE = Benchmark("normalize/small", "normalise", Normalize(Synthetic("curly", 500)), "quick", EASY)
SMALL = Synthetic("english", 10_000)
MEMORY = Benchmark("memory/small", "keep", Memory(SMALL), "quick", Bar(Measure.LARGER, "str", 100))
PATTERNS = Benchmark("patterns/small", "find", FindPatterns(4, SMALL, True), "quick", is_short=False)


@pytest.fixture
def table(monkeypatch):
    """Return a function that replaces the benchmarks with its arguments."""

    def set_cases(*replaced):
        monkeypatch.setattr(cases, "CASES", replaced)
        monkeypatch.setattr(cases, "reach", lambda _: ())

    set_cases(NORMALIZE, MEMORY, PATTERNS)
    return set_cases


def bench(*args):
    """Return exit code and standard output of the command, run in this process."""
    with redirect_stdout(io.StringIO()) as stdout:
        code = main(["bench", *args])
    return code, stdout.getvalue()


@pytest.mark.usefixtures("table")
def test_short_form_is_the_default():
    """The table has a row for each benchmark with value, target and verdict, and the count at the end."""
    code, output = bench()
    rows = output.splitlines()
    assert code == 0
    assert [row.split()[0] for row in rows[1:3]] == ["normalize/small", "memory/small"]
    assert "≥ 1e-09× reference" in rows[1]
    assert rows[1].rstrip().endswith("✓ met")
    assert "MB" in rows[2]
    assert rows[-1] == "✓ 2 of 2 bars met"


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("args", "names"),
    [
        pytest.param(["--full"], ["normalize/small", "memory/small", "patterns/small"], id="full"),
        pytest.param(["--filter", "memory"], ["memory/small"], id="topic"),
        pytest.param(["--filter", "memory/small"], ["memory/small"], id="name"),
        pytest.param(["--filter", "patterns"], ["patterns/small"], id="topic-of-the-long-form"),
    ],
)
def test_names_select_benchmarks(args, names, monkeypatch):
    """Named benchmarks run in the short form too."""
    monkeypatch.setattr("groundwire.cli.bench._FULL_BUDGET_S", 0.0)
    _, output = bench(*args)
    assert [row.split()[0] for row in output.splitlines()[1 : len(names) + 1]] == names


@pytest.mark.parametrize(
    ("bar", "args", "code"),
    [
        pytest.param(EASY, ["--check"], 0, id="met"),
        pytest.param(IMPOSSIBLE, ["--check"], 1, id="missed"),
        pytest.param(IMPOSSIBLE, [], 0, id="missed-but-nobody-asked"),
        pytest.param(None, ["--check"], 0, id="no-bar"),
    ],
)
def test_check_returns_1_for_a_missed_target(table, bar, args, code):
    """Without the option a busy machine fails nothing."""
    table(dataclasses.replace(NORMALIZE, bar=bar))
    assert bench(*args)[0] == code


def test_missed_targets_are_named(table):
    """The last line says which."""
    table(dataclasses.replace(NORMALIZE, bar=IMPOSSIBLE), MEMORY)
    assert bench()[1].splitlines()[-1] == "✗ 1 of 2 bars met; missed: normalize/small"


def test_missing_competitors_are_shown_with_their_package(table, monkeypatch):
    """Skipped benchmarks are listed."""
    monkeypatch.setattr(runner, "find_spec", lambda _: None)
    table(PATTERNS)
    _, output = bench("--full")
    assert "ahocorasick_rs skipped" in output
    assert "skipped: ahocorasick_rs (install it with pip install 'ahocorasick_rs')" in output


def test_unknown_name_is_an_error_with_a_hint(run):
    """One line has the error, one the closest name."""
    result = run("bench", "--filter", "normalise")
    assert (result.code, result.stdout) == (2, "")
    assert result.stderr == "error: no benchmark `normalise`\nhint: did you mean `normalize`?\n"


def test_reach_runs_on_the_given_corpus(tmp_path):
    """All but the last file are the text, and the closing lines name it."""
    files = [tmp_path / "said.txt", tmp_path / "elsewhere.txt"]
    for seed, file in enumerate(files):
        file.write_text(transcript("english", 15_000, seed), encoding="utf-8")
    corpus = [argument for file in files for argument in ("--corpus", str(file))]
    code, output = bench("--filter", "reach/short-text", *corpus)
    assert code == 0
    assert "texts: said, 10,000 characters, normalised" in output


@pytest.mark.parametrize(
    ("files", "message"),
    [
        pytest.param(["examples/interview.txt"], "--corpus needs at least two files", id="one-file"),
        pytest.param(["examples/interview.txt", "no/such.txt"], "no file `no/such.txt`", id="no-such-file"),
    ],
)
def test_a_corpus_needs_files_for_both_sides(run, tmp_path, files, message):
    """The error comes before anything is measured."""
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "interview.txt").write_text("a text", encoding="utf-8")
    named = [name if name.startswith("no/") else str(tmp_path / name) for name in files]
    result = run("bench", "--filter", "reach", *(argument for name in named for argument in ("--corpus", name)))
    assert (result.code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error: {message}")


@pytest.mark.parametrize(
    ("said", "elsewhere", "message"),
    [
        pytest.param(b"", b"x" * 10_000, "said.txt: needs at least 10,000 characters, got 0", id="empty"),
        pytest.param(b"a text", b"x" * 10_000, "said.txt: needs at least 10,000 characters, got 6", id="short"),
        pytest.param(b"so it is. " * 1_100, b"a", "other.txt: needs at least 10,000 characters, got 1", id="other"),
        pytest.param(b"x\xff", b"x" * 10_000, "said.txt is not UTF-8: invalid byte at offset 1", id="bytes"),
    ],
)
def test_a_corpus_must_be_long_enough(run, tmp_path, said, elsewhere, message):
    """A shorter one would be another measurement, under the name of this one."""
    files = [tmp_path / "said.txt", tmp_path / "other.txt"]
    for file, content in zip(files, (said, elsewhere), strict=True):
        file.write_bytes(content)
    result = run("bench", "--filter", "reach/short-text", *(f"--corpus={file}" for file in files))
    assert (result.code, result.stderr) == (2, f"error: {message}\n")


def test_json_has_machine_and_medians(run):
    """The real command runs one quick benchmark."""
    result = run("bench", "--filter", "find/english", "--format", "json")
    (benchmark,) = result.report["benchmarks"]
    assert (result.code, result.stderr, result.report["machine"]["profile"]) == (0, "", "release")
    assert {*benchmark["medians"]} == {"groundwire", "in"}
    assert benchmark["bar"] == {"measure": "times faster", "than": "in", "limit": 5}
    assert benchmark["value"] > 0
