"""Reading a transcript: from a file or a text, in the format that it shows or that is named."""

import codecs
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from groundwire.delimited import delimiter_of
from groundwire.errors import TranscriptError
from groundwire.file_kinds import FileKind, json_kind, markup_kind, unreadable_kind
from groundwire.files import read_file
from groundwire.labels import show
from groundwire.transcripts.transcript import Transcript, TranscriptFormat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.transcripts.turns import TranscriptSegment

__all__ = ["format_of", "read_transcript"]

FORMATS: tuple[TranscriptFormat, ...] = get_args(TranscriptFormat)

_SRT = re.compile(r"\ufeff?\s*+(?:[0-9]{1,9}[ \t]*(?:\r\n|\n|\r))?[ \t]*[0-9]{1,4}:[0-9:.,]{1,20}[ \t]*-->")
_FIRST_LINE = re.compile(r"\ufeff?\s*([^\r\n]{0,1000})")
_FILE_NAME = re.compile(r"[^\r\n]{0,4000}\.(?:txt|md|vtt|srt|tsv|csv|json)[ \t]*", re.IGNORECASE)


def read_transcript(
    path_or_text: str | os.PathLike[str],
    *,
    format: TranscriptFormat | None = None,  # noqa: A002 - what the caller writes
    name: str | None = None,
) -> Transcript:
    """
    Read a transcript.

    Without *format* the content decides, in this order: `webvtt` if it begins with
    `WEBVTT`, `json` with an object or a list of objects, `tsv` and `csv` with a line that
    names a column of words (text or value) among others or alone, and rows of as many fields,
    `srt` with a time and `-->`, perhaps below a number; else `text`. A file whose name ends in
    .csv or .tsv and that is a table has to have such a column.

    Args:
        path_or_text: A path (`pathlib.Path`) is a file in UTF-8, and a byte order
            mark is dropped. A str is the text itself, never the name of a file.
        format: "text" (and Markdown), "webvtt", "srt", "tsv", "csv" or "json".
        name: What the transcript is called; by default the file's name without its folder.

    Raises:
        TranscriptError: It is not in that format, or no text at all: a PDF, a web page. Has the line,
            and what was expected there.
        TypeError: *path_or_text* is neither str nor path.
        ValueError: There is no such format, or *path_or_text* is a str that looks like the name of a file.
        OSError: The file cannot be read, or has more than 256 MiB (`GROUNDWIRE_MAX_FILE_BYTES` sets another limit).
    """
    if format is not None and format not in FORMATS:
        got = show(format) if isinstance(format, str) else type(format).__name__
        raise ValueError(f"format must be one of {', '.join(FORMATS)}, got {got}")
    if isinstance(path_or_text, str):
        if format is None and _FILE_NAME.fullmatch(path_or_text):
            raise ValueError(
                "path_or_text looks like the name of a file; give a pathlib.Path, or format= if it is the text"
            )
        text, suffix = path_or_text, ""
    elif isinstance(path_or_text, os.PathLike):
        path = Path(path_or_text)
        text, suffix = _decoded(read_file(path)), path.suffix
        name = path.name if name is None else name
    else:
        raise TypeError(f"path_or_text must be a str or a path, got {type(path_or_text).__name__}")
    return _read(text, format_of(text, suffix) if format is None else format, name)


def format_of(text: str, suffix: str = "") -> TranscriptFormat:
    """
    Return the format that *text* shows.

    Args:
        text: The transcript.
        suffix: The end of its file's name, if there is one.

    Raises:
        TranscriptError: It is a web page or XML.
    """
    from groundwire.transcripts.table import has_words_column, looks_tabular, turns_format
    from groundwire.transcripts.webvtt import has_signature

    _check_kind(markup_kind(text))
    if has_signature(text):
        return "webvtt"
    # A list of strings is no transcript, and as JSON an error that says so.
    if json_kind(text) is not None:
        return "json"
    first_line = _FIRST_LINE.match(text)
    head = "" if first_line is None else first_line[1]
    if (turns := turns_format(head)) is not None:
        return turns
    if has_words_column(text) or (suffix.lower() in (".csv", ".tsv") and looks_tabular(text)):
        return "tsv" if delimiter_of(head) == "\t" else "csv"
    return "srt" if _SRT.match(text) else "text"


def _read(text: str, source_format: TranscriptFormat, name: str | None) -> Transcript:
    from groundwire.transcripts.turns import built_transcript, transcript_of

    if source_format == "text":
        from groundwire.transcripts.plain import plain_stretches

        return transcript_of(text, plain_stretches(text), name, source_format)
    return built_transcript(_segments(text, source_format), name, source_format)


def _segments(text: str, source_format: TranscriptFormat) -> "Sequence[TranscriptSegment]":
    # Each reader is imported when it is needed: that of JSON loads msgspec.
    if source_format == "webvtt":
        from groundwire.transcripts.webvtt import read_webvtt as read
    elif source_format == "srt":
        from groundwire.transcripts.srt import read_srt as read
    elif source_format == "tsv":
        from groundwire.transcripts.table import read_table as read
    elif source_format == "csv":
        from groundwire.transcripts.table import read_csv as read
    else:
        from groundwire.transcripts.segments import read_json as read
    return read(text)


def _decoded(content: bytes) -> str:
    """
    Decode UTF-8, without a byte order mark.

    Raises:
        TranscriptError: It is something else. Has the line of the first wrong byte.
    """
    _check_kind(unreadable_kind(content))
    try:
        return content.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
    # Out here the new exception has no context: a UnicodeDecodeError carries the whole file.
    raise TranscriptError(line, "UTF-8")


def _check_kind(kind: FileKind | None) -> None:
    if kind is not None:
        raise TranscriptError(1, f"a transcript; this looks like {kind.words}: {kind.hint}")
