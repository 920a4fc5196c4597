"""Reads a transcript from a file or a text, in the format that its content shows or that the caller names."""

import codecs
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from groundwire.delimited import delimiter_of
from groundwire.errors import TranscriptError
from groundwire.file_kinds import FileKind, json_kind, markup_kind, unreadable_kind
from groundwire.files import read_file
from groundwire.labels import check_choice
from groundwire.transcripts.transcript import Transcript, TranscriptFormat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.transcripts.transcript import TranscriptSegment

__all__ = ["format_of", "read_transcript"]

_SRT = re.compile(r"\ufeff?\s*+(?:[0-9]{1,9}[ \t]*(?:\r\n|\n|\r))?[ \t]*[0-9]{1,4}:[0-9:.,]{1,20}[ \t]*-->")
_FIRST_LINE = re.compile(r"\ufeff?\s*([^\r\n]{0,1000})")
_FILE_NAME = re.compile(r"[^\r\n]{0,4000}\.(?:txt|md|vtt|srt|tsv|csv|json)[ \t]*", re.IGNORECASE)


def read_transcript(
    path_or_text: str | os.PathLike[str],
    *,
    format: TranscriptFormat | None = None,
    name: str | None = None,
) -> Transcript:
    """
    Read a transcript.

    Without *format*, the content decides, in this order: `webvtt` if it begins with `WEBVTT`; `json` if it is an
    object or a list of objects; `tsv` or `csv` if its first line names a column of words (text or value), alone or
    among others, and its rows have the same number of fields; `srt` if it begins with a time and `-->`, after an
    optional number; otherwise `text`. A table in a file whose name ends in .csv or .tsv must have such a column.

    Args:
        path_or_text: A path (`pathlib.Path`) names a file in UTF-8; a byte order mark is dropped. A str is the text
            itself, never the name of a file.
        format: "text" (also for Markdown), "webvtt", "srt", "tsv", "csv" or "json".
        name: Name of the transcript; by default the file's name without its folder.

    Raises:
        TranscriptError: The content is not in that format, or is not text at all: a PDF, a web page. The error has
            the line, and what was expected there.
        TypeError: *path_or_text* is neither a str nor a path, or *format* is not a str.
        ValueError: The format is unknown, or *path_or_text* is a str that looks like the name of a file.
        OSError: The file cannot be read, or has more than 256 MiB (`GROUNDWIRE_MAX_FILE_BYTES` sets another limit).
    """
    if format is not None:
        check_choice("format", format, get_args(TranscriptFormat))
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
    Return the format of *text*, as its content shows it.

    Args:
        text: The transcript.
        suffix: Suffix of the file's name, if the text comes from a file.

    Raises:
        TranscriptError: The text is a web page or XML.
    """
    from groundwire.transcripts.subtitles import has_signature
    from groundwire.transcripts.tables import has_words_column, looks_tabular, turns_format

    _check_kind(markup_kind(text))
    if has_signature(text):
        return "webvtt"
    # A list of strings is no transcript. Read as JSON, it raises an error that explains this.
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
    from groundwire.transcripts.transcript import build_transcript, transcript_of

    if source_format == "text":
        from groundwire.transcripts.plain_text import turns

        return transcript_of(text, turns(text), name, source_format)
    return build_transcript(_segments(text, source_format), name, source_format)


def _segments(text: str, source_format: TranscriptFormat) -> "Sequence[TranscriptSegment]":
    # Each reader is imported only when needed; the one for JSON loads msgspec.
    if source_format == "webvtt":
        from groundwire.transcripts.subtitles import read_webvtt as read
    elif source_format == "srt":
        from groundwire.transcripts.subtitles import read_srt as read
    elif source_format == "tsv":
        from groundwire.transcripts.tables import read_tsv as read
    elif source_format == "csv":
        from groundwire.transcripts.tables import read_csv as read
    else:
        from groundwire.transcripts.json_segments import read_json as read
    return read(text)


def _decoded(content: bytes) -> str:
    """
    Decode UTF-8, and drop a byte order mark.

    Raises:
        TranscriptError: The content is not UTF-8. The error has the line of the first wrong byte.
    """
    _check_kind(unreadable_kind(content))
    try:
        return content.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
    # Raised outside of the handler, so that it does not carry the UnicodeDecodeError, which holds the whole file.
    raise TranscriptError(line, "UTF-8")


def _check_kind(kind: FileKind | None) -> None:
    if kind is not None:
        raise TranscriptError(1, f"a transcript; this looks like {kind.words}: {kind.hint}")
