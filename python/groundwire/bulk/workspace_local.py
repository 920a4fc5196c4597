"""
What a run keeps on this machine.

Beside the output `OUT` stand, while it is made, the folder `OUT.groundwire` with the
header, a line for each finished part (`parts.jsonl`), and the parts themselves unless
they are the output; and in the end `OUT.manifest.json`, and `OUT.errors.jsonl` with the
lines that are no rows, if there were any. Everything is written aside and renamed.
"""

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from groundwire.bulk.records import PartRecord
from groundwire.bulk.workspace import Workspace, sha256_of
from groundwire.errors import BulkError

__all__ = ["LocalWorkspace"]

_HEADER, _JOURNAL, _LOCK = "header.json", "parts.jsonl", "lock"


class LocalWorkspace(Workspace):
    """The places of an output on this machine, kept from other runs by a lock that ends with the process."""

    def __init__(self, output: Path, *, is_folder: bool) -> None:
        super().__init__(str(output), is_folder=is_folder)
        self._output = output
        self._manifest_path = output.with_name(f"{output.name}.manifest.json")
        self._problems = output.with_name(f"{output.name}.errors.jsonl")
        self._folder = output.with_name(f"{output.name}.groundwire")
        self._parts = output if is_folder else self._folder

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock."""
        lock = self._lock()
        try:
            yield
        finally:
            if self._folder.is_dir() and not (self._folder / _HEADER).exists():
                shutil.rmtree(self._folder)
            lock.close()

    def _lock(self) -> BinaryIO:
        path = self._folder / _LOCK
        while True:
            self._folder.mkdir(exist_ok=True)
            opened = path.open("a+b")
            try:
                _take(opened)
            except OSError:
                opened.seek(0)
                process = opened.read(32).decode("ascii", "replace")
                opened.close()
                raise BulkError(
                    f"another run (process {process}) writes `{self.output}`", "wait for its end, or write elsewhere"
                ) from None
            # A run that ends takes the folder away; then this is the lock of one that is gone.
            if path.exists() and os.fstat(opened.fileno()).st_ino == path.stat().st_ino:
                opened.truncate(0)
                opened.write(str(os.getpid()).encode())
                opened.flush()
                return opened
            opened.close()

    def is_there(self) -> bool:
        """Tell whether there is an output."""
        if self.is_folder:
            return self._output.is_dir() and any(self._output.iterdir())
        return self._output.exists()

    def aside(self, name: str) -> Path:
        """Return a place on the disk of the output."""
        return self._folder / f"{name}.tmp"

    def keep(self, name: str, aside: Path) -> None:
        """Rename a part."""
        aside.replace(self._parts / name)

    def keep_problems(self, number: int, lines: bytes) -> None:
        """Write them to a file."""
        self._problems_of(number).write_bytes(lines)

    def parts(self) -> list[Path]:
        """Return the files of all parts."""
        return [self._parts / record.name for record in self.records()]

    def publish(self, aside: Path) -> None:
        """Rename the output."""
        aside.replace(self._output)

    def _header(self) -> bytes | None:
        return _content(self._folder / _HEADER)

    def _manifest(self) -> bytes | None:
        return _content(self._manifest_path)

    def _records(self) -> Iterator[PartRecord]:
        journal = self._folder / _JOURNAL
        content = _content(journal)
        if content is None:
            return
        lines = content.split(b"\n")
        # What comes after the last line's end was not written whole.
        for line in lines[:-1]:
            yield msgspec.json.decode(line, type=PartRecord)
        if lines[-1]:
            with journal.open("r+b") as opened:
                opened.truncate(len(content) - len(lines[-1]))

    def _is_whole(self, record: PartRecord) -> bool:
        path = self._parts / record.name
        try:
            has_problems = not record.counts.problems or self._problems_of(record.number).exists()
            return has_problems and path.stat().st_size == record.size_bytes and sha256_of(path) == record.sha256
        except OSError:
            return False

    def _problems_of(self, number: int) -> Path:
        return self._folder / f"problems-{number:06}.jsonl"

    def _forget(self) -> None:
        for path in self._folder.iterdir():
            if path.name != _LOCK:
                path.unlink()
        if self.is_folder:
            # It says that the folder is whole.
            self._manifest_path.unlink(missing_ok=True)
            for path in self._output.glob("part-*"):
                path.unlink()

    def _begin(self, header: bytes) -> None:
        if self.is_folder:
            self._output.mkdir(exist_ok=True)
        _replace(self._folder / _HEADER, header)

    def _note(self, record: PartRecord) -> None:
        with (self._folder / _JOURNAL).open("ab") as journal:
            journal.write(msgspec.json.encode(record) + b"\n")
            journal.flush()
            os.fsync(journal.fileno())

    def _finish(self, manifest: bytes, with_problems: list[int]) -> None:
        if with_problems:
            aside = self.aside(self._problems.name)
            with aside.open("wb") as whole:
                for number in with_problems:
                    with self._problems_of(number).open("rb") as opened:
                        shutil.copyfileobj(opened, whole)
                whole.flush()
                os.fsync(whole.fileno())
            aside.replace(self._problems)
        else:
            self._problems.unlink(missing_ok=True)
        _replace(self._manifest_path, manifest)
        shutil.rmtree(self._folder)


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _replace(path: Path, content: bytes) -> None:
    """Write *path* so that there is the old file or the new one, whatever happens."""
    aside = path.with_name(f"{path.name}.tmp")
    with aside.open("wb") as opened:
        opened.write(content)
        opened.flush()
        os.fsync(opened.fileno())
    aside.replace(path)


def _take(opened: BinaryIO) -> None:
    """
    Lock a file until it is closed, also by the end of the process.

    Raises:
        OSError: Somebody else has it.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        msvcrt.locking(opened.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        return
    fcntl.flock(opened.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
