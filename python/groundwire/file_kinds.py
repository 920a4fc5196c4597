"""
What kind of file some bytes are.

`unreadable_kind` recognises what is no plain text: documents, archives, pictures, web pages, text in an
encoding that nothing marks. `json_kind` recognises JSON and JSON lines. Names of files play no part:
they may be wrong, and standard input has none.
"""

import codecs
import json
import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

__all__ = ["DOCUMENT_KINDS", "FileKind", "is_json", "json_kind", "markup_kind", "unreadable_kind"]


class FileKind(NamedTuple):
    """
    A kind of file that is not read as text.

    Attributes:
        code: Short and stable, such as "pdf".
        words: What people call it, with its article: "a PDF".
        hint: What makes it readable.
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

# The name of a file inside is not compressed, so it can be found in the archive's bytes.
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
        FileKind("ole", "an Office document of before 2007 (.doc, .xls, .ppt)", _CONVERT),
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

# The word behind the length of the first box or chunk.
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
# Each marks the beginning of a text in this encoding. UTF-32 first: its little-endian mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROLS = frozenset(range(32)) - frozenset(b"\t\n\v\f\r\x1b") | {127}

# Comments and a declaration may stand before a page.
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
    Return what *content* is if it is no plain text; None for text.

    Text in another encoding than UTF-8 is text, if it has a byte order mark or no NUL: decoding it says
    what is wrong. UTF-16 without a mark and other bytes with NUL are not.

    Args:
        content: A file, or its beginning: a few kilobytes are enough.
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
        # These signatures are letters, which a text may begin with.
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
    Return HTML or XML if a text is one of them, None for other text; tags inside of a text do not count.

    Args:
        text: The text, or its beginning.
        is_whole: Whether it is the whole text: only then is a part of a page recognised.
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
    # Of the usual scripts every second byte is small, and of Latin letters it is 0.
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
    """Tell whether there are more control characters than in a text with a slip."""
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
    Return what a text is that begins like JSON, broken or not; None for another.

    JSON lines if the first line that is not blank is a value by itself and the next begins
    another one. A text of strings alone is JSON lines if each line is one.
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
