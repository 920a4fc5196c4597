"""Every question about a damaged or read-only file ends with the right answer or with one clear error."""

import importlib
import json
import os
import pkgutil
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest
from msgspec import Struct

import groundwire.agent_memory
import groundwire.http_server
import groundwire.memory
import groundwire.review
import groundwire.server
from attack import asking
from attack.test_audit import Place, fill
from effort import effort
from groundwire.errors import MemoryStoreError
from groundwire.memory import MemoryStore, StoreFailure
from memory.claims import NOON, claim

# No question takes this long; the limit ends those that hang.
DEADLINE_S = 300
PAGE = 4096
SEEN = ("confidential", "keeps its sessions", "anna", "rita", "not so")

ASK = Path(__file__).with_name("asking.py")


def flip_bytes(data: bytearray, chance: random.Random) -> None:
    """Give a few bytes other values."""
    for _ in range(chance.choice((1, 1, 2, 8, 64))):
        data[chance.randrange(100, len(data))] = chance.randrange(256)


def flip_header(data: bytearray, chance: random.Random) -> None:
    """Give a byte of the file's header another value."""
    data[chance.randrange(100)] = chance.randrange(256)


def zero_page(data: bytearray, chance: random.Random) -> None:
    """Empty a page."""
    start = PAGE * chance.randrange(1, len(data) // PAGE)
    data[start : start + PAGE] = bytes(PAGE)


def noise_page(data: bytearray, chance: random.Random) -> None:
    """Fill a page with noise."""
    start = PAGE * chance.randrange(1, len(data) // PAGE)
    data[start : start + PAGE] = chance.randbytes(PAGE)


def copy_page(data: bytearray, chance: random.Random) -> None:
    """Copy a page over another one."""
    one, two = (PAGE * chance.randrange(1, len(data) // PAGE) for _ in range(2))
    data[one : one + PAGE] = data[two : two + PAGE]


def swap_pages(data: bytearray, chance: random.Random) -> None:
    """Swap two pages."""
    one, two = (PAGE * chance.randrange(1, len(data) // PAGE) for _ in range(2))
    data[one : one + PAGE], data[two : two + PAGE] = data[two : two + PAGE], data[one : one + PAGE]


def point_elsewhere(data: bytearray, chance: random.Random) -> None:
    """Point an inner page to other children: itself, its parent, or one of them twice."""
    inner = [start for start in range(0, len(data), PAGE) if data[start + 100 * (start == 0)] in (2, 5)]
    start = chance.choice(inner)
    head = start + 100 * (start == 0)
    cells = int.from_bytes(data[head + 3 : head + 5], "big")
    places = [head + 8]
    for cell in range(cells):
        at = head + 12 + 2 * cell
        places.append(start + int.from_bytes(data[at : at + 2], "big"))
    children = [bytes(data[place : place + 4]) for place in places]
    others = [(start // PAGE + 1).to_bytes(4, "big"), chance.choice(children), chance.choice(children)]
    others.append(chance.randrange(1, len(data) // PAGE + 1).to_bytes(4, "big"))
    for place in chance.sample(places, chance.randrange(1, len(places) + 1)):
        data[place : place + 4] = chance.choice(others)


def move_cells(data: bytearray, chance: random.Random) -> None:
    """Move the entries of a page, repeat one, or change their order."""
    start = PAGE * chance.randrange(1, len(data) // PAGE)
    head = start + (12 if data[start] in (2, 5) else 8)
    cells = int.from_bytes(data[start + 3 : start + 5], "big")
    if 0 < cells < 500:
        pointers = [bytes(data[head + 2 * cell : head + 2 * cell + 2]) for cell in range(cells)]
        shuffled = chance.choices(pointers, k=cells) if chance.random() < 0.5 else chance.sample(pointers, cells)
        data[head : head + 2 * cells] = b"".join(shuffled)


def cut_off(data: bytearray, chance: random.Random) -> None:
    """Let the file end early."""
    del data[chance.randrange(100, len(data)) :]


def change_keys(data: bytearray, chance: random.Random) -> None:
    """Give the rows of a leaf other numbers: the same, smaller or larger ones."""
    leaves = [start for start in range(PAGE, len(data), PAGE) if data[start] == 13]
    start = chance.choice(leaves)
    cells = int.from_bytes(data[start + 3 : start + 5], "big")
    for cell in range(cells):
        at = start + int.from_bytes(data[start + 8 + 2 * cell : start + 10 + 2 * cell], "big")
        # The number follows the length of the row, which has one byte or more.
        while at < start + PAGE - 2 and data[at] & 0x80:
            at += 1
        if at < start + PAGE - 2:
            data[at + 1] = chance.choice((0, 1, data[at + 1], chance.randrange(256)))


DAMAGES = (
    *(flip_bytes, flip_header, zero_page, noise_page, copy_page, swap_pages, point_elsewhere, move_cells, cut_off),
    *(change_keys,),
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return a file with every table filled, the larger ones with inner pages."""
    file = tmp_path_factory.mktemp("whole") / "whole.db"
    fill(str(file), further=60)
    return file.read_bytes()


def answers(folder: Path, count: int) -> Iterator[dict]:
    """Return the child process's answers for each file in turn. A missing answer means a crash or a hang."""
    asked = subprocess.Popen(
        [sys.executable, str(ASK), str(folder), str(count)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    try:
        said, _ = asked.communicate(timeout=DEADLINE_S * effort(1, 10))
    except subprocess.TimeoutExpired:
        asked.kill()
        said, _ = asked.communicate()
    for line in said.splitlines():
        yield json.loads(line) if line.startswith("{") else {"stray": line}


def try_all(location: Path, *, exists: bool) -> None:
    """Read and write a database. Failed operations are `read_only`, and every value that was read is right."""
    ways = {
        "open": lambda _: None,
        "read": lambda store: [memory.id for memory in store.find("anna")] == ["m1"] or pytest.fail("another answer"),
        "verify": lambda store: store.integrity_errors() == [] or pytest.fail("faults"),
        "write": lambda store: store.add(claim("m2"), time=NOON),
        "purge": lambda store: store.purge(),
    }
    refused = {}
    for name, way in ways.items():
        try:
            with MemoryStore(location) as store:
                way(store)
        except MemoryStoreError as error:
            refused[name] = (error.failure, error.__context__)
    assert set(refused.values()) == {(StoreFailure.READ_ONLY, None)}
    assert {"write"} <= refused.keys() if exists else refused.keys() == ways.keys()


@contextmanager
def read_only_mount(folder: Path) -> Iterator[None]:
    """Mount the folder on itself as read-only; skip the test without the right to mount."""
    for options in (["--bind", str(folder), str(folder)], ["-o", "remount,ro,bind", str(folder)]):
        if subprocess.run(["mount", *options], capture_output=True, check=False).returncode:
            subprocess.run(["umount", str(folder)], capture_output=True, check=False)
            pytest.skip("nobody may mount here")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("with_log", [False, True], ids=["closed", "with-log"])
@pytest.mark.parametrize("exists", [True, False], ids=["there", "new"])
@pytest.mark.parametrize("what", ["file", "folder", "both", "mount", "symlink", "deeper"])
def test_read_only_storage_is_reported(attack, public_folder, nobody, what, exists, with_log):
    """
    A read-only file, folder or mount gives `read_only`, and nothing else; reading continues where SQLite can read.
    """
    place = public_folder / "place" / ("deeper" if what == "deeper" else "")
    place.mkdir(parents=True)
    file = place / "memories.db"
    with ExitStack() as stack:
        if exists:
            store = MemoryStore(file)
            store.add(claim("m1"), time=NOON)
            if not with_log:
                store.close()
        for each in place.iterdir():
            each.chmod(0o444 if what in ("file", "both") else 0o666)
        if what == "mount":
            stack.enter_context(read_only_mount(place))
        else:
            place.chmod(0o555)
        if exists and with_log:
            # SQLite keeps the log's files while a connection is open.
            stack.callback(store.close)
        if what == "symlink":
            (public_folder / "link.db").symlink_to(file)
            file = public_folder / "link.db"
        nobody()
        with attack.attempt(f"{what}, {exists}, {with_log}"):
            # A writable file with its log's files needs no writable folder.
            if not (exists and with_log and what in ("folder", "symlink", "deeper")):
                try_all(file, exists=exists)
        if os.getuid() == 0:
            os.seteuid(0)


SECRET = "Confidential words of a person"
# Records without text: hashes, labels, numbers, settings and, if a record is about one, a name.
WITHOUT_TEXT = {
    *("AuditEvent", "AuditEventDraft", "AuditSubject", "AdminEvent", "Anchor"),
    *("ReviewEvent", "ReviewEventDraft", "DecisionOutcome", "EventFilter", "Verification", "_Call"),
    *("ReviewerContext", "ReviewPolicy", "PageQuery", "TrustedProxy", "Principal", "TokenInfo", "PagePreferences"),
    *("AppContext", "WebRoute", "ServiceRoute", "ApiOperation", "ApiDescription"),
    *("HttpLimits", "RequestLimits", "ServiceLimits"),
}

PACKAGES = (groundwire.agent_memory, groundwire.http_server, groundwire.memory, groundwire.review, groundwire.server)
# It needs LangGraph, which the lane does not have, and defines no record.
WITHOUT_RECORDS = {"groundwire.agent_memory.langgraph"}


def records() -> Iterator[type]:
    """Yield every record class of the packages, private ones too."""
    for package in PACKAGES:
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if module.name in WITHOUT_RECORDS:
                continue
            for kind in vars(importlib.import_module(module.name)).values():
                if isinstance(kind, type) and kind.__module__ == module.name and field_names(kind):
                    yield kind


def field_names(kind: type) -> Sequence[str]:
    """Return the fields of a record; none for any other class."""
    if is_dataclass(kind):
        return [field.name for field in fields(kind)]
    return getattr(kind, "__struct_fields__" if issubclass(kind, Struct) else "_fields", ())


def test_no_record_shows_a_text(attack):
    """Each field holds a text, and the `repr` that logs and tracebacks print has only ids and labels."""
    for kind in records():
        if {kind.__name__, f"{kind.__module__.rpartition('.')[2]}.{kind.__name__}"} & WITHOUT_TEXT:
            continue
        names = field_names(kind)
        filled = {name: "label" if name in getattr(kind, "_shown", ()) else SECRET for name in names}
        for wrapped in (str, lambda text: (text,), lambda text: {text: text}, lambda text: [[text]]):
            values = {name: value if value == "label" else wrapped(value) for name, value in filled.items()}
            with attack.attempt(f"{kind.__module__}.{kind.__name__} {type(wrapped(''))}"):
                if is_dataclass(kind):
                    record = object.__new__(kind)
                    for name, value in values.items():
                        object.__setattr__(record, name, value)
                else:
                    record = kind(**values)
                assert "Confidential" not in f"{record!r} {record}"


def test_foreign_rows_give_one_clear_error(attack, tmp_path):
    """For each column of every table in turn, every question reports the bad value or answers."""
    place = Place(str(tmp_path / "whole.db"), is_sqlite=True)
    evil = ("x", "{", "[]", -1, 0, 2**63 - 1, -(2**63), 0.5, b"\xff", "\udcff", None, "9" * 400, "[" * 5_000)
    kinds = [
        (f"{table}.{column} = {str(value)[:20]!r}", f"UPDATE {table} SET {column} = ?", value)
        for table, columns in sorted(place.tables().items())
        for column in columns
        for value in evil
    ]
    place.store.close()
    for number, (name, statement, value) in enumerate(random.Random(7).sample(kinds, effort(120, len(kinds)))):
        file = tmp_path / f"{number}.db"
        shutil.copyfile(tmp_path / "whole.db", file)
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("PRAGMA ignore_check_constraints = ON")
            with suppress(sqlite3.Error):
                lone = isinstance(value, str) and not value.isascii()
                other.execute(
                    statement.replace("?", "CAST(x'ff' AS TEXT)") if lone else statement, () if lone else (value,)
                )
        with attack.attempt(name):
            assert asking.ask_all(tmp_path, number)["broken"] == {}
        file.unlink()


@pytest.mark.parametrize("damage", DAMAGES)
def test_every_question_ends(attack, tmp_path, whole, damage):
    """The end is the right answer or a `MemoryStoreError` without text, and never anything else."""
    count = effort(20, 800)
    for number in range(count):
        data = bytearray(whole)
        chance = random.Random(f"{damage.__name__} {number}")
        for _ in range(chance.choice((1, 1, 2))):
            if len(data) > 4 * PAGE:
                damage(data, chance)
        (tmp_path / f"{number}.db").write_bytes(data)
    told = list(answers(tmp_path, count))
    for number in range(count):
        with attack.attempt(f"{damage.__name__} {number}"):
            assert number < len(told), "no answer"
            assert told[number].get("number") == number, told[number]
            assert told[number]["broken"] == {}
            assert not [word for word in SEEN if word in json.dumps(told[number]["said"])]
    shutil.rmtree(tmp_path, ignore_errors=True)
