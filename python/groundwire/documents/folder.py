"""Keeps the documents below a folder, each read and prepared once, within a limit of memory."""

import os
from collections import OrderedDict
from pathlib import Path
from sys import getsizeof
from threading import Lock
from typing import Final, Literal

from groundwire.documents.document import Document
from groundwire.documents.reading import read_document
from groundwire.errors import DocumentError
from groundwire.files import find_below, read_limited

__all__ = ["DOCUMENTS_BYTES", "DocumentFolder"]

DOCUMENTS_BYTES: Final = 384 << 20
"""Default memory for kept documents, in bytes."""

_MAX_ERRORS = 10_000


class DocumentFolder:
    """
    Reads documents by their paths below a folder. Several threads may use it at once.

    The most recently used documents are kept with their prepared sources. The errors of unreadable documents are kept
    too, so that a damaged file that thousands of rows name is read once.

    Args:
        root: The folder. Paths and links that lead out of it are refused.
        memory_bytes: The approximate memory for kept documents; the newest one is always kept.

    Raises:
        OSError: The folder does not exist.
        ValueError: *memory_bytes* is not positive.
    """

    def __init__(self, root: str | os.PathLike[str], *, memory_bytes: int = DOCUMENTS_BYTES) -> None:
        if memory_bytes < 1:
            raise ValueError(f"memory_bytes must be at least 1, got {memory_bytes}")
        self._root = Path(root).resolve(strict=True)
        if not self._root.is_dir():
            raise NotADirectoryError(f"`{os.fspath(root)}` is not a folder")
        self._max_bytes = memory_bytes
        self._kept: OrderedDict[str, Document] = OrderedDict()
        # Without tracebacks, which would keep the content of each file.
        self._errors: OrderedDict[str, tuple[str, str, str | None]] = OrderedDict()
        self._lock = Lock()

    def document(self, path: str, profile: Literal["spec", "typographic"] = "typographic") -> Document:
        """
        Return the document at *path* below the folder, with its source of *profile* prepared.

        Raises:
            DocumentError: The file does not exist, is outside of the folder, or cannot be read. The error has no path.
        """
        # All threads wait for the same reading process anyway, so they take turns here.
        with self._lock:
            if path in self._errors:
                raise DocumentError(None, *self._errors[path])
            document = self._kept.pop(path, None)
            if document is None:
                document = self._read(path)
            document.source(profile)
            self._kept[path] = document
            while len(self._kept) > 1 and sum(map(_size_bytes, self._kept.values())) > self._max_bytes:
                self._kept.popitem(last=False)
        return document

    def _read(self, path: str) -> Document:
        try:
            with find_below(self._root, path).open() as file:
                content = read_limited(file, "a document")
            return read_document(content)
        except DocumentError as error:
            failure = error.code, error.reason, error.hint
        except FileNotFoundError:
            failure = "missing", "not in the folder of documents", None
        except PermissionError:
            failure = "outside", "outside of the folder of documents, or not readable", None
        except OSError:
            failure = "unreadable", "not a readable file within the limit of bytes", None
        self._errors[path] = failure
        if len(self._errors) > _MAX_ERRORS:
            self._errors.popitem(last=False)
        raise DocumentError(None, *failure)


def _size_bytes(document: Document) -> int:
    """Return the approximate memory of a document with its prepared sources."""
    return getsizeof(document.text) + sum(map(getsizeof, document.prepared_sources())) + 200 * len(document.parts)
