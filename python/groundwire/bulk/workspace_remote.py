"""
What a run keeps behind a URL, where nothing is renamed, but where an object is there as a whole or not at all.

Beside the output `OUT` stand, while it is made, objects in `OUT.groundwire`: the header;
in `work` one for each finished part (`done-*.json`), the parts themselves unless they are
the output, and lines that are no rows; and in `lease` the sign of the run. An object that
says that a part is finished comes after the part, the header before all of them, and
`OUT.manifest.json` in the end. Files are written on this machine and sent from there.
"""

import contextlib
import hashlib
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.fs as pafs

from groundwire.bulk.lease import Lease, Pace
from groundwire.bulk.places import reason_of
from groundwire.bulk.records import PartRecord
from groundwire.bulk.workspace import Workspace, sha256_of
from groundwire.errors import BulkError

__all__ = ["RemoteWorkspace"]

_HERE = pafs.LocalFileSystem()
# Small objects that are read or deleted at the same time.
_AT_ONCE = 16
# What is fetched in one request.
_COPY_BYTES = 1 << 20


class RemoteWorkspace(Workspace):
    """
    The places of an output in an object store.

    Args:
        filesystem, path: Where the output goes.
        output: The same as messages show it.
        is_folder: Whether it is a folder of parts.
        pace: Of the sign that keeps other runs away.
    """

    def __init__(self, filesystem: Any, path: str, output: str, *, is_folder: bool, pace: Pace | None = None) -> None:
        super().__init__(output, is_folder=is_folder)
        self._filesystem, self._path = filesystem, path
        self._folder = f"{path}.groundwire"
        self._header_path, self._work = f"{self._folder}/header.json", f"{self._folder}/work"
        self._manifest_path, self._problems = f"{path}.manifest.json", f"{path}.errors.jsonl"
        self._parts = path if is_folder else self._work
        self._lease = Lease(filesystem, f"{self._folder}/lease", output, pace=pace)
        self._here = Path()
        self._sizes: dict[str, int] = {}

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Give a sign as long as the run lasts, and have a folder for what is being written."""
        with tempfile.TemporaryDirectory(prefix="groundwire-") as here:
            self._here = Path(here)
            try:
                self._lease.take()
            except OSError as error:
                raise BulkError(f"cannot write `{self.output}`: {reason_of(error)}") from error
            try:
                yield
            finally:
                self._leave()

    def _leave(self) -> None:
        # A server that is gone, or a run that has taken over, is no reason to hide why this one has ended.
        with contextlib.suppress(OSError, BulkError):
            self._lease.check()
            if self._content(self._header_path) is None:
                self._delete_folder(self._work if self._lease.others() else self._folder)
        self._lease.release()

    def is_there(self) -> bool:
        """Tell whether there is an output."""
        if self.is_folder:
            return bool(self._listed(self._path))
        return bool(self._filesystem.get_file_info(self._path).type == pafs.FileType.File)

    def size_bytes(self, parts: Sequence[PartRecord]) -> int:
        """Ask the server."""
        if not self.is_folder:
            with self._filesystem.open_input_file(self._path) as opened:
                size: int = opened.size()
            return size
        known = self._listed(self._path)
        places = [f"{self._path}/{record.name}" for record in parts]
        if any(place not in known for place in places):
            raise FileNotFoundError("a part is gone")
        return sum(known[place] for place in places)

    def aside(self, name: str) -> Path:
        """Return a place on this machine."""
        return self._here / f"{name}.tmp"

    def keep(self, name: str, aside: Path) -> None:
        """Send a part."""
        self._send(aside, f"{self._parts}/{name}")

    def keep_problems(self, number: int, lines: bytes) -> None:
        """Send them."""
        self._put(self._problems_of(number), lines)

    def parts(self) -> Iterator[Path]:
        """Fetch part after part; each is gone when the next one is asked for, unless it is still open on Windows."""
        for record in self.records():
            path = self._here / record.name
            self._fetch(f"{self._parts}/{record.name}", path)
            if sha256_of(path) != record.sha256:
                self._filesystem.delete_file(self._done_of(record.number))
                raise BulkError(
                    f"part {record.number} of `{self.output}` is not as it was written", "the same call makes it anew"
                )
            yield path
            with contextlib.suppress(PermissionError):
                path.unlink()

    def publish(self, aside: Path) -> None:
        """Send the output."""
        self._send(aside, self._path)

    def _header(self) -> bytes | None:
        return self._content(self._header_path)

    def _manifest(self) -> bytes | None:
        return self._content(self._manifest_path)

    def _records(self) -> Iterator[PartRecord]:
        self._look()
        done = sorted(path for path in self._sizes if path.startswith(f"{self._work}/done-"))
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            for content in pool.map(self._content, done):
                with contextlib.suppress(msgspec.MsgspecError):
                    yield msgspec.json.decode(content or b"", type=PartRecord)

    def _look(self) -> None:
        """Find out what is there."""
        self._sizes = {**self._listed(self._work), **self._listed(self._parts)}

    def _is_whole(self, record: PartRecord) -> bool:
        # To hash it, all of it would have to come here again.
        has_problems = not record.counts.problems or self._problems_of(record.number) in self._sizes
        return has_problems and self._sizes.get(f"{self._parts}/{record.name}") == record.size_bytes

    def _problems_of(self, number: int) -> str:
        return f"{self._work}/problems-{number:06}.jsonl"

    def _done_of(self, number: int) -> str:
        return f"{self._work}/done-{number:06}.json"

    def _forget(self) -> None:
        self._lease.check()
        # The header first: what nobody refers to is never gone on with.
        self._delete([self._header_path])
        self._delete_folder(self._work)
        if self.is_folder:
            # It says that the folder is whole.
            self._delete([self._manifest_path])
            self._delete(path for path in self._listed(self._path) if path.startswith(f"{self._path}/part-"))

    def _begin(self, header: bytes) -> None:
        self._put(self._header_path, header)

    def _note(self, record: PartRecord) -> None:
        self._put(self._done_of(record.number), msgspec.json.encode(record))

    def _finish(self, manifest: bytes, with_problems: list[int]) -> None:
        self._look()
        if any(not self._is_whole(record) for record in self.records()):
            raise self.changed()
        if with_problems:
            aside = self.aside("errors")
            with aside.open("wb") as whole:
                for number in with_problems:
                    with self._filesystem.open_input_stream(self._problems_of(number)) as opened:
                        shutil.copyfileobj(opened, whole, _COPY_BYTES)
            self._send(aside, self._problems)
        else:
            self._delete([self._problems])
        self._put(self._manifest_path, manifest)
        self._delete([self._header_path])
        self._delete_folder(self._work)

    def _send(self, aside: Path, target: str) -> None:
        """Make the file *aside* an object, and take the file away."""
        self._lease.check()
        size_bytes = aside.stat().st_size
        # In one call: a stream that an exception closes would leave the beginning as if it were the whole.
        pafs.copy_files(str(aside), target, source_filesystem=_HERE, destination_filesystem=self._filesystem)
        if self._filesystem.get_file_info(target).size != size_bytes:
            raise OSError(f"of {size_bytes} bytes others have arrived")
        aside.unlink()

    def _put(self, target: str, content: bytes) -> None:
        aside = self.aside(hashlib.sha256(target.encode()).hexdigest())
        aside.write_bytes(content)
        self._send(aside, target)

    def _fetch(self, source: str, path: Path) -> None:
        pafs.copy_files(source, str(path), source_filesystem=self._filesystem, destination_filesystem=_HERE)

    def _content(self, path: str) -> bytes | None:
        try:
            with self._filesystem.open_input_stream(path) as opened:
                content: bytes = opened.read()
        except FileNotFoundError:
            return None
        return content

    def _listed(self, folder: str) -> dict[str, int]:
        """Return the files of a folder, and how long they are."""
        found = self._filesystem.get_file_info(pafs.FileSelector(folder, allow_not_found=True))
        return {info.path: info.size for info in found if info.type == pafs.FileType.File}

    def _delete(self, paths: Iterable[str]) -> None:
        def delete(path: str) -> None:
            with contextlib.suppress(FileNotFoundError):
                self._filesystem.delete_file(path)

        with ThreadPoolExecutor(_AT_ONCE) as pool:
            for _ in pool.map(delete, paths):
                pass

    def _delete_folder(self, path: str) -> None:
        with contextlib.suppress(FileNotFoundError):
            self._filesystem.delete_dir(path)
