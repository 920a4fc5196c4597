"""Endless files, huge files and bombs: every command refuses them, nothing hangs, and memory stays limited."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from attack.limited import MEMORY_BYTES, Done, run_groundwire, run_limited
from effort import IS_LONG, effort
from groundwire.files import LIMIT_VARIABLE

_HONEST = "The clinic opens at nine."

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
    return run_groundwire(*(each.replace("{}", str(path)) for each in command.split(" ")), **options)


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
        file.truncate(20 << 30)
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
        done = run_groundwire("check", "-", "-q", "quotes.txt", stdin=pipe, env=environment)
        assert done.code == 2
        assert "more than 4,194,304 bytes, the limit; GROUNDWIRE_MAX_FILE_BYTES sets another" in done.error
    with attack.attempt("the limit that nobody set"), endless_pipe(b"", b"The clinic opens at nine.\n") as pipe:
        done = run_groundwire("check", "-", "-q", "quotes.txt", stdin=pipe)
        assert done.code == 2
        assert "more than 268,435,456 bytes" in done.error
    for value in ("0", "-1", "many", "1e9", "9" * 30, "１"):
        with attack.attempt(f"a limit of {value}"):
            done = run_groundwire("check", "notes.txt", "-q", "quotes.txt", env={**os.environ, LIMIT_VARIABLE: value})
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
            piped = run_limited(["bash", "-c", shell], memory_bytes=MEMORY_BYTES)
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
