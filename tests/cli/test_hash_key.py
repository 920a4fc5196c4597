"""Databases with their own key, which the commands read from the environment byte by byte."""

import pytest

from groundwire.memory import MemoryStore

KEY = "0123456789abcdef é".encode()


@pytest.fixture
def database(tmp_path) -> str:
    """Return an empty database that was created with a key."""
    path = str(tmp_path / "memories.db")
    MemoryStore(path, hash_key=KEY).close()
    return path


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
@pytest.mark.parametrize("command", [("list",), ("verify-audit",), ("token", "--list")])
def test_the_key_is_in_a_file_or_in_the_environment(run, database, tmp_path, monkeypatch, command, end):
    """The line end of the file does not belong to the key."""
    name, *options = command
    (tmp_path / "key").write_bytes(KEY + end)
    monkeypatch.setenv("GROUNDWIRE_HASH_KEY_FILE", str(tmp_path / "key"))
    assert run("review", name, database, *options).code == 0
    monkeypatch.delenv("GROUNDWIRE_HASH_KEY_FILE")
    monkeypatch.setenv("GROUNDWIRE_HASH_KEY", KEY.decode())
    assert run("review", name, database, *options).code == 0


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({}, "the database needs its hash_key, and none was given"),
        ({"GROUNDWIRE_HASH_KEY": "another key of some length"}, "the database has another hash_key"),
        ({"GROUNDWIRE_HASH_KEY": ""}, "hash_key has 0 bytes; it needs at least 16"),
        ({"GROUNDWIRE_HASH_KEY": "short"}, "hash_key has 5 bytes; it needs at least 16"),
        ({"GROUNDWIRE_HASH_KEY_FILE": "nowhere"}, "no file `nowhere`"),
        ({"GROUNDWIRE_HASH_KEY": "a", "GROUNDWIRE_HASH_KEY_FILE": "b"}, "are both set"),
    ],
)
def test_errors_do_not_show_the_key(run, database, monkeypatch, variables, words):
    """One line, a hint where to set the key, and exit code 2."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    done = run("review", "list", database)
    assert done.code == 2
    assert words in done.stderr
    assert ("or GROUNDWIRE_HASH_KEY_FILE to its file" in done.stderr) == ("hash_key" in words)
    assert "another key" not in done.stderr
    assert "short" not in done.stderr


def test_ingest_keeps_memories_with_a_key_too(run, tmp_path, monkeypatch):
    """Only the same key opens the store."""
    monkeypatch.setenv("GROUNDWIRE_HASH_KEY", KEY.decode())
    path = str(tmp_path / "new.db")
    (tmp_path / "claims.jsonl").write_text(
        '{"content": "I prefer tabs", "memory_type": "preference", "source": "user"}\n'
    )
    done = run("ingest", "--file", str(tmp_path / "claims.jsonl"), "--database", path, "--user", "anna")
    assert done.code in (0, 1), done.stderr
    with pytest.raises(ValueError, match="none was given"):
        MemoryStore(path)
    MemoryStore(path, hash_key=KEY).close()
