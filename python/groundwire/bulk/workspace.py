"""Where a run keeps what it has done, so that another one goes on from there: on this machine, or behind a URL."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import msgspec

from groundwire.bulk.counting import SourceTally
from groundwire.bulk.records import Header, Manifest, PartRecord
from groundwire.errors import BulkError

__all__ = ["Workspace", "sha256_of"]


class Workspace(ABC):
    """
    The places of one output.

    Attributes:
        output: The output as messages show it: a file, or a folder of parts.
        is_folder: Which of both.
        done: The finished parts by their numbers, without what was counted by source.
        sources: That, added up over the finished parts.
    """

    def __init__(self, output: str, *, is_folder: bool) -> None:
        self.output = output
        self.is_folder = is_folder
        self.done: dict[int, PartRecord] = {}
        self.sources = SourceTally()

    def finished(self) -> Manifest | None:
        """Return the manifest of an output that is whole, None if there is no such output."""
        content = self._manifest()
        try:
            manifest = None if content is None else msgspec.json.decode(content, type=Manifest)
            is_whole = manifest is not None and self.size_bytes(manifest.parts) == manifest.size_bytes
        except (msgspec.MsgspecError, FileNotFoundError):
            return None
        return manifest if is_whole else None

    def begun(self) -> Header | None:
        """Return the header of a run that was begun, and read what it has done; None if there is none."""
        content = self._header()
        if content is None:
            return None
        try:
            header = msgspec.json.decode(content, type=Header)
        except (msgspec.MsgspecError, UnicodeError):
            raise BulkError(
                f"what was begun for `{self.output}` is broken, or of another version", "--no-resume starts over"
            ) from None
        for record in self._records():
            is_known = record.number in self.done or record.file >= len(header.inputs)
            if not is_known and self._is_whole(record):
                self._remember(record)
        return header

    def begin(self, header: Header) -> None:
        """Forget everything that was done before, and write down what is done now."""
        self._forget()
        self.done, self.sources = {}, SourceTally()
        self._begin(msgspec.json.format(msgspec.json.encode(header), indent=2))

    def add(self, record: PartRecord) -> None:
        """Write down that a part is finished."""
        self._note(record)
        self._remember(record)

    def records(self) -> list[PartRecord]:
        """Return the finished parts in their order."""
        return [self.done[number] for number in sorted(self.done)]

    def finish(self, manifest: Manifest) -> None:
        """Put lines that are no rows and manifest beside the output, and take away what else is there."""
        numbers = [record.number for record in self.records() if record.counts.problems]
        self._finish(msgspec.json.format(msgspec.json.encode(manifest), indent=1), numbers)

    def changed(self) -> BulkError:
        """Return the error of a run that finds its parts otherwise than it wrote them."""
        return BulkError(f"parts of `{self.output}` were changed by somebody else", "the same call makes them anew")

    def _remember(self, record: PartRecord) -> None:
        self.sources.add(record.sources)
        self.done[record.number] = msgspec.structs.replace(record, sources=None)

    @abstractmethod
    def locked(self) -> AbstractContextManager[None]:
        """
        Keep every other run from this output.

        Raises:
            BulkError: One is at it, or nothing can be written there.
        """

    @abstractmethod
    def is_there(self) -> bool:
        """Tell whether there is an output: a file, or something in the folder."""

    @abstractmethod
    def size_bytes(self, parts: Sequence[PartRecord]) -> int:
        """
        Return how large the output is that *parts* became.

        Raises:
            FileNotFoundError: Not all of it is there.
        """

    @abstractmethod
    def aside(self, name: str) -> Path:
        """Return a place on this machine for a file that is being written."""

    @abstractmethod
    def keep(self, name: str, aside: Path) -> None:
        """Put a part that is written at its place, as a whole or not at all."""

    @abstractmethod
    def keep_problems(self, number: int, lines: bytes) -> None:
        """Keep the lines of a part that are no rows."""

    @abstractmethod
    def parts(self) -> Iterable[Path]:
        """Give the files of all parts in their order; each is there until the next one is asked for, or longer."""

    @abstractmethod
    def publish(self, aside: Path) -> None:
        """Make what is written the output, as a whole or not at all."""

    @abstractmethod
    def _header(self) -> bytes | None:
        """Return the header of a run that was begun."""

    @abstractmethod
    def _manifest(self) -> bytes | None: ...

    @abstractmethod
    def _records(self) -> Iterator[PartRecord]:
        """Yield what was written down by `_note`, but for what is broken: those parts are made anew."""

    @abstractmethod
    def _is_whole(self, record: PartRecord) -> bool:
        """Tell whether the file of a part is there as it was written."""

    @abstractmethod
    def _forget(self) -> None: ...

    @abstractmethod
    def _begin(self, header: bytes) -> None: ...

    @abstractmethod
    def _note(self, record: PartRecord) -> None: ...

    @abstractmethod
    def _finish(self, manifest: bytes, with_problems: list[int]) -> None: ...


def sha256_of(path: Path) -> str:
    """Return the hash of a file."""
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
