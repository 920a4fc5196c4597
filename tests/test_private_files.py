"""New files with texts are private to their owner; existing files keep their mode."""

import json
import os
import stat
from pathlib import Path

import pytest

from groundwire.cli.output import write_file
from groundwire.evidence.extraction import FailureCategory, FailureEvent, FailureRecorder, FailureSeverity
from groundwire.private_files import open_private, replace_file, take_place_of

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")


def mode_of(path: Path) -> int:
    """Return the permission bits of a file."""
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(autouse=True)
def open_umask():
    """Set a umask that removes no rights, so that the mode of a new file shows."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.parametrize("mode", ["wb", "xb", "ab", "a+b"])
def test_a_new_file_is_private(tmp_path, mode):
    """This holds for any umask."""
    with open_private(tmp_path / "new", mode) as file:
        file.write(b"text")
    assert (mode_of(tmp_path / "new"), (tmp_path / "new").read_bytes()) == (0o600, b"text")


def test_a_file_that_exists_keeps_its_mode(tmp_path):
    """The owner has chosen it."""
    path = tmp_path / "old"
    path.write_text("old")
    path.chmod(0o640)
    with open_private(path, "wb") as file:
        file.write(b"new")
    assert mode_of(path) == 0o640
    written = tmp_path / "written"
    with open_private(written, "xb") as file:
        file.write(b"newer")
    take_place_of(path, written)
    assert (mode_of(path), path.read_bytes()) == (0o640, b"newer")


@pytest.mark.parametrize("is_private", [True, False])
def test_a_killed_run_does_not_stop_the_next_one(tmp_path, is_private):
    """In a container both have the same number, and the first leaves what it was writing."""
    for number in (os.getpid(), 1):
        (tmp_path / f".report.json.{number}.tmp").write_bytes(b"half")
    replace_file(tmp_path / "report.json", [b"a ", b"text"], is_private=is_private)
    assert (tmp_path / "report.json").read_bytes() == b"a text"
    assert mode_of(tmp_path / "report.json") == (0o600 if is_private else 0o666)


@pytest.mark.parametrize("name", ["n" * 255, "名" * 85, "😀" * 63], ids=["ascii", "chinese", "emoji"])
def test_the_longest_name_can_be_written(tmp_path, name):
    """The file beside it has a shorter one."""
    replace_file(tmp_path / name, [b"text"])
    assert [each.name for each in tmp_path.iterdir()] == [name]


def test_a_link_is_no_new_file(tmp_path):
    """The link's target gets no text."""
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileExistsError):
        open_private(tmp_path / "link", "xb")
    assert not (tmp_path / "elsewhere").exists()


def test_reports_of_the_command_line(tmp_path):
    """A new report has 0600; a shared one stays shared; counts contain no private text."""
    write_file(str(tmp_path / "report.html"), "text")
    assert mode_of(tmp_path / "report.html") == 0o600
    (tmp_path / "report.html").chmod(0o644)
    write_file(str(tmp_path / "report.html"), "other")
    assert (mode_of(tmp_path / "report.html"), (tmp_path / "report.html").read_text()) == (0o644, "other")
    write_file(str(tmp_path / "counts.prom"), "counts", is_private=False)
    assert mode_of(tmp_path / "counts.prom") == 0o666


@pytest.mark.parametrize(
    "name", ["out.parquet", "out.arrow", "out.jsonl", "out.jsonl.gz", "out.csv", "out.csv.zst", "out/"]
)
def test_rows_with_their_results(tmp_path, name):
    """These are the output, its manifest, and the malformed lines."""
    pytest.importorskip("pyarrow")
    from groundwire.bulk import ground_file

    rows = [{"quote": "at nine", "source": "We meet at nine."}, {"quote": "at ten", "source": "We meet at nine."}]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows) + "no row\n")
    ground_file(tmp_path / "in.jsonl", f"{tmp_path}/{name}")
    made = [path for path in tmp_path.rglob("*") if path.is_file() and path.name != "in.jsonl"]
    assert len(made) == 3
    assert {path.name: oct(mode_of(path)) for path in made} == {path.name: "0o600" for path in made}


def test_the_sink_of_failures(tmp_path):
    """Hashes of short quotes can be guessed."""
    sink = tmp_path / "failures.jsonl"
    FailureRecorder(sink).record(
        FailureEvent(
            category=FailureCategory.EVIDENCE_HALLUCINATION,
            severity=FailureSeverity.ERROR,
            message="nothing is grounded",
            participant_id=7,
            stage="evidence_extraction",
            mode=None,
            extracted_count=2,
            validation_mode="substring",
        )
    )
    assert mode_of(sink) == 0o600
    assert json.loads(sink.read_text())["participant_id"] == 7


def test_the_cache_of_judgements(tmp_path):
    """It contains the quotes of judges."""
    from groundwire.judge.cache import JudgementCache

    JudgementCache(tmp_path / "cache").write("ab" * 32, {"reasoning": "text"})
    (file,) = (tmp_path / "cache").rglob("*.json")
    assert mode_of(file) == 0o600
    assert {mode_of(each) for each in (tmp_path / "cache").rglob("*") if each.is_dir()} == {0o700}
