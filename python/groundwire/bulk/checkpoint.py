"""
What a run keeps on local disk, so that the same call can resume it.

While the output `OUT` is being made, the folder `OUT.groundwire` beside it holds the header, one line for
each finished part (`parts.jsonl`), and the parts themselves unless `OUT` is a folder of parts. At the end,
`OUT.manifest.json` is written, and `OUT.errors.jsonl` if some lines were malformed. Every file is written under a
temporary name and renamed. New files have mode 0600, because they hold texts; a file that is replaced keeps
its mode.
"""

import contextlib
import hashlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from groundwire.bulk.counting import SourceTally
from groundwire.bulk.places import reason_of
from groundwire.bulk.records import Header, Manifest, PartRecord
from groundwire.errors import BulkError
from groundwire.private_files import open_private, take_place_of

__all__ = ["Checkpoint", "parse_manifest", "sha256_of"]

_HEADER, _JOURNAL, _LOCK = "header.json", "parts.jsonl", "lock"


class Checkpoint:
    """
    The finished parts of one output on local disk.

    Attributes:
        output: The output: a file, or a folder of parts.
        name: The output as messages show it.
        is_folder: Whether the output is a folder.
        done: The finished parts by number, without their counts by source.
        sources: The counts by source, summed over the finished parts.
    """

    def __init__(self, output: Path, name: str, *, is_folder: bool) -> None:
        self.output, self.name, self.is_folder = output, name, is_folder
        self.done: dict[int, PartRecord] = {}
        self.sources = SourceTally()
        self.manifest = output.with_name(f"{output.name}.manifest.json")
        self.errors = output.with_name(f"{output.name}.errors.jsonl")
        self._folder = output.with_name(f"{output.name}.groundwire")
        self._parts = output if is_folder else self._folder

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """
        Keep other runs on this machine away from the output; the lock ends with the process.

        Raises:
            BulkError: Another run holds the lock, or the folder cannot be written.
        """
        try:
            lock = self._lock()
        except OSError as error:
            raise BulkError(f"cannot write `{self.output}`: {reason_of(error)}") from error
        try:
            yield
        finally:
            # Somebody may have removed the folder, and another run may have made it again.
            if self._is_current(lock) and not (self._folder / _HEADER).exists():
                self._remove_folder()
            lock.close()

    def _lock(self) -> BinaryIO:
        while True:
            opened = self._open_lock()
            try:
                _lock_file(opened)
            except OSError:
                opened.seek(0)
                process = opened.read(32).decode("ascii", "replace")
                opened.close()
                raise BulkError(
                    f"another run (process {process}) writes `{self.name}`", "wait for its end, or write elsewhere"
                ) from None
            # A run that ends removes the folder; then this lock belongs to a file that is gone.
            if self._is_current(opened):
                with contextlib.suppress(OSError):  # On a full disk the lock has no process id.
                    opened.truncate(0)
                    opened.write(str(os.getpid()).encode())
                return opened
            opened.close()

    def _open_lock(self) -> BinaryIO:
        while True:
            self._folder.mkdir(exist_ok=True)
            # A run that ends at this moment removes the folder.
            with contextlib.suppress(FileNotFoundError):
                names = {each.name for each in self._folder.iterdir()}
                if names and _LOCK not in names:
                    raise BulkError(f"`{self._folder}` exists already, and no run made it", "move it away")
                return (self._folder / _LOCK).open("a+b", buffering=0)

    def _is_current(self, lock: BinaryIO) -> bool:
        """Tell whether *lock* is the file that other runs find."""
        try:
            return os.path.samestat(os.fstat(lock.fileno()), (self._folder / _LOCK).stat())
        except FileNotFoundError:
            return False

    def _remove_folder(self) -> None:
        self._empty_folder()
        (self._folder / _LOCK).unlink()
        # Another run may use the folder again.
        with contextlib.suppress(OSError):
            self._folder.rmdir()

    def _empty_folder(self) -> None:
        """Delete everything but the lock; the header goes first, so that nobody resumes what is left."""
        (self._folder / _HEADER).unlink(missing_ok=True)
        for path in self._folder.iterdir():
            if path.name != _LOCK:
                path.unlink()

    def finished(self) -> Manifest | None:
        """Return the manifest of a complete output, or None."""
        content = _read_or_none(self.manifest)
        manifest = None if content is None else parse_manifest(content)
        try:
            is_whole = manifest is not None and self.size_bytes(manifest.parts) == manifest.size_bytes
        except FileNotFoundError:
            return None
        return manifest if is_whole else None

    def begun(self) -> Header | None:
        """
        Return the header of an unfinished run and read its finished parts, or return None.

        Raises:
            BulkError: The header is broken.
        """
        content = _read_or_none(self._folder / _HEADER)
        if content is None:
            return None
        try:
            header = msgspec.json.decode(content, type=Header)
        except (msgspec.MsgspecError, UnicodeError):
            raise BulkError(
                f"the checkpoint of `{self.name}` is broken, or of another version", "--no-resume starts over"
            ) from None
        for record in self._records():
            is_known = record.number in self.done or record.file >= len(header.inputs)
            if not is_known and self._is_whole(record):
                self._remember(record)
        return header

    def begin(self, header: Header) -> None:
        """Delete what an earlier run left, and write the header of this one."""
        self._empty_folder()
        if self.is_folder:
            # The manifest would say that the folder is complete.
            self.manifest.unlink(missing_ok=True)
            for path in self.output.glob("part-*"):
                path.unlink()
            self.output.mkdir(exist_ok=True)
        self.done, self.sources = {}, SourceTally()
        _replace_file(self._folder / _HEADER, msgspec.json.format(msgspec.json.encode(header), indent=2))

    def add(self, record: PartRecord) -> None:
        """Record that a part is finished."""
        with open_private(self._folder / _JOURNAL, "ab") as journal:
            journal.write(msgspec.json.encode(record) + b"\n")
            journal.flush()
            os.fsync(journal.fileno())
        self._remember(record)

    def records(self) -> list[PartRecord]:
        """Return the finished parts in order."""
        return [self.done[number] for number in sorted(self.done)]

    def parts(self) -> list[Path]:
        """Return the files of the finished parts in order."""
        return [self._parts / record.name for record in self.records()]

    def output_exists(self) -> bool:
        """Tell whether there is an output: a file, or something in the folder."""
        if self.is_folder:
            return self.output.is_dir() and any(self.output.iterdir())
        return self.output.exists()

    def size_bytes(self, parts: list[PartRecord]) -> int:
        """
        Return the size of the output that *parts* became.

        Raises:
            FileNotFoundError: A part of it is missing.
        """
        paths = [self._parts / record.name for record in parts] if self.is_folder else [self.output]
        return sum(path.stat().st_size for path in paths)

    def temporary(self, name: str) -> Path:
        """Return a temporary path for *name* on the disk of the output."""
        return self._folder / f"{name}.tmp"

    def keep(self, name: str, written: Path) -> None:
        """Rename a part that is completely written."""
        take_place_of(self._parts / name, written)

    def keep_problems(self, number: int, lines: bytes) -> None:
        """Write the malformed lines of a part."""
        _replace_file(self._problems_of(number), lines)

    def finish(self, manifest: Manifest) -> None:
        """Write the malformed lines and the manifest, and delete the checkpoint."""
        numbers = [record.number for record in self.records() if record.counts.problems]
        if numbers:
            self._write_errors(numbers)
        else:
            self.errors.unlink(missing_ok=True)
        if self.is_folder:
            _sync_folder(self.output)
        _replace_file(self.manifest, msgspec.json.format(msgspec.json.encode(manifest), indent=1))
        self._empty_folder()

    def remove_output(self) -> None:
        """Delete the finished output with its manifest, which goes first."""
        self.manifest.unlink(missing_ok=True)
        self.errors.unlink(missing_ok=True)
        if self.is_folder:
            shutil.rmtree(self.output)
        else:
            self.output.unlink()

    def _write_errors(self, numbers: list[int]) -> None:
        temporary = self.temporary(self.errors.name)
        with open_private(temporary, "wb") as whole:
            for number in numbers:
                with self._problems_of(number).open("rb") as opened:
                    shutil.copyfileobj(opened, whole)
            whole.flush()
            os.fsync(whole.fileno())
        take_place_of(self.errors, temporary)

    def _remember(self, record: PartRecord) -> None:
        self.sources.add(record.sources)
        self.done[record.number] = msgspec.structs.replace(record, sources=None)

    def _records(self) -> Iterator[PartRecord]:
        """Yield the records of the journal, except for broken ones: those parts are made again."""
        journal = self._folder / _JOURNAL
        content = _read_or_none(journal)
        if content is None:
            return
        lines = content.split(b"\n")
        # Text after the last line end was not written completely.
        for line in lines[:-1]:
            # On a full disk a line may be cut off, and the next one follows without a line end.
            with contextlib.suppress(msgspec.MsgspecError):
                yield msgspec.json.decode(line, type=PartRecord)
        if lines[-1]:
            with journal.open("r+b") as opened:
                opened.truncate(len(content) - len(lines[-1]))

    def _is_whole(self, record: PartRecord) -> bool:
        """Tell whether the file of a part is as it was written."""
        path = self._parts / record.name
        try:
            problems = self._problems_of(record.number).read_bytes() if record.counts.problems else b""
            has_problems = problems.count(b"\n") == record.counts.problems
            return has_problems and path.stat().st_size == record.size_bytes and sha256_of(path) == record.sha256
        except OSError:
            return False

    def _problems_of(self, number: int) -> Path:
        return self._folder / f"problems-{number:06}.jsonl"


def parse_manifest(content: bytes) -> Manifest | None:
    """Return the manifest that *content* holds, or None."""
    try:
        return msgspec.json.decode(content, type=Manifest)
    except (msgspec.MsgspecError, UnicodeError):
        return None


def sha256_of(path: Path) -> str:
    """Return the SHA-256 hash of a file in hexadecimal."""
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _read_or_none(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _replace_file(path: Path, content: bytes) -> None:
    """Write *path* atomically and durably."""
    temporary = path.with_name(f"{path.name}.tmp")
    with open_private(temporary, "wb") as opened:
        opened.write(content)
        opened.flush()
        os.fsync(opened.fileno())
    take_place_of(path, temporary)
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make renames in *folder* durable; Windows has no call for it."""
    if os.name == "nt":
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _lock_file(opened: BinaryIO) -> None:
    """
    Lock a file until it is closed or the process ends.

    Raises:
        OSError: Another process holds the lock.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        msvcrt.locking(opened.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        return
    fcntl.flock(opened.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
