"""
Caches judgements on disk, so that nobody pays twice for the same question.

The name of a file is a hash of the whole request: the messages, the models, the server, the parameters and the schema.
A file is written under another name and then moved, so that it is complete or missing, even with several processes.

A file contains the judge's words, which quote answer and sources. Only its owner can read it (mode 0600). A file of
another user, a link, or a damaged file counts as missing.
"""

import hashlib
import json
import os
import secrets
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from groundwire import telemetry
from groundwire.errors import LLMError
from groundwire.judge.schemas import ResponseSchema
from groundwire.private_files import open_private

__all__ = ["JudgementCache", "cache_key"]

_Read = TypeVar("_Read")

_VERSION = 1
_FOLDER_MODE = 0o700
# Without O_NONBLOCK, opening a pipe waits for a writer.
_FLAGS: int = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


def cache_key(asked: Mapping[str, object]) -> str:
    """Return 64 hexadecimal digits for the request *asked*, which must have JSON types."""
    written = json.dumps([_VERSION, asked], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(written.encode("ascii")).hexdigest()


class JudgementCache:
    """
    A folder of judgements, created with the first entry.

    Args:
        folder: The folder. Nothing is removed from it automatically; all files can be removed at any time.
    """

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder)

    def read(self, key: str) -> dict[str, object] | None:
        """Return the fields stored under *key*; None for a missing or untrusted entry."""
        path = self._path(key)
        try:
            content = _read_private(path)
        except FileNotFoundError:
            return None
        except OSError:
            content = None
        fields = None if content is None else _unpack(content, key)
        if fields is None:
            telemetry.judge_cache_entry_ignored(fault="unreadable" if content is None else "damaged")
        return fields

    def read_answer(self, key: str, schema: ResponseSchema[_Read]) -> _Read | None:
        """Return what *schema* reads from the fields under *key*; None for a missing or invalid entry."""
        fields = self.read(key)
        if fields is None:
            return None
        try:
            return schema.read(fields)
        except LLMError:
            telemetry.judge_cache_entry_ignored(fault="damaged")
            return None

    def write(self, key: str, fields: Mapping[str, object]) -> None:
        """Store *fields* under *key*. A full or read-only disk costs only the entry."""
        path = self._path(key)
        beside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
        try:
            self._folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
            path.parent.mkdir(mode=_FOLDER_MODE, exist_ok=True)
            with open_private(beside, "xb") as file:
                file.write(_pack(key, fields))
            beside.replace(path)
        except OSError:
            with suppress(OSError):
                beside.unlink()
            telemetry.judge_cache_entry_ignored(fault="unwritable")

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"


def _digest(key: str, fields: Mapping[str, object]) -> str:
    return hashlib.sha256(json.dumps([key, fields], sort_keys=True).encode("ascii")).hexdigest()


def _pack(key: str, fields: Mapping[str, object]) -> bytes:
    return json.dumps({"judgement": fields, "sha256": _digest(key, fields)}).encode("ascii")


def _unpack(content: bytes, key: str) -> dict[str, object] | None:
    """Return the fields in a file; None if they are not the fields that were written."""
    try:
        entry = json.loads(content)
        fields = entry["judgement"]
        is_whole = entry["sha256"] == _digest(key, fields)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return fields if is_whole and isinstance(fields, dict) else None


def _read_private(path: Path) -> bytes | None:
    """Return the content of a file of our own; None if another user may have written it."""
    with os.fdopen(os.open(path, _FLAGS), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            return None
        if sys.platform != "win32" and (status.st_uid != os.geteuid() or status.st_mode & 0o022):
            return None
        return file.read()
