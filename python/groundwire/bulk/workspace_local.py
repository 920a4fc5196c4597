"""
What a run keeps on this machine.

Beside the output `OUT` stand, while it is made, the folder `OUT.groundwire` with the
header, a line for each finished part (`parts.jsonl`), and the parts themselves unless
they are the output; and in the end `OUT.manifest.json`, and `OUT.errors.jsonl` with the
lines that are no rows, if there were any. Everything is written aside and renamed. New
files have mode 0600, for they hold texts; one that is replaced passes its mode on.
"""

import contextlib
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import msgspec

from groundwire.bulk.places import reason_of
from groundwire.bulk.records import PartRecord
from groundwire.bulk.workspace import Workspace, sha256_of
from groundwire.errors import BulkError
from groundwire.private_files import open_private, take_place_of

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
        try:
            lock = self._lock()
        except OSError as error:
            raise BulkError(f"cannot write `{self.output}`: {reason_of(error)}") from error
        try:
            yield
        finally:
            # Another run may have made it anew, and be at it already.
            if self._is_mine(lock) and not (self._folder / _HEADER).exists():
                self._clear()
            lock.close()

    def _lock(self) -> BinaryIO:
        while True:
            opened = self._open_lock()
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
            if self._is_mine(opened):
                with contextlib.suppress(OSError):  # A full disk: whose it is will not be told.
                    opened.truncate(0)
                    opened.write(str(os.getpid()).encode())
                return opened
            opened.close()

    def _open_lock(self) -> BinaryIO:
        path = self._folder / _LOCK
        while True:
            self._folder.mkdir(exist_ok=True)
            # A run that ends at this moment takes the folder away.
            with contextlib.suppress(FileNotFoundError):
                names = {each.name for each in self._folder.iterdir()}
                if names and _LOCK not in names:
                    raise BulkError(f"`{self._folder}` is there already, and no run made it", "move it away")
                return path.open("a+b", buffering=0)

    def _is_mine(self, lock: BinaryIO) -> bool:
        """Tell whether *lock* is the one that others find."""
        try:
            return os.path.samestat(os.fstat(lock.fileno()), (self._folder / _LOCK).stat())
        except FileNotFoundError:
            return False

    def _clear(self) -> None:
        """Take the folder away: first what another run would go on with, last what keeps it off."""
        (self._folder / _HEADER).unlink(missing_ok=True)
        for path in self._folder.iterdir():
            if path.name != _LOCK:
                path.unlink()
        (self._folder / _LOCK).unlink()
        # Another run may stand in it again.
        with contextlib.suppress(OSError):
            self._folder.rmdir()

    def is_there(self) -> bool:
        """Tell whether there is an output."""
        if self.is_folder:
            return self._output.is_dir() and any(self._output.iterdir())
        return self._output.exists()

    def size_bytes(self, parts: Sequence[PartRecord]) -> int:
        """Ask the disk."""
        paths = [self._parts / record.name for record in parts] if self.is_folder else [self._output]
        return sum(path.stat().st_size for path in paths)

    def aside(self, name: str) -> Path:
        """Return a place on the disk of the output."""
        return self._folder / f"{name}.tmp"

    def keep(self, name: str, aside: Path) -> None:
        """Rename a part."""
        take_place_of(self._parts / name, aside)

    def keep_problems(self, number: int, lines: bytes) -> None:
        """Write them to a file."""
        _replace(self._problems_of(number), lines)

    def parts(self) -> list[Path]:
        """Return the files of all parts."""
        return [self._parts / record.name for record in self.records()]

    def publish(self, aside: Path) -> None:
        """Rename the output."""
        take_place_of(self._output, aside)

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
            # Where the disk was full a line may be broken off, and the next one come right after it.
            with contextlib.suppress(msgspec.MsgspecError):
                yield msgspec.json.decode(line, type=PartRecord)
        if lines[-1]:
            with journal.open("r+b") as opened:
                opened.truncate(len(content) - len(lines[-1]))

    def _is_whole(self, record: PartRecord) -> bool:
        path = self._parts / record.name
        try:
            problems = self._problems_of(record.number).read_bytes() if record.counts.problems else b""
            has_problems = problems.count(b"\n") == record.counts.problems
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
        with open_private(self._folder / _JOURNAL, "ab") as journal:
            journal.write(msgspec.json.encode(record) + b"\n")
            journal.flush()
            os.fsync(journal.fileno())

    def _finish(self, manifest: bytes, with_problems: list[int]) -> None:
        if with_problems:
            aside = self.aside(self._problems.name)
            with open_private(aside, "wb") as whole:
                for number in with_problems:
                    with self._problems_of(number).open("rb") as opened:
                        shutil.copyfileobj(opened, whole)
                whole.flush()
                os.fsync(whole.fileno())
            take_place_of(self._problems, aside)
        else:
            self._problems.unlink(missing_ok=True)
        if self.is_folder:
            _sync_names(self._output)
        _replace(self._manifest_path, manifest)
        self._clear()


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _replace(path: Path, content: bytes) -> None:
    """Write *path* so that there is the old file or the new one, whatever happens."""
    aside = path.with_name(f"{path.name}.tmp")
    with open_private(aside, "wb") as opened:
        opened.write(content)
        opened.flush()
        os.fsync(opened.fileno())
    take_place_of(path, aside)
    _sync_names(path.parent)


def _sync_names(folder: Path) -> None:
    """See to it that what was renamed in *folder* is so on the disk too; what Windows has no call for."""
    if os.name == "nt":
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


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
