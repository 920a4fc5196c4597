"""
Where a run keeps what it has done, so that another one goes on from there.

Beside the output `OUT` stand, while it is made, the folder `OUT.groundwire` with the
header, a line for each finished part (`parts.jsonl`), and the parts themselves unless
they are the output; and in the end `OUT.manifest.json`, and `OUT.errors.jsonl` with the
lines that are no rows, if there were any. Everything is written aside and renamed.
"""

import contextlib
import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from groundwire.bulk.counting import SourceTally
from groundwire.bulk.records import Header, Manifest, PartRecord
from groundwire.errors import BulkError

__all__ = ["Workspace", "replace_file"]

_HEADER, _JOURNAL, _LOCK = "header.json", "parts.jsonl", "lock"


class Workspace:
    """
    The places of one output.

    Attributes:
        output: The output: a file, or a folder of parts.
        is_folder: Which of both.
        done: The finished parts by their numbers, without what was counted by source.
        sources: That, added up over the finished parts.
    """

    def __init__(self, output: Path, *, is_folder: bool) -> None:
        self.output = output
        self.is_folder = is_folder
        self.done: dict[int, PartRecord] = {}
        self.sources = SourceTally()
        self.manifest = output.with_name(f"{output.name}.manifest.json")
        self.problems = output.with_name(f"{output.name}.errors.jsonl")
        self.folder = output.with_name(f"{output.name}.groundwire")
        self._parts = output if is_folder else self.folder

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """
        Keep every other run from this output.

        Raises:
            BulkError: One is at it.
        """
        lock = self._lock()
        try:
            yield
        finally:
            # Another run may have made it anew, and be at it already.
            if self._is_mine(lock) and not (self.folder / _HEADER).exists():
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
        path = self.folder / _LOCK
        while True:
            self.folder.mkdir(exist_ok=True)
            # A run that ends at this moment takes the folder away.
            with contextlib.suppress(FileNotFoundError):
                names = {each.name for each in self.folder.iterdir()}
                if names and _LOCK not in names:
                    raise BulkError(f"`{self.folder}` is there already, and no run made it", "move it away")
                return path.open("a+b", buffering=0)

    def _is_mine(self, lock: BinaryIO) -> bool:
        """Tell whether *lock* is the one that others find."""
        try:
            return os.path.samestat(os.fstat(lock.fileno()), (self.folder / _LOCK).stat())
        except FileNotFoundError:
            return False

    def _clear(self) -> None:
        """Take the folder away: first what another run would go on with, last what keeps it off."""
        (self.folder / _HEADER).unlink(missing_ok=True)
        for path in self.folder.iterdir():
            if path.name != _LOCK:
                path.unlink()
        (self.folder / _LOCK).unlink()
        # Another run may stand in it again.
        with contextlib.suppress(OSError):
            self.folder.rmdir()

    def finished(self) -> Manifest | None:
        """Return the manifest of an output that is whole, None if there is no such output."""
        try:
            manifest = msgspec.json.decode(self.manifest.read_bytes(), type=Manifest)
            return manifest if self.size_bytes(manifest.parts) == manifest.size_bytes else None
        except (msgspec.MsgspecError, OSError):
            return None

    def size_bytes(self, parts: Iterable[PartRecord]) -> int:
        """
        Return how large the output is that *parts* became.

        Raises:
            OSError: Not all of it is there.
        """
        paths = [self.part(record.name) for record in parts] if self.is_folder else [self.output]
        return sum(path.stat().st_size for path in paths)

    def begun(self) -> Header | None:
        """Return the header of a run that was begun, and read what it has done; None if there is none."""
        try:
            content = (self.folder / _HEADER).read_bytes()
        except FileNotFoundError:
            return None
        try:
            header = msgspec.json.decode(content, type=Header)
        except (msgspec.MsgspecError, UnicodeError):
            raise BulkError(f"`{self.folder}` is broken, or of another version", "--no-resume starts over") from None
        for record in self._records():
            is_known = record.number in self.done or record.file >= len(header.inputs)
            if not is_known and self._is_whole(record):
                self._remember(record)
        return header

    def _remember(self, record: PartRecord) -> None:
        self.sources.add(record.sources)
        self.done[record.number] = msgspec.structs.replace(record, sources=None)

    def _records(self) -> Iterator[PartRecord]:
        journal = self.folder / _JOURNAL
        if not journal.exists():
            return
        lines = journal.read_bytes().split(b"\n")
        # What comes after the last line's end was not written whole.
        for line in lines[:-1]:
            # Where the disk was full a line may be broken off, and the next one come right after it.
            with contextlib.suppress(msgspec.MsgspecError):
                yield msgspec.json.decode(line, type=PartRecord)
        if lines[-1]:
            with journal.open("r+b") as opened:
                opened.truncate(journal.stat().st_size - len(lines[-1]))

    def _is_whole(self, record: PartRecord) -> bool:
        """Tell whether the file of a part is there as it was written."""
        path = self._parts / record.name
        try:
            problems = self.problems_of(record.number).read_bytes() if record.counts.problems else b""
            has_problems = problems.count(b"\n") == record.counts.problems
            return has_problems and path.stat().st_size == record.size_bytes and sha256_of(path) == record.sha256
        except OSError:
            return False

    def begin(self, header: Header) -> None:
        """Forget everything that was done before, and write down what is done now."""
        for path in self.folder.iterdir():
            if path.name != _LOCK:
                path.unlink()
        if self.is_folder and self.output.is_dir():
            for path in self.output.glob("part-*"):
                path.unlink()
        if self.is_folder:
            self.output.mkdir(exist_ok=True)
        self.done, self.sources = {}, SourceTally()
        replace_file(self.folder / _HEADER, msgspec.json.format(msgspec.json.encode(header), indent=2))

    def part(self, name: str) -> Path:
        """Return the place of a part's file."""
        return self._parts / name

    def aside(self, name: str) -> Path:
        """Return a place for a file that is being written."""
        return self.folder / f"{name}.tmp"

    def problems_of(self, number: int) -> Path:
        """Return the place for the lines of a part that are no rows."""
        return self.folder / f"problems-{number:06}.jsonl"

    def add(self, record: PartRecord) -> None:
        """Write down that a part is finished."""
        with (self.folder / _JOURNAL).open("ab") as journal:
            journal.write(msgspec.json.encode(record) + b"\n")
            journal.flush()
            os.fsync(journal.fileno())
        self._remember(record)

    def records(self) -> list[PartRecord]:
        """Return the finished parts in their order."""
        return [self.done[number] for number in sorted(self.done)]

    def finish(self, manifest: Manifest) -> None:
        """Put lines that are no rows and manifest beside the output, and take the folder away."""
        files = [self.problems_of(number) for number in sorted(self.done) if self.done[number].counts.problems]
        if files:
            aside = self.aside(self.problems.name)
            with aside.open("wb") as whole:
                for path in files:
                    with path.open("rb") as opened:
                        shutil.copyfileobj(opened, whole)
                whole.flush()
                os.fsync(whole.fileno())
            aside.replace(self.problems)
        else:
            self.problems.unlink(missing_ok=True)
        if self.is_folder:
            _sync_names(self.output)
        replace_file(self.manifest, msgspec.json.format(msgspec.json.encode(manifest), indent=1))
        self._clear()


def replace_file(path: Path, content: bytes) -> None:
    """Write *path* so that there is the old file or the new one, whatever happens."""
    aside = path.with_name(f"{path.name}.tmp")
    with aside.open("wb") as opened:
        opened.write(content)
        opened.flush()
        os.fsync(opened.fileno())
    aside.replace(path)
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


def sha256_of(path: Path) -> str:
    """Return the hash of a file."""
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


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
