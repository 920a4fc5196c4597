"""Keeps sources in memory by the SHA-256 of their bytes, within a limit."""

from collections import OrderedDict
from functools import cached_property
from hashlib import sha256
from threading import Lock

from groundwire.errors import TranscriptError
from groundwire.file_kinds import unreadable_kind
from groundwire.http_server.responses import HttpProblem
from groundwire.report.check import TranscriptFile
from groundwire.report.spans import Lines
from groundwire.transcripts import Transcript, read_transcript
from groundwire.transcripts.reader import format_of

__all__ = ["KeptSource", "SourceStore", "decode_source"]

# The original text, the normalised one, the way back, indexes, turns and lines. Measured on transcripts of 5 to 500 kB,
# English and Chinese, after 36 quotes each: 7 to 19 bytes for each byte of the source.
_MEMORY_FACTOR = 24
_ENTRY_BYTES = 4096


class KeptSource:
    """
    A text, with its turns and its index, which are made once, on first use.

    Args:
        text: The text.
        digest: The SHA-256 of its bytes as sent, in hexadecimal.
        size: Their number.

    Attributes:
        text: The text.
        sha256: The hash.
        memory_bytes: The memory that the text and its index take at most, estimated from *size*.
    """

    def __init__(self, text: str, digest: str, size: int) -> None:
        self.text = text
        self.sha256 = digest
        self.memory_bytes = _ENTRY_BYTES + _MEMORY_FACTOR * size

    @classmethod
    def of_text(cls, text: str) -> "KeptSource":
        """Return a source for one request."""
        content = text.encode()
        return cls(text, sha256(content).hexdigest(), len(content))

    @cached_property
    def reading(self) -> Transcript:
        """
        The text with its turns, in the format of its content.

        Raises:
            TranscriptError: The text is invalid in that format, or a web page.
        """
        return read_transcript(self.text, format=format_of(self.text))

    @cached_property
    def _lines(self) -> Lines:
        return Lines(self.reading.text)

    def as_file(self, name: str) -> TranscriptFile:
        """Return the source under this name for a check report; raises as `reading`."""
        reading = self.reading
        return TranscriptFile(name, reading.text, self.sha256, reading=reading, lines=self._lines)


def decode_source(content: bytes) -> KeptSource:
    """
    Return the source with these bytes, which are UTF-8; a byte order mark is dropped.

    Raises:
        HttpProblem: They are a document or other data, not UTF-8, or no text at all.
    """
    kind = unreadable_kind(content)
    if kind is not None:
        raise HttpProblem(415, "not_text", f"The source is {kind.words}; send its text.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = error.start
    else:
        if not text or text.isspace():
            raise HttpProblem(422, "empty_source", "The source has no text.")
        return KeptSource(text, sha256(content).hexdigest(), len(content))
    # Raised here, the problem has no context: a UnicodeDecodeError contains the source.
    raise HttpProblem(422, "not_utf8", f"The source is not UTF-8: invalid byte at offset {place:,}.")


class SourceStore:
    """
    Keeps sources until their memory is needed; drops the least recently used first. Threads may share it.

    Args:
        max_bytes: The memory of all sources together, in bytes.

    Attributes:
        max_bytes: The argument.
        used_bytes: The memory in use, as estimated.
        evicted: The number of sources dropped to make room for others.
    """

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.used_bytes = 0
        self.evicted = 0
        self._kept: OrderedDict[str, KeptSource] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def put(self, source: KeptSource) -> bool:
        """
        Keep a source, and return whether it is new. Drop others if there is no room.

        Raises:
            HttpProblem: It needs more memory than all sources may have.
        """
        if source.memory_bytes > self.max_bytes:
            raise HttpProblem(413, "source_too_large", "The source is larger than the memory for sources.")
        with self._lock:
            if source.sha256 in self._kept:
                self._kept.move_to_end(source.sha256)
                return False
            self._kept[source.sha256] = source
            self.used_bytes += source.memory_bytes
            while self.used_bytes > self.max_bytes:
                _, oldest = self._kept.popitem(last=False)
                self.used_bytes -= oldest.memory_bytes
                self.evicted += 1
        return True

    def get(self, digest: str) -> KeptSource | None:
        """Return the source with this hash, None if it is not kept."""
        with self._lock:
            found = self._kept.get(digest)
            if found is not None:
                self._kept.move_to_end(digest)
            return found

    def drop(self, digest: str) -> bool:
        """Forget the source with this hash, and return whether it was kept."""
        with self._lock:
            found = self._kept.pop(digest, None)
            if found is not None:
                self.used_bytes -= found.memory_bytes
            return found is not None


def unreadable(error: TranscriptError, field: str) -> HttpProblem:
    """Return the problem of a source that is invalid in its format."""
    return HttpProblem(422, "unreadable_source", f"{field}, {error}", field=field)
