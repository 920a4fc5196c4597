"""Hostile folders and endless files: nothing outside the folder is read, nothing hangs, and memory stays limited."""

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple

import pytest

from attack.limited import Done, run_limited, run_python
from effort import IS_LONG, effort
from groundwire.faithfulness import SourceData
from groundwire.files import LIMIT_VARIABLE, list_folder
from groundwire.ingestion import Citation, CitationType
from groundwire.ingestion.verification.adr import AdrVerifier

_GIB = 1 << 30
_SECRET = "zebra-9431"
_HONEST = "The clinic opens at nine."


class Reader(NamedTuple):
    """
    Describes a reader of folders: the name of a file, the content of an honest one, and the program that prints it.
    """

    file_name: str
    content: str
    program: str


_SOURCES = """
import json, sys
from pathlib import Path
from groundwire.faithfulness import SourceData
data = SourceData(Path(sys.argv[1]))
print(json.dumps([" ".join(unit.text for unit in data.units()), dict(data.skip_reasons)]))
"""
_RECORDS = """
import asyncio, json, sys
from groundwire.ingestion import Citation, CitationType
from groundwire.ingestion.verification.adr import AdrVerifier
def read(each):
    return asyncio.run(records.read(Citation(CitationType.ADR, each, 0, 1))) or ""
records = AdrVerifier([sys.argv[1]])
found = {each: records.verify_ids([each])[0].code.value for each in ("1", "2")}
skipped = {"ADR-002-b.md": found["2"]} if found["2"] == "adr_unreadable" else {}
print(json.dumps([" ".join(map(read, ("1", "2"))), skipped]))
"""
_BULK = """
import json, sys
from groundwire.bulk.inputs import find_inputs, skipped_inputs
text = b" ".join(each.open().read() for each in find_inputs(sys.argv[1])).decode("utf-8")
print(json.dumps([text, dict(skipped_inputs(sys.argv[1]))]))
"""
_PROMPTS = """
import json, sys
from pathlib import Path
from groundwire.judge.prompts import _read_folder
try:
    print(json.dumps([" ".join(_read_folder(Path(sys.argv[1]), {"a.jinja": "", "b.jinja": ""}).values()), {}]))
except OSError as error:
    print(json.dumps(["The clinic opens at nine.", {error.filename: error.strerror}]))
"""

READERS = {
    "sources": Reader("b.txt", f"{_HONEST}\n", _SOURCES),
    "decision records": Reader("ADR-002-b.md", f"# Two\n\n{_HONEST}\n\nStatus: Accepted\n", _RECORDS),
    "bulk": Reader("b.jsonl", json.dumps({"quote": _HONEST, "source": _HONEST}) + "\n", _BULK),
    "prompts": Reader("b.jinja", _HONEST, _PROMPTS),
}


class Place(NamedTuple):
    """Holds a hostile path, the folder that is read, and a folder outside with the secret."""

    path: Path
    folder: Path
    outside: Path


def _link(target: str) -> Callable[[Place], None]:
    def put(place: Place) -> None:
        place.path.symlink_to(target.format(secret=place.outside / "secret", outside=place.outside))

    return put


def _chain(place: Place) -> None:
    (place.folder / "one.bin").symlink_to("two.bin")
    (place.folder / "two.bin").symlink_to(place.outside / "secret")
    place.path.symlink_to("one.bin")


def _loop(place: Place) -> None:
    (place.folder / "one.bin").symlink_to(place.path.name)
    place.path.symlink_to("one.bin")


def _through_linked_folder(place: Place) -> None:
    (place.folder / "below.bin").symlink_to(place.outside)
    place.path.symlink_to("below.bin/secret")


def _to_itself(place: Place) -> None:
    place.path.symlink_to(".")


def _link_to_pipe(place: Place) -> None:
    os.mkfifo(place.folder / "pipe.bin")
    place.path.symlink_to("pipe.bin")


def _socket(place: Place) -> None:
    here = Path.cwd()
    os.chdir(place.path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(place.path.name)
    finally:
        os.chdir(here)


def _device(number: int) -> Callable[[Place], None]:
    def put(place: Place) -> None:
        try:
            os.mknod(place.path, 0o20666, os.makedev(1, number))
        except PermissionError:
            place.path.symlink_to("/dev/zero")

    return put


HOSTILE: dict[str, Callable[[Place], None]] = {
    "an absolute link out": _link("{secret}"),
    "a relative link out": _link("../outside/secret"),
    "a link out and in by its name": _link("../folder/../outside/secret"),
    "a chain of links out": _chain,
    "a link through a linked folder": _through_linked_folder,
    "a loop of links": _loop,
    "a link to itself": _link("b.txt"),
    "a link to nothing": _link("no-such-file"),
    "a link to a folder outside": _link("{outside}"),
    "a link to the folder it is in": _to_itself,
    "a link to the root": _link("/"),
    "a link to the environment": _link("/proc/self/environ"),
    "a link to a descriptor": _link("/proc/self/fd/0"),
    "a link to the memory": _link("/proc/self/mem"),
    "a link to an endless device": _link("/dev/zero"),
    "a link to standard input": _link("/dev/stdin"),
    "a link to the terminal": _link("/dev/tty"),
    "a pipe": lambda place: os.mkfifo(place.path),
    "a link to a pipe": _link_to_pipe,
    "a socket": _socket,
    "a device without end": _device(5),
    "a device that blocks": _device(8),
}


def _honest_name(reader: Reader) -> str:
    return reader.file_name.replace("b", "a", 1) if "ADR" not in reader.file_name else "ADR-001-a.md"


@pytest.mark.parametrize("name", READERS)
def test_a_path_outside_the_folder_is_skipped_and_reported(attack, name, tmp_path, monkeypatch):
    """The honest file beside it is read."""
    reader = READERS[name]
    monkeypatch.setenv("SECRET", _SECRET)
    for kind, put in HOSTILE.items():
        with attack.attempt(f"{name}: {kind}"):
            folder, outside = tmp_path / kind / "folder", tmp_path / kind / "outside"
            folder.mkdir(parents=True)
            outside.mkdir()
            (outside / "secret").write_text(reader.content.replace(_HONEST, f"{_HONEST} {_SECRET}"), encoding="utf-8")
            (folder / _honest_name(reader)).write_text(reader.content, encoding="utf-8")
            put(Place(folder / reader.file_name, folder, outside))
            done = run_python(reader.program, folder, memory_bytes=3 * _GIB, deadline_s=20)
            assert _SECRET not in done.out + done.error
            assert done.code == 0, done.error[-300:]
            text, skipped = json.loads(done.out)
            assert _HONEST in text
            assert reader.file_name in skipped


def test_harmless_links_and_names_are_read(attack, tmp_path):
    """Links inside the folder, hard links and files with any name are read."""
    folder = tmp_path / "folder"
    (folder / "below").mkdir(parents=True)
    (tmp_path / "linked").symlink_to(folder)
    (folder / "a.txt").write_text(f"{_HONEST}\n", encoding="utf-8")
    names = ["below/line\nbreak.txt", "below/\x1b[31mred.txt", "b" * 240 + ".txt", " .txt", "-s.txt", "below/%s{0}.txt"]
    for each in names:
        (folder / each).write_text("Words.\n", encoding="utf-8")
    (folder / os.fsdecode(b"\xff\xfe.txt")).write_text("Words.\n", encoding="utf-8")
    (folder / "inside.txt").symlink_to("a.txt")
    (folder / "below" / "up.txt").symlink_to("../a.txt")
    (folder / "hard.txt").hardlink_to(folder / "a.txt")
    for place in (folder, tmp_path / "linked"):
        data = SourceData(place)
        texts = [unit.text for unit in data.units()]
        for each in [*names, os.fsdecode(b"\xff\xfe.txt"), "inside.txt", "below/up.txt", "hard.txt"]:
            with attack.attempt(f"{each!a} in {place.name}"):
                assert each in data.names
        with attack.attempt(f"all texts of {place.name}"):
            assert texts.count(_HONEST) == 4
            assert data.skipped == ()


def test_a_replacement_after_listing_reads_nothing_outside(attack, tmp_path):
    """A file or a folder above it is replaced by a link, a pipe or a folder; nothing outside is read."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "b.txt").write_text(_SECRET, encoding="utf-8")
    changes: dict[str, Callable[[Path], object]] = {
        "a link": lambda path: path.symlink_to(outside / "b.txt"),
        "a pipe": os.mkfifo,
        "a folder": os.mkdir,
        "nothing": lambda _: None,
        "a link to a device": lambda path: path.symlink_to("/dev/zero"),
    }
    for kind, change in changes.items():
        with attack.attempt(f"a file becomes {kind}"):
            path = _filled(tmp_path / f"file {kind}") / "below" / "b.txt"
            data = SourceData(path.parent.parent)
            path.unlink()
            change(path)
            with pytest.raises(OSError, match=r"below/b\.txt"):
                list(data.units())
    for levels in ("below", "."):
        with attack.attempt(f"the folder {levels} becomes a link"):
            folder = _filled(tmp_path / f"folder {levels}")
            data = SourceData(folder)
            moved = folder / "below"
            moved.rename(tmp_path / f"moved {levels}")
            moved.symlink_to(outside)
            with pytest.raises(OSError, match=r"below/b\.txt"):
                list(data.units())


def _filled(folder: Path) -> Path:
    (folder / "below").mkdir(parents=True)
    (folder / "below" / "b.txt").write_text(_HONEST, encoding="utf-8")
    return folder


@contextmanager
def exchanging(path: Path, target: Path) -> Iterator[None]:
    """Replace a file with a link to *target* and back, as fast as possible."""
    ended = Event()
    aside, link = path.with_suffix(".aside"), path.with_suffix(".link")
    shutil.copy(path, aside)
    link.symlink_to(target)

    def exchange() -> None:
        while not ended.is_set():
            for each in (link, aside):
                spare = path.with_suffix(".spare")
                if each is link:
                    spare.symlink_to(target)
                else:
                    shutil.copy(aside, spare)
                spare.replace(path)

    thread = Thread(target=exchange)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def test_a_replacement_during_reading_reads_nothing_outside(attack, tmp_path):
    """At any moment, the reader gets the original file or nothing."""
    outside = tmp_path / "secret.md"
    outside.write_text(_SECRET, encoding="utf-8")
    folder = _filled(tmp_path / "folder")
    (folder / "ADR-001-a.md").write_text(f"{_HONEST}\n\nStatus: Accepted\n", encoding="utf-8")
    records, first = AdrVerifier([folder]), Citation(CitationType.ADR, "1", 0, 1)
    with attack.attempt("a source is exchanged"), exchanging(folder / "below" / "b.txt", outside):
        for _ in range(effort(300, 5_000)):
            try:
                texts = [unit.text for unit in SourceData(folder).units()]
            except OSError:
                continue
            assert not any(_SECRET in text for text in texts)
    with attack.attempt("a record is exchanged"), exchanging(folder / "ADR-001-a.md", outside):
        for _ in range(effort(300, 5_000)):
            assert _SECRET not in (asyncio.run(records.read(first)) or "")


def test_a_folder_beyond_the_longest_path_is_reported(attack, tmp_path):
    """A folder that cannot be listed is skipped by name, and the folders above it are read."""
    here = Path.cwd()
    folder = _filled(tmp_path / "folder")
    os.chdir(folder)
    depth = effort(300, 2_000)
    try:
        for _ in range(depth):
            Path("d" * 20).mkdir()
            os.chdir("d" * 20)
        Path("deep.txt").write_text(_SECRET, encoding="utf-8")
    finally:
        os.chdir(here)
    with attack.attempt("thousands of levels"):
        listing = list_folder(folder)
        assert [each.name for each in listing.files] == ["below/b.txt"]
        assert [each.reason for each in listing.skipped] == ["cannot be listed: file name too long"]
    # Some versions of rmtree cannot delete paths this deep.
    subprocess.run(["rm", "-rf", str(folder)], check=True)


_UNPRIVILEGED = """
import json, os, sys
from pathlib import Path
from groundwire.faithfulness import SourceData
# The reader is already loaded, because the modules may be in a folder that other users cannot read.
list(SourceData(["Words."]).units())
if os.geteuid() == 0:
    os.seteuid(65534)
data = SourceData(Path(sys.argv[1]))
try:
    texts = [unit.text for unit in data.units()]
except OSError as error:
    print(json.dumps([error.filename, dict(data.skip_reasons)]))
else:
    print(json.dumps([texts, dict(data.skip_reasons)]))
"""


def test_an_unreadable_path_is_reported(attack, tmp_path):
    """An unreadable folder is skipped by name; an unreadable file is an error, because it is known to exist."""
    tmp_path.chmod(0o755)
    # With one worker for each core, the path has three more folders.
    for parent in tmp_path.parents[:3]:
        parent.chmod(parent.stat().st_mode | 0o055)
    folder = _filled(tmp_path / "folder")
    (folder / "closed").mkdir()
    (folder / "closed").chmod(0)
    with attack.attempt("a closed folder"):
        done = run_python(_UNPRIVILEGED, folder, memory_bytes=3 * _GIB)
        assert done.code == 0, done.error[-300:]
        assert json.loads(done.out) == [[_HONEST], {"closed": "cannot be listed: permission denied"}]
    (folder / "below" / "b.txt").chmod(0)
    with attack.attempt("a closed file"):
        done = run_python(_UNPRIVILEGED, folder, memory_bytes=3 * _GIB)
        assert json.loads(done.out)[0] == "below/b.txt"


def groundwire(*arguments: str | Path, **options) -> Done:
    """Run the command with 3 GiB of address space."""
    command = [sys.executable, "-m", "groundwire", *map(str, arguments)]
    return run_limited(command, memory_bytes=3 * _GIB, **options)


def test_the_command_reports_skipped_files_in_printable_characters(attack, tmp_path):
    """The names of skipped files reach the terminal without their control characters."""
    folder = _filled(tmp_path / "folder")
    personas = tmp_path / "personas.json"
    personas.write_text(json.dumps({"personas": [{"opening": "The clinic opens at nine"}]}), encoding="utf-8")
    bad = os.fsdecode(b"\xff\x1b[31m\nx.txt")
    (folder / bad).symlink_to("/etc/passwd")
    os.mkfifo(folder / "pipe.txt")
    (folder / os.fsdecode(b"name \xff\x1b[31m.txt")).write_text("The garden opens at ten.\n", encoding="utf-8")
    for form in ("text", "json", "jsonl", "markdown", "html", "junit"):
        with attack.attempt(f"a report as {form}"):
            done = groundwire("validate", personas, "--faithfulness", "-s", folder, "--format", form)
            assert done.code in (0, 1), done.error
            assert "root:" not in done.out
            assert "not read (a named pipe): pipe.txt" in done.error
            assert "not read (a link out of the folder): " in done.error
            assert "\x1b" not in done.error + done.out
    with attack.attempt("a name that is not UTF-8 given to check"):
        path = folder / os.fsdecode(b"\xfe.txt")
        path.write_text(f"{_HONEST}\n", encoding="utf-8")
        (tmp_path / "quotes.txt").write_text(f"{_HONEST}\n", encoding="utf-8")
        assert groundwire("check", path, "-q", tmp_path / "quotes.txt").code == 0


# Each command with one input left open as `{}`; the other inputs are honest files of the working folder.
INPUTS = {
    "the transcript of check": "check {} -q quotes.txt",
    "a second transcript of check": "check notes.txt {} -q quotes.txt",
    "the transcript of check, taken as it is": "check {} -q quotes.txt --policy literal",
    "the quotes of check": "check notes.txt -q {}",
    "the answer of cite": "cite {} -r results.json",
    "the results of cite": "cite notes.txt -r {}",
    "the batch of cite": "cite --answers {}",
    "the claims of ingest": "ingest --file {}",
    "the issues of ingest": "ingest The-clinic-opens-at-nine --issue-list {}",
    "the conversation of ingest": "ingest The-clinic-opens-at-nine --conversation {}",
    "the database of ingest": "ingest The-clinic-opens-at-nine --database {}",
    "the personas of validate": "validate {} --faithfulness -s notes.txt",
    "the source of validate": "validate personas.json --faithfulness -s {}",
    "the policies of validate": "validate personas.json --faithfulness -s notes.txt --field-policies {}",
    "the review of validate": "validate personas.json --faithfulness -s notes.txt --review {} --user a",
    "the labels of calibrate": "calibrate {}",
    "the input of bulk": "bulk {} out.jsonl",
    "the sources of bulk": "bulk rows.jsonl out.jsonl --sources {}",
    "the database of memory": "memory list --database {} --user a",
    "the database of review": "review list {} --user a",
    "the corpus of bench": "bench --corpus {} --corpus notes.txt",
}
_MAY_BE_EMPTY = ("database", "review")
"""A database is opened by SQLite, which takes what has no header for an empty file."""


@pytest.fixture
def working(tmp_path, monkeypatch) -> Path:
    """Return the working folder with honest inputs."""
    folder = tmp_path / "working"
    folder.mkdir()
    row = json.dumps({"quote": _HONEST, "source": _HONEST}) + "\n"
    for name, text in {
        "notes.txt": f"{_HONEST}\n",
        "quotes.txt": f"{_HONEST}\n",
        "results.json": json.dumps([{"id": "1", "content": _HONEST}]),
        "personas.json": json.dumps({"personas": [{"opening": "The clinic opens at nine"}]}),
        "rows.jsonl": row,
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


def _run(command: str, path: str | Path, **options) -> Done:
    return groundwire(*(each.replace("{}", str(path)) for each in command.split(" ")), **options)


def _assert_refused(done: Done, kind: str) -> None:
    assert done.code == 2, f"code {done.code}: {done.error[-300:]}"
    assert done.error.startswith(("error: ", "warning: ")), done.error[-300:]
    assert "Traceback" not in done.error
    assert "unexpected" not in done.error, done.error[-300:]
    assert "not enough memory" not in done.error, kind


def test_endless_and_huge_files_are_refused_everywhere(attack, working):
    """The command returns 2 with a message, and stays within 3 GiB of address space."""
    huge = working / "huge"
    with huge.open("wb") as file:
        file.truncate(20 * _GIB)
    for name, command in INPUTS.items():
        for path in ("/dev/zero", huge):
            with attack.attempt(f"{name}: {Path(path).name}"):
                done = _run(command, path)
                if any(each in name for each in _MAY_BE_EMPTY):
                    assert done.code in (0, 2), done.error[-300:]
                    assert "unexpected" not in done.error, done.error[-300:]
                else:
                    _assert_refused(done, name)


ENDLESS = {
    "lines": b"The clinic opens at nine. ",
    "one line": b"abc ",
    "rows": b'a,b,"c",d\n',
    "objects": b'{"quote": "The clinic opens at nine."}\n',
    "a list": b"[1, ",
}


@contextmanager
def endless_pipe(beginning: bytes, piece: bytes) -> Iterator[int]:
    """Return a descriptor to which *piece* is written until the reader stops."""
    reading, writing = os.pipe()
    block = piece * (1 + (1 << 20) // len(piece))

    def write() -> None:
        try:
            os.write(writing, beginning)
            while True:
                os.write(writing, block)
        except BrokenPipeError:
            os.close(writing)

    thread = Thread(target=write)
    thread.start()
    try:
        yield reading
    finally:
        os.close(reading)
        thread.join()


@pytest.mark.usefixtures("working")
def test_endless_pipes_are_refused_everywhere(attack):
    """
    Endless input is refused on standard input and on `/dev/fd/N`, which shells use for `<(...)`. A set limit ends
    it soon.
    """
    names = [name for name in INPUTS if not any(each in name for each in (*_MAY_BE_EMPTY, "corpus", "bulk"))]
    environment = {**os.environ, LIMIT_VARIABLE: str(4 << 20)}
    for name in names:
        for kind, piece in ENDLESS.items() if name in names[:: effort(5, 1)] else [("lines", ENDLESS["lines"] + b"\n")]:
            with attack.attempt(f"{name}: a pipe of {kind}"), endless_pipe(b"", piece) as pipe:
                done = _run(INPUTS[name], f"/dev/fd/{pipe}", pass_fds=[pipe], env=environment)
                _assert_refused(done, name)
    with attack.attempt("standard input, and the limit in the message"), endless_pipe(b"", b"abc\n") as pipe:
        done = groundwire("check", "-", "-q", "quotes.txt", stdin=pipe, env=environment)
        assert done.code == 2
        assert "more than 4,194,304 bytes, the limit; GROUNDWIRE_MAX_FILE_BYTES sets another" in done.error
    with attack.attempt("the limit that nobody set"), endless_pipe(b"", b"The clinic opens at nine.\n") as pipe:
        done = groundwire("check", "-", "-q", "quotes.txt", stdin=pipe)
        assert done.code == 2
        assert "more than 268,435,456 bytes" in done.error
    for value in ("0", "-1", "many", "1e9", "9" * 30, "１"):
        with attack.attempt(f"a limit of {value}"):
            done = groundwire("check", "notes.txt", "-q", "quotes.txt", env={**os.environ, LIMIT_VARIABLE: value})
            assert done.code == 2
            assert "must be a whole number of bytes" in done.error


def test_a_pipe_that_ends_is_read(attack, working):
    """`<(...)` works wherever the command takes a file."""
    wanted = {
        "the transcript of check": ("notes.txt", 0),
        "the quotes of check": ("quotes.txt", 0),
        "the personas of validate": ("personas.json", 0),
        "the source of validate": ("notes.txt", 0),
        "the policies of validate": ("policies.toml", 0),
        "the results of cite": ("results.json", None),
        "the claims of ingest": ("quotes.txt", None),
    }
    (working / "policies.toml").write_text('[policies]\nname = "skip"\n', encoding="utf-8")
    for name, (file, code) in wanted.items():
        with attack.attempt(name):
            plain = _run(INPUTS[name], file)
            shell = f"exec {sys.executable} -m groundwire {INPUTS[name].replace('{}', f'<(cat {file})')}"
            piped = run_limited(["bash", "-c", shell], memory_bytes=3 * _GIB)
            assert piped.code == plain.code, piped.error
            assert code in (None, piped.code), piped.error


def _wide_yaml() -> str:
    return "a: &a\n  b: 1\n" + "".join(f"k{place}: *a\n" for place in range(60_000))


def _yaml_bomb(levels: int, width: int) -> str:
    lines = ["a0: &a0 [x, x]"]
    lines += [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * width)}]" for level in range(1, levels)]
    return "\n".join(lines) + "\n"


BOMBS: dict[str, tuple[str, Callable[[], str]]] = {
    "yaml: nine levels of nine": (".yaml", lambda: _yaml_bomb(9, 9)),
    "yaml: sixty levels of two": (".yaml", lambda: _yaml_bomb(60, 2)),
    "yaml: one level of thousands": (".yaml", lambda: _yaml_bomb(3, 5_000)),
    "yaml: deep aliases": (".yaml", lambda: _yaml_bomb(1_000, 1)),
    "yaml: a cycle": (".yaml", lambda: "a: &a\n  b: *a\n"),
    "yaml: two cycles": (".yaml", lambda: "a: &a [*a, *a, *a]\nb: &b [*a, *b]\n"),
    "yaml: merge keys": (".yaml", lambda: "a: &a {x: 1}\nb: &b {<<: [*a, *a]}\nc: {<<: [*b, *b]}\n"),
    "yaml: deep lists": (".yaml", lambda: "a: " + "[" * 500_000),
    "yaml: deep blocks": (".yaml", lambda: "".join(" " * level + "a:\n" for level in range(1_500))),
    "yaml: a scalar repeated": (".yaml", lambda: f"a: &a {'x' * 100_000}\nb: [{', '.join(['*a'] * 100_000)}]\n"),
    "yaml: too long": (".yaml", lambda: "a: " + "x" * 3_000_000),
    "json: deep lists": (".json", lambda: "[" * 5_000_000),
    "json: deep objects": (".json", lambda: '{"a":' * 2_000_000),
    "json: deep, and closed": (".json", lambda: "[" * 200_000 + "]" * 200_000),
    "json: a long number": (".json", lambda: "[" + "9" * 5_000_000 + "]"),
    "json: millions of empty objects": (".json", lambda: "[" + "{}," * effort(11_000_000, 15_000_000) + "{}]"),
    "json: millions of numbers": (".json", lambda: "[" + "1," * effort(17_000_000, 20_000_000) + "1]"),
    "json: a string without an end": (".json", lambda: '["' + "a" * effort(3_000_000, 30_000_000)),
    "json: a key repeated": (".json", lambda: "{" + ",".join(['"a":1'] * 1_000_000) + "}"),
    "csv: a field without an end": (".csv", lambda: 'quote,text\n"' + "a\n" * effort(4_100_000, 20_000_000)),
    "csv: a line of commas": (".csv", lambda: "quote,text\n" + "," * effort(4_000_000, 40_000_000) + "\n"),
    "csv: thousands of columns": (".csv", lambda: ",".join(f"c{place}" for place in range(200_000)) + "\n1,2\n"),
    "toml: deep": (".toml", lambda: "[policies]\na = " + "[" * 400_000),
}
_BOMBED = {
    ".yaml": ["the personas of validate"],
    ".json": ["the quotes of check", "the personas of validate"],
    ".csv": ["the quotes of check"],
    ".toml": ["the policies of validate"],
}


if IS_LONG:
    _BOMBED[".json"] += ["the results of cite", "the claims of ingest"]
    _BOMBED[".csv"] += ["the claims of ingest", "the transcript of check"]


def test_bombs_end_with_a_message(attack, working):
    """A bomb is refused, or read as the plain text that it is, within 3 GiB of address space."""
    for kind, (suffix, make) in BOMBS.items():
        path = working / f"bomb{suffix}"
        path.write_text(make(), encoding="utf-8")
        for name in _BOMBED[suffix]:
            with attack.attempt(f"{name}: {kind}"):
                done = _run(INPUTS[name], path.name)
                assert done.code in (1, 2), f"code {done.code}"
                assert "unexpected" not in done.error, done.error[-300:]
                assert "not enough memory" not in done.error
