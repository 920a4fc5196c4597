"""Hostile folders: nothing outside the folder is read, nothing hangs, and every skipped file is reported."""

import asyncio
import json
import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple

import pytest

from attack.limited import MEMORY_BYTES, run_groundwire, run_python
from effort import effort
from groundwire.faithfulness import SourceData
from groundwire.files import list_folder
from groundwire.ingestion import Citation, CitationType
from groundwire.ingestion.verification.adr import AdrVerifier

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
            done = run_python(reader.program, folder, memory_bytes=MEMORY_BYTES)
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
        done = run_python(_UNPRIVILEGED, folder, memory_bytes=MEMORY_BYTES)
        assert done.code == 0, done.error[-300:]
        assert json.loads(done.out) == [[_HONEST], {"closed": "cannot be listed: permission denied"}]
    (folder / "below" / "b.txt").chmod(0)
    with attack.attempt("a closed file"):
        done = run_python(_UNPRIVILEGED, folder, memory_bytes=MEMORY_BYTES)
        assert json.loads(done.out)[0] == "below/b.txt"


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
            done = run_groundwire("validate", personas, "--faithfulness", "-s", folder, "--format", form)
            assert done.code in (0, 1), done.error
            assert "root:" not in done.out
            assert "not read (a named pipe): pipe.txt" in done.error
            assert "not read (a link out of the folder): " in done.error
            assert "\x1b" not in done.error + done.out
    with attack.attempt("a name that is not UTF-8 given to check"):
        path = folder / os.fsdecode(b"\xfe.txt")
        path.write_text(f"{_HONEST}\n", encoding="utf-8")
        (tmp_path / "quotes.txt").write_text(f"{_HONEST}\n", encoding="utf-8")
        assert run_groundwire("check", path, "-q", tmp_path / "quotes.txt").code == 0
