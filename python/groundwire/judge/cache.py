"""
Judgements on disk, so that nobody pays twice for the same question.

Each is a file, named by a hash of everything that was asked: the messages, the models, the server, the parameters and
the schema. A file is written beside its place and then moved there, so that it is complete or missing, also with
several processes.

A file holds the judge's words, which quote answer and sources. Only its owner can read it (mode 0600). A file of
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
_NO_LINKS: int = getattr(os, "O_NOFOLLOW", 0)


def cache_key(asked: Mapping[str, object]) -> str:
    """Return 64 hexadecimal digits for everything that was *asked*, which JSON can write."""
    written = json.dumps([_VERSION, asked], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(written.encode("ascii")).hexdigest()


class JudgementCache:
    """
    A folder of judgements; made when the first one is kept.

    Args:
        folder: Where. Nothing is ever removed from it; all of it can be, at any time.
    """

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder)

    def read(self, key: str) -> dict[str, object] | None:
        """Return the fields kept under *key*; None if there are none, or they are not to be trusted."""
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
        """Return what *schema* reads in the fields under *key*; None if there are none or it refuses them."""
        fields = self.read(key)
        if fields is None:
            return None
        try:
            return schema.read(fields)
        except LLMError:
            telemetry.judge_cache_entry_ignored(fault="damaged")
            return None

    def write(self, key: str, fields: Mapping[str, object]) -> None:
        """Keep *fields* under *key*. A disk that is full or read-only costs the entry and nothing else."""
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
    """Return the fields in a file, None if they are not those that were written there."""
    try:
        entry = json.loads(content)
        fields = entry["judgement"]
        is_whole = entry["sha256"] == _digest(key, fields)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return fields if is_whole and isinstance(fields, dict) else None


def _read_private(path: Path) -> bytes | None:
    """Return the content of a file of our own; None if somebody else may have written it."""
    with os.fdopen(os.open(path, os.O_RDONLY | _NO_LINKS), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            return None
        if sys.platform != "win32" and (status.st_uid != os.geteuid() or status.st_mode & 0o022):
            return None
        return file.read()
