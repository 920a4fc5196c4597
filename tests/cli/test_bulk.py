"""`groundwire bulk`: input and output files, figures, exit codes."""

import contextlib
import json
import re
import signal
from pathlib import Path

import jsonschema
import pytest

from bulk.corpora import json_lines, read, rows, sources, write_parquet
from cli.command import Result, run_here
from cli.terminal import CONTROL_SEQUENCE, run_on_terminal

ROWS = rows(200)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Return a file of rows."""
    return write_parquet(tmp_path / "in.parquet", ROWS)


def bulk(*arguments: object) -> Result:
    """Run the command."""
    return run_here("bulk", *map(str, arguments), cwd=Path.cwd())


def test_the_summary_is_on_standard_output(source, tmp_path):
    """The share is first, then the statuses, then the rows; the exit code is 1, because not all quotes are grounded."""
    done = bulk(source, tmp_path / "out.parquet")
    found = read(tmp_path / "out.parquet")
    grounded = sum(row["grounded"] for row in found)
    assert done.stdout.startswith(f"{grounded} of 200 quotes grounded ({grounded / 200:.2%})\n")
    assert "  not judged: the quote is null" in done.stdout
    assert done.stdout.endswith(f"written: {tmp_path / 'out.parquet'}\n")
    share = f"{grounded * 1000 // 200 / 10:g} % of 200 quotes are grounded"
    assert (done.code, done.stderr) == (1, f"{share}; --min-score requires 100 %\n")


@pytest.mark.parametrize(("least", "code"), [("0.3", 0), ("0.99", 1), ("0", 0)])
def test_the_least_share_decides_on_the_exit_code(source, tmp_path, least, code):
    """The minimum share decides whether a pipeline passes."""
    assert bulk(source, tmp_path / "out.parquet", "--min-score", least).code == code


@pytest.mark.parametrize(
    ("lines", "least", "said"),
    [
        pytest.param(
            [("a b", "a b")] * 932 + [("a c", "a b")] * 68,
            "0.95",
            "93.2 % of 1,000 quotes are grounded; --min-score requires 95 %\n",
            id="share",
        ),
        pytest.param(
            [("a b", "a b")] * 2999 + [("a c", "a b")],
            "1",
            "99.9 % of 3,000 quotes are grounded; --min-score requires 100 %\n",
            id="a-share-is-never-rounded-up-to-what-was-asked",
        ),
        pytest.param(
            [("a b", "a b"), None],
            "0.6",
            "50 % of 2 rows are grounded (1 line could not be read); --min-score requires 60 %\n",
            id="lines-that-are-no-rows",
        ),
    ],
)
def test_an_exit_code_of_1_has_a_reason(tmp_path, lines, least, said):
    """The last line of standard error has the share and the minimum."""
    rows = [json.dumps({"quote": line[0], "source": line[1]}) if line else "{" for line in lines]
    (tmp_path / "in.jsonl").write_text("\n".join(rows), encoding="utf-8")
    done = bulk(tmp_path / "in.jsonl", tmp_path / "out.jsonl", "--min-score", least)
    assert (done.code, done.stderr) == (1, said)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        pytest.param("in.csv", b"%PDF-1.7\n", "looks like a PDF\nhint: convert it to text first", id="pdf"),
        pytest.param("in.jsonl", b"<!DOCTYPE html>\n", "looks like HTML\nhint: convert", id="html"),
        pytest.param("in.csv", b"PK\3\4....xl/workbook.xml", "looks like an Excel workbook", id="xlsx"),
        pytest.param("in.jsonl", b"PAR1\0\0\0\0", "looks like a Parquet file", id="parquet"),
        pytest.param("in.parquet", b"%PDF-1.7\n", "looks like a PDF", id="pdf-as-parquet"),
        pytest.param("in.csv", b'{"quote": "MARKER", "source": "b"}\n', "looks like JSON, and", id="jsonl-as-csv"),
        pytest.param("in.jsonl", b"quote,source\nMARKER,b\n", "looks like CSV, and not like JSON", id="csv-as-jsonl"),
        pytest.param("in.jsonl", b'[{"quote": "MARKER"}]', "looks like a list of JSON", id="list-as-jsonl"),
        pytest.param("in.jsonl", "quote".encode("utf-16"), "looks like UTF-16\nhint: `iconv", id="utf-16"),
    ],
)
def test_files_with_the_suffix_of_another_format_are_refused(tmp_path, name, content, message):
    """The beginning of a file is compared with its suffix; the error shows nothing of the content."""
    (tmp_path / name).write_bytes(content)
    done = bulk(tmp_path / name, tmp_path / "out.jsonl")
    assert (done.code, done.stdout) == (2, "")
    assert f"error: `{tmp_path / name}` {message}" in done.stderr
    assert "MARKER" not in done.stderr


def test_a_terminal_has_a_bar(tmp_path):
    """The bar shows progress, speed and remaining time; it disappears at the end."""
    write_parquet(tmp_path / "in.parquet", ROWS)
    arguments = ["bulk", "in.parquet", "out.parquet", "--memory-limit", "16K", "--workers", "1"]
    code, screen = run_on_terminal(*arguments, cwd=tmp_path)
    assert code == 1
    assert re.search(r"100% 200 rows, [0-9,]+ a second 0:00:00", CONTROL_SEQUENCE.sub("", screen))
    assert "a second" not in run_on_terminal(*arguments, "--no-progress", "--no-resume", cwd=tmp_path)[1]


def test_no_quotes_are_no_pass(tmp_path):
    """The step that made the rows may have failed, so an option has to allow an empty input."""
    (tmp_path / "in.jsonl").touch()
    done = bulk(tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    words = f"error: `{tmp_path / 'in.jsonl'}` contains no quotes\nhint: add --allow-empty to pass without quotes\n"
    assert (done.code, done.stderr) == (2, words)
    assert done.stdout.startswith("no quotes: the input has no rows\n")
    for option in (["--allow-empty"], ["--min-score", "0"]):
        assert bulk(tmp_path / "in.jsonl", tmp_path / "out.jsonl", *option).code == 0


def test_all_options_together(tmp_path):
    """Column names, sources by id, the guarded policy, compression, figures as JSON and as a page work together."""
    texts = sources()
    given = [{"said": row["quote"], "of": texts.index(row["source"])} for row in ROWS if row["source"]]
    (tmp_path / "rows.txt").write_bytes(json_lines(given))
    (tmp_path / "sources.jsonl").write_bytes(json_lines([{"id": n, "text": text} for n, text in enumerate(texts)]))
    columns = ["--quote-column", "said", "--source-column", "of", "--sources", tmp_path / "sources.jsonl"]
    rest = [
        "--policy",
        "guarded",
        "--threshold",
        "0.9",
        "--workers",
        "1",
        "--memory-limit",
        "256M",
        "--input-format",
        "jsonl",
    ]
    for summary in ("figures.json", "figures.html"):
        done = bulk(
            tmp_path / "rows.txt",
            tmp_path / "out.jsonl.gz",
            *columns,
            *rest,
            "--summary",
            tmp_path / summary,
            "--resume",
        )
        assert done.code == 1
        assert re.fullmatch(r"[0-9.]+ % of [0-9,]+ quotes are accepted; --min-score requires 100 %\n", done.stderr)
    told = json.loads((tmp_path / "figures.json").read_bytes())
    assert told["counts"]["rows"] == len(given) == len(read(tmp_path / "out.jsonl.gz"))
    assert {each["source"] for each in told["sources"]} == set(map(str, range(len(texts))))
    assert told["policy"]["policy"] == "guarded"
    schema = Path(__file__).parents[2] / "docs" / "schema" / "bulk-report.v1.schema.json"
    jsonschema.validate(told, json.loads(schema.read_bytes()))
    page = (tmp_path / "figures.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 3
    assert "<script" not in page
    assert "script-src 'none'" in page


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--quote-column", "qoute"], 'error: `{}` has no column "qoute"\nhint: did you mean "quote"?\n'),
        (
            ["--mode", "fuzy"],
            "error: --mode `fuzy` is unknown; allowed: substring, fuzzy\nhint: did you mean `fuzzy`?\n",
        ),
        (
            ["--memory-limit", "much"],
            "error: --memory-limit `much` is not a size\nhint: use a size such as 512M or 2G, or a number of bytes\n",
        ),
        (["--memory-limit", f"{'9' * 400}G"], f"error: --memory-limit `{'9' * 400}G` is not a size\n"),
        (["--min-score", "2"], "error: --min-score must be between 0 and 1, got 2\n"),
        (["--workers", "0"], "error: --workers must be at least 1, got 0\n"),
        (["--threshold", "2", "--mode", "fuzzy"], "error: --threshold must be between 0 and 1, got 2\n"),
        (["--summary", "figures.txt"], "error: --summary `figures.txt` must end in .json or .html\n"),
        (["--policy", "guarded", "--mode", "fuzzy"], "error: mode is an option of the literal policy"),
    ],
)
def test_a_wrong_option_is_one_line(source, tmp_path, arguments, words):
    """There is no traceback, nothing is written, and the exit code is 2."""
    done = bulk(source, tmp_path / "out.parquet", *arguments)
    assert done.code == 2
    assert done.stderr.startswith(words.format(source))
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]


def test_an_older_output_is_replaced_on_request(source, tmp_path):
    """Without the option, the error says that the output has another input."""
    assert bulk(source, tmp_path / "out.parquet").code == 1
    again = bulk(source, tmp_path / "out.parquet", "--mode", "fuzzy")
    assert (again.code, "was started with a different option: mode" in again.stderr) == (2, True)
    assert bulk(source, tmp_path / "out.parquet", "--mode", "fuzzy", "--no-resume").code == 1


def test_malformed_lines_are_reported(tmp_path):
    """The summary has their number, and the file that has them."""
    (tmp_path / "in.jsonl").write_bytes(json_lines([{"quote": "a", "source": "a"}]) + b"{\n")
    done = bulk(tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    assert f"1 malformed line: {tmp_path / 'out.jsonl'}.errors.jsonl" in done.stdout
    assert done.code == 1


def test_ctrl_c_finishes_started_partitions(tmp_path, monkeypatch):
    """The exit code is 130, a message says how to resume, and the next run completes the output."""
    write_parquet(tmp_path / "in.parquet", rows(400))
    told = []

    @contextlib.contextmanager
    def bulk_progress(**_):
        def advance(progress):
            told.append(progress.rows)
            if len(told) == 1:
                signal.raise_signal(signal.SIGINT)

        yield advance

    arguments = ("bulk", "in.parquet", "out.parquet", "--memory-limit", "8K", "--workers", "1")
    with monkeypatch.context() as patched:
        patched.setattr("groundwire.cli.bulk.bulk_progress", bulk_progress)
        stopped = run_here(*arguments, cwd=tmp_path)
    assert stopped.code == 130
    assert told[-1] < 400
    assert "the same call resumes" in stopped.stderr
    assert run_here(*arguments, cwd=tmp_path).code == 1
    assert [row["number"] for row in read(tmp_path / "out.parquet")] == list(range(400))
