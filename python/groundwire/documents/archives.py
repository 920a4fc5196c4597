"""Opens ZIP files within limits; DOCX, XLSX and EPUB files are ZIP files."""

import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

from groundwire.documents.parts import damaged
from groundwire.errors import DocumentError

__all__ = ["MAX_UNPACKED_BYTES", "open_archive"]

MAX_UNPACKED_BYTES = 256 << 20
"""Maximum number of bytes of all entries, unpacked. The file states the size of each, and Python reads no more."""

MAX_XML_BYTES = 128 << 20
"""Maximum number of bytes of an XML entry, which takes ten times as much memory when it is parsed."""

_MAX_ENTRIES = 20_000
_XML_SUFFIXES = (".xml", ".rels", ".opf", ".ncx", ".vml")
# No document needs a document type: it could define entities that grow without limit, or name other files.
_DOCUMENT_TYPE = re.compile(rb"<!(?:DOCTYPE|ENTITY)|<\0!\0(?:D\0O\0C|E\0N\0T)|\0<\0!\0[DE]", re.IGNORECASE)


@contextmanager
def open_archive(content: bytes, name: str | None, words: str) -> Iterator[zipfile.ZipFile]:
    """
    Open the ZIP file *content*, after checking its entries. Reading a damaged file is an error of one kind.

    Args:
        content: The file.
        name: Name of the file in errors.
        words: Kind of the file in errors, such as "a Word document".

    Raises:
        DocumentError: It is damaged or encrypted, unpacks to more than the limits, or its XML has a document type; or
            the block raises any other error, because libraries raise many kinds of errors for damaged files.
    """
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            _check_sizes(archive, name, words)
            for entry in _xml_entries(archive):
                if _DOCUMENT_TYPE.search(archive.read(entry)):
                    raise DocumentError(
                        name, "entities", f"{words} whose XML declares a document type", "save it again"
                    )
            yield archive
    except (DocumentError, MemoryError, ModuleNotFoundError):
        raise
    except Exception as error:
        # The zipfile module raises a RuntimeError for an entry with a password.
        if isinstance(error, RuntimeError) and "password" in str(error):
            hint = "save a copy without one first"
            raise DocumentError(name, "encrypted", f"{words} with a password", hint) from None
        raise damaged(name, words) from None


def _check_sizes(archive: zipfile.ZipFile, name: str | None, words: str) -> None:
    entries = archive.infolist()
    unpacked = sum(entry.file_size for entry in entries)
    largest = max((entry.file_size for entry in _xml_entries(archive)), default=0)
    if len(entries) > _MAX_ENTRIES or unpacked > MAX_UNPACKED_BYTES or largest > MAX_XML_BYTES:
        raise DocumentError(
            name, "too_large", f"{words} that unpacks to more than the limits, as a ZIP bomb does", "split it first"
        )


def _xml_entries(archive: zipfile.ZipFile) -> Iterator[zipfile.ZipInfo]:
    return (entry for entry in archive.infolist() if entry.filename.lower().endswith(_XML_SUFFIXES))
