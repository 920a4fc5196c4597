"""
Keeps the finished partitions of a run on local disk, so that the same call can resume it.

While the output `OUT` is being made, the folder `OUT.groundwire` beside it holds the header, one line for each
finished partition (`partitions.jsonl`), and the partitions themselves unless `OUT` is a folder of partitions. At the
end, `OUT.manifest.json` is written, and `OUT.errors.jsonl` if some lines were malformed. Every file is written under a
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

from groundwire.bulk.inputs import os_error_reason
from groundwire.bulk.manifest import JobHeader, JobManifest, PartitionRecord, SourceCounter
from groundwire.errors import BulkError
from groundwire.private_files import open_private, take_place_of

__all__ = ["Checkpoint", "parse_manifest", "sha256_of"]

_HEADER, _JOURNAL, _LOCK = "header.json", "partitions.jsonl", "lock"


class Checkpoint:
    """
    The finished partitions of one output on local disk.

    Attributes:
        output: The output: a file, or a folder of partitions.
        name: The output as messages show it.
        is_folder: Whether the output is a folder.
        done: The finished partitions by number, without their counts by source.
        sources: The counts by source, summed over the finished partitions.
    """

    def __init__(self, output: Path, name: str, *, is_folder: bool) -> None:
        self.output, self.name, self.is_folder = output, name, is_folder
        self.done: dict[int, PartitionRecord] = {}
        self.sources = SourceCounter()
        self.manifest = output.with_name(f"{output.name}.manifest.json")
        self.errors = output.with_name(f"{output.name}.errors.jsonl")
        self._folder = output.with_name(f"{output.name}.groundwire")
        self._partitions = output if is_folder else self._folder

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
            raise BulkError(f"cannot write `{self.output}`: {os_error_reason(error)}") from error
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
                is_locked = _lock_file(opened)
            except OSError:
                opened.close()
                raise
            if not is_locked:
                opened.seek(0)
                process = opened.read(32).decode("ascii", "replace")
                opened.close()
                raise BulkError(
                    f"another run (process {process}) writes `{self.name}`", "wait for its end, or write elsewhere"
                )
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
        """Delete everything but the lock; the header goes first, so that nobody resumes an incomplete checkpoint."""
        (self._folder / _HEADER).unlink(missing_ok=True)
        for path in self._folder.iterdir():
            if path.name != _LOCK:
                path.unlink()

    def finished(self) -> JobManifest | None:
        """Return the manifest of a complete output, or None."""
        content = _read_or_none(self.manifest)
        manifest = None if content is None else parse_manifest(content)
        try:
            is_whole = manifest is not None and self.size_bytes(manifest.partitions) == manifest.size_bytes
        except FileNotFoundError:
            return None
        return manifest if is_whole else None

    def unfinished(self) -> JobHeader | None:
        """
        Return the header of an unfinished run and read its finished partitions, or return None.

        Raises:
            BulkError: The header is broken.
        """
        content = _read_or_none(self._folder / _HEADER)
        if content is None:
            return None
        try:
            header = msgspec.json.decode(content, type=JobHeader)
        except (msgspec.MsgspecError, UnicodeError):
            raise BulkError(
                f"the checkpoint of `{self.name}` is broken, or of another version", "--no-resume starts over"
            ) from None
        for record in self._records():
            is_known = record.number in self.done or record.file >= len(header.inputs)
            if not is_known and self._is_whole(record):
                self._remember(record)
        return header

    def begin(self, header: JobHeader) -> None:
        """Delete what an earlier run left, and write the header of this one."""
        self._empty_folder()
        if self.is_folder:
            # The manifest would say that the folder is complete.
            self.manifest.unlink(missing_ok=True)
            for path in self.output.glob("part-*"):
                path.unlink()
            self.output.mkdir(exist_ok=True)
        self.done, self.sources = {}, SourceCounter()
        _replace_file(self._folder / _HEADER, msgspec.json.format(msgspec.json.encode(header), indent=2))

    def add(self, record: PartitionRecord) -> None:
        """Record that a partition is finished."""
        with open_private(self._folder / _JOURNAL, "ab") as journal:
            journal.write(msgspec.json.encode(record) + b"\n")
            journal.flush()
            os.fsync(journal.fileno())
        self._remember(record)

    def records(self) -> list[PartitionRecord]:
        """Return the finished partitions in order."""
        return [self.done[number] for number in sorted(self.done)]

    def partitions(self) -> list[Path]:
        """Return the files of the finished partitions in order."""
        return [self._partitions / record.name for record in self.records()]

    def output_exists(self) -> bool:
        """Tell whether there is an output: a file, or something in the folder."""
        if self.is_folder:
            return self.output.is_dir() and any(self.output.iterdir())
        return self.output.exists()

    def size_bytes(self, partitions: list[PartitionRecord]) -> int:
        """
        Return the size of the output that *partitions* became.

        Raises:
            FileNotFoundError: A part of it is missing.
        """
        paths = [self._partitions / record.name for record in partitions] if self.is_folder else [self.output]
        return sum(path.stat().st_size for path in paths)

    def temporary(self, name: str) -> Path:
        """Return a temporary path for *name* on the disk of the output."""
        return self._folder / f"{name}.tmp"

    def keep(self, name: str, written: Path) -> None:
        """Rename a partition that is completely written."""
        take_place_of(self._partitions / name, written)

    def keep_malformed(self, number: int, lines: bytes) -> None:
        """Write the malformed lines of a partition."""
        _replace_file(self._malformed_path(number), lines)

    def finish(self, manifest: JobManifest) -> None:
        """Write the malformed lines and the manifest, and delete the checkpoint."""
        numbers = [record.number for record in self.records() if record.counts.malformed]
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
                with self._malformed_path(number).open("rb") as opened:
                    shutil.copyfileobj(opened, whole)
            whole.flush()
            os.fsync(whole.fileno())
        take_place_of(self.errors, temporary)

    def _remember(self, record: PartitionRecord) -> None:
        self.sources.add(record.sources)
        self.done[record.number] = msgspec.structs.replace(record, sources=None)

    def _records(self) -> Iterator[PartitionRecord]:
        """Yield the records of the journal, except for broken ones: those partitions are made again."""
        journal = self._folder / _JOURNAL
        content = _read_or_none(journal)
        if content is None:
            return
        lines = content.split(b"\n")
        # Text after the last line end was not written completely.
        for line in lines[:-1]:
            # On a full disk a line may be cut off, and the next one follows without a line end.
            with contextlib.suppress(msgspec.MsgspecError, UnicodeError):
                yield msgspec.json.decode(line, type=PartitionRecord)
        if lines[-1]:
            with journal.open("r+b") as opened:
                opened.truncate(len(content) - len(lines[-1]))

    def _is_whole(self, record: PartitionRecord) -> bool:
        """Tell whether the file of a partition is as it was written."""
        path = self._partitions / record.name
        try:
            lines = self._malformed_path(record.number).read_bytes() if record.counts.malformed else b""
            has_lines = lines.count(b"\n") == record.counts.malformed
            return has_lines and path.stat().st_size == record.size_bytes and sha256_of(path) == record.sha256
        except OSError:
            return False

    def _malformed_path(self, number: int) -> Path:
        return self._folder / f"malformed-{number:06}.jsonl"


def parse_manifest(content: bytes) -> JobManifest | None:
    """Return the manifest that *content* holds, or None."""
    try:
        return msgspec.json.decode(content, type=JobManifest)
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


def _lock_file(opened: BinaryIO) -> bool:
    """
    Lock a file until it is closed or the process ends; return False if another process holds the lock.

    Raises:
        OSError: The file system has no locks.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        return _lock_on_windows(opened)
    try:
        fcntl.flock(opened.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _lock_on_windows(opened: BinaryIO) -> bool:
    import msvcrt

    try:
        msvcrt.locking(opened.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined] # only Windows has it
    except PermissionError:
        return False
    return True
