"""
Recognises kinds of files by their content.

`unreadable_kind` recognises anything but plain text: documents, archives, pictures, web pages, and text in an unmarked
encoding. `json_kind` recognises JSON and JSON lines. Names of files are ignored, because they may be wrong, and
standard input has none.
"""

import codecs
import json
import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

__all__ = ["DOCUMENT_KINDS", "FileKind", "is_json", "json_kind", "markup_kind", "unreadable_kind"]


class FileKind(NamedTuple):
    """
    Describes a kind of file that is not read as text.

    Attributes:
        code: Short, stable code, such as "pdf".
        words: Name with its article: "a PDF".
        hint: How to make the file readable.
    """

    code: str
    words: str
    hint: str


DOCUMENT_KINDS = frozenset({"pdf", "docx", "html", "epub", "xlsx"})
"""The codes of the kinds that `groundwire.read_document` reads."""

_CONVERT = "convert it to text first"
_UNPACK = "unpack it first"
_TEXT_ONLY = "groundwire reads text only"
_TRANSCRIBE = "transcribe it first"
_BULK = "`groundwire bulk` reads it"

_ZIP = FileKind("zip", "a ZIP archive", _UNPACK)

# Names of files in the archive are not compressed, so they can be found in its bytes.
_ZIP_CONTENTS = (
    (b"word/", FileKind("docx", "a Word document (.docx)", _CONVERT)),
    (b"xl/", FileKind("xlsx", "an Excel workbook (.xlsx)", "save its sheet as CSV first")),
    (b"ppt/", FileKind("pptx", "a PowerPoint presentation (.pptx)", _CONVERT)),
    (b"application/vnd.oasis.opendocument.text", FileKind("odt", "an OpenDocument text (.odt)", _CONVERT)),
    (
        b"application/vnd.oasis.opendocument.spreadsheet",
        FileKind("ods", "an OpenDocument spreadsheet (.ods)", "save its sheet as CSV first"),
    ),
    (b"application/vnd.oasis.opendocument", FileKind("odf", "an OpenDocument file", _CONVERT)),
    (b"application/epub+zip", FileKind("epub", "an EPUB book", _CONVERT)),
)

_SIGNATURES = (
    (b"{\\rtf", FileKind("rtf", "an RTF document", _CONVERT)),
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        FileKind("ole", "an Office document from before 2007 (.doc, .xls, .ppt)", _CONVERT),
    ),
    (b"\x89PNG\r\n\x1a\n", FileKind("png", "a PNG image", _TEXT_ONLY)),
    (b"\xff\xd8\xff", FileKind("jpeg", "a JPEG image", _TEXT_ONLY)),
    (b"GIF87a", FileKind("gif", "a GIF image", _TEXT_ONLY)),
    (b"GIF89a", FileKind("gif", "a GIF image", _TEXT_ONLY)),
    (b"II*\0", FileKind("tiff", "a TIFF image", _TEXT_ONLY)),
    (b"MM\0*", FileKind("tiff", "a TIFF image", _TEXT_ONLY)),
    (b"ID3", FileKind("mp3", "an MP3 recording", _TRANSCRIBE)),
    (b"OggS", FileKind("ogg", "an Ogg recording", _TRANSCRIBE)),
    (b"fLaC", FileKind("flac", "a FLAC recording", _TRANSCRIBE)),
    (b"\x1f\x8b", FileKind("gzip", "a gzip file", _UNPACK)),
    (b"\x28\xb5\x2f\xfd", FileKind("zstd", "a Zstandard file", _UNPACK)),
    (b"\xfd7zXZ\0", FileKind("xz", "an xz file", _UNPACK)),
    (b"7z\xbc\xaf\x27\x1c", FileKind("7z", "a 7-Zip archive", _UNPACK)),
    (b"Rar!\x1a\x07", FileKind("rar", "a RAR archive", _UNPACK)),
    (b"PAR1", FileKind("parquet", "a Parquet file", _BULK)),
    (b"ARROW1", FileKind("arrow", "an Arrow file", _BULK)),
    (b"SQLite format 3\0", FileKind("sqlite", "an SQLite database", _TEXT_ONLY)),
)

# The tag after the length of the first box or chunk.
_BOXED = (
    (0, b"RIFF", 8, b"WAVE", FileKind("wav", "a WAV recording", _TRANSCRIBE)),
    (0, b"RIFF", 8, b"WEBP", FileKind("webp", "a WebP image", _TEXT_ONLY)),
    (0, b"RIFF", 8, b"AVI ", FileKind("avi", "an AVI video", _TRANSCRIBE)),
    (0, b"BZh", 4, b"1AY&SY", FileKind("bzip2", "a bzip2 file", _UNPACK)),
    (4, b"ftyp", 4, b"ftyp", FileKind("mp4", "an MP4 recording or image", _TRANSCRIBE)),
)

_PDF = FileKind("pdf", "a PDF", _CONVERT)
_HTML = FileKind("html", "HTML", _CONVERT)
_XML = FileKind("xml", "XML", _CONVERT)
_BINARY = FileKind("binary", "binary data", _TEXT_ONLY)

_HEAD_BYTES = 1 << 16
# Byte order marks. UTF-32 comes first, because its little-endian mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROLS = frozenset(range(32)) - frozenset(b"\t\n\v\f\r\x1b") | {127}

# Comments and a declaration may precede a page.
_PAGE = re.compile(
    r"\s*+(?:<\?xml\b[^>]{0,1000}>\s*+|<!--(?:(?!-->).){0,10000}-->\s*+){0,9}"
    r"<(?:!doctype\s+html|html|head|body|title|meta|script|style)(?=[\s>/])",
    re.IGNORECASE | re.DOTALL,
)
_XML_DECLARATION = re.compile(r"\s*<\?xml\s")
# A part of a page: one element, or several, from the first character to the last. A Markdown file may begin with one.
_FRAGMENT_START = re.compile(
    r"\s*<(div|p|table|section|article|main|header|nav|ul|ol|dl|h[1-6]|span|blockquote|pre)(?=[\s>])[^<>]{0,1000}>",
    re.IGNORECASE,
)
_FRAGMENT_END = re.compile(r"</[a-z][a-z0-9]{0,20}\s*>\s*\Z", re.IGNORECASE)


def unreadable_kind(content: bytes, *, is_whole: bool = True) -> FileKind | None:
    """
    Return the kind of *content* if it is not plain text; None for text.

    Text in an encoding other than UTF-8 counts as text if it has a byte order mark or no NUL; decoding it
    reports the error. UTF-16 without a mark and other bytes with NUL do not count as text.

    Args:
        content: A file or its beginning; a few kilobytes are enough.
        is_whole: Whether *content* is the whole file.
    """
    head = content[:_HEAD_BYTES]
    mark, encoding = next(((mark, each) for mark, each in _MARKS if head.startswith(mark)), (b"", ""))
    found = None if mark else _by_signature(head, content)
    if found is not None:
        return found
    text = head[len(mark) :].decode(encoding or "utf-8", "replace")
    found = markup_kind(text, is_whole=is_whole and len(content) == len(head))
    return found if found is not None or mark else _encoded(head)


def _by_signature(head: bytes, content: bytes) -> FileKind | None:
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return next((kind for name, kind in _ZIP_CONTENTS if name in content), _ZIP)
    if head.lstrip()[:5] == b"%PDF-":
        return _PDF
    found = next((kind for signature, kind in _SIGNATURES if head.startswith(signature)), None)
    if found is not None and found.code in ("mp3", "ogg", "flac", "parquet", "arrow") and not _has_controls(head):
        # These signatures are letters, and a text may begin with them.
        return None
    return found or next(
        (
            kind
            for first_at, first, then_at, then, kind in _BOXED
            if head.startswith(first, first_at) and head.startswith(then, then_at)
        ),
        None,
    )


def markup_kind(text: str, *, is_whole: bool = True) -> FileKind | None:
    """
    Return HTML or XML if a text is one of these, None for other text; tags inside a text do not count.

    Args:
        text: The text, or its beginning.
        is_whole: Whether *text* is the whole text; a part of a page is recognised only then.
    """
    head = text[:_HEAD_BYTES].removeprefix("\ufeff")
    is_whole = is_whole and len(text) <= _HEAD_BYTES
    if _PAGE.match(head):
        return _HTML
    if _XML_DECLARATION.match(head):
        return _XML
    if is_whole and _FRAGMENT_START.match(head) and _FRAGMENT_END.search(head[-100:]):
        return _HTML
    return None


def _encoded(head: bytes) -> FileKind | None:
    """Return UTF-16 without a mark, or binary data."""
    # In common scripts, every second byte is small; for Latin letters, it is 0.
    even, odd = head[::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    for encoding, zeros, others in (("UTF-16LE", odd, even), ("UTF-16BE", even, odd)):
        if half > 1 and zeros * 10 >= half * 4 and others * 20 <= half:
            return FileKind("utf-16", "UTF-16 without a byte order mark", f"`iconv -f {encoding} -t UTF-8` converts it")
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return _BINARY if _has_controls(head) else None
    return None


def _has_controls(head: bytes) -> bool:
    """Tell whether there are more control characters than a text has by mistake."""
    return 0 in head or sum(byte in _CONTROLS for byte in head) * 50 > len(head)


# An object, or a list of objects, lists or strings. `[laughs] well`, `{laughs} well`, `{"laughs"} well` and
# `["Music"] plays` are text.
_STRING = r'"(?:[^"\\]|\\.)*+"'
_OBJECT = r'\{\s*(?:"(?:[^"\\]|\\.){0,1000}+(?:"\s*:|\Z)|\}\s*\Z)'
_LIST = rf'\[\s*(?:[\[{{]\s*["\[{{\]}}]|\]\s*\Z|{_STRING}\s*(?:,|\Z|\]\s*(?:\Z|,|(?<=[\r\n]))))'
_JSON = re.compile(rf"\ufeff?\s*(?:{_OBJECT}|{_LIST})", re.DOTALL)
_FIRST_CHARACTER = re.compile(r"\ufeff?\s*+[\[{\"]")
_LINES = re.compile(r"[^\r\n]+")


def json_kind(text: str) -> Literal["json", "jsonl"] | None:
    """
    Return the kind of a text that begins like JSON, valid or not; None for any other text.

    The text is JSON lines if its first line that is not blank is a value and the next line begins another one. A text
    with only strings is JSON lines if each line is a string.
    """
    if _FIRST_CHARACTER.match(text) is None:
        return None
    lines = _lines(text)
    first, second = next(lines), next(lines, None)
    if _JSON.match(text):
        begins_another = second is not None and second.lstrip()[:1] in ("{", "[", '"')
        return "jsonl" if begins_another and is_json(first.removeprefix("\ufeff")) else "json"
    if first.lstrip("\ufeff \t").startswith('"') and all(
        line.lstrip("\ufeff \t")[:1] in ('"', "{") and is_json(line.removeprefix("\ufeff")) for line in _lines(text)
    ):
        return "jsonl"
    return None


def _lines(text: str) -> Iterator[str]:
    """Yield the lines that are not blank."""
    return (line[0] for line in _LINES.finditer(text) if not line[0].isspace())


def is_json(text: str) -> bool:
    """Tell whether *text* is one value of JSON."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
